//! Indexing and slicing.

use extype::control::Iterate;
use extype::ops::{Index, IndexList, Op, Position};
use extype::prelude::*;

use crate::partition::kernels::slice_row;
use crate::partition::whole;
use crate::{RaggedTensor, RowPartition, SliceRows};

impl RaggedTensor {
    /// A part of the tensor, as Python's `r[…]`: a number takes a row, a range a slice of rows, and a tuple goes on with
    /// the axes behind. The result may have no ragged axis left: see [`into_tensor`](Self::into_tensor).
    ///
    /// The entries are those of `Tensor::index`. Rows have lengths of their own, so a number may stand for a row, for an
    /// element of one row and for uniform axes, but not for a ragged axis of many rows: some may have no such element.
    /// Slices of ragged axes are cut to each row, and negative bounds count from its end.
    ///
    /// TensorFlow: `RaggedTensor.__getitem__`.
    ///
    /// # Errors
    /// `InvalidArgument` for a row that is not there, for a number at a ragged axis of many rows, and for more entries
    /// than there are axes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1, 2, 3], vec![4, 5], vec![6], vec![7]])?;
    /// assert_eq!(r.get(0)?.to_string(), "[1, 2, 3]");
    /// assert_eq!(r.get((3, 0))?.into_tensor()?.item::<i32>()?, 7);
    /// assert_eq!(r.get(..2)?.to_string(), "[[1, 2, 3], [4, 5]]");
    /// assert_eq!(r.get((.., -1..))?.to_string(), "[[3], [5], [6], [7]]");
    /// assert_eq!(r.get((ops::step(.., -2), NewAxis))?.to_string(), "[[[7]], [[4, 5]]]");
    /// let e = r.get((.., 0)).unwrap_err();
    /// assert!(e.message().contains("axis 1 is ragged"), "{e}");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn get(&self, at: impl IndexList) -> Result<Self> {
        let entries = at.entries();
        let axes = entries.iter().filter(|e| !matches!(e, Index::NewAxis | Index::Ellipsis));
        let axes = axes.count();
        if self.rank().is_some_and(|rank| axes > rank) {
            let rank = self.rank().unwrap_or_default();
            return Err(Error::invalid(format!("{axes} indices given for rank {rank}")));
        }
        self.part(&entries)
    }

    fn part(&self, entries: &[Index]) -> Result<Self> {
        let Some((first, rest)) = entries.split_first() else { return Ok(self.clone()) };
        if self.ragged_rank() == 0 {
            return plain(&self.flat_values, entries.to_vec());
        }
        match first {
            Index::Ellipsis => self.part(&expanded(entries, self.rank())?),
            Index::NewAxis => {
                let inner = self.part(rest)?;
                if inner.ragged_rank() == 0 {
                    return Self::from_dense(inner.flat_values.expand_dims(0)?);
                }
                let n = inner.nrows()?;
                let rows = RowPartition::from_splits(ops::stack(&[&n.zeros_like()?, &n], 0)?)?;
                let uniform = inner.partitions.first().and_then(RowPartition::static_nrows);
                Ok(inner.in_rows(rows.with_uniform(uniform)))
            }
            Index::Part { begin, end, step } => {
                self.rows_between(begin.as_ref(), end.as_ref(), *step)?.inner(rest, 1)
            }
            at => self.row(at.clone())?.part(rest),
        }
    }

    /// One row.
    fn row(&self, at: Index) -> Result<Self> {
        let rows = self.outermost()?;
        let [begin, end] = [rows.starts()?, rows.limits()?].map(|ends| ends.index(at.clone()));
        let [begin, end] = [begin?, end?].map(Position::from);
        self.values().rows_between(Some(&begin), Some(&end), 1)
    }

    /// A slice of the outermost axis.
    fn rows_between(
        &self,
        begin: Option<&Position>,
        end: Option<&Position>,
        step: i64,
    ) -> Result<Self> {
        let part = || Index::Part { begin: begin.cloned(), end: end.cloned(), step };
        let Some(rows) = self.partitions.first() else {
            return plain(&self.flat_values, vec![part()]);
        };
        if begin.is_none() && end.is_none() && step == 1 {
            return Ok(self.clone());
        }
        if step != 1 {
            let n = self.nrows()?;
            let one = whole(1, n.dtype())?;
            let all = ops::range(&n.zeros_like()?, &n, &one)?;
            return self.gathered(&all.index(part())?);
        }
        let (starts, limits) = (rows.starts()?.index(part())?, rows.limits()?.index(part())?);
        // Of no rows the splits are a zero.
        let first = match starts.shape().dim(0)?.size() {
            Some(0) => whole(0, rows.dtype())?.reshape([1])?,
            Some(_) => starts.slice([0], [1])?,
            None => {
                let padded = ops::concat(&[&starts, &whole(0, rows.dtype())?.reshape([1])?], 0)?;
                padded.slice([0], [1])?
            }
        };
        let ends = ops::concat(&[&first, &limits], 0)?;
        let kept = RowPartition::trusted(ops::sub(&ends, &first)?);
        let (from, to) = (first.reshape([0i64; 0])?, ends.index(-1)?);
        let values = self.values().rows_between(Some(&from.into()), Some(&to.into()), 1)?;
        Ok(values.in_rows(kept.with_uniform(rows.uniform_row_length())))
    }

    /// The same part of all outermost rows; `axis` is the one that the entries begin with.
    fn inner(&self, entries: &[Index], axis: usize) -> Result<Self> {
        let Some((first, rest)) = entries.split_first() else { return Ok(self.clone()) };
        let Some(rows) = self.partitions.first() else {
            let all = std::iter::once(Index::from(..)).chain(entries.iter().cloned());
            return plain(&self.flat_values, all.collect());
        };
        match first {
            Index::Ellipsis => {
                self.inner(&expanded(entries, self.rank().map(|rank| rank - 1))?, axis)
            }
            Index::NewAxis => {
                let inner = self.inner(rest, axis)?;
                if inner.ragged_rank() == 0 {
                    return Self::from_dense(inner.flat_values.expand_dims(1)?);
                }
                let one_each = RowPartition::from_uniform_row_length(1, inner.nrows()?, None)?;
                Ok(inner.in_rows(one_each))
            }
            Index::Part { begin: None, end: None, step: 1 } => {
                Ok(self.values().inner(rest, axis + 1)?.in_rows(rows.clone()))
            }
            Index::Part { begin, end, step } => {
                let (begin, end) = (bound(begin.as_ref())?, bound(end.as_ref())?);
                let op = SliceRows { step: *step };
                let (splits, positions) =
                    op.run_as::<(Tensor, Tensor)>(&[rows.splits(), &begin, &end])?;
                let kept = RowPartition::trusted(splits);
                let uniform =
                    rows.uniform_row_length().and_then(|n| part_of(n, &begin, &end, *step));
                let values = self.values().gathered(&positions)?.inner(rest, axis + 1)?;
                Ok(values.in_rows(kept.with_uniform(uniform)))
            }
            at => {
                let Some(length) = rows.uniform_row_length() else {
                    return Err(Error::invalid(format!(
                        "axis {axis} is ragged: some rows may have no such element; give a range"
                    )));
                };
                // Where the element is in a row of this length, and so in the first.
                let length = i64::try_from(length).unwrap_or(i64::MAX);
                let place = ops::range(0i64, length, 1i64)?.index(at.clone())?;
                self.values().rows_between(Some(&place.into()), None, length)?.inner(rest, axis)
            }
        }
    }
}

/// The outermost rows: `for row in &ragged` in a `#[tf_function]` is a loop of the graph.
///
/// ```
/// use extype::prelude::*;
/// use extype_ragged::RaggedTensor;
///
/// #[tf_function]
/// fn longest(r: &RaggedTensor) -> Result<Tensor> {
///     let mut most = scalar(0i64);
///     for row in r {
///         let n = ops::size(&row)?;
///         if n > most {
///             most = n;
///         }
///     }
///     Ok(most)
/// }
/// let r = RaggedTensor::from_rows(&[vec![1], vec![], vec![2, 3]])?;
/// assert_eq!(longest(&r)?.item::<i64>()?, 2);
/// # Ok::<(), Error>(())
/// ```
impl Iterate for RaggedTensor {
    type Item = Self;

    #[track_caller]
    fn count(&self) -> Result<Tensor> {
        match self.ragged_rank() {
            0 => self.flat_values.count(),
            _ => self.nrows(),
        }
    }

    #[track_caller]
    fn at(&self, i: &Tensor) -> Result<Self> {
        self.part(&[Index::At(Position::from(i.clone()))])
    }
}

/// A part of a dense tensor.
fn plain(x: &Tensor, entries: Vec<Index>) -> Result<RaggedTensor> {
    RaggedTensor::from_dense(x.index(entries)?)
}

/// The entries with one whole axis for the ellipsis that they begin with, or without it if the others name all axes.
fn expanded(entries: &[Index], axes: Option<usize>) -> Result<Vec<Index>> {
    let axes = axes.ok_or_else(|| Error::invalid("an ellipsis in a tensor of unknown rank"))?;
    let rest = &entries[1..];
    let named = rest.iter().filter(|e| !matches!(e, Index::NewAxis)).count();
    Ok(match named < axes {
        true => std::iter::once(Index::from(..)).chain(entries.iter().cloned()).collect(),
        false => rest.to_vec(),
    })
}

/// A bound as an int64 vector, which is empty if it is left out.
fn bound(at: Option<&Position>) -> Result<Tensor> {
    match at {
        None => Ok(Tensor::from_vec(Vec::<i64>::new())),
        Some(Position::Known(n)) => Ok(Tensor::from_vec(vec![*n])),
        Some(Position::Tensor(t)) => t.cast(DType::I64)?.reshape([1]),
        Some(_) => Err(Error::invalid("a bound of the slice is not known while tracing")),
    }
}

/// How many of so many entries a slice takes, if that is known.
fn part_of(n: usize, begin: &Tensor, end: &Tensor, step: i64) -> Option<usize> {
    let bound = |t: &Tensor| Some(t.value().ok()?.to_i64s().ok()?.first().copied());
    let (count, _) = slice_row(i64::try_from(n).ok()?, bound(begin)?, bound(end)?, step);
    usize::try_from(count).ok()
}
