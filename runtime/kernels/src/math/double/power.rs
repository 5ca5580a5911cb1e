//! Powers of `f64`, by way of a logarithm with the bits that large exponents need.

use super::{LN_2_REST, exp_terms, pow2, reduce_log, round};
use core::f64::consts::{LN_2, LOG2_E};

/// `a + b` of a number and one that is not larger, and what rounding took from it.
#[inline(always)]
fn sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    (s, b - (s - a))
}

/// `x * y`, and what rounding took from it.
#[inline(always)]
fn product(x: f64, y: f64) -> (f64, f64) {
    let p = x * y;
    (p, x.mul_add(y, -p))
}

/// The base-two logarithm of a positive finite number, as the sum of two.
#[inline(always)]
fn log2(x: f64) -> (f64, f64) {
    /// What rounding took from `LOG2_E`, and from two thirds.
    const LOG2_E_REST: f64 = 2.035_527_374_093_103_3e-17;
    const TWO_THIRDS: (f64, f64) = (0.666_666_666_666_666_6, 3.700_743_415_417_188e-17);
    let (f, exponent) = reduce_log(x);
    // log(1 + f) is 2 artanh(s), of which the first two powers of `s` are summed with what rounding takes from them.
    let (d, d_rest) = sum(2.0, f);
    let s = f / d;
    let s_rest = ((-s).mul_add(d, f) - s * d_rest) / d;
    let (z, z_rest) = product(s, s);
    let z_rest = (2.0 * s).mul_add(s_rest, z_rest);
    let (cube, cube_rest) = product(z, s);
    let cube_rest = z.mul_add(s_rest, z_rest.mul_add(s, cube_rest));
    let (third, third_rest) = product(cube, TWO_THIRDS.0);
    let third_rest = cube.mul_add(TWO_THIRDS.1, cube_rest.mul_add(TWO_THIRDS.0, third_rest));
    let tail = polynomial!(
        z,
        [
            2.0 / 23.0,
            2.0 / 21.0,
            2.0 / 19.0,
            2.0 / 17.0,
            2.0 / 15.0,
            2.0 / 13.0,
            2.0 / 11.0,
            2.0 / 9.0,
            2.0 / 7.0,
            2.0 / 5.0
        ]
    );
    let tail = (z * cube).mul_add(tail, 2.0f64.mul_add(s_rest, third_rest));
    let (log, log_rest) = sum(2.0 * s, third);
    let (log, log_rest) = sum(log, log_rest + tail);
    let (fraction, rest) = product(log, LOG2_E);
    let rest = log.mul_add(LOG2_E_REST, log_rest.mul_add(LOG2_E, rest));
    let (whole, lost) = sum(exponent, fraction);
    (whole, lost + rest)
}

/// `x` to the power of `y`, with the special values of IEEE 754.
#[inline(always)]
pub(crate) fn pow(x: f64, y: f64) -> f64 {
    let magnitude = x.abs();
    let (log, log_rest) = log2(magnitude);
    let log = if magnitude < f64::INFINITY { log } else { magnitude };
    let log = if magnitude == 0.0 { f64::NEG_INFINITY } else { log };
    let (t, t_rest) = product(y, log);
    let t_rest = log_rest.mul_add(y, t_rest);
    // Small enough to give zero, or large enough to give infinity.
    let inside = t.abs() < 1100.0;
    let t = if t < -1100.0 { -1100.0 } else { t };
    let t = if t > 1100.0 { 1100.0 } else { t };
    let t_rest = if inside { t_rest } else { 0.0 };
    let (n, turns) = round(t, 1.0, 2.0 * 1023.0);
    let (r, r_rest) = product(t - turns, LN_2);
    let r_rest = (t - turns).mul_add(LN_2_REST, t_rest.mul_add(LN_2, r_rest));
    // `eʳ` as the sum of `1 + r` and what is left.
    let (one, lost) = sum(1.0, r);
    let curve = (r * r) * exp_terms(r);
    let left = curve + r_rest.mul_add(one + curve, lost);
    let half = n >> 1;
    let scale = pow2(half);
    let value = scale.mul_add(left, scale * one) * pow2(n.wrapping_sub(half));
    let unit = magnitude == 1.0 && y.abs() == f64::INFINITY;
    let value = if x == 1.0 || y == 0.0 || unit { 1.0 } else { value };

    let integer = y.floor() == y;
    let half = 0.5 * y;
    let odd = integer && half.floor() != half;
    let undefined = x < 0.0 && magnitude < f64::INFINITY && !integer;
    let value = if undefined { f64::NAN } else { value };
    if odd && x.is_sign_negative() { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::super::tests::ulps;
    use super::*;

    #[test]
    fn special_values_are_those_of_the_standard_library() {
        let values =
            [0.0, 1.0, 2.0, 0.5, 3.0, 2.5, f64::INFINITY, 1e300, 1e-300, 5e-324, 1e18, 1e-5];
        let values: Vec<f64> = values.into_iter().flat_map(|x: f64| [x, -x]).collect();
        for &x in &values {
            for &y in &values {
                let (got, want) = (pow(x, y), x.powf(y));
                assert!(ulps(got, want) <= 1.0, "{x} {y}: {got} instead of {want}");
                assert!(
                    got.is_nan() || got.is_sign_negative() == want.is_sign_negative(),
                    "{x} {y}"
                );
            }
            assert_eq!(pow(x, f64::NAN).is_nan(), x != 1.0);
            assert_eq!(pow(f64::NAN, x).is_nan(), x != 0.0);
        }
    }

    #[test]
    fn accuracy() {
        for (i, x) in (1..2000).map(|i| (i, f64::from(i) * 0.013)) {
            for y in (-300..300).map(|j| f64::from(j * (1 + i % 3)) * 0.37) {
                assert!(ulps(pow(x, y), x.powf(y)) <= 1.0, "{x} {y}");
            }
        }
    }

    #[test]
    fn whole_powers_are_exact() {
        for base in 2..100u64 {
            for (n, power) in (0..).map_while(|n| Some((n, base.checked_pow(n)?))) {
                if power < 1 << 53 {
                    assert_eq!(pow(base as f64, n.into()), power as f64, "{base} {n}");
                }
            }
        }
        for n in -1074..1024 {
            assert_eq!(pow(2.0, n.into()), 2f64.powf(n.into()), "{n}");
        }
    }
}
