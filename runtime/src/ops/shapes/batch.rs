//! Batches of ops on shapes, which are the same in all calls.

use crate::ops;
use crate::ops::batch::{Batch, Batched, Lane};
use crate::ops::methods::*;
use crate::ops::{ShapeOf, Size};
use crate::tensor::Tensor;
use crate::types::{DType, Result};

fn same(t: Tensor) -> Result<Batched> {
    Ok(Some([Lane::Same(t)].into_iter().collect()))
}

/// Integers of this dtype, a vector or a scalar.
fn constant(dtype: DType, numbers: &[i64], shape: &[usize]) -> Result<Tensor> {
    match dtype {
        DType::I64 => Tensor::from_slice(numbers, shape),
        dtype => Tensor::from_slice(numbers, shape)?.cast(dtype),
    }
}

/// The sizes of the operand, if they are known.
fn sizes(b: &Batch<'_>) -> Option<Vec<i64>> {
    let sizes = b.types.first()?.shape.sizes()?;
    Some(sizes.iter().map(|n| *n as i64).collect())
}

pub(in crate::ops) fn shape_of(b: &Batch<'_>) -> Result<Batched> {
    let (Some(x), dtype) = (b.each(0), b.get(ShapeOf::OUT_TYPE)?) else { return Ok(None) };
    match sizes(b) {
        Some(sizes) => same(constant(dtype, &sizes, &[sizes.len()])?),
        None => same(ops::shape_of(x)?.slice([1i64], [-1i64])?.cast(dtype)?),
    }
}

pub(in crate::ops) fn size(b: &Batch<'_>) -> Result<Batched> {
    let (Some(x), dtype) = (b.each(0), b.get(Size::OUT_TYPE)?) else { return Ok(None) };
    match sizes(b) {
        Some(sizes) => same(constant(dtype, &[sizes.iter().product()], &[])?),
        None => {
            let sizes = ops::shape_of(x)?.slice([1i64], [-1i64])?;
            same(sizes.reduce_prod(.., false)?.cast(dtype)?)
        }
    }
}

pub(in crate::ops) fn rank(b: &Batch<'_>) -> Result<Batched> {
    match b.rank(0) {
        Some(rank) => same(constant(DType::I32, &[rank as i64], &[])?),
        None => Ok(None),
    }
}
