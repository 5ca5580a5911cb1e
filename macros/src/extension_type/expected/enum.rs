///Spec of [`Encoding`].
#[derive(::core::clone::Clone)]
#[allow(private_bounds, clippy::type_complexity)]
pub enum EncodingSpec {
    ///Specs of [`Encoding::Dense`]: All values.
    Dense(
        ///The spec of `0`.
        <Tensor as ::extype::Structure>::Spec,
    ),
    ///Specs of [`Encoding::Rows`].
    Rows {
        ///The spec of `flat`.
        flat: <Tensor as ::extype::Structure>::Spec,
        ///The spec of `row_splits`.
        row_splits: <Tensor as ::extype::Structure>::Spec,
        ///The static data `sorted`.
        sorted: bool,
    },
    ///Specs of [`Encoding::Empty`].
    Empty,
}
const _: () = {
    let () = <Tensor as ::extype::__private::Component>::CHECK;
    let () = <Tensor as ::extype::__private::Component>::CHECK;
    let () = <Tensor as ::extype::__private::Component>::CHECK;
    let () = <bool as ::extype::__private::StaticField>::CHECK;
};
#[automatically_derived]
impl ::extype::Structure for Encoding {
    type Spec = EncodingSpec;
    fn spec_in(&self, context: &mut ::extype::__private::SpecContext) -> Self::Spec {
        match self {
            Self::Dense { 0: field0 } => {
                EncodingSpec::Dense {
                    0: ::extype::Structure::spec_in(field0, context),
                }
            }
            Self::Rows { flat: field0, row_splits: field1, sorted: field2 } => {
                EncodingSpec::Rows {
                    flat: ::extype::Structure::spec_in(field0, context),
                    row_splits: ::extype::Structure::spec_in(field1, context),
                    sorted: ::core::clone::Clone::clone(field2),
                }
            }
            Self::Empty {} => EncodingSpec::Empty {},
        }
    }
    fn has_spec(
        &self,
        spec: &Self::Spec,
        context: &mut ::extype::__private::SpecContext,
    ) -> bool {
        match (self, spec) {
            (Self::Dense { 0: field0 }, EncodingSpec::Dense { 0: spec0 }) => {
                ::extype::Structure::has_spec(field0, spec0, context)
            }
            (
                Self::Rows { flat: field0, row_splits: field1, sorted: field2 },
                EncodingSpec::Rows { flat: spec0, row_splits: spec1, sorted: spec2 },
            ) => {
                ::extype::Structure::has_spec(field0, spec0, context)
                    && ::extype::Structure::has_spec(field1, spec1, context)
                    && ::extype::StaticData::same(field2, spec2)
            }
            (Self::Empty {}, EncodingSpec::Empty {}) => true,
            _ => false,
        }
    }
    fn mix_spec(&self, fingerprint: &mut ::extype::__private::Fingerprint) {
        match self {
            Self::Dense { 0: field0 } => {
                fingerprint.add(0u64);
                ::extype::Structure::mix_spec(field0, fingerprint);
            }
            Self::Rows { flat: field0, row_splits: field1, sorted: field2 } => {
                fingerprint.add(1u64);
                ::extype::Structure::mix_spec(field0, fingerprint);
                ::extype::Structure::mix_spec(field1, fingerprint);
                ::extype::StaticData::mix_literal(field2, fingerprint);
            }
            Self::Empty {} => {
                fingerprint.add(2u64);
            }
        }
    }
    fn leaves<'leaves>(&'leaves self, out: &mut ::extype::__private::Leaves<'leaves>) {
        match self {
            Self::Dense { 0: field0 } => {
                ::extype::Structure::leaves(field0, out);
            }
            Self::Rows { flat: field0, row_splits: field1, .. } => {
                ::extype::Structure::leaves(field0, out);
                ::extype::Structure::leaves(field1, out);
            }
            Self::Empty {} => {}
        }
    }
    fn into_leaves(self, out: &mut ::extype::__private::Vec<::extype::Tensor>) {
        match self {
            Self::Dense { 0: field0 } => {
                ::extype::Structure::into_leaves(field0, out);
            }
            Self::Rows { flat: field0, row_splits: field1, .. } => {
                ::extype::Structure::into_leaves(field0, out);
                ::extype::Structure::into_leaves(field1, out);
            }
            Self::Empty {} => {}
        }
    }
    fn from_leaves(
        spec: &Self::Spec,
        leaves: &mut ::extype::__private::LeafIter,
    ) -> ::extype::Result<Self> {
        match spec {
            EncodingSpec::Dense { 0: spec0 } => {
                ::core::result::Result::Ok(Self::Dense {
                    0: ::extype::Structure::from_leaves(spec0, leaves)?,
                })
            }
            EncodingSpec::Rows { flat: spec0, row_splits: spec1, sorted: spec2 } => {
                ::core::result::Result::Ok(Self::Rows {
                    flat: ::extype::Structure::from_leaves(spec0, leaves)?,
                    row_splits: ::extype::Structure::from_leaves(spec1, leaves)?,
                    sorted: ::core::clone::Clone::clone(spec2),
                })
            }
            EncodingSpec::Empty {} => ::core::result::Result::Ok(Self::Empty {}),
        }
    }
}
#[automatically_derived]
impl ::extype::TypeSpec for EncodingSpec {
    type Value = Encoding;
    fn to_any(&self) -> ::extype::__private::AnySpec {
        match self {
            Self::Dense { 0: field0 } => {
                ::extype::__private::Composite::of::<
                    Encoding,
                >([
                    ("variant", ::extype::__private::variant("Dense")),
                    ("0", ::extype::TypeSpec::to_any(field0)),
                ])
            }
            Self::Rows { flat: field0, row_splits: field1, sorted: field2 } => {
                ::extype::__private::Composite::of::<
                    Encoding,
                >([
                    ("variant", ::extype::__private::variant("Rows")),
                    ("flat", ::extype::TypeSpec::to_any(field0)),
                    ("row_splits", ::extype::TypeSpec::to_any(field1)),
                    ("sorted", ::extype::__private::literal(field2)),
                ])
            }
            Self::Empty {} => {
                ::extype::__private::Composite::of::<
                    Encoding,
                >([("variant", ::extype::__private::variant("Empty"))])
            }
        }
    }
    fn from_any(any: &::extype::__private::AnySpec) -> ::extype::Result<Self> {
        let composite = any
            .as_composite(::extype::__private::TypeId::of::<Encoding>(), "Encoding")?;
        match ::extype::__private::variant_of(composite)? {
            "Dense" => {
                ::core::result::Result::Ok(Self::Dense {
                    0: ::extype::__private::component_spec(composite, "0")?,
                })
            }
            "Rows" => {
                ::core::result::Result::Ok(Self::Rows {
                    flat: ::extype::__private::component_spec(composite, "flat")?,
                    row_splits: ::extype::__private::component_spec(
                        composite,
                        "row_splits",
                    )?,
                    sorted: ::extype::__private::static_field(composite, "sorted")?,
                })
            }
            "Empty" => ::core::result::Result::Ok(Self::Empty {}),
            other => {
                ::core::result::Result::Err(
                    ::extype::__private::unknown_variant("Encoding", other),
                )
            }
        }
    }
}
::extype::__spec_traits!([] EncodingSpec, []);
::extype::__extension_type!(
    [] Encoding, [], ::core::concat!(::core::module_path!(), "::", "Encoding"),
    "Encoding", false, {} {}
);
