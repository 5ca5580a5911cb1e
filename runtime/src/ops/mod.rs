//! The op table and its typed front: free functions, tensor methods, operators.
//!
//! A row of the table ([`define_op!`](crate::define_op)) gives an op's struct, definition, docs
//! and its meaning for [`Tensor`](crate::Tensor). The `Apply…` traits say what an op means for a
//! type; extension types implement them, by hand or through `#[dispatch]`, and calling an op
//! that a type does not implement does not compile. What enters are operands of any type, what
//! leaves are calls of the one door, [`execute`](crate::tensor::execute).

mod apply;
mod args;
pub(crate) mod equation;
mod front;
mod infer;
mod kernel;
mod number;
mod operand;
mod operators;
mod results;
mod row;
mod table;

pub use crate::tensor::Lent;
pub use apply::{
    Apply1, Apply2, Apply3, ApplySeq, BinaryElementwise, BinaryOp, NamedOp, Op, ReductionOp,
    Reductions, RightElementwise, UnaryElementwise, UnaryOp,
};
pub use apply::{Binary, Dynamic, FunctionOf, Reduce, Unary, family};
pub use args::{
    Arg, Axes, Axis, DiagonalAlign, DiagonalRange, Diagonals, Ellipsis, Extent, Index, IndexList,
    Integer, Integers, KeepDims, KeepDimsArg, MaybeStatic, MirrorMode, NewAxis, Pairs, Position,
    SideInput, Sizes, StaticInput, StaticValue, step,
};
pub use front::*;
pub(crate) use number::settle_numbers;
pub use operand::Operand;
pub(crate) use operators::OperatorFailed;
#[doc(hidden)]
pub use operators::operator;
pub use results::Results;
pub use table::*;

/// Inference and kernels that rows of other crates may build on.
pub mod rules {
    pub use super::args::check;
    pub use super::infer::{broadcast, broadcast_bool, reduction, same_shape};
}
