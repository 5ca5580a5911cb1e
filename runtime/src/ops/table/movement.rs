//! Ops that move elements.

use crate::define_op;
use crate::ops::kernel::movement as m;
use crate::ops::{Axis, Integers, Pairs, infer};
use crate::types::{DType, DTypeSet};

/// What movement kernels take: everything but resources.
pub(super) const MOVABLE: DTypeSet = DTypeSet::DATA.or(DTypeSet::of(&[DType::Variant]));

define_op! {
    /// The same elements under another shape; one size may be -1.
    ///
    /// TensorFlow: `Reshape`.
    pub op Reshape = "Reshape" {
        inputs: { tensor: T, shape: Tshape }, outputs: { output: T },
        types: { T: MOVABLE, Tshape: DTypeSet::INDEX }, attrs: {  }, host: { shape: Integers },
        arity: 1, effect: Pure, infer: infer::reshape, kernel: m::reshape,
    }
}

define_op! {
    /// The axes in the order of a permutation.
    ///
    /// TensorFlow: `Transpose`.
    pub op Transpose = "Transpose" {
        inputs: { x: T, perm: Tperm }, outputs: { y: T },
        types: { T: MOVABLE, Tperm: DTypeSet::INDEX }, attrs: {  }, host: { perm: Integers },
        arity: 1, effect: Pure, infer: infer::transpose, kernel: m::transpose,
    }
}

define_op! {
    /// A new axis of size 1 before `axis`.
    ///
    /// TensorFlow: `ExpandDims`.
    pub op ExpandDims = "ExpandDims" {
        inputs: { input: T, dim: Tdim }, outputs: { output: T },
        types: { T: MOVABLE, Tdim: DTypeSet::INDEX }, attrs: {  }, host: { axis as "dim": Axis },
        arity: 1, effect: Pure, infer: infer::expand_dims, kernel: m::expand_dims,
    }
}

define_op! {
    /// Without the given axes of size 1, or without all such axes.
    ///
    /// TensorFlow: `Squeeze`.
    pub op Squeeze = "Squeeze" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: MOVABLE }, attrs: { squeeze_dims: Vec<i64> = Vec::new() }, host: {  },
        arity: 1, effect: Pure, infer: infer::squeeze, kernel: m::squeeze,
    }
}

define_op! {
    /// Repeated along axes of size 1 and new leading axes, to a shape.
    ///
    /// TensorFlow: `BroadcastTo`.
    pub op BroadcastTo = "BroadcastTo" {
        inputs: { input: T, shape: Tidx }, outputs: { output: T },
        types: { T: MOVABLE, Tidx: DTypeSet::INDEX }, attrs: {  }, host: { shape: Integers },
        arity: 1, effect: Pure, infer: infer::broadcast_to, kernel: m::broadcast_to,
    }
}

define_op! {
    /// Tensors one after the other along an axis.
    ///
    /// TensorFlow: `ConcatV2`.
    pub op Concat = "ConcatV2" {
        inputs: { values: [T], axis: Tidx }, outputs: { output: T },
        types: { T: MOVABLE, Tidx: DTypeSet::INDEX }, attrs: {  }, host: { axis: Axis },
        arity: seq, effect: Pure, infer: infer::concat, kernel: m::concat,
    }
}

define_op! {
    /// Tensors of one shape along a new axis.
    ///
    /// TensorFlow: `Pack`.
    pub op Stack = "Pack" {
        inputs: { values: [T] }, outputs: { output: T },
        types: { T: MOVABLE }, attrs: { axis: i64 = 0 }, host: {  },
        arity: seq, effect: Pure, infer: infer::pack, kernel: m::pack,
    }
}

define_op! {
    /// Slices of `params` along an axis at the given indices.
    ///
    /// TensorFlow: `GatherV2`.
    pub op Gather = "GatherV2" {
        inputs: { params: Tparams, indices: Tindices, axis: Taxis }, outputs: { output: Tparams },
        types: { Tparams: MOVABLE, Tindices: DTypeSet::INDEX, Taxis: DTypeSet::INDEX }, attrs: { batch_dims: i64 = 0 }, host: { axis: Axis },
        arity: 2, effect: Pure, infer: infer::gather, kernel: m::gather,
    }
}

define_op! {
    /// The block of `size` elements from `begin` along each axis; size -1 means to the end.
    ///
    /// TensorFlow: `Slice`.
    pub op Slice = "Slice" {
        inputs: { input: T, begin: Index, size: Index }, outputs: { output: T },
        types: { T: MOVABLE, Index: DTypeSet::INDEX }, attrs: {  }, host: { begin: Integers, size: Integers },
        arity: 1, effect: Pure, infer: infer::slice, kernel: m::slice,
    }
}

define_op! {
    /// `t` where the condition is true, `e` elsewhere; the three broadcast.
    ///
    /// TensorFlow: `SelectV2`.
    pub op Select = "SelectV2" {
        inputs: { condition: {Bool}, t: T, e: T }, outputs: { output: T },
        types: { T: MOVABLE }, attrs: {  }, host: {  },
        arity: 3, effect: Pure, infer: infer::select, kernel: m::select,
    }
}

define_op! {
    /// A scalar repeated to a shape.
    ///
    /// TensorFlow: `Fill`.
    pub op Fill = "Fill" {
        inputs: { dims: index_type, value: T }, outputs: { output: T },
        types: { T: MOVABLE, index_type: DTypeSet::INDEX }, attrs: {  }, host: { dims: Integers },
        arity: 1, effect: Pure, infer: infer::fill, kernel: m::fill,
    }
}

define_op! {
    /// Zeros before and after along each axis; `paddings` has shape `[rank, 2]`.
    ///
    /// TensorFlow: `Pad`.
    pub op Pad = "Pad" {
        inputs: { input: T, paddings: Tpaddings }, outputs: { output: T },
        types: { T: DTypeSet::DATA, Tpaddings: DTypeSet::INDEX }, attrs: {  }, host: { paddings: Pairs },
        arity: 1, effect: Pure, infer: infer::pad, kernel: m::pad,
    }
}
