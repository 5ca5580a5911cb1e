//! Types of results: elementwise ops: one function of each element, or of two that meet.

use crate::op::{InferContext, Types};
use crate::ops::infer::{broadcast_bool, one};
use crate::ops::{CastFn, EqualFn};
use crate::types::{DType, Result, Shape};

/// Equality: shapes that don't broadcast are refused, or compare as one false.
pub(in crate::ops) fn equality(c: &InferContext<'_>) -> Result<Types> {
    if c.get(EqualFn::INCOMPATIBLE_SHAPE_ERROR).unwrap_or(true) {
        return broadcast_bool(c);
    }
    let known = c.shape(0).is_fully_defined() && c.shape(1).is_fully_defined();
    match c.shape(0).broadcast(c.shape(1)) {
        Ok(shape) if known => one(DType::Bool, shape),
        Err(_) if known => one(DType::Bool, Shape::scalar()),
        _ => one(DType::Bool, Shape::unknown()),
    }
}

pub(in crate::ops) fn cast(c: &InferContext<'_>) -> Result<Types> {
    one(c.get(CastFn::DST)?, c.shape(0).clone())
}
