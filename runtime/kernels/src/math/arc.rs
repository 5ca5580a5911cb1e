//! Inverse trigonometric functions of `f32`.

/// π as the sum of two numbers, and half of it.
const PI: (f32, f32) = (core::f32::consts::PI, -8.742_278e-8);
const HALF_PI: (f32, f32) = (core::f32::consts::FRAC_PI_2, -4.371_139e-8);

/// `pair - x`.
#[inline(always)]
fn less((hi, lo): (f32, f32), x: f32) -> f32 {
    (hi - x) + lo
}

/// The inverse tangent of a number from zero to one.
#[inline(always)]
fn atan_reduced(t: f32) -> f32 {
    let z = t * t;
    let p = polynomial!(
        z,
        [
            -1.793_645_3e-3,
            1.091_472_1e-2,
            -3.117_808_1e-2,
            5.795_785_4e-2,
            -8.403_467_4e-2,
            0.109_521_925,
            -0.142_642_44,
            0.199_985_49,
            -0.333_333
        ]
    );
    (t * z).mul_add(p, t)
}

/// The inverse tangent.
#[inline(always)]
pub(crate) fn atan(x: f32) -> f32 {
    let magnitude = x.abs();
    let steep = magnitude > 1.0;
    let angle = atan_reduced(if steep { 1.0 / magnitude } else { magnitude });
    let angle = if steep { less(HALF_PI, angle) } else { angle };
    angle.copysign(x)
}

/// The angle of the point (`x`, `y`).
#[inline(always)]
pub(crate) fn atan2(y: f32, x: f32) -> f32 {
    let (a, b) = (x.abs(), y.abs());
    let steep = b > a;
    let (small, large) = if steep { (a, b) } else { (b, a) };
    // The diagonal at infinity and the origin also get a direction.
    let slope = if small == large { 1.0 } else { small / large };
    let slope = if large == 0.0 { 0.0 } else { slope };
    let angle = atan_reduced(slope);
    let angle = if steep { less(HALF_PI, angle) } else { angle };
    let angle = if x.is_sign_negative() { less(PI, angle) } else { angle };
    let angle = if x.is_nan() { x } else { angle };
    let angle = if y.is_nan() { y } else { angle };
    angle.copysign(y)
}

/// The common part of inverse sine and cosine: whether the argument is below one half, and the inverse sine of the
/// argument or, if not, of `√((1 - x) / 2)`.
#[inline(always)]
fn asin_reduced(magnitude: f32) -> (bool, f32) {
    let near = magnitude < 0.5;
    let z = if near { magnitude * magnitude } else { 0.5 * (1.0 - magnitude) };
    let s = if near { magnitude } else { z.sqrt() };
    let p = polynomial!(
        z,
        [3.751_584_5e-2, 1.443_904_2e-2, 3.180_76e-2, 4.451_697e-2, 7.500_504e-2, 0.166_666_6]
    );
    (near, (s * z).mul_add(p, s))
}

/// The inverse sine; NaN beyond one.
#[inline(always)]
pub(crate) fn asin(x: f32) -> f32 {
    let (near, angle) = asin_reduced(x.abs());
    let angle = if near { angle } else { less(HALF_PI, 2.0 * angle) };
    angle.copysign(x)
}

/// The inverse cosine; NaN beyond one.
#[inline(always)]
pub(crate) fn acos(x: f32) -> f32 {
    let (near, angle) = asin_reduced(x.abs());
    let far = if x < 0.0 { less(PI, 2.0 * angle) } else { 2.0 * angle };
    if near { less(HALF_PI, angle.copysign(x)) } else { far }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{sweep, ulps};
    use super::*;

    #[test]
    fn accuracy() {
        sweep("atan", atan, f64::atan);
        sweep("asin", asin, f64::asin);
        sweep("acos", acos, f64::acos);
        for i in -100_000..100_000 {
            let x = i as f32 * 1e-5;
            assert!(ulps(asin(x), f64::from(x).asin()) <= 2.0, "{x}");
            assert!(ulps(acos(x), f64::from(x).acos()) <= 2.0, "{x}");
        }
    }

    #[test]
    fn angles_of_points() {
        let values = [0.0, 1e-40, 1e-20, 0.1, 0.9, 1.0, 1.1, 3.0, 1e10, 1e38, f32::INFINITY];
        let values: Vec<f32> = values.into_iter().flat_map(|x: f32| [x, -x]).collect();
        for &y in &values {
            for &x in &values {
                let (got, want) = (atan2(y, x), f64::from(y).atan2(f64::from(x)));
                assert!(ulps(got, want) <= 2.0, "{y} {x}: {got} instead of {want}");
                assert_eq!(got.is_sign_negative(), want.is_sign_negative(), "{y} {x}");
            }
            assert!(atan2(y, f32::NAN).is_nan() && atan2(f32::NAN, y).is_nan());
        }
    }

    #[test]
    fn special_values() {
        for f in [asin, atan] {
            assert_eq!(f(-0.0).to_bits(), (-0.0f32).to_bits());
            assert!(f(f32::NAN).is_nan());
        }
        assert!(asin(1.5).is_nan() && acos(-1.5).is_nan() && acos(f32::NAN).is_nan());
        assert_eq!((acos(1.0), acos(-1.0)), (0.0, core::f32::consts::PI));
        assert_eq!(atan(f32::NEG_INFINITY), -core::f32::consts::FRAC_PI_2);
    }
}
