//! Elements and slices picked and put by lists of coordinates.

use super::one;
use crate::op::{InferContext, Types};
use crate::types::{DType, Dim, Result, Shape, bail};

/// The shape of indices without the coordinates, and their number if it is known.
fn coordinates(indices: &Shape) -> Result<(Shape, Option<usize>)> {
    indices.with_rank_at_least(1).map_err(|e| e.prefixed("`indices`"))?;
    Ok((indices.slice(None, Some(-1)), indices.dims().and_then(|d| d.last()?.size())))
}

/// What is left of a shape behind the axes that coordinates name.
fn behind(shape: &Shape, depth: usize, what: &str) -> Result<Shape> {
    match shape.rank() {
        Some(rank) if depth > rank => {
            bail!("indices of {depth} coordinates for `{what}` of shape {shape}")
        }
        Some(_) => Ok(shape.slice(Some(depth as i64), None)),
        None => Ok(Shape::unknown()),
    }
}

pub(in super::super) fn gather_nd(c: &InferContext<'_>) -> Result<Types> {
    let (params, indices) = (c.shape(0), c.shape(1));
    let (outer, depth) = coordinates(indices)?;
    let inner = match depth {
        Some(depth) => behind(params, depth, "params")?,
        None => Shape::unknown(),
    };
    let shape = if indices.rank().is_some() { outer.concatenate(&inner) } else { Shape::unknown() };
    one(c.input(0).dtype, shape)
}

/// Checks that updates have a slice of `shape` for each row of the indices.
pub(in super::super) fn check_updates(
    shape: &Shape,
    indices: &Shape,
    updates: &Shape,
) -> Result<()> {
    let (outer, depth) = coordinates(indices)?;
    updates.with_rank_at_least(1).map_err(|e| e.prefixed("`updates`"))?;
    if indices.rank().is_none() {
        return Ok(());
    }
    let inner = match depth {
        Some(depth) => behind(shape, depth, "shape")?,
        None => Shape::unknown(),
    };
    let want = outer.concatenate(&inner);
    if !want.is_compatible_with(updates) {
        bail!(
            "updates of shape {updates} for indices of shape {indices} into shape {shape}: they \
             must have shape {want}"
        );
    }
    let none = |s: &Shape| s.num_elements() == Some(0);
    let some = |s: &Shape| s.num_elements().is_some_and(|n| n > 0);
    if none(shape) && (some(indices) || some(updates)) {
        bail!("indices of shape {indices} into shape {shape}, which has no elements");
    }
    Ok(())
}

pub(in super::super) fn scatter_nd(c: &InferContext<'_>) -> Result<Types> {
    let shape = super::asked_shape(c, 2)?;
    check_updates(&shape, c.shape(0), c.shape(1))?;
    one(c.input(1).dtype, shape)
}

pub(in super::super) fn tensor_scatter(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank_at_least(1).map_err(|e| e.prefixed("`tensor`"))?;
    check_updates(c.shape(0), c.shape(1), c.shape(2))?;
    one(c.input(0).dtype, c.shape(0).clone())
}

pub(in super::super) fn where_(c: &InferContext<'_>) -> Result<Types> {
    one(DType::I64, [Dim::UNKNOWN, Dim::from(c.shape(0).rank())].into_iter().collect())
}
