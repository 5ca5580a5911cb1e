//! Batches of ops that slice.

use crate::ir::Attrs;
use crate::ops::methods::*;
use crate::ops::rules::batch::{Batch, Batched, per_axis, prefixed};
use crate::ops::{EnsureShape, Integers, StaticInput as _, StridedSlice};
use crate::types::{Dim, Result};

/// Adds a first entry that takes all calls, before the entries of the slice.
pub(in crate::ops) fn strided_slice(b: &Batch<'_>) -> Result<Batched> {
    per_axis(&Batch { attrs: &of_all(b)?, ..*b }, &[0, 0, 1])
}

pub(in crate::ops) fn strided_slice_grad(b: &Batch<'_>) -> Result<Batched> {
    let (Some(shape), Some(dy)) = (b.same(0), b.each(4)) else { return Ok(None) };
    let sizes = Integers::from_input(Some(shape))?;
    let mut inputs = vec![b.count.stacked(&sizes)?.to_tensor()?.cast(shape.dtype())?];
    for (i, first) in [(1, 0), (2, 0), (3, 1)] {
        let Some(list) = prefixed(b, i, first)? else { return Ok(None) };
        inputs.push(list);
    }
    inputs.push(dy.clone());
    b.run_with(of_all(b)?, &inputs)
}

/// The attributes of a slice with a first entry that takes everything.
fn of_all(b: &Batch<'_>) -> Result<Attrs> {
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
    Ok(attrs)
}

pub(in crate::ops) fn ensure_shape(b: &Batch<'_>) -> Result<Batched> {
    let Some(x) = b.each(0) else { return Ok(None) };
    let shape = b.get(EnsureShape::SHAPE)?.insert(0, Dim::UNKNOWN);
    b.run_with(b.attrs.clone().with(EnsureShape::SHAPE, &shape), std::slice::from_ref(x))
}
