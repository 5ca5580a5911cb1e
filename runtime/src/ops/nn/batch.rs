//! Batches of losses.

use crate::ops;
use crate::ops::methods::*;
use crate::ops::rules::batch::{Batch, Batched, one};
use crate::ops::rules::folded::examples;
use crate::ops::segment::kernel::{How, combined_in};
use crate::tensor::scalar;
use crate::types::Result;

/// The rows of logits and labels may broadcast: only those of one shape are examples.
pub(in crate::ops) fn softmax_cross_entropy(b: &Batch<'_>) -> Result<Batched> {
    let alike = b.types[0].shape == b.types[1].shape && b.types[0].shape.sizes().is_some();
    if alike { examples(b, &[0, 1]) } else { Ok(None) }
}

pub(in crate::ops) fn l2_loss(b: &Batch<'_>) -> Result<Batched> {
    let (Some(x), Some(rank)) = (b.each(0), b.rank(0)) else { return Ok(None) };
    let axes: Vec<i64> = (1..=rank as i64).collect();
    let dtype = x.dtype();
    // Squares of half precision overflow.
    let x = x.cast(combined_in(dtype, How::Sum))?;
    let half = scalar(0.5f32).cast(x.dtype())?;
    one(ops::mul(x.square()?.reduce_sum(axes, false)?, half)?.cast(dtype)?)
}
