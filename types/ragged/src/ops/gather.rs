//! Rows and entries picked by number.

use extype::ops::{Arg, Gather, Op, RaggedGather};
use extype::prelude::*;

use super::broadcast::{broadcast, matched, same_rows};
use super::kernels::PlacesInRows;
use super::shape::{count_to, uniform_rows};
use crate::partition::whole;
use crate::tensor::{merged, product, size_of};
use crate::{RaggedTensor, RowPartition};

impl RaggedTensor {
    /// The entries at these places of the outermost axis, a vector.
    pub(crate) fn gathered(&self, rows: &Tensor) -> Result<Self> {
        if self.ragged_rank() == 0 {
            return Ok(Self::plain(self.flat_values.gather(rows, 0)?));
        }
        let splits = self.partitions.iter().map(RowPartition::splits);
        let inputs: Vec<&Tensor> = splits.chain([&self.flat_values, rows]).collect();
        let op = RaggedGather { output_ragged_rank: self.ragged_rank() as i64 };
        let mut found: Vec<Tensor> = op.run_as(&inputs)?;
        let values = found.pop().ok_or_else(|| Error::internal("no values"))?;
        let like = |(splits, rows): (Tensor, &RowPartition)| {
            RowPartition::trusted(splits).with_uniform(rows.uniform_row_length())
        };
        let partitions = found.into_iter().zip(&self.partitions).map(like).collect();
        Ok(Self { flat_values: values, partitions })
    }

    /// The entries of the outermost axis at indices of any shape, in that shape.
    fn at(&self, indices: &Self) -> Result<Self> {
        let flat = &indices.flat_values;
        let unknown = || Error::invalid("the rank of indices into a ragged tensor is known");
        let rank = flat.rank().ok_or_else(unknown)?;
        let picked = match (rank, self.ragged_rank()) {
            (_, 0) => Self::plain(self.flat_values.gather(flat, 0)?),
            // A single row is all that there is.
            (0, _) => self.gathered(&flat.reshape([1])?)?.values(),
            _ => {
                let mut picked = self.gathered(&flat.reshape([-1])?)?;
                for axis in (1..rank).rev() {
                    picked = picked.in_rows(rows_of_axis(flat, axis, self.row_splits_dtype())?);
                }
                picked
            }
        };
        Ok(indices.partitions.iter().rev().fold(picked, |x, rows| x.in_rows(rows.clone())))
    }

    /// The entries below the outermost rows, which a uniform axis has too.
    fn below(&self) -> Result<Self> {
        match self.ragged_rank() {
            0 => Ok(Self::plain(merged(&self.flat_values, 2)?)),
            _ => Ok(self.values()),
        }
    }

    /// The partition of the outermost rows, which a uniform axis has too.
    fn outer_rows(&self, dtype: DType) -> Result<RowPartition> {
        Ok(self.raised(1, dtype)?.outermost()?.clone())
    }

    /// Indices into rows as indices into [`below`](Self::below): those in `indices` are of the row that `rows` names.
    fn placed(&self, rows: &Tensor, indices: &Self, dtype: DType) -> Result<Self> {
        let numbers = indices.flat_values.cast(dtype)?;
        let of = self.outer_rows(dtype)?;
        let each = ops::add(rows, &numbers.zeros_like()?)?.reshape([-1])?;
        let op = PlacesInRows {};
        let places = op.run(&[of.splits(), &each, &numbers.reshape([-1])?])?;
        Ok(indices.with_values(places.reshape(&ops::shape_of(&indices.flat_values)?)?))
    }

    /// As `tf.gather`.
    fn picked(&self, indices: &Self, axis: usize, batch_dims: usize, dtype: DType) -> Result<Self> {
        if self.ragged_rank() == 0 && indices.ragged_rank() == 0 {
            let op = Gather { axis: Axis(axis as i64), batch_dims: batch_dims as i64 };
            return Ok(Self::plain(op.run(&[&self.flat_values, &indices.flat_values])?));
        }
        match (axis, batch_dims) {
            (0, 0) => self.at(indices),
            (_, 0 | 1) if axis == 1 => {
                let (rows, indices) = match batch_dims {
                    0 => indices.for_all(&self.nrows()?.cast(dtype)?, dtype)?,
                    _ => indices.by_row(dtype)?,
                };
                self.below()?.at(&self.placed(&rows, &indices, dtype)?)
            }
            (_, 0) => {
                let rows = self.outer_rows(dtype)?;
                Ok(self
                    .raised(1, dtype)?
                    .values()
                    .picked(indices, axis - 1, 0, dtype)?
                    .in_rows(rows))
            }
            // Behind the batch: the indices of a row serve all its entries.
            (_, 1) => {
                let rows = self.outer_rows(dtype)?;
                let each = indices.at(&Self::plain(rows.value_rowids()?))?.in_rows(rows);
                self.picked(&each, axis, 2, dtype)
            }
            _ => {
                let (x, indices) = (self.raised(1, dtype)?, indices.raised(1, dtype)?);
                let rows = same_rows(x.outermost()?, indices.outermost()?)?;
                let inner =
                    x.values().picked(&indices.values(), axis - 1, batch_dims - 1, dtype)?;
                Ok(inner.in_rows(rows))
            }
        }
    }

    /// The row of each index, and the indices: as many for each of so many rows.
    fn for_all(&self, rows: &Tensor, dtype: DType) -> Result<(Tensor, Self)> {
        let rank = self.rank().ok_or_else(|| Error::invalid("the rank of indices is known"))?;
        let mut numbers = count_to(rows)?;
        for _ in 0..rank {
            numbers = numbers.expand_dims(-1)?;
        }
        let (flat, partitions) = broadcast(&[Arg::Other(&numbers), Arg::This(&self.cast(dtype)?)])?;
        let each = ops::add(&flat[0].zeros_like()?, &flat[1])?;
        Ok((flat[0].clone(), Self { flat_values: each, partitions }))
    }

    /// The outermost row of each index, and the indices.
    fn by_row(&self, dtype: DType) -> Result<(Tensor, Self)> {
        let Some((outer, inner)) = self.partitions.split_first() else {
            // Dense: the first axis counts the rows.
            let flat = &self.flat_values;
            let mut rows = count_to(&size_of(flat, 0)?.cast(dtype)?)?;
            for _ in 1..flat.rank().unwrap_or(1) {
                rows = rows.expand_dims(-1)?;
            }
            return Ok((rows, self.clone()));
        };
        let mut rows = outer.value_rowids()?.cast(dtype)?;
        for level in inner {
            rows = rows.gather(&level.value_rowids()?, 0)?;
        }
        for _ in 1..self.flat_values.rank().unwrap_or(1) {
            rows = rows.expand_dims(-1)?;
        }
        Ok((rows, self.clone()))
    }

    /// As `tf.gather_nd`, of a matrix with so many indices in a row.
    fn at_tuples(&self, tuples: &Tensor, size: usize, dtype: DType) -> Result<Self> {
        let column = |i: usize| tuples.index((.., i as i64))?.cast(dtype);
        if size == 0 {
            let rows = size_of(tuples, 0)?.cast(dtype)?;
            return self.expanded(0)?.at(&Self::plain(count_to(&rows)?.zeros_like()?));
        }
        let (mut x, mut places) = (self.clone(), column(0)?);
        for i in 1..size {
            let Some(rows) = x.partitions.first() else {
                let rest = tuples.slice([0, i as i64], [-1, -1])?.cast(dtype)?;
                let tuples = ops::concat(&[&places.expand_dims(1)?, &rest], 1)?;
                return Ok(Self::plain(x.flat_values.gather_nd(&tuples)?));
            };
            places = PlacesInRows {}.run(&[rows.splits(), &places, &column(i)?])?;
            x = x.values();
        }
        x.at(&Self::plain(places))
    }
}

/// The rows of a uniform axis, 1 or more.
fn rows_of_axis(x: &Tensor, axis: usize, dtype: DType) -> Result<RowPartition> {
    let rows = product(x, axis)?.cast(dtype)?;
    match x.shape().dim(axis as i64)?.size() {
        Some(n) => uniform_rows(&rows, n),
        None => {
            let length = size_of(x, axis)?.cast(dtype)?;
            let ends = ops::add(&rows, &whole(1, dtype)?)?;
            Ok(RowPartition::trusted(ops::mul(count_to(&ends)?, &length)?))
        }
    }
}

#[dispatch]
impl RaggedTensor {
    /// Rows or entries by number, along any axis, with batch axes; `params`, the indices or both are ragged. An index
    /// that its row does not have is an error.
    #[overrides(Gather, with = Tensor)]
    fn gather(operands: Pair<'_, Self, Tensor>, op: &Gather) -> Result<Self> {
        let (params, indices) = operands.split();
        Self::of(params).gather_along(&Self::of(indices), op.axis.0, op.batch_dims)
    }

    /// Entries by several numbers each, one for each of the first axes; `params`, the indices or both are ragged.
    #[overrides(GatherNd, with = Tensor)]
    fn gather_nd(operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        let (params, indices) = operands.split();
        let mut both = [Self::of(params), Self::of(indices)];
        let dtype = matched(&mut both)?;
        let [params, indices] = both;
        let flat = &indices.flat_values;
        let rank = flat.rank().filter(|rank| *rank > usize::from(indices.ragged_rank() > 0));
        let rank = rank.ok_or_else(|| {
            Error::invalid(
                "the last axis of the indices is uniform, as it has an index for each axis",
            )
        })?;
        let mut tuples = flat.clone();
        if rank > 2 {
            tuples = merged(flat, rank - 1)?;
        }
        let alone = rank == 1;
        if alone {
            tuples = flat.expand_dims(0)?;
        }
        let size = flat.shape().dim(-1)?.size();
        let size =
            size.ok_or_else(|| Error::invalid("the number of indices of an entry is known"))?;
        let mut found = params.at_tuples(&tuples, size, dtype)?;
        if alone {
            return found.at(&Self::plain(scalar(0i64)));
        }
        if found.ragged_rank() > 0 || indices.ragged_rank() > 0 {
            for axis in (1..rank - 1).rev() {
                found = found.in_rows(rows_of_axis(flat, axis, dtype)?);
            }
        } else if rank > 2 {
            let outer = ops::shape_of(flat)?.slice([0], [rank as i64 - 1])?;
            let inner = ops::shape_of(&found.flat_values)?.slice([1], [-1])?;
            found.flat_values = found.flat_values.reshape(&ops::concat(&[&outer, &inner], 0)?)?;
        }
        Ok(indices.partitions.iter().rev().fold(found, |x, rows| x.in_rows(rows.clone())))
    }
}

impl RaggedTensor {
    /// Entries along an axis by number. The first `batch_dims` axes of both operands are the same: each row has indices
    /// of its own. `ops::gather` is without them.
    ///
    /// TensorFlow: `tf.gather`. The axes of the indices behind the batch stand in place of the axis; the operands are
    /// ragged or [dense](Self::from_dense).
    ///
    /// # Errors
    /// `OutOfRange` for an index that its row does not have, `InvalidArgument` for axes that don't fit.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1, 2, 3], vec![4]])?;
    /// let indices = RaggedTensor::from_rows(&[vec![2, 0], vec![0]])?;
    /// assert_eq!(r.gather_along(&indices, 1, 1)?.to_string(), "[[3, 1], [4]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn gather_along(&self, indices: &Self, axis: i64, batch_dims: i64) -> Result<Self> {
        let mut both = [self.clone(), indices.clone()];
        let dtype = matched(&mut both)?;
        let [params, indices] = both;
        let batch_dims = match batch_dims {
            n if n < 0 => n + indices.rank().map_or(0, |rank| rank as i64),
            n => n,
        };
        let axis = params.axis(axis)?;
        match usize::try_from(batch_dims) {
            Ok(n) if n <= axis && indices.rank().is_none_or(|rank| n <= rank) => {
                params.picked(&indices, axis, n, dtype)
            }
            _ => Err(Error::invalid(format!("{batch_dims} batch dimensions before axis {axis}"))),
        }
    }
}
