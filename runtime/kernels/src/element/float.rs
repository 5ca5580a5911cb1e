//! The operations of `f32` and `f64`.
//!
//! Common functions are the polynomials of [`crate::math`], which vectorise;
//! rarer ones call the system's functions.

use super::{Arithmetic, Float, Real, SELU_SCALE, SELU_SCALE_ALPHA, Transcendental};
use crate::math::{self, double};

macro_rules! float {
    ($t:ident) => {
        impl Arithmetic for $t {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            #[inline(always)]
            fn add(self, rhs: Self) -> Self {
                self + rhs
            }
            #[inline(always)]
            fn sub(self, rhs: Self) -> Self {
                self - rhs
            }
            #[inline(always)]
            fn mul(self, rhs: Self) -> Self {
                self * rhs
            }
            #[inline(always)]
            fn neg(self) -> Self {
                -self
            }
        }

        impl Real for $t {
            const LOWEST: Self = $t::NEG_INFINITY;
            const HIGHEST: Self = $t::INFINITY;
            #[inline(always)]
            fn abs(self) -> Self {
                $t::abs(self)
            }
            #[inline(always)]
            fn floor(self) -> Self {
                $t::floor(self)
            }
            #[inline(always)]
            fn ceil(self) -> Self {
                $t::ceil(self)
            }
            #[inline(always)]
            fn round_half_even(self) -> Self {
                self.round_ties_even()
            }
            #[inline(always)]
            fn floor_div(self, rhs: Self) -> Self {
                $t::floor(self / rhs)
            }
            #[inline(always)]
            fn floor_mod(self, rhs: Self) -> Self {
                let remainder = self % rhs;
                let opposite = remainder != 0.0 && (remainder < 0.0) != (rhs < 0.0);
                if opposite { remainder + rhs } else { remainder }
            }
            #[inline(always)]
            fn trunc_div(self, rhs: Self) -> Self {
                (self / rhs).trunc()
            }
            #[inline(always)]
            fn trunc_mod(self, rhs: Self) -> Self {
                self % rhs
            }
            #[inline(always)]
            fn relu6(self) -> Self {
                let not_negative = self.relu();
                if not_negative > 6.0 { 6.0 } else { not_negative }
            }
        }
    };
}
float!(f32);
float!(f64);

/// Trait methods that each call one function.
macro_rules! calls {
    ($($method:ident = $function:path),* $(,)?) => {$(
        #[inline(always)]
        fn $method(self) -> Self {
            $function(self)
        }
    )*};
}

/// Trait methods whose formula is the same for both widths.
macro_rules! common_transcendental {
    ($t:ident, $pow:path) => {
        #[inline(always)]
        fn div(self, rhs: Self) -> Self {
            self / rhs
        }
        #[inline(always)]
        fn rsqrt(self) -> Self {
            1.0 / $t::sqrt(self)
        }
        #[inline(always)]
        fn reciprocal(self) -> Self {
            1.0 / self
        }
        #[inline(always)]
        fn pow(self, exponent: Self) -> Self {
            $pow(self, exponent)
        }
    };
}

/// Functions of `f32` by way of `f64`.
macro_rules! wide {
    ($($f:ident($($x:ident),+);)*) => {$(
        #[inline(always)]
        fn $f($($x: f32),+) -> f32 {
            double::$f($(f64::from($x)),+) as f32
        }
    )*};
}
wide! { asinh(x); acosh(x); atanh(x); cbrt(x); hypot(x, y); }

impl Transcendental for f32 {
    common_transcendental!(f32, math::pow);
    calls! {
        exp = math::exp, expm1 = math::expm1, sigmoid = math::sigmoid, log = math::log, log1p = math::log1p,
        sqrt = f32::sqrt, sin = math::sin, cos = math::cos, tan = math::tan,
        asin = math::asin, acos = math::acos, atan = math::atan,
        sinh = math::sinh, cosh = math::cosh, tanh = math::tanh,
        asinh = asinh, acosh = acosh, atanh = atanh,
    }
}

impl Transcendental for f64 {
    common_transcendental!(f64, double::pow);
    calls! {
        exp = double::exp, expm1 = double::expm1, sigmoid = double::sigmoid, log = double::log, log1p = double::log1p,
        sqrt = f64::sqrt, sin = f64::sin, cos = f64::cos, tan = f64::tan,
        asin = double::asin, acos = double::acos, atan = double::atan,
        sinh = double::sinh, cosh = double::cosh, tanh = double::tanh,
        asinh = double::asinh, acosh = double::acosh, atanh = double::atanh,
    }
}

macro_rules! float_functions {
    ($t:ident, $atan2:path, $hypot:path, $cbrt:path, $erf:path, $erfc:path, $lgamma:path) => {
        impl Float for $t {
            calls! { cbrt = $cbrt, erf = $erf, erfc = $erfc, lgamma = $lgamma }
            #[inline(always)]
            fn is_nan(self) -> bool {
                $t::is_nan(self)
            }
            #[inline(always)]
            fn is_inf(self) -> bool {
                self.is_infinite()
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                $t::is_finite(self)
            }
            #[inline(always)]
            fn softplus(self) -> Self {
                self.relu() + Transcendental::log1p(Transcendental::exp(-$t::abs(self)))
            }
            #[inline(always)]
            fn softsign(self) -> Self {
                self / (1.0 + $t::abs(self))
            }
            #[inline(always)]
            fn elu(self) -> Self {
                let negative = Transcendental::expm1(self);
                if self < 0.0 { negative } else { self }
            }
            #[inline(always)]
            fn selu(self) -> Self {
                let negative = SELU_SCALE_ALPHA as $t * Transcendental::expm1(self);
                if self < 0.0 { negative } else { SELU_SCALE as $t * self }
            }
            #[inline(always)]
            fn atan2(self, x: Self) -> Self {
                $atan2(self, x)
            }
            #[inline(always)]
            fn hypot(self, y: Self) -> Self {
                $hypot(self, y)
            }
        }
    };
}
float_functions!(f32, math::atan2, hypot, cbrt, math::erf, libm::erfcf, libm::lgammaf);
float_functions!(
    f64,
    double::atan2,
    double::hypot,
    double::cbrt,
    libm::erf,
    libm::erfc,
    libm::lgamma
);

#[cfg(test)]
mod tests {
    use super::*;

    fn same(x: f32, y: f32) -> bool {
        x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan())
    }

    #[test]
    fn extrema_propagate_nan() {
        let nan = f32::NAN;
        assert!(Real::maximum(nan, 1.0).is_nan() && Real::maximum(1.0, nan).is_nan());
        assert!(Real::minimum(nan, 1.0).is_nan() && Real::minimum(1.0, nan).is_nan());
        assert!(Real::relu(nan).is_nan() && Real::relu6(nan).is_nan() && Real::sign(nan).is_nan());
        assert!(same(Real::sign(-0.0f32), 0.0));
    }

    #[test]
    fn acosh_is_of_numbers_from_one_on() {
        use crate::element::{bf16, f16};
        for bits in 0..=u16::MAX {
            let (h, b) = (f16::from_bits(bits), bf16::from_bits(bits));
            let want = |x: f32| x < 1.0 || x.is_nan();
            assert_eq!(Float::is_nan(Transcendental::acosh(h)), want(h.to_f32()), "{h}");
            assert_eq!(Float::is_nan(Transcendental::acosh(b)), want(b.to_f32()), "{b}");
            // All combinations of sign, exponent and the first bits of the fraction.
            let (x, y) = (u32::from(bits) << 16 | 0x5a5a, u64::from(bits) << 48 | 0x5a5a);
            let (x, y) = (f32::from_bits(x), f64::from_bits(y));
            assert_eq!(Transcendental::acosh(x).is_nan(), want(x), "{x}");
            assert_eq!(Transcendental::acosh(y).is_nan(), y < 1.0 || y.is_nan(), "{y}");
        }
    }

    #[test]
    fn modulo_takes_the_sign_of_the_divisor() {
        assert_eq!(Real::floor_mod(-7.0f32, 3.0), 2.0);
        assert_eq!(Real::floor_mod(7.0f64, -3.0), -2.0);
        assert_eq!(Real::floor_mod(1.0f32, f32::NEG_INFINITY), f32::NEG_INFINITY);
        assert!(same(Real::floor_mod(-0.0f32, 3.0), -0.0));
        assert!(Real::floor_mod(1.0f32, 0.0).is_nan());
        assert_eq!(Real::trunc_mod(-7.0f32, 3.0), -1.0);
    }

    #[test]
    fn zero_wins_in_guarded_operations() {
        assert_eq!(Transcendental::div_no_nan(f32::NAN, 0.0), 0.0);
        assert_eq!(Transcendental::xlogy(0.0f64, 0.0), 0.0);
        assert_eq!(Transcendental::xdivy(0.0f64, 0.0), 0.0);
        assert_eq!(Arithmetic::mul_no_nan(f32::INFINITY, 0.0), 0.0);
    }

    #[test]
    fn activations_at_the_ends() {
        assert_eq!(Float::softplus(1000.0f32), 1000.0);
        assert_eq!(Float::softplus(-1000.0f32), 0.0);
        assert_eq!(Float::elu(f32::NEG_INFINITY), -1.0);
        assert_eq!(Transcendental::sigmoid(f32::NEG_INFINITY), 0.0);
        assert_eq!(Transcendental::sigmoid(f32::INFINITY), 1.0);
        assert!(Float::softplus(f32::NAN).is_nan() && Float::elu(f32::NAN).is_nan());
    }
}
