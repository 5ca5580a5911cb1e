//! Helpers of the rules: sums over broadcast axes, shapes that may be unknown while tracing.

use crate::ops::{self, Integers, Op};
use crate::tensor::{Tensor, execute};
use crate::types::Result;

/// The sizes of a tensor, as host numbers where they are known while tracing.
pub(super) fn sizes(x: &Tensor) -> Result<Integers> {
    match Integers::try_from(&x.shape()) {
        Ok(known) => Ok(known),
        Err(_) => ops::shape_of(x).map(Integers::Tensor),
    }
}

/// The gradients of two operands that broadcast: each is summed over the axes along which its
/// operand was repeated.
pub(super) fn unbroadcast(
    [x, y]: [&Tensor; 2],
    [gx, gy]: [Option<Tensor>; 2],
) -> Result<[Option<Tensor>; 2]> {
    if x.shape() == y.shape() && x.shape().is_fully_defined() {
        return Ok([gx, gy]);
    }
    let (sx, sy) = (sizes(x)?.to_tensor(), sizes(y)?.to_tensor());
    let op = ops::BroadcastGradientArgs {};
    let axes = execute(op.def(), op.attrs(), &[&sx, &sy])?;
    let sum = |g: Option<Tensor>, i: usize, x: &Tensor| -> Result<Option<Tensor>> {
        let Some(g) = g else { return Ok(None) };
        if g.shape() == x.shape() && x.shape().is_fully_defined() {
            return Ok(Some(g));
        }
        let summed = g.reduce_sum(&axes[i], false)?;
        summed.reshape(sizes(x)?).map(Some)
    };
    Ok([sum(gx, 0, x)?, sum(gy, 1, y)?])
}

/// A gradient summed down to the shape of an operand that was repeated.
pub(super) fn sum_to(g: Tensor, x: &Tensor, other: &Tensor) -> Result<Option<Tensor>> {
    let [g, _] = unbroadcast([x, other], [Some(g), None])?;
    Ok(g)
}
