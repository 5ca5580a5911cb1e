//! What most programs use: `use extype::prelude::*;`.

pub use extype_macros::{ExtensionType, Module, StaticData, dispatch, overrides, tf_function};

pub use crate::array::Array;
pub use crate::control::{
    HostFunction, Jacobian, Join, MapFn, TensorArray, WhileLoop, case, cond, fold, hessian,
    host_function, jacobian, map_fn, scan, switch_case, vectorized_map, while_loop,
};
#[cfg(feature = "fft")]
pub use crate::fft::{self, Forward, Length, Ortho, Sizes};
pub use crate::function::{ConcreteFunction, Function, function};
pub use crate::gradient::{
    GradientTape, Gradients, custom_gradient, grad, hvp, jvp, recompute, value_and_grad, vjp,
};
#[cfg(feature = "linalg")]
pub use crate::linalg::{self, Adjoint, FullMatrices, L2Regularizer, Lower, Rcond, Tol};
pub use crate::ops::methods::*;
pub use crate::ops::options::{
    Backwards, Base, BatchShape, Columns, Ddof, Descending, Endpoint, Exclusive, MaxLength,
    MinLength, NanAs, NegInfAs, PosInfAs, Weights,
};
pub use crate::ops::{
    self, Append, Arg, At, Atol, Axes, Axis, Between, BinEdges, BinaryOp, ByColumns, Density,
    EdgeOrder, Ellipsis, EqualNan, Increasing, Indexing, Integers, KeepDims, KeepsDType,
    MirrorMode, NewAxis, NormOrder, OffValue, OnValue, Op, Operand, Overlap, PadMode, Pair,
    Prepend, QuantileMethod, ReductionOp, Rtol, Side, Spaced, Sparse, Times, Trim, UnaryOp,
};
pub use crate::random::{self, NoRepeats, Seed};
pub use crate::spec::{
    AnySpec, AnyValue, ExtensionType, Module, StaticData, Structure, TensorSpec, TypeSpec,
    Validate, VariableSpec, nest,
};
pub use crate::tensor::{Late, Tensor, TensorLike, Variable, init_scope, scalar};
pub use crate::train::Loss;
/// Complex elements, as Rust's numbers.
pub use num_complex::{Complex32, Complex64};

/// Dtypes under the names of Rust's types, as in `x.cast(f32)`. They are constants, which `let f16 = …` would compare with: name
/// variables otherwise.
pub use crate::types::dtypes::*;
pub use crate::types::{DType, DTypeSet, Dim, Error, ErrorKind, Result, Shape};
pub use crate::{ensure_dtype, shape, tensor};
