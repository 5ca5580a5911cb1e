///Spec of [`MaskedTensor`]: A tensor with a mask of valid entries.
#[derive(::core::clone::Clone)]
#[allow(private_bounds, clippy::type_complexity)]
pub struct MaskedTensorSpec {
    ///The spec of `values`: The values.
    pub values: <Tensor as ::extype::Structure>::Spec,
    ///The spec of `mask`.
    pub mask: <Tensor as ::extype::Structure>::Spec,
}
impl MaskedTensor {
    ///A `MaskedTensor` of these fields; whatever converts to a tensor is converted.
    ///
    /// # Errors
    ///If a field does not convert to a tensor, or the value is refused by `check`.
    #[track_caller]
    #[allow(dead_code, clippy::too_many_arguments, clippy::unnecessary_wraps)]
    pub fn new(
        values: impl ::extype::TensorLike,
        mask: impl ::extype::TensorLike,
    ) -> ::extype::Result<Self> {
        ::extype::__private::checked(Self {
            values: ::extype::__private::tensor_field("values", values)?,
            mask: ::extype::__private::tensor_field("mask", mask)?,
        })
    }
}
const _: () = {
    let () = <Tensor as ::extype::__private::Component>::CHECK;
    let () = <Tensor as ::extype::__private::Component>::CHECK;
};
#[automatically_derived]
impl ::extype::Structure for MaskedTensor {
    type Spec = MaskedTensorSpec;
    fn spec_in(&self, context: &mut ::extype::__private::SpecContext) -> Self::Spec {
        let Self { values: field0, mask: field1 } = self;
        MaskedTensorSpec {
            values: ::extype::Structure::spec_in(field0, context),
            mask: ::extype::Structure::spec_in(field1, context),
        }
    }
    fn has_spec(
        &self,
        spec: &Self::Spec,
        context: &mut ::extype::__private::SpecContext,
    ) -> bool {
        let Self { values: field0, mask: field1 } = self;
        let MaskedTensorSpec { values: spec0, mask: spec1 } = spec;
        ::extype::Structure::has_spec(field0, spec0, context)
            && ::extype::Structure::has_spec(field1, spec1, context)
    }
    fn mix_spec(&self, fingerprint: &mut ::extype::__private::Fingerprint) {
        let Self { values: field0, mask: field1 } = self;
        ::extype::Structure::mix_spec(field0, fingerprint);
        ::extype::Structure::mix_spec(field1, fingerprint);
    }
    fn leaves<'leaves>(&'leaves self, out: &mut ::extype::__private::Leaves<'leaves>) {
        let Self { values: field0, mask: field1 } = self;
        ::extype::Structure::leaves(field0, out);
        ::extype::Structure::leaves(field1, out);
    }
    fn into_leaves(self, out: &mut ::extype::__private::Vec<::extype::Tensor>) {
        let Self { values: field0, mask: field1 } = self;
        ::extype::Structure::into_leaves(field0, out);
        ::extype::Structure::into_leaves(field1, out);
    }
    fn from_leaves(
        spec: &Self::Spec,
        leaves: &mut ::extype::__private::LeafIter,
    ) -> ::extype::Result<Self> {
        let MaskedTensorSpec { values: spec0, mask: spec1 } = spec;
        ::core::result::Result::Ok(Self {
            values: ::extype::Structure::from_leaves(spec0, leaves)?,
            mask: ::extype::Structure::from_leaves(spec1, leaves)?,
        })
    }
}
#[automatically_derived]
impl ::extype::TypeSpec for MaskedTensorSpec {
    type Value = MaskedTensor;
    fn to_any(&self) -> ::extype::__private::AnySpec {
        let Self { values: field0, mask: field1 } = self;
        ::extype::__private::Composite::of::<
            MaskedTensor,
        >([
            ("values", ::extype::TypeSpec::to_any(field0)),
            ("mask", ::extype::TypeSpec::to_any(field1)),
        ])
    }
    fn from_any(any: &::extype::__private::AnySpec) -> ::extype::Result<Self> {
        let composite = any
            .as_composite(
                ::extype::__private::TypeId::of::<MaskedTensor>(),
                "MaskedTensor",
            )?;
        ::core::result::Result::Ok(Self {
            values: ::extype::__private::component_spec(composite, "values")?,
            mask: ::extype::__private::component_spec(composite, "mask")?,
        })
    }
}
::extype::__spec_traits!([] MaskedTensorSpec, []);
::extype::__extension_type!(
    [] MaskedTensor, [], "masked.MaskedTensor", "MaskedTensor", false, { fn check(& self)
    -> ::extype::Result < () > { ::extype::Structure::check_fields(self) ?;
    ::extype::Validate::validate(self) } } {}
);
