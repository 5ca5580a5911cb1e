//! The element types and the scalar operations on them.
//!
//! The traits split the types by what they can do: [`Arithmetic`] numbers, ordered [`Real`] ones, [`Integer`]s,
//! [`Transcendental`] floats and complex numbers, [`Float`]s. Integers wrap. `f16` and `bf16` compute in `f32` and
//! round once per operation; an operation that TensorFlow composes of two (a squared difference, a rounded quotient)
//! rounds twice. The floats of eight bits are only stored and converted. [`Cast`] converts between any two types.
//!
//! If a type also has an inherent method of the same name (`f32::exp`), method syntax picks the inherent one. So name
//! the trait: `Transcendental::exp(x)`.

#[macro_use]
mod sets;

mod cast;
mod complex;
mod float;
mod float8;
mod half_float;
mod integer;
mod quantized;

pub use cast::{Cast, CastTruncating};
pub use float8::{f8e4m3fn, f8e5m2};
pub use half::{bf16, f16};
pub(crate) use half_float::Half;
pub use num_complex::{Complex32, Complex64};
pub use quantized::Quantized;

use core::fmt::Debug;

/// A type that can be an element of a numeric or boolean array.
///
/// # Safety
///
/// A value must have no padding: every byte of it is initialized. Kernels copy
/// results through vector registers and rely on it.
pub unsafe trait Element:
    Copy + Send + Sync + PartialEq + Debug + Default + 'static
{
    /// Whether loops over this type are compiled once for each CPU level, if they gain by it. True for the most used
    /// types; the others keep the code small.
    const LEVELS: bool;
}

macro_rules! elements {
    ([] $($field:ident: $t:ty, $dtype:ident $kind:ident;)*) => {$(
        // SAFETY: primitive numbers, `bool`, the transparent shorter floats and
        // complex numbers (two equal floats, `repr(C)`) have no padding.
        unsafe impl Element for $t {
            const LEVELS: bool = in_set!(common $dtype $kind { true } { false });
        }
    )*};
}
element_types!([elements]);

/// Numbers: everything but `bool`.
pub trait Arithmetic: Element {
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// `self + rhs`.
    fn add(self, rhs: Self) -> Self;
    /// `self - rhs`.
    fn sub(self, rhs: Self) -> Self;
    /// `self * rhs`.
    fn mul(self, rhs: Self) -> Self;
    /// `-self`.
    fn neg(self) -> Self;
    /// `self * self`.
    #[inline(always)]
    fn square(self) -> Self {
        self.mul(self)
    }
    /// `x * y`, but zero where `y` is zero, even for an infinite or NaN `x`.
    #[inline(always)]
    fn mul_no_nan(self, y: Self) -> Self {
        if y == Self::ZERO { Self::ZERO } else { self.mul(y) }
    }
}

/// Ordered numbers: all but the complex ones.
pub trait Real: Arithmetic + PartialOrd {
    /// The least value: negative infinity for floats.
    const LOWEST: Self;
    /// The greatest value: infinity for floats.
    const HIGHEST: Self;
    /// The absolute value; the least signed integer stays as it is.
    fn abs(self) -> Self;
    /// The greatest integer that is not above; integers stay as they are.
    fn floor(self) -> Self;
    /// The least integer that is not below; integers stay as they are.
    fn ceil(self) -> Self;
    /// The nearest integer, ties to even. TensorFlow's `Round` and `Rint`.
    fn round_half_even(self) -> Self;
    /// The quotient rounded towards negative infinity.
    ///
    /// The caller must refuse integer division by zero; here it gives zero.
    fn floor_div(self, rhs: Self) -> Self;
    /// The remainder with the sign of the divisor.
    fn floor_mod(self, rhs: Self) -> Self;
    /// The quotient rounded towards zero.
    fn trunc_div(self, rhs: Self) -> Self;
    /// The remainder with the sign of the dividend.
    fn trunc_mod(self, rhs: Self) -> Self;

    /// The same as [`round_half_even`](Real::round_half_even).
    #[inline(always)]
    fn rint(self) -> Self {
        self.round_half_even()
    }
    /// -1, 0 or 1; NaN stays NaN and both zeros give positive zero.
    #[inline(always)]
    fn sign(self) -> Self {
        let zero_or_nan = if self == Self::ZERO { Self::ZERO } else { self };
        let not_negative = if self > Self::ZERO { Self::ONE } else { zero_or_nan };
        if self < Self::ZERO { Self::ONE.neg() } else { not_negative }
    }
    /// The larger value; NaN if either is.
    #[inline(always)]
    fn maximum(self, rhs: Self) -> Self {
        // Of equal values the first is kept, which matters for zeros. Only NaN differs from itself. In a reduction the first
        // choice is one instruction, and the second one does not wait for it.
        let larger = if rhs > self { rhs } else { self };
        #[expect(clippy::eq_op, reason = "tells NaN in a way that suits every type")]
        if rhs != rhs { rhs } else { larger }
    }
    /// The smaller value; NaN if either is.
    #[inline(always)]
    fn minimum(self, rhs: Self) -> Self {
        let smaller = if rhs < self { rhs } else { self };
        #[expect(clippy::eq_op, reason = "tells NaN in a way that suits every type")]
        if rhs != rhs { rhs } else { smaller }
    }
    /// Negative values become zero; NaN stays.
    #[inline(always)]
    fn relu(self) -> Self {
        if self < Self::ZERO { Self::ZERO } else { self }
    }
    /// Clamps to the range from zero to six; NaN stays.
    fn relu6(self) -> Self;
    /// `(self - rhs)²`.
    #[inline(always)]
    fn squared_difference(self, rhs: Self) -> Self {
        self.sub(rhs).square()
    }
}

/// Integers.
pub trait Integer: Real + Eq + Ord {
    /// The complement of every bit.
    fn not(self) -> Self;
    /// Bitwise and.
    fn and(self, rhs: Self) -> Self;
    /// Bitwise or.
    fn or(self, rhs: Self) -> Self;
    /// Bitwise exclusive or.
    fn xor(self, rhs: Self) -> Self;
    /// Left shift; amounts are clamped to `0..BITS`.
    fn shl(self, amount: Self) -> Self;
    /// Arithmetic or logical right shift; amounts are clamped to `0..BITS`.
    fn shr(self, amount: Self) -> Self;
    /// How many bits are set.
    fn population_count(self) -> u8;
    /// `self` to the power of `exponent`, wrapping.
    ///
    /// The caller must refuse negative exponents; here they give zero.
    fn pow(self, exponent: Self) -> Self;
    /// The greatest common divisor of the absolute values; of zeros it is zero.
    fn gcd(self, y: Self) -> Self;
}

/// Floats and complex numbers.
pub trait Transcendental: Arithmetic {
    /// `self / rhs`.
    fn div(self, rhs: Self) -> Self;
    /// `eˣ`.
    fn exp(self) -> Self;
    /// `eˣ - 1`, accurate near zero.
    fn expm1(self) -> Self;
    /// The natural logarithm.
    fn log(self) -> Self;
    /// `log(1 + x)`, accurate near zero.
    fn log1p(self) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// `1 / sqrt(x)`.
    fn rsqrt(self) -> Self;
    /// `1 / x`.
    fn reciprocal(self) -> Self;
    /// Sine.
    fn sin(self) -> Self;
    /// Cosine.
    fn cos(self) -> Self;
    /// Tangent.
    fn tan(self) -> Self;
    /// Inverse sine.
    fn asin(self) -> Self;
    /// Inverse cosine.
    fn acos(self) -> Self;
    /// Inverse tangent.
    fn atan(self) -> Self;
    /// Hyperbolic sine.
    fn sinh(self) -> Self;
    /// Hyperbolic cosine.
    fn cosh(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// Inverse hyperbolic sine.
    fn asinh(self) -> Self;
    /// Inverse hyperbolic cosine.
    fn acosh(self) -> Self;
    /// Inverse hyperbolic tangent.
    fn atanh(self) -> Self;
    /// The logistic function `1 / (1 + e⁻ˣ)`.
    fn sigmoid(self) -> Self;
    /// `self` to the power of `exponent`.
    fn pow(self, exponent: Self) -> Self;

    /// `self / y`, but zero where `y` is zero.
    #[inline(always)]
    fn div_no_nan(self, y: Self) -> Self {
        if y == Self::ZERO { Self::ZERO } else { self.div(y) }
    }
    /// `self / y`, but zero where `self` is zero.
    #[inline(always)]
    fn xdivy(self, y: Self) -> Self {
        if self == Self::ZERO { Self::ZERO } else { self.div(y) }
    }
    /// `self * log(y)`, but zero where `self` is zero.
    #[inline(always)]
    fn xlogy(self, y: Self) -> Self {
        if self == Self::ZERO { Self::ZERO } else { self.mul(y.log()) }
    }
    /// `self * log1p(y)`, but zero where `self` is zero.
    #[inline(always)]
    fn xlog1py(self, y: Self) -> Self {
        if self == Self::ZERO { Self::ZERO } else { self.mul(y.log1p()) }
    }
}

/// Real floating-point numbers.
pub trait Float: Real + Transcendental {
    /// Whether this is NaN.
    fn is_nan(self) -> bool;
    /// Whether this is an infinity.
    fn is_inf(self) -> bool;
    /// Whether this is neither NaN nor an infinity.
    fn is_finite(self) -> bool;
    /// `log(1 + eˣ)`.
    fn softplus(self) -> Self;
    /// `x / (1 + |x|)`.
    fn softsign(self) -> Self;
    /// The error function.
    fn erf(self) -> Self;
    /// `1 - erf(x)`, accurate for large `x`.
    fn erfc(self) -> Self;
    /// `log |Γ(x)|`.
    fn lgamma(self) -> Self;
    /// `x` where it is not negative, else `eˣ - 1`.
    fn elu(self) -> Self;
    /// The scaled exponential linear unit.
    fn selu(self) -> Self;
    /// `x` where it is positive, else `alpha * x`.
    #[inline(always)]
    fn leaky_relu(self, alpha: Self) -> Self {
        if self > Self::ZERO { self } else { self.mul(alpha) }
    }
    /// The angle of the point (`x`, `self`).
    fn atan2(self, x: Self) -> Self;
    /// The length of the vector (`self`, `y`), infinite if a side is.
    fn hypot(self, y: Self) -> Self;
    /// The cube root, negative for negative numbers.
    fn cbrt(self) -> Self;
}

/// The constant of [`Float::selu`] that scales the result.
pub(crate) const SELU_SCALE: f64 = 1.050_700_987_355_480_5;
/// The constants of [`Float::selu`] multiplied: the scale of the negative part.
pub(crate) const SELU_SCALE_ALPHA: f64 = 1.758_099_340_847_376_6;
