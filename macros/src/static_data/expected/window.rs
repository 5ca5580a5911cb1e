#[automatically_derived]
impl<T> ::extype::StaticData for Window<T>
where
    T: ::extype::StaticData,
    for<'any> Mode: ::extype::StaticData,
    Window<
        T,
    >: ::core::clone::Clone + ::core::cmp::PartialEq + ::core::marker::Send
        + ::core::marker::Sync + 'static,
{
    fn to_literal(&self) -> ::extype::__private::Literal {
        match self {
            Self { size: field0, names: field1, mode: field2 } => {
                ::extype::__private::literal_map([
                    ("size", ::extype::__private::static_literal(field0)),
                    ("names", ::extype::__private::static_literal(field1)),
                    ("mode", ::extype::__private::static_literal(field2)),
                ])
            }
        }
    }
    fn from_literal(literal: &::extype::__private::Literal) -> ::extype::Result<Self> {
        ::core::result::Result::Ok(Self {
            size: ::extype::__private::map_entry(literal, "Window", "size")?,
            names: ::extype::__private::map_entry(literal, "Window", "names")?,
            mode: ::extype::__private::map_entry(literal, "Window", "mode")?,
        })
    }
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self { size: field0, names: field1, mode: field2 },
                Self { size: other0, names: other1, mode: other2 },
            ) => {
                ::extype::__private::same_static(field0, other0)
                    && ::extype::__private::same_static(field1, other1)
                    && ::extype::__private::same_static(field2, other2)
            }
        }
    }
    fn mix_literal(&self, fingerprint: &mut ::extype::__private::Fingerprint) {
        match self {
            Self { size: field0, names: field1, mode: field2 } => {
                ::extype::__private::mix_static(field0, fingerprint);
                ::extype::__private::mix_static(field1, fingerprint);
                ::extype::__private::mix_static(field2, fingerprint);
            }
        }
    }
}
::extype::__static_structure!(
    [T,] Window < T >, [T : ::extype::StaticData, for < 'any > Mode :
    ::extype::StaticData, Window < T > : ::core::clone::Clone + ::core::cmp::PartialEq +
    ::core::marker::Send + ::core::marker::Sync + 'static,]
);
const _: () = {
    let () = <Vec<String> as ::extype::__private::StaticField>::CHECK;
    let () = <Mode as ::extype::__private::StaticField>::CHECK;
};
