//! Diagonals and bands of matrices.

use super::front;
use crate::ops::*;
use crate::tensor::{Tensor, call_site};
use crate::types::Result;

front! {
    /// Diagonals and bands as methods of extension types: `masked.matrix_band_part(0, -1)?`.
    methods of Diagonal {
        /// Matrices with zeros more than `num_lower` below and `num_upper` above the diagonal; a
        /// negative number keeps that side whole.
        ///
        /// ```
        /// use extype::prelude::*;
        /// let lower = tensor![[1, 2], [3, 4]].matrix_band_part(-1, 0)?;
        /// assert_eq!(lower.as_slice::<i32>()?, &[1, 0, 3, 4]);
        /// # Ok::<(), Error>(())
        /// ```
        matrix_band_part(x; num_lower: impl Into<Extent>, num_upper: impl Into<Extent>) => MatrixBandPart {
            num_lower: num_lower.into(), num_upper: num_upper.into()
        };
        /// Matrices with the given diagonals `k` (packed as rows, the highest first), and the
        /// padding elsewhere; -1 rows or columns are as many as are needed.
        ///
        /// ```
        /// use extype::prelude::*;
        /// let x = tensor![1, 2].matrix_diag(0, 1, -1, -1, Default::default())?;
        /// assert_eq!(x.as_slice::<i32>()?, &[0, 1, 0, 0, 0, 2, 0, 0, 0]);
        /// # Ok::<(), Error>(())
        /// ```
        matrix_diag(
            diagonal, padding;
            k: impl Into<Diagonals>, num_rows: impl Into<Extent>, num_cols: impl Into<Extent>,
            align: DiagonalAlign
        ) => MatrixDiag { align, k: k.into(), num_rows: num_rows.into(), num_cols: num_cols.into() };
        /// The diagonals `k` of matrices, packed as rows (the highest first) that the padding
        /// fills up.
        ///
        /// ```
        /// use extype::prelude::*;
        /// let x = tensor![[1, 2, 3], [4, 5, 6]];
        /// assert_eq!(x.matrix_diag_part(0, 0, Default::default())?.as_slice::<i32>()?, &[1, 5]);
        /// # Ok::<(), Error>(())
        /// ```
        matrix_diag_part(x, padding; k: impl Into<Diagonals>, align: DiagonalAlign) => MatrixDiagPart { align, k: k.into() };
        /// Matrices with their diagonals `k` replaced by packed ones.
        matrix_set_diag(x, diagonal; k: impl Into<Diagonals>, align: DiagonalAlign) => MatrixSetDiag { align, k: k.into() };
        /// A tensor of twice the rank with the elements on its diagonal and zeros elsewhere.
        tensor_diag(diagonal) => TensorDiag {};
        /// The diagonal of a tensor whose shape is one shape twice.
        tensor_diag_part(x) => TensorDiagPart {};
    }
}
