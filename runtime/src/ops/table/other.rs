//! Matrix products, shapes as values, ranges, printing.

use crate::define_op;
use crate::ops::infer;
use crate::ops::kernel::{linear, other};
use crate::types::{DType, DTypeSet};

const MULTIPLIED: DTypeSet = DTypeSet::INEXACT.or(DTypeSet::INDEX);

define_op! {
    /// The product of two matrices.
    ///
    /// TensorFlow: `MatMul`.
    pub op MatMul = "MatMul" {
        inputs: { a: T, b: T }, outputs: { product: T },
        types: { T: MULTIPLIED }, attrs: { transpose_a: bool = false, transpose_b: bool = false }, host: {  },
        arity: 2, effect: Pure, infer: infer::matmul, kernel: linear::matmul,
    }
}

define_op! {
    /// The products of two stacks of matrices; leading axes broadcast, `adj` conjugates and transposes.
    ///
    /// TensorFlow: `BatchMatMulV2`.
    pub op BatchMatMul = "BatchMatMulV2" {
        inputs: { x: T, y: T }, outputs: { output: T },
        types: { T: MULTIPLIED }, attrs: { adj_x: bool = false, adj_y: bool = false }, host: {  },
        arity: 2, effect: Pure, infer: infer::batch_matmul, kernel: linear::batch_matmul,
    }
}

define_op! {
    /// The sizes of a tensor as integers.
    ///
    /// TensorFlow: `Shape`.
    pub op ShapeOf = "Shape" {
        inputs: { input: T }, outputs: { output: out_type },
        types: { T: DTypeSet::ANY }, attrs: { out_type: DType = DType::I32 }, host: {  },
        arity: 1, effect: Pure, infer: infer::shape_of, kernel: other::shape_of,
    }
}

define_op! {
    /// The number of elements of a tensor as an integer.
    ///
    /// TensorFlow: `Size`.
    pub op Size = "Size" {
        inputs: { input: T }, outputs: { output: out_type },
        types: { T: DTypeSet::ANY }, attrs: { out_type: DType = DType::I32 }, host: {  },
        arity: 1, effect: Pure, infer: infer::size_of, kernel: other::size_of,
    }
}

define_op! {
    /// The number of axes of a tensor, int32.
    ///
    /// TensorFlow: `Rank`.
    pub op Rank = "Rank" {
        inputs: { input: T }, outputs: { output: {I32} },
        types: { T: DTypeSet::ANY }, attrs: {  }, host: {  },
        arity: 1, effect: Pure, infer: infer::rank_of, kernel: other::rank_of,
    }
}

define_op! {
    /// `start, start + delta, …` up to and without `limit`.
    ///
    /// TensorFlow: `Range`.
    pub op Range = "Range" {
        inputs: { start: Tidx, limit: Tidx, delta: Tidx }, outputs: { output: Tidx },
        types: { Tidx: DTypeSet::REAL }, attrs: {  }, host: {  },
        arity: 3, effect: Pure, infer: infer::range, kernel: other::range,
    }
}

define_op! {
    /// Sums of the rows that have the same id; negative ids are dropped.
    ///
    /// TensorFlow: `UnsortedSegmentSum`.
    pub op UnsortedSegmentSum = "UnsortedSegmentSum" {
        inputs: { data: T, segment_ids: Tindices, num_segments: Tnumsegments }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX, Tnumsegments: DTypeSet::INDEX }, attrs: {  }, host: {  },
        arity: 3, effect: Pure, infer: infer::segment_sum, kernel: other::unsorted_segment_sum,
    }
}

define_op! {
    /// For two shapes that broadcast, the axes over which the gradient of each is summed.
    ///
    /// TensorFlow: `BroadcastGradientArgs`.
    pub op BroadcastGradientArgs = "BroadcastGradientArgs" {
        inputs: { s0: T, s1: T }, outputs: { r0: T, r1: T },
        types: { T: DTypeSet::INDEX }, attrs: {  }, host: {  },
        arity: 2, effect: Pure, infer: infer::broadcast_gradient_args, kernel: other::broadcast_gradient_args,
    }
}

define_op! {
    /// A template with tensors printed in its placeholders.
    ///
    /// TensorFlow: `StringFormat`.
    pub op StringFormat = "StringFormat" {
        inputs: { inputs: (T) }, outputs: { output: {String} },
        types: {}, attrs: { template: String = "%s".into(), placeholder: String = "%s".into(), summarize: i64 = 3 }, host: {  },
        arity: seq, effect: Pure, infer: |_| Ok([crate::types::TensorType::new(DType::String, crate::types::Shape::scalar())].into()), kernel: other::format,
    }
}

define_op! {
    /// Writes a string to a stream: `stdout`, `stderr`, or `file://PATH`.
    ///
    /// TensorFlow: `PrintV2`.
    pub op Print = "PrintV2" {
        inputs: { input: {String} }, outputs: {  },
        types: {  }, attrs: { output_stream: String = "stderr".into(), end: String = "\n".into() }, host: {  },
        arity: 1, effect: Writes, infer: infer::no_outputs, kernel: other::print,
    }
}

define_op! {
    /// Does nothing; orders what has control edges to it.
    ///
    /// TensorFlow: `NoOp`.
    pub op NoOp = "NoOp" {
        inputs: {  }, outputs: {  },
        types: {  }, attrs: {  }, host: {  },
        arity: none, effect: Pure, infer: infer::no_outputs, kernel: other::no_op,
    }
}
