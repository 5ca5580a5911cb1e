//! Elements picked and put by coordinates.

use super::super::broadcast::sizes;
use super::{Gradient, InputGradients, first, no_gradients};
use crate::ops;
use crate::tensor::{Tensor, execute_one};
use crate::types::Result;

/// What a cotangent has at the coordinates, under the call's own policy for bad ones.
fn picked(g: &Gradient<'_>, from: &Tensor, indices: &Tensor) -> Result<Tensor> {
    execute_one(crate::op::find_op("GatherNd")?, g.attrs.clone(), &[from, indices])
}

/// Zeros of the shape of `like` with rows added at the coordinates.
fn put(g: &Gradient<'_>, indices: &Tensor, rows: &Tensor, like: &Tensor) -> Result<Tensor> {
    let shape = sizes(like)?.to_tensor().cast(indices.dtype())?;
    execute_one(crate::op::find_op("ScatterNd")?, g.attrs.clone(), &[indices, rows, &shape])
}

crate::define_gradient!("GatherNd", |g| Ok(first(g, put(g, g.x(1), g.dy()?, g.x(0))?)));

crate::define_gradient!("ScatterNd", |g| {
    Ok([None, Some(picked(g, g.dy()?, g.x(0))?), None].into_iter().collect())
});

crate::define_gradient!("TensorScatterUpdate", |g| {
    let (indices, dy) = (g.x(1), g.dy()?);
    let zeros = g.x(2).zeros_like()?;
    let kept = execute_one(g.op, g.attrs.clone(), &[dy, indices, &zeros])?;
    Ok([Some(kept), None, Some(picked(g, dy, indices)?)].into_iter().collect())
});

crate::define_gradient!("TensorScatterAdd", |g| {
    let dy = g.dy()?;
    Ok([Some(dy.clone()), None, Some(picked(g, dy, g.x(1))?)].into_iter().collect())
});

crate::define_gradient!("TensorScatterSub", |g| {
    let dy = g.dy()?;
    Ok([Some(dy.clone()), None, Some(ops::neg(picked(g, dy, g.x(1))?)?)].into_iter().collect())
});

/// The smallest or largest elements share the cotangent of their place.
fn extremum(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, indices, updates, y, dy) = (g.x(0), g.x(1), g.x(2), g.y(), g.dy()?);
    let chosen = x.equal(y)?.cast(dy.dtype())?;
    let chosen_updates = updates.equal(&picked(g, y, indices)?)?.cast(dy.dtype())?;
    let count = ops::add(&chosen, &put(g, indices, &chosen_updates, x)?)?;
    let gx = ops::div(&ops::mul(dy, &chosen)?, &count)?;
    let shares = picked(g, &ops::div(dy, &count)?, indices)?;
    let gu = ops::mul(&shares, &chosen_updates)?;
    Ok([Some(gx), None, Some(gu)].into_iter().collect())
}

crate::define_gradient!("TensorScatterMin", extremum);
crate::define_gradient!("TensorScatterMax", extremum);

no_gradients!("Where");
