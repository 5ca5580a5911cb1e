//! Batches of ops that pick elements by coordinates.

use crate::ops::OneHot;
use crate::ops::rules::batch::{Batch, Batched, Lane, moved};
use crate::types::Result;

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

/// Gathers from a tensor that is the same in all calls: the coordinates may have any leading axes.
pub(in crate::ops) fn gather_nd(b: &Batch<'_>) -> Result<Batched> {
    match b.inputs {
        [Lane::Same(params), Lane::Each(indices)] if b.rank(1).is_some() => {
            b.run(&[params.clone(), indices.clone()])
        }
        _ => Ok(None),
    }
}
