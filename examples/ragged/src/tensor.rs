//! The ragged tensor and its ops.

use extype::array::Element;
use extype::ops::{Op, ReduceSum};
use extype::prelude::*;

use crate::ops::{RowIds, SameRows};
use crate::partition::check_splits;

/// A tensor whose rows have different lengths.
///
/// `flat_values` are the values of all rows in order; its outermost axis is partitioned by
/// `row_splits`, the outermost partition first: row `i` holds the entries
/// `splits[i] .. splits[i + 1]` of the level below. The number of partitions, the ragged rank, is
/// part of the type: a traced function gets a trace for each.
///
/// Elementwise ops apply to the values; two ragged operands need equal partitions, and a tensor
/// operand is a scalar.
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
#[extension_type(name = "ragged.RaggedTensor", validate)]
pub struct RaggedTensor {
    /// The values of all rows: rank 1 or more, any dtype.
    pub flat_values: Tensor,
    /// The partitions, outermost first: int64 `[rows + 1]` each, from 0 to the number of entries
    /// of the level below.
    pub row_splits: Vec<Tensor>,
}

impl Validate for RaggedTensor {
    /// Splits that are symbols of a trace are checked for dtype and rank only.
    fn validate(&self) -> Result<()> {
        if self.row_splits.is_empty() {
            return Err(Error::invalid("a ragged tensor has at least one row partition"));
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
    #[expect(clippy::needless_pass_by_value, reason = "data is given as `new` takes it")]
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

    /// One ragged axis from the lengths of the rows.
    ///
    /// # Errors
    /// `InvalidArgument` if the lengths don't add up to the number of values.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_row_lengths([1, 2, 3], &[2, 0, 1])?;
    /// assert_eq!(r.to_string(), "[[1, 2], [], [3]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_row_lengths(flat_values: impl TensorLike, lengths: &[usize]) -> Result<Self> {
        let ends = lengths.iter().scan(0i64, |end, n| {
            *end = end.saturating_add_unsigned(*n as u64);
            Some(*end)
        });
        let splits: Vec<i64> = std::iter::once(0).chain(ends).collect();
        Self::from_row_splits(flat_values, splits)
    }

    /// One ragged axis from a list of rows of numbers.
    ///
    /// # Errors
    /// None at present; the constructor of an extension type may fail.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1.5f32], vec![]])?;
    /// assert_eq!(r.to_string(), "[[1.5], []]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_rows<T: Element>(rows: &[impl AsRef<[T]>]) -> Result<Self> {
        let flat: Vec<T> = rows.iter().flat_map(AsRef::as_ref).copied().collect();
        let lengths: Vec<usize> = rows.iter().map(|r| r.as_ref().len()).collect();
        Self::from_row_lengths(Tensor::from_vec(flat), &lengths)
    }

    /// The number of ragged axes.
    pub fn ragged_rank(&self) -> usize {
        self.row_splits.len()
    }

    /// The lengths of the outermost rows: int64 `[rows]`.
    ///
    /// # Errors
    /// `OutOfRange` if the value was not made by a constructor and has no partition.
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
        let size = ops::sub(&end, &begin)?;
        let inner = match self.flat_values.rank() {
            Some(rank) => rank - 1,
            None => return Err(Error::invalid("the values of a ragged tensor have a known rank")),
        };
        let begin = ops::concat(&[begin, Tensor::from_vec(vec![0i64; inner])], 0)?;
        let size = ops::concat(&[size, Tensor::from_vec(vec![-1i64; inner])], 0)?;
        self.flat_values.slice(begin, size)
    }

    /// The sum of each row of a tensor with one ragged axis: `[rows, …]`, 0 for empty rows. Also
    /// `ops::reduce_sum(&r, 1, false)`.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is not numeric; `Unimplemented` for several ragged axes.
    #[track_caller]
    pub fn row_sum(&self) -> Result<Tensor> {
        let splits = self.single("row_sum")?;
        let ids = RowIds {}.run(&[splits])?;
        let rows = match splits.shape().dim(0)?.size() {
            Some(n) => Tensor::scalar(n.saturating_sub(1) as i64),
            None => ops::sub(ops::size(splits)?, 1)?,
        };
        ops::unsorted_segment_sum(&self.flat_values, &ids, &rows)
    }

    fn outermost(&self) -> Result<&Tensor> {
        let none = || Error::new(ErrorKind::OutOfRange, "the ragged tensor has no row partition");
        self.row_splits.first().ok_or_else(none)
    }

    /// The partition, if there is one only.
    fn single(&self, what: &str) -> Result<&Tensor> {
        match &self.row_splits[..] {
            [splits] => Ok(splits),
            many => Err(Error::new(
                ErrorKind::Unimplemented,
                format!("`{what}` is defined for one ragged axis, not for {}", many.len()),
            )),
        }
    }

    /// These values under the partitions of this tensor.
    fn with_values(&self, flat_values: Tensor) -> Self {
        Self { flat_values, row_splits: self.row_splits.clone() }
    }
}

#[dispatch]
impl RaggedTensor {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        Ok(x.with_values(op.call(&x.flat_values)?))
    }

    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(
        op: impl BinaryOp,
        x: Arg<'_, Self, Tensor>,
        y: Arg<'_, Self, Tensor>,
    ) -> Result<Self> {
        match (x, y) {
            (Arg::This(x), Arg::This(y)) => {
                let row_splits = same_partitions(x, y)?;
                Ok(Self { flat_values: op.call(&x.flat_values, &y.flat_values)?, row_splits })
            }
            (Arg::This(x), Arg::Other(y)) => {
                scalar(y)?;
                Ok(x.with_values(op.call(&x.flat_values, y)?))
            }
            (Arg::Other(x), Arg::This(y)) => {
                scalar(x)?;
                Ok(y.with_values(op.call(x, &y.flat_values)?))
            }
            (Arg::Other(_), Arg::Other(_)) => unreachable!("one operand is ragged"),
        }
    }

    #[overrides(ReduceSum)]
    fn reduce_sum(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Tensor> {
        let axes = match axes {
            Axes::All if !keep_dims => return x.flat_values.reduce_sum(.., false),
            Axes::List(list) => list.known(),
            Axes::All => None,
        };
        match axes.as_deref() {
            Some([1]) if keep_dims => x.row_sum()?.expand_dims(1),
            Some([1]) => x.row_sum(),
            _ => Err(Error::new(
                ErrorKind::Unimplemented,
                "ragged tensors are summed over axis 1, or over all axes without keeping them",
            )),
        }
    }
}

/// The partitions of two operands, which must be equal.
fn same_partitions(x: &RaggedTensor, y: &RaggedTensor) -> Result<Vec<Tensor>> {
    let (a, b) = (x.ragged_rank(), y.ragged_rank());
    if a != b {
        return Err(Error::invalid(format!("ragged tensors of {a} and {b} ragged axes")));
    }
    let pairs = x.row_splits.iter().zip(&y.row_splits);
    pairs
        .map(|(x, y)| if x.id() == y.id() { Ok(x.clone()) } else { SameRows {}.run(&[x, y]) })
        .collect()
}

/// Refuses what would broadcast over rows.
fn scalar(x: &Tensor) -> Result<()> {
    match x.rank() {
        Some(0) => Ok(()),
        _ => Err(Error::invalid(format!(
            "a ragged tensor takes scalars as its other operand, not shape {}",
            x.shape()
        ))),
    }
}
