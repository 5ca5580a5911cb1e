//! Elements as unsigned integers in the same order.

use crate::memory::{OutOfMemory, WorkVec};
use crate::par::simd;
use half::{bf16, f16};

/// An element that can be ordered.
pub trait Ordered: Copy {
    /// The key of NaN, below all other keys; `None` for types without it.
    const NAN: Option<u64>;
    /// The key of zero.
    const ZERO_KEY: u64;

    /// A key in the same order as the elements, with as many bits; both zeros have one key.
    fn key(self) -> u64;

    /// The element with a key that is not that of NaN; a zero is positive.
    fn of_key(key: u64) -> Self;

    /// The [`key`](Self::key) that identifies an element: in TensorFlow the two zeros are the same element for float32
    /// and float64, but not for half floats.
    #[inline(always)]
    fn identity(self) -> u64 {
        self.key()
    }

    /// A key in the same order that also tells zeros apart, of what is not NaN.
    #[inline(always)]
    fn exact(self) -> u64 {
        self.key()
    }

    /// Writes the keys of elements, as many as there are of both.
    fn write_keys(x: &[Self], out: &mut [u64]);
}

/// The keys of all elements, in the order of `x`.
///
/// # Errors
///
/// If there is no memory for them.
pub fn keys<T: Ordered>(x: &[T]) -> Result<WorkVec<u64>, OutOfMemory> {
    let mut keys = WorkVec::of_len(x.len())?;
    T::write_keys(x, &mut keys);
    Ok(keys)
}

/// Keys that are equal for elements that count as the same.
///
/// # Errors
///
/// If there is no memory for them.
pub fn identities<T: Ordered>(x: &[T]) -> Result<WorkVec<u64>, OutOfMemory> {
    WorkVec::collected(x.iter().map(|x| x.identity()))
}

macro_rules! write_keys {
    () => {
        #[inline(never)]
        fn write_keys(x: &[Self], out: &mut [u64]) {
            simd(
                #[inline(always)]
                || out.iter_mut().zip(x).for_each(|(out, x)| *out = x.key()),
            );
        }
    };
}

/// Flipping the sign bit puts negative numbers below the others.
macro_rules! integers {
    ($($t:ty: $unsigned:ty, $flipped:expr;)*) => {$(
        impl Ordered for $t {
            const NAN: Option<u64> = None;
            const ZERO_KEY: u64 = $flipped;

            #[inline(always)]
            fn key(self) -> u64 {
                u64::from(self as $unsigned ^ $flipped)
            }

            #[inline(always)]
            fn of_key(key: u64) -> Self {
                (key as $unsigned ^ $flipped) as $t
            }

            write_keys!();
        }
    )*};
}
integers! {
    u8: u8, 0;
    u16: u16, 0;
    u32: u32, 0;
    u64: u64, 0;
    i8: u8, 1 << 7;
    i16: u16, 1 << 15;
    i32: u32, 1 << 31;
    i64: u64, 1 << 63;
}

impl Ordered for bool {
    const NAN: Option<u64> = None;
    const ZERO_KEY: u64 = 0;

    #[inline(always)]
    fn key(self) -> u64 {
        u64::from(self)
    }

    #[inline(always)]
    fn of_key(key: u64) -> Self {
        key != 0
    }

    write_keys!();
}

/// Floats of one sign are ordered like their bits, negative ones in reverse.
macro_rules! floats {
    ($($t:ty, $zero:expr $(, $identity:ident)?;)*) => {$(
        impl Ordered for $t {
            const NAN: Option<u64> = Some(0);
            const ZERO_KEY: u64 = 1 << (8 * size_of::<$t>() - 1);

            #[inline(always)]
            fn key(self) -> u64 {
                if self == $zero { floats!(@bits $zero, $t) } else { floats!(@key self, $t) }
            }

            #[inline(always)]
            fn of_key(key: u64) -> Self {
                let sign = 1 << (8 * size_of::<$t>() - 1);
                <$t>::from_bits(if key & sign == 0 { !key } else { key ^ sign } as _)
            }

            #[inline(always)]
            fn exact(self) -> u64 {
                floats!(@bits self, $t)
            }

            $(#[inline(always)]
            fn $identity(self) -> u64 {
                floats!(@key self, $t)
            })?

            write_keys!();
        }
    )*};
    (@key $x:expr, $t:ty) => { if $x.is_nan() { 0 } else { floats!(@bits $x, $t) } };
    (@bits $x:expr, $t:ty) => {{
        let bits = $x.to_bits();
        let sign = 1 << (8 * size_of::<$t>() - 1);
        u64::from(if bits & sign == 0 { bits | sign } else { !bits })
    }};
}
floats!(f32, 0.0f32; f64, 0.0f64; f16, f16::ZERO, identity; bf16, bf16::ZERO, identity;);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn extremes_are_in_order() {
        let ordered =
            [f64::NEG_INFINITY, f64::MIN, -1.0, -f64::MIN_POSITIVE, 0.0, 5e-324, f64::INFINITY];
        assert!(keys(&ordered).unwrap().is_sorted_by(|a, b| a < b));
        assert_eq!((-0.0f32).key(), 0.0f32.key());
        assert_eq!(f16::NEG_ZERO.key(), f16::ZERO.key());
        assert_eq!((-0.0f64).identity(), 0.0f64.identity());
        assert_ne!(bf16::NEG_ZERO.identity(), bf16::ZERO.identity());
        assert!(
            f32::NAN.key() < f32::NEG_INFINITY.key() && bf16::NAN.key() < bf16::NEG_INFINITY.key()
        );
        assert!(keys(&[i64::MIN, -1, 0, i64::MAX]).unwrap().is_sorted_by(|a, b| a < b));
    }

    proptest! {
        #[test]
        fn keys_compare_as_the_elements_do(a: f32, b: f32, i: i16, j: i16) {
            if !a.is_nan() && !b.is_nan() {
                prop_assert_eq!(a.key().cmp(&b.key()), a.partial_cmp(&b).unwrap());
                prop_assert_eq!(f32::of_key(a.key()), a);
                let (a, b) = (bf16::from_f32(a), bf16::from_f32(b));
                prop_assert_eq!(a.key().cmp(&b.key()), a.partial_cmp(&b).unwrap());
            }
            prop_assert_eq!(i.key().cmp(&j.key()), i.cmp(&j));
            prop_assert_eq!(i16::of_key(i.key()), i);
        }
    }
}
