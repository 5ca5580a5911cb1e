//! Binary functions.

use super::{Binary, BinaryTo, Kind, Pairing, Table, tables};
use crate::element::{
    Arithmetic, Complex32, Complex64, Element, Float, Integer, Real, Transcendental, bf16, f16,
};
use crate::elementwise::{zip, zip_broadcast, zip_scalar_left, zip_scalar_right};
use crate::par::Par;
use core::mem::MaybeUninit;

/// The function on operands that meet in any way.
pub(super) fn paired<T: Element, R: Element>(
    x: &[T],
    y: &[T],
    pairing: Pairing<'_>,
    out: &mut [MaybeUninit<R>],
    par: Par,
    f: impl Fn(T, T) -> R + Copy + Send + Sync,
) {
    match pairing {
        Pairing::Each => zip(x, y, out, par, f),
        Pairing::Left => zip_scalar_left(x[0], y, out, par, f),
        Pairing::Right => zip_scalar_right(x, y[0], out, par, f),
        Pairing::Broadcast(plan) => zip_broadcast(x, y, plan, out, par, f),
    }
}

macro_rules! functions {
    ($kind:ty: $($(#[$doc:meta])* $name:ident = $set:ident $tr:ident::$f:ident;)*) => {
        tables! { $kind, $(
            #[doc = concat!("[`", stringify!($tr), "::", stringify!($f), "`].")]
            $(#[$doc])*
            $name = $set, |T| |x, y, pairing, out, par| {
                paired(x, y, pairing, out, par, crate::op!(<T as $tr>::$f, 2))
            };
        )* }
    };
}

functions! { Binary:
    ADD = numeric Arithmetic::add;
    SUB = numeric Arithmetic::sub;
    MUL = numeric Arithmetic::mul;
    MUL_NO_NAN = numeric Arithmetic::mul_no_nan;
    MAXIMUM = real Real::maximum;
    MINIMUM = real Real::minimum;
    ATAN2 = float Float::atan2;
    XLOGY = inexact Transcendental::xlogy;
    XLOG1PY = inexact Transcendental::xlog1py;
    XDIVY = inexact Transcendental::xdivy;
    DIV_NO_NAN = inexact Transcendental::div_no_nan;
    REAL_DIV = inexact Transcendental::div;
    POW = inexact Transcendental::pow;
    INTEGER_POW = integer Integer::pow;
    SQUARED_DIFFERENCE = real Real::squared_difference;
    FLOOR_DIV = real Real::floor_div;
    FLOOR_MOD = real Real::floor_mod;
    TRUNC_DIV = real Real::trunc_div;
    TRUNC_MOD = real Real::trunc_mod;
    LEAKY_RELU = float Float::leaky_relu;
    BITWISE_AND = integer Integer::and;
    BITWISE_OR = integer Integer::or;
    BITWISE_XOR = integer Integer::xor;
    LEFT_SHIFT = integer Integer::shl;
    RIGHT_SHIFT = integer Integer::shr;
}

macro_rules! closures {
    ($kind:ty: $($(#[$doc:meta])* $name:ident = $set:ident |$t:ident, $x:ident, $y:ident| $f:expr;)*) => {
        tables! { $kind, $(
            $(#[$doc])*
            $name = $set, |$t| |x, y, pairing, out, par| {
                paired(x, y, pairing, out, par, #[inline(always)] |$x: $t, $y: $t| $f)
            };
        )* }
    };
}

closures! { Binary:
    /// The squared norm of the difference, as a complex number.
    COMPLEX_SQUARED_DIFFERENCE = complex |T, x, y| (x - y).conj() * (x - y);
    /// Both.
    LOGICAL_AND = bool |T, x, y| x && y;
    /// Either.
    LOGICAL_OR = bool |T, x, y| x || y;
}

closures! { BinaryTo<bool>:
    /// `x < y`.
    LESS = real |T, x, y| x < y;
    /// `x <= y`.
    LESS_EQUAL = real |T, x, y| x <= y;
    /// `x > y`.
    GREATER = real |T, x, y| x > y;
    /// `x >= y`.
    GREATER_EQUAL = real |T, x, y| x >= y;
    /// `x == y`.
    EQUAL = plain |T, x, y| x == y;
    /// `x != y`.
    NOT_EQUAL = plain |T, x, y| x != y;
}
