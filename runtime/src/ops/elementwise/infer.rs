//! Output types of elementwise ops.

use crate::ir::{InferContext, Types};
use crate::ops::elementwise::cast::no_text_of;
use crate::ops::rules::infer::{broadcast_bool, one};
use crate::ops::{CastFn, EqualFn};
use crate::types::{DType, Result, Shape};

/// The type of `equal` and `not_equal`. Shapes that don't broadcast are an error or give a scalar,
/// depending on `incompatible_shape_error`.
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
    let (from, to) = (c.input(0).dtype, c.get(CastFn::DST)?);
    if to == DType::String && from != to {
        return Err(no_text_of(from));
    }
    one(to, c.shape(0).clone())
}

pub(in crate::ops) fn select(c: &InferContext<'_>) -> Result<Types> {
    one(c.input(1).dtype, c.shape(0).broadcast(&c.shape(1).broadcast(c.shape(2))?)?)
}
