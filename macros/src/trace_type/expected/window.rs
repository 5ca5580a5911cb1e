#[automatically_derived]
impl ::extype::TypeSpec for Window
where
    for<'any> Window: ::core::clone::Clone + ::core::fmt::Debug + ::core::cmp::Eq
        + ::core::hash::Hash + ::core::marker::Send + ::core::marker::Sync + 'static,
{
    type Value = Self;
    fn to_any(&self) -> ::extype::__private::AnySpec {
        ::extype::__private::AnySpec::custom(self, [])
    }
    fn from_any(any: &::extype::__private::AnySpec) -> ::extype::Result<Self> {
        any.as_custom::<Self>().cloned()
    }
}
#[automatically_derived]
impl ::extype::Structure for Window
where
    for<'any> Window: ::core::clone::Clone + ::core::fmt::Debug + ::core::cmp::Eq
        + ::core::hash::Hash + ::core::marker::Send + ::core::marker::Sync + 'static,
{
    type Spec = Self;
    fn spec_in(&self, _: &mut ::extype::__private::SpecContext) -> Self {
        ::core::clone::Clone::clone(self)
    }
    fn has_spec(&self, spec: &Self, _: &mut ::extype::__private::SpecContext) -> bool {
        self == spec
    }
    fn mix_spec(&self, fingerprint: &mut ::extype::__private::Fingerprint) {
        ::extype::__private::mix_hash(self, fingerprint);
    }
    fn leaves<'a>(&'a self, _: &mut ::extype::__private::Leaves<'a>) {}
    fn into_leaves(self, _: &mut ::extype::__private::Vec<::extype::Tensor>) {}
    fn from_leaves(
        spec: &Self,
        _: &mut ::extype::__private::LeafIter,
    ) -> ::extype::Result<Self> {
        ::core::result::Result::Ok(::core::clone::Clone::clone(spec))
    }
}
#[automatically_derived]
impl ::extype::__private::PassedWhole for Window
where
    for<'any> Window: ::core::clone::Clone + ::core::fmt::Debug + ::core::cmp::Eq
        + ::core::hash::Hash + ::core::marker::Send + ::core::marker::Sync + 'static,
{}
const _: () = <Window as ::extype::__private::ComparedByValue>::CHECK;
