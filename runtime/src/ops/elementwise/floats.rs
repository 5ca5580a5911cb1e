//! The dtypes that functions compute in: floats of other numbers.

use crate::ops::methods::UnaryMethods as _;
use crate::tensor::Tensor;
use crate::types::{DType, Result};

/// Floats as they are, integers as float64.
pub(in crate::ops) fn as_float(x: &Tensor) -> Result<Tensor> {
    if x.dtype().is_integer() { x.cast(DType::F64) } else { Ok(x.clone()) }
}

/// Integers and bools as float64, others as they are.
pub(crate) fn as_inexact(x: &Tensor) -> Result<Tensor> {
    if x.dtype() == DType::Bool { x.cast(DType::F64) } else { as_float(x) }
}
