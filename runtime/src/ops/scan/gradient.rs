//! Gradients of running reductions along one axis.

use crate::ops;
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, conjugate, first};
use crate::ops::{Axis, Cumsum, CumulativeLogsumexp, Op};
use crate::tensor::{Tensor, execute_one};
use crate::types::Result;

/// How the op ran: exclusive, reverse.
fn mode(g: &Gradient<'_>) -> Result<(bool, bool)> {
    Ok((g.get(Cumsum::EXCLUSIVE)?, g.get(Cumsum::REVERSE)?))
}

/// A running reduction of another tensor along the axis of this op, which may be unknown.
fn along<O: Op>(g: &Gradient<'_>, op: &O, x: &Tensor) -> Result<Tensor> {
    execute_one(op.def(), op.attrs(), &[x, g.x(1)])
}

pub(in crate::ops) fn cumsum(g: &Gradient<'_>) -> Result<InputGradients> {
    let (exclusive, reverse) = mode(g)?;
    let op = Cumsum { exclusive, reverse: !reverse, axis: Axis(0) };
    Ok(first(g, along(g, &op, g.dy()?)?))
}

pub(in crate::ops) fn cumprod(g: &Gradient<'_>) -> Result<InputGradients> {
    let (exclusive, reverse) = mode(g)?;
    let op = Cumsum { exclusive, reverse: !reverse, axis: Axis(0) };
    let sums = along(g, &op, &ops::mul(&conjugate(g.y())?, g.dy()?)?)?;
    Ok(first(g, ops::div_no_nan(&sums, &conjugate(g.x(0))?)?))
}

pub(in crate::ops) fn cumulative_logsumexp(g: &Gradient<'_>) -> Result<InputGradients> {
    let (exclusive, reverse) = mode(g)?;
    let op = CumulativeLogsumexp { exclusive, reverse: !reverse, axis: Axis(0) };
    let (x, y, dy) = (g.x(0), g.y(), g.dy()?);
    // Positive and negative cotangents are scanned separately, since only positive numbers have
    // logarithms.
    let nothing = ops::fill([0i64; 0], &Tensor::scalar(f64::NEG_INFINITY).cast(x.dtype())?)?;
    let part = |of: &Tensor| {
        let log = ops::select(of.greater(0.0)?, of.log()?, &nothing)?;
        // A place without a cotangent of this sign adds nothing, whatever the result is there.
        let share = ops::select(of.greater(0.0)?, ops::sub(&log, y)?, &nothing)?;
        ops::add(&along(g, &op, &share)?, x)?.exp()
    };
    Ok(first(g, ops::sub(&part(dy)?, &part(&ops::neg(dy)?)?)?))
}
