//! Strided slices, reversed, rolled, repeated, mirrored and split tensors, and sums of many.

use super::movement::MOVABLE;
use crate::define_op;
use crate::ops::kernel::slicing as s;
use crate::ops::{Axis, Integers, MirrorMode, Pairs, infer};
use crate::types::{DType, DTypeSet, Shape};

define_op! {
    /// A strided slice: entries `begin..end` with a stride; see [`index`](crate::ops::index()).
    ///
    /// TensorFlow: `StridedSlice`.
    pub op StridedSlice = "StridedSlice" {
        inputs: { input: T, begin: Index, end: Index, strides: Index }, outputs: { output: T },
        types: { T: MOVABLE, Index: DTypeSet::INDEX }, attrs: { begin_mask: i64 = 0, end_mask: i64 = 0, ellipsis_mask: i64 = 0, new_axis_mask: i64 = 0, shrink_axis_mask: i64 = 0 }, host: { begin: Integers, end: Integers, strides: Integers },
        arity: 1, effect: Pure, infer: infer::strided::strided_slice, kernel: s::strided_slice,
    }
}

define_op! {
    /// The gradient of a strided slice: zeros of a shape with `dy` where the slice was.
    ///
    /// TensorFlow: `StridedSliceGrad`.
    pub op StridedSliceGrad = "StridedSliceGrad" {
        inputs: { shape: Index, begin: Index, end: Index, strides: Index, dy: T }, outputs: { output: T },
        types: { T: MOVABLE, Index: DTypeSet::INDEX }, attrs: { begin_mask: i64 = 0, end_mask: i64 = 0, ellipsis_mask: i64 = 0, new_axis_mask: i64 = 0, shrink_axis_mask: i64 = 0 }, host: { shape: Integers, begin: Integers, end: Integers, strides: Integers },
        arity: 1, effect: Pure, infer: infer::strided::strided_slice_grad, kernel: s::strided_slice_grad,
    }
}

define_op! {
    /// Backwards along the given axes.
    ///
    /// TensorFlow: `ReverseV2`.
    pub op Reverse = "ReverseV2" {
        inputs: { tensor: T, axis: Tidx }, outputs: { output: T },
        types: { T: DTypeSet::DATA, Tidx: DTypeSet::INDEX }, attrs: {  }, host: { axis: Integers },
        arity: 1, effect: Pure, infer: infer::slicing::reverse, kernel: s::reverse,
    }
}

define_op! {
    /// The first entries of each sequence backwards, as many as its length says.
    ///
    /// TensorFlow: `ReverseSequence`.
    pub op ReverseSequence = "ReverseSequence" {
        inputs: { input: T, seq_lengths: Tlen }, outputs: { output: T },
        types: { T: DTypeSet::DATA, Tlen: DTypeSet::INDEX }, attrs: { seq_dim: i64, batch_dim: i64 = 0 }, host: {  },
        arity: 2, effect: Pure, infer: infer::slicing::reverse_sequence, kernel: s::reverse_sequence,
    }
}

define_op! {
    /// Shifted along axes; what leaves at one end comes in at the other.
    ///
    /// TensorFlow: `Roll`.
    pub op Roll = "Roll" {
        inputs: { input: T, shift: Tshift, axis: Taxis }, outputs: { output: T },
        types: { T: DTypeSet::DATA, Tshift: DTypeSet::INDEX, Taxis: DTypeSet::INDEX }, attrs: {  }, host: { shift: Integers, axis: Integers },
        arity: 1, effect: Pure, infer: infer::slicing::roll, kernel: s::roll,
    }
}

define_op! {
    /// Repeated a number of times along each axis.
    ///
    /// TensorFlow: `Tile`.
    pub op Tile = "Tile" {
        inputs: { input: T, multiples: Tmultiples }, outputs: { output: T },
        types: { T: MOVABLE, Tmultiples: DTypeSet::INDEX }, attrs: {  }, host: { multiples: Integers },
        arity: 1, effect: Pure, infer: infer::slicing::tile, kernel: s::tile,
    }
}

define_op! {
    /// The shape that two shapes broadcast to.
    ///
    /// TensorFlow: `BroadcastArgs`.
    pub op BroadcastArgs = "BroadcastArgs" {
        inputs: { s0: T, s1: T }, outputs: { r0: T },
        types: { T: DTypeSet::INDEX }, attrs: {  }, host: {  },
        arity: 2, effect: Pure, infer: infer::slicing::broadcast_args, kernel: s::broadcast_args,
    }
}

define_op! {
    /// Equal parts of an axis.
    ///
    /// TensorFlow: `Split`.
    pub op Split = "Split" {
        inputs: { split_dim: {I32}, value: T }, outputs: { output: [T] },
        types: { T: MOVABLE }, attrs: { num_split: i64 }, host: { axis as "split_dim": Axis },
        arity: 1, effect: Pure, infer: infer::slicing::split, kernel: s::split,
    }
}

define_op! {
    /// Parts of an axis with the given sizes; one -1 stands for what is left.
    ///
    /// TensorFlow: `SplitV`.
    pub op SplitSizes = "SplitV" {
        inputs: { value: T, size_splits: Tlen, split_dim: {I32} }, outputs: { output: [T] },
        types: { T: MOVABLE, Tlen: DTypeSet::INDEX }, attrs: { num_split: i64 }, host: { sizes as "size_splits": Integers, axis as "split_dim": Axis },
        arity: 1, effect: Pure, infer: infer::slicing::split_v, kernel: s::split_v,
    }
}

define_op! {
    /// The slices of an axis, each without it.
    ///
    /// TensorFlow: `Unpack`.
    pub op Unstack = "Unpack" {
        inputs: { value: T }, outputs: { output: [T] },
        types: { T: MOVABLE }, attrs: { num: i64, axis: i64 = 0 }, host: {  },
        arity: 1, effect: Pure, infer: infer::slicing::unpack, kernel: s::unpack,
    }
}

define_op! {
    /// A value before and after along each axis; `paddings` has shape `[rank, 2]`.
    ///
    /// TensorFlow: `PadV2`.
    pub op PadWith = "PadV2" {
        inputs: { input: T, paddings: Tpaddings, constant_values: T }, outputs: { output: T },
        types: { T: DTypeSet::DATA, Tpaddings: DTypeSet::INDEX }, attrs: {  }, host: { paddings: Pairs },
        arity: 2, effect: Pure, infer: infer::pad, kernel: s::pad_with,
    }
}

define_op! {
    /// Mirrored edges before and after along each axis; `paddings` has shape `[rank, 2]`.
    ///
    /// TensorFlow: `MirrorPad`.
    pub op MirrorPad = "MirrorPad" {
        inputs: { input: T, paddings: Tpaddings }, outputs: { output: T },
        types: { T: DTypeSet::DATA, Tpaddings: DTypeSet::INDEX }, attrs: { mode: MirrorMode }, host: { paddings: Pairs },
        arity: 1, effect: Pure, infer: infer::slicing::mirror_pad, kernel: s::mirror_pad,
    }
}

define_op! {
    /// The gradient of mirrored edges: each edge added to what it mirrored.
    ///
    /// TensorFlow: `MirrorPadGrad`.
    pub op MirrorPadGrad = "MirrorPadGrad" {
        inputs: { input: T, paddings: Tpaddings }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tpaddings: DTypeSet::INDEX }, attrs: { mode: MirrorMode }, host: { paddings: Pairs },
        arity: 1, effect: Pure, infer: infer::slicing::mirror_pad_grad, kernel: s::mirror_pad_grad,
    }
}

define_op! {
    /// The tensor itself, if it has the given shape; refused if not.
    ///
    /// TensorFlow: `EnsureShape`.
    pub op EnsureShape = "EnsureShape" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: MOVABLE }, attrs: { shape: Shape }, host: {  },
        arity: 1, effect: Pure, infer: infer::slicing::ensure_shape, kernel: s::ensure_shape,
    }
}

define_op! {
    /// The bytes read as another dtype: smaller ones make a new last axis, larger ones take it up.
    ///
    /// TensorFlow: `Bitcast`.
    pub op Bitcast = "Bitcast" {
        inputs: { input: T }, outputs: { output: type },
        types: { T: DTypeSet::NUMERIC }, attrs: { dtype as "type": DType }, host: {  },
        arity: 1, effect: Pure, infer: infer::slicing::bitcast, kernel: s::bitcast,
    }
}

define_op! {
    /// The sum of tensors of one shape.
    ///
    /// TensorFlow: `AddN`.
    pub op AddN = "AddN" {
        inputs: { inputs: [T] }, outputs: { sum: T },
        types: { T: DTypeSet::NUMERIC }, attrs: {  }, host: {  },
        arity: seq, effect: Pure, infer: infer::slicing::add_n, kernel: s::add_n,
    }
}
