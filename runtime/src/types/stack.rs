//! The stack of a thread, which is made longer for deeply nested calls.

use std::any::Any;
use std::cell::{Cell, RefCell};

use super::{Result, err};

/// The least stack that a nested call finds, for itself and for the user's code up to the next check.
const ROOM: usize = 256 << 10;

/// The least stack that must be left for a nested call that can't be given more.
const LEAST: usize = 128 << 10;

/// The bytes by which the stack grows at a time.
const SEGMENT: usize = 4 << 20;

/// The bytes by which the stack may grow in all, so that endless recursion ends in an error.
const MAX_GROWN: usize = 32 << 20;

thread_local! {
    /// The bytes by which the stack of this thread has grown.
    static GROWN: Cell<usize> = const { Cell::new(0) };
}

/// True if this many bytes of the stack are left, or if that is unknown.
#[inline]
fn has(room: usize) -> bool {
    stacker::remaining_stack().is_none_or(|left| left >= room)
}

/// Runs a nested call, on a longer stack if little of this one is left.
///
/// # Errors
/// The error of `f`; `ResourceExhausted` with the text `too_deep` if the stack has its greatest length.
#[inline]
pub(crate) fn on_stack<R>(too_deep: &str, f: impl FnOnce() -> Result<R>) -> Result<R> {
    if has(ROOM) { f() } else { on_longer_stack(too_deep, f) }
}

#[cold]
fn on_longer_stack<R>(too_deep: &str, f: impl FnOnce() -> Result<R>) -> Result<R> {
    struct Restore(usize);
    impl Drop for Restore {
        fn drop(&mut self) {
            GROWN.set(self.0);
        }
    }
    let grown = GROWN.get();
    if grown >= MAX_GROWN {
        return Err(ended(too_deep));
    }
    let _restore = Restore(grown);
    GROWN.set(grown + SEGMENT);
    stacker::grow(SEGMENT, f)
}

/// Runs a step of a recursion whose depth comes from data, and so is finite. If little of the stack is left, the
/// step runs on another one.
#[inline]
pub(crate) fn deep<R>(step: impl FnOnce() -> R) -> R {
    /// The stack that steps and users' code may take up to the next check.
    const LEFT: usize = 128 << 10;
    const MORE: usize = 2 << 20;
    stacker::maybe_grow(LEFT, MORE, step)
}

/// Checks that this thread's stack has room for one more nested call, where [`on_stack`] can't be used.
///
/// # Errors
/// `ResourceExhausted`, saying what nests too deep.
pub(crate) fn ensure_stack(too_deep: &str) -> Result<()> {
    if has(LEAST) { Ok(()) } else { Err(ended(too_deep)) }
}

#[cold]
fn ended(too_deep: &str) -> crate::types::Error {
    err!(ResourceExhausted, "{too_deep}: the stack would end")
}

/// Drops a part of a recursive value without recursion. Within the drop of another part it is queued and dropped
/// after that, so that deep nesting does not use up the stack.
pub(crate) fn drop_flat(part: impl Any) {
    type Parts = Option<Vec<Box<dyn Any>>>;
    thread_local! {
        /// The queued parts, while one is being dropped.
        static WAITING: RefCell<Parts> = const { RefCell::new(None) };
    }
    struct End;
    impl Drop for End {
        fn drop(&mut self) {
            drop(WAITING.take());
        }
    }
    let later = |waiting: &RefCell<Parts>| match &mut *waiting.borrow_mut() {
        Some(parts) => {
            parts.push(Box::new(part));
            None
        }
        none => {
            *none = Some(Vec::new());
            Some(part)
        }
    };
    // If the thread is ending, the part is dropped at once.
    let Ok(Some(part)) = WAITING.try_with(later) else { return };
    let _end = End;
    drop(part);
    while let Some(next) = WAITING.with_borrow_mut(|parts| parts.as_mut().and_then(Vec::pop)) {
        drop(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ErrorKind;

    fn nested(depth: usize) -> Result<usize> {
        let frame = std::hint::black_box([0u8; 10 << 10]);
        on_stack("nested", || if depth == 0 { Ok(0) } else { Ok(nested(depth - 1)? + 1) })
            .map(|n| n + usize::from(frame[n % frame.len()]))
    }

    #[test]
    fn calls_within_calls_get_a_longer_stack_and_end() {
        // Longer than the stack of a thread; a frame takes several times its array in dev builds.
        assert_eq!(nested(500).unwrap(), 500);
        let e = nested(usize::MAX).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::ResourceExhausted);
        assert_eq!(e.message(), "nested: the stack would end");
        // The growth is undone, even after a panic.
        let panicked =
            std::panic::catch_unwind(|| on_longer_stack("", || -> Result<()> { panic!() }));
        assert!(panicked.is_err() && GROWN.get() == 0);
        assert_eq!(nested(500).unwrap(), 500);
    }

    struct Link(Option<Box<Link>>);

    impl Drop for Link {
        fn drop(&mut self) {
            drop_flat(self.0.take());
        }
    }

    #[test]
    fn what_nests_deep_is_dropped_flat() {
        drop((0..1_000_000).fold(Link(None), |next, _| Link(Some(Box::new(next)))));
    }
}
