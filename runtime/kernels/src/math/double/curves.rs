//! Arcs, hyperbolic functions and roots of `f64`, without branches; see the modules above.

use super::{expm1, log1p, scaled_exp};
use core::f64::consts::{FRAC_PI_2, FRAC_PI_4, LN_2, PI};

/// What rounding took from half of π.
const HALF_PI_REST: f64 = 6.123_233_995_736_766e-17;

/// The inverse tangent of the quotient of two numbers that are not negative, the denominator not the smaller one.
#[inline(always)]
fn atan_quotient(numerator: f64, denominator: f64) -> f64 {
    // Above tan(π/8) the angle is what the quotient turned back by π/4 has, and π/4.
    let turned = numerator > 0.414_213_562_373_095_03 * denominator;
    let t = if turned { numerator - denominator } else { numerator };
    let t = t / if turned { numerator + denominator } else { denominator };
    let z = t * t;
    let p = polynomial!(
        z,
        [
            -0.875_060_860_003_190_4,
            -16.157_537_187_333_652,
            -75.008_557_923_147_05,
            -122.886_668_449_013_62,
            -64.850_219_049_420_25
        ]
    );
    let q = polynomial!(
        z,
        [
            1.0,
            24.858_464_901_423_062,
            165.027_009_831_698_85,
            432.881_060_491_290_27,
            485.390_399_635_913_7,
            194.550_657_148_261_4
        ]
    );
    let angle = (t * z).mul_add(p / q, t);
    if turned { FRAC_PI_4 + (angle + 0.5 * HALF_PI_REST) } else { angle }
}

/// The inverse tangent.
#[inline(always)]
pub(crate) fn atan(x: f64) -> f64 {
    let magnitude = x.abs();
    let steep = magnitude > 1.0;
    let (a, b) = if steep { (1.0, magnitude) } else { (magnitude, 1.0) };
    let angle = atan_quotient(a, if b > f64::MAX { f64::MAX } else { b });
    let angle = if steep { (FRAC_PI_2 - angle) + HALF_PI_REST } else { angle };
    angle.copysign(x)
}

/// The angle of the point (`x`, `y`).
#[inline(always)]
pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    let (a, b) = (x.abs(), y.abs());
    let steep = b > a;
    let (small, large) = if steep { (a, b) } else { (b, a) };
    // Numbers at the ends of the range are moved inside, so that neither sum nor product leaves it.
    let scale = if large > 1e300 { 1e-30 } else { 1.0 };
    let scale = if large < 1e-260 { 1e40 } else { scale };
    // The diagonal at infinity and the origin also get a direction.
    let alike = small == large;
    let (n, d) = if alike { (1.0, 1.0) } else { (small * scale, large * scale) };
    let n = if large == 0.0 { 0.0 } else { n };
    let endless = d > f64::MAX;
    let angle = atan_quotient(if endless { 0.0 } else { n }, if endless { 1.0 } else { d });
    let angle = if steep { (FRAC_PI_2 - angle) + HALF_PI_REST } else { angle };
    let back = x.is_sign_negative();
    let angle = if back { (PI - angle) + 2.0 * HALF_PI_REST } else { angle };
    let angle = if x.is_nan() { x } else { angle };
    let angle = if y.is_nan() { y } else { angle };
    angle.copysign(y)
}

/// The inverse sine of the argument, if it is at most one half, or else of `√((1 - x) / 2)`.
#[inline(always)]
fn asin_reduced(magnitude: f64) -> (bool, f64, f64) {
    let near = magnitude < 0.5;
    let z = if near { magnitude * magnitude } else { 0.5 * (1.0 - magnitude) };
    let s = if near { magnitude } else { z.sqrt() };
    let p = polynomial!(
        z,
        [
            3.479_331_075_960_212e-5,
            7.915_349_942_898_145e-4,
            -4.005_553_450_067_941e-2,
            0.201_212_532_134_862_93,
            -0.325_565_818_622_400_9,
            0.166_666_666_666_666_66
        ]
    );
    let q = polynomial!(
        z,
        [
            7.703_815_055_590_193e-2,
            -0.688_283_971_605_453_3,
            2.020_945_760_233_505_7,
            -2.403_394_911_734_414,
            1.0
        ]
    );
    (near, s, z * (p / q))
}

/// The inverse sine; NaN beyond one.
#[inline(always)]
pub(crate) fn asin(x: f64) -> f64 {
    let (near, s, r) = asin_reduced(x.abs());
    let angle = s.mul_add(r, s);
    let angle = if near { angle } else { FRAC_PI_2 - (2.0 * angle - HALF_PI_REST) };
    angle.copysign(x)
}

/// The inverse cosine; NaN beyond one.
#[inline(always)]
pub(crate) fn acos(x: f64) -> f64 {
    let (near, s, r) = asin_reduced(x.abs());
    let angle = s.mul_add(r, s);
    let far = if x < 0.0 { PI - (2.0 * angle - 2.0 * HALF_PI_REST) } else { 2.0 * angle };
    let signed = angle.copysign(x);
    if near { FRAC_PI_2 - (signed - HALF_PI_REST) } else { far }
}

/// Half of `eˣ` of a number that is not negative, which overflows only where the hyperbolic functions do.
#[inline(always)]
fn half_exp(x: f64) -> f64 {
    scaled_exp(if x > 712.0 { 712.0 } else { x }, -1.0)
}

/// The hyperbolic sine.
#[inline(always)]
pub(crate) fn sinh(x: f64) -> f64 {
    let magnitude = x.abs();
    let e = expm1(magnitude);
    let near = 0.5 * (2.0 * e - e * e / (e + 1.0));
    let half = half_exp(magnitude);
    let far = half - 0.25 / half;
    (if magnitude < 1.0 { near } else { far }).copysign(x)
}

/// The hyperbolic cosine.
#[inline(always)]
pub(crate) fn cosh(x: f64) -> f64 {
    let half = half_exp(x.abs());
    half + 0.25 / half
}

/// The inverse hyperbolic sine.
#[inline(always)]
pub(crate) fn asinh(x: f64) -> f64 {
    let magnitude = x.abs();
    let large = magnitude > 1e8;
    let m = if large { 1.0 } else { magnitude };
    let square = m * m;
    let inner = m + square / (1.0 + (square + 1.0).sqrt());
    let value = log1p(if large { magnitude - 1.0 } else { inner });
    (if large { value + LN_2 } else { value }).copysign(x)
}

/// The inverse hyperbolic cosine; NaN below one.
#[inline(always)]
pub(crate) fn acosh(x: f64) -> f64 {
    let large = x > 1e8;
    let t = x - 1.0;
    let inner = t + (t * (t + 2.0)).sqrt();
    let value = log1p(if large { t } else { inner });
    let value = if large { value + LN_2 } else { value };
    if x < 1.0 { f64::NAN } else { value }
}

/// The inverse hyperbolic tangent; NaN beyond one.
#[inline(always)]
pub(crate) fn atanh(x: f64) -> f64 {
    let magnitude = x.abs();
    (0.5 * log1p(2.0 * magnitude / (1.0 - magnitude))).copysign(x)
}

/// The cube root, after FreeBSD's.
#[inline(always)]
pub(crate) fn cbrt(x: f64) -> f64 {
    let magnitude = x.abs();
    let tiny = magnitude < f64::MIN_POSITIVE;
    let m = if tiny { magnitude * 18_014_398_509_481_984.0 } else { magnitude };
    // A third of the exponent gives five bits of the root.
    let bias = if tiny { 696_219_795u64 } else { 715_094_163 };
    let third = ((m.to_bits() >> 32) * 0xaaaa_aaab) >> 33;
    let t = f64::from_bits((third + bias) << 32);
    let r = (t * t) * (t / magnitude);
    let p = polynomial!(
        r,
        [
            0.145_996_192_886_612_45,
            -0.758_397_934_778_766,
            1.621_429_720_105_354_5,
            -1.884_979_795_433_771_7,
            1.875_951_824_271_77
        ]
    );
    // So few bits that the square is exact.
    let t = f64::from_bits((t * p).to_bits().wrapping_add(0x8000_0000) & 0xffff_ffff_c000_0000);
    let r = magnitude / (t * t);
    let root = t.mul_add((r - t) / (t + t + r), t);
    let root = if magnitude == 0.0 || magnitude > f64::MAX || x.is_nan() { x } else { root };
    root.copysign(x)
}

/// The length of the vector (`x`, `y`), without overflow on the way; infinite if a side is, even beside NaN.
#[inline(always)]
pub(crate) fn hypot(x: f64, y: f64) -> f64 {
    let (a, b) = (x.abs(), y.abs());
    let (large, small) = if a > b { (a, b) } else { (b, a) };
    // Powers of two, so that nothing is rounded.
    const HUGE: f64 = f64::from_bits((1023 + 600) << 52);
    let scale = if large > 1e150 { 1.0 / HUGE } else { 1.0 };
    let scale = if large < 1e-150 { HUGE } else { scale };
    let back = if large > 1e150 { HUGE } else { 1.0 };
    let back = if large < 1e-150 { 1.0 / HUGE } else { back };
    let (large, small) = (large * scale, small * scale);
    let length = large.mul_add(large, small * small).sqrt() * back;
    if a == f64::INFINITY || b == f64::INFINITY { f64::INFINITY } else { length }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{sweep, ulps};
    use super::*;

    #[test]
    fn accuracy() {
        sweep("atan", atan, f64::atan, 2.0);
        sweep("asin", asin, f64::asin, 2.0);
        sweep("acos", acos, f64::acos, 2.0);
        sweep("sinh", sinh, f64::sinh, 2.0);
        sweep("cosh", cosh, f64::cosh, 2.0);
        sweep("asinh", asinh, libm::asinh, 2.0);
        sweep("acosh", |x| acosh(x.abs() + 1.0), |x| libm::acosh(x.abs() + 1.0), 2.0);
        sweep("atanh", atanh, libm::atanh, 2.0);
        sweep("cbrt", cbrt, f64::cbrt, 1.0);
        for i in -100_000..100_000 {
            let x = f64::from(i) * 1e-5;
            assert!(ulps(asin(x), x.asin()) <= 2.0, "{x}");
            assert!(ulps(acos(x), x.acos()) <= 2.0, "{x}");
            assert!(ulps(atanh(x), libm::atanh(x)) <= 2.0, "{x}");
        }
    }

    #[test]
    fn points() {
        let values =
            [0.0, 1e-320, 1e-200, 1e-20, 0.1, 0.4, 1.0, 1.1, 3.0, 1e151, 1e308, f64::INFINITY];
        let values: Vec<f64> = values.into_iter().flat_map(|x: f64| [x, -x]).collect();
        for &y in &values {
            for &x in &values {
                let (got, want) = (atan2(y, x), y.atan2(x));
                assert!(ulps(got, want) <= 2.0, "{y} {x}: {got} instead of {want}");
                assert_eq!(got.is_sign_negative(), want.is_sign_negative(), "{y} {x}");
                assert!(ulps(hypot(x, y), x.hypot(y)) <= 1.0, "{y} {x}: {}", hypot(x, y));
            }
            assert!(atan2(y, f64::NAN).is_nan() && atan2(f64::NAN, y).is_nan());
            assert_eq!(hypot(y, f64::NAN).is_nan(), y.is_finite());
        }
        assert_eq!(hypot(3.0, -4.0), 5.0);
    }

    #[test]
    fn special_values() {
        for f in [atan, asin, sinh, asinh, atanh, cbrt] {
            for x in [0.0, -0.0, f64::from_bits(1), -1e-310] {
                assert_eq!(f(x).is_sign_negative(), x.is_sign_negative());
            }
            assert_eq!(f(-0.0).to_bits(), (-0.0f64).to_bits());
            assert!(f(f64::NAN).is_nan());
        }
        for x in [1.5, -1.5, f64::INFINITY] {
            assert!(asin(x).is_nan() && acos(x).is_nan() && atanh(x).is_nan());
        }
        for x in [0.9, -1.0, -1e9, f64::NEG_INFINITY, f64::NAN] {
            assert!(acosh(x).is_nan(), "{x}");
        }
        let inf = f64::INFINITY;
        assert_eq!((sinh(-inf), cosh(-inf), asinh(-inf), acosh(inf)), (-inf, inf, -inf, inf));
        assert_eq!((atanh(1.0), atanh(-1.0), cbrt(-inf), cbrt(-27.0)), (inf, -inf, -inf, -3.0));
        assert_eq!((acos(1.0), acos(-1.0), acosh(1.0)), (0.0, PI, 0.0));
        assert_eq!((atan(-inf), sinh(710.4).is_finite()), (-FRAC_PI_2, true));
    }
}
