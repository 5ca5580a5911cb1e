//! Small functions of matrices and vectors.

use crate::compounds;
use crate::ops::matrices;
use crate::ops::{self, methods::*};
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail};

compounds! {
    /// The conjugate transposes of matrices.
    ///
    /// TensorFlow: `tf.linalg.adjoint`. PyTorch: `x.mH`. `[…, m, n]` of any dtype gives `[…, n, m]`.
    ///
    /// # Errors
    /// `InvalidArgument` for a rank below 2, or one that is unknown.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let y = linalg::adjoint(&tensor![[1.0f32, 2.0]])?;
    /// assert_eq!(y.shape(), shape![2, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    fn adjoint(x) -> Tensor {
        matrices::adjoint(x)
    }
}

/// Casts numbers without imaginary parts to a real dtype.
pub(super) fn as_real(x: Tensor) -> Result<Tensor> {
    if x.dtype().is_complex() { x.cast(x.dtype().real_part()) } else { Ok(x) }
}

/// The distance between 1 and the next number of a dtype.
pub(super) fn epsilon(dtype: DType) -> f64 {
    match dtype.real_part() {
        DType::F32 => f32::EPSILON.into(),
        _ => f64::EPSILON,
    }
}

/// Square matrices with a number added to their diagonals.
pub(super) fn plus_diagonal(x: &Tensor, number: f64) -> Result<Tensor> {
    let diagonal = x.matrix_diag_part(0, 0, Default::default())?;
    let sum = ops::add(&diagonal, Tensor::scalar(number).cast(x.dtype())?)?;
    x.matrix_set_diag(&sum, 0, Default::default())
}

/// Checks that matrices are square, as far as the shape is known.
pub(super) fn check_square(x: &Tensor) -> Result<()> {
    let shape = x.shape();
    match (shape.dim(-2), shape.dim(-1)) {
        (Ok(rows), Ok(columns)) if rows.is_compatible_with(columns) => Ok(()),
        _ if shape.rank().is_none() => Ok(()),
        _ => bail!("square matrices `[…, n, n]` are wanted, not a tensor of shape {shape}"),
    }
}

/// The number of rows (`-2`) or columns (`-1`) of matrices, as an int64 scalar.
pub(super) fn size(x: &Tensor, axis: i64) -> Result<Tensor> {
    match x.shape().rank().and_then(|_| x.shape().dim(axis).ok()?.size()) {
        Some(n) => Ok(Tensor::scalar(n as i64)),
        None => ops::shape_of(x)?.index(axis)?.cast(DType::I64),
    }
}
