//! Comparisons: of tensors, of extension types that override them, and of plain Rust values.

use super::condition::TensorSide;
use crate::ops::operators::{BinaryOutput, binary};
use crate::ops::{self, Operand, Takes2, operator};
use crate::spec::ExtensionType;
use crate::tensor::Tensor;

/// The two sides of a comparison, borrowed. `a < b` becomes `(&&&&Pair(&a, &b)).less()`, where the types of the
/// sides choose one of the traits below (autoref specialization).
///
/// Each trait is implemented for another number of references to a pair, and its methods take `&self`. The
/// compiler tries the impls for `&&&Pair` first, then with one reference more, `&&&&Pair`, then those for `&&Pair`,
/// `&Pair` and `Pair`. It takes the first one whose bounds hold. So the order is: a tensor on the left, an
/// extension type that overrides the comparison, a reference to one, a tensor on the right, plain Rust values.
#[derive(Debug)]
pub struct Pair<'a, A: ?Sized, B: ?Sized>(pub &'a A, pub &'a B);

macro_rules! comparisons {
    ($($method:ident $overridden:ident),*) => {
        /// Comparisons with a tensor on the left.
        pub trait LeftTensor<B: ?Sized> {
            $(#[doc(hidden)]
            fn $method(&self) -> Tensor where B: Operand<Value = Tensor>;)*
        }

        impl<A: TensorSide + ?Sized, B: ?Sized> LeftTensor<B> for &&&Pair<'_, A, B> {
            $(#[track_caller]
            fn $method(&self) -> Tensor where B: Operand<Value = Tensor> {
                let (a, b) = (operator(self.0.operand()), operator(self.1.operand()));
                operator(ops::$method(&*a, &*b))
            })*
        }

        $(/// A comparison of an extension type that overrides it.
        pub trait $overridden {
            #[doc(hidden)]
            type Output;
            #[doc(hidden)]
            fn $method(&self) -> Self::Output;
        }

        impl<A: ExtensionType, B: Operand> $overridden for &&&&Pair<'_, A, B>
        where
            ops::$method: Takes2<A, B::Value, Op: Default>,
        {
            type Output = BinaryOutput<ops::$method, A, B::Value>;

            #[track_caller]
            fn $method(&self) -> Self::Output {
                binary::<ops::$method, A, B>(self.0, self.1)
            }
        }

        impl<A: ExtensionType, B: Operand> $overridden for &&Pair<'_, &A, B>
        where
            ops::$method: Takes2<A, B::Value, Op: Default>,
        {
            type Output = BinaryOutput<ops::$method, A, B::Value>;

            #[track_caller]
            fn $method(&self) -> Self::Output {
                binary::<ops::$method, A, B>(self.0, self.1)
            }
        })*

        /// Comparisons with a tensor on the right.
        pub trait RightTensor<A: ?Sized> {
            $(#[doc(hidden)]
            fn $method(&self) -> Tensor where A: Operand<Value = Tensor>;)*
        }

        impl<A: ?Sized, B: TensorSide + ?Sized> RightTensor<A> for &Pair<'_, A, B> {
            $(#[track_caller]
            fn $method(&self) -> Tensor where A: Operand<Value = Tensor> {
                let (a, b) = (operator(self.0.operand()), operator(self.1.operand()));
                operator(ops::$method(&*a, &*b))
            })*
        }
    };
}
comparisons!(
    less OverriddenLess,
    less_equal OverriddenLessEqual,
    greater OverriddenGreater,
    greater_equal OverriddenGreaterEqual,
    equal OverriddenEqual,
    not_equal OverriddenNotEqual
);

/// Holds where [`PartialOrd`] does; the message for other types says what to write for tensors.
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{B}` can't be compared by `<`, `<=`, `>` or `>=`",
    label = "for a type of your own override the op, as in `#[overrides(less)]` for `<`, or compare its tensors: `ops::less(&a.values, &b.values)?`; for a `Result` write `?` first"
)]
pub trait Ordered<B: ?Sized>: PartialOrd<B> {}

#[diagnostic::do_not_recommend]
impl<A: PartialOrd<B> + ?Sized, B: ?Sized> Ordered<B> for A {}

/// Holds where [`PartialEq`] does; the message for other types says what to write for tensors.
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{B}` can't be compared by `==` or `!=`",
    label = "for a type of your own override the op, as in `#[overrides(equal)]` for `==`, or compare its tensors: `ops::equal(&a.values, &b.values)?`; for a `Result` write `?` first"
)]
pub trait Alike<B: ?Sized>: PartialEq<B> {}

#[diagnostic::do_not_recommend]
impl<A: PartialEq<B> + ?Sized, B: ?Sized> Alike<B> for A {}

/// Comparisons of plain Rust values. The methods are written out, not made by a macro, because error messages
/// quote the lines of their bounds.
#[rustfmt::skip]
#[doc(hidden)]
pub trait PlainPair<A: ?Sized, B: ?Sized> {
    fn less(&self) -> bool where A: Ordered<B>;
    fn less_equal(&self) -> bool where A: Ordered<B>;
    fn greater(&self) -> bool where A: Ordered<B>;
    fn greater_equal(&self) -> bool where A: Ordered<B>;
    fn equal(&self) -> bool where A: Alike<B>;
    fn not_equal(&self) -> bool where A: Alike<B>;
}

macro_rules! plain_pairs {
    ($($method:ident $plain:tt $bound:ident),*) => {
        impl<A: ?Sized, B: ?Sized> PlainPair<A, B> for Pair<'_, A, B> {
            $(#[inline]
            fn $method(&self) -> bool where A: $bound<B> {
                self.0 $plain self.1
            })*
        }
    };
}
plain_pairs!(
    less < Ordered,
    less_equal <= Ordered,
    greater > Ordered,
    greater_equal >= Ordered,
    equal == Alike,
    not_equal != Alike
);
