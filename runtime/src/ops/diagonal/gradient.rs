//! Gradients: diagonals and bands of matrices.

use crate::array::Scalar;
use crate::ops::gradient::{Gradient, InputGradients, first, is_empty};
use crate::ops::methods::*;
use crate::ops::{MatrixDiagPart, MatrixSetDiag, NamedOp as _};
use crate::tensor::{Tensor, execute_one};
use crate::types::Result;

/// The diagonals of a cotangent, as those of `like` are packed, with zeros for padding.
fn packed(g: &Gradient<'_>, k: &Tensor, like: &Tensor) -> Result<Tensor> {
    // A matrix may be too small for diagonals without elements.
    if is_empty(like) {
        return like.zeros_like();
    }
    let dy = g.dy()?;
    let zero = Tensor::from(Scalar::Int(0).to_array(dy.dtype())?);
    let def = MatrixDiagPart::DEF;
    execute_one(def, g.attrs.clone(), &[dy, k, &zero])
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
    Ok([Some(packed(g, g.x(1), g.x(0))?), None, None, None, g.missing(4)?].into_iter().collect())
}

pub(in crate::ops) fn matrix_diag_part(g: &Gradient<'_>) -> Result<InputGradients> {
    let matrices = replaced(g, &g.x(0).zeros_like()?, g.dy()?, g.x(1))?;
    Ok([Some(matrices), None, g.missing(2)?].into_iter().collect())
}

pub(in crate::ops) fn matrix_set_diag(g: &Gradient<'_>) -> Result<InputGradients> {
    let kept = replaced(g, g.dy()?, &g.x(1).zeros_like()?, g.x(2))?;
    Ok([Some(kept), Some(packed(g, g.x(2), g.x(1))?), None].into_iter().collect())
}

pub(in crate::ops) fn tensor_diag(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok(first(g, g.dy()?.tensor_diag_part()?))
}

pub(in crate::ops) fn tensor_diag_part(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok(first(g, g.dy()?.tensor_diag()?))
}
