#[automatically_derived]
impl ::extype::StaticData for Mode {
    fn to_literal(&self) -> ::extype::__private::Literal {
        match self {
            Self::Train {} => ::extype::__private::variant_literal("Train"),
            Self::Test {} => ::extype::__private::variant_literal("Test"),
        }
    }
    fn from_literal(literal: &::extype::__private::Literal) -> ::extype::Result<Self> {
        match ::extype::__private::literal_variant(literal, "Mode")? {
            ("Train", _) => ::core::result::Result::Ok(Self::Train {}),
            ("Test", _) => ::core::result::Result::Ok(Self::Test {}),
            (other, _) => {
                ::core::result::Result::Err(
                    ::extype::__private::unknown_variant("Mode", other),
                )
            }
        }
    }
}
::extype::__static_structure!([] Mode, []);
