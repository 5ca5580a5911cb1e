//! Axes added, merged, repeated and turned.

use extype::ops::options::Among;
use extype::ops::{ExpandDims, Op, Reverse, Size, Split, SplitSizes, Tile};
use extype::prelude::*;

use crate::partition::whole;
use crate::tensor::{merged, size_of};
use crate::{RaggedTensor, RowPartition};

/// So many rows of one length.
pub(crate) fn uniform_rows(rows: &Tensor, length: usize) -> Result<RowPartition> {
    let n = whole(i64::try_from(length).unwrap_or(i64::MAX), rows.dtype())?;
    RowPartition::from_uniform_row_length(length, &ops::mul(rows, n)?, Some(rows))
}

/// `start .. end` in the dtype of `end`.
pub(crate) fn count_to(end: &Tensor) -> Result<Tensor> {
    ops::range(&whole(0, end.dtype())?, end, &whole(1, end.dtype())?)
}

impl RaggedTensor {
    /// With so many partitions at least: uniform axes become ragged ones.
    pub(crate) fn raised(&self, levels: usize, dtype: DType) -> Result<Self> {
        let mut raised = self.clone();
        while raised.ragged_rank() < levels {
            let flat = &raised.flat_values;
            let [rows, length] = [0, 1].map(|axis| size_of(flat, axis)?.cast(dtype));
            let rows = match flat.shape().dim(1)?.size() {
                Some(n) => uniform_rows(&rows?, n)?,
                None => {
                    let ends = uniform_rows(&rows?, 1)?;
                    RowPartition::trusted(ops::mul(ends.splits(), &length?)?)
                }
            };
            raised.flat_values = merged(flat, 2)?;
            raised.partitions.push(rows);
        }
        Ok(raised)
    }

    /// With a new axis of size one.
    pub(crate) fn expanded(&self, axis: usize) -> Result<Self> {
        let levels = self.ragged_rank();
        match axis {
            _ if axis > levels || levels == 0 => {
                Ok(self.with_values(self.flat_values.expand_dims((axis - levels) as i64)?))
            }
            0 => {
                let rows = self.outermost()?;
                let (zero, n) = (whole(0, rows.dtype())?, rows.nrows()?);
                let around = RowPartition::trusted(ops::stack(&[&zero, &n], 0)?);
                Ok(self.clone().in_rows(around.with_uniform(rows.static_nrows())))
            }
            1 => Ok(self.clone().in_rows(uniform_rows(&self.nrows()?, 1)?)),
            _ => Ok(self.values().expanded(axis - 1)?.in_rows(self.outermost()?.clone())),
        }
    }

    /// Turned around along an axis.
    pub(crate) fn reversed(&self, axis: usize) -> Result<Self> {
        let levels = self.ragged_rank();
        match axis > levels || levels == 0 {
            true => Ok(self.with_values(self.flat_values.reverse([(axis - levels) as i64])?)),
            false => self.slice_axis(axis, None, None, -1),
        }
    }

    /// So many times along an axis up to the innermost ragged one: a scalar of the partitions' dtype.
    fn tiled(&self, axis: usize, times: &Tensor) -> Result<Self> {
        let one = whole(1, times.dtype())?;
        let (n, rows) = (self.nrows()?.cast(times.dtype())?, self.outermost()?);
        let all = count_to(&ops::mul(&n, times)?)?;
        match axis {
            0 => self.gathered(&ops::floor_mod(&all, ops::maximum(&n, &one)?)?),
            1 => {
                // Each row so many times, and these together as one.
                let picked = ops::floor_div(&all, ops::maximum(times, &one)?)?;
                let rows = RowPartition::trusted(ops::mul(rows.splits(), times)?);
                Ok(self.gathered(&picked)?.values().in_rows(rows))
            }
            _ => Ok(self.values().tiled(axis - 1, times)?.in_rows(rows.clone())),
        }
    }

    /// Parts along an axis, each of so many of its entries as `parts` makes of their numbers.
    fn parted(
        &self,
        axis: usize,
        parts: &dyn Fn(&Tensor, i64) -> Result<Vec<Tensor>>,
    ) -> Result<Vec<Self>> {
        let levels = self.ragged_rank();
        if axis > levels || levels == 0 {
            let parts = parts(&self.flat_values, (axis - levels) as i64)?;
            return Ok(parts.into_iter().map(|part| self.with_values(part)).collect());
        }
        let rows = self.outermost()?;
        match axis {
            0 => {
                let parts = parts(&count_to(&rows.nrows()?)?, 0)?;
                parts.iter().map(|part| self.gathered(part)).collect()
            }
            1 => {
                let n = rows.uniform_row_length().ok_or_else(|| {
                    Error::invalid(
                        "a ragged axis is not split, as its rows have no common length; split axis 0, or slice the rows",
                    )
                })?;
                let cells = ops::concat(
                    &[&rows.nrows()?.reshape([1])?, &whole(n as i64, rows.dtype())?.reshape([1])?],
                    0,
                )?;
                let numbers = count_to(&rows.nvals()?)?.reshape(&cells)?;
                let part = |part: &Tensor| {
                    let length = part.shape().dim(1)?.size().ok_or_else(|| {
                        Error::invalid("the sizes of the parts of a ragged axis must be known")
                    })?;
                    let entries = self.values().gathered(&part.reshape([-1])?)?;
                    Ok(entries.in_rows(uniform_rows(&rows.nrows()?, length)?))
                };
                parts(&numbers, 1)?.iter().map(part).collect()
            }
            _ => {
                let inner = self.values().parted(axis - 1, parts)?;
                Ok(inner.into_iter().map(|part| part.in_rows(rows.clone())).collect())
            }
        }
    }

    /// Parts of these sizes along an axis. `ops::split` makes parts of one size.
    ///
    /// TensorFlow: `tf.split`. Along axis 0, a uniform axis, or a ragged one whose rows are known to have one length.
    ///
    /// # Errors
    /// `InvalidArgument` if the sizes don't add up, and for a ragged axis.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1, 2], vec![], vec![3]])?;
    /// let parts = r.split_sizes(&[1, 2], 0)?;
    /// assert_eq!(parts[1].to_string(), "[[], [3]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn split_sizes(&self, sizes: &[i64], axis: i64) -> Result<Vec<Self>> {
        self.parted(self.axis(axis)?, &|x, axis| {
            let op = SplitSizes {
                sizes: sizes.to_vec().into(),
                axis: Axis(axis),
                num_split: sizes.len() as i64,
            };
            op.run_as(&[x])
        })
    }

    /// An axis of a tensor that has one more.
    pub(crate) fn new_axis(&self, axis: i64) -> Result<usize> {
        let one_more = Self { flat_values: self.flat_values.expand_dims(0)?, ..self.clone() };
        one_more.axis(axis)
    }
}

#[dispatch]
impl RaggedTensor {
    /// The new axis has size one; between ragged axes it is a partition.
    #[overrides(ExpandDims)]
    fn expand_dims(x: &Self, op: &ExpandDims) -> Result<Self> {
        x.expanded(x.new_axis(op.axis.0)?)
    }

    /// The number of values.
    #[overrides(Size)]
    fn size(x: &Self, op: &Size) -> Result<Tensor> {
        op.run(&[&x.flat_values])
    }

    #[overrides(Reverse)]
    fn reverse(x: &Self, op: &Reverse) -> Result<Self> {
        let unknown =
            || Error::invalid("the axes along which a ragged tensor is reversed are known");
        let axes = op.axis.known().ok_or_else(unknown)?;
        axes.iter().try_fold(x.clone(), |x, axis| x.reversed(x.axis(*axis)?))
    }

    /// `ops::flip` along axes; along all of them by default.
    #[overrides(flip)]
    fn flip(x: &Self, options: &Among) -> Result<Self> {
        let axes = super::reduce::axes_of(x, &options.axes)?;
        axes.into_iter().try_fold(x.clone(), |x, axis| x.reversed(axis))
    }

    #[overrides(Tile)]
    fn tile(x: &Self, op: &Tile) -> Result<Self> {
        let (levels, known) = (x.ragged_rank(), op.multiples.known());
        let multiples = op.multiples.to_tensor()?.cast(x.row_splits_dtype())?;
        let rank = x
            .rank()
            .ok_or_else(|| Error::invalid("the rank of a tensor that is tiled is known"))?;
        multiples.shape().merge(&Shape::from([rank]))?;
        let is_one = |axis: usize| known.as_ref().is_some_and(|m| m.get(axis) == Some(&1));
        let mut tiled = x.clone();
        for axis in (0..=levels).filter(|axis| !is_one(*axis)) {
            tiled = tiled.tiled(axis, &multiples.gather(axis as i64, 0)?)?;
        }
        if (levels + 1..rank).all(is_one) {
            return Ok(tiled);
        }
        let inner = multiples.slice([levels as i64 + 1], [-1])?;
        let once = whole(1, inner.dtype())?.reshape([1])?;
        Ok(tiled.with_values(tiled.flat_values.tile(&ops::concat(&[&once, &inner], 0)?)?))
    }

    /// Along axis 0, uniform axes, and ragged axes whose rows have one length.
    #[overrides(Split)]
    fn split(x: &Self, op: &Split) -> Result<Vec<Self>> {
        x.parted(x.axis(op.axis.0)?, &|x, axis| {
            Split { axis: Axis(axis), ..op.clone() }.run_as(&[x])
        })
    }

    #[overrides(SplitSizes)]
    fn parts_of_sizes(x: &Self, op: &SplitSizes) -> Result<Vec<Self>> {
        x.parted(x.axis(op.axis.0)?, &|x, axis| {
            SplitSizes { axis: Axis(axis), ..op.clone() }.run_as(&[x])
        })
    }
}
