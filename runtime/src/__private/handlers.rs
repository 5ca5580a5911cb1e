//! `#[dispatch]`: functions that generated handlers call.

use crate::ops::{Keeping, NamedOp, Op};
use crate::spec::{AnyValue, Structure, dispatch};
use crate::tensor::Tensor;
use crate::types::{Error, Result, err};

/// An op under a name that the expansion makes.
pub trait Overridden {
    /// The op.
    type Op: Op;
}

/// The op as the single op `T`, in a family's method. (Op: 'static)
pub fn downcast_op<T: Op, O: Op>(op: &O) -> Option<&T> {
    op.as_any().downcast_ref()
}

/// The op, for a handler that takes only ops that keep the dtype.
///
/// # Errors
/// `InvalidArgument` for an op that does not keep it, which is known at run time only.
pub fn keeping<O: Op>(op: &O) -> Result<Keeping<O>> {
    Keeping::new(op)
}

/// The value of a typed handler that may decline.
///
/// # Errors
/// `InvalidArgument` naming the op and the types if it declined.
pub fn unless_declined<T>(answer: Option<T>, op: &impl Op, types: &[&str]) -> Result<T> {
    answer.ok_or_else(|| declined(op.def().rust_name, types))
}

#[cold]
fn declined(op: &str, types: &[&str]) -> Error {
    let types: Vec<String> = types.iter().map(|t| dispatch::short_name(t)).collect();
    err!(
        "the handler for ({}) declined these values; convert them to tensors, or to types that \
         the op takes",
        types.join(", ")
    )
    .with_op(op)
}

/// The original op on operands that were converted to tensors, for a handler that declined.
///
/// # Errors
/// What the op refuses.
#[track_caller]
pub fn original<T: From<Tensor>>(op: &impl Op, operands: &[&Tensor]) -> Result<T> {
    op.run(operands).map(T::from)
}

/// Converts a value to a tensor by the conversion of its type.
///
/// # Errors
/// What the conversion fails with.
pub fn converted<T: Structure>(
    value: &AnyValue,
    convert: impl FnOnce(&T) -> Result<Tensor>,
) -> Result<Tensor> {
    convert(&value.clone().downcast()?)
}

/// The graph name of an op.
pub fn op_name<O: NamedOp>() -> &'static str {
    O::NAME
}
