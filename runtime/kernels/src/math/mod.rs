//! Elementary functions of `f32`, and some of `f64`, without branches, so that
//! loops over them become vector code.
//!
//! Each is within two units in the last place. They use no fused multiply-add, so the result is the same on every CPU
//! and for every vector width.
//!
//! The coefficients are those of Cephes unless noted.

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

/// Adding and taking away 1.5 * 2^23 rounds a small number to an integer.
const ROUND: f32 = 12_582_912.0;
/// The leading bits of ln 2; a multiple by a small integer is exact.
const LN_2_HI: f32 = 0.693_359_4;
/// The rest of ln 2 after [`LN_2_HI`].
const LN_2_LO: f32 = -2.121_944_4e-4;

/// `2ⁿ` for n from -126 to 127.
#[inline(always)]
fn pow2(n: i32) -> f32 {
    f32::from_bits((n.wrapping_add(127) << 23) as u32)
}

/// Limits `x` to a range, letting NaN through.
#[inline(always)]
fn limit(x: f32, lo: f32, hi: f32) -> f32 {
    let x = if x < lo { lo } else { x };
    if x > hi { hi } else { x }
}

/// Splits `x` into `n * ln 2 + r` with `|r|` at most half of ln 2.
///
/// Returns `n`, `r` and the rounding error of `r`.
#[inline(always)]
fn reduce_exp(x: f32) -> (i32, f32, f32) {
    let shifted = x * core::f32::consts::LOG2_E + ROUND;
    let n = (shifted.to_bits() as i32).wrapping_sub(ROUND.to_bits() as i32);
    let turns = shifted - ROUND;
    let hi = x - turns * LN_2_HI;
    let lo = turns * LN_2_LO;
    let r = hi - lo;
    (n, r, (hi - r) - lo)
}

/// `(eʳ - 1 - r) / r²` for a reduced argument.
#[inline(always)]
fn exp_tail(r: f32) -> f32 {
    let p = 1.987_569_1e-4;
    let p = p * r + 1.398_199_9e-3;
    let p = p * r + 8.333_452e-3;
    let p = p * r + 4.166_579_6e-2;
    let p = p * r + 1.666_666_5e-1;
    p * r + 0.5
}

/// `eˣ`.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    let (n, r, rest) = reduce_exp(limit(x, -104.0, 89.0));
    let power = 1.0 + (r + (exp_tail(r) * (r * r) + rest));
    // Two factors reach the ends of the range, which one would not.
    let half = n >> 1;
    power * pow2(half) * pow2(n.wrapping_sub(half))
}

/// `eˣ - 1`.
#[inline(always)]
pub(crate) fn expm1(x: f32) -> f32 {
    let (n, r, rest) = reduce_exp(limit(x, -18.0, 89.0));
    let tail = exp_tail(r) * (r * r) + rest;
    // Scaled by half, so that the largest power of two is representable.
    let scale = pow2(n.wrapping_sub(1));
    let offset = scale - 0.5;
    let lead = offset + scale * r;
    // The rounding error of `lead`; exact as one summand dominates.
    let lost = (offset - lead) + scale * r;
    let value = 2.0 * (lead + (scale * tail + lost));
    // Below 2^-25 the result is `x`, including the sign of zero.
    if x.abs() < 2.980_232_2e-8 { x } else { value }
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

/// `log(1 + f) - f + f²/2` for a reduced argument.
#[inline(always)]
fn log_tail(f: f32) -> f32 {
    let p = 7.037_683_6e-2;
    let p = p * f - 1.151_461e-1;
    let p = p * f + 1.167_699_9e-1;
    let p = p * f - 1.242_014_1e-1;
    let p = p * f + 1.424_932_3e-1;
    let p = p * f - 1.666_805_8e-1;
    let p = p * f + 2.000_071_5e-1;
    let p = p * f - 2.499_999_4e-1;
    let p = p * f + 0.333_333_3;
    p * f * (f * f)
}

/// The logarithm of a positive finite number plus a small `correction`.
#[inline(always)]
fn log_plus(x: f32, correction: f32) -> f32 {
    let (f, exponent) = reduce_log(x);
    let small = log_tail(f) + (exponent * LN_2_LO + correction);
    (f + (small - 0.5 * (f * f))) + exponent * LN_2_HI
}

/// The natural logarithm.
#[inline(always)]
pub(crate) fn log(x: f32) -> f32 {
    let value = log_plus(x, 0.0);
    let value = if x < f32::INFINITY { value } else { x };
    let value = if x == 0.0 { f32::NEG_INFINITY } else { value };
    if x < 0.0 { f32::NAN } else { value }
}

/// `log(1 + x)`.
#[inline(always)]
pub(crate) fn log1p(x: f32) -> f32 {
    let u = 1.0 + x;
    // The part that the addition rounded away, from the larger summand.
    let lost = if x < 1.0 { x - (u - 1.0) } else { 1.0 - (u - x) };
    let value = log_plus(u, lost / u);
    let value = if u == 1.0 { x } else { value };
    let value = if x < f32::INFINITY { value } else { x };
    let value = if x == -1.0 { f32::NEG_INFINITY } else { value };
    if x < -1.0 { f32::NAN } else { value }
}

/// The hyperbolic tangent.
#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    let magnitude = x.abs();
    let square = x * x;
    let p = -5.704_988_7e-3;
    let p = p * square + 2.063_908_8e-2;
    let p = p * square - 5.373_971_6e-2;
    let p = p * square + 1.333_144_2e-1;
    let p = p * square - 0.333_332_8;
    let near = p * square * magnitude + magnitude;
    // From here on the result is one.
    let capped = if magnitude > 10.0 { 10.0 } else { magnitude };
    // A less exact exponential, away from the ends of the range: its error hardly affects the result.
    let (n, r, _) = reduce_exp(capped + capped);
    let power = pow2(n) * (1.0 + (r + exp_tail(r) * (r * r)));
    let far = 1.0 - 2.0 / (power + 1.0);
    // The sign is set last, so that negative zero stays negative.
    let value = if magnitude < 0.625 { near } else { far };
    value.copysign(x)
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
        let sigmoid = <f32 as crate::element::Transcendental>::sigmoid;
        // Below -88 the result is denormal and may be flushed.
        for x in (-880_000..2_000_000).map(|i| i as f32 * 1e-4) {
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
        assert!(log(-1.0).is_nan() && log1p(-1.5).is_nan() && log(-inf).is_nan());
        for f in [exp, expm1, log, log1p, tanh] {
            assert!(f(nan).is_nan());
        }
        for f in [expm1, log1p, tanh] {
            assert_eq!(f(-0.0).to_bits(), (-0.0f32).to_bits());
        }
    }
}
