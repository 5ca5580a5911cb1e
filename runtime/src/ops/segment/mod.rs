//! Rows that share an id become one row: segments of sorted and unsorted ids, of all rows or of picked ones.

pub(in crate::ops) mod batch;
mod functions;
mod gradient;
pub(in crate::ops) mod ids;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;

pub use functions::*;

use crate::define_op;
use crate::ops::rules::folded::behind;
use crate::ops::rules::infer::one;
use crate::types::{DType, DTypeSet};

/// The dtypes of sparse segment ops that divide, and of gradients.
const FLOATS: DTypeSet = DTypeSet::of(&[DType::BF16, DType::F16, DType::F32, DType::F64]);

define_op! {
    /// Methods: rows that share an id become one row.
    methods of SegmentMethods;

    attrs Picked { sparse_gradient: bool = false }

    /// The sum of the rows with one id, whose ids ascend: the row number `id` of the result. Of no rows it is zero.
    ///
    /// TensorFlow: `SegmentSum`. Ids are a vector with one for each row, from 0; there are as many rows in the result
    /// as the last id says. Ids that do not ascend, and negative ones, are refused.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1.0f32, 2.0, 3.0];
    /// assert_eq!(x.segment_sum(&tensor![0, 0, 2])?.as_slice::<f32>()?, &[3.0, 0.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op SegmentSum = "SegmentSum" {
        inputs: { data: T, segment_ids: Tindices }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX },
        call: method segment_sum(data, segment_ids),
        infer: infer::sorted, kernel: kernel::sum,
        gradient: gradient::sum,
        batch: |b| behind(b, 1),
    }

    /// The mean of the rows with one id, whose ids ascend: the row number `id` of the result. Of no rows it is zero.
    ///
    /// TensorFlow: `SegmentMean`. Ids are a vector with one for each row, from 0; there are as many rows in the result
    /// as the last id says. Ids that do not ascend, and negative ones, are refused. Means of integers are truncated.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1.0f32, 2.0, 3.0];
    /// assert_eq!(x.segment_mean(&tensor![0, 0, 2])?.as_slice::<f32>()?, &[1.5, 0.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op SegmentMean = "SegmentMean" {
        inputs: { data: T, segment_ids: Tindices }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX },
        call: method segment_mean(data, segment_ids),
        infer: infer::sorted, kernel: kernel::mean,
        gradient: gradient::mean,
        batch: |b| behind(b, 1),
    }

    /// The product of the rows with one id, whose ids ascend: the row number `id` of the result. Of no rows it is one.
    ///
    /// TensorFlow: `SegmentProd`. Ids are a vector with one for each row, from 0; there are as many rows in the result
    /// as the last id says. Ids that do not ascend, and negative ones, are refused.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![4.0f32, 2.0, 3.0];
    /// assert_eq!(x.segment_prod(&tensor![0, 0, 2])?.as_slice::<f32>()?, &[8.0, 1.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op SegmentProd = "SegmentProd" {
        inputs: { data: T, segment_ids: Tindices }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX },
        call: method segment_prod(data, segment_ids),
        infer: infer::sorted, kernel: kernel::prod,
        gradient: gradient::prod,
        batch: |b| behind(b, 1),
    }

    /// The least elements of the rows with one id, whose ids ascend: the row number `id` of the result. Of no rows they
    /// are zero.
    ///
    /// TensorFlow: `SegmentMin`. Ids are a vector with one for each row, from 0; there are as many rows in the result
    /// as the last id says. Ids that do not ascend, and negative ones, are refused.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1.0f32, 2.0, 3.0];
    /// assert_eq!(x.segment_min(&tensor![0, 0, 2])?.as_slice::<f32>()?, &[1.0, 0.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op SegmentMin = "SegmentMin" {
        inputs: { data: T, segment_ids: Tindices }, outputs: { output: T },
        types: { T: DTypeSet::REAL, Tindices: DTypeSet::INDEX },
        call: method segment_min(data, segment_ids),
        infer: infer::sorted, kernel: kernel::min,
        gradient: gradient::extreme,
        batch: |b| behind(b, 1),
    }

    /// The greatest elements of the rows with one id, whose ids ascend: the row number `id` of the result. Of no rows
    /// they are zero.
    ///
    /// TensorFlow: `SegmentMax`. Ids are a vector with one for each row, from 0; there are as many rows in the result
    /// as the last id says. Ids that do not ascend, and negative ones, are refused.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1.0f32, 2.0, 3.0];
    /// assert_eq!(x.segment_max(&tensor![0, 0, 2])?.as_slice::<f32>()?, &[2.0, 0.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op SegmentMax = "SegmentMax" {
        inputs: { data: T, segment_ids: Tindices }, outputs: { output: T },
        types: { T: DTypeSet::REAL, Tindices: DTypeSet::INDEX },
        call: method segment_max(data, segment_ids),
        infer: infer::sorted, kernel: kernel::max,
        gradient: gradient::extreme,
        batch: |b| behind(b, 1),
    }

    /// The sum of the rows with one id; an id that is not below `num_segments` is refused. Of no rows it is zero.
    ///
    /// TensorFlow: `UnsortedSegmentSum`; JAX: `jax.ops.segment_sum`. The ids have the first axes of the data; the
    /// result is `[num_segments, …]` with the other axes. Rows with a negative id are left out.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::unsorted_segment_sum(&tensor![1, 2, 3], &tensor![0, 1, 0], &scalar(2))?;
    /// assert_eq!(y.as_slice::<i32>()?, &[4, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op UnsortedSegmentSum = "UnsortedSegmentSum" {
        inputs: { data: T, segment_ids: Tindices, num_segments: Tnumsegments }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX, Tnumsegments: DTypeSet::INDEX },
        call: unsorted_segment_sum(data, segment_ids, num_segments),
        infer: infer::unsorted, kernel: kernel::unsorted_sum,
        gradient: gradient::sum,
        batch: batch::unsorted,
    }

    /// The ids of many calls, along the first axis, as ids of segments that no two calls share: `id + call * num_segments`.
    ///
    /// TensorFlow: `pfor` computes the same. Ids of rank 1 or more; negative ones stay, others that are not below
    /// `num_segments` are refused.
    pub op SegmentsOfCalls = "Extype>SegmentsOfCalls" {
        inputs: { segment_ids: Tindices, num_segments: Tnumsegments }, outputs: { own: {I64} },
        types: { Tindices: DTypeSet::INDEX, Tnumsegments: DTypeSet::INDEX },
        dispatch: none,
        infer: |c| {
            infer::number(c, 1)?;
            one(DType::I64, c.shape(0).with_rank_at_least(1)?)
        },
        kernel: kernel::of_calls,
        gradient: none,
        batch: |b| behind(b, 1),
    }

    /// The product of the rows with one id; an id that is not below `num_segments` is refused. Of no rows it is one.
    ///
    /// TensorFlow: `UnsortedSegmentProd`; JAX: `jax.ops.segment_prod`. The ids have the first axes of the data; the
    /// result is `[num_segments, …]` with the other axes. Rows with a negative id are left out.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::unsorted_segment_prod(&tensor![2, 2, 3], &tensor![0, 1, 0], &scalar(2))?;
    /// assert_eq!(y.as_slice::<i32>()?, &[6, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op UnsortedSegmentProd = "UnsortedSegmentProd" {
        inputs: { data: T, segment_ids: Tindices, num_segments: Tnumsegments }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX, Tnumsegments: DTypeSet::INDEX },
        call: unsorted_segment_prod(data, segment_ids, num_segments),
        infer: infer::unsorted, kernel: kernel::unsorted_prod,
        gradient: gradient::prod,
        batch: batch::unsorted,
    }

    /// The least elements of the rows with one id; an id that is not below `num_segments` is refused. Of no rows they
    /// are the greatest finite number.
    ///
    /// TensorFlow: `UnsortedSegmentMin`; JAX: `jax.ops.segment_min`. The ids have the first axes of the data; the
    /// result is `[num_segments, …]` with the other axes. Rows with a negative id are left out.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::unsorted_segment_min(&tensor![1, 2, 3], &tensor![0, 1, 0], &scalar(2))?;
    /// assert_eq!(y.as_slice::<i32>()?, &[1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op UnsortedSegmentMin = "UnsortedSegmentMin" {
        inputs: { data: T, segment_ids: Tindices, num_segments: Tnumsegments }, outputs: { output: T },
        types: { T: DTypeSet::REAL, Tindices: DTypeSet::INDEX, Tnumsegments: DTypeSet::INDEX },
        call: unsorted_segment_min(data, segment_ids, num_segments),
        infer: infer::unsorted, kernel: kernel::unsorted_min,
        gradient: gradient::extreme,
        batch: batch::unsorted,
    }

    /// The greatest elements of the rows with one id; an id that is not below `num_segments` is refused. Of no rows
    /// they are the least finite number.
    ///
    /// TensorFlow: `UnsortedSegmentMax`; JAX: `jax.ops.segment_max`. The ids have the first axes of the data; the
    /// result is `[num_segments, …]` with the other axes. Rows with a negative id are left out.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::unsorted_segment_max(&tensor![1, 2, 3], &tensor![0, 1, 0], &scalar(2))?;
    /// assert_eq!(y.as_slice::<i32>()?, &[3, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op UnsortedSegmentMax = "UnsortedSegmentMax" {
        inputs: { data: T, segment_ids: Tindices, num_segments: Tnumsegments }, outputs: { output: T },
        types: { T: DTypeSet::REAL, Tindices: DTypeSet::INDEX, Tnumsegments: DTypeSet::INDEX },
        call: unsorted_segment_max(data, segment_ids, num_segments),
        infer: infer::unsorted, kernel: kernel::unsorted_max,
        gradient: gradient::extreme,
        batch: batch::unsorted,
    }

    /// The sum of the picked rows with one id: row `indices[i]` of the data belongs to segment `segment_ids[i]`.
    ///
    /// TensorFlow: `SparseSegmentSum`. Indices and ids are vectors of one length; the ids ascend. Of no rows the result
    /// is zero.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![10.0f32, 20.0, 30.0];
    /// let y = ops::sparse_segment_sum(&x, &tensor![0, 2, 1], &tensor![0, 0, 2])?;
    /// assert_eq!(y.as_slice::<f32>()?, &[40.0, 0.0, 20.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op SparseSegmentSum = "SparseSegmentSum" {
        inputs: { data: T, indices: Tidx, segment_ids: Tsegmentids }, outputs: { output: T },
        types: { T: DTypeSet::REAL, Tidx: DTypeSet::INDEX, Tsegmentids: DTypeSet::INDEX },
        attrs: { ..Picked },
        call: sparse_segment_sum(data, indices, segment_ids),
        infer: infer::picked, kernel: kernel::sum,
        gradient: gradient::picked_sum,
        batch: |b| behind(b, 1),
    }

    /// [`SparseSegmentSum`] with `num_segments` rows in the result, whatever the last id is.
    ///
    /// TensorFlow: `SparseSegmentSumWithNumSegments`.
    pub op SparseSegmentSumWithNumSegments = "SparseSegmentSumWithNumSegments" {
        inputs: { data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments: Tnumsegments },
        outputs: { output: T },
        types: {
            T: DTypeSet::REAL, Tidx: DTypeSet::INDEX, Tsegmentids: DTypeSet::INDEX, Tnumsegments: DTypeSet::INDEX,
        },
        attrs: { ..Picked },
        dispatch: none,
        infer: infer::picked, kernel: kernel::sum,
        gradient: gradient::picked_sum,
        batch: |b| behind(b, 1),
    }

    /// The gradient of [`SparseSegmentSum`] by its data, of which there are `output_dim0` rows.
    ///
    /// TensorFlow: `SparseSegmentSumGrad`.
    pub op SparseSegmentSumGrad = "SparseSegmentSumGrad" {
        inputs: { grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: {I32} }, outputs: { output: T },
        types: { T: FLOATS, Tidx: DTypeSet::INDEX, Tsegmentids: DTypeSet::INDEX },
        dispatch: none,
        infer: infer::picked, kernel: kernel::sum_grad,
        gradient: gradient::sum_again,
        batch: |b| behind(b, 1),
    }

    /// The rows of [`SparseSegmentSumGrad`] that occur, in order, and their numbers.
    ///
    /// TensorFlow: `SparseSegmentSumGradV2`.
    pub op SparseSegmentSumGradV2 = "SparseSegmentSumGradV2" {
        inputs: { grad: T, indices: Tidx, segment_ids: Tsegmentids, dense_output_dim0: {I32} },
        outputs: { output: T, sorted_unique_indices: Tidx },
        types: { T: FLOATS, Tidx: DTypeSet::INDEX, Tsegmentids: DTypeSet::INDEX },
        dispatch: none,
        infer: infer::picked_unique, kernel: kernel::sum_grad_v2,
    }

    /// The mean of the picked rows with one id: row `indices[i]` of the data belongs to segment `segment_ids[i]`.
    ///
    /// TensorFlow: `SparseSegmentMean`. Indices and ids are vectors of one length; the ids ascend. Of no rows the
    /// result is zero.
    ///
    /// Dtypes of `data`: float16, bfloat16, float32, float64.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![10.0f32, 20.0, 30.0];
    /// let y = ops::sparse_segment_mean(&x, &tensor![0, 2, 1], &tensor![0, 0, 2])?;
    /// assert_eq!(y.as_slice::<f32>()?, &[20.0, 0.0, 20.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op SparseSegmentMean = "SparseSegmentMean" {
        inputs: { data: T, indices: Tidx, segment_ids: Tsegmentids }, outputs: { output: T },
        types: { T: FLOATS, Tidx: DTypeSet::INDEX, Tsegmentids: DTypeSet::INDEX },
        attrs: { ..Picked },
        call: sparse_segment_mean(data, indices, segment_ids),
        infer: infer::picked, kernel: kernel::mean,
        gradient: gradient::picked_mean,
        batch: |b| behind(b, 1),
    }

    /// [`SparseSegmentMean`] with `num_segments` rows in the result, whatever the last id is.
    ///
    /// TensorFlow: `SparseSegmentMeanWithNumSegments`.
    pub op SparseSegmentMeanWithNumSegments = "SparseSegmentMeanWithNumSegments" {
        inputs: { data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments: Tnumsegments },
        outputs: { output: T },
        types: {
            T: FLOATS, Tidx: DTypeSet::INDEX, Tsegmentids: DTypeSet::INDEX, Tnumsegments: DTypeSet::INDEX,
        },
        attrs: { ..Picked },
        dispatch: none,
        infer: infer::picked, kernel: kernel::mean,
        gradient: gradient::picked_mean,
        batch: |b| behind(b, 1),
    }

    /// The gradient of [`SparseSegmentMean`] by its data, of which there are `output_dim0` rows.
    ///
    /// TensorFlow: `SparseSegmentMeanGrad`.
    pub op SparseSegmentMeanGrad = "SparseSegmentMeanGrad" {
        inputs: { grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: {I32} }, outputs: { output: T },
        types: { T: FLOATS, Tidx: DTypeSet::INDEX, Tsegmentids: DTypeSet::INDEX },
        dispatch: none,
        infer: infer::picked, kernel: kernel::mean_grad,
        gradient: gradient::mean_again,
        batch: |b| behind(b, 1),
    }

    /// The rows of [`SparseSegmentMeanGrad`] that occur, in order, and their numbers.
    ///
    /// TensorFlow: `SparseSegmentMeanGradV2`.
    pub op SparseSegmentMeanGradV2 = "SparseSegmentMeanGradV2" {
        inputs: { grad: T, indices: Tidx, segment_ids: Tsegmentids, dense_output_dim0: {I32} },
        outputs: { output: T, sorted_unique_indices: Tidx },
        types: { T: FLOATS, Tidx: DTypeSet::INDEX, Tsegmentids: DTypeSet::INDEX },
        dispatch: none,
        infer: infer::picked_unique, kernel: kernel::mean_grad_v2,
    }

    /// The sum, divided by the square root of their number, of the picked rows with one id: row `indices[i]` of the
    /// data belongs to segment `segment_ids[i]`.
    ///
    /// TensorFlow: `SparseSegmentSqrtN`. Indices and ids are vectors of one length; the ids ascend. Of no rows the
    /// result is zero.
    ///
    /// Dtypes of `data`: float16, bfloat16, float32, float64.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![10.0f32, 20.0, 30.0];
    /// let y = ops::sparse_segment_sqrt_n(&x, &tensor![0, 2, 1], &tensor![0, 0, 2])?;
    /// assert_eq!(y.as_slice::<f32>()?, &[40.0 / 2.0f32.sqrt(), 0.0, 20.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op SparseSegmentSqrtN = "SparseSegmentSqrtN" {
        inputs: { data: T, indices: Tidx, segment_ids: Tsegmentids }, outputs: { output: T },
        types: { T: FLOATS, Tidx: DTypeSet::INDEX, Tsegmentids: DTypeSet::INDEX },
        attrs: { ..Picked },
        call: sparse_segment_sqrt_n(data, indices, segment_ids),
        infer: infer::picked, kernel: kernel::sqrt_n,
        gradient: gradient::picked_sqrt_n,
        batch: |b| behind(b, 1),
    }

    /// [`SparseSegmentSqrtN`] with `num_segments` rows in the result, whatever the last id is.
    ///
    /// TensorFlow: `SparseSegmentSqrtNWithNumSegments`.
    pub op SparseSegmentSqrtNWithNumSegments = "SparseSegmentSqrtNWithNumSegments" {
        inputs: { data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments: Tnumsegments },
        outputs: { output: T },
        types: {
            T: FLOATS, Tidx: DTypeSet::INDEX, Tsegmentids: DTypeSet::INDEX, Tnumsegments: DTypeSet::INDEX,
        },
        attrs: { ..Picked },
        dispatch: none,
        infer: infer::picked, kernel: kernel::sqrt_n,
        gradient: gradient::picked_sqrt_n,
        batch: |b| behind(b, 1),
    }

    /// The gradient of [`SparseSegmentSqrtN`] by its data, of which there are `output_dim0` rows.
    ///
    /// TensorFlow: `SparseSegmentSqrtNGrad`.
    pub op SparseSegmentSqrtNGrad = "SparseSegmentSqrtNGrad" {
        inputs: { grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: {I32} }, outputs: { output: T },
        types: { T: FLOATS, Tidx: DTypeSet::INDEX, Tsegmentids: DTypeSet::INDEX },
        dispatch: none,
        infer: infer::picked, kernel: kernel::sqrt_n_grad,
        gradient: gradient::sqrt_n_again,
        batch: |b| behind(b, 1),
    }

    /// The rows of [`SparseSegmentSqrtNGrad`] that occur, in order, and their numbers.
    ///
    /// TensorFlow: `SparseSegmentSqrtNGradV2`.
    pub op SparseSegmentSqrtNGradV2 = "SparseSegmentSqrtNGradV2" {
        inputs: { grad: T, indices: Tidx, segment_ids: Tsegmentids, dense_output_dim0: {I32} },
        outputs: { output: T, sorted_unique_indices: Tidx },
        types: { T: FLOATS, Tidx: DTypeSet::INDEX, Tsegmentids: DTypeSet::INDEX },
        dispatch: none,
        infer: infer::picked_unique, kernel: kernel::sqrt_n_grad_v2,
    }
}
