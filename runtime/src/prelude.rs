//! What most programs use: `use extype::prelude::*;`.
//!
//! It holds the names of the first hour:
//!
//! | for | names |
//! | --- | --- |
//! | data | [`Tensor`], [`tensor!`](crate::tensor!), [`scalar`], [`Shape`], [`shape!`](crate::shape!), [`DType`] and the dtypes `f32`, `i64`, … |
//! | ops | [`ops`], [`random`], `linalg`, `fft`; the methods of tensors; [`Axis`], [`Axes`], [`KeepDims`], [`NewAxis`], [`Ellipsis`] |
//! | functions | [`tf_function`](macro@tf_function), [`function()`], [`cond`], [`while_loop`], [`map_fn`], [`scan`], … |
//! | gradients and state | [`GradientTape`], [`grad`], [`Variable`], [`Late`], [`Module`](macro@Module) |
//! | types of your own | [`ExtensionType`](macro@ExtensionType), [`dispatch`](macro@dispatch), [`UnaryOp`], [`BinaryOp`], [`ReductionOp`], [`Pair`] |
//! | errors | [`Result`], [`Error`], [`ErrorKind`] |
//!
//! Options of functions stand beside the functions ([`ops::Ddof`], `fft::Ortho`), all other names in the modules of the
//! crate.

pub use extype_macros::{ExtensionType, Module, StaticData, dispatch, overrides, tf_function};

pub use crate::control::{case, cond, map_fn, scan, vectorized_map, while_loop};
#[cfg(feature = "fft")]
pub use crate::fft;
pub use crate::function::{Function, function};
pub use crate::gradient::{GradientTape, custom_gradient, grad, jvp, value_and_grad, vjp};
#[cfg(feature = "linalg")]
pub use crate::linalg;
#[doc(no_inline)]
pub use crate::numpy::{AliasMethods as _, NumpyMethods as _};
pub use crate::ops::methods::*;
pub use crate::ops::{
    self, Axes, Axis, BinaryOp, Ellipsis, KeepDims, NewAxis, Op, Operand, Pair, ReductionOp,
    UnaryOp,
};
pub use crate::random;
pub use crate::spec::{
    ExtensionType, Module, StaticData, Structure, TensorSpec, TypeSpec, Validate, nest,
};
pub use crate::tensor::{Late, Tensor, TensorLike, Variable, scalar};
pub use crate::train::Loss as _;
/// Dtypes under the names of Rust's types, as in `x.cast(f32)`. They are constants, which `let f16 = …` would compare with: name
/// variables otherwise.
pub use crate::types::dtypes::*;
pub use crate::types::{DType, Dim, Error, ErrorKind, Result, Shape};
pub use crate::{shape, tensor};
