//! Sine, cosine and tangent of `f32` for arguments of every size.
//!
//! The argument is divided by π/2 in fixed point, modulo four, with the bits of 2/π that matter for its exponent. That
//! is exact enough for the largest arguments and needs neither branches nor table look-ups, so it vectorises. The
//! remainder is computed in `f64`, so that the error of results is little more than the rounding.

use core::f64::consts::FRAC_PI_2;

/// The smallest biased exponent that is reduced; smaller numbers are below one half.
const FIRST: u32 = 126;

/// The bits of 2/π, with leading zeros so that bit `i` is the first one that matters for exponent `FIRST + i`.
const TWO_OVER_PI: [u32; 8] = [
    0x0000_0028,
    0xbe60_db93,
    0x9105_4a7f,
    0x09d5_f47d,
    0x4d37_7036,
    0xd8a5_664f,
    0x10e4_107f,
    0x9458_eaf7,
];

/// 96 bits of 2/π from bit `start` on; `start` is at most 128.
#[inline(always)]
fn window(start: u32) -> [u32; 3] {
    let (word, shift) = (start >> 5, start & 31);
    // Steps from one constant to the next by their differences, which stay in registers. A choice among them would be
    // compiled to a look-up.
    let pick = |i: usize| {
        (1..5).fold(TWO_OVER_PI[i], |bits, k| {
            let reached = u32::from(word >= k as u32).wrapping_neg();
            bits ^ (TWO_OVER_PI[i + k - 1] ^ TWO_OVER_PI[i + k]) & reached
        })
    };
    let words = [pick(0), pick(1), pick(2), pick(3)];
    let at = |i: usize| words[i] << shift | words[i + 1] >> 1 >> (31 - shift);
    [at(0), at(1), at(2)]
}

/// Splits `x` into `n * π/2 + r`; returns the last bits of `n`, and `r`.
#[inline(always)]
fn reduce(x: f32) -> (u32, f64) {
    const TWO_POW_MINUS_32: f64 = 1.0 / 4_294_967_296.0;
    let bits = x.to_bits();
    let exponent = bits >> 23 & 0xff;
    // Infinity and NaN are handled below.
    let start = exponent.clamp(FIRST, 254) - FIRST;
    let mantissa = u64::from(bits & 0x007f_ffff | 0x0080_0000);
    let [hi, mid, lo] = window(start).map(|word| mantissa * u64::from(word));
    // Quarter turns with 62 bits after the point; they overflow modulo four.
    let turns = (hi << 32).wrapping_add(mid).wrapping_add(lo >> 32);
    let quadrant = (turns >> 32) as u32;
    let quadrant = quadrant.wrapping_add(1 << 29) >> 30;
    let fraction = turns << 2;
    let high = f64::from((fraction >> 32) as u32 as i32);
    let low = f64::from((fraction as u32 >> 1) as i32);
    let r = (high + low * (2.0 * TWO_POW_MINUS_32)) * (TWO_POW_MINUS_32 * FRAC_PI_2);

    let sign = bits >> 31;
    let quadrant = if sign == 1 { quadrant.wrapping_neg() } else { quadrant };
    let r = if sign == 1 { -r } else { r };
    let small = exponent < FIRST;
    let r = if small { f64::from(x) } else { r };
    let r = if exponent == 255 { f64::NAN } else { r };
    (if small { 0 } else { quadrant }, r)
}

/// Sine of a reduced argument; Taylor coefficients suffice for `f32`.
#[inline(always)]
fn sin_reduced(r: f64) -> f64 {
    let z = r * r;
    let p = polynomial!(
        z,
        [-1.0 / 39_916_800.0, 1.0 / 362_880.0, -1.0 / 5_040.0, 1.0 / 120.0, -1.0 / 6.0]
    );
    // Written as a product to keep the sign of zero.
    r * p.mul_add(z, 1.0)
}

/// Cosine of a reduced argument.
#[inline(always)]
fn cos_reduced(r: f64) -> f64 {
    let z = r * r;
    polynomial!(
        z,
        [
            1.0 / 479_001_600.0,
            -1.0 / 3_628_800.0,
            1.0 / 40_320.0,
            -1.0 / 720.0,
            1.0 / 24.0,
            -0.5,
            1.0
        ]
    )
}

/// Flips the sign of `x` if bit 1 of `quadrant` is set.
#[inline(always)]
fn turn_sign(x: f64, quadrant: u32) -> f64 {
    if quadrant & 2 == 2 { -x } else { x }
}

/// Sine.
#[inline(always)]
pub(crate) fn sin(x: f32) -> f32 {
    let (quadrant, r) = reduce(x);
    let (s, c) = (sin_reduced(r), cos_reduced(r));
    let value = if quadrant & 1 == 1 { c } else { s };
    turn_sign(value, quadrant) as f32
}

/// Cosine.
#[inline(always)]
pub(crate) fn cos(x: f32) -> f32 {
    let (quadrant, r) = reduce(x);
    let (s, c) = (sin_reduced(r), cos_reduced(r));
    let value = if quadrant & 1 == 1 { s } else { c };
    // The cosine is negative in quadrants one and two.
    turn_sign(value, quadrant.wrapping_add(1)) as f32
}

/// Tangent.
#[inline(always)]
pub(crate) fn tan(x: f32) -> f32 {
    let (quadrant, r) = reduce(x);
    let (s, c) = (sin_reduced(r), cos_reduced(r));
    let odd = quadrant & 1 == 1;
    let (above, below) = if odd { (-c, s) } else { (s, c) };
    (above / below) as f32
}

#[cfg(test)]
mod tests {
    use super::super::tests::{sweep, ulps};
    use super::*;

    #[test]
    fn accuracy_at_every_magnitude() {
        sweep("sin", sin, f64::sin);
        sweep("cos", cos, f64::cos);
        sweep("tan", tan, f64::tan);
    }

    #[test]
    fn near_multiples_of_half_pi() {
        for n in 1..20_000 {
            let x = (f64::from(n) * FRAC_PI_2) as f32;
            assert!(ulps(sin(x), f64::from(x).sin()) <= 1.0, "{x}");
            assert!(ulps(cos(x), f64::from(x).cos()) <= 1.0, "{x}");
            assert!(ulps(tan(x), f64::from(x).tan()) <= 1.0, "{x}");
        }
    }

    #[test]
    fn special_values() {
        for f in [sin, cos, tan] {
            assert!(f(f32::INFINITY).is_nan() && f(f32::NAN).is_nan());
        }
        assert_eq!(sin(-0.0).to_bits(), (-0.0f32).to_bits());
        assert_eq!(cos(0.0), 1.0);
    }
}
