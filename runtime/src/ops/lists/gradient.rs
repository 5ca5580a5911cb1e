//! Gradients: lists of tensors in variants. The gradient of a list is a list.

use super::{
    TensorListConcat, TensorListElementShape, TensorListFromTensor, TensorListGather,
    TensorListGetItem, TensorListLength, TensorListPopBack, TensorListPushBack, TensorListReserve,
    TensorListResize, TensorListSetItem, TensorListSplit, TensorListStack,
};
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, first, is_empty};
use crate::ops::{Op, ShapeOf, unsorted_segment_sum};
use crate::tensor::Tensor;
use crate::types::{DType, Result};

/// The shape as a list's op takes it.
fn sizes(x: &Tensor) -> Result<Tensor> {
    ShapeOf { out_type: DType::I32 }.run(&[x])
}

/// A list like this one in which no element was set. Its elements may differ in shape.
fn reserve(list: &Tensor, of: &Tensor) -> Result<Tensor> {
    let len = TensorListLength {}.run(&[list])?;
    let shape = TensorListElementShape { dtype: DType::I32 }.run(&[list])?;
    TensorListReserve { dtype: of.dtype() }.run(&[&shape, &len])
}

pub(super) fn push_back(g: &Gradient<'_>) -> Result<InputGradients> {
    let item = g.x(1);
    let pop = TensorListPopBack { dtype: item.dtype() };
    let (list, item) = pop.run_as(&[g.dy()?, &sizes(item)?])?;
    Ok([Some(list), Some(item)].into_iter().collect())
}

pub(super) fn pop_back(g: &Gradient<'_>) -> Result<InputGradients> {
    let item = match &g.cotangents[1] {
        Some(dy) => dy.clone(),
        None => g.outputs[1].zeros_like()?,
    };
    let list = match &g.cotangents[0] {
        Some(list) => list.clone(),
        None => reserve(&g.outputs[0], &item)?,
    };
    Ok(first(g, TensorListPushBack {}.run(&[&list, &item])?))
}

pub(super) fn get_item(g: &Gradient<'_>) -> Result<InputGradients> {
    let dy = g.dy()?;
    let list = reserve(g.x(0), dy)?;
    Ok(first(g, TensorListSetItem { grows: false }.run(&[&list, g.x(1), dy])?))
}

pub(super) fn set_item(g: &Gradient<'_>) -> Result<InputGradients> {
    let (dlist, at, item) = (g.dy()?, g.x(1), g.x(2));
    let found = TensorListGetItem { dtype: item.dtype() }.run(&[dlist, at, &sizes(item)?])?;
    let list = TensorListSetItem { grows: false }.run(&[dlist, at, &item.zeros_like()?])?;
    // The elements by which the list grew are no part of the list before.
    let list = TensorListResize {}.run(&[&list, &TensorListLength {}.run(&[g.x(0)])?])?;
    Ok([Some(list), None, Some(found)].into_iter().collect())
}

pub(super) fn resize(g: &Gradient<'_>) -> Result<InputGradients> {
    let len = TensorListLength {}.run(&[g.x(0)])?;
    Ok(first(g, TensorListResize {}.run(&[g.dy()?, &len])?))
}

pub(super) fn stack(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok(first(g, TensorListFromTensor {}.run(&[g.dy()?, g.x(1)])?))
}

pub(super) fn from_tensor(g: &Gradient<'_>) -> Result<InputGradients> {
    let op = TensorListStack { dtype: g.x(0).dtype(), num_elements: -1 };
    let rows = sizes(g.x(0))?.slice([1], [-1])?;
    Ok(first(g, op.run(&[g.dy()?, &rows])?))
}

pub(super) fn gather(g: &Gradient<'_>) -> Result<InputGradients> {
    // An index may occur twice, so the rows of an index are added up.
    let len = TensorListLength {}.run(&[g.x(0)])?;
    let sums = unsorted_segment_sum(g.dy()?, g.x(1), &len)?;
    Ok(first(g, TensorListFromTensor {}.run(&[&sums, g.x(2)])?))
}

/// The cotangents of the rows that were set.
fn rows(g: &Gradient<'_>, tensor: &Tensor, indices: &Tensor) -> Result<Tensor> {
    let rows = sizes(tensor)?.slice([1], [-1])?;
    TensorListGather { dtype: tensor.dtype() }.run(&[g.dy()?, indices, &rows])
}

pub(super) fn scatter_v2(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok(first(g, rows(g, g.x(0), g.x(1))?))
}

pub(super) fn scatter_into(g: &Gradient<'_>) -> Result<InputGradients> {
    let (tensor, indices) = (g.x(1), g.x(2));
    let set = if is_empty(tensor) { tensor.zeros_like()? } else { rows(g, tensor, indices)? };
    let zeros = super::TensorListScatterInto {};
    let list = zeros.run(&[g.dy()?, &tensor.zeros_like()?, indices])?;
    Ok([Some(list), Some(set), None].into_iter().collect())
}

pub(super) fn concat(g: &Gradient<'_>) -> Result<InputGradients> {
    let parts = TensorListSplit {}.run(&[g.dy()?, g.x(1), &g.outputs[1]])?;
    Ok(first(g, parts))
}

pub(super) fn split(g: &Gradient<'_>) -> Result<InputGradients> {
    let op = TensorListConcat { dtype: g.x(0).dtype() };
    let (tensor, _lengths): (Tensor, Tensor) = op.run_as(&[g.dy()?, g.x(1), g.x(2)])?;
    Ok(first(g, tensor))
}
