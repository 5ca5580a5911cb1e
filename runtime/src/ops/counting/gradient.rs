//! Gradients of counts and evenly spaced numbers.

use crate::ops;
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, is_empty, sizes};
use crate::ops::{Axis, DenseBincount, Op as _, count_to};
use crate::tensor::Tensor;
use crate::types::{Result, err};

/// Each weight gets the cotangent of its bin. Weights without a bin get a zero, padded behind the last
/// bin.
pub(in crate::ops) fn bincount(g: &Gradient<'_>) -> Result<InputGradients> {
    let (values, bins, weights, dy) = (g.x(0), g.x(1), g.x(2), g.dy()?);
    let binary = g.get(DenseBincount::BINARY_OUTPUT).unwrap_or(false);
    if binary {
        return Ok([None, None, None].into_iter().collect());
    }
    // Empty weights mean ones, and may have any shape without an element.
    let shape = weights.shape();
    if is_empty(weights) {
        return Ok([None, None, Some(weights.zeros_like()?)].into_iter().collect());
    }
    let rank = dy.rank().ok_or_else(|| err!(Unimplemented, "the rank is unknown"))?;
    let paddings = [&[[0i64, 0], [0, 1]][2 - rank.clamp(1, 2)..]].concat();
    let ids = ops::select(values.less(bins)?, values, bins)?;
    let op = ops::Gather { batch_dims: rank as i64 - 1, axis: Axis(rank as i64 - 1) };
    let of_values = op.run(&[&dy.pad(paddings)?, &ids])?;
    // Weights of a shape that is not known may be empty.
    let of_weights = match shape.is_fully_defined() {
        true => of_values,
        false => {
            let count = ops::size(weights)?.reshape([1])?;
            of_values.reshape([-1])?.slice([0], &count)?.reshape(sizes(weights)?)?
        }
    };
    Ok([None, None, Some(of_weights)].into_iter().collect())
}

/// Each number is a mean of `start` and `stop` with known weights.
pub(in crate::ops) fn lin_space(g: &Gradient<'_>) -> Result<InputGradients> {
    let dy = g.dy()?;
    let n = ops::size(dy)?;
    let steps = ops::maximum(ops::sub(&n, 1)?, 1)?.cast(dy.dtype())?;
    let of_stop = ops::mul(dy, ops::div(count_to(&n)?.cast(dy.dtype())?, steps)?)?;
    let of_start = ops::sub(dy, &of_stop)?;
    let sum = |t: Tensor| t.reduce_sum(.., false).map(Some);
    Ok([sum(of_start)?, sum(of_stop)?, None].into_iter().collect())
}
