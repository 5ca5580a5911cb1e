//! Elementary functions of `f64` without branches; see the module above.

mod curves;
mod power;

pub(crate) use curves::*;
pub(crate) use power::pow;

use core::f64::consts::{LN_2, LOG2_E};

/// Adding 1.5 * 2^52 and taking it away rounds a small number to an integer.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// What rounding took from `LN_2`.
const LN_2_REST: f64 = 2.319_046_813_846_299_6e-17;

elementary! { f64, u64: 52 1023.0, exp: -746.0 to 710.0, expm1: -38.0, tanh: 22.0, half_unit: 5.551_115_123_125_783e-17 }

/// `eˣ - 1` where `|x|` is at most half of ln 2.
#[inline(always)]
fn expm1_of_small(x: f64) -> f64 {
    (x * x).mul_add(exp_terms(x), x)
}

/// `eˣ - 1 - x`, divided by the square of `x`, where `|x|` is at most half of ln 2.
#[inline(always)]
fn exp_terms(x: f64) -> f64 {
    polynomial!(
        x,
        [
            2.082_674_556_665_549_4e-9,
            2.511_202_816_231_633_4e-8,
            2.755_758_136_043_273_4e-7,
            2.755_723_488_665_697e-6,
            2.480_158_692_739_752e-5,
            1.984_126_989_635_919_2e-4,
            1.388_888_888_911_505_8e-3,
            8.333_333_333_317_044e-3,
            4.166_666_666_666_609_5e-2,
            0.166_666_666_666_666_82,
            0.5
        ]
    )
}

/// Splits a positive number into `m * 2^e` with `m` between √½ and √2;
/// returns `m - 1` and `e`.
#[inline(always)]
fn reduce_log(x: f64) -> (f64, f64) {
    const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    let denormal = x < f64::MIN_POSITIVE;
    let scaled = if denormal { x * 18_014_398_509_481_984.0 } else { x };
    let bits = scaled.to_bits().wrapping_sub(SQRT_HALF);
    // As a small integer in the low bits of a float: this conversion vectorises everywhere.
    let exponent = ((bits as i64 >> 52) as u64).wrapping_add(ROUND.to_bits());
    let exponent = f64::from_bits(exponent) - ROUND;
    let m = f64::from_bits((bits & 0x000f_ffff_ffff_ffff).wrapping_add(SQRT_HALF));
    let shift = if denormal { 54.0 } else { 0.0 };
    (m - 1.0, exponent - shift)
}

/// The logarithm of a positive finite number plus a small `correction`.
#[inline(always)]
fn log_plus(x: f64, correction: f64) -> f64 {
    let (f, exponent) = reduce_log(x);
    // log(1 + f) is 2 artanh(s); f replaces 2s because it is exact.
    let s = f / (2.0 + f);
    let z = s * s;
    let p = polynomial!(
        z,
        [
            0.132_512_034_024_339_4,
            0.132_501_317_852_481_5,
            0.153_870_901_670_258_27,
            0.181_817_756_785_830_1,
            0.222_222_226_466_406_02,
            0.285_714_285_690_868_5,
            0.400_000_000_000_062_4,
            0.666_666_666_666_666_6
        ]
    );
    let half_square = 0.5 * (f * f);
    let small = exponent.mul_add(LN_2_REST, correction);
    let small = s.mul_add(z.mul_add(p, half_square), small);
    exponent.mul_add(LN_2, f + (small - half_square))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distance in units in the last place.
    pub(super) fn ulps(got: f64, want: f64) -> f64 {
        if got == want || got.is_nan() && want.is_nan() {
            return 0.0;
        }
        let magnitude = want.abs().max(f64::MIN_POSITIVE);
        (got - want).abs() / (magnitude.next_up() - magnitude)
    }

    /// Compares over numbers of every magnitude and over those near one.
    pub(super) fn sweep(name: &str, f: fn(f64) -> f64, oracle: fn(f64) -> f64, most: f64) {
        let spread = (0..400_000u64).map(|i| f64::from_bits(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        let dense = (-200_000..200_000).map(|i| f64::from(i) * 3.672_345_678e-3);
        let close = (-100_000..100_000).map(|i| f64::from(i) * 1.234_567_8e-5);
        for x in spread.chain(dense).chain(close) {
            let (got, want) = (f(x), oracle(x));
            assert!(ulps(got, want) <= most, "{name} of {x:e}: {got:e} instead of {want:e}");
        }
    }

    #[test]
    fn accuracy() {
        sweep("exp", exp, f64::exp, 2.0);
        sweep("expm1", expm1, f64::exp_m1, 2.0);
        sweep("log", log, f64::ln, 2.0);
        sweep("log1p", log1p, f64::ln_1p, 2.0);
        let logistic = |x: f64| if x < -700.0 { x.exp() } else { 1.0 / (1.0 + (-x).exp()) };
        sweep("sigmoid", sigmoid, logistic, 3.0);
        // The oracle is two units off itself.
        sweep("tanh", tanh, f64::tanh, 5.0);
    }

    super::super::tests::test_special_values! { f64, 710.0, 709.78, -710.0 }
}
