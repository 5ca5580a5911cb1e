//! Types of results: shapes as values.

use crate::ir::{InferContext, Types};
use crate::ops::ShapeOf;
use crate::ops::rules::infer::one;
use crate::types::{DType, Dim, Result, Shape, TensorType};

pub(in crate::ops) fn shape_of(c: &InferContext<'_>) -> Result<Types> {
    one(c.get(ShapeOf::OUT_TYPE)?, [Dim::from(c.shape(0).rank())].into_iter().collect())
}

pub(in crate::ops) fn size_of(c: &InferContext<'_>) -> Result<Types> {
    one(c.get(ShapeOf::OUT_TYPE)?, Shape::scalar())
}

pub(in crate::ops) fn rank_of(_: &InferContext<'_>) -> Result<Types> {
    one(DType::I32, Shape::scalar())
}

pub(in crate::ops) fn broadcast_gradient_args(c: &InferContext<'_>) -> Result<Types> {
    for (i, name) in [(0, "`s0`"), (1, "`s1`")] {
        c.shape(i).with_rank(1).map_err(|e| e.prefixed(name))?;
    }
    let t = TensorType::new(c.input(0).dtype, Shape::of_rank(1));
    Ok([t.clone(), t].into_iter().collect())
}
