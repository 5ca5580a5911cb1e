impl<T> Boxes<T>
where
    Option<T>: ::extype::Structure,
{
    ///A `Boxes` of these fields, the others with their defaults; whatever converts to a tensor is converted.
    ///
    /// # Errors
    ///If a field does not convert to a tensor, or the value is refused by `check`.
    #[track_caller]
    #[allow(dead_code, clippy::too_many_arguments, clippy::unnecessary_wraps)]
    pub fn new(corners: impl ::extype::TensorLike) -> ::extype::Result<Self> {
        ::extype::__private::checked(Self {
            corners: ::extype::__private::tensor_field("corners", corners)?,
            scores: ::extype::__private::tensor_field("scores", ops::zeros([1])?)?,
            label: ::core::convert::Into::<String>::into("none"),
            more: ::core::default::Default::default(),
        })
    }
    ///This `Boxes` with another `scores`.
    ///
    /// # Errors
    ///If a field does not convert to a tensor, or the value is refused by `check`.
    #[track_caller]
    #[allow(dead_code, clippy::unnecessary_wraps)]
    pub fn with_scores(
        self,
        scores: impl ::extype::TensorLike,
    ) -> ::extype::Result<Self> {
        ::extype::__private::checked(Self {
            scores: ::extype::__private::tensor_field("scores", scores)?,
            ..self
        })
    }
    ///This `Boxes` with another `label`.
    ///
    /// # Errors
    ///If a field does not convert to a tensor, or the value is refused by `check`.
    #[track_caller]
    #[allow(dead_code, clippy::unnecessary_wraps)]
    pub fn with_label(
        self,
        label: impl ::core::convert::Into<String>,
    ) -> ::extype::Result<Self> {
        ::extype::__private::checked(Self {
            label: ::core::convert::Into::<String>::into(label),
            ..self
        })
    }
    ///This `Boxes` with another `more`.
    ///
    /// # Errors
    ///If a field does not convert to a tensor, or the value is refused by `check`.
    #[track_caller]
    #[allow(dead_code, clippy::unnecessary_wraps)]
    pub fn with_more(self, more: Option<T>) -> ::extype::Result<Self> {
        ::extype::__private::checked(Self { more, ..self })
    }
}
const _: () = {
    let () = <Tensor as ::extype::__private::Component>::CHECK;
    let () = <Tensor as ::extype::__private::Component>::CHECK;
    let () = <String as ::extype::__private::StaticField>::CHECK;
};
#[automatically_derived]
impl<T> ::extype::Structure for Boxes<T>
where
    Option<T>: ::extype::Structure,
{
    type Spec = BoxesSpec<T>;
    fn spec_in(&self, context: &mut ::extype::__private::SpecContext) -> Self::Spec {
        let Self { corners: field0, scores: field1, label: field2, more: field3 } = self;
        BoxesSpec {
            corners: ::extype::Structure::spec_in(field0, context),
            scores: ::extype::Structure::spec_in(field1, context),
            label: ::core::clone::Clone::clone(field2),
            more: ::extype::Structure::spec_in(field3, context),
        }
    }
    fn has_spec(
        &self,
        spec: &Self::Spec,
        context: &mut ::extype::__private::SpecContext,
    ) -> bool {
        let Self { corners: field0, scores: field1, label: field2, more: field3 } = self;
        let BoxesSpec { corners: spec0, scores: spec1, label: spec2, more: spec3 } = spec;
        ::extype::Structure::has_spec(field0, spec0, context)
            && ::extype::Structure::has_spec(field1, spec1, context)
            && ::extype::StaticData::same(field2, spec2)
            && ::extype::Structure::has_spec(field3, spec3, context)
    }
    fn mix_spec(&self, fingerprint: &mut ::extype::__private::Fingerprint) {
        let Self { corners: field0, scores: field1, label: field2, more: field3 } = self;
        ::extype::Structure::mix_spec(field0, fingerprint);
        ::extype::Structure::mix_spec(field1, fingerprint);
        ::extype::StaticData::mix_literal(field2, fingerprint);
        ::extype::Structure::mix_spec(field3, fingerprint);
    }
    fn check_fields(&self) -> ::extype::Result<()> {
        let Self { corners: field0, more: field3, .. } = self;
        ::extype::__private::check_field(
            "Boxes",
            "corners",
            field0,
            &[::extype::DType::F32, ::extype::DType::F64],
            ::core::option::Option::Some(&::extype::shape![?, 4]),
        )?;
        ::extype::Structure::check_fields(field3)?;
        ::core::result::Result::Ok(())
    }
    fn leaves<'leaves>(&'leaves self, out: &mut ::extype::__private::Leaves<'leaves>) {
        let Self { corners: field0, scores: field1, more: field3, .. } = self;
        ::extype::Structure::leaves(field0, out);
        ::extype::Structure::leaves(field1, out);
        ::extype::Structure::leaves(field3, out);
    }
    fn into_leaves(self, out: &mut ::extype::__private::Vec<::extype::Tensor>) {
        let Self { corners: field0, scores: field1, more: field3, .. } = self;
        ::extype::Structure::into_leaves(field0, out);
        ::extype::Structure::into_leaves(field1, out);
        ::extype::Structure::into_leaves(field3, out);
    }
    fn from_leaves(
        spec: &Self::Spec,
        leaves: &mut ::extype::__private::LeafIter,
    ) -> ::extype::Result<Self> {
        let BoxesSpec { corners: spec0, scores: spec1, label: spec2, more: spec3 } = spec;
        ::core::result::Result::Ok(Self {
            corners: ::extype::Structure::from_leaves(spec0, leaves)?,
            scores: ::extype::Structure::from_leaves(spec1, leaves)?,
            label: ::core::clone::Clone::clone(spec2),
            more: ::extype::Structure::from_leaves(spec3, leaves)?,
        })
    }
}
impl<T> BoxesSpec<T>
where
    Option<T>: ::extype::Structure,
{
    /// The spec as a tree of its fields.
    #[allow(dead_code)]
    pub fn default_to_any(&self) -> ::extype::__private::AnySpec {
        let Self { corners: field0, scores: field1, label: field2, more: field3 } = self;
        ::extype::__private::Composite::of::<
            Boxes<T>,
        >([
            ("corners", ::extype::TypeSpec::to_any(field0)),
            ("scores", ::extype::TypeSpec::to_any(field1)),
            ("label", ::extype::__private::literal(field2)),
            ("more", ::extype::TypeSpec::to_any(field3)),
        ])
    }
    /// The spec from a tree of its fields.
    ///
    /// # Errors
    /// If it is the spec of something else.
    #[allow(dead_code)]
    pub fn default_from_any(
        any: &::extype::__private::AnySpec,
    ) -> ::extype::Result<Self> {
        let composite = any
            .as_composite(::extype::__private::TypeId::of::<Boxes<T>>(), "Boxes")?;
        ::core::result::Result::Ok(Self {
            corners: ::extype::__private::component_spec(composite, "corners")?,
            scores: ::extype::__private::component_spec(composite, "scores")?,
            label: ::extype::__private::static_field(composite, "label")?,
            more: ::extype::__private::component_spec(composite, "more")?,
        })
    }
}
::extype::__extension_type!(
    [T,] Boxes < T >, [Option < T > : ::extype::Structure,],
    ::core::concat!(::core::module_path!(), "::", "Boxes"), "Boxes", true, { fn check(&
    self) -> ::extype::Result < () > { ::extype::Structure::check_fields(self) ?;
    ::extype::Validate::validate(self) } } {}
);
