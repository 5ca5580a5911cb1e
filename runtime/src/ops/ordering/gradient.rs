//! Gradients of ordering ops.

use crate::ops;
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, first, sizes};
use crate::ops::{Direction, SortRows, count_to};
use crate::tensor::Tensor;
use crate::types::{DType, Result};

/// The elements of a row that equal its result share its cotangent.
pub(in crate::ops) fn nth_element(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, dy) = (g.x(0), g.dy()?.expand_dims(-1)?);
    let chosen = x.equal(&g.y().expand_dims(-1)?)?.cast(dy.dtype())?;
    let count = chosen.reduce_sum(-1, true)?;
    Ok(first(g, ops::mul(&ops::div(&chosen, &count)?, &dy)?))
}

/// The largest elements get the cotangents of their values.
pub(in crate::ops) fn top_k(g: &Gradient<'_>) -> Result<InputGradients> {
    match &g.cotangents[0] {
        Some(dy) => spread(g, dy, &g.outputs[1]),
        None => Ok(g.inputs.iter().map(|_| None).collect()),
    }
}

/// Each element gets the cotangent of the place that it is sorted to.
pub(in crate::ops) fn sort_rows(g: &Gradient<'_>) -> Result<InputGradients> {
    let direction = match g.get(SortRows::DESCENDING)? {
        true => Direction::Descending,
        false => Direction::Ascending,
    };
    let dy = match g.get(SortRows::PLACE)? {
        ..0 => g.dy()?.clone(),
        _ => {
            let sorted = places(g.y(), &g.y().argsort(direction)?)?;
            g.dy()?.reshape([-1])?.gather(&sorted, 0)?
        }
    };
    spread(g, &dy, &g.x(0).argsort(direction)?)
}

/// The cotangents of elements picked from rows by their indices.
fn spread(g: &Gradient<'_>, dy: &Tensor, indices: &Tensor) -> Result<InputGradients> {
    let x = g.x(0);
    let places = places(x, indices)?;
    let dy = dy.reshape(&ops::shape_of(&places)?)?;
    let spread = ops::unsorted_segment_sum(&dy, &places, &ops::size(x)?)?;
    Ok(first(g, spread.reshape(sizes(x)?)?))
}

/// Indices into rows of a tensor as indices into the flattened tensor, `[rows, indices of a row]`.
fn places(x: &Tensor, indices: &Tensor) -> Result<Tensor> {
    let last = |t: &Tensor| ops::shape_of(t)?.index(-1);
    let (n, k) = (last(x)?, last(indices)?);
    let rows = ops::floor_div(ops::size(indices)?, ops::maximum(&k, 1)?)?;
    let one = Tensor::scalar(1i64);
    let begins = ops::mul(count_to(&rows)?, &n)?.reshape(&ops::stack(&[&rows, &one], 0)?)?;
    ops::add(begins, indices.cast(DType::I64)?.reshape(&ops::stack(&[&rows, &k], 0)?)?)
}
