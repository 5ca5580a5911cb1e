//! The operations of the integers, which wrap.

use super::{Arithmetic, Integer, Real};

macro_rules! integer {
    ($t:ident, $abs:expr, $unsigned:expr, $is_negative:expr) => {
        impl Arithmetic for $t {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[inline(always)]
            fn add(self, rhs: Self) -> Self {
                self.wrapping_add(rhs)
            }
            #[inline(always)]
            fn sub(self, rhs: Self) -> Self {
                self.wrapping_sub(rhs)
            }
            #[inline(always)]
            fn mul(self, rhs: Self) -> Self {
                self.wrapping_mul(rhs)
            }
            #[inline(always)]
            fn neg(self) -> Self {
                self.wrapping_neg()
            }
        }

        impl Real for $t {
            const LOWEST: Self = $t::MIN;
            const HIGHEST: Self = $t::MAX;
            #[inline(always)]
            fn abs(self) -> Self {
                $abs(self)
            }
            #[inline(always)]
            fn floor(self) -> Self {
                self
            }
            #[inline(always)]
            fn ceil(self) -> Self {
                self
            }
            #[inline(always)]
            fn round_half_even(self) -> Self {
                self
            }
            #[inline(always)]
            fn floor_div(self, rhs: Self) -> Self {
                let quotient = self.trunc_div(rhs);
                let remainder = self.trunc_mod(rhs);
                let below = remainder != 0 && $is_negative(remainder ^ rhs);
                quotient.wrapping_sub($t::from(below))
            }
            #[inline(always)]
            fn floor_mod(self, rhs: Self) -> Self {
                let remainder = self.trunc_mod(rhs);
                let opposite = remainder != 0 && $is_negative(remainder ^ rhs);
                if opposite { remainder.wrapping_add(rhs) } else { remainder }
            }
            #[inline(always)]
            fn trunc_div(self, rhs: Self) -> Self {
                if rhs == 0 { 0 } else { self.wrapping_div(rhs) }
            }
            #[inline(always)]
            fn trunc_mod(self, rhs: Self) -> Self {
                if rhs == 0 { 0 } else { self.wrapping_rem(rhs) }
            }
            #[inline(always)]
            fn relu6(self) -> Self {
                Ord::clamp(self, 0, 6)
            }
        }

        impl Integer for $t {
            #[inline(always)]
            fn not(self) -> Self {
                !self
            }
            #[inline(always)]
            fn and(self, rhs: Self) -> Self {
                self & rhs
            }
            #[inline(always)]
            fn or(self, rhs: Self) -> Self {
                self | rhs
            }
            #[inline(always)]
            fn xor(self, rhs: Self) -> Self {
                self ^ rhs
            }
            #[inline(always)]
            fn shl(self, amount: Self) -> Self {
                self.wrapping_shl(Ord::clamp(amount, 0, Self::BITS as Self - 1) as u32)
            }
            #[inline(always)]
            fn shr(self, amount: Self) -> Self {
                self.wrapping_shr(Ord::clamp(amount, 0, Self::BITS as Self - 1) as u32)
            }
            #[inline(always)]
            fn population_count(self) -> u8 {
                self.count_ones() as u8
            }
            #[inline]
            fn pow(self, exponent: Self) -> Self {
                if $is_negative(exponent) {
                    return 0;
                }
                let (mut base, mut exponent, mut power) = (self, exponent, 1 as Self);
                while exponent != 0 {
                    if exponent & 1 == 1 {
                        power = power.wrapping_mul(base);
                    }
                    base = base.wrapping_mul(base);
                    exponent >>= 1;
                }
                power
            }
            #[inline]
            fn gcd(self, y: Self) -> Self {
                let (mut a, mut b) = ($unsigned(self), $unsigned(y));
                if b > a {
                    (a, b) = (b, a);
                }
                if b == 0 {
                    return a as Self;
                }
                // One division makes them alike in size; from there on subtractions are faster.
                a %= b;
                if a == 0 {
                    return b as Self;
                }
                let twos = (a | b).trailing_zeros();
                b >>= b.trailing_zeros();
                loop {
                    a >>= a.trailing_zeros();
                    let less = a.abs_diff(b);
                    b = Ord::min(a, b);
                    if less == 0 {
                        return (b << twos) as Self;
                    }
                    a = less;
                }
            }
        }
    };
}

macro_rules! signed {
    ($($t:ident)*) => {$( integer!($t, $t::wrapping_abs, $t::unsigned_abs, $t::is_negative); )*};
}
macro_rules! unsigned {
    ($($t:ident)*) => {$( integer!($t, core::convert::identity, core::convert::identity, |_| false); )*};
}
signed!(i8 i16 i32 i64);
unsigned!(u8 u16 u32 u64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_wraps() {
        assert_eq!(Arithmetic::add(i8::MAX, 1), i8::MIN);
        assert_eq!(Arithmetic::neg(i32::MIN), i32::MIN);
        assert_eq!(Real::abs(i8::MIN), i8::MIN);
        assert_eq!(Arithmetic::square(200u8), 64);
        assert_eq!(Real::trunc_div(i64::MIN, -1), i64::MIN);
        assert_eq!(Real::floor_div(i64::MIN, -1), i64::MIN);
        assert_eq!(Real::floor_mod(i64::MIN, -1), 0);
    }

    #[test]
    fn divisors() {
        let euclid = |mut a: i64, mut b: i64| {
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a.abs()
        };
        for a in -60i64..60 {
            for b in -60..60 {
                assert_eq!(Integer::gcd(a, b), euclid(a, b), "{a} {b}");
            }
        }
        assert_eq!((Integer::gcd(i8::MIN, 0), Integer::gcd(i8::MIN, 6)), (i8::MIN, 2));
        assert_eq!(Integer::gcd(u64::MAX, 1 << 63), 1);
    }

    #[test]
    fn division_follows_the_signs() {
        for (x, y, floor, modulo) in
            [(7, 3, 2, 1), (-7, 3, -3, 2), (7, -3, -3, -2), (-7, -3, 2, -1)]
        {
            assert_eq!(Real::floor_div(x, y), floor);
            assert_eq!(Real::floor_mod(x, y), modulo);
            assert_eq!(Real::trunc_div(x, y), x / y);
            assert_eq!(Real::trunc_mod(x, y), x % y);
        }
        assert_eq!(Real::floor_div(200u8, 130), 1);
        assert_eq!(Real::floor_mod(200u8, 130), 70);
    }

    #[test]
    fn shifts_clamp_their_amount() {
        assert_eq!(Integer::shl(65i8, 100), -128);
        assert_eq!(Integer::shr(-23i8, 100), -1);
        assert_eq!(Integer::shr(255u8, 100), 1);
        assert_eq!(Integer::shl(3i32, -4), 3);
    }

    #[test]
    fn powers_wrap() {
        assert_eq!(Integer::pow(7i8, 5), 16807i32 as i8);
        assert_eq!(Integer::pow(0i32, 0), 1);
        assert_eq!(Integer::pow(2u64, 63), 1 << 63);
        assert_eq!(Integer::pow(2i32, -1), 0);
    }
}
