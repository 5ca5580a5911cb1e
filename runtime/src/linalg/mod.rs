//! Linear algebra: factorizations, systems of equations, eigenvalues, norms, functions of matrices.
//!
//! Functions take stacks of matrices, `[…, m, n]`, of float32, float64, complex64 or complex128, and work on
//! each matrix separately; an error names the matrix at fault. They are ops of TensorFlow (`tf.linalg`) or
//! consist of such, so all of them can be traced and differentiated. The factorizations compute in double
//! precision whatever the dtype, on one thread.
//!
//! A matrix without elements has factors without elements, and the determinant 1. NaN and infinities pass
//! through products, systems, determinants and orthogonal factors. Functions that iterate (singular values,
//! eigenvalues, and functions based on them) refuse them. A matrix with NaN is not positive definite.
//!
//! ```
//! use extype::linalg;
//! use extype::prelude::*;
//!
//! let a = tensor![[4.0f64, 2.0], [2.0, 3.0]];
//! let x = linalg::solve(&a, [2.0f64, 1.0], ..)?;
//! assert_eq!(x.as_slice::<f64>()?, &[0.5, 0.0]);
//! assert!((linalg::det(&a)?.item::<f64>()? - 8.0).abs() < 1e-12);
//!
//! let singular = tensor![[1.0f64, 2.0], [2.0, 4.0]];
//! assert!(linalg::inv(&singular).unwrap_err().to_string().contains("has no inverse"));
//! # Ok::<(), Error>(())
//! ```

mod bands;
mod factors;
mod functions;
mod norms;
mod options;
mod systems;
mod vectors;
mod words;

pub use bands::{
    banded_triangular_solve, eigh_tridiagonal, eigvalsh_tridiagonal, tridiagonal_matmul,
    tridiagonal_solve,
};
pub use factors::{
    cholesky, eig, eigh, eigvals, eigvalsh, lu, lu_matrix_inverse, lu_reconstruct, lu_solve, qr,
    svd, svdvals,
};
pub use functions::{expm, logm, matrix_power, sqrtm};
pub use norms::{cond, det, logdet, matrix_rank, slogdet};
pub use options::{
    Adjoint, Conditioned, Cutoff, Factors, FullMatrices, L2Regularizer, LeastSquares, Lower, Order,
    Rcond, Solving, SolvingTriangular, Tol,
};
pub use systems::{MatrixSolveLs, cholesky_solve, inv, lstsq, pinv, solve, triangular_solve};
pub use vectors::{OfMatrices, diagonal, matrix_norm, multi_dot, norm, vector_norm};
pub use words::adjoint;

pub use crate::ops::{
    NormOrder, Normed, batch_matmul, cross, einsum, eye, matmul, matrix_transpose, matvec,
    normalize, outer, tensordot, trace,
};
