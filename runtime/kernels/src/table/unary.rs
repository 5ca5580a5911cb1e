//! Unary functions.

use super::{Kind, Table, Unary, UnaryTo, tables};
use crate::element::{
    Arithmetic, Complex32, Complex64, Float, Integer, Real, Transcendental, bf16, f16,
};
use crate::elementwise::map;

macro_rules! functions {
    ($kind:ty: $($(#[$doc:meta])* $name:ident = $set:ident $tr:ident::$f:ident;)*) => {
        tables! { $kind, $(
            #[doc = concat!("[`", stringify!($tr), "::", stringify!($f), "`].")]
            $(#[$doc])*
            $name = $set, |T| |x, out, par| map(x, out, par, crate::op!(<T as $tr>::$f));
        )* }
    };
}

functions! { Unary:
    NEG = numeric Arithmetic::neg;
    SQUARE = numeric Arithmetic::square;
    ABS = real Real::abs;
    REAL_SIGN = real Real::sign;
    EXP = inexact Transcendental::exp;
    EXPM1 = inexact Transcendental::expm1;
    LOG = inexact Transcendental::log;
    LOG1P = inexact Transcendental::log1p;
    SQRT = inexact Transcendental::sqrt;
    RSQRT = inexact Transcendental::rsqrt;
    RECIPROCAL = inexact Transcendental::reciprocal;
    SIN = inexact Transcendental::sin;
    COS = inexact Transcendental::cos;
    TAN = inexact Transcendental::tan;
    ASIN = inexact Transcendental::asin;
    ACOS = inexact Transcendental::acos;
    ATAN = inexact Transcendental::atan;
    SINH = inexact Transcendental::sinh;
    COSH = inexact Transcendental::cosh;
    TANH = inexact Transcendental::tanh;
    ASINH = inexact Transcendental::asinh;
    ACOSH = inexact Transcendental::acosh;
    ATANH = inexact Transcendental::atanh;
    SIGMOID = inexact Transcendental::sigmoid;
    SOFTPLUS = float Float::softplus;
    SOFTSIGN = float Float::softsign;
    RELU = real Real::relu;
    RELU6 = real Real::relu6;
    ELU = float Float::elu;
    SELU = float Float::selu;
    ERF = float Float::erf;
    ERFC = float Float::erfc;
    FLOOR = real Real::floor;
    CEIL = real Real::ceil;
    RINT = float Real::rint;
    INVERT = integer Integer::not;
}

functions! { UnaryTo<bool>:
    IS_NAN = float Float::is_nan;
    IS_INF = float Float::is_inf;
    IS_FINITE = float Float::is_finite;
}

functions! { UnaryTo<u8>:
    POPULATION_COUNT = integer Integer::population_count;
}

tables! { Unary,
    /// The number on the unit circle in the direction of a complex number; zero stays.
    COMPLEX_SIGN = complex, |T| |x, out, par| map(x, out, par,
        #[inline(always)]
        |x: T| if x == T::ZERO { x } else { x / x.norm() });
    /// The conjugate.
    CONJ = complex, |T| |x, out, par| map(x, out, par,
        #[inline(always)]
        |x: T| x.conj());
    /// One divided by an integer, which is not zero.
    INTEGER_RECIPROCAL = integer, |T| |x, out, par| map(x, out, par,
        #[inline(always)]
        |x: T| Real::trunc_div(T::ONE, x));
    /// The error function of float64 as TensorFlow has it: its polynomial gives NaN where the square
    /// overflows.
    ERF_F64 = double, |T| |x, out, par| map(x, out, par,
        #[inline(always)]
        |x: T| if (x * x).is_infinite() { T::NAN } else { Float::erf(x) });
    /// The truth turned around.
    LOGICAL_NOT = bool, |T| |x, out, par| map(x, out, par,
        #[inline(always)]
        |x: T| !x);
}
