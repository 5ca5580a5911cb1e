//! Copies of outer values for arms that are both traced.

use std::marker::PhantomData;

use super::kind::{Kind, Never, OnTensors, Plain, Token};
use super::state::{Erased, FlatParts, FlatValue};
use crate::spec::Structure;

/// A reborrowed mutable reference.
pub struct LentOn<'a, T: ?Sized>(&'a mut T);

impl<'a, T: ?Sized> LentOn<'a, T> {
    /// The reference.
    pub fn value(self) -> &'a mut T {
        self.0
    }
}

impl Never {
    /// Never called.
    pub fn value<T>(self) -> T {
        match self {}
    }
}

/// Values that can be reborrowed mutably.
pub trait LendsOn {
    /// The reborrowed reference.
    fn __lent<K: Kind>(&mut self, _: &Token<K>) -> Option<LentOn<'_, Self>> {
        Some(LentOn(self))
    }
}

impl<T: ?Sized> LendsOn for T {}

/// [`LendsOn`] for values that are not mutable references.
pub trait NotLent {
    /// Nothing.
    fn __lent<K: Kind>(&self, _: &Token<K>) -> Option<Never> {
        None
    }
}

impl<T: ?Sized> NotLent for T {}

/// A value that an arm takes ownership of, or that an exit returns. For plain values none of this runs. Where the
/// kind is known only later, it is called with two references fewer: with one fewer, [`OwnPlain`] would decide the kind.
pub struct Own<'a, T: ?Sized, K>(pub &'a T, pub &'a Token<K>);

/// [`Own`] of a value in plain code: never called.
pub trait OwnPlain {
    /// The value's type.
    type Value;
    /// The value.
    fn own(&self) -> Self::Value;
}

impl<T> OwnPlain for &&&&Own<'_, T, Plain> {
    type Value = T;

    fn own(&self) -> T {
        unreachable!("plain values are moved")
    }
}

/// [`Own`] of a mutable reference: never called, since it is reborrowed.
pub trait OwnLent {
    /// The value's type.
    type Value;
    /// The value.
    fn own(&self) -> Self::Value;
}

impl<'b, T: ?Sized, K> OwnLent for &&&Own<'_, &'b mut T, K> {
    type Value = &'b mut T;

    fn own(&self) -> &'b mut T {
        unreachable!("mutable references are lent on")
    }
}

/// [`Own`] of a reference.
pub trait OwnReference {
    /// The value's type.
    type Value;
    /// The value.
    fn own(&self) -> Self::Value;
}

impl<'b, T: ?Sized, K> OwnReference for &&Own<'_, &'b T, K> {
    type Value = &'b T;

    fn own(&self) -> &'b T {
        self.0
    }
}

/// [`Own`] of a structure: a new handle to the same tensors.
pub trait OwnStructure {
    /// The value's type.
    type Value;
    /// The value.
    fn own(&self) -> Self::Value;
}

impl<T: Structure, K> OwnStructure for &Own<'_, T, K> {
    type Value = T;

    fn own(&self) -> T {
        handle(self.0)
    }
}

/// [`Own`] of everything else, which must be copied for a trace.
pub trait OwnOther {
    /// The value's type.
    type Value;
    /// Whether it is for plain code or a trace.
    type Kind;
    /// The value.
    fn own(&self) -> Self::Value
    where
        Self::Kind: Owns<Self::Value>;
}

impl<T, K> OwnOther for Own<'_, T, K> {
    type Value = T;
    type Kind = K;

    fn own(&self) -> T
    where
        K: Owns<T>,
    {
        K::own(self.0)
    }
}

/// The kinds of code that can take ownership of a `T`.
#[diagnostic::on_unimplemented(
    message = "a `{T}` can't be moved under a condition on tensors",
    label = "moved here, but the other arm is visited too",
    note = "both arms are traced, so each must have its own: borrow it, or clone it",
    note = "if the condition is plain, compute a `bool` first, or put `#[plain]` on the statement"
)]
pub trait Owns<T> {
    #[doc(hidden)]
    fn own(value: &T) -> T;
}

#[diagnostic::do_not_recommend]
impl<T> Owns<T> for Plain {
    fn own(_: &T) -> T {
        unreachable!("plain values are moved")
    }
}

#[diagnostic::do_not_recommend]
impl<T: Copy> Owns<T> for OnTensors {
    fn own(value: &T) -> T {
        *value
    }
}

/// A variable that is an operand of a comparison.
pub struct Operated<'a, T: ?Sized>(pub &'a T);

/// [`Operated`] of a structure, which is borrowed.
pub trait OperatedStructure<'a> {
    /// The variable's type.
    type Value;
    /// The variable.
    fn __operand(&self) -> &'a Self::Value;
}

impl<'a, T: Structure> OperatedStructure<'a> for &Operated<'a, T> {
    type Value = T;

    fn __operand(&self) -> &'a T {
        self.0
    }
}

/// [`Operated`] of a `Copy` value.
pub trait OperatedCopy {
    /// The variable's type.
    type Value;
    /// The value.
    fn __operand(&self) -> Self::Value;
}

impl<T: Copy> OperatedCopy for Operated<'_, T> {
    type Value = T;

    #[inline]
    fn __operand(&self) -> T {
        *self.0
    }
}

/// A variable that an arm may move by a method call or a pattern, as it is before that.
pub struct Keep<'a, T: ?Sized, K>(pub &'a T, pub &'a Token<K>);

/// A saved structure, restored after the arm.
pub struct Kept<T>(T);

/// A variable that is not saved: the condition is plain, or its type is no structure.
pub struct NotKept<T>(PhantomData<fn() -> T>);

impl<T: Structure> Kept<T> {
    /// True.
    pub fn is_kept(&self) -> bool {
        true
    }

    /// The saved variable.
    pub fn back(&self) -> T {
        handle(&self.0)
    }

    /// Never called.
    pub fn gone(&self) -> Never {
        unreachable!("it is kept")
    }
}

impl<T> NotKept<T> {
    /// False.
    pub fn is_kept(&self) -> bool {
        false
    }

    /// Never called.
    pub fn back(&self) -> T {
        unreachable!("nothing is kept")
    }

    /// Does nothing.
    pub fn gone(&self) {}
}

/// [`Keep`] in plain code.
pub trait KeepPlain {
    /// The variable's type.
    type Value;
    /// Nothing is kept.
    fn keep(&self) -> NotKept<Self::Value>;
}

impl<T> KeepPlain for &&Keep<'_, T, Plain> {
    type Value = T;

    #[inline]
    fn keep(&self) -> NotKept<T> {
        NotKept(PhantomData)
    }
}

/// [`Keep`] of a structure.
pub trait KeepStructure {
    /// The variable's type.
    type Value;
    /// Saves a handle to it.
    fn keep(&self) -> Kept<Self::Value>;
}

impl<T: Structure> KeepStructure for &Keep<'_, T, OnTensors> {
    type Value = T;

    fn keep(&self) -> Kept<T> {
        Kept(handle(self.0))
    }
}

/// [`Keep`] of anything else.
pub trait KeepOther {
    /// The variable's type.
    type Value;
    /// Nothing is kept.
    fn keep(&self) -> NotKept<Self::Value>;
}

impl<T, K> KeepOther for Keep<'_, T, K> {
    type Value = T;

    fn keep(&self) -> NotKept<T> {
        NotKept(PhantomData)
    }
}

/// A copy of a structure that shares its tensors.
fn handle<T: Structure>(value: &T) -> T {
    let mut out = FlatValue::default();
    Erased::read(value, &mut out);
    crate::ops::operator(FlatParts::from(out.0).take())
}
