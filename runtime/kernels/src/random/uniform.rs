//! Uniform floats and integers.

use super::{Philox, fill_blocks};
use crate::element::{Element, bf16, f16};
use crate::par::Par;
use core::mem::MaybeUninit;

/// Floats with a uniform distribution.
pub trait Uniform: Element {
    /// Writes numbers from zero up to one, without one.
    fn fill_uniform(generator: Philox, out: &mut [MaybeUninit<Self>], par: Par);
}

/// Integers with a uniform distribution.
pub trait UniformInt: Element {
    /// Writes integers of the whole range.
    fn fill_full(generator: Philox, out: &mut [MaybeUninit<Self>], par: Par);
    /// Writes integers from `low` up to `high`, without `high`.
    fn fill_range(
        generator: Philox,
        low: Self,
        high: Self,
        out: &mut [MaybeUninit<Self>],
        par: Par,
    );
}

/// Writes numbers from zero up to one, without one.
pub fn uniform<T: Uniform>(generator: Philox, out: &mut [MaybeUninit<T>], par: Par) {
    T::fill_uniform(generator, out, par);
}

/// Writes integers of the whole range of their type.
pub fn uniform_full_int<T: UniformInt>(generator: Philox, out: &mut [MaybeUninit<T>], par: Par) {
    T::fill_full(generator, out, par);
}

/// Writes integers from `low` up to `high`, without `high`.
///
/// # Panics
///
/// If `low` is not less than `high`.
pub fn uniform_int<T: UniformInt + PartialOrd>(
    generator: Philox,
    low: T,
    high: T,
    out: &mut [MaybeUninit<T>],
    par: Par,
) {
    assert!(low < high, "an empty range has no numbers");
    T::fill_range(generator, low, high, out, par);
}

/// A float in [0, 1) from the low 23 bits.
#[inline(always)]
pub fn unit_f32(word: u32) -> f32 {
    f32::from_bits(0x3f80_0000 | word & 0x007f_ffff) - 1.0
}

/// A float in [0, 1) from 52 bits, the high ones in the first word.
#[inline(always)]
pub fn unit_f64(high: u32, low: u32) -> f64 {
    let mantissa = u64::from(high & 0x000f_ffff) << 32 | u64::from(low);
    f64::from_bits(0x3ff0_0000_0000_0000 | mantissa) - 1.0
}

/// A float in [0, 1) from the low 10 bits.
#[inline(always)]
fn unit_f16(word: u32) -> f16 {
    let one_and_more = f16::from_bits(0x3c00 | (word & 0x03ff) as u16);
    crate::element::Arithmetic::sub(one_and_more, f16::ONE)
}

/// A float in [0, 1) from the low 7 bits.
#[inline(always)]
fn unit_bf16(word: u32) -> bf16 {
    let one_and_more = bf16::from_bits(0x3f80 | (word & 0x007f) as u16);
    crate::element::Arithmetic::sub(one_and_more, bf16::ONE)
}

macro_rules! uniform_by_word {
    ($($t:ident: $unit:ident),*) => {$(
        impl Uniform for $t {
            fn fill_uniform(generator: Philox, out: &mut [MaybeUninit<Self>], par: Par) {
                fill_blocks(generator, out, par, #[inline(always)] |words| words.map($unit));
            }
        }
    )*};
}
uniform_by_word!(f32: unit_f32, f16: unit_f16, bf16: unit_bf16);

impl Uniform for f64 {
    fn fill_uniform(generator: Philox, out: &mut [MaybeUninit<Self>], par: Par) {
        fill_blocks(
            generator,
            out,
            par,
            #[inline(always)]
            |[a, b, c, d]| [unit_f64(a, b), unit_f64(c, d)],
        );
    }
}

/// The two integers of 64 bits of a block.
#[inline(always)]
fn wide(words: [u32; 4]) -> [u64; 2] {
    let [a, b, c, d] = words.map(u64::from);
    [a | b << 32, c | d << 32]
}

macro_rules! uniform_int {
    ($($t:ident, $unsigned:ident, $words:expr;)*) => {$(
        impl UniformInt for $t {
            fn fill_full(generator: Philox, out: &mut [MaybeUninit<Self>], par: Par) {
                fill_blocks(
                    generator,
                    out,
                    par,
                    #[inline(always)]
                    |words| $words(words).map(|x| x as $t),
                );
            }
            fn fill_range(
                generator: Philox,
                low: Self,
                high: Self,
                out: &mut [MaybeUninit<Self>],
                par: Par,
            ) {
                // Computed unsigned, so that any range fits.
                let range = (high as $unsigned).wrapping_sub(low as $unsigned);
                fill_blocks(
                    generator,
                    out,
                    par,
                    #[inline(always)]
                    |words| $words(words).map(|x| (low as $unsigned).wrapping_add(x % range) as $t),
                );
            }
        }
    )*};
}
uniform_int! {
    i32, u32, core::convert::identity::<[u32; 4]>;
    u32, u32, core::convert::identity::<[u32; 4]>;
    i64, u64, wide;
    u64, u64, wide;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filled;

    /// The key and counter of seed (0, 0).
    fn seed_zero() -> Philox {
        let (key, counter) = Philox::key_counter([0, 0]);
        Philox::new(key, counter)
    }

    #[test]
    fn answers_of_tensorflow() {
        let got: Vec<f32> = filled(3, |out| uniform(seed_zero(), out, Par::Seq));
        assert_eq!(got, [0.211_015_46, 0.706_01, 0.800_063_4]);
        let got: Vec<f64> = filled(2, |out| uniform(seed_zero(), out, Par::Seq));
        assert_eq!(got, [0.688_124_302_227_068_7, 0.400_507_613_589_600_2]);
        let got: Vec<f16> = filled(2, |out| uniform(seed_zero(), out, Par::Seq));
        assert_eq!(got.map_f32(), [0.638_671_9, 0.633_789_06]);
        let got: Vec<bf16> = filled(2, |out| uniform(seed_zero(), out, Par::Seq));
        assert_eq!(got.map_f32(), [0.109_375, 0.070_312_5]);
        let got: Vec<i32> = filled(2, |out| uniform_full_int(seed_zero(), out, Par::Seq));
        assert_eq!(got, [-409_271_666, -1_596_301_687]);
        let got: Vec<i64> = filled(3, |out| uniform_int(seed_zero(), -10, 17, out, Par::Seq));
        assert_eq!(got, [1, -8, 11]);
        let got: Vec<i32> = filled(3, |out| uniform_int(seed_zero(), -10, 17, out, Par::Seq));
        assert_eq!(got, [16, -7, 10]);
    }

    trait MapF32 {
        fn map_f32(&self) -> Vec<f32>;
    }
    impl<T: crate::element::Cast<f32> + Copy> MapF32 for Vec<T> {
        fn map_f32(&self) -> Vec<f32> {
            self.iter().map(|x| x.cast()).collect()
        }
    }

    #[test]
    fn threads_do_not_matter() {
        let draw = |par| filled(100_003, |out| uniform::<f32>(seed_zero(), out, par));
        assert_eq!(draw(Par::Seq), draw(Par::Pool));
    }
}
