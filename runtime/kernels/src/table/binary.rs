//! Binary functions.

use super::{Levels, Pairing, Signature, Table, ZipSignature, ZipToSignature, by_f32, tables};
use crate::element::{Arithmetic, Float, Integer, Real, Transcendental};
use crate::elementwise::paired_in;
use crate::halves::{zip_by_f32, zip_to_by_f32};
use crate::par::Par;

/// True for the functions that gain for every type: they are instructions, and not calls.
macro_rules! cheap {
    (ALL) => {
        true
    };
    ($other:ident) => {
        false
    };
}

/// Ops by the name of their method. The word after the set names the types whose loops gain by being compiled for each
/// CPU level.
macro_rules! functions {
    ($($name:ident = $set:ident $level:ident $tr:ident::$f:ident;)*) => {
        tables! { ZipSignature, $(
            #[doc = concat!("[`", stringify!($tr), "::", stringify!($f), "`].")]
            $name = $set, |T| |x, y, pairing, out, par| {
                paired_in::<{ <T as Levels>::$level }, { cheap!($level) }, _, _, _>(
                    x, y, pairing, out, par, crate::op!(<T as $tr>::$f, 2),
                );
            }, half |x, y, pairing, out, par| {
                zip_by_f32(x, y, pairing, out, par, by_f32(&$name));
            };
        )* }
    };
}

functions! {
    ADD = numeric ALL Arithmetic::add;
    SUB = numeric ALL Arithmetic::sub;
    MUL = numeric ALL Arithmetic::mul;
    MUL_NO_NAN = numeric ALL Arithmetic::mul_no_nan;
    ATAN2 = float FLOATS Float::atan2;
    HYPOT = float FLOATS Float::hypot;
    XLOGY = inexact FLOATS Transcendental::xlogy;
    XLOG1PY = inexact FLOATS Transcendental::xlog1py;
    XDIVY = inexact FLOATS Transcendental::xdivy;
    DIV_NO_NAN = inexact FLOATS Transcendental::div_no_nan;
    REAL_DIV = inexact FLOATS Transcendental::div;
    POW = inexact FLOATS Transcendental::pow;
    INTEGER_POW = integer NONE Integer::pow;
    GCD = integer NONE Integer::gcd;
    FLOOR_MOD = real NONE Real::floor_mod;
    TRUNC_MOD = real NONE Real::trunc_mod;
    LEAKY_RELU = float FLOATS Float::leaky_relu;
    BITWISE_AND = integer ALL Integer::and;
    BITWISE_OR = integer ALL Integer::or;
    BITWISE_XOR = integer ALL Integer::xor;
    LEFT_SHIFT = integer ALL Integer::shl;
    RIGHT_SHIFT = integer ALL Integer::shr;
}

/// Ops with separate loops for halves: they round twice, or return an operand unchanged.
macro_rules! rounded_twice {
    ($($name:ident = $set:ident $level:ident $tr:ident::$f:ident;)*) => {
        tables! { ZipSignature, $(
            #[doc = concat!("[`", stringify!($tr), "::", stringify!($f), "`].")]
            $name = $set, |T| |x, y, pairing, out, par| {
                paired_in::<{ <T as Levels>::$level }, { cheap!($level) }, _, _, _>(
                    x, y, pairing, out, par, crate::op!(<T as $tr>::$f, 2),
                );
            };
        )* }
    };
}

rounded_twice! {
    MAXIMUM = real ALL Real::maximum;
    MINIMUM = real ALL Real::minimum;
    SQUARED_DIFFERENCE = real ALL Real::squared_difference;
    FLOOR_DIV = real FLOATS Real::floor_div;
    TRUNC_DIV = real FLOATS Real::trunc_div;
}

tables! { ZipSignature,
    /// The squared absolute value of the difference, as a complex number.
    COMPLEX_SQUARED_DIFFERENCE = complex, |T| |x, y, pairing, out, par| {
        paired_in::<false, false, _, _, _>(x, y, pairing, out, par, #[inline(always)] |x: T, y: T| {
            (x - y).conj() * (x - y)
        });
    };
    /// True if both are.
    LOGICAL_AND = bool, |T| |x, y, pairing, out, par| {
        paired_in::<true, true, _, _, _>(x, y, pairing, out, par, #[inline(always)] |x: T, y: T| x && y);
    };
    /// True if either is.
    LOGICAL_OR = bool, |T| |x, y, pairing, out, par| {
        paired_in::<true, true, _, _, _>(x, y, pairing, out, par, #[inline(always)] |x: T, y: T| x || y);
    };
}

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident = $set:ident $op:tt;)*) => {
        tables! { ZipToSignature<bool>, $(
            $(#[$doc])*
            $name = $set, |T| |x, y, pairing, out, par| {
                paired_in::<{ <T as Levels>::ALL }, true, _, _, _>(
                    x, y, pairing, out, par, #[inline(always)] |x: T, y: T| x $op y,
                );
            }, half |x, y, pairing, out, par| {
                zip_to_by_f32(x, y, pairing, out, par, &|x, y, out| {
                    by_f32(&$name)(x, y, Pairing::Each, out, Par::Seq);
                });
            };
        )* }
    };
}

comparisons! {
    /// `x < y`.
    LESS = real <;
    /// `x <= y`.
    LESS_EQUAL = real <=;
    /// `x > y`.
    GREATER = real >;
    /// `x >= y`.
    GREATER_EQUAL = real >=;
    /// `x == y`.
    EQUAL = comparable ==;
    /// `x != y`.
    NOT_EQUAL = comparable !=;
}
