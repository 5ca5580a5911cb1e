#[automatically_derived]
impl ::extype::StaticData for Padding {
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
}
::extype::__static_structure!([] Padding, []);
const _: () = {
    let () = <i64 as ::extype::__private::StaticField>::CHECK;
    let () = <i64 as ::extype::__private::StaticField>::CHECK;
    let () = <String as ::extype::__private::StaticField>::CHECK;
};
