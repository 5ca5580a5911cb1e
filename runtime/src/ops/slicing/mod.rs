//! Slices, reversed, rolled, repeated, mirrored and split tensors, and sums of many.

pub(in crate::ops) mod assign;
mod batch;
pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;
mod parts;
mod rows;
pub(in crate::ops) mod strided;
mod turn;

pub use parts::*;
pub use turn::*;

use crate::define_op;
use crate::ops::MOVABLE;
use crate::ops::args::{Axis, IndexList, Integers, MirrorMode, Pairs};
use crate::ops::indexing::scatter::changed;
use crate::ops::movement::for_axes;
use crate::ops::options::{Among, Sets};
use crate::ops::protocol::Op;
use crate::ops::rules::batch::{alike, along, along_attr, leading, per_axis};
use crate::tensor::Tensor;
use crate::types::{DType, DTypeSet, Shape};

define_op! {
    /// Methods: slices, reversed, rolled, repeated, mirrored and split tensors, and sums of many.
    methods of SlicingMethods;

    attrs Masks { begin_mask: i64 = 0, end_mask: i64 = 0, ellipsis_mask: i64 = 0, new_axis_mask: i64 = 0, shrink_axis_mask: i64 = 0 }

    /// Takes a part of a tensor as Python's brackets do: integers, ranges, [`step`], [`Ellipsis`],
    /// [`NewAxis`], scalar tensors; see [`Index`].
    ///
    /// TensorFlow: `tf.strided_slice`, `StridedSlice`. Of any shape; the result has the axes that
    /// no integer removes, and the new ones.
    ///
    /// Dtypes: every one but resource.
    ///
    /// ```
    /// use extype::ops::step;
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2, 3], [4, 5, 6]];
    /// assert_eq!(x.index(-1)?.as_slice::<i32>()?, &[4, 5, 6]);
    /// assert_eq!(x.index((.., 1..))?.shape(), shape![2, 2]);
    /// assert_eq!(x.index((0, step(.., -1)))?.as_slice::<i32>()?, &[3, 2, 1]);
    /// assert_eq!(x.index((Ellipsis, 0, NewAxis))?.shape(), shape![2, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op StridedSlice = "StridedSlice" {
        inputs: { input: T, begin: Index as Integers, end: Index as Integers, strides: Index as Integers }, outputs: { output: T },
        types: { T: MOVABLE, Index: DTypeSet::INDEX },
        attrs: { ..Masks },
        call: method index(x; at: impl IndexList) => StridedSlice::at(at)?,
        infer: strided::strided_slice, kernel: kernel::strided_slice,
        gradient: gradient::strided_slice,
        batch: batch::strided_slice,
    }

    /// The gradient of a strided slice: zeros of a shape with `dy` where the slice was.
    ///
    /// TensorFlow: `StridedSliceGrad`.
    pub op StridedSliceGrad = "StridedSliceGrad" {
        inputs: { shape: Index as Integers, begin: Index as Integers, end: Index as Integers, strides: Index as Integers, dy: T }, outputs: { output: T },
        types: { T: MOVABLE, Index: DTypeSet::INDEX },
        attrs: { ..Masks },
        infer: strided::strided_slice_grad, kernel: kernel::strided_slice_grad,
        gradient: gradient::strided_slice_grad,
        batch: batch::strided_slice_grad,
    }

    /// Returns the tensor with the part that a slice takes replaced by `value`, which broadcasts to the shape of the
    /// part. [`Tensor::with`] is the same with the slice first.
    ///
    /// TensorFlow: `TensorStridedSliceUpdate`; JAX: `x.at[…].set(value)`. Of any shape; the result has the same.
    ///
    /// Dtypes of `x` and `value`, alike: every one but resource.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2, 3], [4, 5, 6]];
    /// let y = ops::index_update(&x, 0, (.., 1..))?;
    /// assert_eq!(y.as_slice::<i32>()?, &[1, 0, 0, 4, 0, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op StridedSliceUpdate = "TensorStridedSliceUpdate" {
        inputs: { input: T, begin: Index as Integers, end: Index as Integers, strides: Index as Integers, value: T }, outputs: { output: T },
        types: { T: MOVABLE, Index: DTypeSet::INDEX },
        attrs: { ..Masks },
        call: index_update(x, value; at: impl IndexList) => StridedSlice::at(at)?.into(),
        infer: strided::updated, kernel: Change(|x, c| changed(x, c, assign::assign)),
        gradient: gradient::strided_slice_update,
    }

    /// Takes the block of `size` elements from `begin` along each axis; size -1 means to the end.
    ///
    /// TensorFlow: `Slice`; PyTorch: `narrow`, along one axis. `begin` and `size` have one number
    /// for each axis.
    ///
    /// Dtypes: every one but resource.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2, 3], [4, 5, 6]].slice([0, 1], [-1, 2])?;
    /// assert_eq!(x.shape(), shape![2, 2]);
    /// assert_eq!(x.as_slice::<i32>()?, &[2, 3, 5, 6]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Slice = "Slice" {
        inputs: { input: T, begin: Index as Integers, size: Index as Integers }, outputs: { output: T },
        types: { T: MOVABLE, Index: DTypeSet::INDEX },
        call: method slice(x; begin, size),
        infer: infer::slice, kernel: kernel::slice,
        gradient: gradient::slice,
        batch: |b| per_axis(b, &[0, -1]),
    }

    /// Reverses the given axes.
    ///
    /// TensorFlow: `ReverseV2`. Of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 2, 3].reverse([0])?.as_slice::<i32>()?, &[3, 2, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Reverse = "ReverseV2" {
        inputs: { tensor: T, axis: Tidx as Integers }, outputs: { output: T },
        types: { T: DTypeSet::DATA, Tidx: DTypeSet::INDEX },
        call: method reverse(x; axis),
        infer: infer::reverse, kernel: kernel::reverse,
        gradient: gradient::again,
        batch: |b| along(b, 1),
    }

    /// Reverses the first `lengths[i]` entries along `seq_dim` in entry `i` of `batch_dim`.
    ///
    /// TensorFlow: `ReverseSequence`. The lengths are a vector as long as `batch_dim`; the result
    /// has the shape of `x`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2, 3], [4, 5, 6]].reverse_sequence(&tensor![2, 3], 1, 0)?;
    /// assert_eq!(x.shape(), shape![2, 3]);
    /// assert_eq!(x.as_slice::<i32>()?, &[2, 1, 3, 6, 5, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op ReverseSequence = "ReverseSequence" {
        inputs: { input: T, seq_lengths: Tlen }, outputs: { output: T },
        types: { T: DTypeSet::DATA, Tlen: DTypeSet::INDEX },
        attrs: { seq_dim: i64, batch_dim: i64 = 0 },
        call: method reverse_sequence(x, lengths; seq_dim, batch_dim),
        infer: infer::reverse_sequence, kernel: kernel::reverse_sequence,
        gradient: gradient::again,
    }

    /// Shifts elements along axes, or all elements as one row (`..`); those that leave at one end
    /// enter at the other.
    ///
    /// NumPy: `roll`; TensorFlow: `Roll`, of rank 1 at least. One shift for each axis, or one for all
    /// of them; the result has the same shape.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2], [3, 4]];
    /// assert_eq!(x.roll(1, ..)?.as_slice::<i32>()?, &[4, 1, 2, 3]);
    /// assert_eq!(ops::roll(&x, 1, 0)?.as_slice::<i32>()?, &[3, 4, 1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Roll = "Roll" {
        inputs: { input: T, shift: Tshift as Integers, axis: Taxis as Integers }, outputs: { output: T },
        types: { T: DTypeSet::DATA, Tshift: DTypeSet::INDEX, Taxis: DTypeSet::INDEX },
        call: method roll(x; shift, axes: impl Sets<Among>) => { axis: turn::among(axes)? },
        tensors: turn::rolled,
        infer: infer::roll, kernel: kernel::roll,
        gradient: gradient::roll,
        batch: |b| along(b, 2),
    }

    /// Repeats a tensor along each axis; fewer numbers than axes are for the last axes, more add new
    /// axes in front.
    ///
    /// NumPy: `tile`; TensorFlow: `Tile`, with one number for each axis; PyTorch: `x.repeat`. Of any shape; the sizes are
    /// multiplied by the numbers.
    ///
    /// Dtypes: every one but resource.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 2].tile(2)?.as_slice::<i32>()?, &[1, 2, 1, 2]);
    /// assert_eq!(ops::tile([1, 2], [2, 1])?.shape(), shape![2, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Tile = "Tile" {
        inputs: { input: T, multiples: Tmultiples as Integers }, outputs: { output: T },
        types: { T: MOVABLE, Tmultiples: DTypeSet::INDEX },
        call: method tile(x; multiples),
        tensors: turn::tiled,
        infer: infer::tile, kernel: kernel::tile,
        gradient: gradient::tile,
        batch: |b| per_axis(b, &[1]),
    }

    /// Returns the shape that two shapes, as integer vectors, broadcast to.
    ///
    /// TensorFlow: `tf.broadcast_dynamic_shape`, `BroadcastArgs`. Two vectors; the result is as
    /// long as the longer one.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let sizes = ops::broadcast_args(&tensor![2, 1], &tensor![3])?;
    /// assert_eq!(sizes.as_slice::<i32>()?, &[2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op BroadcastArgs = "BroadcastArgs" {
        inputs: { s0: T, s1: T }, outputs: { r0: T },
        types: { T: DTypeSet::INDEX },
        call: broadcast_args(a, b),
        infer: infer::broadcast_args, kernel: kernel::broadcast_args,
        gradient: none,
    }

    /// Splits an axis into equal parts.
    ///
    /// TensorFlow: `Split`. The size of the axis is a multiple of `num_split`.
    ///
    /// Dtypes: every one but resource.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let halves = tensor![1, 2, 3, 4].split(2, 0)?;
    /// assert_eq!(halves[1].as_slice::<i32>()?, &[3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Split = "Split" {
        inputs: { split_dim: {I32} as axis: Axis, value: T }, outputs: { output: [T; num_split] },
        types: { T: MOVABLE }, attrs: { num_split: i64 },
        call: method split(x; num_split: usize, axis) => { num_split: num_split as i64 },
        infer: infer::split, kernel: kernel::split,
        gradient: gradient::split,
        batch: |b| along(b, 0),
    }

    /// Splits an axis into parts of the given sizes; one -1 stands for the rest.
    ///
    /// TensorFlow: `SplitV`.
    pub op SplitSizes = "SplitV" {
        inputs: { value: T, size_splits: Tlen as sizes: Integers, split_dim: {I32} as axis: Axis }, outputs: { output: [T; num_split] },
        types: { T: MOVABLE, Tlen: DTypeSet::INDEX }, attrs: { num_split: i64 },
        infer: infer::split_v, kernel: kernel::split_v,
        gradient: gradient::split_sizes,
        batch: |b| along(b, 2),
    }

    /// Splits a tensor into its slices along an axis, which they lose; `num` is the size of the
    /// axis.
    ///
    /// TensorFlow: `Unpack`; PyTorch: `unbind`. Of rank 1 at least.
    ///
    /// Dtypes: every one but resource.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let rows = tensor![[1, 2], [3, 4]].unstack(2, 0)?;
    /// assert_eq!(rows[1].as_slice::<i32>()?, &[3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Unstack = "Unpack" {
        inputs: { value: T }, outputs: { output: [T; num] },
        types: { T: MOVABLE }, attrs: { num: i64, axis: i64 = 0 },
        call: method unstack(x; num: usize, axis) => { num: num as i64 },
        infer: infer::unpack, kernel: kernel::unpack,
        gradient: gradient::unstack,
        batch: |b| along_attr(b, Unstack::AXIS),
    }

    /// Pads each axis before and after with a value: one pair for each axis, or one pair or number
    /// for all.
    ///
    /// NumPy: `pad` with `constant_values`; TensorFlow: `PadV2`, with a pair for each axis. Of any
    /// shape; the value is a scalar.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 2].pad_with(9, [[1, 2]])?.as_slice::<i32>()?, &[9, 1, 2, 9, 9]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op PadWith = "PadV2" {
        inputs: { input: T, paddings: Tpaddings as Pairs, constant_values: T }, outputs: { output: T },
        types: { T: DTypeSet::DATA, Tpaddings: DTypeSet::INDEX },
        call: method pad_with(x, value; paddings),
        tensors: |op: &PadWith, xs: &[&Tensor]| PadWith { paddings: for_axes(&op.paddings, xs[0]) }.run(xs),
        infer: crate::ops::movement::infer::pad, kernel: kernel::pad_with,
        gradient: gradient::pad_with,
        batch: crate::ops::movement::batch::pad,
    }

    /// Pads each axis before and after with mirrored edges: one pair for each axis, or one pair or
    /// number for all.
    ///
    /// TensorFlow: `MirrorPad`, with a pair for each axis. Of any shape; the edge itself is mirrored
    /// too with `MirrorMode::Symmetric`, not with `Reflect`. ([`pad_mode`] mirrors as often as needed.)
    ///
    /// ```
    /// use extype::ops::MirrorMode;
    /// use extype::prelude::*;
    /// let x = tensor![1, 2, 3].mirror_pad([[1, 1]], MirrorMode::Reflect)?;
    /// assert_eq!(x.as_slice::<i32>()?, &[2, 1, 2, 3, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op MirrorPad = "MirrorPad" {
        inputs: { input: T, paddings: Tpaddings as Pairs }, outputs: { output: T },
        types: { T: DTypeSet::DATA, Tpaddings: DTypeSet::INDEX }, attrs: { mode: MirrorMode },
        call: method mirror_pad(x; paddings, mode),
        tensors: |op: &MirrorPad, xs: &[&Tensor]| MirrorPad { paddings: for_axes(&op.paddings, xs[0]), ..op.clone() }.run(xs),
        infer: infer::mirror_pad, kernel: kernel::mirror_pad,
        gradient: gradient::mirror_pad,
        batch: crate::ops::movement::batch::pad,
    }

    /// The gradient of mirrored edges: each edge added to what it mirrored.
    ///
    /// TensorFlow: `MirrorPadGrad`.
    pub op MirrorPadGrad = "MirrorPadGrad" {
        inputs: { input: T, paddings: Tpaddings as Pairs }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tpaddings: DTypeSet::INDEX },
        attrs: { mode: MirrorMode },
        infer: infer::mirror_pad_grad, kernel: kernel::mirror_pad_grad,
        gradient: gradient::mirror_pad_grad,
        batch: crate::ops::movement::batch::pad,
    }

    /// Returns the tensor itself if it has the given shape, else an error. In a trace the result has
    /// every size that is known from either shape.
    ///
    /// TensorFlow: `EnsureShape`. Of any shape that is compatible with the one asked for.
    ///
    /// Dtypes: every one but resource.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2]].ensure_shape(shape![?, 2])?;
    /// assert_eq!(x.shape(), shape![1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op EnsureShape = "EnsureShape" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: MOVABLE }, attrs: { shape: Shape },
        call: method ensure_shape(x; shape: impl crate::types::ShapeLike) => { shape: shape.into() },
        infer: infer::ensure_shape, kernel: kernel::ensure_shape,
        gradient: gradient::ensure_shape,
        batch: batch::ensure_shape,
    }

    /// Reads the bytes as another dtype: a smaller one adds a last axis, a larger one consumes it.
    /// A gradient passes only if the dtype stays.
    ///
    /// TensorFlow: `Bitcast`; JAX: `jax.lax.bitcast_convert_type`. Of any shape; the last axis
    /// comes or goes where the widths differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32].bitcast(i32)?.as_slice::<i32>()?, &[0x3f80_0000]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Bitcast = "Bitcast" {
        inputs: { input: T }, outputs: { output: type },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::FLOAT8).or(DTypeSet::QUANTIZED) }, attrs: { dtype as "type": DType },
        call: method bitcast(x; dtype),
        infer: infer::bitcast, kernel: kernel::bitcast,
        gradient: gradient::bitcast,
        batch: leading,
    }

    /// Adds several values of one shape.
    ///
    /// TensorFlow: `AddN`. The result has the shape of the values. Lists in variants are added element by
    /// element.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1, 2];
    /// assert_eq!(ops::add_n(&[&x, &x, &x])?.as_slice::<i32>()?, &[3, 6]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op AddN = "AddN" {
        inputs: { inputs: [T; N] }, outputs: { sum: T },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::of(&[DType::Variant])) },
        call: add_n([values]),
        infer: infer::add_n, kernel: kernel::add_n,
        gradient: gradient::add_n,
        batch: alike,
    }
}
