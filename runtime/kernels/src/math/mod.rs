//! Elementary functions of `f32`, and some of `f64`, without branches, so that
//! loops over them become vector code.
//!
//! Each is within about two units in the last place; the largest errors that were found are 2.00 for `f32` (`sigmoid`) and 2.14
//! for `f64` (`tanh`).
//! Multiply-adds are fused on every CPU, so the result is the same on all of them and for every vector width. A CPU without the
//! instruction calls a function for each, and is slow here.
//!
//! The coefficients are those of Cephes unless noted.

/// The polynomial of `x` with these coefficients, the highest power's first. Pairs of them are summed first, which wait for
/// nothing but `x`, then the pairs by Horner's rule.
macro_rules! polynomial {
    ($x:expr, [$($c:expr),* $(,)?]) => {{
        let x = $x;
        let square = x * x;
        polynomial!(@reverse x square [$($c),*] [])
    }};
    (@reverse $x:ident $square:ident [$first:expr $(, $next:expr)*] [$($done:expr),*]) => {
        polynomial!(@reverse $x $square [$($next),*] [$first $(, $done)*])
    };
    (@reverse $x:ident $square:ident [] [$($c:expr),*]) => {
        polynomial!(@sum $x $square [$($c),*])
    };
    (@sum $x:ident $square:ident [$a:expr]) => { $a };
    (@sum $x:ident $square:ident [$a:expr, $b:expr]) => { $x.mul_add($b, $a) };
    (@sum $x:ident $square:ident [$a:expr, $b:expr, $($next:expr),*]) => {
        $square.mul_add(polynomial!(@sum $x $square [$($next),*]), $x.mul_add($b, $a))
    };
}

/// The functions that are the same for `f32` and `f64`, by `expm1_of_small` and `log_plus` of their module. The numbers
/// are:
///
/// - `bits`: the bits of the mantissa, and what is added to exponents of two;
/// - `exp`: the exponentials of all numbers below the first one are zero, above the second one infinite;
/// - `expm1`: below it, `eˣ - 1` is -1;
/// - `tanh`: above it, `tanh` is 1;
/// - `half_unit`: half the distance from one to the next number.
macro_rules! elementary {
    ($t:ident, $bits:ident: $mantissa:literal $bias:literal, exp: $least:literal to $most:literal, expm1: $minus_one:literal, tanh: $one:literal, half_unit: $half_unit:literal) => {
        /// Limits `x` to a range, letting NaN through.
        #[inline(always)]
        fn limit(x: $t, lo: $t, hi: $t) -> $t {
            let x = if x < lo { lo } else { x };
            if x > hi { hi } else { x }
        }

        /// `2ⁿ` for the last bits of an integer that is larger than `n` by the bias. Those before them are lost.
        #[inline(always)]
        fn pow2(n: $bits) -> $t {
            $t::from_bits(n << $mantissa)
        }

        /// The nearest integer to `x` times `factor`: in the last bits of an integer, and larger by `offset`; and as it is.
        #[inline(always)]
        fn round(x: $t, factor: $t, offset: $t) -> ($bits, $t) {
            // The sum is so large that only the integer is left of the product.
            let shifted = x.mul_add(factor, ROUND + offset);
            (shifted.to_bits(), shifted - (ROUND + offset))
        }

        /// `n + offset` as the last bits of an integer, and `eʳ - 1`, where `x` is `n * ln 2 + r` and `|r|` is at most half
        /// of ln 2.
        #[inline(always)]
        fn reduce_exp(x: $t, offset: $t) -> ($bits, $t) {
            let (n, turns) = round(x, LOG2_E, offset);
            // The inner result is exact.
            let r = turns.mul_add(-LN_2_REST, turns.mul_add(-LN_2, x));
            (n, expm1_of_small(r))
        }

        /// `eˣ` times a power of two, for an `x` that is at most about as large as that of the largest exponential.
        #[inline(always)]
        fn scaled_exp(x: $t, exponent: $t) -> $t {
            // Two factors reach the ends of the range, which one would not.
            let (n, p) = reduce_exp(x, 2.0 * $bias + exponent);
            let half = n >> 1;
            let scale = pow2(half);
            scale.mul_add(p, scale) * pow2(n.wrapping_sub(half))
        }

        /// `eˣ`.
        #[inline(always)]
        pub(crate) fn exp(x: $t) -> $t {
            let value = scaled_exp(if x > $most { $most } else { x }, 0.0);
            if x < $least { 0.0 } else { value }
        }

        /// `eˣ - 1`.
        #[inline(always)]
        pub(crate) fn expm1(x: $t) -> $t {
            // Scaled by half, so that the largest power of two is representable.
            let (n, p) = reduce_exp(limit(x, $minus_one, $most), $bias - 1.0);
            let scale = pow2(n);
            let value = 2.0 * scale.mul_add(p, scale - 0.5);
            // There the result is `x`, including the sign of zero.
            if x.abs() < $half_unit { x } else { value }
        }

        /// `1 / (1 + e⁻ˣ)`.
        #[inline(always)]
        pub(crate) fn sigmoid(x: $t) -> $t {
            // Numerator and denominator are scaled, since the exponential may be too large.
            const ONE: $t = 1.0 / (1u64 << 32) as $t / (1u64 << 32) as $t;
            let (n, p) = reduce_exp(limit(-x, -40.0, -$least), $bias - 64.0);
            let power = pow2(n);
            ONE / (power.mul_add(p, ONE) + power)
        }

        /// The hyperbolic tangent.
        #[inline(always)]
        pub(crate) fn tanh(x: $t) -> $t {
            let magnitude = x.abs();
            let magnitude = if magnitude > $one { $one } else { magnitude };
            // As `reduce_exp` of `2x`. What rounding took from `LN_2` does not matter here.
            let (n, turns) = round(magnitude, 2.0 * LOG2_E, $bias - 1.0);
            let p = expm1_of_small(turns.mul_add(-LN_2, magnitude + magnitude));
            let half = pow2(n);
            // Half of `e²ˣ - 1`; the result is this divided by one more, `g / (g + 1)`.
            let growth = half.mul_add(p, half - 0.5);
            // That is `g - g² / (g + 1)` and `1 - 1 / (g + 1)`, where the rounding of the quotient matters less.
            let c = if growth > 1.0 { 1.0 } else { growth };
            // The sign is set last, so that negative zero stays negative.
            (-c).mul_add(c / (growth + 1.0), c).copysign(x)
        }

        /// The natural logarithm.
        #[inline(always)]
        pub(crate) fn log(x: $t) -> $t {
            let value = log_plus(x, 0.0);
            let value = if x < $t::INFINITY { value } else { x };
            let value = if x == 0.0 { $t::NEG_INFINITY } else { value };
            if x < 0.0 { $t::NAN } else { value }
        }

        /// `log(1 + x)`.
        #[inline(always)]
        pub(crate) fn log1p(x: $t) -> $t {
            let u = 1.0 + x;
            // The part that the addition rounded away, from the larger summand.
            let lost = if x < 1.0 { x - (u - 1.0) } else { 1.0 - (u - x) };
            let value = log_plus(u, lost / u);
            let value = if u == 1.0 { x } else { value };
            let value = if x < $t::INFINITY { value } else { x };
            let value = if x == -1.0 { $t::NEG_INFINITY } else { value };
            if x < -1.0 { $t::NAN } else { value }
        }
    };
}

mod arc;
pub(crate) mod double;
mod erf;
mod hyperbolic;
pub(crate) mod plane;
mod power;
pub(crate) mod special;
mod trig;

pub(crate) use arc::{acos, asin, atan, atan2};
pub(crate) use erf::erf;
pub(crate) use hyperbolic::{cosh, sinh};
pub(crate) use power::pow;
pub(crate) use trig::{cos, sin, tan};

use core::f32::consts::{LN_2, LOG2_E};

/// Adding 1.5 * 2^23 and taking it away rounds a small number to an integer.
const ROUND: f32 = 12_582_912.0;
/// What rounding took from `LN_2`.
const LN_2_REST: f32 = -1.904_654_3e-9;

elementary! { f32, u32: 23 127.0, exp: -104.0 to 89.0, expm1: -18.0, tanh: 10.0, half_unit: 2.980_232_2e-8 }

/// `eˣ - 1` where `|x|` is at most half of ln 2. The coefficients have the least relative error there.
#[inline(always)]
fn expm1_of_small(x: f32) -> f32 {
    let p =
        polynomial!(x, [1.387_063_3e-3, 8.366_254e-3, 4.166_743_5e-2, 0.166_665_46, 0.499_999_97]);
    (x * x).mul_add(p, x)
}

/// Splits a positive number into `m * 2^e` with `m` between √½ and √2;
/// returns `m - 1` and `e`.
#[inline(always)]
fn reduce_log(x: f32) -> (f32, f32) {
    const SQRT_HALF: u32 = 0x3f35_04f3;
    let denormal = x < f32::MIN_POSITIVE;
    let scaled = if denormal { x * 8_388_608.0 } else { x };
    let bits = scaled.to_bits().wrapping_sub(SQRT_HALF);
    let exponent = (bits as i32) >> 23;
    let m = f32::from_bits((bits & 0x007f_ffff).wrapping_add(SQRT_HALF));
    let shift = if denormal { 23.0 } else { 0.0 };
    (m - 1.0, exponent as f32 - shift)
}

/// The logarithm of a positive finite number plus a small `correction`.
#[inline(always)]
fn log_plus(x: f32, correction: f32) -> f32 {
    let (f, exponent) = reduce_log(x);
    let p = polynomial!(
        f,
        [
            7.037_683_6e-2,
            -1.151_461e-1,
            1.167_699_9e-1,
            -1.242_014_1e-1,
            1.424_932_3e-1,
            -1.666_805_8e-1,
            2.000_071_5e-1,
            -2.499_999_4e-1,
            0.333_333_3
        ]
    );
    let small = exponent.mul_add(LN_2_REST, correction);
    let small = (f * f).mul_add(f.mul_add(p, -0.5), small);
    exponent.mul_add(LN_2, f + small)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The distance of `got` from `want` in units in the last place of `f32`.
    pub(crate) fn ulps(got: f32, want: f64) -> f64 {
        let rounded = want as f32;
        if got == rounded || got.is_nan() && rounded.is_nan() {
            return 0.0;
        }
        if !rounded.is_finite() || !got.is_finite() {
            return f64::INFINITY;
        }
        let magnitude = rounded.abs().max(f32::MIN_POSITIVE);
        let unit = f64::from(f32::from_bits(magnitude.to_bits() + 1)) - f64::from(magnitude);
        (f64::from(got) - want).abs() / unit
    }

    /// Compares over numbers of every magnitude and over those near one.
    pub(crate) fn sweep(name: &str, f: fn(f32) -> f32, oracle: fn(f64) -> f64) {
        let spread = (0..=u32::MAX / 20_011).map(|i| f32::from_bits(i * 20_011));
        let dense = (-100_000..100_000).map(|i| i as f32 * 1.234_567e-3);
        let (worst, at) = spread
            .chain(dense)
            .map(|x| (ulps(f(x), oracle(f64::from(x))), x))
            .fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a });
        assert!(worst <= 2.0, "{name} is {worst} ulp off at {at:e}");
    }

    #[test]
    fn accuracy() {
        sweep("exp", exp, f64::exp);
        sweep("expm1", expm1, f64::exp_m1);
        sweep("log", log, f64::ln);
        sweep("log1p", log1p, f64::ln_1p);
        sweep("tanh", tanh, f64::tanh);
    }

    #[test]
    fn sigmoid_accuracy() {
        for x in (-1_040_000..2_000_000).map(|i| i as f32 * 1e-4) {
            let want = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!(ulps(sigmoid(x), want) <= 2.0, "{x}");
        }
    }

    /// The special values of the functions of a type. The numbers are whose exponential is infinite, whose `eˣ - 1` is
    /// large, and whose sigmoid is small.
    macro_rules! test_special_values {
        ($t:ident, $most:literal, $large:literal, $small:literal) => {
            #[test]
            fn special_values() {
                let (inf, nan) = ($t::INFINITY, $t::NAN);
                assert_eq!((exp(-inf), exp(inf), exp(-0.0), exp($most)), (0.0, inf, 1.0, inf));
                assert_eq!((expm1(-inf), expm1(inf)), (-1.0, inf));
                assert_eq!(expm1($large), $t::exp_m1($large));
                assert_eq!((log(0.0), log(-0.0), log(inf), log(1.0)), (-inf, -inf, inf, 0.0));
                let least = $t::from_bits(1);
                assert_eq!((log(least), log1p(-1.0), log1p(inf)), (least.ln(), -inf, inf));
                assert_eq!((tanh(inf), tanh(-inf)), (1.0, -1.0));
                assert_eq!((sigmoid(inf), sigmoid(-inf), sigmoid(-0.0)), (1.0, 0.0, 0.5));
                assert_eq!(sigmoid($small), exp($small));
                assert!(log(-1.0).is_nan() && log1p(-1.5).is_nan() && log(-inf).is_nan());
                for f in [exp, expm1, log, log1p, tanh, sigmoid] {
                    assert!(f(nan).is_nan());
                }
                for f in [expm1, log1p, tanh] {
                    for x in [0.0, -0.0, least, -least] {
                        assert_eq!(f(x).to_bits(), x.to_bits());
                    }
                }
            }
        };
    }
    pub(crate) use test_special_values;

    test_special_values! { f32, 89.0, 88.72, -90.0 }
}
