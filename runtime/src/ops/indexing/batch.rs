//! Batches of ops that pick elements by coordinates.

use crate::ops::OneHot;
use crate::ops::batch::{Batch, Batched, Lane, moved};
use crate::types::Result;

/// With one value for what is on, and one for what is off.
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

/// Of one tensor: the coordinates may be stacked as they like.
pub(in crate::ops) fn gather_nd(b: &Batch<'_>) -> Result<Batched> {
    match b.inputs {
        [Lane::Same(params), Lane::Each(indices)] if b.rank(1).is_some() => {
            b.run(&[params.clone(), indices.clone()])
        }
        _ => Ok(None),
    }
}
