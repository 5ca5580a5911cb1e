//! Special functions, unary and binary, and comparisons of floats.

use crate::define_op;
use crate::ops::infer;
use crate::ops::kernel::special as s;
use crate::types::{DType, DTypeSet};

define_op! {
    /// The logarithm of the absolute value of the gamma function; infinite at its poles.
    ///
    /// TensorFlow: `Lgamma`. Input of any shape; the result has the same.
    pub unary Lgamma = LgammaFn("Lgamma") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::LGAMMA,
    }
}

define_op! {
    /// The derivative of [`Lgamma`]; NaN at the poles, which are zero and the negative integers.
    ///
    /// TensorFlow: `Digamma`. Input of any shape; the result has the same.
    pub unary Digamma = DigammaFn("Digamma") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::DIGAMMA,
    }
}

define_op! {
    /// The inverse of [`Erf`](crate::ops::Erf); infinite at -1 and 1, NaN beyond.
    ///
    /// TensorFlow: `Erfinv`. Input of any shape; the result has the same.
    pub unary Erfinv = ErfinvFn("Erfinv") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::ERFINV,
    }
}

define_op! {
    /// The quantile function of the normal distribution; infinite at 0 and 1, NaN beyond.
    ///
    /// TensorFlow: `Ndtri`. Input of any shape; the result has the same.
    pub unary Ndtri = NdtriFn("Ndtri") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::NDTRI,
    }
}

define_op! {
    /// The modified Bessel function of the first kind and order 0.
    ///
    /// TensorFlow: `BesselI0`. Input of any shape; the result has the same.
    pub unary BesselI0 = BesselI0Fn("BesselI0") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::BESSEL_I0,
    }
}

define_op! {
    /// `exp(-|x|) * i0(x)`, see [`BesselI0`]; does not overflow.
    ///
    /// TensorFlow: `BesselI0e`. Input of any shape; the result has the same.
    pub unary BesselI0e = BesselI0eFn("BesselI0e") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::BESSEL_I0E,
    }
}

define_op! {
    /// The modified Bessel function of the first kind and order 1.
    ///
    /// TensorFlow: `BesselI1`. Input of any shape; the result has the same.
    pub unary BesselI1 = BesselI1Fn("BesselI1") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::BESSEL_I1,
    }
}

define_op! {
    /// `exp(-|x|) * i1(x)`, see [`BesselI1`]; does not overflow.
    ///
    /// TensorFlow: `BesselI1e`. Input of any shape; the result has the same.
    pub unary BesselI1e = BesselI1eFn("BesselI1e") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::BESSEL_I1E,
    }
}

define_op! {
    /// The Bessel function of the first kind and order 0.
    ///
    /// TensorFlow: `BesselJ0`. Input of any shape; the result has the same.
    pub unary BesselJ0 = BesselJ0Fn("BesselJ0") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::BESSEL_J0,
    }
}

define_op! {
    /// The Bessel function of the first kind and order 1.
    ///
    /// TensorFlow: `BesselJ1`. Input of any shape; the result has the same.
    pub unary BesselJ1 = BesselJ1Fn("BesselJ1") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::BESSEL_J1,
    }
}

define_op! {
    /// The modified Bessel function of the second kind and order 0; infinite at zero, NaN below.
    ///
    /// TensorFlow: `BesselK0`. Input of any shape; the result has the same.
    pub unary BesselK0 = BesselK0Fn("BesselK0") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::BESSEL_K0,
    }
}

define_op! {
    /// `exp(x) * k0(x)`, see [`BesselK0`]; does not underflow.
    ///
    /// TensorFlow: `BesselK0e`. Input of any shape; the result has the same.
    pub unary BesselK0e = BesselK0eFn("BesselK0e") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::BESSEL_K0E,
    }
}

define_op! {
    /// The modified Bessel function of the second kind and order 1; infinite at zero, NaN below.
    ///
    /// TensorFlow: `BesselK1`. Input of any shape; the result has the same.
    pub unary BesselK1 = BesselK1Fn("BesselK1") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::BESSEL_K1,
    }
}

define_op! {
    /// `exp(x) * k1(x)`, see [`BesselK1`]; does not underflow.
    ///
    /// TensorFlow: `BesselK1e`. Input of any shape; the result has the same.
    pub unary BesselK1e = BesselK1eFn("BesselK1e") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::BESSEL_K1E,
    }
}

define_op! {
    /// The Bessel function of the second kind and order 0; minus infinity at zero, NaN below.
    ///
    /// TensorFlow: `BesselY0`. Input of any shape; the result has the same.
    pub unary BesselY0 = BesselY0Fn("BesselY0") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::BESSEL_Y0,
    }
}

define_op! {
    /// The Bessel function of the second kind and order 1; minus infinity at zero, NaN below.
    ///
    /// TensorFlow: `BesselY1`. Input of any shape; the result has the same.
    pub unary BesselY1 = BesselY1Fn("BesselY1") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::BESSEL_Y1,
    }
}

define_op! {
    /// Dawson's function: `exp(-x²)` times the integral of `exp(t²)` from 0 to `x`.
    ///
    /// TensorFlow: `Dawsn`. Input of any shape; the result has the same.
    pub unary Dawsn = DawsnFn("Dawsn") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::DAWSN,
    }
}

define_op! {
    /// The exponential integral `Ei(x)`; minus infinity at zero, NaN below.
    ///
    /// TensorFlow: `Expint`. Input of any shape; the result has the same.
    pub unary Expint = ExpintFn("Expint") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::EXPINT,
    }
}

define_op! {
    /// The integral of `cos(π/2 t²)` from 0 to `x`.
    ///
    /// TensorFlow: `FresnelCos`. Input of any shape; the result has the same.
    pub unary FresnelCos = FresnelCosFn("FresnelCos") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::FRESNEL_COS,
    }
}

define_op! {
    /// The integral of `sin(π/2 t²)` from 0 to `x`.
    ///
    /// TensorFlow: `FresnelSin`. Input of any shape; the result has the same.
    pub unary FresnelSin = FresnelSinFn("FresnelSin") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::FRESNEL_SIN,
    }
}

define_op! {
    /// Spence's function: the integral of `log(t) / (1 - t)` from 1 to `x`; NaN below zero.
    ///
    /// TensorFlow: `Spence`. Input of any shape; the result has the same.
    pub unary Spence = SpenceFn("Spence") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: s::SPENCE,
    }
}

define_op! {
    /// The nearest integer, halves to even. Integers become zero, as in TensorFlow; the function
    /// [`ops::round`](crate::ops::round) is [`Rint`](crate::ops::Rint), which refuses them.
    ///
    /// TensorFlow: `Round`. Input of any shape; the result has the same.
    pub unary Round = RoundFn("Round") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::REAL }, attrs: {},
        infer: infer::same_shape, kernel: s::round,
    }
}

define_op! {
    /// The lower regularized incomplete gamma function `P(a, x)`; zero where `x` is.
    ///
    /// TensorFlow: `Igamma`. Operands of one dtype broadcast.
    pub binary Igamma = IgammaFn("Igamma") {
        inputs: { a: T, x: T }, outputs: { z: T },
        types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::broadcast, kernel: s::IGAMMA,
    }
}

define_op! {
    /// The upper regularized incomplete gamma function `Q(a, x) = 1 - P(a, x)`.
    ///
    /// TensorFlow: `Igammac`. Operands of one dtype broadcast.
    pub binary Igammac = IgammacFn("Igammac") {
        inputs: { a: T, x: T }, outputs: { z: T },
        types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::broadcast, kernel: s::IGAMMAC,
    }
}

define_op! {
    /// The derivative of [`Igamma`] with respect to `a`.
    ///
    /// TensorFlow: `IgammaGradA`. Operands of one dtype broadcast.
    pub binary IgammaGradA = IgammaGradAFn("IgammaGradA") {
        inputs: { a: T, x: T }, outputs: { z: T },
        types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::broadcast, kernel: s::IGAMMA_GRAD_A,
    }
}

define_op! {
    /// Hurwitz's zeta function: the sum of `(q + k)⁻ˣ` over all natural `k`; NaN for `x` below 1.
    ///
    /// TensorFlow: `Zeta`. Operands of one dtype broadcast.
    pub binary Zeta = ZetaFn("Zeta") {
        inputs: { x: T, q: T }, outputs: { z: T },
        types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::broadcast, kernel: s::ZETA,
    }
}

define_op! {
    /// The derivative of order `a` of [`Digamma`]; NaN unless `a` is a natural number.
    ///
    /// TensorFlow: `Polygamma`. Operands of one dtype broadcast.
    pub binary Polygamma = PolygammaFn("Polygamma") {
        inputs: { a: T, x: T }, outputs: { z: T },
        types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::broadcast, kernel: s::POLYGAMMA,
    }
}

define_op! {
    /// The next number of the dtype after `x1` on the way to `x2`; `x2` where they are equal.
    ///
    /// TensorFlow: `NextAfter`. Operands of one dtype broadcast.
    pub binary NextAfter = NextAfterFn("NextAfter") {
        inputs: { x1: T, x2: T }, outputs: { output: T },
        types: { T: DTypeSet::of(&[DType::F32, DType::F64]) }, attrs: {},
        infer: infer::broadcast, kernel: s::NEXT_AFTER,
    }
}

define_op! {
    /// True where `|x - y| < tolerance`.
    ///
    /// TensorFlow: `ApproximateEqual`. Operands of one dtype and one shape: they don't broadcast.
    pub binary ApproximateEqual = ApproximateEqualFn("ApproximateEqual") {
        inputs: { x: T, y: T }, outputs: { z: {Bool} },
        types: { T: DTypeSet::REAL }, attrs: { tolerance: f32 = 1e-5 },
        infer: infer::same_shapes_bool, kernel: s::approximate_equal,
    }
}

define_op! {
    /// The regularized incomplete beta function `I(x; a, b)`; NaN unless `a` and `b` are positive
    /// and `x` is from 0 to 1.
    ///
    /// TensorFlow: `Betainc`. Operands of one shape, where scalars stand for any shape.
    pub op Betainc = "Betainc" {
        inputs: { a: T, b: T, x: T }, outputs: { z: T }, types: { T: DTypeSet::FLOAT },
        attrs: {}, host: {}, arity: 3, effect: Pure,
        infer: infer::same_shapes_or_scalars, kernel: s::betainc,
    }
}
