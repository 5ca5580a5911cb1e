//! Powers of `f32`, by way of the base-two logarithm in `f64`.

/// The base-two logarithm of a positive finite number.
#[inline(always)]
fn log2(x: f64) -> f64 {
    const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    let bits = x.to_bits().wrapping_sub(SQRT_HALF);
    let exponent = (bits as i64 >> 52) as i32;
    let m = f64::from_bits((bits & 0x000f_ffff_ffff_ffff).wrapping_add(SQRT_HALF));
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let p = polynomial!(
        z,
        [
            0.282_901_315_812_459_03,
            0.319_905_620_541_408_2,
            0.412_209_254_118_555_63,
            0.577_077_942_349_086_9,
            0.961_796_694_113_389_1,
            2.885_390_081_777_85
        ]
    );
    s.mul_add(p, f64::from(exponent))
}

/// `2ᵗ` for `t` from -400 to 400.
#[inline(always)]
fn exp2(t: f64) -> f64 {
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let shifted = t + ROUND;
    let n = shifted.to_bits().wrapping_sub(ROUND.to_bits());
    let r = t - (shifted - ROUND);
    let p = polynomial!(
        r,
        [
            1.317_587_531_473_196_7e-6,
            1.530_973_890_811_158_6e-5,
            1.540_385_164_910_016_4e-4,
            1.333_345_205_552_633_2e-3,
            9.618_128_543_063_115e-3,
            5.550_410_939_350_519e-2,
            0.240_226_506_988_787_72,
            0.693_147_180_546_511_3,
            0.999_999_999_999_762_7
        ]
    );
    p * f64::from_bits(n.wrapping_add(1023) << 52)
}

/// `x` to the power of `y`, with the special values of IEEE 754.
#[inline(always)]
pub(crate) fn pow(x: f32, y: f32) -> f32 {
    let magnitude = x.abs();
    let log = log2(f64::from(magnitude));
    let log = if magnitude < f32::INFINITY { log } else { f64::from(magnitude) };
    let log = if magnitude == 0.0 { f64::NEG_INFINITY } else { log };
    let t = f64::from(y) * log;
    // Small enough to give zero, or large enough to give infinity.
    let t = if t < -400.0 { -400.0 } else { t };
    let t = if t > 400.0 { 400.0 } else { t };
    let value = exp2(t) as f32;
    let unit = magnitude == 1.0 && y.abs() == f32::INFINITY;
    let value = if x == 1.0 || y == 0.0 || unit { 1.0 } else { value };

    let integer = y.floor() == y;
    let half = 0.5 * y;
    let odd = integer && half.floor() != half;
    let undefined = x < 0.0 && magnitude < f32::INFINITY && !integer;
    let value = if undefined { f32::NAN } else { value };
    if odd && x.is_sign_negative() { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::super::tests::ulps;
    use super::*;

    #[test]
    fn special_values_are_those_of_the_standard_library() {
        let values = [0.0, 1e-45, 1e-38, 0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 7.0, 16_777_217.0, 1e38];
        let values = values.into_iter().chain([0.999_999_94, 1.000_000_1, f32::INFINITY]);
        let mut values: Vec<f32> = values.flat_map(|x: f32| [x, -x]).collect();
        values.push(f32::NAN);
        for &x in &values {
            for &y in &values {
                let (got, want) = (pow(x, y), f64::from(x).powf(f64::from(y)));
                assert!(ulps(got, want) <= 1.0, "{x} {y}: {got} instead of {want}");
                let signed = want.is_nan() || got.is_sign_negative() == want.is_sign_negative();
                assert!(signed, "{x} {y}: {got} instead of {want}");
            }
        }
    }

    #[test]
    fn accuracy() {
        for i in 1..2000 {
            let x = (i as f32 * 0.0173).powi(3);
            for j in -200..200 {
                let y = j as f32 * 0.0717;
                let want = f64::from(x).powf(f64::from(y));
                assert!(ulps(pow(x, y), want) <= 1.0, "{x} {y}");
            }
        }
    }
}
