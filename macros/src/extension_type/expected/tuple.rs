///Spec of [`Pair`].
#[allow(private_bounds, clippy::type_complexity)]
pub(crate) struct PairSpec<T>(
    ///The spec of `0`.
    pub <T as ::extype::Structure>::Spec,
    ///The spec of `1`.
    <Option<Box<Pair<T>>> as ::extype::Structure>::Spec,
)
where
    T: ::extype::Structure;
#[automatically_derived]
impl<T> ::extype::Structure for Pair<T>
where
    T: ::extype::Structure,
{
    type Spec = PairSpec<T>;
    fn spec_in(&self, context: &mut ::extype::__private::SpecContext) -> Self::Spec {
        let Self { 0: field0, 1: field1 } = self;
        PairSpec {
            0: ::extype::Structure::spec_in(field0, context),
            1: ::extype::Structure::spec_in(field1, context),
        }
    }
    fn has_spec(
        &self,
        spec: &Self::Spec,
        context: &mut ::extype::__private::SpecContext,
    ) -> bool {
        let Self { 0: field0, 1: field1 } = self;
        let PairSpec { 0: spec0, 1: spec1 } = spec;
        ::extype::Structure::has_spec(field0, spec0, context)
            && ::extype::Structure::has_spec(field1, spec1, context)
    }
    fn mix_spec(&self, fingerprint: &mut ::extype::__private::Fingerprint) {
        let Self { 0: field0, 1: field1 } = self;
        ::extype::Structure::mix_spec(field0, fingerprint);
        ::extype::Structure::mix_spec(field1, fingerprint);
    }
    fn check_fields(&self) -> ::extype::Result<()> {
        let Self { 0: field0, 1: field1 } = self;
        ::extype::Structure::check_fields(field0)?;
        ::extype::Structure::check_fields(field1)?;
        ::core::result::Result::Ok(())
    }
    fn leaves<'leaves>(&'leaves self, out: &mut ::extype::__private::Leaves<'leaves>) {
        let Self { 0: field0, 1: field1 } = self;
        ::extype::Structure::leaves(field0, out);
        ::extype::Structure::leaves(field1, out);
    }
    fn into_leaves(self, out: &mut ::extype::__private::Vec<::extype::Tensor>) {
        let Self { 0: field0, 1: field1 } = self;
        ::extype::Structure::into_leaves(field0, out);
        ::extype::Structure::into_leaves(field1, out);
    }
    fn from_leaves(
        spec: &Self::Spec,
        leaves: &mut ::extype::__private::LeafIter,
    ) -> ::extype::Result<Self> {
        let PairSpec { 0: spec0, 1: spec1 } = spec;
        ::core::result::Result::Ok(Self {
            0: ::extype::Structure::from_leaves(spec0, leaves)?,
            1: ::extype::Structure::from_leaves(spec1, leaves)?,
        })
    }
}
#[automatically_derived]
impl<T> ::extype::TypeSpec for PairSpec<T>
where
    T: ::extype::Structure,
{
    type Value = Pair<T>;
    fn to_any(&self) -> ::extype::__private::AnySpec {
        let Self { 0: field0, 1: field1 } = self;
        ::extype::__private::Composite::of::<
            Pair<T>,
        >([
            ("0", ::extype::TypeSpec::to_any(field0)),
            ("1", ::extype::TypeSpec::to_any(field1)),
        ])
    }
    fn from_any(any: &::extype::__private::AnySpec) -> ::extype::Result<Self> {
        let composite = any
            .as_composite(::extype::__private::TypeId::of::<Pair<T>>(), "Pair")?;
        ::core::result::Result::Ok(Self {
            0: ::extype::__private::component_spec(composite, "0")?,
            1: ::extype::__private::component_spec(composite, "1")?,
        })
    }
}
#[automatically_derived]
impl<T> ::core::clone::Clone for PairSpec<T>
where
    T: ::extype::Structure,
{
    fn clone(&self) -> Self {
        let Self { 0: field0, 1: field1 } = self;
        Self {
            0: ::core::clone::Clone::clone(field0),
            1: ::core::clone::Clone::clone(field1),
        }
    }
}
::extype::__spec_traits!([T,] PairSpec < T >, [T : ::extype::Structure,]);
::extype::__extension_type!(
    [T,] Pair < T >, [T : ::extype::Structure,], ::core::concat!(::core::module_path!(),
    "::", "Pair"), "Pair", false, {} {}
);
