//! Diagonals and bands of matrices.

use crate::define_op;
use crate::ops::kernel::diagonal as d;
use crate::ops::{DiagonalAlign, Diagonals, Extent, infer};
use crate::types::DTypeSet;

define_op! {
    /// Matrices with zeros below and above a band; a negative number keeps that side whole.
    ///
    /// TensorFlow: `MatrixBandPart`.
    pub op MatrixBandPart = "MatrixBandPart" {
        inputs: { input: T, num_lower: Tindex, num_upper: Tindex }, outputs: { band: T },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL), Tindex: DTypeSet::INDEX }, attrs: {  }, host: { num_lower: Extent, num_upper: Extent },
        arity: 1, effect: Pure, infer: infer::diagonal::matrix_band_part, kernel: d::matrix_band_part,
    }
}

define_op! {
    /// Matrices with the given diagonals, and the padding elsewhere.
    ///
    /// TensorFlow: `MatrixDiagV3`.
    pub op MatrixDiag = "MatrixDiagV3" {
        inputs: { diagonal: T, k: {I32}, num_rows: {I32}, num_cols: {I32}, padding_value: T }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL) }, attrs: { align: DiagonalAlign = DiagonalAlign::default() }, host: { k: Diagonals, num_rows: Extent, num_cols: Extent },
        arity: 2, effect: Pure, infer: infer::diagonal::matrix_diag, kernel: d::matrix_diag,
    }
}

define_op! {
    /// Diagonals of matrices, packed as rows that the padding fills up.
    ///
    /// TensorFlow: `MatrixDiagPartV3`.
    pub op MatrixDiagPart = "MatrixDiagPartV3" {
        inputs: { input: T, k: {I32}, padding_value: T }, outputs: { diagonal: T },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL) }, attrs: { align: DiagonalAlign = DiagonalAlign::default() }, host: { k: Diagonals },
        arity: 2, effect: Pure, infer: infer::diagonal::matrix_diag_part, kernel: d::matrix_diag_part,
    }
}

define_op! {
    /// Matrices with their diagonals replaced.
    ///
    /// TensorFlow: `MatrixSetDiagV3`.
    pub op MatrixSetDiag = "MatrixSetDiagV3" {
        inputs: { input: T, diagonal: T, k: {I32} }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL) }, attrs: { align: DiagonalAlign = DiagonalAlign::default() }, host: { k: Diagonals },
        arity: 2, effect: Pure, infer: infer::diagonal::matrix_set_diag, kernel: d::matrix_set_diag,
    }
}

define_op! {
    /// A tensor of twice the rank, with the elements where both halves of the place agree.
    ///
    /// TensorFlow: `Diag`.
    pub op TensorDiag = "Diag" {
        inputs: { diagonal: T }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC }, attrs: {  }, host: {  },
        arity: 1, effect: Pure, infer: infer::diagonal::diag, kernel: d::diag,
    }
}

define_op! {
    /// The elements where both halves of the place agree.
    ///
    /// TensorFlow: `DiagPart`.
    pub op TensorDiagPart = "DiagPart" {
        inputs: { input: T }, outputs: { diagonal: T },
        types: { T: DTypeSet::NUMERIC }, attrs: {  }, host: {  },
        arity: 1, effect: Pure, infer: infer::diagonal::diag_part, kernel: d::diag_part,
    }
}
