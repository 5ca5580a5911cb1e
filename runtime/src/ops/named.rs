//! Ops by name, and what they take: the bounds that functions and operators state, so that a
//! message of the compiler names the op as its user does.
//!
//! `X: Apply1<Unary<TanhFn>>` would be shown as it stands. A bound on the name, `tanh: Takes1<X>`,
//! is the same requirement in words. The op is `Self`, since the compiler shows the whole
//! definition of a user's type that lacks an impl, and of nobody else's; and the blanket impls
//! name their `Output` by a parameter, since a projection would be resolved past the bound, to an
//! error without the name.

use super::apply::{Apply1, Apply2, Apply3, Op};
use super::mixed::Items;
use crate::types::Result;

/// An op by its name: its own type, or the empty type that has the name of its function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no op",
    label = "not the type of an op, nor the name of its function"
)]
pub trait Named {
    /// The op.
    type Op: Op;
}

#[diagnostic::do_not_recommend]
impl<O: Op> Named for O {
    type Op = O;
}

/// What the name of a function stands for, asked by a type of the crate that asks: the compiler then
/// sees which op it is also where it looks for impls that overlap (it takes the associated type of
/// another crate's impl for any type, unless a type of its own crate takes part).
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no op",
    label = "neither the type of an op nor the name of its function"
)]
pub trait NamedBy<By> {
    type Op;
}

/// An op that is defined for `X`.
///
/// ```
/// use extype::ops::{Square, Takes1};
/// use extype::prelude::*;
/// /// The square of values of any type that has one.
/// fn squared<X>(x: &X) -> Result<<ops::square as Takes1<X>>::Output>
/// where
///     ops::square: Takes1<X>,
/// {
///     <ops::square as Takes1<X>>::call(&Square::default(), x)
/// }
/// assert_eq!(squared(&tensor![3.0f32])?.as_slice::<f32>()?, &[9.0]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{X}` does not support `{Self}`",
    label = "add `#[overrides({Self})]` to its `#[dispatch]` impl"
)]
pub trait Takes1<X>: Named {
    /// The type of the result.
    type Output;

    /// Calls the op.
    ///
    /// # Errors
    /// What the op refuses.
    fn call(op: &Self::Op, x: &X) -> Result<Self::Output>;
}

#[diagnostic::do_not_recommend]
impl<N: Named, X: Apply1<N::Op, Output = R>, R> Takes1<X> for N {
    type Output = R;

    #[inline]
    #[track_caller]
    fn call(op: &N::Op, x: &X) -> Result<R> {
        X::apply1(op, x)
    }
}

/// An op that is defined for the pair of `X` and `Y`.
///
/// ```
/// use extype::ops::{MatMul, Takes2};
/// use extype::prelude::*;
/// /// The product of the transpose of `x` and `y`, matrices of any types that have one.
/// fn product<X, Y>(x: &X, y: &Y) -> Result<<MatMul as Takes2<X, Y>>::Output>
/// where
///     MatMul: Takes2<X, Y>,
/// {
///     <MatMul as Takes2<X, Y>>::call(&MatMul { transpose_a: true, transpose_b: false }, x, y)
/// }
/// let z = product(&tensor![[1.0f32], [2.0]], &tensor![[3.0f32], [4.0]])?;
/// assert_eq!(z.as_slice::<f32>()?, &[11.0]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{X}` does not support `{Self}` with `{Y}`",
    label = "add `#[overrides({Self})]` to a `#[dispatch]` impl, `with = Tensor` for a tensor on either side"
)]
pub trait Takes2<X, Y>: Named {
    /// The type of the result.
    type Output;

    /// Calls the op.
    ///
    /// # Errors
    /// What the op refuses.
    fn call(op: &Self::Op, x: &X, y: &Y) -> Result<Self::Output>;
}

#[diagnostic::do_not_recommend]
impl<N: Named, X, Y: Second<X, N::Op, Output = R>, R> Takes2<X, Y> for N {
    type Output = R;

    #[inline]
    #[track_caller]
    fn call(op: &N::Op, x: &X, y: &Y) -> Result<R> {
        Y::second(op, x, y)
    }
}

/// [`Apply2`] seen from the last operand: nothing is decided before its type is known, so that a
/// message names it.
#[doc(hidden)]
pub trait Second<X, O> {
    type Output;

    fn second(op: &O, x: &X, y: &Self) -> Result<Self::Output>;
}

#[diagnostic::do_not_recommend]
impl<O: Op, X: Apply2<Y, O, Output = R>, Y, R> Second<X, O> for Y {
    type Output = R;

    #[inline]
    #[track_caller]
    fn second(op: &O, x: &X, y: &Y) -> Result<R> {
        X::apply2(op, x, y)
    }
}

/// An op that is defined for `X`, `Y` and `Z`.
///
/// ```
/// use extype::ops::{Select, Takes3};
/// use extype::prelude::*;
/// /// `x` where a mask is true, else `y`, of any types that can be chosen from.
/// fn chosen<X, Y>(mask: &Tensor, x: &X, y: &Y) -> Result<<Select as Takes3<Tensor, X, Y>>::Output>
/// where
///     Select: Takes3<Tensor, X, Y>,
/// {
///     <Select as Takes3<Tensor, X, Y>>::call(&Select {}, mask, x, y)
/// }
/// let z = chosen(&tensor![true, false], &tensor![1, 2], &tensor![3, 4])?;
/// assert_eq!(z.as_slice::<i32>()?, &[1, 4]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{X}` does not support `{Self}` with `{Y}` and `{Z}`",
    label = "add `#[overrides({Self})]` to a `#[dispatch]` impl, with these operands"
)]
pub trait Takes3<X, Y, Z>: Named {
    /// The type of the result.
    type Output;

    /// Calls the op.
    ///
    /// # Errors
    /// What the op refuses.
    fn call(op: &Self::Op, x: &X, y: &Y, z: &Z) -> Result<Self::Output>;
}

#[diagnostic::do_not_recommend]
impl<N: Named, X, Y, Z: Third<X, Y, N::Op, Output = R>, R> Takes3<X, Y, Z> for N {
    type Output = R;

    #[inline]
    #[track_caller]
    fn call(op: &N::Op, x: &X, y: &Y, z: &Z) -> Result<R> {
        Z::third(op, x, y, z)
    }
}

/// [`Apply3`] seen from the last operand.
#[doc(hidden)]
pub trait Third<X, Y, O> {
    type Output;

    fn third(op: &O, x: &X, y: &Y, z: &Self) -> Result<Self::Output>;
}

#[diagnostic::do_not_recommend]
impl<O: Op, X: Apply3<Y, Z, O, Output = R>, Y, Z, R> Third<X, Y, O> for Z {
    type Output = R;

    #[inline]
    #[track_caller]
    fn third(op: &O, x: &X, y: &Y, z: &Z) -> Result<R> {
        X::apply3(op, x, y, z)
    }
}

/// An op that is defined for a sequence of operands.
///
/// ```
/// use extype::ops::{Stack, TakesAll};
/// use extype::prelude::*;
/// /// Columns from any sequence that can be stacked.
/// fn columns<I>(items: &I) -> Result<<Stack as TakesAll<I>>::Output>
/// where
///     Stack: TakesAll<I>,
/// {
///     <Stack as TakesAll<I>>::call(&Stack { axis: 1 }, items)
/// }
/// assert_eq!(columns(&[tensor![1, 2], tensor![3, 4]])?.as_slice::<i32>()?, &[1, 3, 2, 4]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{I}` does not support `{Self}`",
    label = "add `#[overrides({Self})]` to a `#[dispatch]` impl, `with = Tensor` for a tuple with tensors"
)]
pub trait TakesAll<I: ?Sized>: Named {
    /// The type of the result.
    type Output;

    /// Calls the op.
    ///
    /// # Errors
    /// What the op refuses.
    fn call(op: &Self::Op, items: &I) -> Result<Self::Output>;
}

#[diagnostic::do_not_recommend]
impl<N: Named, I: Items<N::Op, Output = R> + ?Sized, R> TakesAll<I> for N {
    type Output = R;

    #[inline]
    #[track_caller]
    fn call(op: &N::Op, items: &I) -> Result<R> {
        items.apply(op)
    }
}
