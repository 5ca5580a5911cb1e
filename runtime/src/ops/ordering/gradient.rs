//! Gradients of ordering ops.

use crate::ops;
use crate::ops::count_to;
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, first, sizes};
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
    let (x, indices) = (g.x(0), &g.outputs[1]);
    let Some(dy) = &g.cotangents[0] else { return Ok(g.inputs.iter().map(|_| None).collect()) };
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
