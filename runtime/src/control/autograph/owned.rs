//! What an arm that is visited besides another gets for its own.

use super::kind::{Kind, Never, OnTensors, Plain, Token};
use super::state::{Erased, FlatValue, Parts};
use crate::spec::Structure;

/// A value that an arm gets for its own.
pub struct Own<'a, T: ?Sized, K>(pub &'a T, pub &'a Token<K>);

/// [`Own`] of what may be a mutable reference, which is lent on instead.
pub struct Lent<'a, T: ?Sized, K>(pub &'a T, pub &'a Token<K>);

/// A mutable reference that is lent on.
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

/// A mutable reference that can be lent on.
pub trait LendsOn {
    /// It, lent on.
    fn lent<K: Kind>(&mut self, _: &Token<K>) -> Option<LentOn<'_, Self>> {
        Some(LentOn(self))
    }
}

impl<T: ?Sized> LendsOn for T {}

/// [`LendsOn`] of what is no mutable reference.
pub trait NotLent {
    /// Nothing.
    fn lent<K: Kind>(&self, _: &Token<K>) -> Option<Never> {
        None
    }
}

impl<T: ?Sized> NotLent for T {}

/// [`Lent`] of a mutable reference: never called.
pub trait OwnLent {
    /// The value's type.
    type Value;
    /// The value.
    fn own(&self) -> Self::Value;
}

impl<'b, T: ?Sized> OwnLent for &&Lent<'_, &'b mut T, OnTensors> {
    type Value = &'b mut T;

    fn own(&self) -> &'b mut T {
        unreachable!("mutable references are lent on")
    }
}

/// [`Own`] of what is plain: never called.
pub trait OwnPlain {
    /// The value's type.
    type Value;
    /// The value.
    fn own(&self) -> Self::Value;
}

impl<T> OwnPlain for &&&Own<'_, T, Plain> {
    type Value = T;

    fn own(&self) -> T {
        unreachable!("plain values are moved")
    }
}

impl<T> OwnPlain for &&&Lent<'_, T, Plain> {
    type Value = T;

    fn own(&self) -> T {
        unreachable!("plain values are moved")
    }
}

/// [`Own`] of a reference.
pub trait OwnReference {
    /// The value's type.
    type Value;
    /// The value.
    fn own(&self) -> Self::Value;
}

impl<'b, T: ?Sized> OwnReference for &&Own<'_, &'b T, OnTensors> {
    type Value = &'b T;

    fn own(&self) -> &'b T {
        self.0
    }
}

impl<'b, T: ?Sized> OwnReference for &&Lent<'_, &'b T, OnTensors> {
    type Value = &'b T;

    fn own(&self) -> &'b T {
        self.0
    }
}

/// [`Own`] of a structure: a handle of its own.
pub trait OwnStructure {
    /// The value's type.
    type Value;
    /// The value.
    fn own(&self) -> Self::Value;
}

impl<T: Structure> OwnStructure for &Own<'_, T, OnTensors> {
    type Value = T;

    fn own(&self) -> T {
        let mut out = FlatValue::default();
        Erased::read(self.0, &mut out);
        crate::ops::operator(Parts::from(out.0).take())
    }
}

impl<T: Structure> OwnStructure for &Lent<'_, T, OnTensors> {
    type Value = T;

    fn own(&self) -> T {
        let mut out = FlatValue::default();
        Erased::read(self.0, &mut out);
        crate::ops::operator(Parts::from(out.0).take())
    }
}

/// [`Own`] of everything else, which must be copied.
pub trait OwnOther {
    /// The value's type.
    type Value;
    /// The value.
    fn own(&self) -> Self::Value
    where
        Self::Value: Handed;
}

impl<T> OwnOther for Own<'_, T, OnTensors> {
    type Value = T;

    fn own(&self) -> T
    where
        T: Handed,
    {
        *self.0
    }
}

impl<T> OwnOther for Lent<'_, T, OnTensors> {
    type Value = T;

    fn own(&self) -> T
    where
        T: Handed,
    {
        *self.0
    }
}

/// What two arms of a condition on tensors can both have.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` can't be moved under a condition on tensors",
    label = "moved here, but the other arm is visited too",
    note = "both arms are traced, so each must have its own: borrow it, or clone it",
    note = "if the condition is plain, compute a `bool` first, or put `#[plain]` on the statement"
)]
pub trait Handed: Copy {}

#[diagnostic::do_not_recommend]
impl<T: Copy> Handed for T {}

/// A value that an exit of a loop takes with it, where it is not known yet whether a trace goes on.
pub struct Out<'a, T: ?Sized, K>(pub &'a T, pub &'a Token<K>);

/// [`Out`] of a reference.
pub trait OutReference {
    /// The value's type.
    type Value;
    /// The value.
    fn out(&self) -> Self::Value;
}

impl<'b, T: ?Sized, K> OutReference for &&Out<'_, &'b T, K> {
    type Value = &'b T;

    fn out(&self) -> &'b T {
        self.0
    }
}

/// [`Out`] of a structure: a handle of its own.
pub trait OutStructure {
    /// The value's type.
    type Value;
    /// The value.
    fn out(&self) -> Self::Value;
}

impl<T: Structure, K> OutStructure for &Out<'_, T, K> {
    type Value = T;

    fn out(&self) -> T {
        let mut out = FlatValue::default();
        Erased::read(self.0, &mut out);
        crate::ops::operator(Parts::from(out.0).take())
    }
}

/// [`Out`] of everything else, which must be copied for a trace.
pub trait OutOther {
    /// The value's type.
    type Value;
    /// Whether it is for a trace.
    type Kind;
    /// The value.
    fn out(&self) -> Self::Value
    where
        Self::Kind: TakesOut<Self::Value>;
}

impl<T, K> OutOther for Out<'_, T, K> {
    type Value = T;
    type Kind = K;

    fn out(&self) -> T
    where
        K: TakesOut<T>,
    {
        K::taken(self.0)
    }
}

/// The kinds of loops that can be left with a value.
pub trait TakesOut<T> {
    #[doc(hidden)]
    fn taken(value: &T) -> T;
}

impl<T> TakesOut<T> for Plain {
    fn taken(_: &T) -> T {
        unreachable!("plain values are moved")
    }
}

impl<T: Handed> TakesOut<T> for OnTensors {
    fn taken(value: &T) -> T {
        *value
    }
}
