//! Factorizations of matrices, and ops based on them: systems of equations, inverses, determinants,
//! eigenvalues and singular values.
//!
//! The functions for users, with their documentation, are in `extype::linalg`; here are the ops
//! that graphs hold. All take stacks of matrices `[…, m, n]`, float32, float64, complex64 or
//! complex128, and compute in double precision. A matrix without elements has factors without
//! elements, and the determinant 1.

mod bands;
mod batch;
mod functions;
pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;
pub(crate) mod matrices;
mod spectral_gradient;

pub use bands::*;
pub use functions::*;

use crate::define_op;
use crate::ops::rules::batch::{elementwise, leading};
use crate::types::{DType, DTypeSet};

/// The dtypes that have factorizations.
const FIELD: DTypeSet =
    DTypeSet::of(&[DType::F32, DType::F64, DType::Complex64, DType::Complex128]);

define_op! {
    /// The lower triangular factors of Hermitian matrices; only the lower triangles are read.
    ///
    /// TensorFlow: `Cholesky`. Square matrices; the result has the same shape. A matrix that is not
    /// positive definite gives a factor of NaN, as in TensorFlow, or an error if `checked`. The
    /// gradient is spread over both triangles.
    pub op Cholesky = "Cholesky" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: FIELD }, attrs: { checked as "_checked": bool = false },
        infer: infer::square, kernel: kernel::cholesky,
        gradient: gradient::cholesky,
        batch: leading,
    }

    /// The LU factors of square matrices with permuted rows, packed into one matrix: the upper
    /// triangular factor, and below its diagonal the lower triangular factor, whose diagonal is ones.
    /// The second result holds, for each row of the product of the factors, its row in the matrix.
    ///
    /// TensorFlow: `Lu`.
    pub op Lu = "Lu" {
        inputs: { input: T }, outputs: { lu: T, p: output_idx_type },
        types: { T: FIELD }, attrs: { output_idx_type: DType = DType::I32 },
        infer: infer::lu, kernel: kernel::lu,
        gradient: gradient::lu,
        batch: leading,
    }

    /// Solves `matrix x = rhs` for the matrices `x`, or `matrixᴴ x = rhs` if `adjoint`.
    ///
    /// TensorFlow: `MatrixSolve`. Matrices `[…, n, n]` and `[…, n, k]`, of one batch.
    pub op MatrixSolve = "MatrixSolve" {
        inputs: { matrix: T, rhs: T }, outputs: { output: T },
        types: { T: FIELD }, attrs: { adjoint: bool = false },
        infer: infer::solve, kernel: kernel::solve,
        gradient: gradient::solve,
        batch: leading,
    }

    /// Solves as [`MatrixSolve`] does, for triangular matrices; the other triangle is not read. A zero
    /// on the diagonal gives infinities and NaN.
    ///
    /// TensorFlow: `MatrixTriangularSolve`. Batches broadcast.
    pub op MatrixTriangularSolve = "MatrixTriangularSolve" {
        inputs: { matrix: T, rhs: T }, outputs: { output: T },
        types: { T: FIELD }, attrs: { lower: bool = true, adjoint: bool = false },
        infer: infer::triangular_solve, kernel: kernel::triangular_solve,
        gradient: gradient::triangular_solve,
        batch: elementwise,
    }

    /// The inverses of square matrices, or of their adjoints.
    ///
    /// TensorFlow: `MatrixInverse`.
    pub op MatrixInverse = "MatrixInverse" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: FIELD }, attrs: { adjoint: bool = false },
        infer: infer::square, kernel: kernel::inverse,
        gradient: gradient::inverse,
        batch: leading,
    }

    /// The determinants of square matrices.
    ///
    /// TensorFlow: `MatrixDeterminant`. The gradient needs an inverse.
    pub op MatrixDeterminant = "MatrixDeterminant" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: FIELD },
        infer: infer::determinant, kernel: kernel::determinant,
        gradient: gradient::determinant,
        batch: leading,
    }

    /// The signs of the determinants of square matrices, and the logarithms of their absolute values.
    ///
    /// TensorFlow: `LogMatrixDeterminant`.
    pub op LogMatrixDeterminant = "LogMatrixDeterminant" {
        inputs: { input: T }, outputs: { sign: T, log_abs_determinant: T },
        types: { T: FIELD },
        infer: infer::log_determinant, kernel: kernel::log_determinant,
        gradient: gradient::log_determinant,
        batch: leading,
    }

    /// The orthogonal and the upper triangular factors of matrices.
    ///
    /// TensorFlow: `Qr`. For `[…, m, n]` with `k = min(m, n)` the factors are `[…, m, k]` and `[…, k,
    /// n]`, or `[…, m, m]` and `[…, m, n]` if `full_matrices`.
    pub op Qr = "Qr" {
        inputs: { input: T }, outputs: { q: T, r: T },
        types: { T: FIELD }, attrs: { full_matrices: bool = false },
        infer: infer::qr, kernel: kernel::qr,
        gradient: spectral_gradient::qr,
        batch: leading,
    }

    /// The singular values of matrices, largest first, and the left and right singular vectors as
    /// columns. The vectors are empty unless `compute_uv`.
    ///
    /// TensorFlow: `Svd`. For `[…, m, n]` with `k = min(m, n)` the results are `[…, k]`, `[…, m, k]`
    /// and `[…, n, k]`; with `full_matrices` the vectors are `[…, m, m]` and `[…, n, n]`.
    pub op Svd = "Svd" {
        inputs: { input: T }, outputs: { s: T, u: T, v: T },
        types: { T: FIELD }, attrs: { compute_uv: bool = true, full_matrices: bool = false },
        infer: infer::svd, kernel: kernel::svd,
        gradient: spectral_gradient::svd,
        batch: |b| batch::values(b, b.get(Svd::COMPUTE_UV)?),
    }

    /// The eigenvalues of Hermitian matrices, smallest first, and the eigenvectors as columns. The
    /// vectors are empty unless `compute_v`. Only the lower triangles are read.
    ///
    /// TensorFlow: `SelfAdjointEigV2`. For `[…, n, n]` the results are `[…, n]` and `[…, n, n]`.
    pub op SelfAdjointEig = "SelfAdjointEigV2" {
        inputs: { input: T }, outputs: { e: T, v: T },
        types: { T: FIELD }, attrs: { compute_v: bool = true },
        infer: infer::eigh, kernel: kernel::eigh,
        gradient: spectral_gradient::eigh,
        batch: |b| batch::values(b, b.get(SelfAdjointEig::COMPUTE_V)?),
    }

    /// The eigenvalues of square matrices, and the right eigenvectors as columns of length 1. The
    /// vectors are empty unless `compute_v`. Both results are complex.
    ///
    /// TensorFlow: `Eig`. For `[…, n, n]` the results are `[…, n]` and `[…, n, n]`.
    pub op Eig = "Eig" {
        inputs: { input: T }, outputs: { e: Tout, v: Tout },
        types: { T: FIELD }, attrs: { compute_v: bool = true, tout as "Tout": DType },
        infer: infer::eig, kernel: kernel::eig,
        gradient: spectral_gradient::eig,
        batch: |b| batch::values(b, b.get(Eig::COMPUTE_V)?),
    }
}
