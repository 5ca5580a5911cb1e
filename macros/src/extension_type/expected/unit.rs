///Spec of [`Nothing`].
#[derive(::core::clone::Clone)]
#[allow(private_bounds, clippy::type_complexity)]
struct NothingSpec;
#[automatically_derived]
impl crate::reexport::Structure for Nothing {
    type Spec = NothingSpec;
    fn spec_in(&self, _: &mut crate::reexport::__private::SpecContext) -> Self::Spec {
        NothingSpec {}
    }
    fn has_spec(
        &self,
        spec: &Self::Spec,
        _: &mut crate::reexport::__private::SpecContext,
    ) -> bool {
        let _ = spec;
        true
    }
    fn mix_spec(&self, _: &mut crate::reexport::__private::Fingerprint) {}
    fn leaves<'leaves>(
        &'leaves self,
        _: &mut crate::reexport::__private::Leaves<'leaves>,
    ) {}
    fn into_leaves(
        self,
        _: &mut crate::reexport::__private::Vec<crate::reexport::Tensor>,
    ) {}
    fn from_leaves(
        spec: &Self::Spec,
        _: &mut crate::reexport::__private::LeafIter,
    ) -> crate::reexport::Result<Self> {
        let _ = spec;
        ::core::result::Result::Ok(Self {})
    }
}
#[automatically_derived]
impl crate::reexport::TypeSpec for NothingSpec {
    type Value = Nothing;
    fn to_any(&self) -> crate::reexport::__private::AnySpec {
        crate::reexport::__private::Composite::of::<Nothing>([])
    }
    fn from_any(
        any: &crate::reexport::__private::AnySpec,
    ) -> crate::reexport::Result<Self> {
        any.as_composite(
            crate::reexport::__private::TypeId::of::<Nothing>(),
            "Nothing",
        )?;
        ::core::result::Result::Ok(Self {})
    }
}
crate::reexport::__spec_traits!([] NothingSpec, []);
crate::reexport::__extension_type!(
    [] Nothing, [], ::core::concat!(::core::module_path!(), "::", "Nothing"), "Nothing",
    false, {} {}
);
