//! Batches of ops on shapes, which are the same in all calls.

use crate::ops;
use crate::ops::methods::*;
use crate::ops::rules::batch::{Batch, Batched, Lane};
use crate::ops::{ShapeOf, Size};
use crate::tensor::Tensor;
use crate::types::{DType, Result, err};

fn same(t: Tensor) -> Result<Batched> {
    Ok(Some([Lane::Same(t)].into_iter().collect()))
}

/// Integers of this dtype, a vector or a scalar.
fn constant(dtype: DType, numbers: &[i64], shape: &[usize]) -> Result<Tensor> {
    if dtype == DType::I64 {
        return Tensor::from_slice(numbers, shape);
    }
    let small = numbers.iter().map(|n| i32::try_from(*n)).collect::<Result<Vec<_>, _>>();
    let small = small.map_err(|_| err!("sizes {numbers:?} do not fit int32; ask for int64"))?;
    Tensor::from_slice(&small, shape)
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
        None => match b.run(std::slice::from_ref(x))?.as_deref() {
            Some([Lane::Each(sizes)]) => same(sizes.slice([1i64], [-1i64])?),
            _ => Ok(None),
        },
    }
}

pub(in crate::ops) fn size(b: &Batch<'_>) -> Result<Batched> {
    let (Some(x), dtype) = (b.each(0), b.get(Size::OUT_TYPE)?) else { return Ok(None) };
    match b.types[0].shape.num_elements() {
        Some(n) => same(constant(dtype, &[n as i64], &[])?),
        // Only each call can tell whether the product fits.
        None if dtype != DType::I64 => Ok(None),
        None => same(ops::shape_of(x)?.slice([1i64], [-1i64])?.reduce_prod(.., false)?),
    }
}

pub(in crate::ops) fn rank(b: &Batch<'_>) -> Result<Batched> {
    match b.rank(0) {
        Some(rank) => same(constant(DType::I32, &[rank as i64], &[])?),
        None => Ok(None),
    }
}
