//! Batches of sums by ids.

use crate::ops::methods::*;
use crate::ops::rules::batch::{Batch, Batched, Lane, one};
use crate::ops::rules::folded::behind;
use crate::ops::{self, Integers, Op as _, SegmentsOfCalls};
use crate::tensor::execute_one;
use crate::types::{DType, Result};

/// Each call gets segments of its own, if the calls have their own ids.
pub(in crate::ops) fn unsorted(b: &Batch<'_>) -> Result<Batched> {
    let (Some(rank), Some(_), Some(number)) = (b.rank(1), b.rank(0), b.same(2)) else {
        return Ok(None);
    };
    let Lane::Each(ids) = &b.inputs[1] else { return behind(b, rank) };
    let number = number.cast(DType::I64)?;
    let own = SegmentsOfCalls {}.run(&[ids, &number])?;
    let all = ops::mul(&b.count.tensor, &number)?;
    let y = execute_one(b.op, b.attrs.clone(), &[&b.all(0)?, &own, &all])?;
    let shape = match Integers::of_shape(&b.outputs[0].shape) {
        Some(known) => known,
        None => {
            let rows = ops::shape_of(&y)?.cast(DType::I64)?.index((1..,))?;
            Integers::Tensor(ops::concat(&[&number.reshape([1i64])?, &rows], 0)?)
        }
    };
    one(y.reshape(b.count.stacked(&shape)?)?)
}
