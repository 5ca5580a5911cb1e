#[automatically_derived]
impl ::extype::StaticData for Padding
where
    for<'any> Padding: ::core::clone::Clone + ::core::cmp::PartialEq
        + ::core::marker::Send + ::core::marker::Sync + 'static,
{
    fn to_literal(&self) -> ::extype::__private::Literal {
        match self {
            Self::Same {} => ::extype::__private::variant_literal("Same"),
            Self::Explicit { 0: field0, 1: field1 } => {
                ::extype::__private::variant_with(
                    "Explicit",
                    ::extype::__private::literal_list([
                        ::extype::__private::static_literal(field0),
                        ::extype::__private::static_literal(field1),
                    ]),
                )
            }
            Self::Named { name: field0 } => {
                ::extype::__private::variant_with(
                    "Named",
                    ::extype::__private::literal_map([
                        ("name", ::extype::__private::static_literal(field0)),
                    ]),
                )
            }
        }
    }
    fn from_literal(literal: &::extype::__private::Literal) -> ::extype::Result<Self> {
        match ::extype::__private::literal_variant(literal, "Padding")? {
            ("Same", _) => ::core::result::Result::Ok(Self::Same {}),
            ("Explicit", literal) => {
                ::core::result::Result::Ok(Self::Explicit {
                    0: ::extype::__private::list_entry(literal, "Padding", 0usize)?,
                    1: ::extype::__private::list_entry(literal, "Padding", 1usize)?,
                })
            }
            ("Named", literal) => {
                ::core::result::Result::Ok(Self::Named {
                    name: ::extype::__private::map_entry(literal, "Padding", "name")?,
                })
            }
            (other, _) => {
                ::core::result::Result::Err(
                    ::extype::__private::unknown_variant("Padding", other),
                )
            }
        }
    }
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Same {}, Self::Same {}) => true,
            (
                Self::Explicit { 0: field0, 1: field1 },
                Self::Explicit { 0: other0, 1: other1 },
            ) => {
                ::extype::__private::same_static(field0, other0)
                    && ::extype::__private::same_static(field1, other1)
            }
            (Self::Named { name: field0 }, Self::Named { name: other0 }) => {
                ::extype::__private::same_static(field0, other0)
            }
            _ => false,
        }
    }
    fn mix_literal(&self, fingerprint: &mut ::extype::__private::Fingerprint) {
        match self {
            Self::Same {} => {
                fingerprint.add(0u64);
            }
            Self::Explicit { 0: field0, 1: field1 } => {
                fingerprint.add(1u64);
                ::extype::__private::mix_static(field0, fingerprint);
                ::extype::__private::mix_static(field1, fingerprint);
            }
            Self::Named { name: field0 } => {
                fingerprint.add(2u64);
                ::extype::__private::mix_static(field0, fingerprint);
            }
        }
    }
}
::extype::__static_structure!(
    [] Padding, [for < 'any > Padding : ::core::clone::Clone + ::core::cmp::PartialEq +
    ::core::marker::Send + ::core::marker::Sync + 'static,]
);
impl ::extype::__private::DerivesStaticData for Padding {}
const _: () = {
    let () = <i64 as ::extype::__private::StaticField>::CHECK;
    let () = <i64 as ::extype::__private::StaticField>::CHECK;
    let () = <String as ::extype::__private::StaticField>::CHECK;
    let () = <Padding as ::extype::__private::StaticValue>::CHECK;
};
