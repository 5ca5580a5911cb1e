//! Broadcasting: operands of several shapes, ragged or dense, as flat values under the same partitions.
//!
//! The axes are lined up from the last. Those from the first to the innermost ragged one of any operand are walked from
//! the outside; those behind are left to the op on the flat values. An axis of size one meets rows of every length; a
//! ragged axis has that size only if its partition says so. Other rows that meet have the same lengths.

use extype::ops::{Arg, Op};
use extype::prelude::*;

use super::kernels::BroadcastRows;
use super::shape::uniform_rows;
use crate::partition::whole;
use crate::tensor::{merged, size_of};
use crate::{RaggedTensor, RowPartition, SameRows, UniformRows};

/// How many entries the rows of an axis have.
enum Lengths {
    Ragged(RowPartition),
    /// All as many: a scalar, and the number if it is known.
    Uniform(Tensor, Option<usize>),
}

impl Lengths {
    fn is_one(&self) -> bool {
        matches!(self, Lengths::Uniform(_, Some(1)))
    }
}

/// Which of its entries an operand has at each entry of the result.
enum Entries {
    /// The one that it has.
    First,
    /// That at the same place.
    Same,
    /// Those at these places.
    At(Tensor),
}

/// One operand on its way down the axes.
struct Walk {
    value: RaggedTensor,
    /// How many of the walked axes it has.
    axes: usize,
    entries: Entries,
}

impl Walk {
    /// The rows of an axis, one of so many that are walked.
    fn lengths(&self, axis: usize, walked: usize, dtype: DType) -> Result<Lengths> {
        let uniform = |size: &Tensor, known| Ok(Lengths::Uniform(size.cast(dtype)?, known));
        let Some(own) = (axis + self.axes).checked_sub(walked) else {
            return uniform(&Tensor::scalar(1i64), Some(1));
        };
        let levels = self.value.ragged_rank();
        if own > levels || levels == 0 {
            let flat = &self.value.flat_values;
            let known = flat.shape().dim((own - levels) as i64)?.size();
            return uniform(&size_of(flat, own - levels)?, known);
        }
        match own.checked_sub(1).map(|level| &self.value.partitions[level]) {
            None => uniform(&self.value.nrows()?, self.value.partitions[0].static_nrows()),
            Some(rows) if rows.uniform_row_length() == Some(1) => {
                uniform(&Tensor::scalar(1i64), Some(1))
            }
            Some(rows) => Ok(Lengths::Ragged(rows.clone())),
        }
    }

    /// True if it has the same ragged axes as the first operand with rows, as far as it is known.
    fn is_like(&self, all: &[Walk], levels: usize) -> bool {
        let Some(first) = all.iter().find(|w| w.axes > 0) else { return true };
        let (own, other) = (&self.value.partitions, &first.value.partitions);
        let one = |rows: &RowPartition| rows.uniform_row_length() == Some(1);
        let count = |all: &[RowPartition]| all.first().and_then(RowPartition::static_nrows);
        self.axes == levels + 1
            && own.len() == levels
            && other.len() == levels
            && own.iter().map(one).eq(other.iter().map(one))
            && (count(own) == Some(1)) == (count(other) == Some(1))
    }

    /// The flat values at the entries of the result.
    fn flat(&self) -> Result<Tensor> {
        // The first axis of the flat values stands for all ragged ones.
        let flat = match self.axes.saturating_sub(self.value.ragged_rank()) {
            0 | 1 => self.value.flat_values.clone(),
            axes => merged(&self.value.flat_values, axes)?,
        };
        match &self.entries {
            Entries::At(places) => flat.gather(places, 0),
            _ => Ok(flat),
        }
    }
}

/// The flat values of operands under the partitions that they have in common, outermost first.
///
/// # Errors
/// `InvalidArgument` naming the row and the lengths, for rows that don't meet; and for an unknown rank.
pub(crate) fn broadcast(
    operands: &[Arg<'_, RaggedTensor, Tensor>],
) -> Result<(Vec<Tensor>, Vec<RowPartition>)> {
    let mut values: Vec<RaggedTensor> = operands.iter().map(|x| RaggedTensor::of(*x)).collect();
    let dtype = matched(&mut values)?;
    let unknown = || Error::invalid("operands of ragged tensors have a known rank");
    let ranks: Vec<usize> =
        values.iter().map(|x| x.rank().ok_or_else(unknown)).collect::<Result<_>>()?;
    let rank = ranks.iter().copied().max().unwrap_or(0);
    let levels = |(x, own): (&RaggedTensor, &usize)| match x.ragged_rank() {
        0 => 0,
        levels => rank - own + levels,
    };
    let levels = values.iter().zip(&ranks).map(levels).max().unwrap_or(0);
    let inner = rank.saturating_sub(levels + 1);
    let walk = |(value, own): (RaggedTensor, usize)| Walk {
        value,
        axes: own.saturating_sub(inner),
        entries: Entries::First,
    };
    let mut walks: Vec<Walk> = values.into_iter().zip(ranks).map(walk).collect();
    if walks.iter().all(|w| w.axes == 0 || w.is_like(&walks, levels)) {
        return alike(walks.into_iter().map(|w| w.value));
    }
    let mut partitions: Vec<RowPartition> = Vec::new();
    // Before the first axis there is one row.
    let mut rows = whole(1, dtype)?;
    for axis in 0..=levels {
        let lengths = walks.iter().map(|w| w.lengths(axis, levels + 1, dtype));
        let lengths = lengths.collect::<Result<Vec<_>>>()?;
        let found = step(&mut walks, &lengths, &rows, axis == 0)?;
        rows = found.nvals()?;
        partitions.push(found);
    }
    partitions.remove(0);
    Ok((walks.iter().map(Walk::flat).collect::<Result<_>>()?, partitions))
}

/// Tells the rows of all operands by one dtype.
pub(crate) fn matched(values: &mut [RaggedTensor]) -> Result<DType> {
    let mut dtypes =
        values.iter().filter(|x| x.ragged_rank() > 0).map(RaggedTensor::row_splits_dtype);
    let Some(first) = dtypes.next() else { return Ok(DType::I64) };
    if dtypes.all(|dtype| dtype == first) {
        return Ok(first);
    }
    for x in values {
        *x = x.with_row_splits_dtype(DType::I64)?;
    }
    Ok(DType::I64)
}

/// Operands that are ragged alike, or dense with no axis that meets rows.
fn alike(values: impl Iterator<Item = RaggedTensor>) -> Result<(Vec<Tensor>, Vec<RowPartition>)> {
    let (mut flat, mut partitions) = (Vec::new(), Vec::<RowPartition>::new());
    for x in values {
        match partitions.is_empty() {
            true => partitions = x.partitions,
            false => {
                for (first, rows) in partitions.iter_mut().zip(&x.partitions) {
                    *first = same_rows(first, rows)?;
                }
            }
        }
        flat.push(x.flat_values);
    }
    Ok((flat, partitions))
}

/// A partition, after checking that another one is equal.
///
/// # Errors
/// `InvalidArgument` naming the row, if it is not.
pub(crate) fn same_rows(x: &RowPartition, y: &RowPartition) -> Result<RowPartition> {
    if x.splits().id() == y.splits().id() {
        return Ok(x.clone());
    }
    let splits = SameRows {}.run(&[x.splits(), y.splits()])?;
    let uniform = x.uniform_row_length().or(y.uniform_row_length());
    Ok(RowPartition::trusted(splits).with_uniform(uniform))
}

/// Walks down an axis: the partition of so many rows into entries. `single` says that there is one row.
fn step(
    walks: &mut [Walk],
    lengths: &[Lengths],
    rows: &Tensor,
    single: bool,
) -> Result<RowPartition> {
    let longer: Vec<usize> = (0..walks.len()).filter(|i| !lengths[*i].is_one()).collect();
    if longer.is_empty() {
        return uniform_rows(rows, 1);
    }
    let in_place = |i: &usize| match walks[*i].entries {
        Entries::First => single,
        Entries::Same => true,
        Entries::At(_) => false,
    };
    if longer.iter().all(in_place)
        && let Some(found) = common(longer.iter().map(|i| &lengths[*i]), rows)?
    {
        for (walk, lengths) in walks.iter_mut().zip(lengths) {
            walk.entries = match &walk.entries {
                _ if !lengths.is_one() => Entries::Same,
                Entries::First => Entries::First,
                Entries::Same => Entries::At(found.value_rowids()?),
                Entries::At(places) => Entries::At(places.gather(&found.value_rowids()?, 0)?),
            }
        }
        return Ok(found);
    }
    let (zero, one) = (whole(0, rows.dtype())?, whole(1, rows.dtype())?);
    let all = ops::range(&zero, rows, &one)?;
    let mut inputs = Vec::new();
    for length in lengths {
        inputs.push(match length {
            Lengths::Ragged(rows) => rows.splits().clone(),
            Lengths::Uniform(size, _) => size.reshape([1])?,
        });
    }
    for walk in &*walks {
        inputs.push(match &walk.entries {
            Entries::First => all.zeros_like()?,
            Entries::Same => all.clone(),
            Entries::At(places) => places.clone(),
        });
    }
    let uniform = lengths.iter().map(|l| matches!(l, Lengths::Uniform(..))).collect();
    let mut found: Vec<Tensor> =
        BroadcastRows { uniform }.run_as(&inputs.iter().collect::<Vec<_>>())?;
    let splits = found.remove(0);
    for (walk, places) in walks.iter_mut().zip(found) {
        walk.entries = Entries::At(places);
    }
    Ok(RowPartition::trusted(splits))
}

/// The partition that operands have in common which all are in place, if it can be told without looking at their rows.
fn common<'a>(
    lengths: impl ExactSizeIterator<Item = &'a Lengths>,
    rows: &Tensor,
) -> Result<Option<RowPartition>> {
    let alone = lengths.len() == 1;
    let (mut found, mut size) = (None, None);
    for length in lengths {
        match length {
            Lengths::Ragged(rows) => {
                found = Some(match &found {
                    None => rows.clone(),
                    Some(first) => same_rows(first, rows)?,
                });
            }
            Lengths::Uniform(_, Some(n)) if size.is_none_or(|size| size == *n) => size = Some(*n),
            Lengths::Uniform(n, None) if alone => {
                let ends = uniform_rows(rows, 1)?;
                return Ok(Some(RowPartition::trusted(ops::mul(ends.splits(), n)?)));
            }
            Lengths::Uniform(..) => return Ok(None),
        }
    }
    match (found, size) {
        (Some(rows), Some(n)) => {
            let n = whole(i64::try_from(n).unwrap_or(i64::MAX), rows.dtype())?;
            let splits = UniformRows {}.run(&[rows.splits(), &n])?;
            Ok(Some(RowPartition::trusted(splits)))
        }
        (None, Some(n)) => uniform_rows(rows, n).map(Some),
        (found, None) => Ok(found),
    }
}

impl RaggedTensor {
    /// An operand, a dense one as a tensor without ragged axes.
    pub(crate) fn of(x: Arg<'_, RaggedTensor, Tensor>) -> Self {
        match x {
            Arg::This(x) => x.clone(),
            Arg::Other(x) => Self::plain(x.clone()),
        }
    }

    /// A tensor without ragged axes.
    pub(crate) fn plain(flat_values: Tensor) -> Self {
        Self { flat_values, partitions: Vec::new() }
    }

    /// This value under the rows of another one: axes of size one are repeated.
    ///
    /// TensorFlow: `tf.broadcast_to` with a `DynamicRaggedShape`. A dense value is [`from_dense`](Self::from_dense).
    ///
    /// # Errors
    /// `InvalidArgument` naming the row and the lengths, for rows that don't meet.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let rows = RaggedTensor::from_rows(&[vec![0, 0], vec![], vec![0]])?;
    /// let x = RaggedTensor::from_dense([[1], [2], [3]])?;
    /// assert_eq!(x.broadcast_like(&rows)?.to_string(), "[[1, 1], [], [3]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn broadcast_like(&self, other: &Self) -> Result<Self> {
        let (flat, partitions) = broadcast(&[Arg::This(self), Arg::This(other)])?;
        let sizes = ops::broadcast_args(&ops::shape_of(&flat[0])?, &ops::shape_of(&flat[1])?)?;
        Ok(Self { flat_values: flat[0].broadcast_to(&sizes)?, partitions })
    }
}
