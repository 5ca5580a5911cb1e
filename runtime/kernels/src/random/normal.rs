//! Normally distributed floats by the Box-Muller transform.

use super::philox::Words;
use super::uniform::{unit_f32, unit_f64};
use super::{Philox, fill_groups};
use crate::element::{Element, Half, Transcendental, bf16, f16};
use crate::halves::{narrow, written};
use crate::par::{Par, simd};
use core::f64::consts::TAU;
use core::mem::MaybeUninit;

/// Blocks reserved for each group of truncated numbers, since it is unknown how many must be thrown away.
const RESERVED: u64 = 256;

/// Floats with a normal distribution.
pub trait Normal: Element {
    /// Writes numbers with mean zero and variance one.
    fn fill_normal(generator: Philox, out: &mut [MaybeUninit<Self>], par: Par);
    /// Writes such numbers, redrawing each number whose absolute value is 2 or more.
    fn fill_truncated(generator: Philox, out: &mut [MaybeUninit<Self>], par: Par);
}

/// Writes normally distributed numbers with mean zero and variance one.
pub fn normal<T: Normal>(generator: Philox, out: &mut [MaybeUninit<T>], par: Par) {
    T::fill_normal(generator, out, par);
}

/// Writes normally distributed numbers, redrawing each number whose absolute value is 2 or more.
pub fn truncated_normal<T: Normal>(generator: Philox, out: &mut [MaybeUninit<T>], par: Par) {
    T::fill_truncated(generator, out, par);
}

/// Two normal numbers from two words.
#[inline(always)]
pub(super) fn pair_f32(a: u32, b: u32) -> [f32; 2] {
    let u = unit_f32(a);
    // Zero has no logarithm.
    let u = if u < 1e-7 { 1e-7 } else { u };
    let angle = (TAU * f64::from(unit_f32(b))) as f32;
    let radius = (-2.0 * Transcendental::log(u)).sqrt();
    [Transcendental::sin(angle) * radius, Transcendental::cos(angle) * radius]
}

/// Two normal numbers from four words.
#[inline(always)]
pub(super) fn pair_f64([a, b, c, d]: [u32; 4]) -> [f64; 2] {
    let u = unit_f64(a, b).max(1e-7);
    let angle = TAU * unit_f64(c, d);
    let radius = (-2.0 * u.ln()).sqrt();
    [angle.sin() * radius, angle.cos() * radius]
}

/// The first `N` numbers of small magnitude among pairs.
#[inline(always)]
fn truncated<const N: usize, F: Copy + Default + PartialOrd + Transcendental>(
    mut pair: impl FnMut() -> [F; 2],
    limit: F,
) -> [F; N] {
    let mut kept = [F::default(); N];
    let mut count = 0;
    while count < N {
        for x in pair() {
            if count < N && x < limit && x > limit.neg() {
                kept[count] = x;
                count += 1;
            }
        }
    }
    kept
}

/// Writes the groups from `first` on.
fn normal_f32(generator: Philox, first: u64, out: &mut [[MaybeUninit<f32>; 4]]) {
    simd(
        #[inline(always)]
        || {
            for (i, out) in (first..).zip(out) {
                let [a, b, c, d] = generator.block(i);
                let ([x, y], [z, w]) = (pair_f32(a, b), pair_f32(c, d));
                *out = [x, y, z, w].map(MaybeUninit::new);
            }
        },
    );
}

/// Writes the groups from `first` on.
fn truncated_f32(generator: Philox, first: u64, out: &mut [[MaybeUninit<f32>; 4]]) {
    simd(
        #[inline(always)]
        || {
            for (i, out) in (first..).zip(out) {
                let mut words = Words::new(generator, i * RESERVED);
                let pair = || {
                    let (a, b) = (words.next(), words.next());
                    pair_f32(a, b)
                };
                *out = truncated::<4, f32>(pair, 2.0).map(MaybeUninit::new);
            }
        },
    );
}

impl Normal for f32 {
    fn fill_normal(generator: Philox, out: &mut [MaybeUninit<Self>], par: Par) {
        fill_groups(out, par, &|first, out| normal_f32(generator, first, out));
    }

    fn fill_truncated(generator: Philox, out: &mut [MaybeUninit<Self>], par: Par) {
        fill_groups(out, par, &|first, out| truncated_f32(generator, first, out));
    }
}

/// Draws `f32` numbers and rounds them.
fn rounded<H: Element + Half>(
    first: u64,
    out: &mut [[MaybeUninit<H>; 4]],
    draw: impl Fn(u64, &mut [[MaybeUninit<f32>; 4]]),
) {
    const GROUPS: usize = 64;
    let mut wide = [[MaybeUninit::uninit(); 4]; GROUPS];
    for (i, out) in (0u64..).zip(out.chunks_mut(GROUPS)) {
        let wide = &mut wide[..out.len()];
        draw(first + i * GROUPS as u64, wide);
        // SAFETY: all were just drawn.
        narrow(unsafe { written(wide.as_flattened()) }, out.as_flattened_mut());
    }
}

macro_rules! normal_by_f32 {
    ($($t:ident)*) => {$(
        impl Normal for $t {
            fn fill_normal(generator: Philox, out: &mut [MaybeUninit<Self>], par: Par) {
                fill_groups(out, par, &|first, out| {
                    rounded(first, out, |first, out| normal_f32(generator, first, out));
                });
            }

            fn fill_truncated(generator: Philox, out: &mut [MaybeUninit<Self>], par: Par) {
                fill_groups(out, par, &|first, out| {
                    rounded(first, out, |first, out| truncated_f32(generator, first, out));
                });
            }
        }
    )*};
}
normal_by_f32!(f16 bf16);

impl Normal for f64 {
    fn fill_normal(generator: Philox, out: &mut [MaybeUninit<Self>], par: Par) {
        fill_groups(out, par, &|first, out| {
            for (i, out) in (first..).zip(out) {
                *out = pair_f64(generator.block(i)).map(MaybeUninit::new);
            }
        });
    }

    fn fill_truncated(generator: Philox, out: &mut [MaybeUninit<Self>], par: Par) {
        fill_groups(out, par, &|first, out| {
            for (i, out) in (first..).zip(out) {
                let mut block = i * (RESERVED / 2);
                let pair = || {
                    block += 1;
                    pair_f64(generator.block(block - 1))
                };
                *out = truncated::<2, f64>(pair, 2.0).map(MaybeUninit::new);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filled;

    fn seed_zero() -> Philox {
        let (key, counter) = Philox::key_counter([0, 0]);
        Philox::new(key, counter)
    }

    fn close(got: &[f64], want: &[f64]) {
        for (got, want) in got.iter().zip(want) {
            assert!((got - want).abs() <= 1e-6 * want.abs(), "{got} {want}");
        }
    }

    #[test]
    fn answers_of_tensorflow() {
        let widened = |x: Vec<f32>| x.into_iter().map(f64::from).collect::<Vec<_>>();
        let got = widened(filled(5, |out| normal(seed_zero(), out, Par::Seq)));
        close(&got, &[-1.697_034, -0.481_376_7, -0.662_236_93, 0.087_011_19, -1.000_162_2]);
        let got = widened(filled(5, |out| truncated_normal(seed_zero(), out, Par::Seq)));
        close(&got, &[-1.697_034, -0.481_376_7, -0.662_236_93, 0.087_011_19, -0.265_797_94]);
        let got: Vec<f64> = filled(3, |out| normal(seed_zero(), out, Par::Seq));
        close(&got, &[0.505_978_616_924_773_2, -0.701_111_410_738_353_6, 0.453_094_536_778_225_2]);
        let got: Vec<f64> = filled(3, |out| truncated_normal(seed_zero(), out, Par::Seq));
        close(&got, &[0.505_978_616_924_773_2, -0.701_111_410_738_353_6, 1.403_722_390_674_235_8]);
    }

    #[test]
    fn moments() {
        let x: Vec<f32> = filled(100_000, |out| normal(seed_zero(), out, Par::Pool));
        let mean = x.iter().sum::<f32>() / 1e5;
        let variance = x.iter().map(|x| x * x).sum::<f32>() / 1e5;
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
        let x: Vec<f64> = filled(1001, |out| truncated_normal(seed_zero(), out, Par::Pool));
        assert!(x.iter().all(|x| x.abs() < 2.0));
    }
}
