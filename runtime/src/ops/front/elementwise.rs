//! Elementwise functions.

use super::front;
use crate::ops::*;
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, Result};

front! {
    functions {
        neg(x) => Neg;
        add(x, y) => AddV2;
        sub(x, y) => Sub;
        mul(x, y) => Mul;
        div(x, y) => RealDiv;
        rem(x, y) => FloorMod;
    }
}

front! {
    /// Elementwise ops as methods of extension types: `masked.tanh()?`.
    methods of Elementwise {
        abs(x) => Abs;
        sign(x) => Sign;
        square(x) => Square;
        sqrt(x) => Sqrt;
        rsqrt(x) => Rsqrt;
        exp(x) => Exp;
        expm1(x) => Expm1;
        log(x) => Log;
        log1p(x) => Log1p;
        sin(x) => Sin;
        cos(x) => Cos;
        tan(x) => Tan;
        asin(x) => Asin;
        acos(x) => Acos;
        atan(x) => Atan;
        sinh(x) => Sinh;
        cosh(x) => Cosh;
        tanh(x) => Tanh;
        asinh(x) => Asinh;
        acosh(x) => Acosh;
        atanh(x) => Atanh;
        sigmoid(x) => Sigmoid;
        softplus(x) => Softplus;
        softsign(x) => Softsign;
        relu(x) => Relu;
        relu6(x) => Relu6;
        elu(x) => Elu;
        selu(x) => Selu;
        erf(x) => Erf;
        erfc(x) => Erfc;
        floor(x) => Floor;
        ceil(x) => Ceil;
        round(x) => Rint;
        reciprocal(x) => Reciprocal;
        is_nan(x) => IsNan;
        is_inf(x) => IsInf;
        is_finite(x) => IsFinite;
        invert(x) => Invert;
        population_count(x) => PopulationCount;
        logical_not(x) => LogicalNot;
        zeros_like(x) => ZerosLike;
        ones_like(x) => OnesLike;
        identity(x) => Identity;
        stop_gradient(x) => StopGradient;
        conj(x) => Conj;
        /// ```
        /// use extype::prelude::*;
        /// assert_eq!(ops::cast(&tensor![1.9f32, -1.9], i32)?.as_slice::<i32>()?, &[1, -1]);
        /// # Ok::<(), Error>(())
        /// ```
        cast(x; dtype: DType) => Cast { 0: CastFn { dst: dtype, truncate: false } };
        lgamma(x) => Lgamma;
        digamma(x) => Digamma;
        erfinv(x) => Erfinv;
        ndtri(x) => Ndtri;
        leaky_relu(x; alpha: f32) => LeakyRelu { 0: LeakyReluFn { alpha } };
        floor_div(x, y) => FloorDiv;
        truncate_div(x, y) => TruncateDiv;
        truncate_mod(x, y) => TruncateMod;
        pow(x, y) => Pow;
        maximum(x, y) => Maximum;
        minimum(x, y) => Minimum;
        squared_difference(x, y) => SquaredDifference;
        atan2(x, y) => Atan2;
        xlogy(x, y) => Xlogy;
        xlog1py(x, y) => Xlog1py;
        xdivy(x, y) => Xdivy;
        div_no_nan(x, y) => DivNoNan;
        mul_no_nan(x, y) => MulNoNan;
        igamma(a, x) => Igamma;
        igammac(a, x) => Igammac;
        polygamma(a, x) => Polygamma;
        zeta(x, q) => Zeta;
        next_after(x, y) => NextAfter;
        equal(x, y) => Equal;
        not_equal(x, y) => NotEqual;
        less(x, y) => Less;
        less_equal(x, y) => LessEqual;
        greater(x, y) => Greater;
        greater_equal(x, y) => GreaterEqual;
        logical_and(x, y) => LogicalAnd;
        logical_or(x, y) => LogicalOr;
        bitwise_and(x, y) => BitwiseAnd;
        bitwise_or(x, y) => BitwiseOr;
        bitwise_xor(x, y) => BitwiseXor;
        left_shift(x, y) => LeftShift;
        right_shift(x, y) => RightShift;
    }
}

front! {
    functions {
        bessel_i0(x) => BesselI0;
        bessel_i0e(x) => BesselI0e;
        bessel_i1(x) => BesselI1;
        bessel_i1e(x) => BesselI1e;
        bessel_j0(x) => BesselJ0;
        bessel_j1(x) => BesselJ1;
        bessel_k0(x) => BesselK0;
        bessel_k0e(x) => BesselK0e;
        bessel_k1(x) => BesselK1;
        bessel_k1e(x) => BesselK1e;
        bessel_y0(x) => BesselY0;
        bessel_y1(x) => BesselY1;
        dawsn(x) => Dawsn;
        expint(x) => Expint;
        fresnel_cos(x) => FresnelCos;
        fresnel_sin(x) => FresnelSin;
        spence(x) => Spence;
        igamma_grad_a(a, x) => IgammaGradA;
        /// ```
        /// use extype::prelude::*;
        /// let near = ops::approximate_equal(&tensor![1.0f32, 2.0], &tensor![1.05f32, 3.0], 0.1)?;
        /// assert_eq!(near.as_slice::<bool>()?, &[true, false]);
        /// # Ok::<(), Error>(())
        /// ```
        approximate_equal(x, y; tolerance: f32) => ApproximateEqual { 0: ApproximateEqualFn { tolerance } };
        betainc(a, b, x) => Betainc {};
        /// `t` where the condition is true, `e` elsewhere; the three broadcast.
        ///
        /// ```
        /// use extype::prelude::*;
        /// let y = ops::select(&tensor![true, false], &tensor![1.0f32, 2.0], 0.0)?;
        /// assert_eq!(y.as_slice::<f32>()?, &[1.0, 0.0]);
        /// # Ok::<(), Error>(())
        /// ```
        select(condition, t, e) => Select {};
    }
}
