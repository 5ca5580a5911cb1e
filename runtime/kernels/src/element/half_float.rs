//! The operations of `f16` and `bf16`: widen to `f32`, compute, round once.
//!
//! The conversions are written with selects rather than with the functions of
//! the `half` crate, which look up CPU features for every element and so keep a
//! loop from being vectorised.

use super::{Arithmetic, Float, Real, Transcendental, bf16, f16};

/// A sixteen-bit float.
pub(crate) trait Half: Copy {
    /// Exact conversion.
    fn widen(self) -> f32;
    /// Conversion rounding to nearest, ties to even.
    fn narrow(x: f32) -> Self;
    /// Conversion rounding towards zero.
    fn truncate(x: f32) -> Self;
}

impl Half for f16 {
    #[inline(always)]
    fn widen(self) -> f32 {
        const TWO_POW_112: f32 = f32::from_bits((127 + 112) << 23);
        const INFINITE_EXPONENT: u32 = 31 << 23;
        let bits = u32::from(self.to_bits());
        let magnitude = (bits & 0x7fff) << 13;
        // The multiplication rebiases the exponent and normalises denormals.
        let finite = (f32::from_bits(magnitude) * TWO_POW_112).to_bits();
        let special = magnitude | f32::INFINITY.to_bits();
        let value = if magnitude >= INFINITE_EXPONENT { special } else { finite };
        f32::from_bits(value | (bits & 0x8000) << 16)
    }

    #[inline(always)]
    fn narrow(x: f32) -> Self {
        const OVERFLOW: u32 = (127 + 16) << 23;
        const LEAST_NORMAL: u32 = (127 - 14) << 23;
        let bits = x.to_bits();
        let magnitude = bits & 0x7fff_ffff;
        let special = if magnitude > f32::INFINITY.to_bits() { 0x7e00 } else { 0x7c00 };
        // Adding one half leaves the ten mantissa bits of a denormal, rounded.
        let denormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());
        let odd = (magnitude >> 13) & 1;
        let normal = magnitude.wrapping_sub(112 << 23).wrapping_add(0xfff + odd) >> 13;
        let small = if magnitude < LEAST_NORMAL { denormal } else { normal };
        let value = if magnitude >= OVERFLOW { special } else { small };
        f16::from_bits((value | (bits >> 16) & 0x8000) as u16)
    }

    #[inline(always)]
    fn truncate(x: f32) -> Self {
        let nearest = Self::narrow(x);
        // The previous number has the previous bits, whatever the sign.
        let away = nearest.widen().abs() > x.abs();
        Self::from_bits(nearest.to_bits() - u16::from(away))
    }
}

impl Half for bf16 {
    #[inline(always)]
    fn widen(self) -> f32 {
        f32::from_bits(u32::from(self.to_bits()) << 16)
    }

    #[inline(always)]
    fn narrow(x: f32) -> Self {
        let bits = x.to_bits();
        let odd = (bits >> 16) & 1;
        let rounded = bits.wrapping_add(0x7fff + odd) >> 16;
        let quiet = (bits >> 16) | 0x40;
        bf16::from_bits(if x.is_nan() { quiet } else { rounded } as u16)
    }

    #[inline(always)]
    fn truncate(x: f32) -> Self {
        let nearest = Self::narrow(x);
        // The previous number has the previous bits, whatever the sign.
        let away = nearest.widen().abs() > x.abs();
        Self::from_bits(nearest.to_bits() - u16::from(away))
    }
}

/// Unary methods that go through `f32`.
macro_rules! unary {
    ($trait:ident: $($method:ident)*) => {$(
        #[inline(always)]
        fn $method(self) -> Self {
            Self::narrow($trait::$method(self.widen()))
        }
    )*};
}

/// Binary methods that go through `f32`.
macro_rules! binary {
    ($trait:ident: $($method:ident)*) => {$(
        #[inline(always)]
        fn $method(self, rhs: Self) -> Self {
            Self::narrow($trait::$method(self.widen(), rhs.widen()))
        }
    )*};
}

/// Predicates that go through `f32`.
macro_rules! predicate {
    ($($method:ident)*) => {$(
        #[inline(always)]
        fn $method(self) -> bool {
            Float::$method(self.widen())
        }
    )*};
}

macro_rules! half_float {
    ($t:ident, $sign_bit:expr) => {
        impl Arithmetic for $t {
            const ZERO: Self = $t::ZERO;
            const ONE: Self = $t::ONE;
            binary!(Arithmetic: add sub mul);
            unary!(Arithmetic: square);
            #[inline(always)]
            fn neg(self) -> Self {
                $t::from_bits(self.to_bits() ^ $sign_bit)
            }
        }

        impl Real for $t {
            const LOWEST: Self = $t::NEG_INFINITY;
            const HIGHEST: Self = $t::INFINITY;
            unary!(Real: floor ceil round_half_even sign relu relu6);
            binary!(Real: floor_mod trunc_mod);
            #[inline(always)]
            fn floor_div(self, rhs: Self) -> Self {
                Real::floor(Transcendental::div(self, rhs))
            }
            #[inline(always)]
            fn trunc_div(self, rhs: Self) -> Self {
                Self::narrow(Transcendental::div(self, rhs).widen().trunc())
            }
            #[inline(always)]
            fn maximum(self, rhs: Self) -> Self {
                let (x, y) = (self.widen(), rhs.widen());
                if x < y || y.is_nan() { rhs } else { self }
            }
            #[inline(always)]
            fn minimum(self, rhs: Self) -> Self {
                let (x, y) = (self.widen(), rhs.widen());
                if y < x || y.is_nan() { rhs } else { self }
            }
            #[inline(always)]
            fn abs(self) -> Self {
                $t::from_bits(self.to_bits() & !$sign_bit)
            }
        }

        impl Transcendental for $t {
            unary!(Transcendental: exp expm1 log log1p sqrt rsqrt reciprocal sin cos tan asin acos
                atan sinh cosh tanh asinh acosh atanh sigmoid);
            binary!(Transcendental: div pow div_no_nan xdivy xlogy xlog1py);
        }

        impl Float for $t {
            predicate!(is_nan is_inf is_finite);
            unary!(Float: softplus softsign cbrt erf erfc lgamma elu selu);
            binary!(Float: leaky_relu atan2 hypot);
        }
    };
}
half_float!(f16, 0x8000);
half_float!(bf16, 0x8000);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_widens_as_in_the_half_crate() {
        for bits in 0..=u16::MAX {
            let (x, y) = (f16::from_bits(bits), bf16::from_bits(bits));
            let (want_x, want_y) = (x.to_f32_const(), y.to_f32_const());
            assert!(
                x.widen().to_bits() == want_x.to_bits() || want_x.is_nan() && x.widen().is_nan()
            );
            assert!(
                y.widen().to_bits() == want_y.to_bits() || want_y.is_nan() && y.widen().is_nan()
            );
        }
    }

    #[test]
    fn narrowing_rounds_as_in_the_half_crate() {
        for step in 0..=(u32::MAX / 4999) {
            let x = f32::from_bits(step * 4999);
            let (got, want) = (f16::narrow(x), f16::from_f32_const(x));
            assert!(got.to_bits() == want.to_bits() || x.is_nan() && got.is_nan(), "{x}");
            let (got, want) = (bf16::narrow(x), bf16::from_f32_const(x));
            assert!(got.to_bits() == want.to_bits() || x.is_nan() && got.is_nan(), "{x}");
        }
    }

    #[test]
    fn truncation_goes_towards_zero() {
        assert_eq!(f16::truncate(70000.0), f16::MAX);
        assert_eq!(f16::truncate(f32::NEG_INFINITY), f16::NEG_INFINITY);
        assert_eq!(f16::truncate(-0.691_365_1).to_f32(), -0.690_917_97);
        assert_eq!(bf16::truncate(0.538_247_3).to_f32(), 0.535_156_25);
        assert!(bf16::truncate(f32::NAN).is_nan());
    }

    #[test]
    fn ties_and_limits() {
        assert_eq!(f16::narrow(65519.9).to_bits(), 0x7bff);
        assert_eq!(f16::narrow(65520.0), f16::INFINITY);
        assert_eq!(f16::narrow(2f32.powi(-25)).to_bits(), 0);
        assert_eq!(f16::narrow(2f32.powi(-24) * 1.5).to_bits(), 2);
        assert_eq!(Arithmetic::neg(f16::ZERO).to_bits(), 0x8000);
        assert_eq!(Arithmetic::add(bf16::ONE, bf16::from_f32(1.0 / 256.0)), bf16::ONE);
    }
}
