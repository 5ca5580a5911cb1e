//! Ragged tensors of values and of what tells their rows.

use extype::prelude::*;

use crate::{RaggedTensor, RowPartition};

/// What rows are made of: a tensor, or ragged rows, which get an axis more.
pub trait Entries {
    /// The entries as a ragged tensor, which may have no ragged axis.
    fn entries(&self) -> RaggedTensor;
}

impl Entries for Tensor {
    fn entries(&self) -> RaggedTensor {
        RaggedTensor { flat_values: self.clone(), partitions: Vec::new() }
    }
}

impl Entries for RaggedTensor {
    fn entries(&self) -> RaggedTensor {
        self.clone()
    }
}

/// Constructors: from the values of all rows in order, and what tells the rows. Values may be ragged themselves: then
/// there is one ragged axis more.
impl RaggedTensor {
    /// From a partition.
    ///
    /// # Errors
    /// `InvalidArgument` naming the last row, if it does not end with the values.
    #[track_caller]
    pub fn from_row_partition<V: Operand<Value: Entries>>(
        values: V,
        rows: RowPartition,
    ) -> Result<Self> {
        let entries = values.operand()?.entries();
        let rows = rows.checked(&entries.count()?)?;
        let made = entries.in_rows(rows);
        made.validate()?;
        Ok(made)
    }

    /// Row `i` holds the values `splits[i] .. splits[i + 1]`.
    ///
    /// TensorFlow: `RaggedTensor.from_row_splits`.
    ///
    /// # Errors
    /// `InvalidArgument` naming the row, if the splits don't start at 0, decrease, or don't end at the number of values;
    /// and if they are no int32 or int64 vector.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_row_splits([1, 2, 3], [0i64, 2, 2, 3])?;
    /// assert_eq!(r.to_string(), "[[1, 2], [], [3]]");
    /// let deep = RaggedTensor::from_row_splits(r, [0i64, 1, 3])?;
    /// assert_eq!(deep.to_string(), "[[[1, 2]], [[], [3]]]");
    /// let e = RaggedTensor::from_row_splits([1, 2, 3], [0i64, 2, 1, 3]).unwrap_err();
    /// assert!(e.message().contains("row 1: row splits decrease from 2 to 1"));
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_row_splits<V: Operand<Value: Entries>>(
        values: V,
        splits: impl TensorLike,
    ) -> Result<Self> {
        Self::from_row_partition(values, RowPartition::from_splits(splits)?)
    }

    /// Several ragged axes, the outermost splits first; without any the tensor is plain.
    ///
    /// TensorFlow: `RaggedTensor.from_nested_row_splits`.
    ///
    /// # Errors
    /// As [`from_row_splits`](Self::from_row_splits), naming the level too.
    ///
    /// ```
    /// use extype::tensor;
    /// use extype_ragged::RaggedTensor;
    /// let splits = [tensor![0i64, 2, 3], tensor![0i64, 1, 1, 3]];
    /// let r = RaggedTensor::from_nested_row_splits([7, 8, 9], &splits)?;
    /// assert_eq!(r.to_string(), "[[[7], []], [[8, 9]]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_nested_row_splits<S: TensorLike>(
        flat_values: impl TensorLike,
        splits: impl IntoIterator<Item = S>,
    ) -> Result<Self> {
        Self::nested(flat_values, splits, RowPartition::from_splits)
    }

    /// Several ragged axes, the lengths of the outermost rows first.
    ///
    /// TensorFlow: `RaggedTensor.from_nested_row_lengths`.
    ///
    /// # Errors
    /// As [`from_row_lengths`](Self::from_row_lengths), naming the level too.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_nested_row_lengths([7, 8, 9], [vec![2i64, 1], vec![1, 0, 2]])?;
    /// assert_eq!(r.to_string(), "[[[7], []], [[8, 9]]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_nested_row_lengths<S: TensorLike>(
        flat_values: impl TensorLike,
        lengths: impl IntoIterator<Item = S>,
    ) -> Result<Self> {
        Self::nested(flat_values, lengths, RowPartition::from_lengths)
    }

    #[track_caller]
    fn nested<S>(
        flat_values: impl TensorLike,
        levels: impl IntoIterator<Item = S>,
        rows: impl Fn(S) -> Result<RowPartition>,
    ) -> Result<Self> {
        let level = |(i, s)| rows(s).map_err(|e| e.prefixed(format_args!("level {i}")));
        let levels = levels.into_iter().enumerate().map(level).collect::<Result<Vec<_>>>()?;
        let mut made = Self::from_dense(flat_values)?;
        for rows in levels.into_iter().rev() {
            let n = made.count()?;
            made = made.in_rows(rows.checked(&n)?);
        }
        made.validate()?;
        Ok(made)
    }

    /// Rows of these lengths: an int32 or int64 vector.
    ///
    /// TensorFlow: `RaggedTensor.from_row_lengths`.
    ///
    /// # Errors
    /// `InvalidArgument` if a length is negative, or they don't add up to the number of values.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_row_lengths([1, 2, 3], [2i64, 0, 1])?;
    /// assert_eq!(r.to_string(), "[[1, 2], [], [3]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_row_lengths<V: Operand<Value: Entries>>(
        values: V,
        lengths: impl TensorLike,
    ) -> Result<Self> {
        Self::from_row_partition(values, RowPartition::from_lengths(lengths)?)
    }

    /// Rows that begin at these values; the last one ends with the values.
    ///
    /// TensorFlow: `RaggedTensor.from_row_starts`.
    ///
    /// # Errors
    /// As [`from_row_splits`](Self::from_row_splits).
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_row_starts([1, 2, 3], [0i64, 2, 2])?;
    /// assert_eq!(r.to_string(), "[[1, 2], [], [3]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_row_starts<V: Operand<Value: Entries>>(
        values: V,
        starts: impl TensorLike,
    ) -> Result<Self> {
        let n = values.operand()?.entries().count()?;
        Self::from_row_partition(values, RowPartition::from_starts(starts, n)?)
    }

    /// Rows that end before these values.
    ///
    /// TensorFlow: `RaggedTensor.from_row_limits`.
    ///
    /// # Errors
    /// As [`from_row_splits`](Self::from_row_splits).
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_row_limits([1, 2, 3], [2i64, 2, 3])?;
    /// assert_eq!(r.to_string(), "[[1, 2], [], [3]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_row_limits<V: Operand<Value: Entries>>(
        values: V,
        limits: impl TensorLike,
    ) -> Result<Self> {
        Self::from_row_partition(values, RowPartition::from_limits(limits)?)
    }

    /// From the row of each value: an int32 or int64 vector that does not decrease. Without `nrows` the last value is in
    /// the last row.
    ///
    /// TensorFlow: `RaggedTensor.from_value_rowids`.
    ///
    /// # Errors
    /// `InvalidArgument` naming the entry whose row is out of range or out of order.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_value_rowids([1, 2, 3], [0i64, 0, 2], Some(&scalar(4i64)))?;
    /// assert_eq!(r.to_string(), "[[1, 2], [], [3], []]");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn from_value_rowids<V: Operand<Value: Entries>>(
        values: V,
        value_rowids: impl TensorLike,
        nrows: Option<&Tensor>,
    ) -> Result<Self> {
        Self::from_row_partition(values, RowPartition::from_value_rowids(value_rowids, nrows)?)
    }

    /// Rows of one length. Rows without values don't tell their number, which is `nrows` then.
    ///
    /// TensorFlow: `RaggedTensor.from_uniform_row_length`.
    ///
    /// # Errors
    /// `InvalidArgument` if the values fill no whole number of rows, or another one than `nrows`.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_uniform_row_length([1, 2, 3, 4], 2, None)?;
    /// assert_eq!(r.to_string(), "[[1, 2], [3, 4]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_uniform_row_length<V: Operand<Value: Entries>>(
        values: V,
        length: usize,
        nrows: Option<&Tensor>,
    ) -> Result<Self> {
        let nvals = values.operand()?.entries().count()?;
        let rows = RowPartition::from_uniform_row_length(length, nvals, nrows)?;
        Self::from_row_partition(values, rows)
    }

    /// The number of entries that rows of these have: a scalar.
    fn count(&self) -> Result<Tensor> {
        match self.partitions.first() {
            None if self.flat_values.rank() == Some(0) => Err(Error::invalid(
                "rows are made of values with one axis at least, not of a scalar",
            )),
            _ => self.nrows(),
        }
    }

    /// A plain tensor without ragged axes.
    ///
    /// # Errors
    /// `InvalidArgument` for data that is no tensor.
    #[track_caller]
    pub fn from_dense(values: impl TensorLike) -> Result<Self> {
        Self::new(values, Vec::new())
    }
}
