//! Batches of comparisons.

use crate::ops::EqualFn;
use crate::ops::rules::batch::{Batch, Batched, elementwise};
use crate::types::Result;

/// Batches `equal` and `not_equal`. With `incompatible_shape_error` off, shapes must be known and
/// broadcast: otherwise a call may compare as one unequal pair.
pub(in crate::ops) fn equality(b: &Batch<'_>) -> Result<Batched> {
    if b.get(EqualFn::INCOMPATIBLE_SHAPE_ERROR)? {
        return elementwise(b);
    }
    let known = b.types.iter().all(|ty| ty.shape.is_fully_defined());
    let broadcast = || b.types[0].shape.broadcast(&b.types[1].shape).is_ok();
    if known && broadcast() { elementwise(b) } else { Ok(None) }
}
