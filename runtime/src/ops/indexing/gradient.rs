//! Gradients: elements and slices picked and put by coordinates; indices, partitions.

use crate::ops;
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, first, sizes};
use crate::ops::{DynamicPartition, GatherNd, NamedOp as _, Op as _, ScatterNd, count_to};
use crate::tensor::{Tensor, execute_one};
use crate::types::{DType, Result};

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
