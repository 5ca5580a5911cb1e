//! Stacks of stacks of matrices.

use crate::ops::rules::batch::{Batch, Batched, Lane, leading};
use crate::types::Result;

/// Values, with vectors or with the placeholder for them, which is the same in all calls.
pub(in crate::ops) fn values(b: &Batch<'_>, vectors: bool) -> Result<Batched> {
    let found = leading(b)?;
    if vectors {
        return Ok(found);
    }
    let same = |(i, lane)| match lane {
        Lane::Each(t) if i > 0 => Lane::Same(t),
        lane => lane,
    };
    Ok(found.map(|lanes| lanes.into_iter().enumerate().map(same).collect()))
}
