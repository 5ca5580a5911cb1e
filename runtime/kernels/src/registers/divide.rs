//! Quotients and remainders of single numbers, which are fast for powers of two.

use crate::element::Real;

/// What the functions of the same names of [`Real`] give.
pub(super) trait Divide: Real {
    #[inline(always)]
    fn floor_div(self, y: Self) -> Self {
        Real::floor_div(self, y)
    }

    #[inline(always)]
    fn floor_mod(self, y: Self) -> Self {
        Real::floor_mod(self, y)
    }

    #[inline(always)]
    fn trunc_div(self, y: Self) -> Self {
        Real::trunc_div(self, y)
    }

    #[inline(always)]
    fn trunc_mod(self, y: Self) -> Self {
        Real::trunc_mod(self, y)
    }
}

impl Divide for f32 {}
impl Divide for f64 {}

macro_rules! is_power {
    ($y:ident) => {
        $y > 0 && $y & ($y - 1) == 0
    };
}
/// What a shift needs to round a negative number up.
macro_rules! rest {
    ($x:expr, $y:ident) => {
        ($x >> (Self::BITS - 1)) & ($y - 1)
    };
}

macro_rules! integers {
    ($($t:ident)*) => {$(
        impl Divide for $t {
            #[inline(always)]
            fn floor_div(self, y: Self) -> Self {
                if is_power!(y) { self >> y.trailing_zeros() } else { Real::floor_div(self, y) }
            }

            #[inline(always)]
            fn floor_mod(self, y: Self) -> Self {
                if is_power!(y) { self & (y - 1) } else { Real::floor_mod(self, y) }
            }

            #[inline(always)]
            fn trunc_div(self, y: Self) -> Self {
                if is_power!(y) { (self + rest!(self, y)) >> y.trailing_zeros() } else { Real::trunc_div(self, y) }
            }

            #[inline(always)]
            fn trunc_mod(self, y: Self) -> Self {
                if !is_power!(y) {
                    return Real::trunc_mod(self, y);
                }
                let up = rest!(self, y);
                ((self + up) & (y - 1)) - up
            }
        }
    )*};
}
integers!(i32 i64);
