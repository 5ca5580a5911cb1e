//! Elements and slices picked and put by coordinates; indices, partitions.

mod batch;
mod classes;
mod edit;
pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;
pub(in crate::ops) mod scatter;
mod stitch;
mod taking;

pub use classes::*;
pub use edit::*;
pub use stitch::*;
pub use taking::*;

use crate::define_op;
use crate::ops::MOVABLE;
use crate::ops::args::{Axis, Integer, Sizes};
use crate::types::{DType, DTypeSet};

define_op! {
    /// Methods: elements and slices picked and put by coordinates; indices, partitions.
    methods of IndexingMethods;

    /// Encodes each index as a new axis of `depth` places: `on` at the index, `off` elsewhere.
    ///
    /// TensorFlow: `OneHot`. Indices of any shape, `on` and `off` scalars; the result has one axis
    /// more, at `axis`. The function is [`one_hot()`].
    pub op OneHot = "OneHot" {
        inputs: { indices: TI, depth: {I32} as Integer, on_value: T, off_value: T }, outputs: { output: T },
        types: { TI: DTypeSet::of(&[DType::U8, DType::I8, DType::I32, DType::I64]), T: DTypeSet::DATA },
        attrs: { axis: i64 = -1 },
        infer: infer::one_hot, kernel: kernel::one_hot,
        gradient: gradient::one_hot,
        batch: batch::one_hot,
    }

    /// Returns the permutation that undoes this one.
    ///
    /// TensorFlow: `InvertPermutation`. A vector; so is the result.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![2, 0, 1].invert_permutation()?.as_slice::<i32>()?, &[1, 2, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op InvertPermutation = "InvertPermutation" {
        inputs: { x: T }, outputs: { y: T },
        types: { T: DTypeSet::INDEX },
        call: method invert_permutation(x),
        infer: infer::invert_permutation, kernel: kernel::invert_permutation,
        gradient: none,
    }

    /// Splits rows into parts by their numbers in `partitions`.
    ///
    /// TensorFlow: `DynamicPartition`. `partitions` has the first axes of `data`; each part has an
    /// axis of its rows, then the other axes of `data`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let parts = tensor![1.0f32, 2.0, 3.0].dynamic_partition(&tensor![1, 0, 1], 2)?;
    /// assert_eq!(parts[1].as_slice::<f32>()?, &[1.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op DynamicPartition = "DynamicPartition" {
        inputs: { data: T, partitions: {I32} }, outputs: { outputs: [T; num_partitions] },
        types: { T: DTypeSet::DATA }, attrs: { num_partitions: i64 },
        call: method dynamic_partition(data, partitions; num_partitions),
        infer: infer::dynamic_partition, kernel: kernel::dynamic_partition,
        gradient: gradient::dynamic_partition,
    }

    /// Merges the rows of several tensors at their indices. Of several rows for one index the last
    /// wins; missing rows are zeros.
    ///
    /// TensorFlow: `DynamicStitch`.
    pub op DynamicStitch = "DynamicStitch" {
        inputs: { indices: [{I32}; N], data: [T; N] }, outputs: { merged: T },
        types: { T: DTypeSet::DATA },
        dispatch: none,
        infer: infer::dynamic_stitch, kernel: kernel::dynamic_stitch,
        gradient: gradient::stitched,
    }

    /// Merges rows as [`DynamicStitch`] does, for distinct indices.
    ///
    /// TensorFlow: `ParallelDynamicStitch`.
    pub op ParallelDynamicStitch = "ParallelDynamicStitch" {
        inputs: { indices: [{I32}; N], data: [T; N] }, outputs: { merged: T },
        types: { T: DTypeSet::DATA },
        dispatch: none,
        infer: infer::dynamic_stitch, kernel: kernel::dynamic_stitch,
        gradient: gradient::stitched,
    }

    /// Converts flat indices into an array of sizes `dims` to the place along each axis.
    ///
    /// TensorFlow: `UnravelIndex`. A scalar or a vector of indices, a vector of `n` sizes; the
    /// result is `[n]` or `[n, indices]`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![1, 6].unravel_index(&tensor![2, 4])?;
    /// assert_eq!(y.shape(), shape![2, 2]);
    /// assert_eq!(y.as_slice::<i32>()?, &[0, 1, 1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op UnravelIndex = "UnravelIndex" {
        inputs: { indices: Tidx, dims: Tidx }, outputs: { output: Tidx },
        types: { Tidx: DTypeSet::INDEX },
        call: method unravel_index(indices, dims),
        infer: infer::unravel_index, kernel: kernel::unravel_index,
        gradient: none,
    }

    /// Returns the sizes of each of several tensors as int64 vectors.
    ///
    /// TensorFlow: `ShapeN`. Tensors of any shapes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let sizes = ops::shape_n(&[&tensor![1, 2], &tensor![[3]]])?;
    /// assert_eq!(sizes[1].as_slice::<i64>()?, &[1, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op ShapeN = "ShapeN" {
        inputs: { input: [T; N] }, outputs: { output: [out_type; N] },
        types: { T: DTypeSet::ANY }, attrs: { out_type: DType = DType::I32 },
        call: shape_n([xs]) => { out_type: DType::I64 },
        infer: infer::shape_n, kernel: kernel::shape_n,
        gradient: none,
    }

    /// Takes slices of `params` along `axis` at the indices; `OutOfRange` for an index out of range.
    ///
    /// TensorFlow: `GatherV2`; PyTorch: `index_select`. The result
    /// has the shape of `params` with `axis` replaced by the shape of `indices`, which may be any.
    ///
    /// Dtypes of `params`: every one but resource; of `indices`: int32, int64.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2], [3, 4], [5, 6]].gather(&tensor![2, 0], 0)?;
    /// assert_eq!(x.shape(), shape![2, 2]);
    /// assert_eq!(x.as_slice::<i32>()?, &[5, 6, 1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Gather = "GatherV2" {
        inputs: { params: Tparams, indices: Tindices, axis: Taxis as Axis }, outputs: { output: Tparams },
        types: { Tparams: MOVABLE, Tindices: DTypeSet::INDEX, Taxis: DTypeSet::INDEX },
        attrs: { batch_dims: i64 = 0 },
        call: method gather(params, indices; axis),
        infer: infer::gather, kernel: kernel::gather,
        gradient: gradient::gather,
        batch: batch::gather,
    }

    /// Takes elements or slices at coordinates, which lie along the last axis of `indices`.
    ///
    /// TensorFlow: `GatherNd`. Indices `[…, n]` into the first `n` axes; the result has the leading
    /// axes of the indices, then the other axes of `params`.
    ///
    /// Dtypes of `params`: every one but resource; of `indices`: int32, int64.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2], [3, 4]];
    /// assert_eq!(x.gather_nd(&tensor![[1, 0], [0, 1]])?.as_slice::<i32>()?, &[3, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op GatherNd = "GatherNd" {
        inputs: { params: Tparams, indices: Tindices }, outputs: { output: Tparams },
        types: { Tparams: MOVABLE, Tindices: DTypeSet::INDEX },
        attrs: { bad_indices_policy: String = String::new() },
        call: method gather_nd(params, indices),
        infer: infer::gather_nd, kernel: scatter::gather_nd,
        gradient: gradient::gather_nd,
        batch: batch::gather_nd,
    }

    /// Makes zeros of a shape with `updates` added at coordinates.
    ///
    /// TensorFlow: `ScatterNd`. Indices `[…, n]` into the first `n` axes of the shape; the updates
    /// have the leading axes of the indices, then the other axes of the shape.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = ops::scatter_nd(&tensor![[1], [3]], &tensor![5.0f32, 6.0], [4])?;
    /// assert_eq!(x.as_slice::<f32>()?, &[0.0, 5.0, 0.0, 6.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op ScatterNd = "ScatterNd" {
        inputs: { indices: Tindices, updates: T, shape: Tindices as Sizes }, outputs: { output: T },
        types: { T: DTypeSet::DATA, Tindices: DTypeSet::INDEX },
        attrs: { bad_indices_policy: String = String::new() },
        call: scatter_nd(indices, updates; shape),
        infer: infer::scatter_nd, kernel: scatter::scatter_nd,
        gradient: gradient::scatter_nd,
        batch: batch::scatter_nd,
    }

    /// Returns the tensor with `updates` written at coordinates.
    ///
    /// TensorFlow: `TensorScatterUpdate`. Indices `[…, n]` into the first `n`
    /// axes; the updates have the leading axes of the indices, then the other axes of the tensor.
    /// The result has the shape of the tensor.
    ///
    /// Dtypes of `x` and `updates`, alike: every one but resource; of `indices`: int32, int64.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![1, 1, 1].tensor_scatter_nd_update(&tensor![[0], [2]], &tensor![7, 8])?;
    /// assert_eq!(y.as_slice::<i32>()?, &[7, 1, 8]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op TensorScatterUpdate = "TensorScatterUpdate" {
        inputs: { tensor: T, indices: Tindices, updates: T }, outputs: { output: T },
        types: { T: MOVABLE, Tindices: DTypeSet::INDEX },
        attrs: { bad_indices_policy: String = String::new() },
        call: method tensor_scatter_nd_update(x, indices, updates),
        infer: infer::tensor_scatter, kernel: Change(|x, c| scatter::changed(x, c, scatter::update)),
        gradient: gradient::tensor_scatter_update,
        batch: batch::tensor_scatter,
    }

    /// Returns the tensor with `updates` added at coordinates.
    ///
    /// TensorFlow: `TensorScatterAdd`. Shapes as for [`tensor_scatter_nd_update()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![1, 1, 1].tensor_scatter_nd_add(&tensor![[0], [2]], &tensor![7, 8])?;
    /// assert_eq!(y.as_slice::<i32>()?, &[8, 1, 9]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op TensorScatterAdd = "TensorScatterAdd" {
        inputs: { tensor: T, indices: Tindices, updates: T }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX },
        attrs: { bad_indices_policy: String = String::new() },
        call: method tensor_scatter_nd_add(x, indices, updates),
        infer: infer::tensor_scatter, kernel: Change(|x, c| scatter::changed(x, c, scatter::add)),
        gradient: gradient::tensor_scatter_add,
        batch: batch::tensor_scatter,
    }

    /// Returns the tensor with `updates` subtracted at coordinates.
    ///
    /// TensorFlow: `TensorScatterSub`. Shapes as for [`tensor_scatter_nd_update()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![1, 1, 1].tensor_scatter_nd_sub(&tensor![[0], [2]], &tensor![7, 8])?;
    /// assert_eq!(y.as_slice::<i32>()?, &[-6, 1, -7]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op TensorScatterSub = "TensorScatterSub" {
        inputs: { tensor: T, indices: Tindices, updates: T }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX },
        attrs: { bad_indices_policy: String = String::new() },
        call: method tensor_scatter_nd_sub(x, indices, updates),
        infer: infer::tensor_scatter, kernel: Change(|x, c| scatter::changed(x, c, scatter::sub)),
        gradient: gradient::tensor_scatter_sub,
        batch: batch::tensor_scatter,
    }

    /// Returns the tensor with the smaller of its element and the update at coordinates.
    ///
    /// TensorFlow: `TensorScatterMin`. Shapes as for [`tensor_scatter_nd_update()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![5, 5, 5].tensor_scatter_nd_min(&tensor![[0], [2]], &tensor![7, 2])?;
    /// assert_eq!(y.as_slice::<i32>()?, &[5, 5, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op TensorScatterMin = "TensorScatterMin" {
        inputs: { tensor: T, indices: Tindices, updates: T }, outputs: { output: T },
        types: { T: DTypeSet::REAL, Tindices: DTypeSet::INDEX },
        attrs: { bad_indices_policy: String = String::new() },
        call: method tensor_scatter_nd_min(x, indices, updates),
        infer: infer::tensor_scatter, kernel: Change(|x, c| scatter::changed(x, c, scatter::min)),
        gradient: gradient::extremum,
        batch: batch::tensor_scatter,
    }

    /// Returns the tensor with the larger of its element and the update at coordinates.
    ///
    /// TensorFlow: `TensorScatterMax`. Shapes as for [`tensor_scatter_nd_update()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![5, 5, 5].tensor_scatter_nd_max(&tensor![[0], [2]], &tensor![7, 2])?;
    /// assert_eq!(y.as_slice::<i32>()?, &[7, 5, 5]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op TensorScatterMax = "TensorScatterMax" {
        inputs: { tensor: T, indices: Tindices, updates: T }, outputs: { output: T },
        types: { T: DTypeSet::REAL, Tindices: DTypeSet::INDEX },
        attrs: { bad_indices_policy: String = String::new() },
        call: method tensor_scatter_nd_max(x, indices, updates),
        infer: infer::tensor_scatter, kernel: Change(|x, c| scatter::changed(x, c, scatter::max)),
        gradient: gradient::extremum,
        batch: batch::tensor_scatter,
    }

    /// Returns the coordinates of the elements that are true or not zero, one row each; `tf.where` of a
    /// condition alone.
    ///
    /// TensorFlow: `Where`. Of any shape; the result is `[found, rank]`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let found = tensor![[true, false], [true, true]].where_indices()?;
    /// assert_eq!(found.as_slice::<i64>()?, &[0, 0, 1, 0, 1, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Where = "Where" {
        inputs: { input: T }, outputs: { index: {I64} },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL) },
        call: method where_indices(x),
        infer: infer::where_, kernel: scatter::where_,
        gradient: none,
    }
}
