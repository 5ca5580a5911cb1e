//! Diagonals and bands of matrices.

pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;

use crate::define_op;
use crate::ops::args::{DiagonalAlign, Diagonals, Extent};
use crate::ops::rules::batch::leading;
use crate::ops::rules::folded::stacks;
use crate::types::DTypeSet;

define_op! {
    /// Methods: diagonals and bands of matrices.
    methods of DiagonalMethods;

    /// Keeps a band of matrices: `num_lower` diagonals below the main one and `num_upper` above it,
    /// with zeros elsewhere. A negative number keeps the whole side.
    ///
    /// TensorFlow: `tf.linalg.band_part`, `MatrixBandPart`. Matrices of shape `[…, m, n]`; the result has the same.
    /// Numbers above the size of the matrices are an error.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let lower = tensor![[1, 2], [3, 4]].matrix_band_part(-1, 0)?;
    /// assert_eq!(lower.as_slice::<i32>()?, &[1, 0, 3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op MatrixBandPart = "MatrixBandPart" {
        inputs: { input: T, num_lower: Tindex as Extent, num_upper: Tindex as Extent }, outputs: { band: T },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL), Tindex: DTypeSet::INDEX },
        call: method matrix_band_part(x; num_lower, num_upper),
        infer: infer::matrix_band_part, kernel: kernel::matrix_band_part,
        gradient: gradient::matrix_band_part,
        batch: leading,
    }

    /// Makes matrices with the given diagonals `k` (packed as rows, the highest first), and the padding
    /// elsewhere. For -1 there are as many rows or columns as needed.
    ///
    /// TensorFlow: `tf.linalg.diag`, `MatrixDiagV3`; PyTorch: `diag_embed`. Diagonals of shape
    /// `[…, length]`, or `[…, count, length]` for several; the result is `[…, rows, columns]`. The
    /// padding is a scalar.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1, 2].matrix_diag(0, 1, -1, -1, Default::default())?;
    /// assert_eq!(x.as_slice::<i32>()?, &[0, 1, 0, 0, 0, 2, 0, 0, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op MatrixDiag = "MatrixDiagV3" {
        inputs: { diagonal: T, k: {I32} as Diagonals, num_rows: {I32} as Extent, num_cols: {I32} as Extent, padding_value: T }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL) },
        attrs: { align: DiagonalAlign = DiagonalAlign::default() },
        call: method matrix_diag(diagonal, padding; k, num_rows, num_cols, align),
        infer: infer::matrix_diag, kernel: kernel::matrix_diag,
        gradient: gradient::matrix_diag,
        batch: |b| stacks(b, &[0]),
    }

    /// Returns the diagonals `k` of matrices, packed as rows, the highest first. The padding fills them
    /// to one length.
    ///
    /// TensorFlow: `tf.linalg.diag_part`, `MatrixDiagPartV3`. Matrices of shape `[…, m, n]`; the result is `[…, length]`,
    /// or `[…, count, length]` for several diagonals. The padding is a scalar.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2, 3], [4, 5, 6]];
    /// assert_eq!(x.matrix_diag_part(0, 0, Default::default())?.as_slice::<i32>()?, &[1, 5]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op MatrixDiagPart = "MatrixDiagPartV3" {
        inputs: { input: T, k: {I32} as Diagonals, padding_value: T }, outputs: { diagonal: T },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL) },
        attrs: { align: DiagonalAlign = DiagonalAlign::default() },
        call: method matrix_diag_part(x, padding; k, align),
        infer: infer::matrix_diag_part, kernel: kernel::matrix_diag_part,
        gradient: gradient::matrix_diag_part,
        batch: |b| stacks(b, &[0]),
    }

    /// Replaces the diagonals `k` of matrices by packed ones.
    ///
    /// TensorFlow: `tf.linalg.set_diag`, `MatrixSetDiagV3`; PyTorch: `diagonal_scatter`. Matrices
    /// of shape `[…, m, n]`, and diagonals as [`matrix_diag_part()`] gives them; the result has the
    /// shape of the matrices.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[7, 7], [7, 7]];
    /// let y = x.matrix_set_diag(&tensor![1, 2], 0, Default::default())?;
    /// assert_eq!(y.as_slice::<i32>()?, &[1, 7, 7, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op MatrixSetDiag = "MatrixSetDiagV3" {
        inputs: { input: T, diagonal: T, k: {I32} as Diagonals }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL) },
        attrs: { align: DiagonalAlign = DiagonalAlign::default() },
        call: method matrix_set_diag(x, diagonal; k, align),
        infer: infer::matrix_set_diag, kernel: kernel::matrix_set_diag,
        gradient: gradient::matrix_set_diag,
        batch: |b| stacks(b, &[0, 1]),
    }

    /// Makes a tensor of twice the rank with the elements on its diagonal and zeros elsewhere.
    ///
    /// TensorFlow: `Diag`. Of rank 1 at least.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 2].tensor_diag()?.as_slice::<i32>()?, &[1, 0, 0, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op TensorDiag = "Diag" {
        inputs: { diagonal: T }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC },
        call: method tensor_diag(diagonal),
        infer: infer::diag, kernel: kernel::diag,
        gradient: gradient::tensor_diag,
    }

    /// Returns the diagonal of a tensor whose shape consists of two equal halves.
    ///
    /// TensorFlow: `DiagPart`. The rank is even and not zero; the result has half the rank.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].tensor_diag_part()?.as_slice::<i32>()?, &[1, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op TensorDiagPart = "DiagPart" {
        inputs: { input: T }, outputs: { diagonal: T },
        types: { T: DTypeSet::NUMERIC },
        call: method tensor_diag_part(x),
        infer: infer::diag_part, kernel: kernel::diag_part,
        gradient: gradient::tensor_diag_part,
    }
}
