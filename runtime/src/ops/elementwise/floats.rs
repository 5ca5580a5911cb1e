//! Conversion of numbers to the float dtypes that functions compute in.

use crate::ops::CastMethods as _;
use crate::tensor::Tensor;
use crate::types::{DType, Result};

/// Integers as float64; other dtypes unchanged.
pub(in crate::ops) fn as_float(x: &Tensor) -> Result<Tensor> {
    if x.dtype().is_integer() { x.cast(DType::F64) } else { Ok(x.clone()) }
}

/// Integers and bools as float64; other dtypes unchanged.
pub(crate) fn as_inexact(x: &Tensor) -> Result<Tensor> {
    if x.dtype() == DType::Bool { x.cast(DType::F64) } else { as_float(x) }
}
