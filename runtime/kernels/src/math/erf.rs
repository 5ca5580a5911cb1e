//! The error function of `f32`.

use super::{exp, limit};

/// The error function.
#[inline(always)]
pub(crate) fn erf(x: f32) -> f32 {
    let magnitude = x.abs();
    // (erf(x) / x - 1) as a function of x², for x up to one.
    let z = x * x;
    let p = polynomial!(
        z,
        [
            -9.641_523e-6,
            1.125_695_1e-4,
            -8.482_829_4e-4,
            5.220_945_5e-3,
            -2.686_54e-2,
            0.112_837_82,
            -0.376_126_38,
            0.128_379_17
        ]
    );
    let near = x.mul_add(p, x);
    // log(1 - erf(x)) for x from one to four; beyond, the result is one.
    let t = limit(magnitude, 1.0, 4.0);
    let q = polynomial!(
        t,
        [
            -2.169_758_4e-5,
            4.414_723_4e-4,
            -4.205_283_2e-3,
            2.521_033_6e-2,
            -0.108_422_09,
            -0.633_216_4,
            -1.129_580_3,
            1.884_676_3e-4
        ]
    );
    let far = 1.0 - exp(q);
    if magnitude < 1.0 { near } else { far.copysign(x) }
}

#[cfg(test)]
mod tests {
    use super::super::tests::sweep;
    use super::*;

    #[test]
    fn accuracy() {
        sweep("erf", erf, libm::erf);
    }

    #[test]
    fn special_values() {
        assert_eq!((erf(f32::INFINITY), erf(f32::NEG_INFINITY)), (1.0, -1.0));
        assert_eq!(erf(-0.0).to_bits(), (-0.0f32).to_bits());
        assert!(erf(f32::NAN).is_nan());
    }
}
