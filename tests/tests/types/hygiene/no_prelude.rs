//! Without the names of the standard prelude.

#![no_implicit_prelude]

use ::extype::ops::{BinaryOp, ReductionOp, UnaryOp};
use ::extype::{
    DType, ExtensionType, Late, Module, Shape, StaticData, Tensor, Validate, Variable, dispatch,
    tf_function,
};

#[derive(StaticData, ::std::clone::Clone, ::std::fmt::Debug, ::std::cmp::PartialEq)]
enum Mode {
    Plain,
    Padded { size: i64 },
    Named(::std::string::String),
}

#[derive(ExtensionType, ::std::clone::Clone, ::std::fmt::Debug)]
#[extension_type(validate)]
struct Masked {
    #[extension_type(dtype = f32, shape = [..])]
    values: Tensor,
    dtype: DType,
    shape: Shape,
    #[extension_type(default = Mode::Plain)]
    #[static_data]
    mode: Mode,
    #[extension_type(default)]
    extra: ::std::option::Option<Tensor>,
}

impl Validate for Masked {
    fn validate(&self) -> ::extype::Result<()> {
        ::std::result::Result::Ok(())
    }
}

#[derive(ExtensionType, ::std::clone::Clone, ::std::fmt::Debug)]
enum Encoding<T> {
    Dense(T),
    Rows { flat: T, sorted: bool },
    Empty,
}

#[dispatch]
impl Masked {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> ::extype::Result<Self> {
        ::std::result::Result::Ok(Self {
            values: op.call(&x.values)?,
            ..::std::clone::Clone::clone(x)
        })
    }

    #[overrides(Tanh, in unary_elementwise)]
    fn tanh(x: &Self) -> ::extype::Result<Self> {
        ::std::result::Result::Ok(::std::clone::Clone::clone(x))
    }

    #[overrides(binary_elementwise)]
    fn binary(op: impl BinaryOp, x: &Self, y: &Self) -> ::extype::Result<Self> {
        let values = op.call(&x.values, &y.values)?;
        ::std::result::Result::Ok(Self { values, ..::std::clone::Clone::clone(x) })
    }

    #[overrides(reduction)]
    fn reduce(op: impl ReductionOp, x: &Self) -> ::extype::Result<Tensor> {
        op.call(&x.values)
    }
}

#[derive(Module)]
struct Model {
    w: Variable,
    late: Late<Variable>,
    units: usize,
}

impl Model {
    #[tf_function]
    fn step(
        &self,
        m: &Masked,
        scale: f64,
        name: &str,
        more: &[Tensor],
    ) -> ::extype::Result<Tensor> {
        let _ = (scale, name, more, &self.late, self.units);
        ::extype::ops::add(&m.values, &self.w.read()?)
    }
}

#[tf_function(reduce_retracing, signature(_, static bool))]
fn traced(m: Encoding<Tensor>, flag: bool) -> ::extype::Result<Encoding<Tensor>> {
    let _ = flag;
    ::std::result::Result::Ok(m)
}

#[test]
fn expansions_need_no_prelude() {
    let masked = Masked::new(1.0f32, DType::F32, Shape::scalar())
        .and_then(|m| m.with_mode(Mode::Padded { size: 1 }))
        .unwrap();
    ::std::assert_eq!(masked.mode, Mode::Padded { size: 1 });
    let mode = Mode::Named(<::std::string::String as ::std::convert::From<&str>>::from("a"));
    ::std::assert_eq!(Mode::from_literal(&mode.to_literal()).unwrap(), mode);
    let model = Model { w: Variable::new(2.0f32).unwrap(), late: Late::new(), units: 1 };
    let sum = model.step(&masked, 1.0, "a", &[]).unwrap();
    ::std::assert_eq!(sum.item::<f32>().unwrap(), 3.0);
    let rows = Encoding::Rows { flat: sum, sorted: true };
    ::std::assert!(::std::matches!(traced(rows, true).unwrap(), Encoding::Rows { .. }));
    ::std::assert!(::std::matches!(traced(Encoding::Empty, true).unwrap(), Encoding::Empty));
    let dense = Encoding::Dense(masked);
    ::std::assert_eq!(::extype::nest::flatten(&dense).len(), 1);
}
