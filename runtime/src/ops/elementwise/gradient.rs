//! Gradients of elementwise ops.

use std::f64::consts::FRAC_PI_2;

use crate::ops;
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, conjugate, sum_to, unbroadcast};
use crate::tensor::Tensor;
use crate::types::Result;

/// `g` where the condition holds, else zero.
pub(super) fn keep(condition: &Tensor, g: &Tensor) -> Result<Tensor> {
    ops::select(condition, g, &g.zeros_like()?)
}

pub(super) fn quotient(
    x: &Tensor,
    y: &Tensor,
    dy: &Tensor,
    div: impl Fn(&Tensor, &Tensor) -> Result<Tensor>,
) -> Result<(Tensor, Tensor)> {
    let (x, y) = (conjugate(x)?, conjugate(y)?);
    let gy = ops::mul(dy, &div(&div(&ops::neg(&x)?, &y)?, &y)?)?;
    Ok((div(dy, &y)?, gy))
}

/// `slope`, but 1/2 where `x` is zero, since the formula of the slope divides by `x`.
pub(super) fn half_at_zero(x: &Tensor, slope: &Tensor) -> Result<Tensor> {
    ops::select(&x.equal(0.0)?, 0.5, slope)
}

/// `π/2 x²`.
pub(super) fn quarter_turns(x: &Tensor) -> Result<Tensor> {
    ops::mul(&x.square()?, FRAC_PI_2)
}

/// The derivative of the incomplete gamma function with respect to `x`: `xᵃ⁻¹ e⁻ˣ / Γ(a)`.
pub(super) fn density(a: &Tensor, x: &Tensor) -> Result<Tensor> {
    let power = ops::mul(&ops::sub(a, 1.0)?, &x.log()?)?;
    ops::sub(&ops::sub(&power, x)?, &a.lgamma()?)?.exp()
}

pub(in crate::ops) fn betainc(g: &Gradient<'_>) -> Result<InputGradients> {
    let ([a, b, x], dy) = ([g.x(0), g.x(1), g.x(2)], g.dy()?);
    let log_beta = ops::sub(&ops::add(&a.lgamma()?, &b.lgamma()?)?, &ops::add(a, b)?.lgamma()?)?;
    let left = ops::sub(a, 1.0)?.xlogy(x)?;
    let right = ops::sub(b, 1.0)?.xlog1py(&ops::neg(x)?)?;
    let slope = ops::sub(&ops::add(&left, &right)?, &log_beta)?.exp()?;
    let [gx, _] = unbroadcast([x, dy], [Some(ops::mul(dy, &slope)?), None])?;
    Ok([g.missing(0)?, g.missing(1)?, gx].into_iter().collect())
}

/// Scale and scale times alpha of Klambauer et al., 2017.
pub(super) const SELU_SCALE: f64 = 1.050_700_987_355_480_5;

pub(super) const SELU_SCALE_ALPHA: f64 = 1.758_099_340_847_376_6;

pub(super) const TWO_OVER_ROOT_PI: f64 = std::f64::consts::FRAC_2_SQRT_PI;

pub(super) fn gauss(x: &crate::Tensor, scale: f64) -> crate::Result<crate::Tensor> {
    ops::mul(&ops::neg(&x.square()?)?.exp()?, scale)
}

pub(in crate::ops) fn cast(g: &Gradient<'_>) -> Result<InputGradients> {
    let from = g.x(0).dtype();
    let gradient = match from.is_differentiable() && g.y().dtype().is_differentiable() {
        true => Some(g.dy()?.cast(from)?),
        false => None,
    };
    Ok([gradient].into_iter().collect())
}

pub(in crate::ops) fn select(g: &Gradient<'_>) -> Result<InputGradients> {
    let (c, t, e, dy) = (g.x(0), g.x(1), g.x(2), g.dy()?);
    let zero = dy.zeros_like()?;
    let gt = sum_to(ops::select(c, dy, &zero)?, t, dy)?;
    let ge = sum_to(ops::select(c, &zero, dy)?, e, dy)?;
    Ok([None, gt, ge].into_iter().collect())
}

/// The slope along a side is its share of the length: zero at zero, one where the side is infinite. Where the length
/// overflows, a share of quarters is as large.
pub(in crate::ops) fn length(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, y, dy) = (g.x(0), g.x(1), g.dy()?);
    let far = g.y().is_inf()?;
    let near = |x: &Tensor| ops::select(&far, &ops::mul(x, 0.25)?, x);
    let length = ops::select(&far, &ops::hypot(&near(x)?, &near(y)?)?, g.y())?;
    let of = |x: &Tensor| {
        let slope = ops::select(x.is_inf()?, x.sign()?, near(x)?.div_no_nan(&length)?)?;
        ops::mul(dy, slope).map(Some)
    };
    Ok(unbroadcast([x, y], [of(x)?, of(y)?])?.into_iter().collect())
}
