//! Plain numbers take the dtype of the tensors beside them: `&x * 2.0` for any float `x`.

use smallvec::SmallVec;

use crate::array::{Array, Scalar};
use crate::ir::{ArgDef, ArgType, OpDef};
use crate::tensor::{Tensor, host_number, host_number_of};
use crate::types::{DType, Result, err};

impl From<Scalar> for Tensor {
    /// A rank-0 tensor that still takes the dtype of a tensor it meets in an op.
    fn from(scalar: Scalar) -> Tensor {
        host_number(scalar.to_own_array())
    }
}

/// The number or array as a tensor of this dtype.
pub(in crate::ops) fn fit(def: &OpDef, number: &Array, dtype: DType) -> Result<Tensor> {
    let array = number.fitted(dtype);
    array.map(Tensor::Value).map_err(|e| err!("{}", e.message()).with_op(def.rust_name))
}

/// The operands, with each plain number converted to the dtype of its argument. If the argument's
/// dtype is not fixed, that is the dtype of a tensor with the same type attribute. Among numbers alone
/// it is that of the first float, or else of the first number. `None` if there are no numbers.
/// `statics` is how many plain inputs are not among the operands.
///
/// # Errors
/// `InvalidArgument` for a number that does not fit, such as 2.5 among integers.
pub(crate) fn settle_numbers(
    def: &OpDef,
    operands: &[&Tensor],
    statics: usize,
) -> Result<Option<SmallVec<[Tensor; 4]>>> {
    if operands.iter().all(|t| host_number_of(t).is_none()) {
        return Ok(None);
    }
    let inputs = def.spread_inputs(operands.len() + statics);
    let args: SmallVec<[&ArgDef; 8]> = inputs.filter(|a| statics == 0 || !a.is_static).collect();
    let meets = |own: &ArgDef| {
        let alike = operands.iter().zip(&args).filter(|(_, a)| a.dtype == own.dtype);
        let mut alike = alike.map(|(t, _)| *t);
        let (first, float) = (alike.clone().next(), alike.clone().find(|t| is_float(t)));
        alike.find(|t| host_number_of(t).is_none()).or(float).or(first).map(Tensor::dtype)
    };
    let settled = operands.iter().enumerate().map(|(i, t)| {
        let (Some(number), Some(own)) = (host_number_of(t), args.get(i)) else {
            return Ok((*t).clone());
        };
        let dtype = match own.dtype {
            ArgType::Fixed(dtype) => Some(dtype),
            ArgType::Each(_) => None,
            ArgType::Var(_) => meets(own),
        };
        dtype.map_or_else(|| Ok((*t).clone()), |dtype| fit(def, number, dtype))
    });
    settled.collect::<Result<_>>().map(Some)
}

/// Converts plain numbers among the two operands of a function that is made of several ops. A
/// number takes the dtype of the tensor beside it; of two numbers, an integer takes the dtype of a
/// float. Tensors stay as they are.
pub(in crate::ops) fn agree(x: &Tensor, y: &Tensor) -> Result<(Tensor, Tensor)> {
    let of = |n: &Array, dtype: DType| n.fitted(dtype).map(Tensor::Value);
    Ok(match (host_number_of(x), host_number_of(y)) {
        (Some(n), None) => (of(n, y.dtype())?, y.clone()),
        (None, Some(n)) => (x.clone(), of(n, x.dtype())?),
        (Some(a), Some(b)) => {
            let dtype = if is_float(y) && !is_float(x) { y.dtype() } else { x.dtype() };
            (of(a, dtype)?, of(b, dtype)?)
        }
        (None, None) => (x.clone(), y.clone()),
    })
}

fn is_float(t: &Tensor) -> bool {
    t.dtype().is_differentiable()
}
