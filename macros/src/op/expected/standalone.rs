///Each polynomial at a point, coefficients along an axis.
///
///The op of [`horner`](horner()), whose page tells all.
#[doc(alias = "Mine>Horner")]
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct Horner {
    ///The attribute `reverse`.
    pub reverse: bool,
    ///The attribute `Type`.
    pub r#type: DType,
    ///The attribute `count`.
    pub count: i64,
    ///The input `dim`, plain data in Rust.
    pub axis: Axis,
}
impl Horner {
    ///Names the attribute `reverse` of a call of this op.
    pub const REVERSE: ::renamed::ir::AttrKey<bool> = ::renamed::ir::AttrKey::new(
        "reverse",
    );
    ///Names the attribute `Type` of a call of this op.
    pub const TYPE: ::renamed::ir::AttrKey<DType> = ::renamed::ir::AttrKey::new("Type");
    ///Names the attribute `count` of a call of this op.
    pub const COUNT: ::renamed::ir::AttrKey<i64> = ::renamed::ir::AttrKey::new("count");
}
impl ::core::cmp::PartialEq for Horner {
    fn eq(&self, other: &Self) -> bool {
        true && ::core::cmp::PartialEq::eq(&self.reverse, &other.reverse)
            && ::core::cmp::PartialEq::eq(&self.r#type, &other.r#type)
            && ::core::cmp::PartialEq::eq(&self.count, &other.count)
            && ::core::cmp::PartialEq::eq(&self.axis, &other.axis)
    }
}
const _: () = {
    static __DEF: ::renamed::ir::OpDef = ::renamed::ir::OpDef::new(
            "Mine>Horner",
            "horner",
            horner_types,
            ::renamed::ir::Kernel::General(horner_kernel),
        )
        .in_module(::core::module_path!())
        .with_doc("Each polynomial at a point, coefficients along an axis.")
        .with_kind(::renamed::ir::OpKind::Standalone)
        .with_effect(::renamed::ir::Effect::Pure)
        .with_inputs(
            &[
                ::renamed::ir::ArgDef::one(
                    "coefficients",
                    ::renamed::ir::ArgType::Var("T"),
                ),
                ::renamed::ir::ArgDef::one("x", ::renamed::ir::ArgType::Var("T")),
                ::renamed::ir::ArgDef::one("dim", ::renamed::ir::ArgType::Var("Tdim"))
                    .in_rust(),
            ],
        )
        .with_outputs(
            &[::renamed::ir::ArgDef::one("y", ::renamed::ir::ArgType::Var("T"))],
        )
        .with_attrs(
            &[
                ::renamed::ir::AttrDef::dtype("T", DTypeSet::FLOAT),
                ::renamed::ir::AttrDef::dtype("Tdim", DTypeSet::INDEX),
                ::renamed::ir::AttrDef::of::<bool>("reverse")
                    .or(|| {
                        let default: bool = false;
                        ::renamed::ir::Attr::to_attr(&default)
                    }),
                ::renamed::ir::AttrDef::of::<DType>("Type"),
                ::renamed::ir::AttrDef::of::<i64>("count"),
            ],
        );
    ::renamed::__private::inventory::submit!(::renamed::ir::OpEntry(& __DEF));
    ::renamed::__private::inventory::submit!(
        ::renamed::__private::GradientEntry::new(& __DEF, | g | {
        ::core::result::Result::Ok({
        ::renamed::__private::IntoGradients::into_gradients((horner_gradient) (g) ?, g)
        }) })
    );
    impl ::renamed::ops::NamedOp for Horner {
        const NAME: &'static str = "Mine>Horner";
        const RUST_NAME: &'static str = "Horner";
        const DEF: &'static ::renamed::ir::OpDef = &__DEF;
        const OPERANDS: ::renamed::ops::Operands = ::renamed::ops::Operands::Each(
            2usize,
        );
        const FIELDS: &'static [::renamed::ops::Field] = &[
            ::renamed::ops::Field {
                name: "reverse",
                ty: "bool",
            },
            ::renamed::ops::Field {
                name: "type",
                ty: "DType",
            },
            ::renamed::ops::Field {
                name: "count",
                ty: "i64",
            },
            ::renamed::ops::Field {
                name: "axis",
                ty: "Axis",
            },
        ];
    }
    impl ::renamed::ops::Op for Horner {
        const STATIC_INPUTS: usize = 1usize;
        fn def(&self) -> &'static ::renamed::ir::OpDef {
            &__DEF
        }
        fn attrs(&self) -> ::renamed::ir::Attrs {
            ::renamed::ir::Attrs::new()
                .with(::renamed::ir::AttrKey::new("reverse"), &self.reverse)
                .with(::renamed::ir::AttrKey::new("Type"), &self.r#type)
                .with(::renamed::ir::AttrKey::new("count"), &self.count)
        }
        fn static_inputs(
            &self,
            first: &::renamed::Tensor,
        ) -> ::renamed::Result<::renamed::__private::StaticInputs> {
            ::core::result::Result::Ok(
                ::renamed::__private::StaticInputs::from_iter([
                    <Axis as ::renamed::__private::StaticInput>::to_input(
                        &self.axis,
                        first,
                    )?,
                ]),
            )
        }
        fn from_parts(
            attrs: &::renamed::ir::Attrs,
            statics: &[::renamed::Tensor],
        ) -> ::renamed::Result<Self> {
            let mut statics = statics.iter();
            ::core::result::Result::Ok(Self {
                reverse: attrs.get(::renamed::ir::AttrKey::new("reverse"))?,
                r#type: attrs.get(::renamed::ir::AttrKey::new("Type"))?,
                count: attrs.get(::renamed::ir::AttrKey::new("count"))?,
                axis: <Axis as ::renamed::__private::StaticInput>::from_input(
                    statics.next(),
                )?,
            })
        }
    }
    #[diagnostic::do_not_recommend]
    impl ::renamed::ops::Apply2<::renamed::Tensor, Horner> for ::renamed::Tensor {
        type Output = ::renamed::Tensor;
        #[track_caller]
        fn apply2(
            op: &Horner,
            x: &::renamed::Tensor,
            y: &::renamed::Tensor,
        ) -> ::renamed::Result<Self::Output> {
            ::renamed::ops::Op::run_as(op, &[x, y])
        }
    }
};
///The name of the op [`Horner`]: in messages, and in `#[overrides(horner)]`.
#[cfg_attr(doc, doc(hidden))]
pub enum horner {}
impl ::renamed::ops::Named for horner {
    type Op = Horner;
}
impl<By> ::renamed::__private::NamedBy<By> for horner {
    type Op = Horner;
}
/// Each polynomial at a point, coefficients along an axis.
///
///Dtypes, the same for all operands: float16, bfloat16, float32, float64.
///
///# Errors
///`InvalidArgument` for a dtype, shape or argument that the op does not take.
#[doc(alias = "Mine>Horner")]
#[track_caller]
pub fn horner<X: ::renamed::ops::Operand, Y: ::renamed::ops::Operand, R>(
    coefficients: X,
    x: Y,
    axis: impl ::renamed::ops::AxisLike,
    r#type: DType,
    n: usize,
) -> ::renamed::Result<R>
where
    horner: ::renamed::ops::Takes2<X::Value, Y::Value, Output = R>,
{
    let _site = ::renamed::tensor::call_site_of(::core::option::Option::Some("horner"));
    let op = Horner {
        reverse: {
            let default: bool = false;
            default
        },
        r#type: r#type,
        count: n as i64,
        axis: ::core::convert::Into::into(axis),
    };
    <horner as ::renamed::ops::Takes2<
        X::Value,
        Y::Value,
    >>::call(
        &op,
        &*::renamed::ops::Operand::operand(&coefficients)?,
        &*::renamed::ops::Operand::operand(&x)?,
    )
}
///The sums of lists.
///
///The op of [`sums`](sums()), whose page tells all.
#[doc(alias = "Mine>Sums")]
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
struct Sums {
    ///The input `n`, plain data in Rust.
    pub n: Integer,
}
impl ::core::cmp::PartialEq for Sums {
    fn eq(&self, other: &Self) -> bool {
        true && ::core::cmp::PartialEq::eq(&self.n, &other.n)
    }
}
const _: () = {
    static __DEF: ::renamed::ir::OpDef = ::renamed::ir::OpDef::new(
            "Mine>Sums",
            "sums",
            |c| types(c),
            ::renamed::ir::Kernel::General(|c| sums(c)),
        )
        .in_module(::core::module_path!())
        .with_doc("The sums of lists.")
        .with_kind(::renamed::ir::OpKind::Standalone)
        .with_effect(::renamed::ir::Effect::Checks)
        .with_inputs(
            &[
                ::renamed::ir::ArgDef::list("xs", ::renamed::ir::ArgType::Var("T"), "N"),
                ::renamed::ir::ArgDef::one(
                        "n",
                        ::renamed::ir::ArgType::Fixed(::renamed::types::DType::I32),
                    )
                    .in_rust(),
            ],
        )
        .with_outputs(
            &[::renamed::ir::ArgDef::list("ys", ::renamed::ir::ArgType::Var("T"), "N")],
        )
        .with_attrs(
            &[
                ::renamed::ir::AttrDef::dtype("T", DTypeSet::FLOAT),
                ::renamed::ir::AttrDef::length("N"),
            ],
        );
    ::renamed::__private::inventory::submit!(::renamed::ir::OpEntry(& __DEF));
    ::renamed::__private::inventory::submit!(
        ::renamed::__private::GradientEntry::new(& __DEF, | g | {
        ::core::result::Result::Ok({ let of = | g : & ::renamed::__private::Gradient < '_
        > | -> ::renamed::Result < _ > { let _ = g; Ok(gradients(g)) };
        ::renamed::__private::IntoGradients::into_gradients(of(g) ?, g) }) })
    );
    impl ::renamed::ops::NamedOp for Sums {
        const NAME: &'static str = "Mine>Sums";
        const RUST_NAME: &'static str = "Sums";
        const DEF: &'static ::renamed::ir::OpDef = &__DEF;
        const OPERANDS: ::renamed::ops::Operands = ::renamed::ops::Operands::Sequence;
        const FIELDS: &'static [::renamed::ops::Field] = &[
            ::renamed::ops::Field {
                name: "n",
                ty: "Integer",
            },
        ];
    }
    impl ::renamed::ops::Op for Sums {
        const STATIC_INPUTS: usize = 1usize;
        fn def(&self) -> &'static ::renamed::ir::OpDef {
            &__DEF
        }
        fn attrs(&self) -> ::renamed::ir::Attrs {
            ::renamed::ir::Attrs::new()
        }
        fn static_inputs(
            &self,
            first: &::renamed::Tensor,
        ) -> ::renamed::Result<::renamed::__private::StaticInputs> {
            ::core::result::Result::Ok(
                ::renamed::__private::StaticInputs::from_iter([
                    <Integer as ::renamed::__private::StaticInput>::to_input(
                        &self.n,
                        first,
                    )?,
                ]),
            )
        }
        fn from_parts(
            attrs: &::renamed::ir::Attrs,
            statics: &[::renamed::Tensor],
        ) -> ::renamed::Result<Self> {
            let _ = attrs;
            let mut statics = statics.iter();
            ::core::result::Result::Ok(Self {
                n: <Integer as ::renamed::__private::StaticInput>::from_input(
                    statics.next(),
                )?,
            })
        }
    }
    #[diagnostic::do_not_recommend]
    impl ::renamed::ops::ApplySeq<Sums> for ::renamed::Tensor {
        type Output = ::renamed::__private::Vec<::renamed::Tensor>;
        #[track_caller]
        fn apply_seq(op: &Sums, xs: &[&Self]) -> ::renamed::Result<Self::Output> {
            ::renamed::ops::Op::run_as(op, xs)
        }
    }
};
///The name of the op [`Sums`]: in messages, and in `#[overrides(sums)]`.
#[cfg_attr(doc, doc(hidden))]
enum sums {}
impl ::renamed::ops::Named for sums {
    type Op = Sums;
}
impl<By> ::renamed::__private::NamedBy<By> for sums {
    type Op = Sums;
}
/// The sums of lists.
///
///Dtypes, the same for all operands: float16, bfloat16, float32, float64.
///
///# Errors
///`InvalidArgument` for a dtype, shape or argument that the op does not take.
#[doc(alias = "Mine>Sums")]
#[track_caller]
fn sums<X, R>(xs: X, n: impl ::renamed::ops::IntegerLike) -> ::renamed::Result<R>
where
    sums: ::renamed::ops::TakesAll<X, Output = R>,
{
    let _site = ::renamed::tensor::call_site_of(::core::option::Option::Some("sums"));
    let op = Sums {
        n: ::core::convert::Into::into(n),
    };
    <sums as ::renamed::ops::TakesAll<X>>::call(&op, &xs)
}
pub trait Polynomials: ::renamed::ops::Operand {
    ///Each polynomial at a point, coefficients along an axis.
    ///
    ///See [`horner`](horner()).
    ///
    ///# Errors
    ///As the function.
    #[track_caller]
    fn horner<Y: ::renamed::ops::Operand>(
        &self,
        x: Y,
        axis: impl ::renamed::ops::AxisLike,
        r#type: DType,
        n: usize,
    ) -> ::renamed::Result<
        <horner as ::renamed::ops::Takes2<Self::Value, Y::Value>>::Output,
    >
    where
        horner: ::renamed::ops::Takes2<Self::Value, Y::Value>,
    {
        horner(::renamed::ops::Operand::operand(self)?, x, axis, r#type, n)
    }
}
impl<X: ::renamed::ops::HasMethods + ?Sized> Polynomials for X {}
