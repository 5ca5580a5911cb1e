//! Blocks of space that become batch or depth, and back.

use crate::define_op;
use crate::ops::infer::blocks as i;
use crate::ops::kernel::blocks as b;
use crate::ops::{Integers, Pairs};
use crate::types::DTypeSet;

define_op! {
    /// Zeros around the axes behind the batch, and each place within a block as a batch of its own.
    ///
    /// TensorFlow: `SpaceToBatchND`.
    pub op SpaceToBatch = "SpaceToBatchND" {
        inputs: { input: T, block_shape: Tblock_shape, paddings: Tpaddings }, outputs: { output: T },
        types: { T: DTypeSet::DATA, Tblock_shape: DTypeSet::INDEX, Tpaddings: DTypeSet::INDEX }, attrs: {  }, host: { block_shape: Integers, paddings: Pairs },
        arity: 1, effect: Pure, infer: i::space_to_batch, kernel: b::space_to_batch,
    }
}

define_op! {
    /// Batches back to their places within blocks, then cropped: undoes [`SpaceToBatch`].
    ///
    /// TensorFlow: `BatchToSpaceND`.
    pub op BatchToSpace = "BatchToSpaceND" {
        inputs: { input: T, block_shape: Tblock_shape, crops: Tcrops }, outputs: { output: T },
        types: { T: DTypeSet::DATA, Tblock_shape: DTypeSet::INDEX, Tcrops: DTypeSet::INDEX }, attrs: {  }, host: { block_shape: Integers, crops: Pairs },
        arity: 1, effect: Pure, infer: i::batch_to_space, kernel: b::batch_to_space,
    }
}

define_op! {
    /// The elements of each square block of an image `[batch, height, width, channels]` as
    /// channels of one point.
    ///
    /// TensorFlow: `SpaceToDepth`.
    pub op SpaceToDepth = "SpaceToDepth" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: DTypeSet::DATA }, attrs: { block_size: i64, data_format: String = "NHWC".to_owned() }, host: {  },
        arity: 1, effect: Pure, infer: i::space_to_depth, kernel: b::space_to_depth,
    }
}

define_op! {
    /// The channels of each point of an image `[batch, height, width, channels]` as a square
    /// block: undoes [`SpaceToDepth`].
    ///
    /// TensorFlow: `DepthToSpace`.
    pub op DepthToSpace = "DepthToSpace" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: DTypeSet::DATA }, attrs: { block_size: i64, data_format: String = "NHWC".to_owned() }, host: {  },
        arity: 1, effect: Pure, infer: i::depth_to_space, kernel: b::depth_to_space,
    }
}
