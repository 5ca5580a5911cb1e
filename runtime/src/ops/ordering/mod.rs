//! Ordering ops: largest, smallest and distinct elements, indices into sorted rows.

pub(in crate::ops) mod extremes;
pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;
mod sets;
mod sorting;

pub use extremes::{ExtremesMethods, Extremum};
pub use sets::*;
pub use sorting::*;

use crate::define_op;
use crate::ops::args::{Axis, AxisLike, Integer, Integers};
use crate::ops::rules::batch::{along, elementwise, leading};
use crate::ops::rules::folded::examples;
use crate::types::{DType, DTypeSet};

/// The dtypes whose elements can be told apart.
const DISTINCT: DTypeSet = DTypeSet::REAL.or(DTypeSet::BOOL).or(DTypeSet::STRING);

define_op! {
    /// Methods: largest and distinct elements, indices into sorted rows.
    methods of OrderingMethods;

    /// Returns the `k` largest elements along the last axis, largest first, and their int32 indices.
    ///
    /// TensorFlow: `TopKV2`; PyTorch: `topk`. Of shape `[…, n]` with `n` at least `k`; both results
    /// are `[…, k]`. NaN is the smallest; of equal elements the first comes first.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (values, indices) = tensor![1.0f32, 5.0, 3.0].top_k(2)?;
    /// assert_eq!(values.as_slice::<f32>()?, &[5.0, 3.0]);
    /// assert_eq!(indices.as_slice::<i32>()?, &[1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op TopK = "TopKV2" {
        inputs: { input: T, k: Tk as Integer }, outputs: { values: T, indices: index_type },
        types: { T: DTypeSet::REAL, Tk: DTypeSet::INDEX.or(DTypeSet::of(&[DType::I16])) },
        attrs: { sorted: bool = true, index_type: DType = DType::I32 },
        call: method top_k(x; k),
        infer: infer::top_k, kernel: kernel::top_k,
        gradient: gradient::top_k,
        batch: leading,
    }

    /// Sorts each row of the last axis; equal elements keep their order, and NaN comes last. Of rank 1
    /// at least; the result has the same shape. With a `place`, only the element there must be where it belongs, with no
    /// larger one before it and no smaller one behind.
    pub op SortRows = "Extype>SortRows" {
        inputs: { input: T }, outputs: { values: T },
        types: { T: DTypeSet::REAL }, attrs: { descending: bool = false, place: i64 = -1 },
        infer: infer::sort_rows, kernel: kernel::sort_rows,
        gradient: gradient::sort_rows,
        batch: leading,
    }

    /// Returns the element at index `n` of each sorted row of the last axis, from the smallest, or from
    /// the largest if `reverse`. NaN is the smallest. Equal elements share the cotangent of their row.
    ///
    /// TensorFlow: `NthElement`; PyTorch: `kthvalue`, which counts from 1. Of shape `[…, m]` with
    /// `m` above `n`; the result is `[…]`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[3.0f32, 1.0, 2.0], [9.0, 7.0, 8.0]];
    /// assert_eq!(x.nth_element(0, false)?.as_slice::<f32>()?, &[1.0, 7.0]);
    /// assert_eq!(x.nth_element(0, true)?.as_slice::<f32>()?, &[3.0, 9.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op NthElement = "NthElement" {
        inputs: { input: T, n: {I32} as Integer }, outputs: { values: T },
        types: { T: DTypeSet::REAL }, attrs: { reverse: bool = false },
        call: method nth_element(x; n, reverse),
        infer: infer::nth_element, kernel: kernel::nth_element,
        gradient: gradient::nth_element,
        batch: leading,
    }

    /// The index of the largest element along an axis, int64: the first of equal elements, skipping
    /// NaN. An empty axis is refused.
    ///
    /// TensorFlow: `ArgMax`. Of rank 1 at least; the result lacks the axis.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1.0f32, 3.0], [5.0, 2.0]];
    /// assert_eq!(x.argmax(1)?.as_slice::<i64>()?, &[1, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op ArgMax = "ArgMax" {
        inputs: { input: T, dimension: Tidx as Axis }, outputs: { output: output_type },
        types: { T: DTypeSet::REAL.or(DTypeSet::BOOL), Tidx: DTypeSet::INDEX },
        attrs: { output_type: DType = DType::I64 },
        call: argmax(x; axis: impl AxisLike) => { dimension: axis.into() },
        infer: infer::arg_reduce, kernel: kernel::arg_max,
        gradient: none,
        batch: |b| along(b, 1),
    }

    /// The index of the smallest element along an axis, int64: the first of equal elements,
    /// skipping NaN. An empty axis is refused.
    ///
    /// TensorFlow: `ArgMin`. Of rank 1 at least; the result lacks the axis.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1.0f32, 3.0], [5.0, 2.0]];
    /// assert_eq!(x.argmin(1)?.as_slice::<i64>()?, &[0, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op ArgMin = "ArgMin" {
        inputs: { input: T, dimension: Tidx as Axis }, outputs: { output: output_type },
        types: { T: DTypeSet::REAL.or(DTypeSet::BOOL), Tidx: DTypeSet::INDEX },
        attrs: { output_type: DType = DType::I64 },
        call: argmin(x; axis: impl AxisLike) => { dimension: axis.into() },
        infer: infer::arg_reduce, kernel: kernel::arg_min,
        gradient: none,
        batch: |b| along(b, 1),
    }

    /// Returns the distinct elements of a vector in order of occurrence, and for each element the int32
    /// index of its value among them.
    ///
    /// NumPy: `unique_inverse`, which also sorts; TensorFlow: `Unique`. A vector; the indices are a vector of the same
    /// length. NaN equals nothing: each NaN is a distinct element.
    ///
    /// Dtypes: int8 to int64, uint8 to uint64, float16, bfloat16, float32, float64, bool, string.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (y, ids) = tensor![7, 2, 7].unique()?;
    /// assert_eq!((y.as_slice::<i32>()?, ids.as_slice::<i32>()?), (&[7, 2][..], &[0, 1, 0][..]));
    /// # Ok::<(), Error>(())
    /// ```
    pub op Unique = "Unique" {
        inputs: { x: T }, outputs: { y: T, idx: out_idx },
        types: { T: DISTINCT }, attrs: { out_idx: DType = DType::I32 },
        call: method unique(x),
        infer: infer::unique, kernel: kernel::unique,
    }

    /// Returns the distinct slices along an axis in order of occurrence, and for each slice the int32
    /// index of its value among them.
    ///
    /// NumPy: `unique` with an `axis`, which also sorts; TensorFlow: `UniqueV2`. Rank 1 or more; the indices are a vector
    /// as long as the axis. NaN equals nothing.
    ///
    /// Dtypes: int8 to int64, uint8 to uint64, float16, bfloat16, float32, float64, bool, string.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (y, ids) = tensor![[1, 2], [1, 2], [3, 4]].unique_along(0)?;
    /// assert_eq!(y.as_slice::<i32>()?, &[1, 2, 3, 4]);
    /// assert_eq!(ids.as_slice::<i32>()?, &[0, 0, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op UniqueV2 = "UniqueV2" {
        inputs: { x: T, axis: Taxis as Integers }, outputs: { y: T, idx: out_idx },
        types: { T: DISTINCT, Taxis: DTypeSet::INDEX }, attrs: { out_idx: DType = DType::I32 },
        call: method unique_along(x; axis: i64) => { axis: Integers::from([axis]) },
        infer: infer::unique_v2, kernel: kernel::unique_v2,
    }

    /// Returns the distinct elements of a vector in order of occurrence, the index of each element's
    /// value among them, and how often each value occurs.
    ///
    /// NumPy: `unique_counts`, which sorts and gives no indices; TensorFlow: `UniqueWithCounts`. A vector; the int32
    /// indices are a vector of the same length, the int32 counts a vector as long as the distinct elements. NaN equals
    /// nothing.
    ///
    /// Dtypes: int8 to int64, uint8 to uint64, float16, bfloat16, float32, float64, bool, string.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (y, ids, counts) = tensor![7, 2, 7].unique_with_counts()?;
    /// assert_eq!(y.as_slice::<i32>()?, &[7, 2]);
    /// assert_eq!(ids.as_slice::<i32>()?, &[0, 1, 0]);
    /// assert_eq!(counts.as_slice::<i32>()?, &[2, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op UniqueWithCounts = "UniqueWithCounts" {
        inputs: { x: T }, outputs: { y: T, idx: out_idx, count: out_idx },
        types: { T: DISTINCT }, attrs: { out_idx: DType = DType::I32 },
        call: method unique_with_counts(x),
        infer: infer::unique_with_counts, kernel: kernel::unique_with_counts,
    }

    /// Returns the results of [`UniqueV2`], and how often each distinct slice occurs.
    ///
    /// TensorFlow: `UniqueWithCountsV2`.
    pub op UniqueWithCountsV2 = "UniqueWithCountsV2" {
        inputs: { x: T, axis: Taxis as Integers }, outputs: { y: T, idx: out_idx, count: out_idx },
        types: { T: DISTINCT, Taxis: DTypeSet::INDEX }, attrs: { out_idx: DType = DType::I32 },
        infer: infer::unique_with_counts_v2, kernel: kernel::unique_with_counts_v2,
    }

    /// Returns the elements of a vector that are not in another, and their int32 indices.
    ///
    /// TensorFlow: `ListDiff`. Two vectors; both results are vectors. NaN equals nothing, and is kept.
    ///
    /// Dtypes, the same for all operands: int8 to int64, uint8 to uint64, float16, bfloat16,
    /// float32, float64, bool, string.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (left, at) = tensor![1, 2, 3, 4].list_diff(&tensor![2, 4])?;
    /// assert_eq!(left.as_slice::<i32>()?, &[1, 3]);
    /// assert_eq!(at.as_slice::<i32>()?, &[0, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op ListDiff = "ListDiff" {
        inputs: { x: T, y: T }, outputs: { out: T, idx: out_idx },
        types: { T: DISTINCT }, attrs: { out_idx: DType = DType::I32 },
        call: method list_diff(x, y),
        infer: infer::list_diff, kernel: kernel::list_diff,
    }

    /// Returns for each element of `x` whether it is an element of `among`, both of any shape. NaN equals nothing.
    pub op Contained = "Extype>Contained" {
        inputs: { x: T, among: T }, outputs: { found: {Bool} },
        types: { T: DISTINCT },
        infer: infer::is_in, kernel: kernel::is_in,
        gradient: none,
    }

    /// Returns for each value the first index at which inserting it keeps its sorted row sorted. Rows
    /// of values belong to the sorted rows of the same number.
    ///
    /// TensorFlow: `LowerBound`.
    pub op LowerBound = "LowerBound" {
        inputs: { sorted_inputs: T, values: T }, outputs: { output: out_type },
        types: { T: DTypeSet::REAL }, attrs: { out_type: DType = DType::I32 },
        infer: infer::bound, kernel: kernel::lower_bound,
        gradient: none,
        batch: |b| examples(b, &[0, 1]),
    }

    /// Returns for each value the last index at which inserting it keeps its sorted row sorted. Rows of
    /// values belong to the sorted rows of the same number.
    ///
    /// TensorFlow: `UpperBound`.
    pub op UpperBound = "UpperBound" {
        inputs: { sorted_inputs: T, values: T }, outputs: { output: out_type },
        types: { T: DTypeSet::REAL }, attrs: { out_type: DType = DType::I32 },
        infer: infer::bound, kernel: kernel::upper_bound,
        gradient: none,
        batch: |b| examples(b, &[0, 1]),
    }

    /// Counts for each element the sorted boundaries that are not above it.
    ///
    /// TensorFlow: `Bucketize`. Input of any shape; the result has the same. Boundaries that are not
    /// sorted are an error; NaN is above all of them.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![-5, 10, 150, 100].bucketize([0.0, 10.0, 100.0])?;
    /// assert_eq!(y.as_slice::<i32>()?, &[0, 2, 3, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Bucketize = "Bucketize" {
        inputs: { input: T }, outputs: { output: {I32} },
        types: { T: DTypeSet::of(&[DType::I32, DType::I64, DType::F32, DType::F64]) },
        attrs: { boundaries: Vec<f32> },
        call: method bucketize(x; boundaries: impl Into<Vec<f32>>),
        infer: infer::bucketize, kernel: kernel::bucketize,
        gradient: none,
        batch: elementwise,
    }
}
