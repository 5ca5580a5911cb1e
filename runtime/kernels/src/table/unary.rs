//! Unary functions.

use super::{Levels, MapSignature, MapToSignature, Signature, Table, by_f32, tables};
use crate::element::{Arithmetic, Float, Integer, Real, Transcendental};
use crate::elementwise::map_in;
use crate::halves::{map_by_f32, map_to_by_f32};
use crate::par::Par;

/// Ops by the name of their method. The word after the set names the types whose loops gain by being compiled for each
/// CPU level.
macro_rules! functions {
    ($($name:ident = $set:ident $level:ident $tr:ident::$f:ident;)*) => {
        tables! { MapSignature, $(
            #[doc = concat!("[`", stringify!($tr), "::", stringify!($f), "`].")]
            $name = $set, |T| |x, out, par| {
                map_in::<{ <T as Levels>::$level }, _, _, _>(x, out, par, crate::op!(<T as $tr>::$f));
            }, half |x, out, par| map_by_f32(x, out, par, by_f32(&$name));
        )* }
    };
}

functions! {
    SQUARE = numeric ALL Arithmetic::square;
    REAL_SIGN = real ALL Real::sign;
    EXP = inexact FLOATS Transcendental::exp;
    EXPM1 = inexact FLOATS Transcendental::expm1;
    LOG = inexact FLOATS Transcendental::log;
    LOG1P = inexact FLOATS Transcendental::log1p;
    SQRT = inexact FLOATS Transcendental::sqrt;
    RSQRT = inexact FLOATS Transcendental::rsqrt;
    RECIPROCAL = inexact FLOATS Transcendental::reciprocal;
    SIN = inexact F32 Transcendental::sin;
    COS = inexact F32 Transcendental::cos;
    TAN = inexact F32 Transcendental::tan;
    ASIN = inexact FLOATS Transcendental::asin;
    ACOS = inexact FLOATS Transcendental::acos;
    ATAN = inexact FLOATS Transcendental::atan;
    SINH = inexact FLOATS Transcendental::sinh;
    COSH = inexact FLOATS Transcendental::cosh;
    TANH = inexact FLOATS Transcendental::tanh;
    ASINH = inexact FLOATS Transcendental::asinh;
    ACOSH = inexact FLOATS Transcendental::acosh;
    ATANH = inexact FLOATS Transcendental::atanh;
    SIGMOID = inexact FLOATS Transcendental::sigmoid;
    SOFTPLUS = float FLOATS Float::softplus;
    SOFTSIGN = float FLOATS Float::softsign;
    RELU = real ALL Real::relu;
    RELU6 = real ALL Real::relu6;
    ELU = float FLOATS Float::elu;
    SELU = float FLOATS Float::selu;
    CBRT = float FLOATS Float::cbrt;
    ERF = float F32 Float::erf;
    ERFC = float NONE Float::erfc;
    FLOOR = real FLOATS Real::floor;
    CEIL = real FLOATS Real::ceil;
    RINT = float FLOATS Real::rint;
    INVERT = integer ALL Integer::not;
}

tables! { MapSignature,
    /// [`Arithmetic::neg`].
    NEG = numeric, |T| |x, out, par| {
        map_in::<{ <T as Levels>::ALL }, _, _, _>(x, out, par, crate::op!(<T as Arithmetic>::neg));
    };
    /// [`Real::abs`].
    ABS = real, |T| |x, out, par| {
        map_in::<{ <T as Levels>::ALL }, _, _, _>(x, out, par, crate::op!(<T as Real>::abs));
    };
    /// Rounds towards zero.
    TRUNC = real, |T| |x, out, par| map_in::<{ <T as Levels>::FLOATS }, _, _, _>(x, out, par,
        #[inline(always)]
        |x: T| Real::trunc_div(x, T::ONE)),
        half |x, out, par| map_by_f32(x, out, par, by_f32(&TRUNC));
}

macro_rules! predicates {
    ($($name:ident = $tr:ident::$f:ident;)*) => {
        tables! { MapToSignature<bool>, $(
            #[doc = concat!("[`", stringify!($tr), "::", stringify!($f), "`].")]
            $name = float, |T| |x, out, par| {
                map_in::<{ <T as Levels>::FLOATS }, _, _, _>(x, out, par, crate::op!(<T as $tr>::$f));
            }, half |x, out, par| {
                map_to_by_f32(x, out, par, &|x, out| by_f32(&$name)(x, out, Par::Seq));
            };
        )* }
    };
}

predicates! {
    IS_NAN = Float::is_nan;
    IS_INF = Float::is_inf;
    IS_FINITE = Float::is_finite;
}

tables! { MapToSignature<u8>,
    /// [`Integer::population_count`].
    POPULATION_COUNT = integer, |T| |x, out, par| {
        map_in::<false, _, _, _>(x, out, par, crate::op!(<T as Integer>::population_count));
    };
}

tables! { MapSignature,
    /// The number on the unit circle in the direction of a complex number; zero stays zero.
    COMPLEX_SIGN = complex, |T| |x, out, par| map_in::<false, _, _, _>(x, out, par,
        #[inline(always)]
        |x: T| if x == T::ZERO { x } else { x / x.norm() });
    /// The conjugate.
    CONJ = complex, |T| |x, out, par| map_in::<false, _, _, _>(x, out, par,
        #[inline(always)]
        |x: T| x.conj());
    /// One divided by an integer that is not zero.
    INTEGER_RECIPROCAL = integer, |T| |x, out, par| map_in::<false, _, _, _>(x, out, par,
        #[inline(always)]
        |x: T| Real::trunc_div(T::ONE, x));
    /// The error function of float64 as in TensorFlow: its polynomial gives NaN where the square overflows.
    ERF_F64 = double, |T| |x, out, par| map_in::<false, _, _, _>(x, out, par,
        #[inline(always)]
        |x: T| if (x * x).is_infinite() { T::NAN } else { Float::erf(x) });
    /// The logical negation.
    LOGICAL_NOT = bool, |T| |x, out, par| map_in::<true, _, _, _>(x, out, par,
        #[inline(always)]
        |x: T| !x);
}
