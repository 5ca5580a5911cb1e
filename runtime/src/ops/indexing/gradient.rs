//! Gradients: elements and slices picked and put by coordinates; indices, partitions.

use crate::ops;
use crate::ops::methods::*;
use crate::ops::movement::gradient::{AxesOf, iota, size_vector};
use crate::ops::rules::gradient::{Gradient, InputGradients, first, sizes};
use crate::ops::{
    Axis, DynamicPartition, Gather, GatherNd, IndexedSlices, NamedOp as _, Op as _, ScatterNd,
    count_to,
};
use crate::tensor::{Tensor, execute_one};
use crate::types::{DType, Result, bail, normalize_axis};

/// Puts the cotangents of the parts back where their rows were.
pub(in crate::ops) fn dynamic_partition(g: &Gradient<'_>) -> Result<InputGradients> {
    let (data, partitions) = (g.x(0), g.x(1));
    let rows = ops::size(partitions)?;
    let places = count_to(&rows)?.cast(DType::I32)?.reshape(sizes(partitions)?)?;
    let op = ops::DynamicPartition { num_partitions: g.get(DynamicPartition::NUM_PARTITIONS)? };
    let places: Vec<Tensor> = op.run_as(&[&places, partitions])?;
    let cotangent = |(y, dy): (&Tensor, &Option<Tensor>)| match dy {
        Some(dy) => Ok(dy.clone()),
        None => y.zeros_like(),
    };
    let parts = g.outputs.iter().zip(g.cotangents).map(cotangent).collect::<Result<Vec<_>>>()?;
    let inputs: Vec<&Tensor> = places.iter().chain(&parts).collect();
    let together = ops::ParallelDynamicStitch {}.run(&inputs)?;
    Ok(first(g, together.reshape(sizes(data)?)?))
}

/// Each row gets the cotangent of its place, even if a later row replaced it, as in TensorFlow.
pub(in crate::ops) fn stitched(g: &Gradient<'_>) -> Result<InputGradients> {
    let dy = g.dy()?;
    let indices = &g.inputs[..g.inputs.len() / 2];
    let rows = indices.iter().map(|ids| dy.gather(ids, 0).map(Some));
    indices.iter().map(|_| Ok(None)).chain(rows).collect()
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
    let (zeros, at) = (params.zeros_like()?, indices.cast(DType::I64)?);
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

/// The elements of `from` at the coordinates, with the call's policy for bad indices.
fn picked(g: &Gradient<'_>, from: &Tensor, indices: &Tensor) -> Result<Tensor> {
    execute_one(GatherNd::DEF, g.attrs.clone(), &[from, indices])
}

/// Zeros of the shape of `like` with rows added at the coordinates.
fn put(g: &Gradient<'_>, indices: &Tensor, rows: &Tensor, like: &Tensor) -> Result<Tensor> {
    // Sizes may not fit the integer type of the indices.
    let (indices, shape) = (indices.cast(DType::I64)?, sizes(like)?.to_tensor()?);
    execute_one(ScatterNd::DEF, g.attrs.clone(), &[&indices, rows, &shape])
}

pub(in crate::ops) fn gather_nd(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, indices, dy) = (g.x(0), g.x(1), g.dy()?);
    // A single place becomes a list of one.
    let dx = match indices.rank() {
        None | Some(1) => put(g, &indices.expand_dims(0)?, &dy.expand_dims(0)?, x)?,
        Some(_) => put(g, indices, dy, x)?,
    };
    Ok(first(g, dx))
}

/// The gradient of each value sums the cotangents where it stands.
pub(in crate::ops) fn one_hot(g: &Gradient<'_>) -> Result<InputGradients> {
    let (dy, (indices, depth)) = (g.dy()?, (g.x(0), g.x(1)));
    let of = |i: usize, on: i64, off: i64| {
        let used = || {
            let value = |v: i64| Tensor::scalar(v).cast(dy.dtype());
            let marks =
                execute_one(g.op, g.attrs.clone(), &[indices, depth, &value(on)?, &value(off)?])?;
            ops::mul(dy, &marks)?.reduce_sum(.., false)
        };
        g.wants(i).then(used).transpose()
    };
    Ok([None, None, of(2, 1, 0)?, of(3, 0, 1)?].into_iter().collect())
}

pub(in crate::ops) fn scatter_nd(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok([None, Some(picked(g, g.dy()?, g.x(0))?), None].into_iter().collect())
}

pub(in crate::ops) fn tensor_scatter_update(g: &Gradient<'_>) -> Result<InputGradients> {
    let (indices, dy) = (g.x(1), g.dy()?);
    let zeros = g.x(2).zeros_like()?;
    let kept = execute_one(g.op, g.attrs.clone(), &[dy, indices, &zeros])?;
    Ok([Some(kept), None, Some(picked(g, dy, indices)?)].into_iter().collect())
}

pub(in crate::ops) fn tensor_scatter_add(g: &Gradient<'_>) -> Result<InputGradients> {
    let dy = g.dy()?;
    Ok([Some(dy.clone()), None, Some(picked(g, dy, g.x(1))?)].into_iter().collect())
}

pub(in crate::ops) fn tensor_scatter_sub(g: &Gradient<'_>) -> Result<InputGradients> {
    let dy = g.dy()?;
    Ok([Some(dy.clone()), None, Some(ops::neg(picked(g, dy, g.x(1))?)?)].into_iter().collect())
}

/// The elements equal to the minimum or maximum share the cotangent of their place.
pub(in crate::ops) fn extremum(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, indices, updates, y, dy) = (g.x(0), g.x(1), g.x(2), g.y(), g.dy()?);
    let chosen = x.equal(y)?.cast(dy.dtype())?;
    let chosen_updates = updates.equal(&picked(g, y, indices)?)?.cast(dy.dtype())?;
    let count = ops::add(&chosen, &put(g, indices, &chosen_updates, x)?)?;
    let gx = ops::div(&ops::mul(dy, &chosen)?, &count)?;
    let shares = picked(g, &ops::div(dy, &count)?, indices)?;
    let gu = ops::mul(&shares, &chosen_updates)?;
    Ok([Some(gx), None, Some(gu)].into_iter().collect())
}
