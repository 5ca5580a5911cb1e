//! Elements as unsigned integers in the same order.

use crate::memory::{OutOfMemory, collected};
use half::{bf16, f16};

/// An element that can be ordered.
pub trait Ordered: Copy {
    /// The key of NaN, below all other keys; `None` for types without it.
    const NAN: Option<u64>;

    /// A key in the same order as the elements; both zeros have one key.
    fn key(self) -> u64;

    /// The [`key`](Self::key) that identifies an element: in TensorFlow the two zeros are the same element for float32
    /// and float64, but not for half floats.
    #[inline(always)]
    fn identity(self) -> u64 {
        self.key()
    }
}

/// The keys of all elements, in the order of `x`.
///
/// # Errors
///
/// If there is no memory for them.
pub fn keys<T: Ordered>(x: &[T]) -> Result<Vec<u64>, OutOfMemory> {
    collected(x.iter().map(|x| x.key()))
}

/// Keys that are equal for elements that count as the same.
///
/// # Errors
///
/// If there is no memory for them.
pub fn identities<T: Ordered>(x: &[T]) -> Result<Vec<u64>, OutOfMemory> {
    collected(x.iter().map(|x| x.identity()))
}

macro_rules! integers {
    ($($t:ty => |$x:ident| $key:expr;)*) => {$(
        impl Ordered for $t {
            const NAN: Option<u64> = None;

            #[inline(always)]
            fn key(self) -> u64 {
                let $x = self;
                $key
            }
        }
    )*};
}
integers! {
    bool => |x| u64::from(x);
    u8 => |x| u64::from(x);
    u16 => |x| u64::from(x);
    u32 => |x| u64::from(x);
    u64 => |x| x;
    i8 => |x| i64::from(x).key();
    i16 => |x| i64::from(x).key();
    i32 => |x| i64::from(x).key();
    // Flipping the sign bit puts negative numbers below the others.
    i64 => |x| x as u64 ^ (1 << 63);
}

/// Floats of one sign are ordered like their bits, negative ones in reverse.
macro_rules! floats {
    ($($t:ty, $zero:expr $(, $identity:ident)?;)*) => {$(
        impl Ordered for $t {
            const NAN: Option<u64> = Some(0);

            #[inline(always)]
            fn key(self) -> u64 {
                if self == $zero { floats!(@bits $zero, $t) } else { floats!(@key self, $t) }
            }

            $(#[inline(always)]
            fn $identity(self) -> u64 {
                floats!(@key self, $t)
            })?
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
                let (a, b) = (bf16::from_f32(a), bf16::from_f32(b));
                prop_assert_eq!(a.key().cmp(&b.key()), a.partial_cmp(&b).unwrap());
            }
            prop_assert_eq!(i.key().cmp(&j.key()), i.cmp(&j));
        }
    }
}
