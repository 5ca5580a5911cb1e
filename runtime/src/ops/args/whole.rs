//! Sizes, places and counts that users give as tensors, in the dtype that an op takes.

use crate::ops::checks::check_as;
use crate::ops::methods::*;
use crate::ops::{less_equal, logical_and};
use crate::tensor::Tensor;
use crate::types::{DType, ErrorKind, Result, bail, err};

/// Integers of any dtype as int32 or int64. Integers that do not fit are refused: at once if they are known,
/// otherwise when the program runs.
///
/// # Errors
/// `InvalidArgument` for another dtype; `OutOfRange` for an integer that does not fit.
pub(crate) fn whole_numbers(x: &Tensor, dtype: DType) -> Result<Tensor> {
    let from = x.dtype();
    if !from.is_integer() {
        bail!("integers are wanted, not {from}; cast them");
    }
    if from == dtype {
        return Ok(x.clone());
    }
    let most = match dtype {
        DType::I32 => i64::from(i32::MAX),
        _ => i64::MAX,
    };
    let all_fit = match (from, dtype) {
        (DType::U64, _) => false,
        (DType::U32 | DType::I64, dtype) => dtype == DType::I64,
        _ => true,
    };
    if all_fit {
        return x.cast(dtype);
    }
    if let Tensor::Value(known) = x {
        let does_not = |n: &dyn std::fmt::Display| err!(OutOfRange, "{n} does not fit {dtype}");
        match from {
            DType::I64 => {
                let beyond = |n: &&i64| **n > most || **n < -most - 1;
                known
                    .as_slice::<i64>()?
                    .iter()
                    .find(beyond)
                    .map_or(Ok(()), |n| Err(does_not(n)))?;
            }
            DType::U32 => {
                let beyond = |n: &&u32| i64::from(**n) > most;
                known
                    .as_slice::<u32>()?
                    .iter()
                    .find(beyond)
                    .map_or(Ok(()), |n| Err(does_not(n)))?;
            }
            _ => {
                let beyond = |n: &&u64| **n > most.cast_unsigned();
                known
                    .as_slice::<u64>()?
                    .iter()
                    .find(beyond)
                    .map_or(Ok(()), |n| Err(does_not(n)))?;
            }
        }
        return x.cast(dtype);
    }
    let limit = |n: i64| Tensor::scalar(n).cast(from);
    let mut fits = less_equal(x, limit(most)?)?;
    if from == DType::I64 {
        fits = logical_and(fits, less_equal(limit(-most - 1)?, x)?)?;
    }
    if x.rank() != Some(0) {
        fits = fits.reduce_all(.., false)?;
    }
    check_as(ErrorKind::OutOfRange, &fits, &format!("does not fit {dtype}:"), &[x])?;
    x.cast(dtype)
}
