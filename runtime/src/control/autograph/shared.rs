//! Compile-time checks for effects under conditions on tensors that do not go through a variable of the body.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicU32, AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, RwLock};

use super::kind::{Kind, Plain, Token};

/// The kind of conditions under which a cell or a lock may be written.
#[diagnostic::on_unimplemented(
    message = "a condition on tensors can't write what a cell or a lock holds",
    label = "written once, while the function is traced, whatever the condition says",
    note = "keep it in a variable, and assign that under the condition",
    note = "if it is to happen once for each trace, put `#[plain]` on the statement"
)]
pub trait WritesShared: Kind {}

impl WritesShared for Plain {}

/// The receiver of a method that writes cells or locks.
pub struct Shared<'a, T: ?Sized, K>(pub &'a T, pub &'a Token<K>);

/// A cell or a lock.
pub trait Cellular {}

impl<T: ?Sized> Cellular for Cell<T> {}
impl<T: ?Sized> Cellular for RefCell<T> {}
impl<T> Cellular for OnceCell<T> {}
impl<T: ?Sized> Cellular for Mutex<T> {}
impl<T: ?Sized> Cellular for RwLock<T> {}
impl Cellular for AtomicBool {}
impl Cellular for AtomicI32 {}
impl Cellular for AtomicI64 {}
impl Cellular for AtomicU32 {}
impl Cellular for AtomicU64 {}
impl Cellular for AtomicUsize {}
impl<T: Cellular + ?Sized> Cellular for &T {}
impl<T: Cellular + ?Sized> Cellular for &mut T {}
impl<T: Cellular + ?Sized> Cellular for Box<T> {}
impl<T: Cellular + ?Sized> Cellular for Rc<T> {}
impl<T: Cellular + ?Sized> Cellular for Arc<T> {}

/// [`Shared`] of a cell or a lock.
pub trait SharedWritten {
    /// The kind of the enclosing condition.
    type Kind: Kind;
    /// Does nothing; it compiles only where writing is allowed.
    #[inline]
    fn written(&self)
    where
        Self::Kind: WritesShared,
    {
    }
}

impl<T: Cellular + ?Sized, K: Kind> SharedWritten for &Shared<'_, T, K> {
    type Kind = K;
}

/// [`Shared`] of anything else.
pub trait NotShared {
    /// Does nothing.
    #[inline]
    fn written(&self) {}
}

impl<T: ?Sized, K> NotShared for Shared<'_, T, K> {}

/// The kind of loops whose head may take items from a variable that is used after the loop.
#[diagnostic::on_unimplemented(
    message = "a loop that a tensor may leave can't take from what is used after it",
    label = "the loop's head goes on taking from it: the iterations after a `break` on tensors are traced too",
    note = "take what is needed before the loop, or go over its elements by an index or `.iter()`"
)]
pub trait KeepsHead: Kind {}

impl KeepsHead for Plain {}

/// Called at the head of a loop that takes items from a variable used after the loop.
#[inline]
pub fn head<K: KeepsHead>(_: &Token<K>) {}

/// The variable that a loop's head iterates over by mutable reference.
pub struct Head<'a, T: ?Sized, K>(pub &'a T, pub &'a Token<K>);

/// [`Head`] of an iterator, which the loop consumes.
pub trait HeadIterator {
    /// The kind of the loop.
    type Kind: Kind;
    /// Does nothing; it compiles only where this is allowed.
    #[inline]
    fn checked(&self)
    where
        Self::Kind: KeepsHead,
    {
    }
}

impl<T: Iterator + ?Sized, K: Kind> HeadIterator for &Head<'_, T, K> {
    type Kind = K;
}

/// [`Head`] of anything else.
pub trait HeadOther {
    /// Does nothing.
    #[inline]
    fn checked(&self) {}
}

impl<T: ?Sized, K> HeadOther for Head<'_, T, K> {}

/// The kind of conditions under which a labeled block can be left.
#[diagnostic::on_unimplemented(
    message = "a condition on tensors can't leave a block with a label",
    label = "left here, but the other arm is visited too",
    note = "write a `loop` that ends with a `break`, or give the value by the arms of the condition"
)]
pub trait LeavesBlocks: Kind {}

impl LeavesBlocks for Plain {}

/// Called before a `break` out of a labeled block.
#[inline]
pub fn leaves_block<K: LeavesBlocks>(_: &Token<K>) {}
