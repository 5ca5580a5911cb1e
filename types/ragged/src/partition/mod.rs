//! Row partitions: which entries are in which row.

pub(crate) mod kernels;
pub(crate) mod rows;

use std::fmt;
use std::sync::{Arc, OnceLock};

use extype::ops::{Lent, Op};
use extype::prelude::*;

pub use self::rows::{
    CheckedRows, ColumnsInRows, CutRows, JoinRows, RowIds, SameRows, SliceRows, SplitsOfIds,
    SplitsOfLengths, StackRows, SwapRows, UniformRows,
};
use kernels::check_splits;

/// How a list of entries is divided into rows: row `i` holds the entries `splits[i] .. splits[i + 1]`.
///
/// The splits, int32 or int64 `[rows + 1]`, start at 0, don't decrease, and end at the number of entries. Tensors that
/// tell the rows give their dtype to the splits; plain data of Rust makes int64. What else tells the rows is computed
/// from the splits, and what costs a pass is kept: row lengths and the row of each entry.
///
/// ```
/// use extype_ragged::RowPartition;
/// let p = RowPartition::from_lengths([2i64, 0, 1])?;
/// assert_eq!(p.splits().as_slice::<i64>()?, &[0, 2, 2, 3]);
/// assert_eq!(p.value_rowids()?.as_slice::<i64>()?, &[0, 0, 2]);
/// assert_eq!(p.starts()?.as_slice::<i64>()?, &[0, 2, 2]);
/// assert_eq!(p.nrows()?.item::<i64>()?, 3);
/// # Ok::<(), extype::Error>(())
/// ```
#[derive(Clone)]
pub struct RowPartition {
    splits: Tensor,
    uniform: Option<usize>,
    /// False for splits that nobody has looked at.
    is_checked: bool,
    /// What was computed of splits that are a value; symbols of a trace belong to their trace.
    known: Arc<Known>,
}

#[derive(Default)]
struct Known {
    lengths: OnceLock<Tensor>,
    value_rowids: OnceLock<Tensor>,
}

impl fmt::Debug for RowPartition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RowPartition(row_splits={}", self.splits)?;
        match self.uniform {
            Some(n) => write!(f, ", uniform_row_length={n})"),
            None => f.write_str(")"),
        }
    }
}

impl RowPartition {
    /// From where the rows begin, and the last one ends.
    ///
    /// TensorFlow: `RowPartition.from_row_splits`.
    ///
    /// # Errors
    /// `InvalidArgument` naming the row, if the splits don't start at 0 or decrease; and if they are no int32 or int64
    /// vector. Splits that are symbols of a trace are checked for dtype and rank only.
    ///
    /// ```
    /// use extype_ragged::RowPartition;
    /// let e = RowPartition::from_splits([0i64, 2, 1]).unwrap_err();
    /// assert!(e.message().contains("row 1: row splits decrease from 2 to 1"));
    /// ```
    #[track_caller]
    pub fn from_splits(splits: impl TensorLike) -> Result<Self> {
        let made = Self::unchecked(vector(&splits, "row splits")?);
        made.check()?;
        Ok(Self { is_checked: true, ..made })
    }

    /// From the lengths of the rows.
    ///
    /// TensorFlow: `RowPartition.from_row_lengths`.
    ///
    /// # Errors
    /// `InvalidArgument` naming the row whose length is negative; and if they are no int32 or int64 vector.
    ///
    /// ```
    /// use extype_ragged::RowPartition;
    /// assert_eq!(RowPartition::from_lengths([2, 1])?.splits().as_slice::<i64>()?, &[0, 2, 3]);
    /// let narrow = RowPartition::from_lengths(extype::tensor![2i32, 1])?;
    /// assert_eq!(narrow.splits().as_slice::<i32>()?, &[0, 2, 3]);
    /// assert!(RowPartition::from_lengths([2, -1]).unwrap_err().message().contains("row 1"));
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_lengths(lengths: impl TensorLike) -> Result<Self> {
        let lengths = vector(&lengths, "row lengths")?;
        let made = Self::trusted(SplitsOfLengths {}.run(&[&lengths])?);
        keep(&made.known.lengths, &lengths);
        Ok(made)
    }

    /// From where each row begins; the last one ends with the entries, of which there are `nvals`.
    ///
    /// TensorFlow: `RowPartition.from_row_starts`.
    ///
    /// # Errors
    /// As [`from_splits`](Self::from_splits).
    ///
    /// ```
    /// use extype_ragged::RowPartition;
    /// let p = RowPartition::from_starts([0i64, 2, 2], 3)?;
    /// assert_eq!(p.splits().as_slice::<i64>()?, &[0, 2, 2, 3]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_starts(starts: impl TensorLike, nvals: impl TensorLike) -> Result<Self> {
        let starts = vector(&starts, "row starts")?;
        let end = whole(nvals, starts.dtype())?.reshape([1])?;
        Self::from_splits(joined(&starts, &end)?)
    }

    /// From where each row ends.
    ///
    /// TensorFlow: `RowPartition.from_row_limits`.
    ///
    /// # Errors
    /// As [`from_splits`](Self::from_splits).
    ///
    /// ```
    /// use extype_ragged::RowPartition;
    /// let p = RowPartition::from_limits([2i64, 2, 3])?;
    /// assert_eq!(p.splits().as_slice::<i64>()?, &[0, 2, 2, 3]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_limits(limits: impl TensorLike) -> Result<Self> {
        let limits = vector(&limits, "row limits")?;
        Self::from_splits(joined(&whole(0, limits.dtype())?.reshape([1])?, &limits)?)
    }

    /// From the row of each entry, which must not decrease. Without `nrows` the last entry is in the last row.
    ///
    /// TensorFlow: `RowPartition.from_value_rowids`.
    ///
    /// # Errors
    /// `InvalidArgument` naming the entry whose row is out of range or out of order; and if they are no int32 or int64
    /// vector.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::RowPartition;
    /// let p = RowPartition::from_value_rowids([0i64, 0, 2], Some(&scalar(4i64)))?;
    /// assert_eq!(p.splits().as_slice::<i64>()?, &[0, 2, 2, 3, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn from_value_rowids(
        value_rowids: impl TensorLike,
        nrows: Option<&Tensor>,
    ) -> Result<Self> {
        let ids = vector(&value_rowids, "the rows of values")?;
        let nrows = match nrows {
            Some(n) => whole(n, ids.dtype())?,
            // Of no entries the maximum is the lowest number.
            None => ops::add(&ids.reduce_max(.., false)?.maximum(-1)?, 1)?,
        };
        let made = Self::trusted(SplitsOfIds {}.run(&[&ids, &nrows])?);
        keep(&made.known.value_rowids, &ids);
        Ok(made)
    }

    /// Rows of one length: as many as `nvals` entries fill. Rows without entries don't tell their number, which is
    /// `nrows` then.
    ///
    /// TensorFlow: `RowPartition.from_uniform_row_length`.
    ///
    /// # Errors
    /// `InvalidArgument` if the entries fill no whole number of rows, or another one than `nrows`, and for a negative
    /// number of rows.
    ///
    /// ```
    /// use extype_ragged::RowPartition;
    /// let p = RowPartition::from_uniform_row_length(2, 6i64, None)?;
    /// assert_eq!(p.splits().as_slice::<i64>()?, &[0, 2, 4, 6]);
    /// assert_eq!(p.uniform_row_length(), Some(2));
    /// let e = RowPartition::from_uniform_row_length(2, 5i64, None).unwrap_err();
    /// assert!(e.message().contains("5 entries fill no whole number of rows of length 2"));
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_uniform_row_length(
        length: usize,
        nvals: impl TensorLike,
        nrows: Option<&Tensor>,
    ) -> Result<Self> {
        let nvals = nvals.to_tensor()?;
        let dtype = if nvals.dtype() == DType::I32 { DType::I32 } else { DType::I64 };
        let nvals = whole(&nvals, dtype)?;
        let nrows = nrows.map(|n| whole(n, dtype)).transpose()?;
        let step = whole(i64::try_from(length).unwrap_or(i64::MAX), dtype)?;
        let given = match &nrows {
            Some(n) => n.clone(),
            None if length == 0 => whole(0, dtype)?,
            None => ops::floor_div(&nvals, &step)?,
        };
        if let Some(n) = known(&given).filter(|n| *n < 0) {
            return Err(Error::invalid(format!("the number of rows is {n}")));
        }
        if let (Some(n), Some(rows)) = (known(&nvals), known(&given))
            && i64::try_from(length).ok().and_then(|l| l.checked_mul(rows)) != Some(n)
        {
            return Err(Error::invalid(match nrows {
                Some(_) => format!("{n} entries are not {rows} rows of length {length}"),
                None => format!("{n} entries fill no whole number of rows of length {length}"),
            }));
        }
        let one = whole(1, dtype)?;
        let rows = ops::range(&whole(0, dtype)?, &ops::add(&given, &one)?, &one)?;
        let mut splits = ops::mul(&rows, &step)?;
        if let Some(n) = known(&given).and_then(|n| usize::try_from(n).ok()) {
            splits = splits.ensure_shape([n.saturating_add(1)])?;
        }
        Ok(Self { uniform: Some(length), ..Self::trusted(splits) })
    }

    /// The same rows, which end with so many entries. What is not known yet is checked when the trace runs.
    pub(crate) fn checked(self, nvals: &Tensor) -> Result<Self> {
        if self.splits.value().is_ok() && nvals.value().is_ok() {
            return Ok(self);
        }
        let splits = CheckedRows {}.run(&[&self.splits, &nvals.cast(self.dtype())?])?;
        Ok(Self { splits, ..self })
    }

    /// Splits that are known to be right.
    pub(crate) fn trusted(splits: Tensor) -> Self {
        Self { splits, uniform: None, is_checked: true, known: Arc::default() }
    }

    /// Splits that may be wrong: [`check`](Self::check) tells.
    pub(crate) fn unchecked(splits: Tensor) -> Self {
        Self { is_checked: false, ..Self::trusted(splits) }
    }

    /// Refuses splits that don't start at 0 or decrease, if they are known.
    pub(crate) fn check(&self) -> Result<()> {
        match self.splits.value() {
            Ok(_) if self.is_checked => Ok(()),
            Ok(array) if array.dtype() == DType::I64 => check_splits(array.as_slice::<i64>()?),
            Ok(array) => check_splits(array.as_slice::<i32>()?),
            Err(_) => Ok(()),
        }
    }

    /// The same rows, which are known to have this length, if any is given.
    pub(crate) fn with_uniform(mut self, length: Option<usize>) -> Self {
        self.uniform = length.or(self.uniform);
        self
    }

    /// Where the rows begin, and the last one ends: `[rows + 1]`.
    pub fn splits(&self) -> &Tensor {
        &self.splits
    }

    pub(crate) fn into_splits(self) -> Tensor {
        self.splits
    }

    /// int32 or int64.
    pub fn dtype(&self) -> DType {
        self.splits.dtype()
    }

    /// The length that all rows are known to have.
    pub fn uniform_row_length(&self) -> Option<usize> {
        self.uniform
    }

    /// The number of rows, if it is known, also while tracing.
    pub fn static_nrows(&self) -> Option<usize> {
        self.splits.shape().dim(0).ok()?.size().map(|n| n.saturating_sub(1))
    }

    /// The number of rows: a scalar.
    ///
    /// # Errors
    /// None that is foreseen.
    #[track_caller]
    pub fn nrows(&self) -> Result<Tensor> {
        match self.static_nrows() {
            Some(n) => whole(n as i64, self.dtype()),
            None => ops::sub(&ops::size(&self.splits)?.cast(self.dtype())?, 1),
        }
    }

    /// The number of entries: a scalar.
    ///
    /// # Errors
    /// `OutOfRange` for splits of a trace that have no number at all.
    #[track_caller]
    pub fn nvals(&self) -> Result<Tensor> {
        let at = match self.static_nrows() {
            Some(n) => Tensor::scalar(n as i64),
            None => ops::sub(&ops::size(&self.splits)?.cast(DType::I64)?, 1)?,
        };
        self.splits.gather(&at, 0)
    }

    /// How many entries each row has: `[rows]`.
    ///
    /// # Errors
    /// None that is foreseen.
    #[track_caller]
    pub fn lengths(&self) -> Result<Tensor> {
        if let Some(lengths) = self.known.lengths.get() {
            return Ok(lengths.clone());
        }
        let lengths = match self.uniform {
            Some(n) => ops::fill(&self.nrows()?.reshape([1])?, &whole(n as i64, self.dtype())?)?,
            None => ops::sub(&self.limits()?, &self.starts()?)?,
        };
        keep(&self.known.lengths, &lengths);
        Ok(lengths)
    }

    /// The first entry of each row: `[rows]`.
    ///
    /// # Errors
    /// None that is foreseen.
    #[track_caller]
    pub fn starts(&self) -> Result<Tensor> {
        let rows = match self.static_nrows() {
            Some(n) => Tensor::from_vec(vec![n as i64]),
            None => self.nrows()?.cast(DType::I64)?.reshape([1])?,
        };
        self.splits.slice([0i64], &rows)
    }

    /// The entry behind each row: `[rows]`.
    ///
    /// # Errors
    /// None that is foreseen.
    #[track_caller]
    pub fn limits(&self) -> Result<Tensor> {
        self.splits.slice([1i64], [-1i64])
    }

    /// The row of each entry: `[entries]`.
    ///
    /// # Errors
    /// `ResourceExhausted` if there is no memory for so many.
    #[track_caller]
    pub fn value_rowids(&self) -> Result<Tensor> {
        if let Some(ids) = self.known.value_rowids.get() {
            return Ok(ids.clone());
        }
        let ids = RowIds {}.run(&[&self.splits])?;
        keep(&self.known.value_rowids, &ids);
        Ok(ids)
    }

    /// The same rows, told by int32 or int64.
    ///
    /// # Errors
    /// `InvalidArgument` for another dtype, and if there are more entries than int32 counts.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::RowPartition;
    /// let p = RowPartition::from_lengths([2i64, 1])?.with_dtype(DType::I32)?;
    /// assert_eq!(p.splits().as_slice::<i32>()?, &[0, 2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn with_dtype(&self, dtype: DType) -> Result<Self> {
        if dtype == self.dtype() {
            return Ok(self.clone());
        }
        if !matches!(dtype, DType::I32 | DType::I64) {
            return Err(told_by(dtype));
        }
        if dtype == DType::I32 && known(&self.nvals()?).is_some_and(|n| n > i64::from(i32::MAX)) {
            return Err(Error::invalid("there are more entries than int32 counts"));
        }
        Ok(Self::trusted(self.splits.cast(dtype)?).with_uniform(self.uniform))
    }
}

/// Remembers a value. A symbol is one of the trace that is running, and of no use behind it.
fn keep(place: &OnceLock<Tensor>, value: &Tensor) {
    if value.value().is_ok() {
        let _ = place.set(value.clone());
    }
}

/// The number in a scalar, if it is known.
pub(crate) fn known(scalar: &Tensor) -> Option<i64> {
    scalar.value().ok()?.to_i64s().ok()?.first().copied()
}

fn told_by(dtype: DType) -> Error {
    Error::invalid(format!("rows are told by int32 or int64, not {dtype}"))
}

/// A vector of integers of a dtype that tells rows. Tensors keep their dtype; plain data becomes int64.
fn vector(x: &impl TensorLike, what: &str) -> Result<Tensor> {
    let x = match x.lend()? {
        Lent::Owned(x) if x.dtype() == DType::I32 => x.cast(DType::I64)?,
        x => Tensor::clone(&x),
    };
    if !matches!(x.dtype(), DType::I32 | DType::I64) {
        return Err(told_by(x.dtype()).prefixed(what));
    }
    x.shape().with_rank(1).map_err(|e| e.prefixed(what))?;
    Ok(x)
}

/// A whole number as a scalar of this dtype.
pub(crate) fn whole(n: impl TensorLike, dtype: DType) -> Result<Tensor> {
    let n = n.to_tensor()?;
    if !matches!(n.dtype(), DType::I32 | DType::I64) {
        return Err(told_by(n.dtype()));
    }
    n.shape().with_rank(0)?;
    n.cast(dtype)
}

/// Two vectors as one.
fn joined(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    ops::concat(&[a, b], 0)
}
