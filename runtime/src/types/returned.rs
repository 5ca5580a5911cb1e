//! Checks of values that user code returned against what it promised, with one text for each kind of mismatch.

use std::fmt::Display;

use super::{DType, Error, Result, Shape, TensorType, err};

/// Refuses a number of things other than `wanted`: `who` "returned 1 gradients for the 2 operands".
pub(crate) fn check_number(
    who: impl Display,
    found: usize,
    things: &str,
    wanted: usize,
    of: impl Display,
) -> Result<()> {
    match found == wanted {
        true => Ok(()),
        false => Err(err!("{who} returned {found} {things} for the {wanted} {of}")),
    }
}

/// Refuses a part that does not have the promised type: `who` "returned float32[2] for result 0, which is
/// float32[3]". Unknown sizes fit.
#[inline]
pub(crate) fn check_type(
    who: impl Display,
    part: impl Display,
    (dtype, shape): (DType, &Shape),
    promised: &TensorType,
) -> Result<()> {
    match dtype == promised.dtype && shape.is_compatible_with(&promised.shape) {
        true => Ok(()),
        false => Err(broken(&who, &part, &TensorType::new(dtype, shape.clone()), promised)),
    }
}

/// The error of a part that does not have the promised type.
#[cold]
pub(crate) fn broken(
    who: &dyn Display,
    part: &dyn Display,
    found: &dyn Display,
    promised: &dyn Display,
) -> Error {
    err!("{who} returned {found} for {part}, which is {promised}")
}
