//! Gradients: triangular factors, systems of equations, inverses, determinants.
//!
//! The rules are TensorFlow's (`linalg_grad.py`), except for `Lu`, whose rule is JAX's.

use super::matrices::*;
use crate::ops::linear::gradient::sum_batches;
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, first, no_gradients};
use crate::ops::{self, MatrixInverse, MatrixSolve, MatrixTriangularSolve, Op as _};
use crate::tensor::Tensor;
use crate::types::{Result, err};

/// The solution of triangular systems.
pub(super) fn solved(a: &Tensor, b: &Tensor, lower: bool, adjoint: bool) -> Result<Tensor> {
    MatrixTriangularSolve { lower, adjoint }.run(&[a, b])
}

pub(in crate::ops) fn cholesky(g: &Gradient<'_>) -> Result<Tensor> {
    of_cholesky(g.y(), g.dy()?)
}

/// The gradient of a matrix with this factor, for the cotangent of the factor.
pub(super) fn of_cholesky(l: &Tensor, dy: &Tensor) -> Result<Tensor> {
    // The adjoint of l times the gradient, between the inverse of l and its adjoint.
    let middle = lower_with_half_diagonal(&adjoint_product(l, dy)?)?;
    let left = solved(l, &middle, true, true)?;
    let whole = adjoint(&solved(l, &adjoint(&left)?, true, true)?)?;
    Ok((&whole + adjoint(&whole)?) * 0.5)
}

pub(in crate::ops) fn lu(g: &Gradient<'_>) -> Result<InputGradients> {
    let (lu, rows) = (g.y(), &g.outputs[1]);
    let Some(dy) = &g.cotangents[0] else { return Ok(no_gradients(g)) };
    let ones = diagonal_of(lu)?.ones_like()?;
    let (below, above) = (with_diagonal(&lower(lu)?, &ones)?, upper(lu)?);
    let strictly = |x: &Tensor| ops::sub(x, upper(x)?);
    let (of_below, of_above) = (strictly(dy)?, upper(dy)?);
    let middle = ops::add(
        strictly(&adjoint_product(&below, &of_below)?)?,
        upper(&product_adjoint(&of_above, &above)?)?,
    )?;
    let left = solved(&below, &middle, true, true)?;
    let whole = adjoint(&solved(&above, &adjoint(&left)?, false, false)?)?;
    // Row i of the factors is row `rows[i]` of the matrix.
    let n = match dy.shape().dim(-1)?.size() {
        Some(n) => ops::Integer::from(n),
        None => {
            let rank = dy.rank().ok_or_else(|| err!(Unimplemented, "the rank is unknown"))?;
            let last = ops::shape_of(dy)?.gather(&Tensor::scalar(rank as i64 - 1), 0)?;
            ops::Integer::Tensor(last.cast(crate::types::DType::I32)?)
        }
    };
    let one = Tensor::scalar(1i32).cast(dy.dtype())?;
    let order = rows.one_hot(n, one.dtype())?;
    Ok(first(g, adjoint_product(&order, &whole)?))
}

pub(in crate::ops) fn solve(g: &Gradient<'_>) -> Result<InputGradients> {
    let adjoint = g.get(MatrixSolve::ADJOINT)?;
    let (a, x) = (g.x(0), g.y());
    let of_b = MatrixSolve { adjoint: !adjoint }.run(&[a, g.dy()?])?;
    let of_a = of_matrix(g, &of_b, x, adjoint)?;
    Ok([of_a, Some(of_b)].into_iter().collect())
}

/// The gradient of the matrix of a system, given the gradient of the right side.
fn of_matrix(g: &Gradient<'_>, of_b: &Tensor, x: &Tensor, adjoint: bool) -> Result<Option<Tensor>> {
    let (left, right) = if adjoint { (x, of_b) } else { (of_b, x) };
    g.wants(0).then(|| ops::neg(&product_adjoint(left, right)?)).transpose()
}

pub(in crate::ops) fn triangular_solve(g: &Gradient<'_>) -> Result<InputGradients> {
    let is_lower = g.get(MatrixTriangularSolve::LOWER)?;
    let adjoint = g.get(MatrixTriangularSolve::ADJOINT)?;
    let (a, b, x) = (g.x(0), g.x(1), g.y());
    let of_b = solved(a, g.dy()?, is_lower, !adjoint)?;
    let of_a = match of_matrix(g, &of_b, x, adjoint)? {
        Some(of_a) if is_lower => Some(lower(&of_a)?),
        Some(of_a) => Some(upper(&of_a)?),
        None => None,
    };
    // Sum each over the batch axes along which it was broadcast.
    let of_a = of_a.map(|of_a| sum_batches(of_a, a)).transpose()?;
    Ok([of_a, Some(sum_batches(of_b, b)?)].into_iter().collect())
}

pub(in crate::ops) fn inverse(g: &Gradient<'_>) -> Result<Tensor> {
    let (y, dy) = (g.y(), g.dy()?);
    match g.get(MatrixInverse::ADJOINT)? {
        false => ops::neg(&adjoint_product(y, &product_adjoint(dy, y)?)?),
        true => ops::neg(&product_adjoint(y, &adjoint_product(y, dy)?)?),
    }
}

fn inverse_adjoint(x: &Tensor) -> Result<Tensor> {
    MatrixInverse { adjoint: true }.run(&[x])
}

pub(in crate::ops) fn determinant(g: &Gradient<'_>) -> Result<Tensor> {
    let weight = ops::mul(g.dy()?, ops::rules::gradient::conjugate(g.y())?)?;
    ops::mul(column(&column(&weight)?)?, inverse_adjoint(g.x(0))?)
}

pub(in crate::ops) fn log_determinant(g: &Gradient<'_>) -> Result<InputGradients> {
    // The sign gets no gradient.
    match &g.cotangents[1] {
        Some(dy) => Ok(first(g, ops::mul(column(&column(dy)?)?, inverse_adjoint(g.x(0))?)?)),
        None => Ok(no_gradients(g)),
    }
}
