//! Gradients of random ops.

use crate::ops;
use crate::ops::count_to;
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, first};
use crate::tensor::{Tensor, execute_one};
use crate::types::{Result, err};

/// Shuffles row indices with the same key, and moves the cotangent back by the inverse permutation.
pub(in crate::ops) fn shuffle(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, dy) = (g.x(0), g.dy()?);
    let rank = x.rank().or(dy.rank()).ok_or_else(|| err!(Unimplemented, "the rank is unknown"))?;
    if rank == 0 {
        return Ok(first(g, dy.clone()));
    }
    let rows = count_to(&ops::shape_of(dy)?.gather(&Tensor::scalar(0i64), 0)?)?;
    let order = execute_one(g.op, g.attrs.clone(), &[&rows, g.x(1), g.x(2), g.x(3)])?;
    Ok(first(g, dy.gather(&order.invert_permutation()?, 0)?))
}
