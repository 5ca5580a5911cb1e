//! Gradients: ops that move elements and change shapes.

use crate::ops;
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, first, sizes, sum_to};
use crate::ops::{Axis, Gather, IndexedSlices, Op, Rank, Stack};
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail, err, normalize_axis};

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
fn iota(n: usize) -> Tensor {
    Tensor::from_vec((0..n as i64).collect())
}

/// The axes of a tensor whose rank may be unknown while tracing.
struct AxesOf {
    /// `0, 1, …` as int64.
    all: Tensor,
    /// How many there are, as an int64 scalar.
    count: Tensor,
    /// The same, but 1 if there are none.
    modulus: Tensor,
}

impl AxesOf {
    /// The axes of this tensor; `rank` is its rank, if known.
    fn of(x: &Tensor, rank: Option<usize>) -> Result<Self> {
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
    fn positive(&self, axis: &Tensor) -> Result<Tensor> {
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

pub(in crate::ops) fn fill(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok([None, Some(g.dy()?.reduce_sum(.., false)?)].into_iter().collect())
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

pub(in crate::ops) fn gather(g: &Gradient<'_>) -> Result<InputGradients> {
    let (params, indices, dy) = (g.x(0), g.x(1), g.dy()?);
    if params.dtype() == DType::Variant {
        return gather_variants(g);
    }
    if g.get(Gather::BATCH_DIMS)? != 0 {
        return batched_gather(g);
    }
    if let (Some(rank), Some(ids)) = (params.rank(), indices.rank())
        && let Ok(Gather { axis: Axis(axis), .. }) = g.op()
        && normalize_axis(axis, rank)? == 0
    {
        return Ok(first(g, slices(params, indices, dy, (rank, ids))?));
    }
    let axes = AxesOf::of(params, params.rank())?;
    let ids = AxesOf::of(indices, indices.rank())?.count;
    let axis = axes.positive(g.x(2))?;
    // Bring the gathered axes to the front, sum rows with one index, bring the axis back.
    let i = match (params.rank(), indices.rank()) {
        (Some(rank), Some(ids)) => iota(rank + ids - 1),
        _ => ops::range(0i64, ops::sub(ops::add(&axes.count, &ids)?, 1i64)?, 1i64)?,
    };
    let behind = ops::sub(&i, &ids)?;
    let kept = ops::select(&behind.less(&axis)?, &behind, &i)?;
    let front = ops::select(&i.less(&ids)?, &ops::add(&i, &axis)?, &kept)?;
    let count = size_vector(params)?.gather(&axis, 0)?;
    let summed = ops::unsorted_segment_sum(&dy.transpose(&front)?, indices, &count)?;
    let i = &axes.all;
    let after = ops::select(&i.equal(&axis)?, &i.zeros_like()?, i)?;
    let back = ops::select(&i.less(&axis)?, &ops::add(i, 1)?, &after)?;
    Ok(first(g, summed.transpose(&back)?))
}

/// The gradient of taking one variant from a stack, as loops do: nothing is added up.
fn gather_variants(g: &Gradient<'_>) -> Result<InputGradients> {
    let (params, indices) = (g.x(0), g.x(1));
    let Gather { axis: Axis(axis), batch_dims } = g.op()?;
    let first_axis = axis == 0 || params.rank().is_some_and(|rank| axis == -(rank as i64));
    if !first_axis || batch_dims != 0 || indices.rank() != Some(0) {
        bail!(Unimplemented, "of variants only the gradient of one of a stack is there");
    }
    let (zeros, at) = (params.zeros_like()?, indices.cast(crate::DType::I64)?);
    let (count, next) =
        (size_vector(params)?.gather(&Tensor::scalar(0i64), 0)?, ops::add(&at, 1i64)?);
    let before = zeros.gather(&ops::range(0i64, &at, 1i64)?, 0)?;
    let after = zeros.gather(&ops::range(&next, &count, 1i64)?, 0)?;
    Ok(first(g, ops::concat(&[&before, &ops::expand_dims(g.dy()?, 0)?, &after], 0)?))
}

/// The gradient of a gather along the first axis, as slices. `rank` is that of the tensor, `ids`
/// that of the indices.
fn slices(
    params: &Tensor,
    indices: &Tensor,
    dy: &Tensor,
    (rank, ids): (usize, usize),
) -> Result<IndexedSlices> {
    let sizes = sizes(params)?;
    if ids == 1 {
        return IndexedSlices::new(dy, indices, sizes);
    }
    let indices = indices.reshape([-1])?;
    let rest = sizes.to_tensor()?.slice([1], [rank as i64 - 1])?;
    let count = size_vector(&indices)?;
    IndexedSlices::new(&dy.reshape(&ops::concat(&[&count, &rest], 0)?)?, &indices, sizes)
}

/// The product of the sizes where the condition holds, as an int64 scalar.
fn product_where(sizes: &Tensor, condition: &Tensor, rank: usize) -> Result<Tensor> {
    let factors = ops::select(condition, sizes, &sizes.ones_like()?)?;
    let factor = |i: usize| factors.gather(&Tensor::scalar(i as i64), 0);
    (0..rank).try_fold(Tensor::scalar(1i64), |p, i| ops::mul(&p, &factor(i)?))
}

/// The gradient of a gather with batch dimensions: one segment for each row of all batches and axis
/// positions.
fn batched_gather(g: &Gradient<'_>) -> Result<InputGradients> {
    let (params, indices, dy) = (g.x(0), g.x(1), g.dy()?);
    let (Some(rank), Some(ids)) = (params.rank(), indices.rank()) else {
        bail!(Unimplemented, "the gradient needs the ranks to be known while tracing")
    };
    let batch: i64 = g.get(Gather::BATCH_DIMS)?;
    let batch = if batch < 0 { batch + ids as i64 } else { batch };
    let axes = AxesOf::of(params, Some(rank))?;
    let axis = axes.positive(g.x(2))?;
    let (p, i) = (size_vector(params)?, axes.all);
    let in_batch = i.less(batch)?;
    let outer = product_where(&p, &in_batch, rank)?;
    let between = ops::logical_and(&in_batch.logical_not()?, &i.less(&axis)?)?;
    let middle = product_where(&p, &between, rank)?;
    let inner = product_where(&p, &i.greater(&axis)?, rank)?;
    let size = p.gather(&axis, 0)?;
    let per_batch = product_where(&size_vector(indices)?, &iota(ids).greater_equal(batch)?, ids)?;
    // dy is [outer, middle, per_batch, inner]; its rows go to segment (o, m, index).
    let one = Tensor::scalar(1i64);
    let rows = ops::mul(&outer, &middle)?;
    let base = ops::mul(&ops::range(Tensor::scalar(0i64), &rows, &one)?, &size)?;
    let base = base.reshape(&ops::stack(&[&outer, &middle, &one], 0)?)?;
    let index = indices.cast(DType::I64)?;
    let index = index.reshape(&ops::stack(&[&outer, &one, &per_batch], 0)?)?;
    let segments = ops::add(&base, &index)?;
    let dy = dy.reshape(&ops::stack(&[&outer, &middle, &per_batch, &inner], 0)?)?;
    let summed = ops::unsorted_segment_sum(&dy, &segments, &ops::mul(&rows, &size)?)?;
    Ok(first(g, summed.reshape(sizes(params)?)?))
}

pub(in crate::ops) fn slice(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, begin, dy) = (g.x(0), g.x(1), g.dy()?);
    let before = begin.cast(DType::I64)?;
    let after = ops::sub(&ops::sub(&size_vector(x)?, &before)?, &size_vector(dy)?)?;
    let paddings = ops::stack(&[&before, &after], 1)?;
    Ok(first(g, dy.pad(&paddings)?))
}

pub(in crate::ops) fn pad(g: &Gradient<'_>) -> Result<InputGradients> {
    let paddings = g.x(1).cast(DType::I64)?;
    let before = paddings.slice([0, 0], [-1, 1])?.reshape([-1])?;
    Ok(first(g, g.dy()?.slice(&before, sizes(g.x(0))?)?))
}
