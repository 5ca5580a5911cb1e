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
mod host;
mod index;
mod infer;
mod integer;
mod kernel;
mod mixed;
mod named;
mod number;
mod operand;
mod operators;
mod pair;
mod results;
mod row;
mod settings;
mod table;

pub use crate::tensor::Lent;
pub use apply::{
    Apply1, Apply2, Apply3, ApplySeq, BinaryElementwise, BinaryOp, NamedOp, Op, ReductionOp,
    Reductions, RightElementwise, UnaryElementwise, UnaryOp,
};
pub use apply::{Binary, Dynamic, FunctionOf, Reduce, Unary, family};
pub use args::{Axes, Axis, HostTensor, Integers, KeepDims, KeepDimsArg, Pairs};
pub use front::*;
pub use host::HostInput;
pub use index::{Bound, Ellipsis, Index, IndexList, NewAxis, step};
pub use integer::Integer;
pub use mixed::{ApplyMixed, Beside, Item, Items};
pub use named::{Named, Takes1, Takes2, Takes3, TakesAll};
pub(crate) use number::settle_numbers;
pub use operand::Operand;
pub(crate) use operators::OperatorFailed;
#[doc(hidden)]
pub use operators::operator;
pub use pair::{Arg, Pair};
pub use results::Results;
pub use settings::{DiagonalAlign, Diagonals, Extent, MirrorMode, Sizes};
pub use table::*;

/// Inference and kernels that rows of other crates may build on.
pub mod rules {
    pub use super::infer::{broadcast, broadcast_bool, reduction, same_shape};
}
