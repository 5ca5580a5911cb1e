//! Host numbers among tensors take their dtype: `&x * 2.0` for any float `x`.

use smallvec::SmallVec;

use crate::array::{Array, Scalar};
use crate::op::{ArgDef, ArgType, OpDef};
use crate::tensor::{Tensor, host_number, is_host_number};
use crate::types::{DType, Result, err};

impl From<Scalar> for Tensor {
    /// A rank-0 tensor that still takes the dtype of a tensor it meets in an op.
    fn from(scalar: Scalar) -> Tensor {
        host_number(scalar.to_own_array())
    }
}

/// The number, if it is one that has not met a tensor yet.
#[inline]
pub(super) fn number(t: &Tensor) -> Option<Scalar> {
    match t {
        Tensor::Value(a) if is_host_number(a) => a.to_scalar(),
        _ => None,
    }
}

/// The number as a tensor of this dtype.
pub(super) fn fit(def: &OpDef, number: Scalar, dtype: DType) -> Result<Tensor> {
    let array: Array =
        number.to_array(dtype).map_err(|e| err!("{}", e.message()).with_op(def.rust_name))?;
    Ok(Tensor::Value(array))
}

/// The operands with each plain number in the dtype that the op gives it: that of a tensor of
/// the same type attribute, or of the first number where there are only numbers, or the one that
/// the argument always has. `None` if there are no numbers. `statics` is
/// how many inputs that are plain data are not among the operands.
///
/// # Errors
/// `InvalidArgument` for a number that does not fit, such as 2.5 among integers.
pub(crate) fn settle_numbers(
    def: &OpDef,
    operands: &[&Tensor],
    statics: usize,
) -> Result<Option<SmallVec<[Tensor; 4]>>> {
    if operands.iter().all(|t| number(t).is_none()) {
        return Ok(None);
    }
    let inputs = def.spread_inputs(operands.len() + statics);
    let args: SmallVec<[&ArgDef; 8]> = inputs.filter(|a| statics == 0 || !a.is_static).collect();
    let meets = |own: &ArgDef| {
        let mut alike = operands.iter().zip(&args).filter(|(_, a)| a.dtype == own.dtype);
        let first = alike.clone().next();
        alike.find(|(t, _)| number(t).is_none()).or(first).map(|(t, _)| t.dtype())
    };
    let settled = operands.iter().enumerate().map(|(i, t)| {
        let (Some(number), Some(own)) = (number(t), args.get(i)) else { return Ok((*t).clone()) };
        let dtype = match own.dtype {
            ArgType::Fixed(dtype) => Some(dtype),
            ArgType::Each(_) => None,
            ArgType::Var(_) => meets(own),
        };
        dtype.map_or_else(|| Ok((*t).clone()), |dtype| fit(def, number, dtype))
    });
    settled.collect::<Result<_>>().map(Some)
}

/// Two operands of one function that is made of several ops: a plain number takes the dtype of the
/// tensor beside it, and of two numbers an integer that of a float. Tensors stay as they are.
pub(in crate::ops) fn agree(x: &Tensor, y: &Tensor) -> Result<(Tensor, Tensor)> {
    let of = |n: Scalar, dtype: DType| n.to_array(dtype).map(Tensor::Value);
    Ok(match (number(x), number(y)) {
        (Some(n), None) => (of(n, y.dtype())?, y.clone()),
        (None, Some(n)) => (x.clone(), of(n, x.dtype())?),
        (Some(a), Some(b)) => {
            let is_float = |t: &Tensor| t.dtype().is_differentiable();
            let dtype = if is_float(y) && !is_float(x) { y.dtype() } else { x.dtype() };
            (of(a, dtype)?, of(b, dtype)?)
        }
        (None, None) => (x.clone(), y.clone()),
    })
}
