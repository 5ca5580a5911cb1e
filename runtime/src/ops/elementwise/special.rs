//! Special functions.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use extype_kernels::table::special as s;

use super::gradient::*;
use super::{gradient, kernel};
use crate::ops::Mul;
use crate::ops::methods::*;
use crate::ops::protocol::{Apply1, Apply2, Operand};
use crate::ops::rules::batch::alike;
use crate::ops::rules::infer::*;
use crate::tensor::{Lent, Tensor, call_site};
use crate::types::{DType, DTypeSet, Result};
use crate::{define_op, ops};

/// Computes the inverse of [`erfc()`](ops::erfc()): infinite at 0 and 2, NaN beyond.
///
/// TensorFlow: `tf.math.erfcinv`. Floats of any shape; the result has the same.
///
/// # Errors
/// `InvalidArgument` for a dtype that [`Ndtri`] does not take.
///
/// ```
/// use extype::prelude::*;
/// let y = ops::erfcinv(&tensor![1.0f64, 0.0])?;
/// assert_eq!(y.as_slice::<f64>()?, &[0.0, f64::INFINITY]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn erfcinv<X: Operand>(x: X) -> Result<X::Value>
where
    X::Value: Apply1<Ndtri, Output = X::Value> + Apply2<Tensor, Mul, Output = X::Value>,
{
    let _site = call_site!();
    let quantile = ndtri(Lent::Owned(ops::mul(x, 0.5)?))?;
    ops::mul(Lent::Owned(quantile), -FRAC_1_SQRT_2)
}

define_op! {
    /// Methods: special functions.
    methods of SpecialMethods;

    /// The logarithm of the absolute value of the gamma function; infinite at its poles.
    ///
    /// SciPy: `gammaln`; TensorFlow: `Lgamma`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = scalar(5.0f64).lgamma()?.item::<f64>()?;
    /// assert!((y - 24f64.ln()).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Lgamma = "Lgamma" {
        types: { T: DTypeSet::FLOAT },
        call: method lgamma,
        kernel: Map(&s::LGAMMA),
        finite_at: (1.0),
        gradient: |g, dy| ops::mul(dy, &g.x(0).digamma()?)?,
    }

    /// The derivative of [`lgamma()`]; NaN at the poles, which are zero and the negative integers.
    ///
    /// SciPy: `psi`; TensorFlow: `Digamma`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = scalar(1.0f64).digamma()?.item::<f64>()?;
    /// assert!((y + 0.577_215_66).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Digamma = "Digamma" {
        types: { T: DTypeSet::FLOAT },
        call: method digamma,
        kernel: Map(&s::DIGAMMA),
        finite_at: (1.0),
        gradient: |g, dy| ops::mul(dy, &g.x(0).ones_like()?.polygamma(g.x(0))?)?,
    }

    /// The inverse of [`erf()`]; infinite at -1 and 1, NaN beyond.
    ///
    /// TensorFlow: `Erfinv`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![-1.0f64, 0.0, 1.0].erfinv()?;
    /// assert_eq!(y.as_slice::<f64>()?, &[-f64::INFINITY, 0.0, f64::INFINITY]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Erfinv = "Erfinv" {
        types: { T: DTypeSet::FLOAT },
        call: method erfinv,
        kernel: Map(&s::ERFINV),
        finite_at: (0.0),
        gradient: |g, dy| {
            ops::mul(dy, &ops::mul(&g.y().square()?.exp()?, 0.5 * PI.sqrt())?)?
        },
    }

    /// The quantile function of the normal distribution; infinite at 0 and 1, NaN beyond.
    ///
    /// TensorFlow: `Ndtri`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = scalar(0.975f64).ndtri()?.item::<f64>()?;
    /// assert!((y - 1.959_963_98).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Ndtri = "Ndtri" {
        types: { T: DTypeSet::FLOAT },
        call: method ndtri,
        kernel: Map(&s::NDTRI),
        finite_at: (0.5),
        gradient: |g, dy| {
            let density = ops::mul(&g.y().square()?, 0.5)?.exp()?;
            ops::mul(dy, &ops::mul(&density, (2.0 * PI).sqrt())?)?
        },
    }

    /// The modified Bessel function of the first kind and order 0.
    ///
    /// NumPy: `i0`; TensorFlow: `BesselI0`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::bessel_i0(&scalar(1.0f64))?.item::<f64>()?;
    /// assert!((y - 1.266_065_88).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary BesselI0 = "BesselI0" {
        types: { T: DTypeSet::FLOAT },
        call: bessel_i0,
        kernel: Map(&s::BESSEL_I0),
        gradient: |g, dy| ops::mul(dy, &ops::bessel_i1(g.x(0))?)?,
    }

    /// Computes `exp(-|x|) * i0(x)`, see [`bessel_i0()`]; does not overflow.
    ///
    /// SciPy: `i0e`; TensorFlow: `BesselI0e`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::bessel_i0e(&scalar(1.0f64))?.item::<f64>()?;
    /// assert!((y - 0.465_759_61).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary BesselI0e = "BesselI0e" {
        types: { T: DTypeSet::FLOAT },
        call: bessel_i0e,
        kernel: Map(&s::BESSEL_I0E),
        gradient: |g, dy| {
            let sign = ops::mul(g.y(), &g.x(0).sign()?)?;
            ops::mul(dy, &ops::sub(&ops::bessel_i1e(g.x(0))?, &sign)?)?
        },
    }

    /// The modified Bessel function of the first kind and order 1.
    ///
    /// SciPy: `i1`; TensorFlow: `BesselI1`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::bessel_i1(&scalar(1.0f64))?.item::<f64>()?;
    /// assert!((y - 0.565_159_10).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary BesselI1 = "BesselI1" {
        types: { T: DTypeSet::FLOAT },
        call: bessel_i1,
        kernel: Map(&s::BESSEL_I1),
        gradient: |g, dy| {
            let slope = ops::sub(&ops::bessel_i0(g.x(0))?, &ops::div(g.y(), g.x(0))?)?;
            ops::mul(dy, &half_at_zero(g.x(0), &slope)?)?
        },
    }

    /// Computes `exp(-|x|) * i1(x)`, see [`bessel_i1()`]; does not overflow.
    ///
    /// SciPy: `i1e`; TensorFlow: `BesselI1e`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::bessel_i1e(&scalar(1.0f64))?.item::<f64>()?;
    /// assert!((y - 0.207_910_42).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary BesselI1e = "BesselI1e" {
        types: { T: DTypeSet::FLOAT },
        call: bessel_i1e,
        kernel: Map(&s::BESSEL_I1E),
        gradient: |g, dy| {
            let falling = ops::add(&g.x(0).sign()?, &g.x(0).reciprocal()?)?;
            let slope = ops::sub(&ops::bessel_i0e(g.x(0))?, &ops::mul(g.y(), &falling)?)?;
            ops::mul(dy, &half_at_zero(g.x(0), &slope)?)?
        },
    }

    /// The Bessel function of the first kind and order 0.
    ///
    /// SciPy: `j0`; TensorFlow: `BesselJ0`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::bessel_j0(&scalar(1.0f64))?.item::<f64>()?;
    /// assert!((y - 0.765_197_69).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary BesselJ0 = "BesselJ0" {
        types: { T: DTypeSet::FLOAT },
        call: bessel_j0,
        kernel: Map(&s::BESSEL_J0),
        gradient: |g, dy| ops::neg(&ops::mul(dy, &ops::bessel_j1(g.x(0))?)?)?,
    }

    /// The Bessel function of the first kind and order 1.
    ///
    /// SciPy: `j1`; TensorFlow: `BesselJ1`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::bessel_j1(&scalar(1.0f64))?.item::<f64>()?;
    /// assert!((y - 0.440_050_59).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary BesselJ1 = "BesselJ1" {
        types: { T: DTypeSet::FLOAT },
        call: bessel_j1,
        kernel: Map(&s::BESSEL_J1),
        gradient: |g, dy| {
            let slope = ops::sub(&ops::bessel_j0(g.x(0))?, &ops::div(g.y(), g.x(0))?)?;
            ops::mul(dy, &half_at_zero(g.x(0), &slope)?)?
        },
    }

    /// The modified Bessel function of the second kind and order 0; infinite at zero, NaN below.
    ///
    /// SciPy: `k0`; TensorFlow: `BesselK0`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::bessel_k0(&scalar(1.0f64))?.item::<f64>()?;
    /// assert!((y - 0.421_024_44).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary BesselK0 = "BesselK0" {
        types: { T: DTypeSet::FLOAT },
        call: bessel_k0,
        kernel: Map(&s::BESSEL_K0),
        finite_at: (1.0),
        gradient: |g, dy| ops::neg(&ops::mul(dy, &ops::bessel_k1(g.x(0))?)?)?,
    }

    /// Computes `exp(x) * k0(x)`, see [`bessel_k0()`]; does not underflow.
    ///
    /// SciPy: `k0e`; TensorFlow: `BesselK0e`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::bessel_k0e(&scalar(1.0f64))?.item::<f64>()?;
    /// assert!((y - 1.144_463_08).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary BesselK0e = "BesselK0e" {
        types: { T: DTypeSet::FLOAT },
        call: bessel_k0e,
        kernel: Map(&s::BESSEL_K0E),
        finite_at: (1.0),
        gradient: |g, dy| ops::mul(dy, &ops::sub(g.y(), &ops::bessel_k1e(g.x(0))?)?)?,
    }

    /// The modified Bessel function of the second kind and order 1; infinite at zero, NaN below.
    ///
    /// SciPy: `k1`; TensorFlow: `BesselK1`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::bessel_k1(&scalar(1.0f64))?.item::<f64>()?;
    /// assert!((y - 0.601_907_23).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary BesselK1 = "BesselK1" {
        types: { T: DTypeSet::FLOAT },
        call: bessel_k1,
        kernel: Map(&s::BESSEL_K1),
        finite_at: (1.0),
        gradient: |g, dy| {
            let minus = ops::add(&ops::bessel_k0(g.x(0))?, &ops::div(g.y(), g.x(0))?)?;
            ops::neg(&ops::mul(dy, &minus)?)?
        },
    }

    /// Computes `exp(x) * k1(x)`, see [`bessel_k1()`]; does not underflow.
    ///
    /// SciPy: `k1e`; TensorFlow: `BesselK1e`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::bessel_k1e(&scalar(1.0f64))?.item::<f64>()?;
    /// assert!((y - 1.636_153_49).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary BesselK1e = "BesselK1e" {
        types: { T: DTypeSet::FLOAT },
        call: bessel_k1e,
        kernel: Map(&s::BESSEL_K1E),
        finite_at: (1.0),
        gradient: |g, dy| {
            let grown = ops::mul(g.y(), &ops::sub(1.0, &g.x(0).reciprocal()?)?)?;
            ops::mul(dy, &ops::sub(&grown, &ops::bessel_k0e(g.x(0))?)?)?
        },
    }

    /// The Bessel function of the second kind and order 0; minus infinity at zero, NaN below.
    ///
    /// SciPy: `y0`; TensorFlow: `BesselY0`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::bessel_y0(&scalar(1.0f64))?.item::<f64>()?;
    /// assert!((y - 0.088_256_96).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary BesselY0 = "BesselY0" {
        types: { T: DTypeSet::FLOAT },
        call: bessel_y0,
        kernel: Map(&s::BESSEL_Y0),
        finite_at: (1.0),
        gradient: |g, dy| ops::neg(&ops::mul(dy, &ops::bessel_y1(g.x(0))?)?)?,
    }

    /// The Bessel function of the second kind and order 1; minus infinity at zero, NaN below.
    ///
    /// SciPy: `y1`; TensorFlow: `BesselY1`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::bessel_y1(&scalar(1.0f64))?.item::<f64>()?;
    /// assert!((y + 0.781_212_82).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary BesselY1 = "BesselY1" {
        types: { T: DTypeSet::FLOAT },
        call: bessel_y1,
        kernel: Map(&s::BESSEL_Y1),
        finite_at: (1.0),
        gradient: |g, dy| {
            ops::mul(dy, &ops::sub(&ops::bessel_y0(g.x(0))?, &ops::div(g.y(), g.x(0))?)?)?
        },
    }

    /// Dawson's function: `exp(-x²)` times the integral of `exp(t²)` from 0 to `x`.
    ///
    /// TensorFlow: `Dawsn`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::dawsn(&scalar(1.0f64))?.item::<f64>()?;
    /// assert!((y - 0.538_079_51).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Dawsn = "Dawsn" {
        types: { T: DTypeSet::FLOAT },
        call: dawsn,
        kernel: Map(&s::DAWSN),
        gradient: |g, dy| {
            ops::mul(dy, &ops::sub(1.0, &ops::mul(&ops::mul(g.x(0), g.y())?, 2.0)?)?)?
        },
    }

    /// The exponential integral `Ei(x)`; minus infinity at zero, NaN below.
    ///
    /// SciPy: `expi`; TensorFlow: `Expint`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::expint(&scalar(1.0f64))?.item::<f64>()?;
    /// assert!((y - 1.895_117_82).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Expint = "Expint" {
        types: { T: DTypeSet::FLOAT },
        call: expint,
        kernel: Map(&s::EXPINT),
        finite_at: (1.0),
        gradient: |g, dy| ops::mul(dy, &ops::div(&g.x(0).exp()?, g.x(0))?)?,
    }

    /// The integral of `cos(π/2 t²)` from 0 to `x`.
    ///
    /// The second result of SciPy's `fresnel`. TensorFlow: `FresnelCos`. Input of any shape; the
    /// result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::fresnel_cos(&scalar(1.0f64))?.item::<f64>()?;
    /// assert!((y - 0.779_893_40).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary FresnelCos = "FresnelCos" {
        types: { T: DTypeSet::FLOAT },
        call: fresnel_cos,
        kernel: Map(&s::FRESNEL_COS),
        gradient: |g, dy| ops::mul(dy, &quarter_turns(g.x(0))?.cos()?)?,
    }

    /// The integral of `sin(π/2 t²)` from 0 to `x`.
    ///
    /// The first result of SciPy's `fresnel`. TensorFlow: `FresnelSin`. Input of any shape; the result
    /// has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::fresnel_sin(&scalar(1.0f64))?.item::<f64>()?;
    /// assert!((y - 0.438_259_15).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary FresnelSin = "FresnelSin" {
        types: { T: DTypeSet::FLOAT },
        call: fresnel_sin,
        kernel: Map(&s::FRESNEL_SIN),
        gradient: |g, dy| ops::mul(dy, &quarter_turns(g.x(0))?.sin()?)?,
    }

    /// Spence's function: the integral of `log(t) / (1 - t)` from 1 to `x`; NaN below zero.
    ///
    /// TensorFlow: `Spence`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::spence(&scalar(0.0f64))?.item::<f64>()?;
    /// assert!((y - std::f64::consts::PI.powi(2) / 6.0).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Spence = "Spence" {
        types: { T: DTypeSet::FLOAT },
        call: spence,
        kernel: Map(&s::SPENCE),
        gradient: |g, dy| {
            let slope = ops::div(&g.x(0).log()?, &ops::sub(1.0, g.x(0))?)?;
            ops::mul(dy, &ops::select(&g.x(0).equal(1.0)?, -1.0, &slope)?)?
        },
    }

    /// Rounds every element to the nearest integer, halves to even. Integers become zero, as in
    /// TensorFlow; the function [`ops::round`](crate::ops::round) leaves them unchanged and runs
    /// [`Rint`](crate::ops::Rint) on floats.
    ///
    /// TensorFlow: `Round`. Input of any shape; the result has the same.
    pub unary Round = "Round" {
        types: { T: DTypeSet::REAL },
        kernel: Choose(kernel::round),
        gradient: none,
    }

    /// The lower regularized incomplete gamma function `P(a, x)`; zero where `x` is zero.
    ///
    /// SciPy: `gammainc`; TensorFlow: `Igamma`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = scalar(1.0f64).igamma(2.0)?.item::<f64>()?;
    /// assert!((y - (1.0 - (-2f64).exp())).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Igamma = "Igamma" {
        inputs: { a: T, x: T },
        types: { T: DTypeSet::FLOAT },
        call: method igamma(a, x),
        kernel: Zip(&s::IGAMMA),
        finite_at: (1.0, 1.0),
        gradient: |g, a, x, dy| {
            (Some(ops::mul(dy, &ops::igamma_grad_a(a, x)?)?), Some(ops::mul(dy, &density(a, x)?)?))
        },
    }

    /// The upper regularized incomplete gamma function `Q(a, x) = 1 - P(a, x)`.
    ///
    /// SciPy: `gammaincc`; TensorFlow: `Igammac`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = scalar(1.0f64).igammac(2.0)?.item::<f64>()?;
    /// assert!((y - (-2f64).exp()).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Igammac = "Igammac" {
        inputs: { a: T, x: T },
        types: { T: DTypeSet::FLOAT },
        call: method igammac(a, x),
        kernel: Zip(&s::IGAMMAC),
        finite_at: (1.0, 1.0),
        gradient: |g, a, x, dy| {
            let minus = ops::neg(dy)?;
            (Some(ops::mul(&minus, &ops::igamma_grad_a(a, x)?)?), Some(ops::mul(&minus, &density(a, x)?)?))
        },
    }
    /// The derivative of a number `sample`, drawn from the gamma distribution, with respect to the shape `alpha` of the
    /// distribution.
    ///
    /// TensorFlow: `RandomGammaGrad`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// // The mean of the distribution is its shape, so numbers move with it about as fast.
    /// let slope = ops::random_gamma_grad(&scalar(100.0f64), 100.0)?.item::<f64>()?;
    /// assert!((slope - 1.0).abs() < 0.01);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary RandomGammaGrad = "RandomGammaGrad" {
        inputs: { alpha: T, sample: T },
        types: { T: DTypeSet::FLOAT },
        call: random_gamma_grad(alpha, sample),
        kernel: Zip(&s::GAMMA_SAMPLE_GRAD),
        finite_at: (1.0, 1.0),
        gradient: |g, a, x, dy| (g.missing(0)?, g.missing(1)?),
    }


    /// The derivative of [`igamma()`] with respect to `a`.
    ///
    /// TensorFlow: `IgammaGradA`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::igamma_grad_a(&scalar(1.0f64), 1.0)?.item::<f64>()?;
    /// assert!((y + 0.431_729_71).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary IgammaGradA = "IgammaGradA" {
        inputs: { a: T, x: T },
        types: { T: DTypeSet::FLOAT },
        call: igamma_grad_a(a, x),
        kernel: Zip(&s::IGAMMA_GRAD_A),
        // The derivative by `a` has no closed form.
        gradient: |g, a, x, dy| {
            let by_x = || ops::mul(&density(a, x)?, &ops::sub(&x.log()?, &a.digamma()?)?);
            (g.missing(0)?, g.wants(1).then(|| ops::mul(dy, &by_x()?)).transpose()?)
        },
    }

    /// Hurwitz's zeta function: the sum of `(q + k)⁻ˣ` over all natural `k`; NaN for `x` below 1.
    ///
    /// TensorFlow: `Zeta`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = scalar(2.0f64).zeta(1.0)?.item::<f64>()?;
    /// assert!((y - std::f64::consts::PI.powi(2) / 6.0).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Zeta = "Zeta" {
        inputs: { x: T, q: T },
        types: { T: DTypeSet::FLOAT },
        call: method zeta(x, q),
        kernel: Zip(&s::ZETA),
        finite_at: (2.0, 1.0),
        gradient: |g, s, q, dy| {
            let next = ops::add(s, 1.0)?.zeta(q)?;
            (g.missing(0)?, Some(ops::neg(&ops::mul(dy, &ops::mul(s, &next)?)?)?))
        },
    }

    /// The derivative of order `a` of [`digamma()`]; NaN unless `a` is a natural number.
    ///
    /// TensorFlow: `Polygamma`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = scalar(1.0f64).polygamma(1.0)?.item::<f64>()?;
    /// assert!((y - std::f64::consts::PI.powi(2) / 6.0).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Polygamma = "Polygamma" {
        inputs: { a: T, x: T },
        types: { T: DTypeSet::FLOAT },
        call: method polygamma(a, x),
        kernel: Zip(&s::POLYGAMMA),
        finite_at: (1.0, 1.0),
        gradient: |g, n, x, dy| {
            (None::<Tensor>, Some(ops::mul(dy, &ops::add(n, 1.0)?.polygamma(x)?)?))
        },
    }

    /// Returns the next number of the dtype after `x1` on the way to `x2`; `x2` where they are equal.
    ///
    /// TensorFlow: `NextAfter`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![1.0f32, 2.0].next_after(2.0)?;
    /// assert_eq!(y.as_slice::<f32>()?, &[1.0 + f32::EPSILON, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary NextAfter = "NextAfter" {
        inputs: { x1: T, x2: T }, outputs: { output: T },
        types: { T: DTypeSet::of(&[DType::F32, DType::F64]) },
        call: method next_after,
        kernel: Zip(&s::NEXT_AFTER),
        // The result moves with the first operand; the second only gives the direction.
        gradient: |g, x, towards, dy| (Some(dy.clone()), None::<Tensor>),
    }

    /// Returns true where `|x - y| < tolerance`.
    ///
    /// TensorFlow: `ApproximateEqual`. Operands of one dtype and one shape: they don't broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let near = ops::approximate_equal(&tensor![1.0f32, 2.0], &tensor![1.05f32, 3.0], 0.1)?;
    /// assert_eq!(near.as_slice::<bool>()?, &[true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary ApproximateEqual = "ApproximateEqual" {
        outputs: { z: {Bool} },
        types: { T: DTypeSet::REAL }, attrs: { tolerance: f32 = 1e-5 },
        call: approximate_equal(x, y; tolerance),
        infer: same_shapes_bool, kernel: kernel::approximate_equal,
        gradient: none,
        batch: alike,
    }

    /// The regularized incomplete beta function `I(x; a, b)`; NaN unless `a` and `b` are positive
    /// and `x` is from 0 to 1.
    ///
    /// TensorFlow: `Betainc`. Operands of one shape; scalars broadcast to it.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::betainc(&scalar(1.0f64), &scalar(2.0f64), &scalar(0.5f64))?.item::<f64>()?;
    /// assert!((y - 0.75).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Betainc = "Betainc" {
        inputs: { a: T, b: T, x: T }, outputs: { z: T },
        types: { T: DTypeSet::FLOAT },
        call: betainc(a, b, x),
        infer: same_shapes_or_scalars, kernel: kernel::betainc,
        gradient: gradient::betainc,
    }
}
