//! Small functions of matrices and vectors.

use crate::ops::options::functions;
use crate::ops::{self, methods::*};
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail, err};

/// The order of axes with the last two exchanged.
fn exchanged(x: &Tensor) -> Result<Vec<i64>> {
    let rank = x
        .rank()
        .ok_or_else(|| err!("the rank must be known while tracing; give the argument a shape"))?;
    if rank < 2 {
        bail!("matrices have rank 2 or more, not {}", x.shape());
    }
    let mut order: Vec<i64> = (0..rank as i64).collect();
    order.swap(rank - 2, rank - 1);
    Ok(order)
}

functions! {
    /// Matrices with rows and columns exchanged: the last two axes.
    ///
    /// TensorFlow: `tf.linalg.matrix_transpose`. `[…, m, n]` of any dtype gives `[…, n, m]`.
    ///
    /// # Errors
    /// `InvalidArgument` for a rank below 2, or one that is unknown.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let y = linalg::matrix_transpose(&tensor![[1, 2], [3, 4]])?;
    /// assert_eq!(y.as_slice::<i32>()?, &[1, 3, 2, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    free fn matrix_transpose(x) -> Tensor {
        x.transpose(exchanged(x).map_err(|e| e.with_op("matrix_transpose"))?)
    }

    /// Matrices with rows and columns exchanged, of the conjugate numbers.
    ///
    /// TensorFlow: `tf.linalg.adjoint`. `[…, m, n]` of any dtype gives `[…, n, m]`.
    ///
    /// # Errors
    /// As [`matrix_transpose`].
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let y = linalg::adjoint(&tensor![[1.0f32, 2.0]])?;
    /// assert_eq!(y.shape(), shape![2, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    free fn adjoint(x) -> Tensor {
        let turned = x.transpose(exchanged(x).map_err(|e| e.with_op("adjoint"))?)?;
        if x.dtype().is_complex() { turned.conj() } else { Ok(turned) }
    }

    /// The cross products of vectors of three elements along the last axis.
    ///
    /// TensorFlow: `tf.linalg.cross`. Two tensors `[…, 3]` of numbers of one shape and dtype; so is the
    /// result.
    ///
    /// # Errors
    /// `InvalidArgument` for other sizes.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let z = linalg::cross(&tensor![1, 0, 0], &tensor![0, 1, 0])?;
    /// assert_eq!(z.as_slice::<i32>()?, &[0, 0, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    free fn cross(x, y) -> Tensor {
        let shape = x.shape().merge(&y.shape()).map_err(|e| e.with_op("cross"))?;
        if shape.dims().is_some_and(|d| !d.last().is_some_and(|n| n.is_compatible_with(3.into()))) {
            bail!("cross: vectors of three elements are wanted, not {shape}");
        }
        let turned = |t: &Tensor, by: [i32; 3]| t.gather(&Tensor::from_slice(&by, &[3])?, -1);
        let (next, last) = ([1, 2, 0], [2, 0, 1]);
        ops::sub(
            &ops::mul(turned(x, next)?, turned(y, last)?)?,
            &ops::mul(turned(x, last)?, turned(y, next)?)?,
        )
    }
}

/// The real dtype of the precision of another.
pub(super) fn real_of(dtype: DType) -> DType {
    match dtype {
        DType::Complex64 => DType::F32,
        DType::Complex128 => DType::F64,
        other => other,
    }
}

/// The real parts of numbers that are real, as a real dtype.
pub(super) fn as_real(x: Tensor) -> Result<Tensor> {
    if x.dtype().is_complex() { x.cast(real_of(x.dtype())) } else { Ok(x) }
}

/// The distance between 1 and the next number of a dtype.
pub(super) fn epsilon(dtype: DType) -> f64 {
    match real_of(dtype) {
        DType::F32 => f32::EPSILON.into(),
        _ => f64::EPSILON,
    }
}

/// `a b`.
pub(super) fn product(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    ops::batch_matmul(a, b)
}

/// `aᴴ b`.
pub(super) fn adjoint_product(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    ops::Op::run(&ops::BatchMatMul { adj_x: true, adj_y: false }, &[a, b])
}

/// `a bᴴ`.
pub(super) fn product_adjoint(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    ops::Op::run(&ops::BatchMatMul { adj_x: false, adj_y: true }, &[a, b])
}

/// Square matrices with a number added to their diagonals.
pub(super) fn plus_diagonal(x: &Tensor, number: f64) -> Result<Tensor> {
    let diagonal = x.matrix_diag_part(0, 0, Default::default())?;
    x.matrix_set_diag(&(diagonal + number), 0, Default::default())
}

/// The number of rows (`-2`) or columns (`-1`) of matrices, as an int64 scalar.
pub(super) fn size(x: &Tensor, axis: i64) -> Result<Tensor> {
    match x.shape().rank().and_then(|_| x.shape().dim(axis).ok()?.size()) {
        Some(n) => Ok(Tensor::scalar(n as i64)),
        None => ops::shape_of(x)?.index(axis)?.cast(DType::I64),
    }
}
