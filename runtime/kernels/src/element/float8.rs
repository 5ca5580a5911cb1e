//! Floats of eight bits, as in TensorFlow (its `ml_dtypes`; Micikevicius et al., "FP8 Formats for Deep Learning",
//! 2022). They are stored, moved and converted, but not computed with.

use core::fmt;

/// The layout of a format.
struct Format {
    /// The number of mantissa bits.
    mantissa: u32,
    bias: u32,
    /// The bits of the largest number.
    largest: u8,
    /// The bits for larger numbers.
    beyond: u8,
    nan: u8,
}

impl Format {
    /// The bits of the nearest number, ties to even.
    #[inline(always)]
    fn narrow(&self, x: f64) -> u8 {
        let (bias, cut) = (u64::from(self.bias), 52 - self.mantissa);
        let bits = x.to_bits();
        let magnitude = bits & !(1 << 63);
        // The last bit of this number is the least denormal: adding it leaves the rounded bits of a denormal.
        let unit = (1024 - bias + u64::from(cut)) << 52;
        let denormal =
            (f64::from_bits(magnitude) + f64::from_bits(unit)).to_bits().wrapping_sub(unit);
        let odd = (magnitude >> cut) & 1;
        let rounded = (magnitude + (1 << (cut - 1)) - 1 + odd) >> cut;
        let normal = rounded.wrapping_sub((1023 - bias) << self.mantissa);
        let value = if magnitude < (1024 - bias) << 52 { denormal } else { normal };
        let value = if value > u64::from(self.largest) { self.beyond } else { value as u8 };
        let value = if x.is_nan() { self.nan } else { value };
        value | (bits >> 56) as u8 & 0x80
    }

    /// The number with these bits.
    #[inline(always)]
    fn widen(&self, bits: u8) -> f32 {
        let magnitude = bits & 0x7f;
        // The multiplication rebiases the exponent and normalises denormals.
        let scale = f32::from_bits((127 + 127 - self.bias) << 23);
        let finite = f32::from_bits(u32::from(magnitude) << (23 - self.mantissa)) * scale;
        let is_infinite = magnitude == self.beyond && self.beyond != self.nan;
        let special = if is_infinite { f32::INFINITY } else { f32::NAN };
        let value = if magnitude > self.largest { special } else { finite };
        f32::from_bits(value.to_bits() | u32::from(bits & 0x80) << 24)
    }
}

macro_rules! float8 {
    ($($(#[$doc:meta])* $t:ident = $format:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Default)]
        #[repr(transparent)]
        #[expect(non_camel_case_types, reason = "named as the other floats are")]
        pub struct $t {
            bits: u8,
        }

        impl $t {
            const FORMAT: Format = $format;

            /// The number with these bits.
            #[inline(always)]
            pub const fn from_bits(bits: u8) -> Self {
                Self { bits }
            }

            /// Its bits.
            #[inline(always)]
            pub const fn to_bits(self) -> u8 {
                self.bits
            }

            /// The nearest number, ties to even.
            #[inline(always)]
            pub fn from_f64(x: f64) -> Self {
                Self { bits: Self::FORMAT.narrow(x) }
            }

            /// The nearest number, ties to even.
            #[inline(always)]
            pub fn from_f32(x: f32) -> Self {
                Self::from_f64(x.into())
            }

            /// The same number.
            #[inline(always)]
            pub fn to_f32(self) -> f32 {
                Self::FORMAT.widen(self.bits)
            }

            /// The same number.
            #[inline(always)]
            pub fn to_f64(self) -> f64 {
                self.to_f32().into()
            }
        }

        /// Compares as numbers: NaN equals nothing, and both zeros are equal.
        impl PartialEq for $t {
            #[inline(always)]
            fn eq(&self, other: &Self) -> bool {
                self.to_f32() == other.to_f32()
            }
        }

        impl fmt::Debug for $t {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.to_f32(), f)
            }
        }

        impl fmt::Display for $t {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.to_f32(), f)
            }
        }

        // SAFETY: a byte, and zero is a valid one.
        unsafe impl bytemuck::Zeroable for $t {}

        // SAFETY: transparent over a byte, all of which are numbers.
        unsafe impl bytemuck::Pod for $t {}
    )*};
}

float8! {
    /// Five bits of exponent, two of mantissa: the first half of an `f16`, with infinities. Numbers that round to more
    /// than 57344 become infinite.
    f8e5m2 = Format { mantissa: 2, bias: 15, largest: 0x7b, beyond: 0x7c, nan: 0x7e };
    /// Four bits of exponent, three of mantissa, without infinities: numbers that round to more than 448 become NaN.
    f8e4m3fn = Format { mantissa: 3, bias: 7, largest: 0x7e, beyond: 0x7f, nan: 0x7f };
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::f16;

    #[test]
    fn every_number_is_read_as_defined_and_comes_back() {
        for bits in 0..=u8::MAX {
            let x = f8e5m2::from_bits(bits);
            let half = f16::from_bits(u16::from(bits) << 8).to_f32();
            assert!(x.to_f32().to_bits() == half.to_bits() || x.to_f32().is_nan() && half.is_nan());
            let back = f8e5m2::from_f32(x.to_f32()).to_bits();
            assert_eq!(back, if half.is_nan() { bits & 0x80 | 0x7e } else { bits });

            let x = f8e4m3fn::from_bits(bits);
            let (exponent, fraction) = (i32::from(bits >> 3 & 15), f32::from(bits & 7) / 8.0);
            let magnitude = match (exponent, bits & 7) {
                (15, 7) => f32::NAN,
                (0, _) => fraction * 2f32.powi(-6),
                _ => (1.0 + fraction) * 2f32.powi(exponent - 7),
            };
            let want = if bits & 0x80 == 0 { magnitude } else { -magnitude };
            assert!(x.to_f32().to_bits() == want.to_bits() || x.to_f32().is_nan() && want.is_nan());
            assert_eq!(f8e4m3fn::from_f32(x.to_f32()).to_bits(), bits);
        }
    }

    #[test]
    fn rounding_is_to_nearest_with_ties_to_even() {
        macro_rules! check {
            ($t:ident, $largest:expr) => {
                for low in 0..$largest {
                    let at = |bits| $t::from_bits(bits).to_f64();
                    let middle = (at(low) + at(low + 1)) / 2.0;
                    let even = low + low % 2;
                    // In float64: a number next to a midpoint would be rounded onto it in float32.
                    for (x, want) in
                        [(middle.next_down(), low), (middle, even), (middle.next_up(), low + 1)]
                    {
                        assert_eq!($t::from_f64(x).to_bits(), want, "{x}");
                        assert_eq!($t::from_f64(-x).to_bits(), want | 0x80, "-{x}");
                    }
                }
            };
        }
        check!(f8e5m2, 0x7b);
        check!(f8e4m3fn, 0x7e);
    }

    #[test]
    fn what_is_too_large_is_infinite_or_nan() {
        assert_eq!(f8e5m2::from_f64(61440f64.next_down()).to_f32(), 57344.0);
        for x in [61440.0, 1e300, f64::INFINITY] {
            assert_eq!(f8e5m2::from_f64(-x).to_f32(), f32::NEG_INFINITY);
        }
        assert_eq!(f8e4m3fn::from_f64(464.0).to_f32(), 448.0);
        for x in [464f64.next_up(), 480.0, 1e300, f64::INFINITY, f64::NAN] {
            assert_eq!(f8e4m3fn::from_f64(x).to_bits(), 0x7f);
            assert_eq!(f8e4m3fn::from_f64(-x).to_bits(), 0xff);
        }
        assert_eq!(f8e5m2::from_f64(f64::NAN).to_bits(), 0x7e);
        assert_ne!(f8e5m2::from_bits(0x7f), f8e5m2::from_bits(0x7f));
        assert_eq!(f8e4m3fn::from_bits(0x80), f8e4m3fn::default());
    }
}
