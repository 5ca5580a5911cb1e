//! Rust's operators on tensors and extension types.
//!
//! `&x + &y` is [`add`](crate::ops::add) that panics instead of returning an error, with the message
//! and the user's line. In a trace it unwinds silently, and the call of the traced function
//! returns the error.

use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign,
    Mul, MulAssign, Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

use num_complex::{Complex32, Complex64};

use crate::Tensor;
use crate::ops::{Operand, Takes1, Takes2};
use crate::tensor::{Variable, call_site};
use crate::types::{OperatorFailed, Result, fail};

/// Unwraps the result of an operator's call.
///
/// # Panics
/// With the error's text at the caller's line. In a trace, and in a handler of an extension type,
/// it unwinds silently to the call of the traced function or of the op, which returns the error.
#[track_caller]
pub fn operator<T>(result: Result<T>) -> T {
    match result {
        Ok(value) => value,
        Err(e) if crate::tensor::is_tracing() => {
            std::panic::resume_unwind(Box::new(OperatorFailed(e)))
        }
        Err(e) => fail(e),
    }
}

/// The output type of a unary operator.
pub type UnaryOutput<N, X> = <N as Takes1<X>>::Output;

/// The output type of a binary operator.
pub type BinaryOutput<N, X, Y> = <N as Takes2<X, Y>>::Output;

/// The value of a unary operator.
///
/// # Panics
/// As [`operator`].
#[inline]
#[track_caller]
pub fn unary<N: Takes1<X, Op: Default>, X>(x: &X) -> N::Output {
    let _site = call_site();
    operator(N::call(&Default::default(), x))
}

/// The value of a binary operator.
///
/// # Panics
/// As [`operator`].
#[inline]
#[track_caller]
pub fn binary<N, X, Y: Operand>(x: &X, y: &Y) -> N::Output
where
    N: Takes2<X, Y::Value, Op: Default>,
{
    let _site = call_site();
    operator(y.operand().and_then(|y| N::call(&Default::default(), x, &*y)))
}

/// The value of a binary operator with a number on the left.
///
/// # Panics
/// As [`operator`].
#[inline]
#[track_caller]
pub fn with_number<N, X: Operand<Value = Tensor>, Y>(x: X, y: &Y) -> N::Output
where
    N: Takes2<Tensor, Y, Op: Default>,
{
    let _site = call_site();
    operator(x.operand().and_then(|x| N::call(&Default::default(), &*x, y)))
}

/// Implements the binary operators for a left operand type; used by `#[derive(ExtensionType)]`.
#[doc(hidden)]
#[macro_export]
macro_rules! __operators {
    ([$($g:tt)*] $t:ty, [$($w:tt)*]) => {
        $crate::__operators!(@each [$($g)*] $t, [$($w)*],
            Add add add, Sub sub sub, Mul mul mul, Div div div, Rem rem rem,
            BitAnd bitand bitand, BitOr bitor bitor, BitXor bitxor bitxor,
            Shl shl left_shift, Shr shr right_shift);
    };
    (@each $g:tt $t:ty, $w:tt, $($trait:ident $method:ident $op:ident),*) => {
        $($crate::__operators!(@one $g $t, $w, $trait $method $op, $t);
        $crate::__operators!(@one $g $t, $w, $trait $method $op, &$t);)*
    };
    (@one [$($g:tt)*] $t:ty, [$($w:tt)*], $trait:ident $method:ident $op:ident, $left:ty) => {
        impl<$($g)* Rhs__: $crate::ops::Operand> ::core::ops::$trait<Rhs__> for $left
        where
            $crate::ops::$op: $crate::ops::Takes2<$t, Rhs__::Value>,
            $($w)*
        {
            type Output = $crate::__private::BinaryOutput<$crate::ops::$op, $t, Rhs__::Value>;

            #[track_caller]
            fn $method(self, rhs: Rhs__) -> Self::Output {
                $crate::__private::binary::<$crate::ops::$op, $t, _>(&self, &rhs)
            }
        }
    };
}

crate::__operators!([] Tensor, []);

/// Operators on variables read the current value.
macro_rules! operators_of_variables {
    ($($trait:ident $method:ident),*) => {
        $(operators_of_variables!(@one $trait $method, Variable);
        operators_of_variables!(@one $trait $method, &Variable);)*
    };
    (@one $trait:ident $method:ident, $left:ty) => {
        impl<Rhs> $trait<Rhs> for $left
        where
            Tensor: $trait<Rhs>,
        {
            type Output = <Tensor as $trait<Rhs>>::Output;

            #[track_caller]
            fn $method(self, rhs: Rhs) -> Self::Output {
                operator(self.read()).$method(rhs)
            }
        }
    };
}
operators_of_variables!(
    Add add,
    Sub sub,
    Mul mul,
    Div div,
    Rem rem,
    BitAnd bitand,
    BitOr bitor,
    BitXor bitxor,
    Shl shl,
    Shr shr
);

/// `2.0 * &x`: on the left, plain floats are `f64` and plain integers `i64`, so that the type of a
/// literal is known. The number takes the tensor's dtype, as on the right.
macro_rules! number_left {
    ($($numbers:tt $trait:ident $method:ident $op:ident),*) => {
        $(number_left!(@each $numbers $trait $method $op, Tensor, &Tensor, Variable, &Variable);)*
    };
    (@each $numbers:tt $trait:ident $method:ident $op:ident, $($t:ty),*) => {
        $(number_left!(@all $numbers $trait $method $op, $t);)*
    };
    (@all [$($s:ty),*] $trait:ident $method:ident $op:ident, $t:ty) => {
        $(number_left!(@one $trait $method $op $s, $t);)*
    };
    (@one $trait:ident $method:ident $op:ident $s:ty, $t:ty) => {
        impl $trait<$t> for $s {
            type Output = Tensor;

            #[track_caller]
            fn $method(self, rhs: $t) -> Tensor {
                operator(crate::ops::$op(self, rhs))
            }
        }
    };
}
number_left!(
    [f64, i64, Complex32, Complex64] Add add add,
    [f64, i64, Complex32, Complex64] Sub sub sub,
    [f64, i64, Complex32, Complex64] Mul mul mul,
    [f64, i64, Complex32, Complex64] Div div div,
    [f64, i64, Complex32, Complex64] Rem rem rem,
    [i64, bool] BitAnd bitand bitand,
    [i64, bool] BitOr bitor bitor,
    [i64, bool] BitXor bitxor bitxor,
    [i64] Shl shl left_shift,
    [i64] Shr shr right_shift
);

/// `x += 1`: `x` becomes the result. Other handles of its former tensor are not changed.
macro_rules! assigning_operators {
    ($($trait:ident $method:ident $op:ident $by:ident),*) => {
        $(impl<Rhs> $trait<Rhs> for Tensor
        where
            for<'a> &'a Tensor: $op<Rhs, Output = Tensor>,
        {
            #[track_caller]
            fn $method(&mut self, rhs: Rhs) {
                *self = $op::$by(&*self, rhs);
            }
        })*
    };
}
assigning_operators!(
    AddAssign add_assign Add add,
    SubAssign sub_assign Sub sub,
    MulAssign mul_assign Mul mul,
    DivAssign div_assign Div div,
    RemAssign rem_assign Rem rem,
    BitAndAssign bitand_assign BitAnd bitand,
    BitOrAssign bitor_assign BitOr bitor,
    BitXorAssign bitxor_assign BitXor bitxor,
    ShlAssign shl_assign Shl shl,
    ShrAssign shr_assign Shr shr
);

macro_rules! unary_operators {
    ($($trait:ident $method:ident = $front:ident),*) => {
        $(unary_operators!(@one $trait $method $front, Tensor);
        unary_operators!(@one $trait $method $front, &Tensor);
        unary_operators!(@one $trait $method $front, Variable);
        unary_operators!(@one $trait $method $front, &Variable);)*
    };
    (@one $trait:ident $method:ident $front:ident, $t:ty) => {
        impl $trait for $t {
            type Output = Tensor;

            #[track_caller]
            fn $method(self) -> Tensor {
                operator(crate::ops::$front(self))
            }
        }
    };
}
unary_operators!(Neg neg = neg, Not not = not);
