//! Numbers of the gamma, Poisson, binomial and truncated normal distributions, by rejection.
//!
//! Each number draws from a part of the stream of its own, so threads do not matter. Results are laid out as samples
//! of batches, and parameters are those of a batch; the place in the stream goes batch by batch.

use super::normal::{pair_f32, pair_f64};
use super::uniform::{unit_f32, unit_f64};
use super::{COST, Philox};
use crate::par::Par;
use core::mem::MaybeUninit;

/// Blocks of the stream reserved for each number.
const RESERVED: u64 = 256;
/// Blocks reserved for a binomial number that is found by inversion.
const RESERVED_INVERSION: u64 = 42;
/// How often a truncated normal number is drawn before the draw fails.
const MOST_TRIES: usize = 1000;
/// About how many blocks a number takes.
const BLOCKS: usize = 8;

/// Numbers of one kind from consecutive blocks, the last number of a block first.
struct Draws<T, const N: usize> {
    next: [T; N],
    left: usize,
}

impl<T: Copy + Default, const N: usize> Draws<T, N> {
    fn new() -> Self {
        Self { next: [T::default(); N], left: 0 }
    }

    fn next(&mut self, blocks: &mut Blocks, convert: impl Fn([u32; 4]) -> [T; N]) -> T {
        if self.left == 0 {
            self.next = convert(blocks.next());
            self.left = N;
        }
        self.left -= 1;
        self.next[self.left]
    }
}

/// Consecutive blocks of a generator.
struct Blocks {
    generator: Philox,
    index: u64,
}

impl Blocks {
    fn next(&mut self) -> [u32; 4] {
        self.index = self.index.wrapping_add(1);
        self.generator.block(self.index.wrapping_sub(1))
    }
}

fn units_f64([a, b, c, d]: [u32; 4]) -> [f64; 2] {
    [unit_f64(a, b), unit_f64(c, d)]
}

fn units_f32(words: [u32; 4]) -> [f32; 4] {
    words.map(unit_f32)
}

fn normals_f32([a, b, c, d]: [u32; 4]) -> [f32; 4] {
    let ([x, y], [z, w]) = (pair_f32(a, b), pair_f32(c, d));
    [x, y, z, w]
}

/// Fills `out` number by number; `draw` gets the batch and the place in the stream.
fn each(
    out: &mut [MaybeUninit<f64>],
    batches: usize,
    par: Par,
    draw: impl Fn(usize, u64) -> f64 + Sync,
) {
    let samples = out.len().checked_div(batches).unwrap_or(0);
    par.for_parts(out, 1, out.len().saturating_mul(COST * BLOCKS), &|start, out| {
        for (i, out) in (start..).zip(out) {
            let (batch, sample) = (i % batches, i / batches);
            out.write(draw(batch, (batch * samples + sample) as u64));
        }
    });
}

/// Writes numbers of the gamma distribution with these shapes and scale one; NaN for a shape that is negative or NaN.
///
/// The method is that of Marsaglia and Tsang.
pub fn gamma(generator: Philox, shapes: &[f64], out: &mut [MaybeUninit<f64>], par: Par) {
    each(out, shapes.len(), par, |batch, place| {
        let alpha = shapes[batch];
        if alpha.is_nan() || alpha < 0.0 || alpha.is_infinite() {
            return if alpha > 0.0 { alpha } else { f64::NAN };
        }
        let mut blocks = Blocks { generator, index: place.wrapping_mul(RESERVED) };
        if alpha == 1.0 {
            return -(-units_f64(blocks.next())[1]).ln_1p();
        }
        let small = alpha < 1.0;
        let d = alpha + if small { 2.0 / 3.0 } else { -1.0 / 3.0 };
        let c = 1.0 / 3.0 / d.sqrt();
        let (mut normals, mut units) = (Draws::new(), Draws::new());
        loop {
            let x = normals.next(&mut blocks, pair_f64);
            let v = 1.0 + c * x;
            if v <= 0.0 {
                continue;
            }
            let v = v * v * v;
            let u = units.next(&mut blocks, units_f64);
            if u < 1.0 - 0.0331 * (x * x) * (x * x) || u.ln() < 0.5 * x * x + d * (1.0 - v + v.ln())
            {
                let scale =
                    if small { units.next(&mut blocks, units_f64).powf(1.0 / alpha) } else { 1.0 };
                return d * v * scale;
            }
        }
    });
}

/// Writes numbers of the Poisson distribution with these rates; NaN for a rate that is negative or not finite.
///
/// Rates below ten are drawn by Knuth's method, others by Hörmann's.
pub fn poisson(generator: Philox, rates: &[f64], out: &mut [MaybeUninit<f64>], par: Par) {
    each(out, rates.len(), par, |batch, place| {
        let rate = rates[batch];
        if !rate.is_finite() || rate < 0.0 {
            return f64::NAN;
        }
        let mut blocks = Blocks { generator, index: place.wrapping_mul(RESERVED) };
        let mut units = Draws::new();
        let mut unit = || units.next(&mut blocks, units_f64);
        if rate < 10.0 {
            let limit = (-rate).exp();
            let (mut product, mut count) = (1.0, 0.0);
            loop {
                product *= unit();
                if product <= limit {
                    return count;
                }
                count += 1.0;
            }
        }
        let log_rate = rate.ln();
        let b = 0.931 + 2.53 * rate.sqrt();
        let a = -0.059 + 0.02483 * b;
        let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
        loop {
            let u = unit() - 0.5;
            let v = unit();
            let shifted = 0.5 - u.abs();
            let k = ((2.0 * a / shifted + b) * u + rate + 0.43).floor();
            if shifted >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2.0) {
                return k;
            }
            if k < 0.0 || (shifted < 0.013 && v > shifted) {
                continue;
            }
            let s = (v * inverse_alpha / (a / (shifted * shifted) + b)).ln();
            if s <= -rate + k * log_rate - libm::lgamma(k + 1.0) {
                return k;
            }
        }
    });
}

/// How often an event of this probability occurs in `count` trials, by sums of geometric numbers.
fn inversion(count: f64, p: f64, blocks: &mut Blocks) -> f64 {
    let mut units = Draws::new();
    let (mut sum, mut number) = (0.0, 0.0);
    loop {
        let u: f64 = units.next(blocks, units_f64);
        sum += (u.ln() / (-p).ln_1p()).ceil();
        if sum > count {
            return number;
        }
        number += 1.0;
    }
}

/// `log k!` less Stirling's approximation.
fn stirling_tail(k: f64) -> f64 {
    const TAILS: [f64; 10] = [
        0.0810614667953272,
        0.0413406959554092,
        0.0276779256849983,
        0.02079067210376509,
        0.0166446911898211,
        0.0138761288230707,
        0.0118967099458917,
        0.0104112652619720,
        0.00925546218271273,
        0.00833056343336287,
    ];
    if k <= 9.0 {
        return TAILS[k as usize];
    }
    let square = (k + 1.0) * (k + 1.0);
    (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / (k + 1.0)
}

/// How often an event of this probability occurs in `count` trials, by Hörmann's rejection.
fn rejection(count: f64, p: f64, blocks: &mut Blocks) -> f64 {
    let deviation = (count * p * (1.0 - p)).sqrt();
    let b = 1.15 + 2.53 * deviation;
    let a = -0.0873 + 0.0248 * b + 0.01 * p;
    let c = count * p + 0.5;
    let v_r = 0.92 - 4.2 / b;
    let r = p / (1.0 - p);
    let alpha = (2.83 + 5.1 / b) * deviation;
    let m = ((count + 1.0) * p).floor();
    let mut units = Draws::new();
    loop {
        let u = units.next(blocks, units_f64) - 0.5;
        let v = units.next(blocks, units_f64);
        let us = 0.5 - u.abs();
        let k = ((2.0 * a / us + b) * u + c).floor();
        if us >= 0.07 && v <= v_r {
            return k;
        }
        if k < 0.0 || k > count {
            continue;
        }
        let v = (v * alpha / (a / (us * us) + b)).ln();
        let bound = (m + 0.5) * ((m + 1.0) / (r * (count - m + 1.0))).ln()
            + (count + 1.0) * ((count - m + 1.0) / (count - k + 1.0)).ln()
            + (k + 0.5) * (r * (count - k + 1.0) / (k + 1.0)).ln()
            + stirling_tail(m)
            + stirling_tail(count - m)
            - stirling_tail(k)
            - stirling_tail(count - k);
        if v <= bound {
            return k;
        }
    }
}

/// Writes numbers of the binomial distribution: how often events of these probabilities occur in these counts of
/// trials.
///
/// The counts may be no integers. A count of zero or less gives zero, a probability that is NaN gives NaN. `round`
/// rounds to the dtype of the parameters.
///
/// # Panics
///
/// If there are not as many probabilities as counts.
pub fn binomial(
    generator: Philox,
    counts: &[f64],
    probabilities: &[f64],
    round: fn(f64) -> f64,
    out: &mut [MaybeUninit<f64>],
    par: Par,
) {
    assert_eq!(counts.len(), probabilities.len(), "a probability for each count");
    each(out, counts.len(), par, |batch, place| {
        let (count, p) = (counts[batch], probabilities[batch]);
        let draw = |p: f64| {
            let many = round(count * p) >= 10.0;
            let reserved = if many { RESERVED } else { RESERVED_INVERSION };
            let mut blocks = Blocks { generator, index: place.wrapping_mul(reserved) };
            if many { rejection(count, p, &mut blocks) } else { inversion(count, p, &mut blocks) }
        };
        if count <= 0.0 || p <= 0.0 {
            0.0
        } else if p >= 1.0 {
            count
        } else if !count.is_finite() || p.is_nan() {
            f64::NAN
        } else if p <= 0.5 {
            draw(p)
        } else {
            count - draw(round(1.0 - p))
        }
    });
}

/// Why no truncated normal numbers are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The mean or the deviation is not finite, the deviation not above zero, the bounds do not ascend, or both are
    /// infinite.
    Parameters,
    /// A thousand numbers were rejected one after another.
    Tries,
}

/// Mean, deviation, lower and upper bound of a truncated normal distribution.
pub type Truncation<T> = [T; 4];

macro_rules! truncated {
    ($(#[$doc:meta])* $name:ident: $t:ident, $units:ident, $normals:ident;) => {
        $(#[$doc])*
        ///
        /// The numbers share one stream: those of a batch follow each other in it.
        ///
        /// # Errors
        ///
        /// If parameters are wrong, or numbers are rejected too often.
        pub fn $name(
            generator: Philox,
            batches: &[Truncation<$t>],
            out: &mut [$t],
        ) -> Result<(), Refused> {
            let samples = out.len().checked_div(batches.len()).unwrap_or(0);
            let mut blocks = Blocks { generator, index: 0 };
            for (batch, &[mean, mut deviation, mut low, mut high]) in batches.iter().enumerate() {
                let bounded = low < high && (low.is_finite() || high.is_finite());
                if !(mean.is_finite() && deviation > 0.0 && deviation.is_finite() && bounded) {
                    return Err(Refused::Parameters);
                }
                if low == $t::NEG_INFINITY || high < mean {
                    (low, high, deviation) = (high, low, -deviation);
                }
                let (low, high) = ((low - mean) / deviation, (high - mean) / deviation);
                let root = (low * low + 4.0).sqrt();
                let cutoff = 2.0 * (0.5 + (low * (low - root)) / 4.0).exp() / (low + root);
                let width = high - low;
                let mut rest = samples;
                let mut rejected = 0;
                // Takes a number or counts its rejection. True if no more are wanted.
                let mut take = |number: $t, accepted: bool| {
                    if accepted {
                        out[(samples - rest) * batches.len() + batch] = number * deviation + mean;
                        rest -= 1;
                        rejected = 0;
                    } else {
                        rejected += 1;
                        if rejected >= MOST_TRIES {
                            return Err(Refused::Tries);
                        }
                    }
                    Ok(rest == 0)
                };
                if samples == 0 {
                    continue;
                }
                if (low < -1.3 && high >= 0.0) || (high > 1.3 && low <= 0.0) {
                    'normal: loop {
                        for x in $normals(blocks.next()) {
                            if take(x, x >= low && x <= high)? {
                                break 'normal;
                            }
                        }
                    }
                } else if width < cutoff {
                    let plus = if low < 0.0 { 0.0 } else { low * low };
                    'uniform: loop {
                        let (z, u) = ($units(blocks.next()), $units(blocks.next()));
                        for (z, u) in z.map(|z| z * width + low).into_iter().zip(u) {
                            if take(z, u <= ((plus - z * z) / 2.0).exp())? {
                                break 'uniform;
                            }
                        }
                    }
                } else {
                    let alpha = (low + (low * low + 4.0).sqrt()) / 2.0;
                    'exponential: loop {
                        for &[z, u] in $units(blocks.next()).as_chunks().0 {
                            let z = -z.ln() / alpha + low;
                            let x = if low < alpha { alpha - z } else { low - alpha };
                            if take(z, u <= (-x * x / 2.0).exp() && z < high)? {
                                break 'exponential;
                            }
                        }
                    }
                }
            }
            Ok(())
        }
    };
}

truncated! {
    /// Writes normal numbers between bounds, for each batch with its own parameters.
    truncated_f64: f64, units_f64, pair_f64;
}
truncated! {
    /// Writes numbers as [`truncated_f64`] does, computed in float32.
    truncated_f32: f32, units_f32, normals_f32;
}

/// The place of `index` in a pseudorandom order of `0..=last` that the key chooses: a block cipher of Simon's family,
/// applied until the result is no larger than `last`.
///
/// # Panics
///
/// If `index` is larger than `last`.
pub fn index_shuffle(index: u64, key: [u32; 3], last: u64, rounds: usize) -> u64 {
    assert!(index <= last, "an index within the range");
    if last == 0 {
        return 0;
    }
    let bits = u64::BITS - last.leading_zeros();
    let width = ((bits + bits % 2).clamp(16, 64)) / 2;
    let mask = (1u64 << width) - 1;
    let left = |x: u64, by: u32| ((x << by) | (x >> (width - by))) & mask;
    let right = |x: u64, by: u32| ((x >> by) | (x << (width - by))) & mask;
    let mix = |x: u64| (left(x, 1) & left(x, 8 % width)) ^ left(x, 2);
    let key_of = |i: usize, before: &[u64]| match i {
        0..3 => u64::from(key[i]) & mask,
        _ => {
            // The constant has as many bits as a word, so the later bits of narrow words are zero.
            let z = (0x7369_f885_192c_0ef5 & mask).checked_shr((i - 3) as u32).unwrap_or(0) & 1;
            let last = before[2];
            (0xffff_fffc & mask) ^ z ^ before[0] ^ right(last, 3) ^ right(last, 4)
        }
    };
    let mut x = index;
    loop {
        let (mut high, mut low) = ((x >> width) & mask, x & mask);
        let mut keys = [0; 3];
        for i in 0..rounds {
            let k = key_of(i, &keys);
            keys = [keys[1], keys[2], k];
            if i % 2 == 0 {
                high ^= mix(low) ^ k;
            } else {
                low ^= mix(high) ^ k;
            }
        }
        x = (high << width) | low;
        if x <= last {
            return x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filled;

    fn generator() -> Philox {
        let (key, counter) = Philox::key_counter([1, 2]);
        Philox::new(key, counter)
    }

    /// The mean and the variance of numbers.
    fn moments(x: &[f64]) -> (f64, f64) {
        let mean = x.iter().sum::<f64>() / x.len() as f64;
        (mean, x.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / x.len() as f64)
    }

    fn assert_moments(x: &[f64], mean: f64, variance: f64) {
        let (m, v) = moments(x);
        assert!((m - mean).abs() < 0.05 * mean && (v - variance).abs() < 0.1 * variance, "{m} {v}");
    }

    #[test]
    fn answers_of_tensorflow() {
        let got = filled(4, |out| poisson(generator(), &[10.0], out, Par::Seq));
        assert_eq!(got, [14.0, 12.0, 15.0, 18.0]);
        let got = filled(4, |out| binomial(generator(), &[1e5], &[0.3], |x| x, out, Par::Seq));
        assert_eq!(got, [30175.0, 30150.0, 30213.0, 30170.0]);
    }

    #[test]
    fn moments_of_the_distributions() {
        const N: usize = 20_000;
        for alpha in [0.3, 1.0, 4.5] {
            let x = filled(N, |out| gamma(generator(), &[alpha], out, Par::Pool));
            assert_moments(&x, alpha, alpha);
        }
        for rate in [0.5, 9.0, 200.0] {
            let x = filled(N, |out| poisson(generator(), &[rate], out, Par::Pool));
            assert_moments(&x, rate, rate);
        }
        for (count, p) in [(7.0, 0.2), (7.0, 0.9), (500.0, 0.4), (500.0, 0.75)] {
            let x = filled(N, |out| binomial(generator(), &[count], &[p], |x| x, out, Par::Pool));
            assert_moments(&x, count * p, count * p * (1.0 - p));
        }
    }

    #[test]
    fn batches_have_their_own_parameters() {
        let x = filled(4000, |out| gamma(generator(), &[1.0, 50.0], out, Par::Pool));
        let of = |batch: usize| -> Vec<f64> { x.iter().copied().skip(batch).step_by(2).collect() };
        assert_moments(&of(0), 1.0, 1.0);
        assert_moments(&of(1), 50.0, 50.0);
    }

    #[test]
    fn impossible_parameters_end() {
        let wrong = [f64::NAN, -1.0, f64::NEG_INFINITY];
        assert!(
            filled(3, |out| gamma(generator(), &wrong, out, Par::Seq)).iter().all(|x| x.is_nan())
        );
        let wrong = [f64::NAN, f64::INFINITY, -1.0];
        let got = filled(3, |out| poisson(generator(), &wrong, out, Par::Seq));
        assert!(got.iter().all(|x| x.is_nan()));
        let (counts, p) = ([f64::INFINITY, f64::NAN, 3.0], [0.5, 0.5, f64::NAN]);
        let got = filled(3, |out| binomial(generator(), &counts, &p, |x| x, out, Par::Seq));
        assert!(got.iter().all(|x| x.is_nan()));
        let nan = [f64::NAN, 1.0, 0.0, 1.0];
        assert_eq!(truncated_f64(generator(), &[nan], &mut [0.0]), Err(Refused::Parameters));
    }

    #[test]
    fn truncated_numbers_lie_between_their_bounds() {
        let bounds = [(-0.5, 2.0), (5.0, 6.0), (-9.0, -8.0), (-0.1, 0.1), (f64::NEG_INFINITY, 0.0)];
        let batches: Vec<_> = bounds.iter().map(|(low, high)| [0.0, 1.0, *low, *high]).collect();
        let mut out = vec![0.0; 500];
        truncated_f64(generator(), &batches, &mut out).unwrap();
        for (i, x) in out.iter().enumerate() {
            let (low, high) = bounds[i % 5];
            assert!((low..=high).contains(x), "{x} in {low}..{high}");
        }
        for wrong in [
            [0.0, 0.0, 0.0, 1.0],
            [0.0, 1.0, 1.0, 1.0],
            [0.0, 1.0, f64::NEG_INFINITY, f64::INFINITY],
        ] {
            assert_eq!(truncated_f64(generator(), &[wrong], &mut out), Err(Refused::Parameters));
        }
    }

    #[test]
    fn shuffled_indices_are_a_permutation() {
        for last in [0, 1, 5, 1000, 65_535] {
            let mut order: Vec<u64> =
                (0..=last).map(|i| index_shuffle(i, [1, 2, 3], last, 4)).collect();
            order.sort_unstable();
            assert!(order.into_iter().eq(0..=last), "{last}");
        }
        let last = u64::MAX;
        assert_ne!(index_shuffle(7, [1, 2, 3], last, 4), index_shuffle(8, [1, 2, 3], last, 4));
    }
}
