//! Counts: bins, histograms, evenly spaced numbers.

use crate::define_op;
use crate::ops::Integer;
use crate::ops::infer::counting as i;
use crate::ops::kernel::counting as n;
use crate::types::{DType, DTypeSet};

/// What is counted in, and with.
const COUNTED: DTypeSet = DTypeSet::of(&[DType::I32, DType::I64, DType::F32, DType::F64]);

define_op! {
    /// How often each of the values `0..size` occurs, or the sum of its weights; other values are
    /// not counted, negative ones refused. Empty weights stand for ones.
    ///
    /// TensorFlow: `Bincount`.
    pub op Bincount = "Bincount" {
        inputs: { arr: {I32}, size: {I32}, weights: T }, outputs: { bins: T },
        types: { T: COUNTED }, attrs: {  }, host: {  },
        arity: none, effect: Pure, infer: i::bincount, kernel: n::bincount,
    }
}

define_op! {
    /// [`Bincount`] of a vector or of each row of a matrix; `binary_output` only tells which
    /// values occur.
    ///
    /// TensorFlow: `DenseBincount`.
    pub op DenseBincount = "DenseBincount" {
        inputs: { input: Tidx, size: Tidx, weights: T }, outputs: { output: T },
        types: { Tidx: DTypeSet::INDEX, T: COUNTED }, attrs: { binary_output: bool = false }, host: {  },
        arity: none, effect: Pure, infer: i::dense_bincount, kernel: n::dense_bincount,
    }
}

define_op! {
    /// How many values lie in each of `nbins` equal parts of a range; values outside count in the
    /// first and the last.
    ///
    /// TensorFlow: `HistogramFixedWidth`.
    pub op HistogramFixedWidth = "HistogramFixedWidth" {
        inputs: { values: T, value_range: T, nbins: {I32} }, outputs: { out: dtype },
        types: { T: COUNTED }, attrs: { dtype: DType = DType::I32 }, host: { nbins: Integer },
        arity: 2, effect: Pure, infer: i::histogram, kernel: n::histogram,
    }
}

define_op! {
    /// `num` numbers from `start` to `stop`, both among them, evenly spaced.
    ///
    /// TensorFlow: `LinSpace`.
    pub op LinSpace = "LinSpace" {
        inputs: { start: T, stop: T, num: Tidx }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT, Tidx: DTypeSet::INDEX }, attrs: {  }, host: { num: Integer },
        arity: 2, effect: Pure, infer: i::lin_space, kernel: n::lin_space,
    }
}

define_op! {
    /// For each row the numbers `start, start + delta, …` before `limit`, one row behind the other,
    /// and where each row begins and the last one ends. Scalars serve all rows.
    ///
    /// TensorFlow: `RaggedRange`.
    pub op RaggedRange = "RaggedRange" {
        inputs: { starts: T, limits: T, deltas: T }, outputs: { rt_nested_splits: Tsplits, rt_dense_values: T },
        types: { T: DTypeSet::of(&[DType::BF16, DType::F32, DType::F64, DType::I32, DType::I64]) }, attrs: { splits_dtype as "Tsplits": DType = DType::I64 }, host: {  },
        arity: 3, effect: Pure, infer: i::ragged_range, kernel: n::ragged_range,
    }
}
