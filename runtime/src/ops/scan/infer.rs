//! Output types of running reductions along one axis, and of the indices of the largest and smallest elements.

use crate::ir::{InferContext, Types};
use crate::ops::ArgMax;
use crate::ops::rules::infer::one;
use crate::types::{DType, DTypeSet, Result, Shape, bail, normalize_axis};

/// The axis that input 1 gives, if it and the rank are known.
fn axis(c: &InferContext<'_>) -> Result<Option<usize>> {
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

pub(in crate::ops) fn arg_reduce(c: &InferContext<'_>) -> Result<Types> {
    /// The dtypes that indices can have, as in TensorFlow.
    const INDICES: DTypeSet = DTypeSet::of(&[DType::I16, DType::U16, DType::I32, DType::I64]);
    let dtype: DType = c.get(ArgMax::OUTPUT_TYPE)?;
    if !INDICES.contains(dtype) {
        bail!("`output_type` can't be {dtype}, only {INDICES}");
    }
    let axis = axis(c)?;
    let Some(dims) = c.shape(0).dims() else { return one(dtype, Shape::unknown()) };
    match axis {
        Some(axis) => {
            let others = dims.iter().enumerate().filter(|(i, _)| *i != axis);
            one(dtype, others.map(|(_, d)| *d).collect())
        }
        None => one(dtype, Shape::of_rank(dims.len().saturating_sub(1))),
    }
}
