//! Ops that move elements and change shapes.

pub(in crate::ops) mod arrange;
pub(in crate::ops) mod batch;
pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
mod join;
pub(in crate::ops) mod kernel;
mod padding;

pub use arrange::*;
pub use join::*;
pub(in crate::ops) use padding::for_axes;
pub use padding::{PadMode, PaddingMethods, pad_mode};

use crate::define_op;
use crate::ops::args::{Axis, Integers, Pairs};
use crate::ops::options::{Among, Sets};
use crate::ops::protocol::Op;
use crate::ops::rules::batch::{along, along_attr};
use crate::tensor::Tensor;
use crate::types::{DType, DTypeSet};

/// The dtypes that movement kernels take: all but resources.
pub(in crate::ops) const MOVABLE: DTypeSet = DTypeSet::DATA.or(DTypeSet::of(&[DType::Variant]));

define_op! {
    /// Methods: ops that move elements and change shapes.
    methods of MovementMethods;

    /// Gives the same elements another shape; one size may be -1.
    ///
    /// TensorFlow: `Reshape`; PyTorch: `view`. From any shape to one with as many elements.
    ///
    /// Dtypes: every one but resource.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1, 2, 3, 4, 5, 6].reshape([2, -1])?;
    /// assert_eq!(x.shape(), shape![2, 3]);
    /// assert_eq!(x.as_slice::<i32>()?, &[1, 2, 3, 4, 5, 6]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Reshape = "Reshape" {
        inputs: { tensor: T, shape: Tshape as Integers }, outputs: { output: T },
        types: { T: MOVABLE, Tshape: DTypeSet::INDEX },
        call: method reshape(x; shape),
        infer: infer::reshape, kernel: kernel::reshape,
        gradient: gradient::reshape,
        batch: batch::reshape,
    }

    /// Puts the axes in the order of a permutation.
    ///
    /// NumPy: `transpose`, `permute_dims`; TensorFlow: `Transpose`; PyTorch: `permute`. The
    /// permutation names each axis once; axis `i` of the result is axis `perm[i]` of the operand.
    ///
    /// Dtypes: every one but resource.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2, 3], [4, 5, 6]].transpose([1, 0])?;
    /// assert_eq!(x.shape(), shape![3, 2]);
    /// assert_eq!(x.as_slice::<i32>()?, &[1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Transpose = "Transpose" {
        inputs: { x: T, perm: Tperm as Integers }, outputs: { y: T },
        types: { T: MOVABLE, Tperm: DTypeSet::INDEX },
        call: method transpose(x; perm),
        infer: infer::transpose, kernel: kernel::transpose,
        gradient: gradient::transpose,
        batch: batch::transpose,
    }

    /// Adds an axis of size 1 before `axis`.
    ///
    /// TensorFlow: `ExpandDims`; PyTorch: `unsqueeze`. Of any shape; the result has one axis more.
    /// Negative axes count from the end of the result.
    ///
    /// Dtypes: every one but resource.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![1, 2].expand_dims(-1)?;
    /// assert_eq!(y.shape(), shape![2, 1]);
    /// assert_eq!(y.as_slice::<i32>()?, &[1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op ExpandDims = "ExpandDims" {
        inputs: { input: T, dim: Tdim as axis: Axis }, outputs: { output: T },
        types: { T: MOVABLE, Tdim: DTypeSet::INDEX },
        call: method expand_dims(x; axis),
        infer: infer::expand_dims, kernel: kernel::expand_dims,
        gradient: gradient::expand_dims,
        batch: |b| along(b, 1),
    }

    /// Drops axes of size 1: the given ones, or all of them (`..`, or an empty list).
    ///
    /// NumPy: `squeeze`; TensorFlow: `Squeeze`. Of any shape; an axis of another size is refused.
    ///
    /// Dtypes: every one but resource.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = ops::ones([1, 3, 1], f32)?;
    /// assert_eq!(x.squeeze(..)?.shape(), shape![3]);
    /// assert_eq!(ops::squeeze(&x, 0)?.shape(), shape![3, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Squeeze = "Squeeze" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: MOVABLE }, attrs: { squeeze_dims: Vec<i64> = Vec::new() },
        call: method squeeze(x; axes: impl Sets<Among>) => { squeeze_dims: arrange::squeezed(axes)? },
        infer: infer::squeeze, kernel: kernel::squeeze,
        gradient: gradient::squeeze,
        batch: batch::squeeze,
    }

    /// Repeats a tensor along axes of size 1 and new leading axes to give it a shape.
    ///
    /// TensorFlow: `BroadcastTo`; PyTorch: `expand`. The operand's shape must broadcast to the
    /// given one.
    ///
    /// Dtypes: every one but resource.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![1, 2].broadcast_to([2, 2])?;
    /// assert_eq!(y.shape(), shape![2, 2]);
    /// assert_eq!(y.as_slice::<i32>()?, &[1, 2, 1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op BroadcastTo = "BroadcastTo" {
        inputs: { input: T, shape: Tidx as Integers }, outputs: { output: T },
        types: { T: MOVABLE, Tidx: DTypeSet::INDEX },
        call: method broadcast_to(x; shape),
        infer: infer::broadcast_to, kernel: kernel::broadcast_to,
        gradient: gradient::broadcast_to,
        batch: batch::broadcast_to,
    }

    /// Joins values along `axis`.
    ///
    /// TensorFlow: `ConcatV2`; PyTorch: `cat`. Values of one rank, not 0, whose sizes agree except
    /// along `axis`. The result's size along it is the sum of theirs.
    ///
    /// Dtypes, the same for all operands: every one but resource.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (a, b) = (tensor![1, 2], tensor![3]);
    /// assert_eq!(ops::concat(&[&a, &b], 0)?.as_slice::<i32>()?, &[1, 2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Concat = "ConcatV2" {
        inputs: { values: [T; N], axis: Tidx as Axis }, outputs: { output: T },
        types: { T: MOVABLE, Tidx: DTypeSet::INDEX },
        call: concat([values]; axis),
        infer: infer::concat, kernel: kernel::concat,
        gradient: gradient::concat,
        batch: |b| along(b, b.inputs.len() - 1),
    }

    /// Stacks values of one shape along a new axis.
    ///
    /// TensorFlow: `Pack`. The result has one axis more, whose size is the number of values.
    ///
    /// Dtypes, the same for all operands: every one but resource.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let rows = ops::stack(&[&tensor![1, 2], &tensor![3, 4]], 0)?;
    /// assert_eq!(rows.shape(), shape![2, 2]);
    /// assert_eq!(rows.as_slice::<i32>()?, &[1, 2, 3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Stack = "Pack" {
        inputs: { values: [T; N] }, outputs: { output: T },
        types: { T: MOVABLE }, attrs: { axis: i64 = 0 },
        call: stack([values]; axis),
        infer: infer::pack, kernel: kernel::pack,
        gradient: gradient::stack,
        batch: |b| along_attr(b, Stack::AXIS),
    }

    /// Pads each axis before and after with zeros (false, empty strings): one pair for each axis, or
    /// one pair or number for all.
    ///
    /// NumPy: `pad`; TensorFlow: `Pad`, with a pair for each axis. Of any shape. [`pad_with()`] pads
    /// with another value, [`pad_mode`] with elements of the tensor.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 2].pad([[1, 2]])?.as_slice::<i32>()?, &[0, 1, 2, 0, 0]);
    /// assert_eq!(ops::pad([[5]], 1)?.as_slice::<i32>()?, &[0, 0, 0, 0, 5, 0, 0, 0, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Pad = "Pad" {
        inputs: { input: T, paddings: Tpaddings as Pairs }, outputs: { output: T },
        types: { T: DTypeSet::DATA, Tpaddings: DTypeSet::INDEX },
        call: method pad(x; paddings),
        tensors: |op: &Pad, xs: &[&Tensor]| Pad { paddings: for_axes(&op.paddings, xs[0]) }.run(xs),
        infer: infer::pad, kernel: kernel::pad,
        gradient: gradient::pad,
        batch: batch::pad,
    }
}
