//! Special functions.

use std::f64::consts::{FRAC_PI_2, PI};

use super::super::broadcast::unbroadcast;
use super::{Gradient, InputGradients, no_gradients, unary_rules};
use crate::define_gradient;
use crate::ops;
use crate::tensor::Tensor;
use crate::types::Result;

unary_rules! {
    "Lgamma" => |g, dy| ops::mul(dy, &g.x(0).digamma()?)?;
    "Digamma" => |g, dy| ops::mul(dy, &g.x(0).ones_like()?.polygamma(g.x(0))?)?;
    "Erfinv" => |g, dy| {
        ops::mul(dy, &ops::mul(&g.y().square()?.exp()?, 0.5 * PI.sqrt())?)?
    };
    "Ndtri" => |g, dy| {
        let density = ops::mul(&g.y().square()?, 0.5)?.exp()?;
        ops::mul(dy, &ops::mul(&density, (2.0 * PI).sqrt())?)?
    };
    "BesselI0" => |g, dy| ops::mul(dy, &ops::bessel_i1(g.x(0))?)?;
    "BesselI0e" => |g, dy| {
        let sign = ops::mul(g.y(), &g.x(0).sign()?)?;
        ops::mul(dy, &ops::sub(&ops::bessel_i1e(g.x(0))?, &sign)?)?
    };
    "BesselI1" => |g, dy| {
        let slope = ops::sub(&ops::bessel_i0(g.x(0))?, &ops::div(g.y(), g.x(0))?)?;
        ops::mul(dy, &half_at_zero(g.x(0), &slope)?)?
    };
    "BesselI1e" => |g, dy| {
        let falling = ops::add(&g.x(0).sign()?, &g.x(0).reciprocal()?)?;
        let slope = ops::sub(&ops::bessel_i0e(g.x(0))?, &ops::mul(g.y(), &falling)?)?;
        ops::mul(dy, &half_at_zero(g.x(0), &slope)?)?
    };
    "BesselJ0" => |g, dy| ops::neg(&ops::mul(dy, &ops::bessel_j1(g.x(0))?)?)?;
    "BesselJ1" => |g, dy| {
        let slope = ops::sub(&ops::bessel_j0(g.x(0))?, &ops::div(g.y(), g.x(0))?)?;
        ops::mul(dy, &half_at_zero(g.x(0), &slope)?)?
    };
    "BesselK0" => |g, dy| ops::neg(&ops::mul(dy, &ops::bessel_k1(g.x(0))?)?)?;
    "BesselK0e" => |g, dy| ops::mul(dy, &ops::sub(g.y(), &ops::bessel_k1e(g.x(0))?)?)?;
    "BesselK1" => |g, dy| {
        let minus = ops::add(&ops::bessel_k0(g.x(0))?, &ops::div(g.y(), g.x(0))?)?;
        ops::neg(&ops::mul(dy, &minus)?)?
    };
    "BesselK1e" => |g, dy| {
        let grown = ops::mul(g.y(), &ops::sub(1.0, &g.x(0).reciprocal()?)?)?;
        ops::mul(dy, &ops::sub(&grown, &ops::bessel_k0e(g.x(0))?)?)?
    };
    "BesselY0" => |g, dy| ops::neg(&ops::mul(dy, &ops::bessel_y1(g.x(0))?)?)?;
    "BesselY1" => |g, dy| {
        ops::mul(dy, &ops::sub(&ops::bessel_y0(g.x(0))?, &ops::div(g.y(), g.x(0))?)?)?
    };
    "Dawsn" => |g, dy| {
        ops::mul(dy, &ops::sub(1.0, &ops::mul(&ops::mul(g.x(0), g.y())?, 2.0)?)?)?
    };
    "Expint" => |g, dy| ops::mul(dy, &ops::div(&g.x(0).exp()?, g.x(0))?)?;
    "FresnelCos" => |g, dy| ops::mul(dy, &quarter_turns(g.x(0))?.cos()?)?;
    "FresnelSin" => |g, dy| ops::mul(dy, &quarter_turns(g.x(0))?.sin()?)?;
    "Spence" => |g, dy| {
        let slope = ops::div(&g.x(0).log()?, &ops::sub(1.0, g.x(0))?)?;
        ops::mul(dy, &ops::select(&g.x(0).equal(1.0)?, -1.0, &slope)?)?
    };
}

/// One half where `x` is zero and the formula of the slope divides by it.
fn half_at_zero(x: &Tensor, slope: &Tensor) -> Result<Tensor> {
    ops::select(&x.equal(0.0)?, 0.5, slope)
}

/// `π/2 x²`.
fn quarter_turns(x: &Tensor) -> Result<Tensor> {
    ops::mul(&x.square()?, FRAC_PI_2)
}

/// Rules that give both gradients, where there are any, before they are summed over broadcast
/// axes.
macro_rules! binary_rules {
    ($($op:literal => |$a:ident, $x:ident, $dy:ident| $both:expr;)*) => {
        $(define_gradient!($op, |g: &Gradient<'_>| {
            let ($a, $x, $dy) = (g.x(0), g.x(1), g.dy()?);
            sum($a, $x, $both)
        });)*
    };
}

fn sum(a: &Tensor, x: &Tensor, both: [Option<Tensor>; 2]) -> Result<InputGradients> {
    Ok(unbroadcast([a, x], both)?.into_iter().collect())
}

binary_rules! {
    "Igamma" => |a, x, dy| {
        [Some(ops::mul(dy, &ops::igamma_grad_a(a, x)?)?), Some(ops::mul(dy, &density(a, x)?)?)]
    };
    "Igammac" => |a, x, dy| {
        let minus = ops::neg(dy)?;
        [Some(ops::mul(&minus, &ops::igamma_grad_a(a, x)?)?), Some(ops::mul(&minus, &density(a, x)?)?)]
    };
    "Zeta" => |s, q, dy| {
        let next = ops::add(s, 1.0)?.zeta(q)?;
        [None, Some(ops::neg(&ops::mul(dy, &ops::mul(s, &next)?)?)?)]
    };
    "Polygamma" => |n, x, dy| {
        [None, Some(ops::mul(dy, &ops::add(n, 1.0)?.polygamma(x)?)?)]
    };
    // It moves with the first operand, whatever the second is.
    "NextAfter" => |x, towards, dy| [Some(dy.clone()), None];
}

/// The derivative of the incomplete gamma function to `x`: `xᵃ⁻¹ e⁻ˣ / Γ(a)`.
fn density(a: &Tensor, x: &Tensor) -> Result<Tensor> {
    let power = ops::mul(&ops::sub(a, 1.0)?, &x.log()?)?;
    ops::sub(&ops::sub(&power, x)?, &a.lgamma()?)?.exp()
}

define_gradient!("Betainc", |g: &Gradient<'_>| {
    let ([a, b, x], dy) = ([g.x(0), g.x(1), g.x(2)], g.dy()?);
    let log_beta = ops::sub(&ops::add(&a.lgamma()?, &b.lgamma()?)?, &ops::add(a, b)?.lgamma()?)?;
    let left = ops::sub(a, 1.0)?.xlogy(x)?;
    let right = ops::sub(b, 1.0)?.xlog1py(&ops::neg(x)?)?;
    let slope = ops::sub(&ops::add(&left, &right)?, &log_beta)?.exp()?;
    let [gx, _] = unbroadcast([x, dy], [Some(ops::mul(dy, &slope)?), None])?;
    Ok([None, None, gx].into_iter().collect())
});

no_gradients!("Round", "ApproximateEqual", "IgammaGradA");
