//! Counts: bins, histograms, evenly spaced numbers.

pub(in crate::ops) mod bins;
mod counts;
pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;

pub use counts::*;

use crate::define_op;
use crate::ops::args::Integer;
use crate::types::{DType, DTypeSet};

/// The dtypes of counts, of weights, and of values in histograms.
const COUNTED: DTypeSet = DTypeSet::of(&[DType::I32, DType::I64, DType::F32, DType::F64]);

define_op! {
    /// Methods: counts: bins, histograms, evenly spaced numbers.
    methods of CountingMethods;

    attrs Lengths { minlength: i64 = -1, maxlength: i64 = -1, binary_output: bool = false }

    /// Counts how often each of the values `0..size` occurs, or sums its weights. Larger values are not
    /// counted; negative values are an error. Empty weights stand for ones.
    ///
    /// TensorFlow: `Bincount`.
    pub op Bincount = "Bincount" {
        inputs: { arr: {I32}, size: {I32}, weights: T }, outputs: { bins: T },
        types: { T: COUNTED },
        dispatch: none,
        infer: infer::bincount, kernel: bins::bincount,
        gradient: gradient::bincount,
    }

    /// Counts as [`Bincount`] does, for a vector or for each row of a matrix. With `binary_output`, a
    /// bin is one if its value occurs, else zero.
    ///
    /// TensorFlow: `DenseBincount`.
    pub op DenseBincount = "DenseBincount" {
        inputs: { input: Tidx, size: Tidx, weights: T }, outputs: { output: T },
        types: { Tidx: DTypeSet::INDEX, T: COUNTED }, attrs: { binary_output: bool = false },
        dispatch: none,
        infer: infer::dense_bincount, kernel: bins::dense_bincount,
        gradient: gradient::bincount,
    }

    /// Counts as [`DenseBincount`] does, for a sparse vector or for each row of a sparse matrix.
    ///
    /// TensorFlow: `SparseBincount`.
    pub op SparseBincount = "SparseBincount" {
        inputs: { indices: {I64}, values: Tidx, dense_shape: {I64}, size: Tidx, weights: T }, outputs: { output: T },
        types: { Tidx: DTypeSet::INDEX, T: COUNTED }, attrs: { binary_output: bool = false },
        dispatch: none,
        infer: infer::sparse_bincount, kernel: bins::sparse_bincount,
    }

    /// Counts as [`DenseBincount`] does, for each row of a ragged matrix, which its splits tell.
    ///
    /// TensorFlow: `RaggedBincount`.
    pub op RaggedBincount = "RaggedBincount" {
        inputs: { splits: {I64}, values: Tidx, size: Tidx, weights: T }, outputs: { output: T },
        types: { Tidx: DTypeSet::INDEX, T: COUNTED }, attrs: { binary_output: bool = false },
        dispatch: none,
        infer: infer::ragged_bincount, kernel: bins::ragged_bincount,
    }

    /// Counts the values of a vector, or of each row of a matrix, or sums their weights: a sparse tensor of those that
    /// occur. Negative values, and those of `maxlength` or more, are not counted.
    ///
    /// TensorFlow: `DenseCountSparseOutput`.
    pub op DenseCountSparseOutput = "DenseCountSparseOutput" {
        inputs: { values: T, weights: output_type },
        outputs: { output_indices: {I64}, output_values: output_type, output_dense_shape: {I64} },
        types: { T: DTypeSet::INDEX, output_type: COUNTED },
        attrs: { ..Lengths },
        dispatch: none,
        infer: infer::count_dense, kernel: bins::count_dense,
    }

    /// Counts as [`DenseCountSparseOutput`] does, for a sparse vector or for each row of a sparse matrix.
    ///
    /// TensorFlow: `SparseCountSparseOutput`.
    pub op SparseCountSparseOutput = "SparseCountSparseOutput" {
        inputs: { indices: {I64}, values: T, dense_shape: {I64}, weights: output_type },
        outputs: { output_indices: {I64}, output_values: output_type, output_dense_shape: {I64} },
        types: { T: DTypeSet::INDEX, output_type: COUNTED },
        attrs: { ..Lengths },
        dispatch: none,
        infer: infer::count_sparse, kernel: bins::count_sparse,
    }

    /// Counts as [`DenseCountSparseOutput`] does, for each row of a ragged matrix, which its splits tell.
    ///
    /// TensorFlow: `RaggedCountSparseOutput`.
    pub op RaggedCountSparseOutput = "RaggedCountSparseOutput" {
        inputs: { splits: {I64}, values: T, weights: output_type },
        outputs: { output_indices: {I64}, output_values: output_type, output_dense_shape: {I64} },
        types: { T: DTypeSet::INDEX, output_type: COUNTED },
        attrs: { ..Lengths },
        dispatch: none,
        infer: infer::count_ragged, kernel: bins::count_ragged,
    }

    /// Counts the values in each of `nbins` equal parts of a range.
    ///
    /// TensorFlow: `HistogramFixedWidth`. Values of any shape, the range a vector of two; the
    /// result is a vector of `nbins` counts, int32 or int64. Values out of the range count in the
    /// first and the last bin, NaN in the first.
    ///
    /// Dtypes, the same for all operands: int32, int64, float32, float64.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![-1.0f32, 0.0, 1.5, 2.0, 5.0, 15.0];
    /// let counts = x.histogram_fixed_width(&tensor![0.0f32, 5.0], 5, DType::I32)?;
    /// assert_eq!(counts.as_slice::<i32>()?, &[2, 1, 1, 0, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op HistogramFixedWidth = "HistogramFixedWidth" {
        inputs: { values: T, value_range: T, nbins: {I32} as Integer }, outputs: { out: dtype },
        types: { T: COUNTED }, attrs: { dtype: DType = DType::I32 },
        call: method histogram_fixed_width(values, range; nbins, dtype),
        infer: infer::histogram, kernel: kernel::histogram,
        gradient: none,
    }

    /// `num` evenly spaced numbers from `start` to `stop`, including both.
    ///
    /// TensorFlow: `LinSpace`.
    pub op LinSpace = "LinSpace" {
        inputs: { start: T, stop: T, num: Tidx as Integer }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT, Tidx: DTypeSet::INDEX },
        infer: infer::lin_space, kernel: kernel::lin_space,
        gradient: gradient::lin_space,
    }

    /// The place of each element that is repeated so many times: each place as often as its count says. Counts below zero
    /// are zeros.
    ///
    /// TensorFlow: the indices of `tf.repeat`.
    pub op RepeatedPlaces = "Extype>RepeatedPlaces" {
        inputs: { counts: {I64} }, outputs: { places: {I64} },
        dispatch: none,
        infer: infer::repeated_places, kernel: kernel::repeated_places,
        gradient: none,
    }

    /// Concatenates for each row the numbers `start, start + delta, …` before `limit`. The row splits
    /// say where each row begins and where the last one ends. Scalars apply to all rows.
    ///
    /// TensorFlow: `RaggedRange`.
    pub op RaggedRange = "RaggedRange" {
        inputs: { starts: T, limits: T, deltas: T }, outputs: { rt_nested_splits: Tsplits, rt_dense_values: T },
        types: { T: DTypeSet::of(&[DType::BF16, DType::F32, DType::F64, DType::I32, DType::I64]) },
        attrs: { splits_dtype as "Tsplits": DType = DType::I64 },
        infer: infer::ragged_range, kernel: kernel::ragged_range,
        gradient: |g| Ok([g.missing(0)?, None, g.missing(2)?]),
    }
}
