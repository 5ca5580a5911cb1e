//! The stack of a thread, of which calls within calls take a part each, and which is made longer for them.

use std::any::Any;
use std::cell::{Cell, RefCell};

use super::{Result, err};

/// What a call within calls finds at least, for itself and for the user's code up to the next check.
const ROOM: usize = 256 << 10;

/// Less than that is left for a call which can't be given more.
const LEAST: usize = 128 << 10;

/// The stack grows by so much,
const SEGMENT: usize = 4 << 20;

/// and to so much in all: what calls itself for ever ends in an error.
const MAX_GROWN: usize = 32 << 20;

thread_local! {
    /// By how much the stack of this thread is longer at present.
    static GROWN: Cell<usize> = const { Cell::new(0) };
}

/// True if so much of the stack is left, or nobody knows how much is.
#[inline]
fn has(room: usize) -> bool {
    stacker::remaining_stack().is_none_or(|left| left >= room)
}

/// Runs a call within calls, on a longer stack where little of this one is left.
///
/// # Errors
/// What `f` fails with; `ResourceExhausted`, saying what nests too deep, if the stack is as long as it may be.
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

/// Runs a step of a recursion whose depth comes from data, and ends with it. Where little of the stack is left, it
/// goes on on another one.
#[inline]
pub(crate) fn deep<R>(step: impl FnOnce() -> R) -> R {
    /// What the steps up to the next one and users' code in them may take.
    const LEFT: usize = 128 << 10;
    const MORE: usize = 2 << 20;
    stacker::maybe_grow(LEFT, MORE, step)
}

/// Checks that this thread's stack has room for one more call within calls, where [`on_stack`] can't make it.
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

/// Drops a part of something that holds its like: within the drop of another one not at once, but when that is
/// over, so that however deep they nest the stack is not.
pub(crate) fn drop_flat(part: impl Any) {
    type Parts = Option<Vec<Box<dyn Any>>>;
    thread_local! {
        /// Those that wait, while one is being dropped.
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
    // Where the thread is ending it goes at once.
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
        // What was grown is given back, also by a panic.
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
