//! Ops that compare elements: largest and distinct ones, places in sorted rows.

use crate::define_op;
use crate::ops::infer::ordering as i;
use crate::ops::kernel::ordering as o;
use crate::ops::{Integer, Integers};
use crate::types::{DType, DTypeSet};

/// The dtypes of indices that `TopKV2` may answer with, and of its `k`.
const SHORT_INDEX: DTypeSet = DTypeSet::of(&[DType::I16, DType::I32, DType::I64]);

/// Elements that can be told apart.
const DISTINCT: DTypeSet = DTypeSet::REAL.or(DTypeSet::BOOL).or(DTypeSet::STRING);

define_op! {
    /// The `k` largest elements along the last axis, largest first, and their indices.
    ///
    /// Of equal elements the first one comes first; NaN comes behind all numbers. They come sorted
    /// whether `sorted` asks for it or not.
    ///
    /// TensorFlow: `TopKV2`.
    pub op TopK = "TopKV2" {
        inputs: { input: T, k: Tk }, outputs: { values: T, indices: index_type },
        types: { T: DTypeSet::REAL, Tk: SHORT_INDEX }, attrs: { sorted: bool = true, index_type: DType = DType::I32 }, host: { k: Integer },
        arity: 1, effect: Pure, infer: i::top_k, kernel: o::top_k,
    }
}

define_op! {
    /// The distinct elements of a vector in the order of their first occurrence, and for each
    /// element the index of its like among them.
    ///
    /// TensorFlow: `Unique`.
    pub op Unique = "Unique" {
        inputs: { x: T }, outputs: { y: T, idx: out_idx },
        types: { T: DISTINCT }, attrs: { out_idx: DType = DType::I32 }, host: {  },
        arity: 1, effect: Pure, infer: i::unique, kernel: o::unique,
    }
}

define_op! {
    /// The distinct slices along an axis in the order of their first occurrence, and for each
    /// slice the index of its like among them. An empty `axis` stands for the one of a vector.
    ///
    /// TensorFlow: `UniqueV2`.
    pub op UniqueV2 = "UniqueV2" {
        inputs: { x: T, axis: Taxis }, outputs: { y: T, idx: out_idx },
        types: { T: DISTINCT, Taxis: DTypeSet::INDEX }, attrs: { out_idx: DType = DType::I32 }, host: { axis: Integers },
        arity: 1, effect: Pure, infer: i::unique_v2, kernel: o::unique_v2,
    }
}

define_op! {
    /// [`Unique`], and how often each distinct element occurs.
    ///
    /// TensorFlow: `UniqueWithCounts`.
    pub op UniqueWithCounts = "UniqueWithCounts" {
        inputs: { x: T }, outputs: { y: T, idx: out_idx, count: out_idx },
        types: { T: DISTINCT }, attrs: { out_idx: DType = DType::I32 }, host: {  },
        arity: 1, effect: Pure, infer: i::unique_with_counts, kernel: o::unique_with_counts,
    }
}

define_op! {
    /// [`UniqueV2`], and how often each distinct slice occurs.
    ///
    /// TensorFlow: `UniqueWithCountsV2`.
    pub op UniqueWithCountsV2 = "UniqueWithCountsV2" {
        inputs: { x: T, axis: Taxis }, outputs: { y: T, idx: out_idx, count: out_idx },
        types: { T: DISTINCT, Taxis: DTypeSet::INDEX }, attrs: { out_idx: DType = DType::I32 }, host: { axis: Integers },
        arity: 1, effect: Pure, infer: i::unique_with_counts_v2, kernel: o::unique_with_counts_v2,
    }
}

define_op! {
    /// The elements of the vector `x` that `y` does not have, in order, and their indices.
    ///
    /// TensorFlow: `ListDiff`.
    pub op ListDiff = "ListDiff" {
        inputs: { x: T, y: T }, outputs: { out: T, idx: out_idx },
        types: { T: DISTINCT }, attrs: { out_idx: DType = DType::I32 }, host: {  },
        arity: 2, effect: Pure, infer: i::list_diff, kernel: o::list_diff,
    }
}

define_op! {
    /// For each value of a row, the first place in the sorted row of the same number that keeps
    /// it sorted.
    ///
    /// TensorFlow: `LowerBound`.
    pub op LowerBound = "LowerBound" {
        inputs: { sorted_inputs: T, values: T }, outputs: { output: out_type },
        types: { T: DTypeSet::REAL }, attrs: { out_type: DType = DType::I32 }, host: {  },
        arity: 2, effect: Pure, infer: i::bound, kernel: o::lower_bound,
    }
}

define_op! {
    /// For each value of a row, the last place in the sorted row of the same number that keeps
    /// it sorted.
    ///
    /// TensorFlow: `UpperBound`.
    pub op UpperBound = "UpperBound" {
        inputs: { sorted_inputs: T, values: T }, outputs: { output: out_type },
        types: { T: DTypeSet::REAL }, attrs: { out_type: DType = DType::I32 }, host: {  },
        arity: 2, effect: Pure, infer: i::bound, kernel: o::upper_bound,
    }
}

define_op! {
    /// For each element the number of sorted boundaries that are not above it, int32.
    ///
    /// TensorFlow: `Bucketize`.
    pub op Bucketize = "Bucketize" {
        inputs: { input: T }, outputs: { output: {I32} },
        types: { T: DTypeSet::of(&[DType::I32, DType::I64, DType::F32, DType::F64]) }, attrs: { boundaries: Vec<f32> }, host: {  },
        arity: 1, effect: Pure, infer: i::bucketize, kernel: o::bucketize,
    }
}
