///The total over axes.
///
///The op of [`total`](total()), whose page tells all.
#[doc(alias = "Mine>Total")]
pub type Total = ::extype::ops::Reduce<TotalFn>;
///Tells [`Total`] from the other ops of its family.
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct TotalFn {
    ///The attribute `weight`.
    pub weight: f32,
}
impl ::core::default::Default for TotalFn {
    fn default() -> Self {
        Self {
            weight: {
                let default: f32 = 1.0;
                default
            },
        }
    }
}
impl TotalFn {
    ///Names the attribute `weight` of a call of this op.
    pub const WEIGHT: ::extype::ir::AttrKey<f32> = ::extype::ir::AttrKey::new("weight");
}
impl ::core::cmp::PartialEq for TotalFn {
    fn eq(&self, other: &Self) -> bool {
        true && ::core::cmp::PartialEq::eq(&self.weight, &other.weight)
    }
}
const _: () = {
    static __DEF: ::extype::ir::OpDef = ::extype::ir::OpDef::new(
            "Mine>Total",
            "total",
            ::extype::ops::rules::reduction,
            ::extype::ir::Kernel::Reduce(&TOTAL),
        )
        .in_module(::core::module_path!())
        .with_doc("The total over axes.")
        .with_kind(::extype::ir::OpKind::Reduction)
        .with_effect(::extype::ir::Effect::Pure)
        .with_inputs(
            &[
                ::extype::ir::ArgDef::one("input", ::extype::ir::ArgType::Var("T")),
                ::extype::ir::ArgDef::one(
                        "reduction_indices",
                        ::extype::ir::ArgType::Var("Tidx"),
                    )
                    .in_rust(),
            ],
        )
        .with_outputs(
            &[::extype::ir::ArgDef::one("output", ::extype::ir::ArgType::Var("T"))],
        )
        .with_attrs(
            &[
                ::extype::ir::AttrDef::dtype("T", DTypeSet::FLOAT),
                ::extype::ir::AttrDef::dtype("Tidx", ::extype::types::DTypeSet::INDEX),
                ::extype::ir::AttrDef::of::<bool>("keep_dims")
                    .or(|| ::extype::ir::Attr::to_attr(&false)),
                ::extype::ir::AttrDef::of::<f32>("weight")
                    .or(|| {
                        let default = <TotalFn as ::core::default::Default>::default();
                        ::extype::ir::Attr::to_attr(&default.weight)
                    }),
            ],
        );
    ::extype::__private::inventory::submit!(::extype::ir::OpEntry(& __DEF));
    ::extype::__private::inventory::submit!(
        ::extype::__private::GradientEntry::none(& __DEF)
    );
    impl ::extype::ops::NamedOp for TotalFn {
        const NAME: &'static str = "Mine>Total";
        const RUST_NAME: &'static str = "Total";
        const DEF: &'static ::extype::ir::OpDef = &__DEF;
        const OPERANDS: ::extype::ops::Operands = ::extype::ops::Operands::Each(1usize);
        const FIELDS: &'static [::extype::ops::Field] = &[
            ::extype::ops::Field {
                name: "axes",
                ty: "&Axes",
            },
            ::extype::ops::Field {
                name: "keep_dims",
                ty: "bool",
            },
            ::extype::ops::Field {
                name: "weight",
                ty: "f32",
            },
        ];
    }
    impl ::extype::ops::FunctionOf<::extype::ops::family::Reduction> for TotalFn {
        const KEPT: ::extype::ops::Kept = ::extype::ops::Kept::Yes;
        fn def(&self) -> &'static ::extype::ir::OpDef {
            &__DEF
        }
        fn attrs(&self) -> ::extype::ir::Attrs {
            ::extype::ir::Attrs::new()
                .with(::extype::ir::AttrKey::new("weight"), &self.weight)
        }
        fn from_attrs(attrs: &::extype::ir::Attrs) -> ::extype::Result<Self> {
            ::core::result::Result::Ok(Self {
                weight: attrs.get(::extype::ir::AttrKey::new("weight"))?,
            })
        }
    }
};
///The name of the op [`Total`]: in messages, and in `#[overrides(total)]`.
#[cfg_attr(doc, doc(hidden))]
pub enum total {}
impl ::extype::ops::Named for total {
    type Op = Total;
}
impl<By> ::extype::__private::NamedBy<By> for total {
    type Op = Total;
}
/// The total over axes.
///
///Dtypes: float16, bfloat16, float32, float64.
///
///# Errors
///`InvalidArgument` for a dtype, shape or argument that the op does not take.
#[doc(alias = "Mine>Total")]
#[track_caller]
pub fn total<X: ::extype::ops::Operand, R>(
    x: X,
    axes: impl ::extype::ops::AxesLike,
    weight: f32,
) -> ::extype::Result<R>
where
    total: ::extype::ops::Takes1<X::Value, Output = R>,
{
    let _site = ::extype::tensor::call_site_of(::core::option::Option::Some("total"));
    let op = ::extype::ops::Reduce {
        axes: ::core::convert::Into::into(axes),
        keep_dims: false,
        function: TotalFn { weight: weight },
    };
    <total as ::extype::ops::Takes1<
        X::Value,
    >>::call(&op, &*::extype::ops::Operand::operand(&x)?)
}
///`x` to the power of `y`.
///
///The op of [`power`](power()), whose page tells all.
#[doc(alias = "Mine>Power")]
pub(crate) type Power = ::extype::ops::Binary<PowerFn>;
///Tells [`Power`] from the other ops of its family.
#[cfg_attr(doc, doc(hidden))]
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub(crate) struct PowerFn {}
impl ::core::default::Default for PowerFn {
    fn default() -> Self {
        Self {}
    }
}
impl ::core::cmp::PartialEq for PowerFn {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
const _: () = {
    static __DEF: ::extype::ir::OpDef = ::extype::ir::OpDef::new(
            "Mine>Power",
            "power",
            ::extype::ops::rules::broadcast,
            ::extype::ir::Kernel::Zip(&POWER),
        )
        .in_module(::core::module_path!())
        .with_doc("`x` to the power of `y`.")
        .with_kind(::extype::ir::OpKind::BinaryElementwise)
        .with_effect(::extype::ir::Effect::Pure)
        .with_inputs(
            &[
                ::extype::ir::ArgDef::one("x", ::extype::ir::ArgType::Var("T")),
                ::extype::ir::ArgDef::one("y", ::extype::ir::ArgType::Var("T")),
            ],
        )
        .with_outputs(&[::extype::ir::ArgDef::one("z", ::extype::ir::ArgType::Var("T"))])
        .with_attrs(&[::extype::ir::AttrDef::dtype("T", DTypeSet::FLOAT)])
        .with_finite_at(
            &[
                ::core::option::Option::None,
                const {
                    let point: f64 = 1.0;
                    ::core::option::Option::Some(point)
                },
            ],
        );
    ::extype::__private::inventory::submit!(::extype::ir::OpEntry(& __DEF));
    ::extype::__private::inventory::submit!(
        ::extype::__private::GradientEntry::new(& __DEF, | g | {
        ::core::result::Result::Ok({ let of = | g : & ::extype::__private::Gradient < '_
        >, x : & ::extype::Tensor, y : & ::extype::Tensor, dy : & ::extype::Tensor | ->
        ::extype::Result < [::core::option::Option < ::extype::Tensor >; 2] > { let _ =
        g; let _ = x; let _ = y; let _ = dy; let (x, y) = (ops::mul(dy, y) ?, None:: <
        Tensor >); ::core::result::Result::Ok([::core::convert::Into::into(x),
        ::core::convert::Into::into(y),]) };
        ::extype::__private::unbroadcast_gradients(g, of(g, g.x(0), g.x(1), g.dy() ?) ?)
        ? }) })
    );
    impl ::extype::ops::NamedOp for PowerFn {
        const NAME: &'static str = "Mine>Power";
        const RUST_NAME: &'static str = "Power";
        const DEF: &'static ::extype::ir::OpDef = &__DEF;
        const OPERANDS: ::extype::ops::Operands = ::extype::ops::Operands::Each(2usize);
        const FIELDS: &'static [::extype::ops::Field] = &[];
    }
    impl ::extype::ops::FunctionOf<::extype::ops::family::Binary> for PowerFn {
        const KEPT: ::extype::ops::Kept = ::extype::ops::Kept::Yes;
        fn def(&self) -> &'static ::extype::ir::OpDef {
            &__DEF
        }
        fn attrs(&self) -> ::extype::ir::Attrs {
            ::extype::ir::Attrs::new()
        }
        fn from_attrs(attrs: &::extype::ir::Attrs) -> ::extype::Result<Self> {
            let _ = attrs;
            ::core::result::Result::Ok(Self {})
        }
    }
};
///The name of the op [`Power`]: in messages, and in `#[overrides(power)]`.
#[cfg_attr(doc, doc(hidden))]
pub(crate) enum power {}
impl ::extype::ops::Named for power {
    type Op = Power;
}
impl<By> ::extype::__private::NamedBy<By> for power {
    type Op = Power;
}
/// `x` to the power of `y`.
///
///Dtypes, the same for all operands: float16, bfloat16, float32, float64.
///
///# Errors
///`InvalidArgument` for a dtype, shape or argument that the op does not take.
#[doc(alias = "Mine>Power")]
#[track_caller]
pub(crate) fn power<X: ::extype::ops::Operand, Y: ::extype::ops::Operand, R>(
    x: X,
    y: Y,
) -> ::extype::Result<R>
where
    power: ::extype::ops::Takes2<X::Value, Y::Value, Output = R>,
{
    let _site = ::extype::tensor::call_site_of(::core::option::Option::Some("power"));
    let op = ::extype::ops::Binary(PowerFn {});
    <power as ::extype::ops::Takes2<
        X::Value,
        Y::Value,
    >>::call(
        &op,
        &*::extype::ops::Operand::operand(&x)?,
        &*::extype::ops::Operand::operand(&y)?,
    )
}
