//! Elementary functions of `f32`, and some of `f64`, without branches, so that
//! loops over them become vector code.
//!
//! Each is within about two units in the last place; the largest error that was found is 2.03, of `tanh`. Multiply-adds
//! are fused on every CPU, so the result is the same on all of them and for every vector width. A CPU without the
//! instruction calls a function for each, and is slow here.
//!
//! The coefficients are those of Cephes unless noted.

/// The polynomial of `x` with these coefficients, the highest power's first. Even and odd powers are summed by Horner's
/// rule side by side, so that a multiply-add seldom waits for the one before it.
macro_rules! polynomial {
    ($x:expr, [$first:expr, $second:expr $(, $next:expr)* $(,)?]) => {{
        let x = $x;
        let square = x * x;
        let (p, q) = ($first, $second);
        $(let (p, q) = (q, square.mul_add(p, $next));)*
        x.mul_add(p, q)
    }};
}

/// The functions that are the same for `f32` and `f64`, by `pow2`, `reduce_exp` and `log_plus` of their module. The
/// numbers are:
///
/// - `exp`: the exponentials of all numbers below the first one are zero, above the second one infinite;
/// - `expm1`: below it, `eˣ - 1` is -1;
/// - `tanh`: above it, `tanh` is 1;
/// - `half_unit`: half the distance from one to the next number.
macro_rules! elementary {
    ($t:ident, $int:ident, exp: $least:literal to $most:literal, expm1: $minus_one:literal, tanh: $one:literal, half_unit: $half_unit:literal) => {
        /// Limits `x` to a range, letting NaN through.
        #[inline(always)]
        fn limit(x: $t, lo: $t, hi: $t) -> $t {
            let x = if x < lo { lo } else { x };
            if x > hi { hi } else { x }
        }

        /// `2ⁿ · x`: two factors reach the ends of the range, which one would not.
        #[inline(always)]
        fn scaled(x: $t, n: $int) -> $t {
            let half = n >> 1;
            x * pow2(half) * pow2(n.wrapping_sub(half))
        }

        /// `eˣ`.
        #[inline(always)]
        pub(crate) fn exp(x: $t) -> $t {
            let (n, p) = reduce_exp(limit(x, $least, $most));
            scaled(1.0 + p, n)
        }

        /// `eˣ - 1`.
        #[inline(always)]
        pub(crate) fn expm1(x: $t) -> $t {
            let (n, p) = reduce_exp(limit(x, $minus_one, $most));
            // Scaled by half, so that the largest power of two is representable.
            let scale = pow2(n.wrapping_sub(1));
            let value = 2.0 * scale.mul_add(p, scale - 0.5);
            // There the result is `x`, including the sign of zero.
            if x.abs() < $half_unit { x } else { value }
        }

        /// `1 / (1 + e⁻ˣ)`.
        #[inline(always)]
        pub(crate) fn sigmoid(x: $t) -> $t {
            let (n, p) = reduce_exp(limit(-x, $least, -$least));
            // Both summands are scaled, since `2ⁿ` may be too large.
            let half = n >> 1;
            let (one, power) = (pow2(half.wrapping_neg()), pow2(n.wrapping_sub(half)));
            one / (power.mul_add(p, one) + power)
        }

        /// The hyperbolic tangent.
        #[inline(always)]
        pub(crate) fn tanh(x: $t) -> $t {
            let magnitude = x.abs();
            let capped = if magnitude > $one { $one } else { magnitude };
            let (n, p) = reduce_exp(capped + capped);
            let scale = pow2(n);
            let growth = scale.mul_add(p, scale - 1.0);
            let sum = growth + 2.0;
            let value = growth / sum;
            // What rounding took from the sum; it hardly affects a result near one.
            let lost = if growth < 2.0 { growth - (sum - 2.0) } else { 0.0 };
            let value = (value * lost).mul_add(value.mul_add(0.5, -0.5), value);
            // The sign is set last, so that negative zero stays negative.
            value.copysign(x)
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

use core::f32::consts::LN_2;

/// Adding and taking away 1.5 * 2^23 rounds a small number to an integer.
const ROUND: f32 = 12_582_912.0;
/// What rounding took from `LN_2`.
const LN_2_REST: f32 = -1.904_654_3e-9;

elementary! { f32, i32, exp: -104.0 to 89.0, expm1: -18.0, tanh: 10.0, half_unit: 2.980_232_2e-8 }

/// `2ⁿ` for n from -126 to 127.
#[inline(always)]
fn pow2(n: i32) -> f32 {
    f32::from_bits((n.wrapping_add(127) << 23) as u32)
}

/// `n` and `eʳ - 1` where `x` is `n * ln 2 + r` and `|r|` is at most half of ln 2.
#[inline(always)]
fn reduce_exp(x: f32) -> (i32, f32) {
    let shifted = x.mul_add(core::f32::consts::LOG2_E, ROUND);
    let n = (shifted.to_bits() as i32).wrapping_sub(ROUND.to_bits() as i32);
    let turns = shifted - ROUND;
    // The inner result is exact.
    let r = turns.mul_add(-LN_2_REST, turns.mul_add(-LN_2, x));
    let p = polynomial!(
        r,
        [1.987_569_1e-4, 1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_65, 0.5]
    );
    (n, (r * r).mul_add(p, r))
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

    #[test]
    fn special_values() {
        let (inf, nan) = (f32::INFINITY, f32::NAN);
        assert_eq!((exp(-inf), exp(inf), exp(-0.0), exp(89.0)), (0.0, inf, 1.0, inf));
        assert_eq!((expm1(-inf), expm1(inf), expm1(88.72)), (-1.0, inf, 88.72f32.exp_m1()));
        assert_eq!((log(0.0), log(-0.0), log(inf), log(1.0)), (-inf, -inf, inf, 0.0));
        assert_eq!((log1p(-1.0), log1p(inf)), (-inf, inf));
        assert_eq!((tanh(inf), tanh(-inf)), (1.0, -1.0));
        assert_eq!(
            (sigmoid(inf), sigmoid(-inf), sigmoid(-0.0), sigmoid(-90.0)),
            (1.0, 0.0, 0.5, exp(-90.0))
        );
        assert!(log(-1.0).is_nan() && log1p(-1.5).is_nan() && log(-inf).is_nan());
        for f in [exp, expm1, log, log1p, tanh, sigmoid] {
            assert!(f(nan).is_nan());
        }
        for f in [expm1, log1p, tanh] {
            assert_eq!(f(-0.0).to_bits(), (-0.0f32).to_bits());
        }
    }
}
