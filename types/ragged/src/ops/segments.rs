//! Rows grouped by numbers, sequences of numbers as rows, and crosses of rows.

use extype::ops::{Arg, Op, RaggedCross};
use extype::prelude::*;

use super::broadcast::{matched, same_rows};
use super::reduce::{Function, reduced};
use super::shape::count_to;
use crate::{RaggedTensor, RowPartition};

/// The rows of the first axis grouped by ids, which may have more axes: then their entries are.
fn grouped(
    data: &RaggedTensor,
    ids: &RaggedTensor,
    groups: Option<&Tensor>,
) -> Result<RaggedTensor> {
    let mut both = [data.clone(), ids.clone()];
    let dtype = match (data.ragged_rank(), ids.ragged_rank()) {
        (0, 0) => ids.dtype(),
        _ => matched(&mut both)?,
    };
    let [mut data, mut ids] = both;
    while ids.rank().is_some_and(|rank| rank > 1) {
        (data, ids) = (data.raised(1, dtype)?, ids.raised(1, dtype)?);
        same_rows(data.outermost()?, ids.outermost()?)?;
        (data, ids) = (data.values(), ids.values());
    }
    let ids = ids.flat_values.cast(dtype)?;
    if ids.rank() != Some(1) {
        return Err(Error::invalid("the numbers of groups have one axis at least"));
    }
    let order = ids.argsort(-1)?;
    let groups = groups.map(|n| n.cast(dtype)).transpose()?;
    let rows = RowPartition::from_value_rowids(ids.gather(&order, 0)?, groups.as_ref())?;
    Ok(data.gathered(&order.cast(dtype)?)?.in_rows(rows))
}

macro_rules! segments {
    ($($name:ident = $op:ident as $function:ident),* $(,)?) => {
        #[dispatch]
        impl RaggedTensor {
            $(#[overrides($op)]
            fn $name(data: &Self, segment_ids: Arg<'_, Self, Tensor>) -> Result<Self> {
                let rows = grouped(data, &Self::of(segment_ids), None)?;
                reduced(&Function::$function, &rows, &[1], false)
            })*
        }
    };
}
segments! {
    segment_sum = SegmentSum as Sum,
    segment_mean = SegmentMean as Mean,
    segment_max = SegmentMax as Max,
    segment_min = SegmentMin as Min,
    segment_prod = SegmentProd as Prod,
}

macro_rules! unsorted_segments {
    ($($name:ident = $op:ident as $function:ident),* $(,)?) => {
        #[dispatch]
        impl RaggedTensor {
            $(#[overrides($op)]
            fn $name(
                data: &Self,
                segment_ids: Arg<'_, Self, Tensor>,
                num_segments: &Tensor,
            ) -> Result<Self> {
                let rows = grouped(data, &Self::of(segment_ids), Some(num_segments))?;
                reduced(&Function::$function, &rows, &[1], false)
            })*
        }
    };
}
unsorted_segments! {
    unsorted_segment_sum = UnsortedSegmentSum as Sum,
    unsorted_segment_max = UnsortedSegmentMax as Max,
    unsorted_segment_min = UnsortedSegmentMin as Min,
    unsorted_segment_prod = UnsortedSegmentProd as Prod,
}

impl RaggedTensor {
    /// Row `i` of the result holds the entries that are given the number `i`, in their order.
    ///
    /// TensorFlow: `tf.ragged.stack_dynamic_partitions`. The numbers, int32 or int64, are for the first axes of the
    /// values; both are ragged or [dense](Self::from_dense).
    ///
    /// # Errors
    /// `InvalidArgument` for a number that is not below `num_partitions`, and for other rows.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let x = RaggedTensor::from_dense(["a", "b", "c"])?;
    /// let numbers = RaggedTensor::from_dense([2, 0, 2])?;
    /// let y = x.stack_dynamic_partitions(&numbers, 3)?;
    /// assert_eq!(y.row_lengths(1)?.to_string(), "[1, 0, 2]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn stack_dynamic_partitions(
        &self,
        partitions: &Self,
        num_partitions: impl TensorLike,
    ) -> Result<Self> {
        grouped(self, partitions, Some(&num_partitions.to_tensor()?))
    }

    /// Sequences of numbers as rows: each from its start, by its step, up to its limit and without it. Int64 splits.
    ///
    /// TensorFlow: `tf.ragged.range`. Vectors of one size, or scalars that hold for all rows, of one dtype.
    ///
    /// # Errors
    /// `InvalidArgument` for a step of zero.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::range([0, 5, 8], [3, 3, 12], 2)?;
    /// assert_eq!(r.to_string(), "[[0, 2], [], [8, 10]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn range(
        starts: impl TensorLike,
        limits: impl TensorLike,
        deltas: impl TensorLike,
    ) -> Result<Self> {
        let vector = |x: Tensor| if x.rank() == Some(0) { x.reshape([1]) } else { Ok(x) };
        let (starts, limits) = (vector(starts.to_tensor()?)?, vector(limits.to_tensor()?)?);
        let deltas = vector(deltas.to_tensor()?)?;
        let nothing = ops::add(&starts.zeros_like()?, &limits.zeros_like()?)?;
        let nothing = ops::add(&nothing, &deltas.zeros_like()?)?;
        let (starts, deltas) = (ops::add(&starts, &nothing)?, ops::add(&deltas, &nothing)?);
        let lengths = match starts.dtype().is_differentiable() {
            true => ops::ceil(ops::div(ops::sub(&limits, &starts)?, &deltas)?)?,
            false => ops::neg(ops::floor_div(ops::sub(&starts, &limits)?, &deltas)?)?,
        };
        let lengths = lengths.cast(DType::I64)?.maximum(0)?;
        // What has no step would have no end.
        let lengths = ops::select(deltas.equal(0)?, -1i64, &lengths)?;
        let rows = RowPartition::from_lengths(&lengths)
            .map_err(|e| e.prefixed("the step of a sequence must not be zero"))?;
        let ids = rows.value_rowids()?;
        let numbers = ops::sub(count_to(&rows.nvals()?)?, &rows.splits().gather(&ids, 0)?)?;
        let steps = ops::mul(&numbers.cast(starts.dtype())?, &deltas.gather(&ids, 0)?)?;
        Ok(Self::plain(ops::add(&starts.gather(&ids, 0)?, &steps)?).in_rows(rows))
    }

    /// All combinations of entries of the rows of one number, one of each operand, as strings joined by `_X_`.
    ///
    /// TensorFlow: `tf.ragged.cross`. Integers or strings with one ragged axis each.
    ///
    /// # Errors
    /// `InvalidArgument` for other numbers of rows, and for other ranks.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let (a, b) = (RaggedTensor::from_rows(&[vec![1, 2]])?, RaggedTensor::from_rows(&[vec![3]])?);
    /// let y = RaggedTensor::cross(&[&a, &b])?;
    /// assert_eq!(y.flat_values.to_strings()?, ["1_X_3", "2_X_3"]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn cross(columns: &[&Self]) -> Result<Self> {
        crossed(columns, None)
    }

    /// The hashes of all combinations, in `0 .. num_buckets`, or of 64 bits for zero.
    ///
    /// TensorFlow: `tf.ragged.cross_hashed`.
    ///
    /// # Errors
    /// As [`cross`](Self::cross).
    #[track_caller]
    pub fn cross_hashed(
        columns: &[&Self],
        num_buckets: i64,
        hash_key: Option<i64>,
    ) -> Result<Self> {
        crossed(columns, Some((num_buckets, hash_key.unwrap_or(HASH_KEY))))
    }
}

/// The key of hashes that TensorFlow takes if none is given.
const HASH_KEY: i64 = 956_888_297_470;

fn crossed(columns: &[&RaggedTensor], hashed: Option<(i64, i64)>) -> Result<RaggedTensor> {
    let mut columns: Vec<RaggedTensor> = columns.iter().map(|x| (*x).clone()).collect();
    let dtype = matched(&mut columns)?;
    let mut inputs = Vec::new();
    for x in &columns {
        inputs.push(match x.dtype() {
            DType::String => x.flat_values.clone(),
            _ => x.flat_values.cast(DType::I64)?,
        });
    }
    for x in &columns {
        match &x.partitions[..] {
            [rows] => inputs.push(rows.splits().clone()),
            many => {
                let text =
                    format!("rows with one ragged axis are crossed, not with {}", many.len());
                return Err(Error::invalid(text));
            }
        }
    }
    let (num_buckets, hash_key) = hashed.unwrap_or((0, HASH_KEY));
    let op = RaggedCross {
        input_order: "R".repeat(columns.len()),
        hashed_output: hashed.is_some(),
        num_buckets,
        hash_key,
        out_values_type: if hashed.is_some() { DType::I64 } else { DType::String },
        out_row_splits_type: dtype,
    };
    let (values, splits) = op.run_as::<(Tensor, Tensor)>(&inputs.iter().collect::<Vec<_>>())?;
    Ok(RaggedTensor::plain(values).in_rows(RowPartition::trusted(splits)))
}
