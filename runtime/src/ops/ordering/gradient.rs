//! Gradients of ordering ops.

use crate::ops;
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, first, sizes};
use crate::ops::{Direction, SortRows, count_to};
use crate::tensor::Tensor;
use crate::types::{DType, Result, err};

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
        _ => g.dy()?.take_along_axis(g.y().argsort(direction)?, -1)?,
    };
    spread(g, &dy, &g.x(0).argsort(direction)?)
}

/// The cotangents of elements picked from rows by their indices.
fn spread(g: &Gradient<'_>, dy: &Tensor, indices: &Tensor) -> Result<InputGradients> {
    let x = g.x(0);
    let rank = x.rank().or(dy.rank()).ok_or_else(|| err!(Unimplemented, "the rank is unknown"))?;
    // Indices into rows become indices into the flattened tensor.
    let last = |t: &Tensor| ops::shape_of(t)?.gather(&Tensor::scalar(rank as i64 - 1), 0);
    let (n, k) = (last(x)?, last(dy)?);
    let rows = ops::floor_div(ops::size(dy)?, ops::maximum(&k, 1)?)?;
    let one = Tensor::scalar(1i64);
    let matrix = |t: &Tensor| t.reshape(&ops::stack(&[&rows, &k], 0)?);
    let begins = ops::mul(count_to(&rows)?, &n)?.reshape(&ops::stack(&[&rows, &one], 0)?)?;
    let places = ops::add(begins, matrix(&indices.cast(DType::I64)?)?)?;
    let spread = ops::unsorted_segment_sum(&matrix(dy)?, &places, &ops::size(x)?)?;
    Ok(first(g, spread.reshape(sizes(x)?)?))
}
