//! Moving blocks of space to batches and channels, and back.

pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;

use crate::define_op;
use crate::ops::args::{Integers, Pairs};
use crate::ops::rules::folded::examples;
use crate::types::DTypeSet;

define_op! {
    /// Methods: moving blocks of space to batches and channels, and back.
    methods of BlocksMethods;

    /// Pads the axes after the batch with zeros, and moves each position within a block to the batch.
    ///
    /// TensorFlow: `SpaceToBatchND`. The batch is the first axis; its size is multiplied by the product
    /// of the block sizes. The other padded sizes are divided by the block sizes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![[1, 2, 3, 4]].space_to_batch([2], [[0, 0]])?;
    /// assert_eq!(y.shape(), shape![2, 2]);
    /// assert_eq!(y.as_slice::<i32>()?, &[1, 3, 2, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op SpaceToBatch = "SpaceToBatchND" {
        inputs: { input: T, block_shape: Tblock_shape as Integers, paddings: Tpaddings as Pairs }, outputs: { output: T },
        types: { T: DTypeSet::DATA, Tblock_shape: DTypeSet::INDEX, Tpaddings: DTypeSet::INDEX },
        call: method space_to_batch(x; block_shape, paddings),
        infer: infer::space_to_batch, kernel: kernel::space_to_batch,
        gradient: gradient::space_to_batch,
    }

    /// Moves batches back to their positions within blocks, then crops.
    ///
    /// TensorFlow: `BatchToSpaceND`. The batch is the first axis; its size is divided by the product of
    /// the block sizes. The other sizes are multiplied by the block sizes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![[1, 3], [2, 4]].batch_to_space([2], [[0, 0]])?;
    /// assert_eq!(y.shape(), shape![1, 4]);
    /// assert_eq!(y.as_slice::<i32>()?, &[1, 2, 3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op BatchToSpace = "BatchToSpaceND" {
        inputs: { input: T, block_shape: Tblock_shape as Integers, crops: Tcrops as Pairs }, outputs: { output: T },
        types: { T: DTypeSet::DATA, Tblock_shape: DTypeSet::INDEX, Tcrops: DTypeSet::INDEX },
        call: method batch_to_space(x; block_shape, crops),
        infer: infer::batch_to_space, kernel: kernel::batch_to_space,
        gradient: gradient::batch_to_space,
    }

    /// Moves the elements of each square block of an image to the channels of one pixel.
    ///
    /// TensorFlow: `SpaceToDepth`. Images of shape `[batch, height, width, channels]`; the result
    /// is `[batch, height / b, width / b, channels · b²]` for blocks of size `b`, which is 2 or
    /// more.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![[[[1], [2]], [[3], [4]]]].space_to_depth(2)?;
    /// assert_eq!(y.shape(), shape![1, 1, 1, 4]);
    /// assert_eq!(y.as_slice::<i32>()?, &[1, 2, 3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op SpaceToDepth = "SpaceToDepth" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: DTypeSet::DATA },
        attrs: { block_size: i64, data_format: String = "NHWC".to_owned() },
        call: method space_to_depth(x; block_size),
        infer: infer::space_to_depth, kernel: kernel::space_to_depth,
        gradient: gradient::space_to_depth,
        batch: |b| examples(b, &[0]),
    }

    /// Moves the channels of each pixel of an image to a square block.
    ///
    /// TensorFlow: `DepthToSpace`. Images of shape `[batch, height, width, channels]`; the result
    /// is `[batch, height · b, width · b, channels / b²]` for blocks of size `b`, which is 2 or
    /// more.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![[[[1, 2, 3, 4]]]].depth_to_space(2)?;
    /// assert_eq!(y.shape(), shape![1, 2, 2, 1]);
    /// assert_eq!(y.as_slice::<i32>()?, &[1, 2, 3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op DepthToSpace = "DepthToSpace" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: DTypeSet::DATA },
        attrs: { block_size: i64, data_format: String = "NHWC".to_owned() },
        call: method depth_to_space(x; block_size),
        infer: infer::depth_to_space, kernel: kernel::depth_to_space,
        gradient: gradient::depth_to_space,
        batch: |b| examples(b, &[0]),
    }
}
