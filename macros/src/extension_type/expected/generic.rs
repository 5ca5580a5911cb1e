///Spec of [`Masked`].
#[allow(private_bounds, clippy::type_complexity)]
pub struct MaskedSpec<V: UnaryElementwise, const N: usize>
where
    V: Debug,
    V: ::extype::Structure,
    [Tensor; N]: ::extype::Structure,
    PhantomData<V>: ::core::marker::Send + ::core::marker::Sync + 'static,
{
    ///The spec of `values`.
    pub values: <V as ::extype::Structure>::Spec,
    ///The spec of `sizes`.
    pub sizes: <[Tensor; N] as ::extype::Structure>::Spec,
    ///The spec of `mask`.
    pub mask: <Tensor as ::extype::Structure>::Spec,
    ///The static data `axis`.
    axis: i64,
    ///The static data `names`.
    names: Vec<String>,
    ///The marker `marker`.
    marker: PhantomData<V>,
}
impl<V: UnaryElementwise, const N: usize> Masked<V, N>
where
    V: Debug,
    V: ::extype::Structure,
    [Tensor; N]: ::extype::Structure,
    PhantomData<V>: ::core::marker::Send + ::core::marker::Sync + 'static,
{
    ///A `Masked` of these fields; whatever converts to a tensor is converted.
    ///
    /// # Errors
    ///If a field does not convert to a tensor.
    #[track_caller]
    #[allow(dead_code, clippy::too_many_arguments, clippy::unnecessary_wraps)]
    pub fn new(
        values: V,
        sizes: [Tensor; N],
        mask: impl ::extype::TensorLike,
        axis: i64,
        names: Vec<String>,
    ) -> ::extype::Result<Self> {
        ::core::result::Result::Ok(Self {
            values,
            sizes,
            mask: ::extype::__private::tensor_field("mask", mask)?,
            axis,
            names,
            marker: ::core::marker::PhantomData,
        })
    }
}
const _: () = {
    let () = <Tensor as ::extype::__private::Component>::CHECK;
    let () = <i64 as ::extype::__private::StaticField>::CHECK;
    let () = <Vec<String> as ::extype::__private::StaticField>::CHECK;
};
#[automatically_derived]
impl<V: UnaryElementwise, const N: usize> ::extype::Structure for Masked<V, N>
where
    V: Debug,
    V: ::extype::Structure,
    [Tensor; N]: ::extype::Structure,
    PhantomData<V>: ::core::marker::Send + ::core::marker::Sync + 'static,
{
    type Spec = MaskedSpec<V, N>;
    fn spec_in(&self, context: &mut ::extype::__private::SpecContext) -> Self::Spec {
        let Self {
            values: field0,
            sizes: field1,
            mask: field2,
            axis: field3,
            names: field4,
            ..
        } = self;
        MaskedSpec {
            values: ::extype::Structure::spec_in(field0, context),
            sizes: ::extype::Structure::spec_in(field1, context),
            mask: ::extype::Structure::spec_in(field2, context),
            axis: ::core::clone::Clone::clone(field3),
            names: ::core::clone::Clone::clone(field4),
            marker: ::core::marker::PhantomData,
        }
    }
    fn has_spec(
        &self,
        spec: &Self::Spec,
        context: &mut ::extype::__private::SpecContext,
    ) -> bool {
        let Self {
            values: field0,
            sizes: field1,
            mask: field2,
            axis: field3,
            names: field4,
            ..
        } = self;
        let MaskedSpec {
            values: spec0,
            sizes: spec1,
            mask: spec2,
            axis: spec3,
            names: spec4,
            ..
        } = spec;
        ::extype::Structure::has_spec(field0, spec0, context)
            && ::extype::Structure::has_spec(field1, spec1, context)
            && ::extype::Structure::has_spec(field2, spec2, context)
            && ::extype::StaticData::same(field3, spec3)
            && ::extype::StaticData::same(field4, spec4)
    }
    fn mix_spec(&self, fingerprint: &mut ::extype::__private::Fingerprint) {
        let Self {
            values: field0,
            sizes: field1,
            mask: field2,
            axis: field3,
            names: field4,
            ..
        } = self;
        ::extype::Structure::mix_spec(field0, fingerprint);
        ::extype::Structure::mix_spec(field1, fingerprint);
        ::extype::Structure::mix_spec(field2, fingerprint);
        ::extype::StaticData::mix_literal(field3, fingerprint);
        ::extype::StaticData::mix_literal(field4, fingerprint);
    }
    fn check_fields(&self) -> ::extype::Result<()> {
        let Self { values: field0, sizes: field1, .. } = self;
        ::extype::Structure::check_fields(field0)?;
        ::extype::Structure::check_fields(field1)?;
        ::core::result::Result::Ok(())
    }
    fn leaves<'leaves>(&'leaves self, out: &mut ::extype::__private::Leaves<'leaves>) {
        let Self { values: field0, sizes: field1, mask: field2, .. } = self;
        ::extype::Structure::leaves(field0, out);
        ::extype::Structure::leaves(field1, out);
        ::extype::Structure::leaves(field2, out);
    }
    fn into_leaves(self, out: &mut ::extype::__private::Vec<::extype::Tensor>) {
        let Self { values: field0, sizes: field1, mask: field2, .. } = self;
        ::extype::Structure::into_leaves(field0, out);
        ::extype::Structure::into_leaves(field1, out);
        ::extype::Structure::into_leaves(field2, out);
    }
    fn from_leaves(
        spec: &Self::Spec,
        leaves: &mut ::extype::__private::LeafIter,
    ) -> ::extype::Result<Self> {
        let MaskedSpec {
            values: spec0,
            sizes: spec1,
            mask: spec2,
            axis: spec3,
            names: spec4,
            ..
        } = spec;
        ::core::result::Result::Ok(Self {
            values: ::extype::Structure::from_leaves(spec0, leaves)?,
            sizes: ::extype::Structure::from_leaves(spec1, leaves)?,
            mask: ::extype::Structure::from_leaves(spec2, leaves)?,
            axis: ::core::clone::Clone::clone(spec3),
            names: ::core::clone::Clone::clone(spec4),
            marker: ::core::marker::PhantomData,
        })
    }
}
#[automatically_derived]
impl<V: UnaryElementwise, const N: usize> ::extype::TypeSpec for MaskedSpec<V, N>
where
    V: Debug,
    V: ::extype::Structure,
    [Tensor; N]: ::extype::Structure,
    PhantomData<V>: ::core::marker::Send + ::core::marker::Sync + 'static,
{
    type Value = Masked<V, N>;
    fn to_any(&self) -> ::extype::__private::AnySpec {
        let Self {
            values: field0,
            sizes: field1,
            mask: field2,
            axis: field3,
            names: field4,
            ..
        } = self;
        ::extype::__private::Composite::of::<
            Masked<V, N>,
        >([
            ("values", ::extype::TypeSpec::to_any(field0)),
            ("sizes", ::extype::TypeSpec::to_any(field1)),
            ("mask", ::extype::TypeSpec::to_any(field2)),
            ("axis", ::extype::__private::literal(field3)),
            ("names", ::extype::__private::literal(field4)),
        ])
    }
    fn from_any(any: &::extype::__private::AnySpec) -> ::extype::Result<Self> {
        let composite = any
            .as_composite(::extype::__private::TypeId::of::<Masked<V, N>>(), "Masked")?;
        ::core::result::Result::Ok(Self {
            values: ::extype::__private::component_spec(composite, "values")?,
            sizes: ::extype::__private::component_spec(composite, "sizes")?,
            mask: ::extype::__private::component_spec(composite, "mask")?,
            axis: ::extype::__private::static_field(composite, "axis")?,
            names: ::extype::__private::static_field(composite, "names")?,
            marker: ::core::marker::PhantomData,
        })
    }
}
#[automatically_derived]
impl<V: UnaryElementwise, const N: usize> ::core::clone::Clone for MaskedSpec<V, N>
where
    V: Debug,
    V: ::extype::Structure,
    [Tensor; N]: ::extype::Structure,
    PhantomData<V>: ::core::marker::Send + ::core::marker::Sync + 'static,
{
    fn clone(&self) -> Self {
        let Self {
            values: field0,
            sizes: field1,
            mask: field2,
            axis: field3,
            names: field4,
            marker: field5,
        } = self;
        Self {
            values: ::core::clone::Clone::clone(field0),
            sizes: ::core::clone::Clone::clone(field1),
            mask: ::core::clone::Clone::clone(field2),
            axis: ::core::clone::Clone::clone(field3),
            names: ::core::clone::Clone::clone(field4),
            marker: ::core::clone::Clone::clone(field5),
        }
    }
}
::extype::__spec_traits!(
    [V : UnaryElementwise, const N : usize,] MaskedSpec < V, N >, [V : Debug, V :
    ::extype::Structure, [Tensor; N] : ::extype::Structure, PhantomData < V > :
    ::core::marker::Send + ::core::marker::Sync + 'static,]
);
::extype::__extension_type!(
    [V : UnaryElementwise, const N : usize,] Masked < V, N >, [V : Debug, V :
    ::extype::Structure, [Tensor; N] : ::extype::Structure, PhantomData < V > :
    ::core::marker::Send + ::core::marker::Sync + 'static,],
    ::core::concat!(::core::module_path!(), "::", "Masked"), "Masked", false, {} {}
);
