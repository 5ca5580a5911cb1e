//! The ragged tensor: what it is made of and from.

use extype::array::Element;
use extype::ensure_dtype;
use extype::ops::Op;
use extype::prelude::*;

use crate::ops::{SplitsOfIds, SplitsOfLengths};
use crate::partition::check_splits;

/// A tensor whose rows have different lengths.
///
/// `flat_values` are the values of all rows in order; its outermost axis is partitioned by
/// `row_splits`, the outermost partition first: row `i` holds the entries
/// `splits[i] .. splits[i + 1]` of the level below. The number of partitions, the ragged rank, is
/// part of the type: a traced function gets a trace for each. Axis 0 counts the outermost rows, axes
/// `1 ..= ragged_rank` are ragged, those behind are uniform. A tensor without partitions is a plain
/// one (what is left when all ragged axes are reduced): see [`into_tensor`](Self::into_tensor).
///
/// Elementwise ops apply to the values. `map_fn` goes over the outermost rows, which have an axis less: those of one
/// ragged axis have none left, and are `flat_values`. Two ragged operands need equal partitions; a dense operand
/// broadcasts: an axis of size 1 meets rows of any length, another one rows that all have its size.
///
/// ```
/// use extype::prelude::*;
/// use extype_ragged::RaggedTensor;
///
/// let r = RaggedTensor::from_row_splits([1.0f32, 4.0, 9.0], [0i64, 2, 2, 3])?;
/// assert_eq!(ops::sqrt(&r)?.to_string(), "[[1.0, 2.0], [], [3.0]]");
/// assert_eq!((&r + &r).to_string(), "[[2.0, 8.0], [], [18.0]]");
/// assert_eq!(r.type_spec().to_string(), "RaggedTensorSpec(flat_values=TensorSpec([3], float32), \
///     row_splits=[TensorSpec([4], int64)])");
/// # Ok::<(), Error>(())
/// ```
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "ragged.RaggedTensor", validate, stackable)]
pub struct RaggedTensor {
    /// The values of all rows: rank 1 or more if there are partitions, any dtype.
    pub flat_values: Tensor,
    /// The partitions, outermost first: int64 `[rows + 1]` each, from 0 to the number of entries
    /// of the level below.
    pub row_splits: Vec<Tensor>,
}

impl Validate for RaggedTensor {
    /// Splits that are symbols of a trace are checked for dtype and rank only.
    fn validate(&self) -> Result<()> {
        if self.row_splits.is_empty() {
            return Ok(());
        }
        self.flat_values
            .shape()
            .with_rank_at_least(1)
            .map_err(|e| e.prefixed("field `flat_values`"))?;
        for (level, splits) in self.row_splits.iter().enumerate() {
            let below = match self.row_splits.get(level + 1) {
                Some(inner) => inner.shape().dim(0)?.size().map(|n| n.saturating_sub(1)),
                None => self.flat_values.shape().dim(0)?.size(),
            };
            partition(splits, below)
                .map_err(|e| e.prefixed(format_args!("field `row_splits[{level}]`")))?;
        }
        Ok(())
    }
}

/// Checks one partition of `below` entries, as far as they are known.
fn partition(splits: &Tensor, below: Option<usize>) -> Result<()> {
    ensure_dtype!(splits, i64)?;
    splits.shape().with_rank(1)?;
    match (splits.as_slice::<i64>(), below) {
        // Sizes of arrays are within i64.
        (Ok(splits), Some(n)) => check_splits(splits, n as i64),
        _ => Ok(()),
    }
}

impl RaggedTensor {
    /// One ragged axis: row `i` holds `flat_values[splits[i] .. splits[i + 1]]`.
    ///
    /// # Errors
    /// `InvalidArgument` naming the row, if the splits don't start at 0, decrease, or don't end
    /// at the number of values; and if they are not int64 of rank 1.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let e = RaggedTensor::from_row_splits([1, 2, 3], [0i64, 2, 1, 3]).unwrap_err();
    /// assert!(e.message().contains("row 1: row splits decrease from 2 to 1"));
    /// ```
    #[track_caller]
    pub fn from_row_splits(flat_values: impl TensorLike, splits: impl TensorLike) -> Result<Self> {
        Self::new(flat_values, vec![splits.to_tensor()?])
    }

    /// Several ragged axes, the outermost partition first.
    ///
    /// # Errors
    /// As [`from_row_splits`](Self::from_row_splits), naming the partition too.
    ///
    /// ```
    /// use extype::tensor;
    /// use extype_ragged::RaggedTensor;
    /// let splits = vec![tensor![0i64, 2, 3], tensor![0i64, 1, 1, 3]];
    /// let r = RaggedTensor::from_nested_row_splits([7, 8, 9], splits)?;
    /// assert_eq!(r.to_string(), "[[[7], []], [[8, 9]]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_nested_row_splits(
        flat_values: impl TensorLike,
        row_splits: Vec<Tensor>,
    ) -> Result<Self> {
        Self::new(flat_values, row_splits)
    }

    /// One ragged axis from the lengths of the rows: an int32 or int64 vector.
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
    pub fn from_row_lengths(
        flat_values: impl TensorLike,
        lengths: impl TensorLike,
    ) -> Result<Self> {
        let splits = SplitsOfLengths {}.run(&[&int64(&lengths.to_tensor()?)?])?;
        Self::new(flat_values, vec![splits])
    }

    /// One ragged axis from the row of each value: an int32 or int64 vector that does not decrease.
    ///
    /// # Errors
    /// `InvalidArgument` naming the entry whose row is out of range or out of order.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_row_ids([1, 2, 3], [0i64, 0, 2], 4)?;
    /// assert_eq!(r.to_string(), "[[1, 2], [], [3], []]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_row_ids(
        flat_values: impl TensorLike,
        row_ids: impl TensorLike,
        rows: usize,
    ) -> Result<Self> {
        let rows = Tensor::scalar(i64::try_from(rows).unwrap_or(i64::MAX));
        let splits = SplitsOfIds {}.run(&[&int64(&row_ids.to_tensor()?)?, &rows])?;
        Self::new(flat_values, vec![splits])
    }

    /// From nested lists, with a ragged axis for each level below the first.
    ///
    /// # Errors
    /// `InvalidArgument` if the list is not nested.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![vec![1, 2], vec![]], vec![vec![3]], vec![]])?;
    /// assert_eq!((r.ragged_rank(), r.to_string().as_str()), (2, "[[[1, 2], []], [[3]], []]"));
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_rows<N: Nested>(rows: &[N]) -> Result<Self> {
        if N::DEPTH == 0 {
            return Err(Error::invalid("rows are lists; a flat list makes a plain tensor"));
        }
        let mut levels: Vec<Vec<i64>> = vec![vec![0]; N::DEPTH];
        let mut flat = Vec::new();
        for row in rows {
            row.collect_into(&mut levels, &mut flat);
        }
        Self::new(Tensor::from_vec(flat), levels.into_iter().map(Tensor::from_vec).collect())
    }

    /// A plain tensor without ragged axes.
    ///
    /// # Errors
    /// None at present; the constructor of an extension type may fail.
    #[track_caller]
    pub fn from_dense(values: impl TensorLike) -> Result<Self> {
        Self::new(values, Vec::new())
    }

    /// The tensor that this is, if no ragged axis is left.
    ///
    /// # Errors
    /// `InvalidArgument` if there are ragged axes: [`to_dense`](Self::to_dense) fills them.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1, 2], vec![], vec![3]])?;
    /// assert_eq!(r.reduce_sum(1, false)?.into_tensor()?.as_slice::<i32>()?, &[3, 0, 3]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn into_tensor(self) -> Result<Tensor> {
        match self.row_splits.len() {
            0 => Ok(self.flat_values),
            n => {
                Err(Error::invalid(format!("{n} ragged axes are left; fill them with `to_dense`")))
            }
        }
    }

    /// The number of ragged axes.
    pub fn ragged_rank(&self) -> usize {
        self.row_splits.len()
    }

    /// The lengths of the outermost rows: int64 `[rows]`.
    ///
    /// # Errors
    /// `InvalidArgument` if there is no ragged axis.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1, 2], vec![], vec![3]])?;
    /// assert_eq!(r.lengths()?.as_slice::<i64>()?, &[2, 0, 1]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn lengths(&self) -> Result<Tensor> {
        let splits = self.outermost()?;
        let rows = splits.shape().dim(0)?.size().map(|n| n.saturating_sub(1) as i64);
        let starts = match rows {
            Some(rows) => splits.slice([0i64], [rows])?,
            None => splits.slice([0i64], &ops::shape_of(splits)? - 1)?,
        };
        ops::sub(splits.slice([1i64], [-1i64])?, starts)
    }

    /// Row `i` of a tensor with one ragged axis: `[length, …]`, of the dtype of the values.
    ///
    /// # Errors
    /// `InvalidArgument` if there is no such row, or there are several ragged axes.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1, 2], vec![], vec![3]])?;
    /// assert_eq!(r.row(0)?.as_slice::<i32>()?, &[1, 2]);
    /// assert!(r.row(3).is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn row(&self, i: usize) -> Result<Tensor> {
        let splits = self.single("row")?;
        let at = i64::try_from(i).unwrap_or(i64::MAX);
        let begin = splits.slice([at], [1i64]).map_err(|e| e.prefixed(format_args!("row {i}")))?;
        let end = splits
            .slice([at.saturating_add(1)], [1i64])
            .map_err(|e| e.prefixed(format_args!("row {i}")))?;
        self.values_between(&begin, &end)
    }

    /// The values of entries `begin .. end`, which are int64 `[1]`.
    pub(crate) fn values_between(&self, begin: &Tensor, end: &Tensor) -> Result<Tensor> {
        let size = ops::sub(end, begin)?;
        let inner = match self.flat_values.rank() {
            Some(rank) => rank - 1,
            None => return Err(Error::invalid("the values of a ragged tensor have a known rank")),
        };
        let begin = ops::concat(&[begin, &Tensor::from_vec(vec![0i64; inner])], 0)?;
        let size = ops::concat(&[&size, &Tensor::from_vec(vec![-1i64; inner])], 0)?;
        self.flat_values.slice(begin, size)
    }

    /// The sum of each row of a tensor with one ragged axis: `[rows, …]`, 0 for empty rows. Also
    /// `ops::reduce_sum(&r, 1, false)?.into_tensor()`.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is not numeric, and for several ragged axes.
    #[track_caller]
    pub fn row_sum(&self) -> Result<Tensor> {
        self.single("row_sum")?;
        ops::reduce_sum(self, 1, false)?.into_tensor()
    }

    /// The number of rows of a partition: an int64 scalar.
    pub(crate) fn count(splits: &Tensor) -> Result<Tensor> {
        match splits.shape().dim(0)?.size() {
            Some(n) => Ok(Tensor::scalar(n.saturating_sub(1) as i64)),
            None => ops::sub(ops::size(splits)?, 1),
        }
    }

    pub(crate) fn outermost(&self) -> Result<&Tensor> {
        let none = || Error::invalid("there are no rows: the tensor has no ragged axis");
        self.row_splits.first().ok_or_else(none)
    }

    /// The partition, if there is one only.
    fn single(&self, what: &str) -> Result<&Tensor> {
        match &self.row_splits[..] {
            [splits] => Ok(splits),
            many => Err(Error::invalid(format!(
                "`{what}` is for one ragged axis, not for {}; see `gather` and `reduce_sum`",
                many.len()
            ))),
        }
    }

    /// The entries of the outermost rows: a level less.
    pub(crate) fn entries(&self) -> Self {
        let row_splits = self.row_splits.get(1..).unwrap_or_default().to_vec();
        Self { flat_values: self.flat_values.clone(), row_splits }
    }

    /// These entries in rows: a level more.
    pub(crate) fn in_rows(self, splits: Tensor) -> Self {
        let row_splits = std::iter::once(splits).chain(self.row_splits).collect();
        Self { flat_values: self.flat_values, row_splits }
    }

    /// These values under the partitions of this tensor.
    pub(crate) fn with_values(&self, flat_values: Tensor) -> Self {
        Self { flat_values, row_splits: self.row_splits.clone() }
    }
}

/// Integers as int64, which partitions are made of.
pub(crate) fn int64(x: &Tensor) -> Result<Tensor> {
    match x.dtype() {
        DType::I64 => Ok(x.clone()),
        DType::I32 => x.cast(DType::I64),
        other => Err(Error::invalid(format!("rows are told by int32 or int64, not {other}"))),
    }
}

/// Nested lists of numbers: what [`RaggedTensor::from_rows`] takes.
pub trait Nested {
    /// The numbers.
    type Item: Element;
    /// How many lists are around each number.
    const DEPTH: usize;

    /// Adds the numbers, and the ends of the rows at each level, outermost first.
    fn collect_into(&self, levels: &mut [Vec<i64>], flat: &mut Vec<Self::Item>);
}

macro_rules! numbers {
    ($($t:ty),*) => {
        $(impl Nested for $t {
            type Item = $t;
            const DEPTH: usize = 0;

            fn collect_into(&self, _: &mut [Vec<i64>], flat: &mut Vec<$t>) {
                flat.push(*self);
            }
        })*
    };
}
numbers!(bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);

impl<N: Nested> Nested for Vec<N> {
    type Item = N::Item;
    const DEPTH: usize = N::DEPTH + 1;

    fn collect_into(&self, levels: &mut [Vec<i64>], flat: &mut Vec<N::Item>) {
        let Some((level, below)) = levels.split_first_mut() else { return };
        for item in self {
            item.collect_into(below, flat);
        }
        let end = level.last().copied().unwrap_or(0);
        level.push(end + self.len() as i64);
    }
}
