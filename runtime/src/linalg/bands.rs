//! Systems of matrices that are given by their diagonals.

use super::factors::{eigh, eigvalsh};
use super::options::SolvingTriangular;
use super::systems::with_columns;
use crate::compounds;
use crate::ops::methods::*;
use crate::ops::options::Sets;
use crate::ops::{BandedTriangularSolve, Ellipsis, Op as _, TridiagonalMatMul, TridiagonalSolve};
use crate::tensor::Tensor;
use crate::types::{Result, bail};

compounds! {
    /// [`triangular_solve`] for matrices that are given by their diagonals: `count` rows of length `n`, the highest diagonal
    /// first. The element of each in row `i` of the matrix stands at place `i`; those outside of the matrix are not read.
    ///
    /// TensorFlow: `tf.linalg.banded_triangular_solve`, op `BandedTriangularSolve`. Diagonals `[…, count, n]` and right sides
    /// `[…, n, k]`, or one vector `[n]`; batches broadcast.
    ///
    /// # Errors
    /// `InvalidArgument` for a zero on the main diagonal, tensors without elements, and sizes that differ.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// // The matrix [[2, 0], [1, 4]].
    /// let bands = tensor![[2.0f64, 4.0], [f64::NAN, 1.0]];
    /// let x = linalg::banded_triangular_solve(&bands, [2.0f64, 5.0], ..)?;
    /// assert_eq!(x.as_slice::<f64>()?, &[1.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// [`triangular_solve`]: super::triangular_solve
    fn banded_triangular_solve(bands, b => options: impl Sets<SolvingTriangular> as SolvingTriangular) -> Tensor {
        let SolvingTriangular { lower, adjoint } = options;
        with_columns(b, |b| BandedTriangularSolve { lower, adjoint }.run(&[bands, b]))
    }

    /// The solutions `x` of `a x = b` for tridiagonal matrices `a`, with pivoting. A singular matrix gives NaN.
    ///
    /// The three diagonals are rows: the upper one, the main one, the lower one, each with its element of row `i` at place
    /// `i`. The last element of the first row and the first element of the last row are not read. Three vectors make them
    /// by [`stack`], a matrix by `matrix_diag_part` with `DiagonalAlign::LeftRight`.
    ///
    /// TensorFlow: `tf.linalg.tridiagonal_solve`, op `TridiagonalSolve`. JAX: `lax.linalg.tridiagonal_solve`. Diagonals
    /// `[…, 3, n]` and right sides `[…, n, k]` or `[…, n]`.
    ///
    /// # Errors
    /// `InvalidArgument` for other shapes.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// // The matrix [[2, 1], [1, 3]].
    /// let diagonals = tensor![[1.0f64, 0.0], [2.0, 3.0], [0.0, 1.0]];
    /// assert_eq!(linalg::tridiagonal_solve(&diagonals, [3.0f64, 4.0])?.as_slice::<f64>()?, &[1.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// [`stack`]: crate::ops::stack()
    fn tridiagonal_solve(diagonals, b) -> Tensor {
        let op = TridiagonalSolve { partial_pivoting: true, perturb_singular: false };
        of_columns(diagonals, b, |b| op.run(&[diagonals, b]))
    }

    /// The products of tridiagonal matrices, given as for [`tridiagonal_solve`], and matrices or one vector.
    ///
    /// TensorFlow: `tf.linalg.tridiagonal_matmul`, op `TridiagonalMatMul`. Diagonals `[…, 3, n]` and matrices `[…, n, k]`
    /// or vectors `[…, n]`.
    ///
    /// # Errors
    /// `InvalidArgument` for other shapes.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// // The matrix [[2, 1], [1, 3]].
    /// let diagonals = tensor![[1.0f64, 0.0], [2.0, 3.0], [0.0, 1.0]];
    /// assert_eq!(linalg::tridiagonal_matmul(&diagonals, [1.0f64, 1.0])?.as_slice::<f64>()?, &[3.0, 4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn tridiagonal_matmul(diagonals, b) -> Tensor {
        let row = |i: i64| diagonals.index((Ellipsis, i..i + 1, ..));
        let (upper, main, lower) = (row(0)?, row(1)?, diagonals.index((Ellipsis, 2.., ..))?);
        of_columns(diagonals, b, |b| TridiagonalMatMul {}.run(&[&upper, &main, &lower, b]))
    }

    /// The eigenvalues of Hermitian tridiagonal matrices, smallest first, and the eigenvectors as columns. The matrices are
    /// given by their main diagonals and the diagonals below. They are computed as whole matrices.
    ///
    /// TensorFlow: `tf.linalg.eigh_tridiagonal` with `eigvals_only=False`. SciPy: `eigh_tridiagonal`. Diagonals `[…, n]` and
    /// `[…, n - 1]` give `[…, n]` and `[…, n, n]`.
    ///
    /// # Errors
    /// As `eigh`; `InvalidArgument` for other shapes.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let (e, v) = linalg::eigh_tridiagonal(&tensor![1.0f64, 1.0], [2.0f64])?;
    /// assert!((e.as_slice::<f64>()?[1] - 3.0).abs() < 1e-12);
    /// assert_eq!(v.shape(), shape![2, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn eigh_tridiagonal(alpha, beta) -> (Tensor, Tensor) {
        eigh(&with_lower(alpha, beta)?)
    }

    /// The eigenvalues of [`eigh_tridiagonal`] alone.
    ///
    /// TensorFlow: `tf.linalg.eigh_tridiagonal`. SciPy: `eigvalsh_tridiagonal`.
    ///
    /// # Errors
    /// As [`eigh_tridiagonal`].
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let e = linalg::eigvalsh_tridiagonal(&tensor![1.0f64, 1.0], [2.0f64])?;
    /// assert!((e.as_slice::<f64>()?[0] + 1.0).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    fn eigvalsh_tridiagonal(alpha, beta) -> Tensor {
        eigvalsh(&with_lower(alpha, beta)?)
    }
}

/// Vectors as matrices of one column, if there is one rank less than for the diagonals.
fn of_columns(
    diagonals: &Tensor,
    b: &Tensor,
    f: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    match (diagonals.rank(), b.rank()) {
        (Some(n), Some(rank)) if n == rank + 1 => f(&b.expand_dims(-1)?)?.squeeze(vec![-1]),
        _ => f(b),
    }
}

/// The lower triangles of matrices with a main diagonal and one below.
fn with_lower(alpha: &Tensor, beta: &Tensor) -> Result<Tensor> {
    let zero = Tensor::scalar(0).cast(alpha.dtype())?;
    let main = alpha.matrix_diag(&zero, 0, -1, -1, Default::default())?;
    match alpha.shape().dim(-1)?.size() {
        // There is no diagonal below.
        Some(0 | 1) => match beta.shape().dim(-1)?.size() {
            Some(1..) => bail!("no element stands below the diagonal, but shape {}", beta.shape()),
            _ => Ok(main),
        },
        _ => main.matrix_set_diag(beta, -1, Default::default()),
    }
}
