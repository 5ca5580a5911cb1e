//! Conversion between any two element types.

use super::half_float::Half;
use super::{Complex32, Complex64, bf16, f8e4m3fn, f8e5m2, f16};
use num_complex::Complex;

/// Conversion as TensorFlow's `Cast` does it.
///
/// Integers wrap. Floats are rounded towards zero to integers: values out of range saturate, and NaN gives zero.
/// Everything except zero is `true`, complex numbers lose their imaginary part, and shorter floats are converted by way
/// of `f32`.
pub trait Cast<To> {
    /// The value as a `To`.
    fn cast(self) -> To;
}

/// Conversion to a shorter float, rounding towards zero: TensorFlow's `Cast` with the attribute `Truncate`.
pub trait CastTruncating<To> {
    /// The value as a `To` no farther from zero.
    fn cast_truncating(self) -> To;
}

impl CastTruncating<f32> for f64 {
    #[inline(always)]
    fn cast_truncating(self) -> f32 {
        let nearest = self as f32;
        let away = f64::from(nearest).abs() > self.abs();
        f32::from_bits(nearest.to_bits() - u32::from(away))
    }
}

macro_rules! truncating {
    ($($half:ident)*) => {$(
        impl CastTruncating<$half> for f32 {
            #[inline(always)]
            fn cast_truncating(self) -> $half {
                $half::truncate(self)
            }
        }
        impl CastTruncating<$half> for f64 {
            #[inline(always)]
            fn cast_truncating(self) -> $half {
                let wide: f32 = self.cast_truncating();
                $half::truncate(wide)
            }
        }
    )*};
}
truncating!(f16 bf16);

/// `as` between primitive numbers.
macro_rules! primitive {
    ($($from:ident)* => $to:tt) => {$( primitive!(@one $from => $to); )*};
    (@one $from:ident => [$($to:ident)*]) => {$(
        impl Cast<$to> for $from {
            #[inline(always)]
            fn cast(self) -> $to {
                self as $to
            }
        }
    )*};
}
primitive!(i8 i16 i32 i64 u8 u16 u32 u64 => [i8 i16 i32 i64 u8 u16 u32 u64 f32 f64]);
primitive!(f32 f64 => [i8 i16 u8 u16 u32 u64 f32 f64]);

/// `as` from floats to integers in the steps that vectors have: the compiler converts one by one to check the range.
macro_rules! to_integer {
    ($($from:ident => $to:ident)*) => {$(
        impl Cast<$to> for $from {
            #[inline(always)]
            fn cast(self) -> $to {
                const BEYOND: $from = -($to::MIN as $from);
                // NaN is not inside.
                let is_inside = (-BEYOND..BEYOND).contains(&self);
                let inside = if is_inside { self } else { 0.0 };
                // SAFETY: the range of the integer reaches from `-BEYOND` to the last number before `BEYOND`.
                let inside: $to = unsafe { inside.to_int_unchecked() };
                let above = if self >= BEYOND { $to::MAX } else { inside };
                if self < -BEYOND { $to::MIN } else { above }
            }
        }
    )*};
}
to_integer!(f32 => i32 f32 => i64 f64 => i32 f64 => i64);

macro_rules! boolean {
    ($($t:ident: $zero:literal),*) => {$(
        impl Cast<bool> for $t {
            #[inline(always)]
            fn cast(self) -> bool {
                self != $zero
            }
        }
        impl Cast<$t> for bool {
            #[inline(always)]
            fn cast(self) -> $t {
                u8::from(self) as $t
            }
        }
    )*};
}
boolean!(i8: 0, i16: 0, i32: 0, i64: 0, u8: 0, u16: 0, u32: 0, u64: 0, f32: 0.0, f64: 0.0);

impl Cast<bool> for bool {
    #[inline(always)]
    fn cast(self) -> bool {
        self
    }
}

/// Conversions to and from a half, by way of `f32`.
macro_rules! half {
    ($half:ident: $($t:ident)*) => {$(
        impl Cast<$t> for $half {
            #[inline(always)]
            fn cast(self) -> $t {
                self.widen().cast()
            }
        }
        impl Cast<$half> for $t {
            #[inline(always)]
            fn cast(self) -> $half {
                let wide: f32 = self.cast();
                $half::narrow(wide)
            }
        }
    )*};
}
half!(f16: bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
half!(bf16: bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

/// Conversions between the halves.
macro_rules! half_to_half {
    ($($from:ident => $to:ident),*) => {$(
        impl Cast<$to> for $from {
            #[inline(always)]
            fn cast(self) -> $to {
                $to::narrow(self.widen())
            }
        }
    )*};
}
half_to_half!(f16 => bf16, bf16 => f16);

/// Conversions to and from a float of eight bits, by way of `f32`; directly from `f64`, to round only once.
macro_rules! float8 {
    ($f8:ident: $($t:ident)*) => {
        $(impl Cast<$t> for $f8 {
            #[inline(always)]
            fn cast(self) -> $t {
                self.to_f32().cast()
            }
        }
        impl Cast<$f8> for $t {
            #[inline(always)]
            fn cast(self) -> $f8 {
                let wide: f32 = self.cast();
                $f8::from_f32(wide)
            }
        })*
        impl Cast<f64> for $f8 {
            #[inline(always)]
            fn cast(self) -> f64 {
                self.to_f64()
            }
        }
        impl Cast<$f8> for f64 {
            #[inline(always)]
            fn cast(self) -> $f8 {
                $f8::from_f64(self)
            }
        }
    };
}
float8!(f8e5m2: bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32);
float8!(f8e4m3fn: bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f8e5m2);

/// Conversions to and from a complex number, by way of its parts.
macro_rules! complex {
    ($c:ident($part:ident): $($t:ident)*) => {$(
        impl Cast<$t> for $c {
            #[inline(always)]
            fn cast(self) -> $t {
                self.re.cast()
            }
        }
        impl Cast<$c> for $t {
            #[inline(always)]
            fn cast(self) -> $c {
                let re: $part = self.cast();
                Complex::new(re, 0.0)
            }
        }
    )*};
}
complex!(Complex32(f32): bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f8e5m2 f8e4m3fn f32 f64);
complex!(Complex64(f64): bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f8e5m2 f8e4m3fn f32 f64);

/// Conversion from a type to itself.
macro_rules! identity {
    ($($t:ident)*) => {$(
        impl Cast<$t> for $t {
            #[inline(always)]
            fn cast(self) -> $t {
                self
            }
        }
    )*};
}
identity!(f16 bf16 f8e5m2 f8e4m3fn Complex32 Complex64);

impl Cast<Complex64> for Complex32 {
    #[inline(always)]
    fn cast(self) -> Complex64 {
        Complex::new(self.re.into(), self.im.into())
    }
}

impl Cast<Complex32> for Complex64 {
    #[inline(always)]
    fn cast(self) -> Complex32 {
        Complex::new(self.re as f32, self.im as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to<T>(x: impl Cast<T>) -> T {
        x.cast()
    }

    #[test]
    fn floats_saturate_as_integers() {
        let extremes =
            [i32::MIN, i32::MAX].map(f64::from).into_iter().chain([i64::MIN as f64, 0.0]);
        let near =
            extremes.flat_map(|x| [x.next_down(), x, x.next_up(), x - 1.0, x + 1.0, x + 0.5, -x]);
        for x in near.chain([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 1.9, -1.9, 5e-324]) {
            assert_eq!((to::<i32>(x), to::<i64>(x)), (x as i32, x as i64), "{x}");
            for x in [x as f32, (x as f32).next_up(), (x as f32).next_down()] {
                assert_eq!((to::<i32>(x), to::<i64>(x)), (x as i32, x as i64), "{x}");
            }
        }
    }

    #[test]
    fn conversions() {
        assert_eq!(to::<i8>(300i32), 44);
        assert_eq!(to::<u8>(-1i64), 255);
        assert_eq!(to::<i32>(-2.9f32), -2);
        assert!(to::<bool>(f32::NAN) && !to::<bool>(-0.0f64));
        assert_eq!(to::<f32>(true), 1.0);
        assert_eq!(to::<i16>(Complex32::new(3.7, 9.0)), 3);
        assert_eq!(to::<Complex64>(false), Complex64::new(0.0, 0.0));
        assert_eq!(to::<f16>(70000i32), f16::INFINITY);
        assert_eq!(to::<bf16>(f16::from_f32(1.5)), bf16::from_f32(1.5));
        let truncated: f32 = (1.0 + 2f64.powi(-24) * 1.5).cast_truncating();
        assert_eq!(truncated, 1.0);
    }
}
