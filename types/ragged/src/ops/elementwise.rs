//! Elementwise ops, and how dense operands meet ragged ones.

use extype::ops::Op;
use extype::prelude::*;

use crate::{RaggedTensor, RowPartition, SameRows, UniformRows};

#[dispatch]
impl RaggedTensor {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        Ok(x.with_values(op.call(&x.flat_values)?))
    }

    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        match operands {
            Pair::Both(x, y) => {
                let partitions = same_partitions(x, y)?;
                Ok(Self { flat_values: op.call(&x.flat_values, &y.flat_values)?, partitions })
            }
            Pair::Left(x, y) => {
                let y = along(y, x)?;
                Ok(x.with_values(op.call(&x.flat_values, &y)?))
            }
            Pair::Right(x, y) => {
                let x = along(x, y)?;
                Ok(y.with_values(op.call(&x, &y.flat_values)?))
            }
        }
    }
}

/// The partitions of two operands, which must be equal.
fn same_partitions(x: &RaggedTensor, y: &RaggedTensor) -> Result<Vec<RowPartition>> {
    let (a, b) = (x.ragged_rank(), y.ragged_rank());
    if a != b {
        return Err(Error::invalid(format!("ragged tensors of {a} and {b} ragged axes")));
    }
    let pairs = x.partitions.iter().zip(&y.partitions);
    let same = |(x, y): (&RowPartition, &RowPartition)| {
        if x.splits().id() == y.splits().id() {
            return Ok(x.clone());
        }
        let y = y.with_dtype(x.dtype())?;
        let splits = SameRows {}.run(&[x.splits(), y.splits()])?;
        let uniform = x.uniform_row_length().or(y.uniform_row_length());
        Ok(RowPartition::trusted(splits).with_uniform(uniform))
    };
    pairs.map(same).collect()
}

/// A dense operand as it meets the flat values of a ragged one: broadcast over the rows.
fn along(dense: &Tensor, ragged: &RaggedTensor) -> Result<Tensor> {
    let unknown = || Error::invalid("operands of ragged tensors have a known rank");
    let rank = dense.rank().ok_or_else(unknown)?;
    let inner = ragged.flat_values.rank().ok_or_else(unknown)?.saturating_sub(1);
    let levels = ragged.ragged_rank();
    if rank <= inner || levels == 0 {
        return Ok(dense.clone());
    }
    // The axes that meet the rows and the ragged axes, the last of them the innermost ragged one.
    let outer = rank - inner;
    if outer > levels + 1 {
        return Err(Error::invalid(format!(
            "a tensor of shape {} has more axes than the ragged tensor, which has {}",
            dense.shape(),
            levels + 1 + inner
        )));
    }
    let mut z = dense.clone();
    for _ in outer..=levels {
        z = z.expand_dims(0)?;
    }
    for rows in &ragged.partitions {
        z = down(&z, rows)?;
    }
    Ok(z)
}

/// From `[rows or 1, n, …]` to the entries of the rows, `[entries or 1, …]`.
fn down(z: &Tensor, rows: &RowPartition) -> Result<Tensor> {
    let size = |axis| Ok::<_, Error>(z.shape().dim(axis)?.size());
    let Some(n) = size(1)? else {
        return Err(Error::invalid(format!(
            "the shape {} of the dense operand is not known where it meets ragged rows",
            z.shape()
        )));
    };
    let all_rows = size(0)? == Some(1);
    if n == 1 {
        let z = z.squeeze([1])?;
        return if all_rows { Ok(z) } else { z.gather(&rows.value_rowids()?, 0) };
    }
    let length = Tensor::scalar(n as i64).cast(rows.dtype())?;
    let rows = RowPartition::trusted(UniformRows {}.run(&[rows.splits(), &length])?);
    let z = if all_rows { z.gather(&rows.starts()?.zeros_like()?, 0)? } else { z.clone() };
    let sizes = ops::shape_of(&z)?.slice([2], [-1])?;
    z.reshape(&ops::concat(&[&Tensor::from_vec(vec![-1i64]), &sizes], 0)?)
}
