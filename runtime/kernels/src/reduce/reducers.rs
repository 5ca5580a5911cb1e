//! The common reducers.

use super::Reducer;
use crate::element::{
    Arithmetic, Cast, Complex32, Complex64, Float, Real, Transcendental, bf16, f16,
};

/// Numbers, and the types that accumulate their sums and means.
pub trait Accumulate: Arithmetic {
    /// For sums and products: the type itself, `f32` for halves.
    type Acc: Arithmetic;
    /// For means: also 64 bits for integers, so that only 64-bit integers can wrap.
    type Wide: Arithmetic;
    /// The element as accumulator.
    fn to_acc(self) -> Self::Acc;
    /// The accumulator rounded to an element.
    fn from_acc(acc: Self::Acc) -> Self;
    /// The element as wide accumulator.
    fn to_wide(self) -> Self::Wide;
    /// The mean of `count` elements with this sum.
    ///
    /// Integers are truncated. The mean of no elements is zero for integers, and NaN for other numbers.
    fn mean(sum: Self::Wide, count: usize) -> Self;
}

macro_rules! accumulate {
    ($($t:ident: $acc:ident, $wide:ident, |$sum:ident, $count:ident| $mean:expr;)*) => {$(
        impl Accumulate for $t {
            type Acc = $acc;
            type Wide = $wide;
            #[inline(always)]
            fn to_acc(self) -> $acc {
                self.cast()
            }
            #[inline(always)]
            fn from_acc(acc: $acc) -> Self {
                acc.cast()
            }
            #[inline(always)]
            fn to_wide(self) -> $wide {
                self.cast()
            }
            #[inline(always)]
            fn mean($sum: $wide, $count: usize) -> Self {
                $mean.cast()
            }
        }
    )*};
}
accumulate! {
    i8: i8, i64, |sum, count| Real::trunc_div(sum, count as i64);
    i16: i16, i64, |sum, count| Real::trunc_div(sum, count as i64);
    i32: i32, i64, |sum, count| Real::trunc_div(sum, count as i64);
    i64: i64, i64, |sum, count| Real::trunc_div(sum, count as i64);
    u8: u8, u64, |sum, count| Real::trunc_div(sum, count as u64);
    u16: u16, u64, |sum, count| Real::trunc_div(sum, count as u64);
    u32: u32, u64, |sum, count| Real::trunc_div(sum, count as u64);
    u64: u64, u64, |sum, count| Real::trunc_div(sum, count as u64);
    f16: f32, f32, |sum, count| (sum / count as f32);
    bf16: f32, f32, |sum, count| (sum / count as f32);
    f32: f32, f32, |sum, count| (sum / count as f32);
    f64: f64, f64, |sum, count| (sum / count as f64);
    Complex32: Complex32, Complex32, |sum, count| (sum / count as f32);
    Complex64: Complex64, Complex64, |sum, count| (sum / count as f64);
}

/// The sum.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sum;

impl<T: Accumulate> Reducer<T> for Sum {
    type Acc = T::Acc;
    type Out = T;
    #[inline(always)]
    fn identity(&self) -> T::Acc {
        T::Acc::ZERO
    }
    #[inline(always)]
    fn fold(&self, acc: T::Acc, x: T) -> T::Acc {
        acc.add(x.to_acc())
    }
    #[inline(always)]
    fn merge(&self, a: T::Acc, b: T::Acc) -> T::Acc {
        a.add(b)
    }
    #[inline(always)]
    fn finish(&self, acc: T::Acc, _count: usize) -> T {
        T::from_acc(acc)
    }
}

/// The product.
#[derive(Debug, Clone, Copy, Default)]
pub struct Prod;

impl<T: Accumulate> Reducer<T> for Prod {
    const LEVELS: bool = false;
    type Acc = T::Acc;
    type Out = T;
    #[inline(always)]
    fn identity(&self) -> T::Acc {
        T::Acc::ONE
    }
    #[inline(always)]
    fn fold(&self, acc: T::Acc, x: T) -> T::Acc {
        acc.mul(x.to_acc())
    }
    #[inline(always)]
    fn merge(&self, a: T::Acc, b: T::Acc) -> T::Acc {
        a.mul(b)
    }
    #[inline(always)]
    fn finish(&self, acc: T::Acc, _count: usize) -> T {
        T::from_acc(acc)
    }
}

/// The arithmetic mean.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mean;

impl<T: Accumulate> Reducer<T> for Mean {
    type Acc = T::Wide;
    type Out = T;
    #[inline(always)]
    fn identity(&self) -> T::Wide {
        T::Wide::ZERO
    }
    #[inline(always)]
    fn fold(&self, acc: T::Wide, x: T) -> T::Wide {
        acc.add(x.to_wide())
    }
    #[inline(always)]
    fn merge(&self, a: T::Wide, b: T::Wide) -> T::Wide {
        a.add(b)
    }
    #[inline(always)]
    fn finish(&self, acc: T::Wide, count: usize) -> T {
        T::mean(acc, count)
    }
}

/// The sum of squares of floats.
#[derive(Debug, Clone, Copy, Default)]
pub struct Squares;

impl<T: Accumulate<Acc: Transcendental>> Reducer<T> for Squares {
    type Acc = T::Acc;
    type Out = T;
    #[inline(always)]
    fn identity(&self) -> T::Acc {
        T::Acc::ZERO
    }
    #[inline(always)]
    fn fold(&self, acc: T::Acc, x: T) -> T::Acc {
        acc.add(x.to_acc().square())
    }
    #[inline(always)]
    fn merge(&self, a: T::Acc, b: T::Acc) -> T::Acc {
        a.add(b)
    }
    #[inline(always)]
    fn finish(&self, acc: T::Acc, _count: usize) -> T {
        T::from_acc(acc)
    }
}

/// The logarithm of the sum of exponentials, without overflow; negative infinity for no elements.
#[derive(Debug, Clone, Copy, Default)]
pub struct LogSumExp;

impl<T: Accumulate<Acc: Float>> Reducer<T> for LogSumExp {
    type Acc = T::Acc;
    type Out = T;
    #[inline(always)]
    fn identity(&self) -> T::Acc {
        T::Acc::LOWEST
    }
    #[inline(always)]
    fn fold(&self, acc: T::Acc, x: T) -> T::Acc {
        log_add_exp(acc, x.to_acc())
    }
    #[inline(always)]
    fn merge(&self, a: T::Acc, b: T::Acc) -> T::Acc {
        log_add_exp(a, b)
    }
    #[inline(always)]
    fn finish(&self, acc: T::Acc, _count: usize) -> T {
        T::from_acc(acc)
    }
}

/// `log(exp(a) + exp(b))`.
#[inline(always)]
fn log_add_exp<F: Float>(a: F, b: F) -> F {
    let (large, small) = (a.maximum(b), a.minimum(b));
    // The difference of two infinities is NaN, and an infinity outweighs all else.
    if large.is_inf() { large } else { large.add(small.sub(large).exp().log1p()) }
}

macro_rules! extremum {
    ($(#[$doc:meta])* $name:ident, $identity:ident, $pick:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default)]
        pub struct $name;

        impl<T: Real> Reducer<T> for $name {
            type Acc = T;
            type Out = T;
            #[inline(always)]
            fn identity(&self) -> T {
                T::$identity
            }
            #[inline(always)]
            fn fold(&self, acc: T, x: T) -> T {
                acc.$pick(x)
            }
            #[inline(always)]
            fn merge(&self, a: T, b: T) -> T {
                a.$pick(b)
            }
            #[inline(always)]
            fn finish(&self, acc: T, _count: usize) -> T {
                acc
            }
        }
    };
}
extremum! {
    /// The largest element; NaN if there is one, the least value for no elements.
    Max, LOWEST, maximum
}
extremum! {
    /// The smallest element; NaN if there is one, the greatest value for no elements.
    Min, HIGHEST, minimum
}

macro_rules! logical {
    ($(#[$doc:meta])* $name:ident, $identity:literal, $op:tt) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default)]
        pub struct $name;

        impl Reducer<bool> for $name {
            type Acc = bool;
            type Out = bool;
            #[inline(always)]
            fn identity(&self) -> bool {
                $identity
            }
            #[inline(always)]
            fn fold(&self, acc: bool, x: bool) -> bool {
                acc $op x
            }
            #[inline(always)]
            fn merge(&self, a: bool, b: bool) -> bool {
                a $op b
            }
            #[inline(always)]
            fn is_settled(&self, acc: &bool) -> bool {
                *acc != $identity
            }
            #[inline(always)]
            fn finish(&self, acc: bool, _count: usize) -> bool {
                acc
            }
        }
    };
}
logical! {
    /// Whether all elements are true; true for no elements.
    All, true, &
}
logical! {
    /// Whether any element is true; false for no elements.
    Any, false, |
}
