//! Batches of ops that pick elements by indices and coordinates.

use crate::ops::methods::*;
use crate::ops::rules::batch::{Batch, Batched, Lane, integers_like, moved, one};
use crate::ops::{self, Ellipsis, Gather, Integers, OneHot, StaticInput as _};
use crate::tensor::Tensor;
use crate::types::{Result, normalize_axis};

/// One-hot of stacked indices, if the on and off values are the same in all calls.
pub(in crate::ops) fn one_hot(b: &Batch<'_>) -> Result<Batched> {
    let [Lane::Each(indices), others @ ..] = b.inputs else { return Ok(None) };
    let mut inputs = vec![indices.clone()];
    for other in others {
        let Lane::Same(other) = other else { return Ok(None) };
        inputs.push(other.clone());
    }
    let axis = moved(b.get(OneHot::AXIS)?);
    b.run_with(b.attrs.clone().with(OneHot::AXIS, &axis), &inputs)
}

pub(in crate::ops) fn gather(b: &Batch<'_>) -> Result<Batched> {
    let (Some(axis), Some(given)) = (b.integers(2).and_then(|a| a.first().copied()), b.same(2))
    else {
        return Ok(None);
    };
    let (Some(rank), Some(ids)) = (b.rank(0), b.rank(1)) else { return Ok(None) };
    let axis = normalize_axis(axis, rank)?;
    let dims: i64 = b.get(Gather::BATCH_DIMS)?;
    let dims = if dims < 0 { dims + ids as i64 } else { dims };
    let with = |dims: i64| b.attrs.clone().with(Gather::BATCH_DIMS, &dims);
    if let (Some(params), Lane::Each(indices), 0) = (b.same(0), &b.inputs[1], dims) {
        // The batch axis is where the indices are: behind the axes before the gathered one.
        let found = b.run_with(with(0), &[params.clone(), indices.clone(), given.clone()])?;
        let Some([Lane::Each(found)]) = found.as_deref() else { return Ok(None) };
        if axis == 0 {
            return one(found.clone());
        }
        let all = rank + ids;
        let order = std::iter::once(axis).chain(0..axis).chain(axis + 1..all);
        return one(found.transpose(order.collect::<Vec<_>>())?);
    }
    let axis = integers_like(given, &[axis as i64 + 1])?;
    match (&b.inputs[1], dims) {
        (Lane::Same(indices), 0) => b.run_with(with(0), &[b.all(0)?, indices.clone(), axis]),
        _ => b.run_with(with(dims + 1), &[b.all(0)?, b.all(1)?, axis]),
    }
}

/// Gathers from a tensor that is the same in all calls: the coordinates may have any leading axes.
pub(in crate::ops) fn gather_nd(b: &Batch<'_>) -> Result<Batched> {
    match b.inputs {
        [Lane::Same(params), Lane::Each(indices)] if b.rank(1).is_some() => {
            b.run(&[params.clone(), indices.clone()])
        }
        _ => Ok(None),
    }
}

/// Coordinates of all calls, with the number of the call first.
fn coordinates(b: &Batch<'_>, i: usize) -> Result<Option<Tensor>> {
    let depth = b.types[i].shape.dims().and_then(|dims| dims.last()?.size());
    if depth.is_none_or(|n| n == 0) {
        return Ok(None);
    }
    let all = b.all(i)?;
    let mut calls = ops::range(0i64, &b.count.tensor, 1i64)?.cast(all.dtype())?;
    for _ in 0..b.rank(i).unwrap_or(0) {
        calls = calls.expand_dims(-1)?;
    }
    let calls = ops::add(all.index((Ellipsis, 0..1))?.zeros_like()?, calls)?;
    ops::concat(&[&calls, &all], -1).map(Some)
}

pub(in crate::ops) fn tensor_scatter(b: &Batch<'_>) -> Result<Batched> {
    let ranks = b.rank(0).and(b.rank(2));
    match (ranks, coordinates(b, 1)?) {
        (Some(_), Some(at)) => b.run(&[b.all(0)?, at, b.all(2)?]),
        _ => Ok(None),
    }
}

pub(in crate::ops) fn scatter_nd(b: &Batch<'_>) -> Result<Batched> {
    let (Some(_), Some(shape), Some(at)) = (b.rank(1), b.same(2), coordinates(b, 0)?) else {
        return Ok(None);
    };
    let shape = b.count.stacked(&Integers::from_input(Some(shape))?)?.to_tensor()?;
    b.run(&[at.clone(), b.all(1)?, shape.cast(at.dtype())?])
}
