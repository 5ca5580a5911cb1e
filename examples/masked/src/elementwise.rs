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
    fn binary(
        op: impl BinaryOp,
        x: Arg<'_, Self, Tensor>,
        y: Arg<'_, Self, Tensor>,
    ) -> Result<Self> {
        // Also, no integer division fails on a missing divisor.
        let (left, right) = (op.finite_at(0), op.finite_at(1));
        let (a, b) = (parts(x), parts(y));
        let mask = match (a.1, b.1) {
            (Some(m), Some(n)) if m.id() == n.id() => m.clone(),
            (Some(m), Some(n)) => ops::logical_and(m, n)?,
            (Some(m), None) | (None, Some(m)) => m.clone(),
            (None, None) => unreachable!("one operand is masked"),
        };
        let call = |x: &Tensor, y: &Tensor| op.call(x, y);
        let values = match (left, right) {
            (None, None) => call(a.0, b.0)?,
            (left, right) => {
                let safe = |x: &Tensor, number: Option<f64>| match number {
                    // One number divides all entries alike; there is nothing to stand in for.
                    Some(number) if !is_number(x) => stand_in(&mask, x, number),
                    _ => Ok(x.clone()),
                };
                call(&safe(a.0, left)?, &safe(b.0, right)?)?
            }
        };
        let mask = match (a.1, b.1) {
            (Some(_), None) if adds_no_axis(b.0, a.0) => mask,
            (None, Some(_)) if adds_no_axis(a.0, b.0) => mask,
            (Some(_), Some(_)) => mask,
            _ => same_shape(&mask, &values)?,
        };
        Ok(Self { values, mask })
    }

    #[overrides(BiasAdd)]
    fn bias_add(x: &Self, bias: &Tensor, op: &BiasAdd) -> Result<Self> {
        Ok(Self { values: op.run(&[&x.values, bias])?, mask: x.mask.clone() })
    }
}

/// Values and mask of an operand.
pub(crate) fn parts<'a>(x: Arg<'a, MaskedTensor, Tensor>) -> (&'a Tensor, Option<&'a Tensor>) {
    match x {
        Arg::This(x) => (&x.values, Some(&x.mask)),
        Arg::Other(x) => (x, None),
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
