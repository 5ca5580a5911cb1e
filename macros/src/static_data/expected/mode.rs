#[automatically_derived]
impl ::extype::StaticData for Mode
where
    for<'any> Mode: ::core::clone::Clone + ::core::cmp::PartialEq + ::core::marker::Send
        + ::core::marker::Sync + 'static,
{
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
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Train {}, Self::Train {}) => true,
            (Self::Test {}, Self::Test {}) => true,
            _ => false,
        }
    }
    fn mix_literal(&self, fingerprint: &mut ::extype::__private::Fingerprint) {
        match self {
            Self::Train {} => {
                fingerprint.add(0u64);
            }
            Self::Test {} => {
                fingerprint.add(1u64);
            }
        }
    }
}
::extype::__static_structure!(
    [] Mode, [for < 'any > Mode : ::core::clone::Clone + ::core::cmp::PartialEq +
    ::core::marker::Send + ::core::marker::Sync + 'static,]
);
impl ::extype::__private::DerivesStaticData for Mode {}
const _: () = {
    let () = <Mode as ::extype::__private::StaticValue>::CHECK;
};
