//! The mark on arrays. It holds the number of traces that were open on the thread when an array was made. It also
//! says whether the array is a plain host number that has not taken the dtype of a tensor yet.

use super::Tensor;
use crate::array::{Array, mark_new_arrays};
use crate::types::DType;

/// The bit for host numbers; the other bits count traces.
const NUMBER: u32 = 1 << 31;

/// Sets the number of open traces on this thread.
pub(super) fn set_open_traces(count: usize) {
    mark_new_arrays(count as u32 & !NUMBER);
}

/// The number of traces that were open when the array was made.
pub(super) fn open_traces(array: &Array) -> u32 {
    array.mark() & !NUMBER
}

/// Marks a host number, or an array of them, so that ops convert it to the dtype of the other operand. Arrays of types
/// other than Rust's own numbers stay unmarked.
pub(crate) fn host_number(array: Array) -> Tensor {
    let mark = array.mark();
    let is_number = array.dtype().is_integer() || matches!(array.dtype(), DType::F32 | DType::F64);
    Tensor::Value(if is_number { array.with_mark(mark | NUMBER) } else { array })
}

/// The array of a host number, or of an array literal, that has not taken the dtype of a tensor yet.
#[inline]
pub(crate) fn host_number_of(t: &Tensor) -> Option<&Array> {
    match t {
        Tensor::Value(array) if is_host_number(array) => Some(array),
        _ => None,
    }
}

/// True for a host number that has not taken the dtype of a tensor yet.
#[inline]
pub(crate) fn is_host_number(array: &Array) -> bool {
    array.mark() & NUMBER != 0
}
