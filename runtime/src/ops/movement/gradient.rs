//! Gradients: ops that move elements and change shapes.

use crate::ops;
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, first, sizes, sum_to};
use crate::ops::{Op as _, Rank, Stack};
use crate::tensor::Tensor;
use crate::types::{DType, Result, err};

pub(in crate::ops) fn reshape(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok(first(g, g.dy()?.reshape(sizes(g.x(0))?)?))
}

pub(in crate::ops) fn expand_dims(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok(first(g, g.dy()?.reshape(sizes(g.x(0))?)?))
}

pub(in crate::ops) fn squeeze(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok(first(g, g.dy()?.reshape(sizes(g.x(0))?)?))
}

pub(in crate::ops) fn transpose(g: &Gradient<'_>) -> Result<InputGradients> {
    let rank = g.x(0).rank().or(g.dy()?.rank());
    let inverse = inverse_permutation(g.x(1), &AxesOf::of(g.x(0), rank)?)?;
    Ok(first(g, g.dy()?.transpose(&inverse)?))
}

/// `0, 1, …, n - 1` as int64.
pub(in crate::ops) fn iota(n: usize) -> Tensor {
    Tensor::from_vec((0..n as i64).collect())
}

/// The axes of a tensor whose rank may be unknown while tracing.
pub(in crate::ops) struct AxesOf {
    /// `0, 1, …` as int64.
    pub(in crate::ops) all: Tensor,
    /// How many there are, as an int64 scalar.
    pub(in crate::ops) count: Tensor,
    /// The same, but 1 if there are none.
    modulus: Tensor,
}

impl AxesOf {
    /// The axes of this tensor; `rank` is its rank, if known.
    pub(in crate::ops) fn of(x: &Tensor, rank: Option<usize>) -> Result<Self> {
        match rank {
            Some(rank) => Ok(Self {
                all: iota(rank),
                count: Tensor::scalar(rank as i64),
                modulus: Tensor::scalar(rank.max(1) as i64),
            }),
            None => {
                let count = Rank {}.run(&[x])?.cast(DType::I64)?;
                let all = ops::range(0i64, &count, 1i64)?;
                Ok(Self { all, modulus: ops::maximum(&count, 1i64)?, count })
            }
        }
    }

    /// The axis as a non-negative int64 scalar.
    pub(in crate::ops) fn positive(&self, axis: &Tensor) -> Result<Tensor> {
        let axis = axis.cast(DType::I64)?.reshape([0i64; 0])?;
        ops::floor_mod(&axis, &self.modulus)
    }
}

/// The inverse of a permutation: `inverse[perm[i]] = i`. Computed with ops, so that it may be
/// unknown while tracing.
fn inverse_permutation(perm: &Tensor, axes: &AxesOf) -> Result<Tensor> {
    let perm = ops::floor_mod(&perm.cast(DType::I64)?, &axes.modulus)?;
    ops::unsorted_segment_sum(&axes.all, &perm, &axes.count)
}

pub(in crate::ops) fn broadcast_to(g: &Gradient<'_>) -> Result<InputGradients> {
    let dy = g.dy()?;
    let summed = sum_to(dy.clone(), g.x(0), dy)?;
    Ok([summed, None].into_iter().collect())
}

/// The sizes of a tensor as an int64 vector.
pub(in crate::ops) fn size_vector(x: &Tensor) -> Result<Tensor> {
    sizes(x)?.to_tensor()
}

pub(in crate::ops) fn concat(g: &Gradient<'_>) -> Result<InputGradients> {
    let (axis, values) = g.inputs.split_last().ok_or_else(|| err!("no inputs"))?;
    let dy = g.dy()?;
    let rank = dy.rank().or_else(|| values.iter().find_map(Tensor::rank));
    let axes = AxesOf::of(dy, rank)?;
    // Where each part begins: zero except along the axis.
    let along = axes.all.equal(&axes.positive(axis)?)?.cast(DType::I64)?;
    let mut begin = along.zeros_like()?;
    let mut gradients = Vec::new();
    for value in values {
        let size = size_vector(value)?;
        gradients.push(Some(dy.slice(&begin, &size)?));
        begin = ops::add(&begin, &ops::mul(&along, &size)?)?;
    }
    gradients.push(None);
    Ok(gradients.into_iter().collect())
}

pub(in crate::ops) fn stack(g: &Gradient<'_>) -> Result<InputGradients> {
    let parts = g.dy()?.unstack(g.inputs.len(), g.get(Stack::AXIS)?)?;
    Ok(parts.into_iter().map(Some).collect())
}

pub(in crate::ops) fn pad(g: &Gradient<'_>) -> Result<InputGradients> {
    let paddings = g.x(1).cast(DType::I64)?;
    let before = paddings.slice([0, 0], [-1, 1])?.reshape([-1])?;
    Ok(first(g, g.dy()?.slice(&before, sizes(g.x(0))?)?))
}
