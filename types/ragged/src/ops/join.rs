//! Ragged tensors put together.

use extype::ops::{AddN, Arg, Concat, Op, Stack};
use extype::prelude::*;

use super::broadcast::{broadcast, matched, same_rows};
use crate::{JoinRows, RaggedTensor, RowPartition, StackRows};

#[dispatch]
impl RaggedTensor {
    /// Along axis 0 rows after rows, along a ragged axis the rows of the same number joined; the axes before it have the
    /// same rows in all.
    #[overrides(Concat, with = Tensor)]
    fn concat(values: &[Arg<'_, Self, Tensor>], op: &Concat) -> Result<Self> {
        let values = values.iter().map(|x| Self::of(*x)).collect();
        joined(values, |x| x.axis(op.axis.0), |x, _| Ok(x))
    }

    /// A new axis: along axis 0 each value is a row.
    #[overrides(Stack, with = Tensor)]
    fn stack(values: &[Arg<'_, Self, Tensor>], op: &Stack) -> Result<Self> {
        stacked(values.iter().map(|x| Self::of(*x)).collect(), op.axis)
    }

    #[overrides(AddN)]
    fn add_n(values: &[&Self], op: &AddN) -> Result<Self> {
        let values: Vec<_> = values.iter().map(|x| Arg::This(*x)).collect();
        let (flat, partitions) = broadcast(&values)?;
        Ok(Self { flat_values: op.run(&flat.iter().collect::<Vec<_>>())?, partitions })
    }
}

impl RaggedTensor {
    /// Values of any lengths, ragged or [dense](Self::from_dense), as the rows of one: a new axis, ragged if they differ.
    ///
    /// TensorFlow: `tf.ragged.stack`. Values of one rank and dtype; along `axis` 0 each is a row.
    ///
    /// # Errors
    /// `InvalidArgument` if there is none, and if rows before the axis differ.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let rows = [RaggedTensor::from_dense([1, 2])?, RaggedTensor::from_dense([3])?];
    /// assert_eq!(RaggedTensor::stacked(&rows, 0)?.to_string(), "[[1, 2], [3]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn stacked(values: &[Self], axis: i64) -> Result<Self> {
        stacked(values.to_vec(), axis)
    }
}

fn stacked(values: Vec<RaggedTensor>, axis: i64) -> Result<RaggedTensor> {
    joined(values, |x| x.new_axis(axis), |x, axis| x.expanded(axis))
}

/// Values joined along an axis, which is told by the first, after what is done to each.
fn joined(
    values: Vec<RaggedTensor>,
    axis: impl Fn(&RaggedTensor) -> Result<usize>,
    each: impl Fn(RaggedTensor, usize) -> Result<RaggedTensor>,
) -> Result<RaggedTensor> {
    let first = values.first().ok_or_else(|| Error::invalid("one value at least is joined"))?;
    let (axis, rank) = (axis(first)?, first.rank());
    for (i, x) in values.iter().enumerate() {
        if let (Some(rank), Some(other)) = (rank, x.rank())
            && rank != other
        {
            return Err(Error::invalid(format!("value {i} has rank {other}, value 0 has {rank}")));
        }
    }
    let mut values: Vec<_> = values.into_iter().map(|x| each(x, axis)).collect::<Result<_>>()?;
    let dtype = matched(&mut values)?;
    // What is joined along axes of any length has ragged axes up to the last but one.
    let levels = values.iter().map(RaggedTensor::ragged_rank).max().unwrap_or(0).max(1);
    let levels = values[0].rank().map_or(levels, |rank| levels.min(rank.saturating_sub(1)));
    let values = values.iter().map(|x| x.raised(levels, dtype)).collect::<Result<Vec<_>>>()?;
    concat(&values, axis)
}

fn concat(values: &[RaggedTensor], axis: usize) -> Result<RaggedTensor> {
    if values.iter().all(|x| x.ragged_rank() == 0) {
        let flat: Vec<&Tensor> = values.iter().map(|x| &x.flat_values).collect();
        return Ok(RaggedTensor::plain(ops::concat(&flat, axis as i64)?));
    }
    let rows = values.iter().map(RaggedTensor::outermost).collect::<Result<Vec<_>>>()?;
    let entries: Vec<RaggedTensor> = values.iter().map(RaggedTensor::values).collect();
    let uniform = rows[0].uniform_row_length();
    let splits: Vec<&Tensor> = rows.iter().map(|rows| rows.splits()).collect();
    match axis {
        0 => {
            let same = rows.iter().all(|rows| rows.uniform_row_length() == uniform);
            let rows = RowPartition::trusted(StackRows {}.run(&splits)?);
            Ok(concat(&entries, 0)?.in_rows(rows.with_uniform(uniform.filter(|_| same))))
        }
        1 => {
            let lengths = rows.iter().map(|rows| rows.uniform_row_length());
            let uniform = lengths.sum::<Option<usize>>();
            let (joined, picked) = JoinRows {}.run_as::<(Tensor, Tensor)>(&splits)?;
            let all = RowPartition::trusted(StackRows {}.run(&splits)?);
            let entries = concat(&entries, 0)?.in_rows(all).gathered(&picked)?.values();
            Ok(entries.in_rows(RowPartition::trusted(joined).with_uniform(uniform)))
        }
        // Deeper axes join the entries, whose rows must be the same.
        _ => {
            let mut common = rows[0].clone();
            for other in &rows[1..] {
                common = same_rows(&common, other)?;
            }
            Ok(concat(&entries, axis - 1)?.in_rows(common))
        }
    }
}
