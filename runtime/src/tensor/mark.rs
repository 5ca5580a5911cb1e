//! What this floor writes on arrays: how many traces were open on the thread that made one, and
//! whether it is a host number that has not met a tensor yet.

use super::Tensor;
use crate::array::{Array, mark_new_arrays};
use crate::types::DType;

/// The bit of host numbers; the others count traces.
const NUMBER: u32 = 1 << 31;

/// Says how many traces are open on this thread.
pub(super) fn set_open_traces(count: usize) {
    mark_new_arrays(count as u32 & !NUMBER);
}

/// How many traces were open when the array was made.
pub(super) fn open_traces(array: &Array) -> u32 {
    array.mark() & !NUMBER
}

/// A host number, or an array of them, which ops give their other operand's dtype. What is no number of
/// Rust's own stays what it is.
pub(crate) fn host_number(array: Array) -> Tensor {
    let mark = array.mark();
    let is_number = array.dtype().is_integer() || matches!(array.dtype(), DType::F32 | DType::F64);
    Tensor::Value(if is_number { array.with_mark(mark | NUMBER) } else { array })
}

/// A host number, or an array of them written in place, that has not met a tensor yet.
#[inline]
pub(crate) fn host_number_of(t: &Tensor) -> Option<&Array> {
    match t {
        Tensor::Value(array) if is_host_number(array) => Some(array),
        _ => None,
    }
}

/// True for a host number that has not met a tensor yet.
#[inline]
pub(crate) fn is_host_number(array: &Array) -> bool {
    array.mark() & NUMBER != 0
}
