//! The error function of `f32`.

use super::{exp, limit};

/// The error function.
#[inline(always)]
pub(crate) fn erf(x: f32) -> f32 {
    let magnitude = x.abs();
    // (erf(x) / x - 1) as a function of x², for x up to one.
    let z = x * x;
    let p = -9.641_523e-6;
    let p = p * z + 1.125_695_1e-4;
    let p = p * z - 8.482_829_4e-4;
    let p = p * z + 5.220_945_5e-3;
    let p = p * z - 2.686_54e-2;
    let p = p * z + 0.112_837_82;
    let p = p * z - 0.376_126_38;
    let p = p * z + 0.128_379_17;
    let near = x + x * p;
    // log(1 - erf(x)) for x from one to four; beyond, the result is one.
    let t = limit(magnitude, 1.0, 4.0);
    let q = -2.169_758_4e-5;
    let q = q * t + 4.414_723_4e-4;
    let q = q * t - 4.205_283_2e-3;
    let q = q * t + 2.521_033_6e-2;
    let q = q * t - 0.108_422_09;
    let q = q * t - 0.633_216_4;
    let q = q * t - 1.129_580_3;
    let q = q * t + 1.884_676_3e-4;
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
