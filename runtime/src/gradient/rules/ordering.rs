//! Ops that compare elements, indices, blocks, counts.

use super::super::broadcast::sizes;
use super::{first, no_gradients};
use crate::ops::{self, Axis, Op};
use crate::tensor::Tensor;
use crate::types::{DType, Result, err};

/// `0, 1, …, n - 1` as int64.
fn count_to(n: &Tensor) -> Result<Tensor> {
    ops::range(&Tensor::scalar(0i64), n, &Tensor::scalar(1i64))
}

// The largest elements get the cotangents of their values.
crate::define_gradient!("TopKV2", |g| {
    let (x, indices) = (g.x(0), &g.outputs[1]);
    let Some(dy) = &g.cotangents[0] else { return Ok(g.inputs.iter().map(|_| None).collect()) };
    let rank = x.rank().or(dy.rank()).ok_or_else(|| err!(Unimplemented, "the rank is unknown"))?;
    // Each row takes its places in one long row.
    let last = |t: &Tensor| ops::shape_of(t)?.gather(&Tensor::scalar(rank as i64 - 1), 0);
    let (n, k) = (last(x)?, last(dy)?);
    let rows = ops::floor_div(ops::size(dy)?, ops::maximum(&k, 1)?)?;
    let one = Tensor::scalar(1i64);
    let matrix = |t: &Tensor| t.reshape(&ops::stack(&[&rows, &k], 0)?);
    let begins = ops::mul(count_to(&rows)?, &n)?.reshape(&ops::stack(&[&rows, &one], 0)?)?;
    let places = ops::add(begins, matrix(&indices.cast(DType::I64)?)?)?;
    let spread = ops::unsorted_segment_sum(&matrix(dy)?, &places, &ops::size(x)?)?;
    Ok(first(g, spread.reshape(sizes(x)?)?))
});

crate::define_gradient!("SpaceToBatchND", |g| {
    let op = ops::BatchToSpace { block_shape: g.x(1).into(), crops: g.x(2).into() };
    Ok(first(g, op.run(&[g.dy()?])?))
});

crate::define_gradient!("BatchToSpaceND", |g| {
    let op = ops::SpaceToBatch { block_shape: g.x(1).into(), paddings: g.x(2).into() };
    Ok(first(g, op.run(&[g.dy()?])?))
});

crate::define_gradient!("SpaceToDepth", |g| {
    let data_format = g.attrs.get("data_format")?;
    let op = ops::DepthToSpace { block_size: g.attrs.get("block_size")?, data_format };
    Ok(first(g, op.run(&[g.dy()?])?))
});

crate::define_gradient!("DepthToSpace", |g| {
    let data_format = g.attrs.get("data_format")?;
    let op = ops::SpaceToDepth { block_size: g.attrs.get("block_size")?, data_format };
    Ok(first(g, op.run(&[g.dy()?])?))
});

// The parts go back to where their rows were.
crate::define_gradient!("DynamicPartition", |g| {
    let (data, partitions) = (g.x(0), g.x(1));
    let rows = ops::size(partitions)?;
    let places = count_to(&rows)?.cast(DType::I32)?.reshape(sizes(partitions)?)?;
    let op = ops::DynamicPartition { num_partitions: g.attrs.get("num_partitions")? };
    let places: Vec<Tensor> = op.run_as(&[&places, partitions])?;
    let cotangent = |(y, dy): (&Tensor, &Option<Tensor>)| match dy {
        Some(dy) => Ok(dy.clone()),
        None => y.zeros_like(),
    };
    let parts = g.outputs.iter().zip(g.cotangents).map(cotangent).collect::<Result<Vec<_>>>()?;
    let inputs: Vec<&Tensor> = places.iter().chain(&parts).collect();
    let together = ops::ParallelDynamicStitch {}.run(&inputs)?;
    Ok(first(g, together.reshape(sizes(data)?)?))
});

/// Each row gets the cotangent of its place, as in TensorFlow also where a later one replaced it.
fn stitched(g: &super::Gradient<'_>) -> Result<super::InputGradients> {
    let dy = g.dy()?;
    let indices = &g.inputs[..g.inputs.len() / 2];
    let rows = indices.iter().map(|ids| dy.gather(ids, 0).map(Some));
    indices.iter().map(|_| Ok(None)).chain(rows).collect()
}

crate::define_gradient!("DynamicStitch", stitched);
crate::define_gradient!("ParallelDynamicStitch", stitched);

/// Each weight gets the cotangent of its bin; those without a bin a zero put behind the last.
fn bincount(g: &super::Gradient<'_>) -> Result<super::InputGradients> {
    let (values, bins, weights, dy) = (g.x(0), g.x(1), g.x(2), g.dy()?);
    let binary = g.attrs.get("binary_output").unwrap_or(false);
    if binary || weights.shape().num_elements() == Some(0) {
        return Ok([None, None, None].into_iter().collect());
    }
    let rank = dy.rank().ok_or_else(|| err!(Unimplemented, "the rank is unknown"))?;
    let paddings = [&[[0i64, 0], [0, 1]][2 - rank.clamp(1, 2)..]].concat();
    let ids = ops::select(values.less(bins)?, values, bins)?;
    let op = ops::Gather { batch_dims: rank as i64 - 1, axis: Axis(rank as i64 - 1) };
    let of_weights = op.run(&[&dy.pad(paddings)?, &ids])?;
    Ok([None, None, Some(of_weights)].into_iter().collect())
}

crate::define_gradient!("Bincount", bincount);
crate::define_gradient!("DenseBincount", bincount);

// Numbers from `start` to `stop`: each is a mean of the two with known weights.
crate::define_gradient!("LinSpace", |g| {
    let dy = g.dy()?;
    let n = ops::size(dy)?;
    let steps = ops::maximum(ops::sub(&n, 1)?, 1)?.cast(dy.dtype())?;
    let of_stop = ops::mul(dy, ops::div(count_to(&n)?.cast(dy.dtype())?, steps)?)?;
    let of_start = ops::sub(dy, &of_stop)?;
    let sum = |t: Tensor| t.reduce_sum(.., false).map(Some);
    Ok([sum(of_start)?, sum(of_stop)?, None].into_iter().collect())
});

no_gradients!(
    "Unique",
    "UniqueV2",
    "UniqueWithCounts",
    "UniqueWithCountsV2",
    "ListDiff",
    "LowerBound",
    "UpperBound",
    "Bucketize",
    "OneHot",
    "InvertPermutation",
    "UnravelIndex",
    "ShapeN",
    "HistogramFixedWidth",
    "RaggedRange",
);
