//! Gradients of diagonals and bands of matrices.

use crate::array::Scalar;
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, first, is_empty};
use crate::ops::{MatrixDiagPart, MatrixSetDiag, NamedOp as _};
use crate::tensor::{Tensor, execute_one};
use crate::types::Result;

/// The diagonals of a cotangent, packed like those of `like`, with zeros for padding.
fn packed(g: &Gradient<'_>, k: &Tensor, like: &Tensor) -> Result<Tensor> {
    // If there are no elements, the matrix may be too small for the diagonals.
    if is_empty(like) {
        return like.zeros_like();
    }
    let dy = g.dy()?;
    let zero = Tensor::from(Scalar::Int(0).to_array(dy.dtype())?);
    let part = |k: &Tensor| execute_one(MatrixDiagPart::DEF, g.attrs.clone(), &[dy, k, &zero]);
    let Some(([lower, upper], [l, u])) = beyond(dy, k)? else { return part(k) };
    // Diagonals outside the matrix have no elements: their rows are zeros.
    let inside = part(&Tensor::from_slice(&[l as i32, u as i32], &[2])?)?;
    let (whole, inside_sizes) = (dy.shape().sizes(), inside.shape().sizes());
    let (Some(whole), Some(inside_sizes)) = (whole, inside_sizes) else { return part(k) };
    let batch = &whole[..whole.len() - 2];
    let mut sizes: Vec<i64> = batch.iter().map(|n| *n as i64).collect();
    sizes.extend([u - l + 1, inside_sizes.last().map_or(0, |n| *n as i64)]);
    let mut paddings = vec![[0, 0]; sizes.len()];
    paddings[batch.len()] = [upper - u, l - lower];
    inside.reshape(sizes)?.pad(paddings)
}

/// The lowest and highest requested diagonals, and the lowest and highest of them that the matrices
/// have. `None` if the two are equal or unknown, or if the matrices have none of them.
fn beyond(matrices: &Tensor, k: &Tensor) -> Result<Option<([i64; 2], [i64; 2])>> {
    let (Ok(k), Some(sizes)) = (k.data(), matrices.shape().sizes()) else { return Ok(None) };
    let (&[lower, upper], &[.., rows, columns]) = (&k.to_i64s()?[..], &sizes[..]) else {
        return Ok(None);
    };
    let (rows, columns) = (rows as i64, columns as i64);
    let (l, u) = (lower.max(1 - rows), upper.min(columns - 1));
    Ok(((l, u) != (lower, upper) && l <= u).then_some(([lower, upper], [l, u])))
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
