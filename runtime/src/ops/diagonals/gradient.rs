//! Gradients of diagonals and bands of matrices.

use crate::array::{Array, Scalar};
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, first, is_empty, sizes};
use crate::ops::{self, MatrixDiagPart, MatrixSetDiag, NamedOp as _, count_to};
use crate::tensor::{Tensor, execute_one};
use crate::types::{DType, Result};

/// The diagonals of a cotangent, packed with zeros for padding.
fn packed(g: &Gradient<'_>, k: &Tensor) -> Result<Tensor> {
    let dy = g.dy()?;
    let zero = Tensor::from(Scalar::Int(0).to_array(dy.dtype())?);
    execute_one(MatrixDiagPart::DEF, g.attrs.clone(), &[dy, k, &zero])
}

/// True if matrices like `y` are known to have all of these diagonals.
fn are_inside(k: &Tensor, y: &Tensor) -> bool {
    let Ok(k) = k.data().and_then(Array::to_i64s) else { return false };
    let sizes = y.shape().sizes();
    k.iter().all(|d| match sizes.as_deref() {
        Some([.., rows, columns]) => -(*rows as i64) < *d && *d < *columns as i64,
        _ => *d == 0,
    })
}

/// Matrices with their diagonals replaced.
fn replaced(g: &Gradient<'_>, x: &Tensor, diagonals: &Tensor, k: &Tensor) -> Result<Tensor> {
    let def = MatrixSetDiag::DEF;
    execute_one(def, g.attrs.clone(), &[x, diagonals, k])
}

pub(in crate::ops) fn matrix_band_part(g: &Gradient<'_>) -> Result<InputGradients> {
    let kept = execute_one(g.op, g.attrs.clone(), &[g.dy()?, g.x(1), g.x(2)])?;
    Ok(first(g, kept))
}

pub(in crate::ops) fn matrix_diag(g: &Gradient<'_>) -> Result<InputGradients> {
    let x = g.x(0);
    let gradient = if is_empty(x) {
        x.zeros_like()?
    } else if are_inside(g.x(1), g.y()) {
        packed(g, g.x(1))?
    } else {
        // The matrices may have some of the diagonals only. Those of numbers tell what went where.
        let count = ops::size(x)?.cast(DType::I64)?;
        let numbers = count_to(&count)?.reshape(sizes(x)?)?;
        let none = Tensor::scalar(-1i64);
        let inputs = [&numbers, g.x(1), g.x(2), g.x(3), &none];
        let places = execute_one(g.op, g.attrs.clone(), &inputs)?;
        ops::unsorted_segment_sum(g.dy()?, &places, &count)?.reshape(sizes(x)?)?
    };
    Ok([Some(gradient), None, None, None, g.missing(4)?].into_iter().collect())
}

pub(in crate::ops) fn matrix_diag_part(g: &Gradient<'_>) -> Result<InputGradients> {
    let matrices = replaced(g, &g.x(0).zeros_like()?, g.dy()?, g.x(1))?;
    Ok([Some(matrices), None, g.missing(2)?].into_iter().collect())
}

pub(in crate::ops) fn matrix_set_diag(g: &Gradient<'_>) -> Result<InputGradients> {
    let kept = replaced(g, g.dy()?, &g.x(1).zeros_like()?, g.x(2))?;
    Ok([Some(kept), Some(packed(g, g.x(2))?), None].into_iter().collect())
}

pub(in crate::ops) fn tensor_diag(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok(first(g, g.dy()?.tensor_diag_part()?))
}

pub(in crate::ops) fn tensor_diag_part(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok(first(g, g.dy()?.tensor_diag()?))
}
