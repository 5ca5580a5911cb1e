//! Elementary functions of `f64` without branches; see the module above.

use core::f64::consts::LN_2;

/// Adding and taking away 1.5 * 2^52 rounds a small number to an integer.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// What rounding took from `LN_2`.
const LN_2_REST: f64 = 2.319_046_813_846_299_6e-17;

elementary! { f64, i64, exp: -746.0 to 710.0, expm1: -38.0, tanh: 22.0, half_unit: 5.551_115_123_125_783e-17 }

/// `2ⁿ` for n from -1022 to 1023.
#[inline(always)]
fn pow2(n: i64) -> f64 {
    f64::from_bits((n.wrapping_add(1023) as u64) << 52)
}

/// `n` and `eʳ - 1` where `x` is `n * ln 2 + r` and `|r|` is at most half of ln 2.
#[inline(always)]
fn reduce_exp(x: f64) -> (i64, f64) {
    let shifted = x.mul_add(core::f64::consts::LOG2_E, ROUND);
    let n = (shifted.to_bits() as i64).wrapping_sub(ROUND.to_bits() as i64);
    let turns = shifted - ROUND;
    // The inner result is exact.
    let r = turns.mul_add(-LN_2_REST, turns.mul_add(-LN_2, x));
    let p = polynomial!(
        r,
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
    );
    (n, (r * r).mul_add(p, r))
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
    fn ulps(got: f64, want: f64) -> f64 {
        if got == want || got.is_nan() && want.is_nan() {
            return 0.0;
        }
        let magnitude = want.abs().max(f64::MIN_POSITIVE);
        (got - want).abs() / (magnitude.next_up() - magnitude)
    }

    /// Compares over numbers of every magnitude and over those near one.
    fn sweep(name: &str, f: fn(f64) -> f64, oracle: fn(f64) -> f64, most: f64) {
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
        sweep("tanh", tanh, f64::tanh, 3.0);
    }

    #[test]
    fn special_values() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        assert_eq!((exp(-inf), exp(inf), exp(-0.0), exp(710.0)), (0.0, inf, 1.0, inf));
        assert_eq!((expm1(-inf), expm1(inf), expm1(709.78)), (-1.0, inf, 709.78f64.exp_m1()));
        assert_eq!((log(0.0), log(-0.0), log(inf), log(1.0)), (-inf, -inf, inf, 0.0));
        assert_eq!((log(5e-324), log1p(-1.0), log1p(inf)), (5e-324f64.ln(), -inf, inf));
        assert_eq!((tanh(inf), tanh(-inf)), (1.0, -1.0));
        assert_eq!(
            (sigmoid(inf), sigmoid(-inf), sigmoid(-0.0), sigmoid(-710.0)),
            (1.0, 0.0, 0.5, exp(-710.0))
        );
        assert!(log(-1.0).is_nan() && log1p(-1.5).is_nan() && log(-inf).is_nan());
        for f in [exp, expm1, log, log1p, tanh, sigmoid] {
            assert!(f(nan).is_nan());
        }
        for f in [expm1, log1p, tanh] {
            assert_eq!(f(-0.0).to_bits(), (-0.0f64).to_bits());
        }
    }
}
