//! Types: lists of tensors in variants.

use super::{
    TensorListConcat, TensorListElementShape, TensorListGather, TensorListGetItem,
    TensorListPopBack, TensorListStack,
};
use crate::ir::{InferContext, Types};
use crate::ops::rules::infer::{one, shape_of, shape_of_length};
use crate::types::{DType, Dim, Result, Shape, TensorType, bail};

/// The shape given by integers: -1 is an unknown size, a scalar -1 an unknown shape.
pub(super) fn shape(sizes: &[i64], rank: usize) -> Result<Shape> {
    match (rank, sizes) {
        (0, [-1]) => Ok(Shape::unknown()),
        (1, sizes) => shape_of(sizes),
        _ => bail!("a shape is a vector, or the scalar -1 if it is not known"),
    }
}

/// The shape in an input, as far as it is known.
fn asked(c: &InferContext<'_>, i: usize) -> Result<Shape> {
    let known = (c.constant)(i).map(|a| shape(&a.to_i64s()?, a.rank())).transpose()?;
    Ok(known.unwrap_or_else(|| shape_of_length(c.shape(i))))
}

fn scalar(c: &InferContext<'_>, i: usize) -> Result<()> {
    c.shape(i).with_rank(0).map(drop)
}

fn handle() -> TensorType {
    TensorType::new(DType::Variant, Shape::scalar())
}

/// A list made of a list.
pub(super) fn list(c: &InferContext<'_>) -> Result<Types> {
    scalar(c, 0)?;
    Ok([handle()].into())
}

/// A list made of a shape and a number.
pub(super) fn new_list(c: &InferContext<'_>) -> Result<Types> {
    asked(c, 0)?;
    scalar(c, 1)?;
    Ok([handle()].into())
}

/// A list made of the rows of a tensor.
pub(super) fn of_rows(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank_at_least(1)?;
    asked(c, 1)?;
    Ok([handle()].into())
}

/// A list made of rows at indices.
pub(super) fn of_scattered(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank_at_least(1)?;
    c.shape(1).with_rank(1)?;
    asked(c, 2)?;
    scalar(c, 3)?;
    Ok([handle()].into())
}

pub(super) fn scattered_into(c: &InferContext<'_>) -> Result<Types> {
    scalar(c, 0)?;
    c.shape(1).with_rank_at_least(1)?;
    c.shape(2).with_rank(1)?;
    Ok([handle()].into())
}

pub(super) fn of_parts(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank_at_least(1)?;
    asked(c, 1)?;
    c.shape(2).with_rank(1)?;
    Ok([handle()].into())
}

pub(super) fn set_item(c: &InferContext<'_>) -> Result<Types> {
    scalar(c, 1)?;
    list(c)
}

pub(super) fn len(c: &InferContext<'_>) -> Result<Types> {
    scalar(c, 0)?;
    one(DType::I32, Shape::scalar())
}

pub(super) fn element_shape(c: &InferContext<'_>) -> Result<Types> {
    scalar(c, 0)?;
    one(c.get(TensorListElementShape::DTYPE)?, Shape::unknown())
}

pub(super) fn get_item(c: &InferContext<'_>) -> Result<Types> {
    scalar(c, 0)?;
    scalar(c, 1)?;
    one(c.get(TensorListGetItem::DTYPE)?, asked(c, 2)?)
}

pub(super) fn pop_back(c: &InferContext<'_>) -> Result<Types> {
    scalar(c, 0)?;
    let item = TensorType::new(c.get(TensorListPopBack::DTYPE)?, asked(c, 1)?);
    Ok([handle(), item].into_iter().collect())
}

fn rows(n: Option<usize>, element: &Shape) -> Shape {
    Shape::from_iter([Dim::from(n)]).concatenate(element)
}

pub(super) fn stack(c: &InferContext<'_>) -> Result<Types> {
    scalar(c, 0)?;
    let n = usize::try_from(c.get(TensorListStack::NUM_ELEMENTS)?).ok();
    one(c.get(TensorListStack::DTYPE)?, rows(n, &asked(c, 1)?))
}

pub(super) fn gather(c: &InferContext<'_>) -> Result<Types> {
    scalar(c, 0)?;
    c.shape(1).with_rank(1)?;
    let n = c.shape(1).dims().and_then(|dims| dims[0].size());
    one(c.get(TensorListGather::DTYPE)?, rows(n, &asked(c, 2)?))
}

pub(super) fn concat(c: &InferContext<'_>) -> Result<Types> {
    scalar(c, 0)?;
    c.shape(2).with_rank(1)?;
    let element = asked(c, 1)?;
    let whole = match element.dims() {
        Some([]) => bail!("scalars have no axis along which they could follow each other"),
        Some(dims) => rows(None, &dims[1..].iter().copied().collect()),
        None => Shape::unknown(),
    };
    let lengths = TensorType::new(DType::I64, Shape::from_iter([Dim::UNKNOWN]));
    Ok([TensorType::new(c.get(TensorListConcat::DTYPE)?, whole), lengths].into_iter().collect())
}
