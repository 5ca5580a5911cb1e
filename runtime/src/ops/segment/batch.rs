//! Batches of sums by ids.

use crate::ops::methods::*;
use crate::ops::rules::batch::{Batch, Batched, Lane, one};
use crate::ops::rules::folded::behind;
use crate::ops::{self, Integers};
use crate::tensor::execute_one;
use crate::types::{DType, Result};

/// Each call gets segments of its own, if the calls have their own ids.
pub(in crate::ops) fn unsorted(b: &Batch<'_>) -> Result<Batched> {
    let (Some(rank), Some(_), Some(number)) = (b.rank(1), b.rank(0), b.same(2)) else {
        return Ok(None);
    };
    let Lane::Each(ids) = &b.inputs[1] else { return behind(b, rank) };
    let (ids, number) = (ids.cast(DType::I64)?, number.cast(DType::I64)?);
    let mut calls = ops::range(0i64, &b.count.tensor, 1i64)?;
    for _ in 0..rank {
        calls = calls.expand_dims(-1)?;
    }
    let own = ops::add(&ids, ops::mul(&calls, &number)?)?;
    // An id that is out of range must not be one of the next call.
    let own = ops::select(ids.less(&number)?, own, i64::MAX)?;
    let own = ops::select(ids.less(0i64)?, &ids, own)?;
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
