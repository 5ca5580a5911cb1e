//! Indices, partitions and blocks.

use super::front;
use crate::ops::*;
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, Result, bail};

front! {
    /// Indices, partitions and blocks as methods of extension types: `masked.space_to_depth(2)?`.
    methods of Arranging {
        /// For each index a new axis of `depth` places: `on` at the index, `off` elsewhere.
        ///
        /// ```
        /// use extype::prelude::*;
        /// let y = tensor![0, 2].one_hot(1.0f32, 0.0, 3, -1)?;
        /// assert_eq!(y.as_slice::<f32>()?, &[1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        /// # Ok::<(), Error>(())
        /// ```
        one_hot(indices, on, off; depth: impl Into<Integer>, axis: i64) => OneHot { axis, depth: depth.into() };
        /// The permutation that undoes this one.
        invert_permutation(x) => InvertPermutation {};
        /// The rows apart by their number in `partitions`.
        ///
        /// ```
        /// use extype::prelude::*;
        /// let parts = tensor![1.0f32, 2.0, 3.0].dynamic_partition(&tensor![1, 0, 1], 2)?;
        /// assert_eq!(parts[1].as_slice::<f32>()?, &[1.0, 3.0]);
        /// # Ok::<(), Error>(())
        /// ```
        dynamic_partition(data, partitions; num_partitions: i64) => DynamicPartition { num_partitions };
        /// Zeros around the axes behind the batch, and each place within a block as a batch.
        space_to_batch(x; block_shape: impl Into<Integers>, paddings: impl Into<Pairs>) => SpaceToBatch { block_shape: block_shape.into(), paddings: paddings.into() };
        /// Batches back to their places within blocks, then cropped.
        batch_to_space(x; block_shape: impl Into<Integers>, crops: impl Into<Pairs>) => BatchToSpace { block_shape: block_shape.into(), crops: crops.into() };
        /// The elements of each square block of an image as channels of one point.
        space_to_depth(x; block_size: i64) => SpaceToDepth { block_size, data_format: "NHWC".to_owned() };
        /// The channels of each point of an image as a square block.
        depth_to_space(x; block_size: i64) => DepthToSpace { block_size, data_format: "NHWC".to_owned() };
        /// For flat indices into an array of sizes `dims`, the place along each axis.
        unravel_index(indices, dims) => UnravelIndex {};
        /// How many values lie in each of `nbins` equal parts of the range of two numbers.
        histogram_fixed_width(values, range; nbins: impl Into<Integer>, dtype: DType) => HistogramFixedWidth { dtype, nbins: nbins.into() };
    }
}

front! {
    functions {
        /// The sizes of each of several tensors as int64 vectors.
        shape_n([xs]) => ShapeN { out_type: DType::I64 };
    }
}

/// [`DynamicStitch`]: the rows of several tensors at the places that their int32 indices tell; of
/// rows for one place the last counts.
///
/// # Errors
/// `InvalidArgument` for lists of differing lengths, a negative index, and shapes that do not fit.
///
/// ```
/// use extype::prelude::*;
/// let ids = [&tensor![0, 2], &tensor![1,]];
/// let y = ops::dynamic_stitch(&ids, &[&tensor![1.0f32, 3.0], &tensor![2.0f32,]])?;
/// assert_eq!(y.as_slice::<f32>()?, &[1.0, 2.0, 3.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn dynamic_stitch(indices: &[&Tensor], data: &[&Tensor]) -> Result<Tensor> {
    let _site = call_site();
    if indices.len() != data.len() {
        bail!("DynamicStitch: {} tensors of indices for {} of data", indices.len(), data.len());
    }
    DynamicStitch {}.run(&[indices, data].concat())
}
