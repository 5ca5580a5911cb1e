//! Hyperbolic sine and cosine of `f32`.

use super::scaled_exp;

/// Half of `eˣ` of a number that is not negative, which overflows only where the hyperbolic functions do.
#[inline(always)]
fn half_exp(x: f32) -> f32 {
    scaled_exp(if x > 90.0 { 90.0 } else { x }, -1.0)
}

/// The hyperbolic sine.
#[inline(always)]
pub(crate) fn sinh(x: f32) -> f32 {
    let magnitude = x.abs();
    let z = x * x;
    let p = polynomial!(z, [2.816_952e-6, 1.983_616e-4, 8.333_35e-3, 0.166_666_67]);
    let near = (x * z).mul_add(p, x);
    let half = half_exp(magnitude);
    let far = half - 0.25 / half;
    if magnitude < 1.0 { near } else { far.copysign(x) }
}

/// The hyperbolic cosine.
#[inline(always)]
pub(crate) fn cosh(x: f32) -> f32 {
    let half = half_exp(x.abs());
    half + 0.25 / half
}

#[cfg(test)]
mod tests {
    use super::super::tests::sweep;
    use super::*;

    #[test]
    fn accuracy() {
        sweep("sinh", sinh, f64::sinh);
        sweep("cosh", cosh, f64::cosh);
    }

    #[test]
    fn special_values() {
        let inf = f32::INFINITY;
        assert_eq!((sinh(inf), sinh(-inf), cosh(inf), cosh(-inf)), (inf, -inf, inf, inf));
        assert_eq!((sinh(89.0), cosh(89.0)), (89.0f64.sinh() as f32, 89.0f64.cosh() as f32));
        assert_eq!(sinh(-0.0).to_bits(), (-0.0f32).to_bits());
        assert!(sinh(f32::NAN).is_nan() && cosh(f32::NAN).is_nan());
    }
}
