//! Elementwise ops.

use extype::ops::BiasAdd;
use extype::prelude::*;

use crate::MaskedTensor;
use crate::tensor::same_shape;

#[dispatch]
impl MaskedTensor {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        // At a missing entry stands a number at which the op and its derivative are finite, so that
        // no infinite derivative there turns the gradients of valid entries into NaN.
        let values = match op.finite_at(0) {
            Some(number) => op.call(&stand_in(&x.mask, &x.values, number)?)?,
            None => op.call(&x.values)?,
        };
        Ok(Self { values, mask: x.mask.clone() })
    }

    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        // Also, no integer division fails on a missing divisor.
        let (left, right) = (op.finite_at(0), op.finite_at(1));
        let (x, y, mask) = match operands {
            Pair::Both(x, y) if x.mask.id() == y.mask.id() => {
                (&x.values, &y.values, x.mask.clone())
            }
            Pair::Both(x, y) => (&x.values, &y.values, ops::logical_and(&x.mask, &y.mask)?),
            Pair::Left(x, y) => (&x.values, y, x.mask.clone()),
            Pair::Right(x, y) => (x, &y.values, y.mask.clone()),
        };
        let call = |x: &Tensor, y: &Tensor| op.call(x, y);
        let values = match (left, right) {
            (None, None) => call(x, y)?,
            (left, right) => {
                let safe = |x: &Tensor, number: Option<f64>| match number {
                    // One number divides all entries alike; there is nothing to stand in for.
                    Some(number) if !is_number(x) => stand_in(&mask, x, number),
                    _ => Ok(x.clone()),
                };
                call(&safe(x, left)?, &safe(y, right)?)?
            }
        };
        let mask = match operands {
            Pair::Both(..) => mask,
            Pair::Left(x, y) if adds_no_axis(y, &x.values) => mask,
            Pair::Right(x, y) if adds_no_axis(x, &y.values) => mask,
            Pair::Left(..) | Pair::Right(..) => same_shape(&mask, &values)?,
        };
        Ok(Self { values, mask })
    }

    #[overrides(BiasAdd)]
    fn bias_add(x: &Self, bias: &Tensor, op: &BiasAdd) -> Result<Self> {
        Ok(Self { values: op.run(&[&x.values, bias])?, mask: x.mask.clone() })
    }
}

/// Values and mask of an operand.
pub(crate) fn parts<'a>(x: ops::Arg<'a, MaskedTensor, Tensor>) -> (&'a Tensor, Option<&'a Tensor>) {
    match x {
        ops::Arg::This(x) => (&x.values, Some(&x.mask)),
        ops::Arg::Other(x) => (x, None),
    }
}

/// `values` with a number at missing entries, in their dtype.
fn stand_in(mask: &Tensor, values: &Tensor, number: f64) -> Result<Tensor> {
    match values.dtype().is_integer() {
        true => ops::select(mask, values, number as i64),
        false => ops::select(mask, values, number),
    }
}

/// True for one number that is known, such as `2.0` in `&m / 2.0`.
fn is_number(x: &Tensor) -> bool {
    x.rank() == Some(0) && !x.is_symbolic()
}

/// True if broadcasting `x` against `to` surely keeps the shape of `to`.
fn adds_no_axis(x: &Tensor, to: &Tensor) -> bool {
    let (shape, to) = (x.shape(), to.shape());
    match (shape.dims(), to.rank()) {
        (Some(dims), Some(rank)) => dims.len() <= rank && dims.iter().all(|d| d.size() == Some(1)),
        (Some(dims), None) => dims.is_empty(),
        _ => false,
    }
}
