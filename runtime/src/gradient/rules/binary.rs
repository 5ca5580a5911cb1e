//! Binary elementwise ops.

use super::super::broadcast::unbroadcast;
use super::{Gradient, InputGradients, conj, no_gradients};
use crate::ops;
use crate::tensor::Tensor;
use crate::types::Result;

/// Rules that give both gradients before they are summed over broadcast axes.
macro_rules! binary_rules {
    ($($op:literal => |$g:ident, $x:ident, $y:ident, $dy:ident| $both:expr;)*) => {
        $(crate::define_gradient!($op, |$g: &Gradient<'_>| {
            let ($x, $y, $dy) = ($g.x(0), $g.x(1), $g.dy()?);
            sum(($x, $y), $both)
        });)*
    };
}

fn sum((x, y): (&Tensor, &Tensor), (gx, gy): (Tensor, Tensor)) -> Result<InputGradients> {
    Ok(unbroadcast([x, y], [Some(gx), Some(gy)])?.into_iter().collect())
}

/// `g` where the condition holds, else zero.
fn keep(condition: &Tensor, g: &Tensor) -> Result<Tensor> {
    ops::select(condition, g, &g.zeros_like()?)
}

binary_rules! {
    "AddV2" => |g, x, y, dy| (dy.clone(), dy.clone());
    "Sub" => |g, x, y, dy| (dy.clone(), ops::neg(dy)?);
    "Mul" => |g, x, y, dy| (ops::mul(dy, &conj(y)?)?, ops::mul(&conj(x)?, dy)?);
    "RealDiv" => |g, x, y, dy| {
        quotient(x, y, dy, |a, b| ops::div(a, b))?
    };
    "Div" => |g, x, y, dy| {
        quotient(x, y, dy, |a, b| ops::div(a, b))?
    };
    "DivNoNan" => |g, x, y, dy| {
        quotient(x, y, dy, |a, b| ops::div_no_nan(a, b))?
    };
    "MulNoNan" => |g, x, y, dy| (ops::mul_no_nan(dy, y)?, ops::mul_no_nan(x, dy)?);
    "Maximum" => |g, x, y, dy| {
        let left = x.greater_equal(y)?;
        (keep(&left, dy)?, keep(&left.logical_not()?, dy)?)
    };
    "Minimum" => |g, x, y, dy| {
        let left = x.less_equal(y)?;
        (keep(&left, dy)?, keep(&left.logical_not()?, dy)?)
    };
    "SquaredDifference" => |g, x, y, dy| {
        let gx = ops::mul(&ops::mul(dy, 2.0)?, &ops::sub(x, y)?)?;
        let gy = ops::neg(&gx)?;
        (gx, gy)
    };
    "FloorMod" => |g, x, y, dy| {
        (dy.clone(), ops::neg(&ops::mul(dy, &x.floor_div(y)?)?)?)
    };
    "Pow" => |g, x, y, dy| {
        let (cx, cy) = (conj(x)?, conj(y)?);
        let gx = ops::mul(&ops::mul(dy, &cy)?, &cx.pow(&ops::sub(&cy, 1.0)?)?)?;
        // log(x) where it is defined; elsewhere the power does not vary smoothly with y.
        let zero = cx.zeros_like()?;
        let defined = if x.dtype().is_complex() { x.not_equal(&zero)? } else { x.greater(0.0)? };
        let log = ops::select(&defined, &ops::select(&defined, &cx, &cx.ones_like()?)?.log()?, &zero)?;
        (gx, ops::mul(&ops::mul(dy, &conj(g.y())?)?, &log)?)
    };
    "Atan2" => |g, x, y, dy| {
        let scaled = ops::div(dy, &ops::add(&x.square()?, &y.square()?)?)?;
        (ops::mul(y, &scaled)?, ops::neg(&ops::mul(x, &scaled)?)?)
    };
    "Xlogy" => |g, x, y, dy| {
        let used = x.not_equal(&x.zeros_like()?)?.cast(x.dtype())?;
        (ops::mul(dy, &used.xlogy(y)?)?, ops::mul(dy, &x.xdivy(y)?)?)
    };
    "Xlog1py" => |g, x, y, dy| {
        let used = x.not_equal(&x.zeros_like()?)?.cast(x.dtype())?;
        (ops::mul(dy, &used.xlog1py(y)?)?, ops::mul(dy, &x.xdivy(&ops::add(y, 1.0)?)?)?)
    };
    "Xdivy" => |g, x, y, dy| {
        let used = x.not_equal(&x.zeros_like()?)?.cast(x.dtype())?;
        let gy = ops::mul(dy, &ops::neg(x)?.xdivy(&y.square()?)?)?;
        (ops::mul(dy, &used.xdivy(y)?)?, gy)
    };
}

fn quotient(
    x: &Tensor,
    y: &Tensor,
    dy: &Tensor,
    div: impl Fn(&Tensor, &Tensor) -> Result<Tensor>,
) -> Result<(Tensor, Tensor)> {
    let (x, y) = (conj(x)?, conj(y)?);
    let gy = ops::mul(dy, &div(&div(&ops::neg(&x)?, &y)?, &y)?)?;
    Ok((div(dy, &y)?, gy))
}

no_gradients!(
    "FloorDiv",
    "TruncateDiv",
    "TruncateMod",
    "Equal",
    "NotEqual",
    "Less",
    "LessEqual",
    "Greater",
    "GreaterEqual",
    "LogicalAnd",
    "LogicalOr",
    "BitwiseAnd",
    "BitwiseOr",
    "BitwiseXor",
    "LeftShift",
    "RightShift",
);
