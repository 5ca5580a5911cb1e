#[automatically_derived]
impl ::extype::StaticData for Mode {
    fn to_literal(&self) -> ::extype::__private::Literal {
        ::extype::__private::variant_literal(
            match self {
                Self::Train { .. } => "Train",
                Self::Test { .. } => "Test",
            },
        )
    }
    fn from_literal(literal: &::extype::__private::Literal) -> ::extype::Result<Self> {
        match ::extype::__private::literal_text(literal, "Mode")? {
            "Train" => ::core::result::Result::Ok(Self::Train {}),
            "Test" => ::core::result::Result::Ok(Self::Test {}),
            other => {
                ::core::result::Result::Err(
                    ::extype::__private::unknown_variant("Mode", other),
                )
            }
        }
    }
}
::extype::__static_structure!(Mode);
