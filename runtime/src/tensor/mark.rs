//! The mark on arrays. It holds the number of traces that were open on the thread when an array was made, and the logical
//! CPU on which it was made. It also says whether the array is a plain host number that has not taken the dtype of a tensor yet.

use std::borrow::Cow;

use super::Tensor;
use super::scope::host_device;
use crate::array::{Array, mark_new_arrays};
use crate::device::{DeviceId, moved};
use crate::types::{DType, Result};

/// The bit for host numbers. The 15 bits below it are the device, and the others count traces.
const NUMBER: u32 = 1 << 31;
const DEVICE_AT: u32 = 16;
const TRACES: u32 = (1 << DEVICE_AT) - 1;

/// Sets the number of open traces on this thread, and the logical CPU of its device scope.
pub(super) fn set_open_traces(count: usize) {
    mark_new_arrays(count as u32 & TRACES | device_bits(host_device()));
}

fn device_bits(device: DeviceId) -> u32 {
    u32::from(device.number()) << DEVICE_AT
}

/// The device where an array lies.
pub(super) fn device_of(array: &Array) -> DeviceId {
    let number = match array.device_memory() {
        Some((number, _)) => number,
        None => ((array.mark() & !NUMBER) >> DEVICE_AT) as u16,
    };
    DeviceId::of_number(number)
}

/// The array on a device.
///
/// # Errors
/// What the device refuses.
pub(super) fn placed(array: Array, device: DeviceId) -> Result<Array> {
    if device_of(&array) == device {
        return Ok(array);
    }
    if !device.is_host() || array.device_memory().is_some() {
        return placed(moved(&array, device)?, device);
    }
    let mark = array.mark() & (NUMBER | TRACES) | device_bits(device);
    let marked = array.with_mark(mark);
    match marked.mark() == mark {
        true => Ok(marked),
        false => Ok(marked.renewed()?.with_mark(mark)),
    }
}

/// The array under a new identity, where it lies.
///
/// # Errors
/// None in practice, as for [`Array::renewed`].
pub(crate) fn renewed(array: &Array) -> Result<Array> {
    placed(array.renewed()?, device_of(array))
}

/// The number of traces that were open when the array was made.
pub(super) fn open_traces(array: &Array) -> u32 {
    array.mark() & TRACES
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

/// The tensor, with this dtype if it was written as plain numbers.
pub(crate) fn fitted(value: &Tensor, dtype: DType) -> Result<Cow<'_, Tensor>> {
    Ok(match host_number_of(value) {
        Some(number) => Cow::Owned(Tensor::Value(number.fitted(dtype)?)),
        None => Cow::Borrowed(value),
    })
}

/// True for a host number that has not taken the dtype of a tensor yet.
#[inline]
pub(crate) fn is_host_number(array: &Array) -> bool {
    array.mark() & NUMBER != 0
}
