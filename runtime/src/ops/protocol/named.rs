//! Bounds on ops by name. Functions and operators state them, so that compiler messages name the op
//! as its user does.
//!
//! The compiler would show the bound `X: Apply1<Unary<TanhFn>>` literally. `tanh: Takes1<X>` states
//! the same requirement by name. The op is `Self`: with a user's type as `Self`, the compiler would
//! show its whole definition where an impl is missing. The blanket impls name their `Output` by a
//! parameter: a projection would be resolved past the bound, and the error would not name the op.

use crate::ops::protocol::apply::{Apply1, Apply2, Apply3, Op};
use crate::ops::protocol::mixed::Items;
use crate::types::Result;

/// An op by name: the op's own type, or the empty type named after its function.
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

/// Maps the name of a function to its op, with a type `By` of the calling crate. The compiler can
/// then resolve the op when it checks for overlapping impls. Without a local type, it would assume
/// that the associated type of another crate's impl may be any type.
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

/// [`Apply2`] with the last operand as `Self`. The bound is not resolved before that type is known,
/// so that a message names it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{X}` does not support `{O}` with `{Self}`",
    label = "add `#[overrides({O})]` to a `#[dispatch]` impl, `with = Tensor` for a tensor on either side"
)]
pub trait Second<X, O> {
    type Output;

    fn second(op: &O, x: &X, y: &Self) -> Result<Self::Output>;
}

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

/// [`Apply3`] with the last operand as `Self`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{X}` does not support `{O}` with `{Y}` and `{Self}`",
    label = "add `#[overrides({O})]` to a `#[dispatch]` impl, with these operands"
)]
pub trait Third<X, Y, O> {
    type Output;

    fn third(op: &O, x: &X, y: &Y, z: &Self) -> Result<Self::Output>;
}

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
