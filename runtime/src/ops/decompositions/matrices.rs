//! Helpers on stacks of matrices, for gradients.

use crate::ops::methods::*;
use crate::ops::rules::gradient::conjugate;
use crate::ops::{self, BatchMatMul, Op as _};
use crate::tensor::Tensor;
use crate::types::Result;

/// `a b`.
pub(crate) fn product(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    BatchMatMul { adj_x: false, adj_y: false }.run(&[a, b])
}

/// `aᴴ b`.
pub(crate) fn adjoint_product(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    BatchMatMul { adj_x: true, adj_y: false }.run(&[a, b])
}

/// `a bᴴ`.
pub(crate) fn product_adjoint(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    BatchMatMul { adj_x: false, adj_y: true }.run(&[a, b])
}

/// `xᴴ`.
pub(crate) fn adjoint(x: &Tensor) -> Result<Tensor> {
    conjugate(&x.matrix_transpose()?)
}

/// Matrices with these diagonals, and zeros elsewhere.
pub(super) fn diagonal(x: &Tensor) -> Result<Tensor> {
    x.matrix_diag(0, 0, -1, -1, Default::default())
}

/// The diagonals of matrices.
pub(super) fn diagonal_of(x: &Tensor) -> Result<Tensor> {
    x.matrix_diag_part(0, 0, Default::default())
}

/// Matrices with their diagonals replaced.
pub(super) fn with_diagonal(x: &Tensor, diagonal: &Tensor) -> Result<Tensor> {
    x.matrix_set_diag(diagonal, 0, Default::default())
}

/// The part on and below the diagonal.
pub(super) fn lower(x: &Tensor) -> Result<Tensor> {
    x.matrix_band_part(-1, 0)
}

/// The part on and below the diagonal, with the diagonal halved.
pub(super) fn lower_with_half_diagonal(x: &Tensor) -> Result<Tensor> {
    let lower = lower(x)?;
    with_diagonal(&lower, &(diagonal_of(x)? * 0.5))
}

/// The part on and above the diagonal.
pub(super) fn upper(x: &Tensor) -> Result<Tensor> {
    x.matrix_band_part(0, -1)
}

/// Vectors with an axis of size 1 behind them, as matrices of one column.
pub(super) fn column(x: &Tensor) -> Result<Tensor> {
    x.expand_dims(-1)
}

/// Vectors as matrices of one row.
pub(super) fn row(x: &Tensor) -> Result<Tensor> {
    x.expand_dims(-2)
}

/// `1 / x`, and nearly zero where that would be infinite.
pub(super) fn safe_reciprocal(x: &Tensor) -> Result<Tensor> {
    ops::div(x, &(x.square()? + 1e-20))
}

/// The sum of the terms that are `Some`, or `None` if there are none.
pub(super) fn sum(terms: impl IntoIterator<Item = Option<Tensor>>) -> Result<Option<Tensor>> {
    let mut all = terms.into_iter().flatten();
    let Some(first) = all.next() else { return Ok(None) };
    all.try_fold(first, |sum, term| ops::add(&sum, &term)).map(Some)
}
