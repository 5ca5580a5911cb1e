//! Factorizations, singular values, eigenvalues.

use super::options::{Factors, Lower};
use super::systems::{triangular_solve, with_columns};
use super::words::as_real;
use crate::compounds;
use crate::ops::matrices::{adjoint_product, product};
use crate::ops::methods::*;
use crate::ops::options::Sets;
use crate::ops::{self, Cholesky, Eig, Lu, Op as _, Qr, SelfAdjointEig, Svd, check};
use crate::tensor::Tensor;
use crate::types::{DType, Result};

compounds! {
    /// The lower triangular factors `l` with `l lᴴ = x` of Hermitian positive definite matrices. Only their
    /// lower triangles are read.
    ///
    /// TensorFlow: `tf.linalg.cholesky`, op `Cholesky`. `[…, n, n]` of float32, float64, complex64 or
    /// complex128; the result has the same shape. The gradient is spread over both triangles.
    ///
    /// # Errors
    /// `InvalidArgument` for a matrix that is not square, and for one that is not positive definite (one with
    /// NaN is not). The latter names its index in the batch and the order of its first leading minor that is
    /// not positive. In graphs that TensorFlow wrote, the factor of such a matrix is NaN.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let l = linalg::cholesky(&tensor![[4.0f64, 2.0], [2.0, 2.0]])?;
    /// assert_eq!(l.as_slice::<f64>()?, &[2.0, 0.0, 1.0, 1.0]);
    /// let e = linalg::cholesky(&tensor![[1.0f64, 2.0], [2.0, 1.0]]).unwrap_err();
    /// assert!(e.to_string().contains("leading minor of order 2"));
    /// # Ok::<(), Error>(())
    /// ```
    fn cholesky(x) -> Tensor {
        Cholesky { checked: true }.run(&[x])
    }

    /// The LU factors `(lu, p)` of square matrices with permuted rows. `lu` has `u` on and above the diagonal
    /// and `l` below it; the diagonal of `l` is ones. Row `i` of `l u` is row `p[i]` of the matrix.
    ///
    /// TensorFlow: `tf.linalg.lu`, op `Lu`. SciPy: `lu_factor`, with exchanges in place of rows. `[…, n, n]` of float32,
    /// float64, complex64 or complex128 gives `[…, n, n]` and int32 `[…, n]`.
    ///
    /// # Errors
    /// `InvalidArgument` for a matrix that is not square. A singular matrix is no error.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let (lu, p) = linalg::lu(&tensor![[1.0f64, 3.0], [2.0, 4.0]])?;
    /// assert_eq!(lu.as_slice::<f64>()?, &[2.0, 4.0, 0.5, 1.0]);
    /// assert_eq!(p.as_slice::<i32>()?, &[1, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn lu(x) -> (Tensor, Tensor) {
        let op = Lu { output_idx_type: DType::I32 };
        op.run_as(&[x])
    }

    /// The matrices with these LU factors: the inverse of [`lu`].
    ///
    /// TensorFlow: `tf.linalg.lu_reconstruct`. Factors `[…, n, n]` and rows `[…, n]`.
    ///
    /// # Errors
    /// `InvalidArgument` for other shapes.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let x = tensor![[1.0f64, 3.0], [2.0, 4.0]];
    /// let (lu, p) = linalg::lu(&x)?;
    /// assert_eq!(linalg::lu_reconstruct(&lu, &p)?.as_slice::<f64>()?, x.as_slice::<f64>()?);
    /// # Ok::<(), Error>(())
    /// ```
    fn lu_reconstruct(lu, p) -> Tensor {
        let rows = product(&with_ones(&lu.matrix_band_part(-1, 0)?)?, &lu.matrix_band_part(0, -1)?)?;
        adjoint_product(&order(lu, p)?, &rows)
    }

    /// The solutions of systems whose matrices have these [`lu`] factors.
    ///
    /// TensorFlow: `tf.linalg.lu_solve`. SciPy: `lu_solve`. Factors `[…, n, n]`, rows `[…, n]`, and right sides `[…, n, k]`
    /// or one vector `[n]`.
    ///
    /// # Errors
    /// As `triangular_solve`.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let (lu, p) = linalg::lu(&tensor![[0.0f64, 2.0], [4.0, 4.0]])?;
    /// let x = linalg::lu_solve(&lu, &p, &tensor![2.0f64, 8.0])?;
    /// assert_eq!(x.as_slice::<f64>()?, &[1.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn lu_solve(lu, p, b) -> Tensor {
        with_columns(b, |b| solved(lu, &product(&order(lu, p)?, b)?))
    }

    /// The inverses of the matrices with these [`lu`] factors.
    ///
    /// TensorFlow: `tf.linalg.lu_matrix_inverse`. Factors `[…, n, n]` and rows `[…, n]`.
    ///
    /// # Errors
    /// As [`lu_solve`].
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let (lu, p) = linalg::lu(&tensor![[0.0f64, 2.0], [4.0, 0.0]])?;
    /// assert_eq!(linalg::lu_matrix_inverse(&lu, &p)?.as_slice::<f64>()?, &[0.0, 0.25, 0.5, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn lu_matrix_inverse(lu, p) -> Tensor {
        solved(lu, &order(lu, p)?)
    }

    /// The orthogonal factors `q` and the upper triangular factors `r` of matrices `q r`: reduced ones, or
    /// full ones with [`FullMatrices`](super::FullMatrices).
    ///
    /// TensorFlow: `tf.linalg.qr`, op `Qr`. `[…, m, n]` of float32, float64, complex64 or complex128 gives
    /// `[…, m, k]` and `[…, k, n]` with `k = min(m, n)`; full factors are `[…, m, m]` and `[…, m, n]`. The
    /// signs of the rows of `r` are those that the reflections make.
    ///
    /// # Errors
    /// `InvalidArgument` for a rank below 2. The gradient of full factors is `Unimplemented` for a matrix
    /// with more rows than columns, or of unknown sizes.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let x = tensor![[3.0f64, 1.0], [4.0, 2.0], [0.0, 5.0]];
    /// let (q, r) = linalg::qr(&x, ..)?;
    /// assert_eq!((q.shape(), r.shape()), (shape![3, 2], shape![2, 2]));
    /// assert!((r.as_slice::<f64>()?[0].abs() - 5.0).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    fn qr(x => options: impl Sets<Factors> as Factors) -> (Tensor, Tensor) {
        let full_matrices = options.full_matrices;
        let op = Qr { full_matrices };
        op.run_as(&[x])
    }
}

fn svd_of(x: &Tensor, op: &Svd) -> Result<(Tensor, Tensor, Tensor)> {
    let (s, u, v) = op.run_as(&[x])?;
    Ok((as_real(s)?, u, v))
}

compounds! {
    /// The singular values `s` of matrices, largest first, and the left and right singular vectors `u` and
    /// `v` as columns: the matrix is `u diag(s) vᴴ`.
    ///
    /// TensorFlow: `tf.linalg.svd`, op `Svd`. (NumPy's third result is `vᴴ`, and its `full_matrices` is true
    /// by default.) `[…, m, n]` of float32, float64, complex64 or complex128 gives a real `[…, k]` with
    /// `k = min(m, n)`, and vectors `[…, m, k]` and `[…, n, k]`. With [`FullMatrices`](super::FullMatrices)
    /// the vectors are `[…, m, m]` and `[…, n, n]`. The sign of a left vector is that which makes (the real
    /// part of) one element positive: the first whose size is above 0.6 of the largest. Right vectors follow
    /// the left ones.
    ///
    /// # Errors
    /// `InvalidArgument` for a rank below 2, and for a matrix with NaN or infinities, with its index. The
    /// gradient of full vectors is `Unimplemented` if `m` and `n` differ by more than one or are unknown.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let (s, u, v) = linalg::svd(&tensor![[3.0f64, 0.0], [0.0, -4.0], [0.0, 0.0]], ..)?;
    /// assert_eq!(s.as_slice::<f64>()?, &[4.0, 3.0]);
    /// assert_eq!((u.shape(), v.shape()), (shape![3, 2], shape![2, 2]));
    /// # Ok::<(), Error>(())
    /// ```
    fn svd(x => options: impl Sets<Factors> as Factors) -> (Tensor, Tensor, Tensor) {
        let full_matrices = options.full_matrices;
        svd_of(x, &Svd { compute_uv: true, full_matrices })
    }

    /// The singular values of matrices, largest first.
    ///
    /// TensorFlow: `tf.linalg.svd` with `compute_uv=False`. `[…, m, n]` of float32, float64, complex64
    /// or complex128 gives `[…, min(m, n)]`, which is real.
    ///
    /// # Errors
    /// As [`svd`].
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let s = linalg::svdvals(&tensor![[0.0f64, 2.0], [-3.0, 0.0]])?;
    /// assert!((s.as_slice::<f64>()?[0] - 3.0).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    fn svdvals(x) -> Tensor {
        Ok(svd_of(x, &Svd { compute_uv: false, full_matrices: false })?.0)
    }
}

fn eigh_of(x: &Tensor, compute_v: bool) -> Result<(Tensor, Tensor)> {
    let op = SelfAdjointEig { compute_v };
    let (e, v) = op.run_as(&[x])?;
    Ok((as_real(e)?, v))
}

compounds! {
    /// The eigenvalues of Hermitian matrices, smallest first, and the eigenvectors as columns. The
    /// lower triangles are read.
    ///
    /// TensorFlow: `tf.linalg.eigh`, op `SelfAdjointEigV2`. `[…, n, n]` of float32, float64, complex64 or
    /// complex128 gives `[…, n]`, which is real, and `[…, n, n]`. The signs of the vectors follow the rule of
    /// [`svd`].
    ///
    /// # Errors
    /// `InvalidArgument` for a matrix that is not square, and for one with NaN or infinities, with its
    /// place.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let (e, v) = linalg::eigh(&tensor![[2.0f64, 0.0], [0.0, 1.0]])?;
    /// assert_eq!(e.as_slice::<f64>()?, &[1.0, 2.0]);
    /// assert_eq!(v.shape(), shape![2, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn eigh(x) -> (Tensor, Tensor) {
        eigh_of(x, true)
    }

    /// The eigenvalues of Hermitian matrices, smallest first.
    ///
    /// TensorFlow: `tf.linalg.eigvalsh`. `[…, n, n]` gives `[…, n]`, which is real; dtypes as for [`eigh`].
    ///
    /// # Errors
    /// As [`eigh`].
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let e = linalg::eigvalsh(&tensor![[0.0f64, 1.0], [1.0, 0.0]])?;
    /// assert!((e.as_slice::<f64>()?[0] + 1.0).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    fn eigvalsh(x) -> Tensor {
        Ok(eigh_of(x, false)?.0)
    }
}

fn eig_of(x: &Tensor, compute_v: bool) -> Result<(Tensor, Tensor)> {
    let op = Eig { compute_v, tout: x.dtype().to_complex() };
    op.run_as(&[x])
}

compounds! {
    /// The eigenvalues of square matrices, in no particular order, and the right eigenvectors as columns of
    /// norm one. Both are complex.
    ///
    /// TensorFlow: `tf.linalg.eig`, op `Eig`. `[…, n, n]` of float32, float64, complex64 or complex128
    /// gives `[…, n]` and `[…, n, n]`.
    ///
    /// # Errors
    /// As [`eigh`].
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let (e, v) = linalg::eig(&tensor![[0.0f64, -1.0], [1.0, 0.0]])?;
    /// assert_eq!((e.dtype(), e.shape(), v.shape()), (complex128, shape![2], shape![2, 2]));
    /// # Ok::<(), Error>(())
    /// ```
    fn eig(x) -> (Tensor, Tensor) {
        eig_of(x, true)
    }

    /// The eigenvalues of square matrices, in no particular order, as complex numbers.
    ///
    /// TensorFlow: `tf.linalg.eigvals`. `[…, n, n]` gives `[…, n]`; dtypes as for [`eig`].
    ///
    /// # Errors
    /// As [`eigh`].
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let e = linalg::eigvals(&tensor![[2.0f32, 5.0], [0.0, 3.0]])?;
    /// assert_eq!((e.dtype(), e.shape()), (complex64, shape![2]));
    /// # Ok::<(), Error>(())
    /// ```
    fn eigvals(x) -> Tensor {
        Ok(eig_of(x, false)?.0)
    }
}

/// The matrices that put rows in the order of LU factors.
fn order(lu: &Tensor, p: &Tensor) -> Result<Tensor> {
    let count = super::words::size(lu, -1)?.cast(DType::I32)?;
    let known = ops::logical_and(p.greater_equal(0)?, p.less(&count)?)?.all(..)?;
    check(&known, "`p` has numbers of rows, from 0 to below their count, not", &[p])?;
    p.one_hot(ops::Integer::Tensor(count), lu.dtype())
}

/// Matrices with ones on their diagonals.
fn with_ones(x: &Tensor) -> Result<Tensor> {
    let ones = x.matrix_diag_part(0, 0, Default::default())?.ones_like()?;
    x.matrix_set_diag(&ones, 0, Default::default())
}

/// The solutions for right sides whose rows are in the order of the factors.
fn solved(lu: &Tensor, rows: &Tensor) -> Result<Tensor> {
    triangular_solve(lu, &triangular_solve(&with_ones(lu)?, rows, ..)?, Lower(false))
}
