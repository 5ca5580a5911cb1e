//! Ragged tensors as stacks of their rows.

use extype::prelude::*;
use extype::spec::{Boxes, Stackable};

use crate::tensor::{product, size_of};
use crate::{RaggedTensor, RaggedTensorSpec, RowPartition};

/// A ragged tensor is the stack of its outermost rows: a stack of ragged tensors has a ragged axis more, also one of
/// plain tensors. What has no ragged axis is a plain stack of its entries.
///
/// A part of a value is the values, or the lengths of the rows of one level. Elements of plain stacks (ragged rank -1)
/// are one row of values each. Levels of stacks around others have rows of one length.
impl Stackable for RaggedTensor {
    fn stacked_spec(one: &RaggedTensorSpec, n: Dim) -> Result<RaggedTensorSpec> {
        let ragged_rank = one.ragged_rank + 1;
        Ok(RaggedTensorSpec { shape: one.shape.insert(0, n), ragged_rank, ..one.clone() })
    }

    fn unstacked_spec(stack: &RaggedTensorSpec) -> Result<RaggedTensorSpec> {
        if stack.shape.rank() == Some(0) {
            return Err(Error::invalid(format!("{stack} is no stack: it has no first axis")));
        }
        let (shape, ragged_rank) = (stack.shape.slice(Some(1), None), stack.ragged_rank - 1);
        Ok(RaggedTensorSpec { shape, ragged_rank, ..stack.clone() })
    }

    fn box_specs(one: &RaggedTensorSpec) -> Result<Vec<TensorSpec>> {
        let mut values = one.flat_values();
        if one.ragged_rank < 0 {
            values = values.stacked(Dim::UNKNOWN);
        }
        let lengths = TensorSpec::new(shape![?], one.row_splits_dtype);
        Ok([vec![values], vec![lengths; one.levels()]].concat())
    }

    fn to_boxes(&self, rank: usize) -> Result<Vec<Boxes>> {
        if rank == 0 && self.partitions.is_empty() && self.flat_values.rank() != Some(0) {
            return Ok(vec![Boxes::one(self.flat_values.clone())?]);
        }
        let plain = rank > self.ragged_rank() || self.flat_values.rank() == Some(0);
        let around = if plain { self.ragged_rank() } else { rank.saturating_sub(1) };
        let array = self.array(rank, around)?;
        if plain {
            return Ok(vec![self.one_row_each(rank, &array)?]);
        }
        let inner = &self.partitions[rank..];
        // How the rows of each level, and then the values, are divided among the boxes.
        let mut ends = match rank.checked_sub(1) {
            Some(last) => self.partitions[last].splits().clone(),
            None => {
                let n = self.nrows()?.reshape([1])?;
                ops::concat(&[&n.zeros_like()?, &n], 0)?
            }
        };
        let mut sizes = Vec::new();
        for rows in inner {
            let below = rows.splits().gather(&ends, 0)?;
            sizes.push(std::mem::replace(&mut ends, below));
        }
        let lengths = inner.iter().map(RowPartition::lengths).collect::<Result<Vec<_>>>()?;
        let parts = std::iter::once(&self.flat_values).chain(&lengths);
        let part = |(values, ends): (&Tensor, Tensor)| {
            let sizes = RowPartition::trusted(ends).lengths()?.cast(DType::I64)?;
            Ok(Boxes { values: values.clone(), sizes: sizes.reshape(&array)? })
        };
        parts.zip(std::iter::once(ends).chain(sizes)).map(part).collect()
    }

    fn from_boxes(one: &RaggedTensorSpec, boxes: Vec<Boxes>) -> Result<Self> {
        let mut boxes = boxes.into_iter();
        let values = boxes.next().ok_or_else(|| Error::invalid("values are missing"))?;
        let levels: Vec<Boxes> = boxes.collect();
        let rank = values.rank()?;
        let dtype = one.row_splits_dtype;
        // Of levels around others all rows have one length.
        let uniform = |count: usize| {
            let rows = |axis| {
                let n = product(&values.sizes, axis)?;
                let length = size_of(&values.sizes, axis)?;
                let lengths = ops::broadcast_to(&length, &n.reshape([1])?)?.cast(dtype)?;
                let known = values.sizes.shape().dim(axis as i64)?.size();
                Ok(RowPartition::from_lengths(lengths)?.with_uniform(known))
            };
            (1..=count).map(rows).collect::<Result<Vec<_>>>()
        };
        let size = |axis: usize| one.shape.dims().and_then(|dims| dims.get(axis)?.size());
        if one.ragged_rank < 0 {
            let ragged = usize::try_from(one.ragged_rank + rank as i64).unwrap_or(0);
            let inner = ops::shape_of(&values.values)?.cast(DType::I64)?.slice([1], [-1])?;
            let mut dims = ops::shape_of(&values.sizes)?.cast(DType::I64)?;
            if ragged > 0 {
                let behind = dims.slice([ragged as i64 + 1], [-1])?;
                let rows = product(&values.sizes, ragged + 1)?.reshape([1])?;
                dims = ops::concat(&[&rows, &behind], 0)?;
            }
            let flat_values = values.values.reshape(&ops::concat(&[&dims, &inner], 0)?)?;
            return Ok(Self { flat_values, partitions: uniform(ragged)? });
        }
        let mut partitions = uniform(rank.saturating_sub(1))?;
        if rank > 0 {
            // A box has as many rows as the level below, or values.
            let sizes = &levels.first().unwrap_or(&values).sizes;
            let lengths = sizes.reshape([-1])?.cast(dtype)?;
            partitions.push(RowPartition::from_lengths(lengths)?.with_uniform(size(0)));
        }
        for (i, level) in levels.into_iter().enumerate() {
            partitions.push(RowPartition::from_lengths(level.values)?.with_uniform(size(i + 1)));
        }
        Ok(Self { flat_values: values.values, partitions })
    }
}

impl RaggedTensor {
    /// The sizes of an array of boxes of this rank: int64 `[rank]`. The first `around` partitions have rows of one
    /// length.
    fn array(&self, rank: usize, around: usize) -> Result<Tensor> {
        let mut sizes = Vec::new();
        if rank > 0 {
            sizes.push(self.nrows()?.cast(DType::I64)?);
        }
        for (level, rows) in self.partitions[..around].iter().enumerate() {
            let length = rows.one_length().map_err(|e| {
                e.prefixed(format_args!("boxes of rank {rank}: the rows of level {level}"))
            })?;
            sizes.push(Tensor::scalar(length as i64));
        }
        for axis in 1..=rank.saturating_sub(sizes.len()) {
            sizes.push(size_of(&self.flat_values, axis)?);
        }
        match sizes.is_empty() {
            true => Ok(Tensor::from_vec(Vec::<i64>::new())),
            false => ops::stack(&sizes.iter().collect::<Vec<_>>(), 0),
        }
    }

    /// The elements of a plain stack: one row of values in each box.
    fn one_row_each(&self, rank: usize, array: &Tensor) -> Result<Boxes> {
        let axes = (rank - self.ragged_rank()) as i64;
        if self.flat_values.rank().is_some_and(|n| (n as i64) < axes) {
            let shape = self.flat_values.shape();
            return Err(Error::invalid(format!(
                "a tensor of {shape} is no stack of {axes} levels"
            )));
        }
        let inner = ops::shape_of(&self.flat_values)?.cast(DType::I64)?.slice([axes], [-1])?;
        let n = array.reduce_prod(.., false)?.reshape([1])?;
        let values = self.flat_values.reshape(&ops::concat(&[&n, &inner], 0)?)?;
        Ok(Boxes { values, sizes: ops::fill(array, 1i64)? })
    }
}

impl RowPartition {
    /// The length that all rows have.
    ///
    /// # Errors
    /// `InvalidArgument` naming a row of another length; and while tracing if it is not known.
    fn one_length(&self) -> Result<usize> {
        if let Some(n) = self.uniform_row_length() {
            return Ok(n);
        }
        let lengths = self.lengths()?;
        let Ok(lengths) = lengths.value() else {
            return Err(Error::invalid("lengths that are not known to be equal"));
        };
        let lengths = lengths.to_i64s()?;
        let first = lengths.first().copied().unwrap_or(0);
        match lengths.iter().position(|n| *n != first) {
            None => Ok(usize::try_from(first).unwrap_or(0)),
            Some(row) => Err(Error::invalid(format!(
                "lengths that differ: row 0 has {first}, row {row} has {}",
                lengths[row]
            ))),
        }
    }
}
