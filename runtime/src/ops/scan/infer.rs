//! Output types of running reductions along one axis.

use crate::ir::{InferContext, Types};
use crate::types::{Result, bail, normalize_axis};

/// The axis that input 1 gives, if it and the rank are known.
pub(in crate::ops) fn axis(c: &InferContext<'_>) -> Result<Option<usize>> {
    // The axis is a scalar or a vector of one element.
    c.shape(1).with_rank_at_most(1)?;
    match (c.integers(1).as_deref(), c.shape(0).rank()) {
        (Some([axis]), Some(rank)) => normalize_axis(*axis, rank).map(Some),
        (Some(axes), Some(_)) => bail!("the axis must be one integer, not {axes:?}"),
        _ => Ok(None),
    }
}

pub(in crate::ops) fn scan(c: &InferContext<'_>) -> Result<Types> {
    axis(c)?;
    Ok([c.input(0).clone()].into())
}
