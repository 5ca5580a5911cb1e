//! Ops on indices: one-hot, permutations, partitions, places of flat indices.

use crate::define_op;
use crate::ops::Integer;
use crate::ops::infer::indices as i;
use crate::ops::kernel::indices as x;
use crate::types::{DType, DTypeSet};

define_op! {
    /// For each index a new axis of `depth` places: `on_value` at the index, `off_value` elsewhere,
    /// and everywhere for an index out of range. Axis -1 is the last.
    ///
    /// TensorFlow: `OneHot`.
    pub op OneHot = "OneHot" {
        inputs: { indices: TI, depth: {I32}, on_value: T, off_value: T }, outputs: { output: T },
        types: { TI: DTypeSet::of(&[DType::U8, DType::I8, DType::I32, DType::I64]), T: DTypeSet::DATA }, attrs: { axis: i64 = -1 }, host: { depth: Integer },
        arity: 3, effect: Pure, infer: i::one_hot, kernel: x::one_hot,
    }
}

define_op! {
    /// The permutation that undoes another: `y[x[i]] = i`.
    ///
    /// TensorFlow: `InvertPermutation`.
    pub op InvertPermutation = "InvertPermutation" {
        inputs: { x: T }, outputs: { y: T },
        types: { T: DTypeSet::INDEX }, attrs: {  }, host: {  },
        arity: 1, effect: Pure, infer: i::invert_permutation, kernel: x::invert_permutation,
    }
}

define_op! {
    /// The rows of `data` apart: those whose number in `partitions` is 0, those whose is 1, ….
    ///
    /// TensorFlow: `DynamicPartition`.
    pub op DynamicPartition = "DynamicPartition" {
        inputs: { data: T, partitions: {I32} }, outputs: { outputs: [T] },
        types: { T: DTypeSet::DATA }, attrs: { num_partitions: i64 }, host: {  },
        arity: 2, effect: Pure, infer: i::dynamic_partition, kernel: x::dynamic_partition,
    }
}

define_op! {
    /// The rows of several tensors at the places that their indices tell; of rows for one place
    /// the last counts, places without a row are zeros.
    ///
    /// TensorFlow: `DynamicStitch`.
    pub op DynamicStitch = "DynamicStitch" {
        inputs: { indices: [{I32}], data: [T] }, outputs: { merged: T },
        types: { T: DTypeSet::DATA }, attrs: {  }, host: {  },
        arity: none, effect: Pure, infer: i::dynamic_stitch, kernel: x::dynamic_stitch,
    }
}

define_op! {
    /// [`DynamicStitch`] for indices of which no two are equal.
    ///
    /// TensorFlow: `ParallelDynamicStitch`.
    pub op ParallelDynamicStitch = "ParallelDynamicStitch" {
        inputs: { indices: [{I32}], data: [T] }, outputs: { merged: T },
        types: { T: DTypeSet::DATA }, attrs: {  }, host: {  },
        arity: none, effect: Pure, infer: i::dynamic_stitch, kernel: x::dynamic_stitch,
    }
}

define_op! {
    /// For flat indices into an array of the sizes `dims`, the place along each axis: one row an axis.
    ///
    /// TensorFlow: `UnravelIndex`.
    pub op UnravelIndex = "UnravelIndex" {
        inputs: { indices: Tidx, dims: Tidx }, outputs: { output: Tidx },
        types: { Tidx: DTypeSet::INDEX }, attrs: {  }, host: {  },
        arity: 2, effect: Pure, infer: i::unravel_index, kernel: x::unravel_index,
    }
}

define_op! {
    /// The sizes of each of several tensors as integers.
    ///
    /// TensorFlow: `ShapeN`.
    pub op ShapeN = "ShapeN" {
        inputs: { input: [T] }, outputs: { output: [out_type] },
        types: { T: DTypeSet::ANY }, attrs: { out_type: DType = DType::I32 }, host: {  },
        arity: seq, effect: Pure, infer: i::shape_n, kernel: x::shape_n,
    }
}
