//! Unary elementwise ops. For complex numbers the gradient is that of TensorFlow: the conjugate
//! of the derivative times the cotangent.

use super::{conj, no_gradients, unary_rules};
use crate::ops;

unary_rules! {
    "Neg" => |g, dy| ops::neg(dy)?;
    "Abs" => |g, dy| ops::mul(dy, &g.x(0).sign()?)?;
    "Sign" => |g, dy| dy.zeros_like()?;
    "Square" => |g, dy| ops::mul(dy, &ops::mul(&conj(g.x(0))?, 2.0)?)?;
    // Where nothing flows back nothing does, also where the root is zero or NaN.
    "Sqrt" => |g, dy| ops::xdivy(&ops::mul(dy, 0.5)?, &conj(g.y())?)?;
    "Rsqrt" => |g, dy| {
        let y = conj(g.y())?;
        ops::mul_no_nan(&ops::mul(&ops::mul(&y.square()?, &y)?, -0.5)?, dy)?
    };
    "Exp" => |g, dy| ops::mul(dy, &conj(g.y())?)?;
    "Expm1" => |g, dy| ops::mul(dy, &conj(g.x(0))?.exp()?)?;
    "Log" => |g, dy| ops::mul(dy, &conj(g.x(0))?.reciprocal()?)?;
    "Log1p" => |g, dy| ops::mul(dy, &ops::add(&conj(g.x(0))?, 1.0)?.reciprocal()?)?;
    "Sin" => |g, dy| ops::mul(dy, &conj(g.x(0))?.cos()?)?;
    "Cos" => |g, dy| ops::neg(&ops::mul(dy, &conj(g.x(0))?.sin()?)?)?;
    "Tan" => |g, dy| ops::mul(dy, &conj(g.x(0))?.cos()?.reciprocal()?.square()?)?;
    "Asin" => |g, dy| {
        let x2 = conj(g.x(0))?.square()?;
        ops::mul(dy, &ops::sub(1.0, &x2)?.sqrt()?.reciprocal()?)?
    };
    "Acos" => |g, dy| {
        let x2 = conj(g.x(0))?.square()?;
        ops::neg(&ops::mul(dy, &ops::sub(1.0, &x2)?.sqrt()?.reciprocal()?)?)?
    };
    "Atan" => |g, dy| {
        let x2 = conj(g.x(0))?.square()?;
        ops::mul(dy, &ops::add(&x2, 1.0)?.reciprocal()?)?
    };
    "Sinh" => |g, dy| ops::mul(dy, &conj(g.x(0))?.cosh()?)?;
    "Cosh" => |g, dy| ops::mul(dy, &conj(g.x(0))?.sinh()?)?;
    "Tanh" => |g, dy| ops::mul(dy, &ops::sub(1.0, &conj(g.y())?.square()?)?)?;
    "Asinh" => |g, dy| ops::div(dy, &conj(g.y())?.cosh()?)?;
    "Acosh" => |g, dy| ops::div(dy, &conj(g.y())?.sinh()?)?;
    "Atanh" => |g, dy| {
        let x2 = conj(g.x(0))?.square()?;
        ops::mul(dy, &ops::sub(1.0, &x2)?.reciprocal()?)?
    };
    "Sigmoid" => |g, dy| {
        let y = conj(g.y())?;
        ops::mul(dy, &ops::mul(&y, &ops::sub(1.0, &y)?)?)?
    };
    "Softplus" => |g, dy| ops::mul(dy, &g.x(0).sigmoid()?)?;
    "Softsign" => |g, dy| ops::div(dy, &ops::add(&g.x(0).abs()?, 1.0)?.square()?)?;
    "Relu" => |g, dy| ops::select(&g.y().greater(0.0)?, dy, &dy.zeros_like()?)?;
    "Relu6" => |g, dy| {
        let inside = ops::logical_and(&g.y().greater(0.0)?, &g.y().less(6.0)?)?;
        ops::select(&inside, dy, &dy.zeros_like()?)?
    };
    "Elu" => |g, dy| {
        let below = ops::mul(dy, &ops::add(g.y(), 1.0)?)?;
        ops::select(&g.y().less(0.0)?, &below, dy)?
    };
    "Selu" => |g, dy| {
        let below = ops::mul(dy, &ops::add(g.y(), SELU_SCALE_ALPHA)?)?;
        ops::select(&g.y().less(0.0)?, &below, &ops::mul(dy, SELU_SCALE)?)?
    };
    "LeakyRelu" => |g, dy| {
        let alpha = f64::from(g.attrs.get::<f32>("alpha")?);
        ops::select(&g.x(0).greater(0.0)?, dy, &ops::mul(dy, alpha)?)?
    };
    "Erf" => |g, dy| ops::mul(dy, &gauss(g.x(0), TWO_OVER_ROOT_PI)?)?;
    "Erfc" => |g, dy| ops::mul(dy, &gauss(g.x(0), -TWO_OVER_ROOT_PI)?)?;
    "Reciprocal" => |g, dy| ops::neg(&ops::mul(dy, &conj(g.y())?.square()?)?)?;
    "Identity" => |g, dy| dy.clone();
    "Conj" => |g, dy| dy.conj()?;
}

/// Scale and scale times alpha of Klambauer et al., 2017.
const SELU_SCALE: f64 = 1.050_700_987_355_480_5;
const SELU_SCALE_ALPHA: f64 = 1.758_099_340_847_376_6;
const TWO_OVER_ROOT_PI: f64 = std::f64::consts::FRAC_2_SQRT_PI;

fn gauss(x: &crate::Tensor, scale: f64) -> crate::Result<crate::Tensor> {
    ops::mul(&ops::neg(&x.square()?)?.exp()?, scale)
}

crate::define_gradient!("Cast", |g| {
    let from = g.x(0).dtype();
    let gradient = match from.is_differentiable() && g.y().dtype().is_differentiable() {
        true => Some(g.dy()?.cast(from)?),
        false => None,
    };
    Ok([gradient].into_iter().collect())
});

no_gradients!(
    "Floor",
    "Ceil",
    "Rint",
    "IsNan",
    "IsInf",
    "IsFinite",
    "Invert",
    "PopulationCount",
    "LogicalNot",
    "ZerosLike",
    "OnesLike",
    "StopGradient",
);
