//! Output types of softmax, cross entropies and other losses.

use crate::ir::{InferContext, Types};
use crate::ops::rules::infer::one;
use crate::types::{DType, Dim, Result, Shape, TensorType, bail};

pub(in crate::ops) fn rows(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank_at_least(1)?;
    Ok([c.input(0).clone()].into())
}

pub(in crate::ops) fn cross_entropy(c: &InferContext<'_>) -> Result<Types> {
    let logits = c.shape(0).with_rank(2).map_err(|e| e.prefixed("`features`"))?;
    let labels = c.shape(1).with_rank(2).map_err(|e| e.prefixed("`labels`"))?;
    losses(c, logits.broadcast(&labels)?)
}

pub(in crate::ops) fn sparse_cross_entropy(c: &InferContext<'_>) -> Result<Types> {
    let logits = c.shape(0).with_rank(2).map_err(|e| e.prefixed("`features`"))?;
    let labels = c.shape(1).with_rank(1).map_err(|e| e.prefixed("`labels`"))?;
    let (rows, count) = (logits.dim(0)?, labels.dim(0)?);
    if !rows.is_compatible_with(count) {
        bail!("{count} labels for logits of shape {logits}");
    }
    let rows = if rows.is_known() { rows } else { count };
    losses(c, [rows, logits.dim(1)?].into_iter().collect())
}

/// A loss for each row, and its derivative, which has the shape of the logits.
fn losses(c: &InferContext<'_>, logits: Shape) -> Result<Types> {
    let dtype = c.input(0).dtype;
    let loss = TensorType::new(dtype, [logits.dim(0)?].into_iter().collect::<Shape>());
    Ok([loss, TensorType::new(dtype, logits)].into_iter().collect())
}

pub(in crate::ops) fn scalar(c: &InferContext<'_>) -> Result<Types> {
    one(c.input(0).dtype, Shape::scalar())
}

pub(in crate::ops) fn in_top_k(c: &InferContext<'_>) -> Result<Types> {
    let predictions = c.shape(0).with_rank(2).map_err(|e| e.prefixed("`predictions`"))?;
    let targets = c.shape(1).with_rank(1).map_err(|e| e.prefixed("`targets`"))?;
    c.shape(2).with_rank(0).map_err(|e| e.prefixed("`k`"))?;
    let (rows, count): (Dim, Dim) = (predictions.dim(0)?, targets.dim(0)?);
    if !rows.is_compatible_with(count) {
        bail!("{count} targets for predictions of shape {predictions}");
    }
    one(DType::Bool, [if rows.is_known() { rows } else { count }].into_iter().collect())
}
