//! Batches of comparisons.

use crate::ops::EqualFn;
use crate::ops::batch::{Batch, Batched, elementwise};
use crate::types::Result;

/// Shapes that don't broadcast may be one unequal pair in each call.
pub(in crate::ops) fn equality(b: &Batch<'_>) -> Result<Batched> {
    if b.get(EqualFn::INCOMPATIBLE_SHAPE_ERROR)? {
        return elementwise(b);
    }
    let known = b.types.iter().all(|ty| ty.shape.is_fully_defined());
    let broadcast = || b.types[0].shape.broadcast(&b.types[1].shape).is_ok();
    if known && broadcast() { elementwise(b) } else { Ok(None) }
}
