//! Batches of ops that slice.

use crate::ops::rules::batch::{Batch, Batched, per_axis};
use crate::ops::{EnsureShape, StridedSlice};
use crate::types::{Dim, Result};

/// Adds a first entry that takes all calls, before the entries of the slice.
pub(in crate::ops) fn strided_slice(b: &Batch<'_>) -> Result<Batched> {
    let mut attrs = b.attrs.clone();
    let whole = [
        (StridedSlice::BEGIN_MASK, 1),
        (StridedSlice::END_MASK, 1),
        (StridedSlice::ELLIPSIS_MASK, 0),
        (StridedSlice::NEW_AXIS_MASK, 0),
        (StridedSlice::SHRINK_AXIS_MASK, 0),
    ];
    for (key, first) in whole {
        let mask: i64 = b.get(key)?;
        attrs = attrs.with(key, &(mask << 1 | first));
    }
    per_axis(&Batch { attrs: &attrs, ..*b }, &[0, 0, 1])
}

pub(in crate::ops) fn ensure_shape(b: &Batch<'_>) -> Result<Batched> {
    let Some(x) = b.each(0) else { return Ok(None) };
    let shape = b.get(EnsureShape::SHAPE)?.insert(0, Dim::UNKNOWN);
    b.run_with(b.attrs.clone().with(EnsureShape::SHAPE, &shape), std::slice::from_ref(x))
}
