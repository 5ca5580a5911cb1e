//! Panics of user code as errors.
//!
//! Laws of types, handlers, conversions, gradient rules and kernels are user code that runs within
//! calls of the library. If such code returns a `Result`, its panics are [`caught`]. Laws return no
//! `Result`; they are [named](named), so that the error of an outer catch can name them.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Error, Result};

/// The error of an operator that unwinds through user code, until [`caught`] turns it into an `Err`.
pub(crate) struct OperatorFailed(pub(crate) Error);

thread_local! {
    /// The number of nested [`caught`] calls.
    static OPEN: Cell<u32> = const { Cell::new(0) };
    /// The user code that a panic came out of, if it was [`named`].
    static CULPRIT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// True if an operator's error may unwind silently, since a [`caught`] call turns it into an `Err`.
pub(crate) fn is_caught() -> bool {
    OPEN.get() > 0
}

/// Ends code that returns no `Result` with an error. Within a [`caught`] call no panic hook runs and nothing
/// is printed; elsewhere it is a panic with the error's text.
#[cold]
#[track_caller]
pub(crate) fn fail(e: Error) -> ! {
    if is_caught() {
        std::panic::resume_unwind(Box::new(OperatorFailed(e)));
    }
    panic!("{e}")
}

/// The result of user code. A panic becomes an error, `{what} panicked: …`; the error of an
/// operator is returned unchanged.
#[inline]
pub(crate) fn caught<R>(what: impl Fn() -> String, user: impl FnOnce() -> Result<R>) -> Result<R> {
    let open = OPEN.replace(OPEN.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(user));
    OPEN.set(open);
    match result {
        Ok(result) => result,
        Err(panic) => Err(panicked(&what, panic)),
    }
}

/// [`caught`] for kernels and inference. They use no operators, and while they wait on the thread
/// pool, tasks may run that are not part of the call.
#[inline]
pub(crate) fn caught_alone<R>(what: &str, user: impl FnOnce() -> Result<R>) -> Result<R> {
    match catch_unwind(AssertUnwindSafe(user)) {
        Ok(result) => result,
        Err(panic) => Err(panicked(&|| what.to_owned(), panic)),
    }
}

#[cold]
fn panicked(what: &dyn Fn() -> String, panic: Box<dyn Any + Send>) -> Error {
    let culprit = CULPRIT.take();
    match panic.downcast::<OperatorFailed>() {
        Ok(failed) => failed.0,
        Err(panic) => {
            let what = culprit.unwrap_or_else(what);
            Error::internal(format!("{what} panicked: {}", panic_text(&*panic)))
        }
    }
}

/// The message of a panic.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("of an unknown kind")
}

/// Runs user code that returns no `Result`. If it panics, the error of the catch names it by `what`;
/// of nested calls the innermost is named.
pub(crate) fn named<R>(what: impl Fn() -> String, user: impl FnOnce() -> R) -> R {
    /// Dropped only when the stack unwinds.
    struct Unwinding<F: Fn() -> String>(F);
    impl<F: Fn() -> String> Drop for Unwinding<F> {
        fn drop(&mut self) {
            CULPRIT.with_borrow_mut(|culprit| {
                culprit.get_or_insert_with(&self.0);
            });
        }
    }
    // Discard the culprit of an earlier panic that was caught outside this module.
    CULPRIT.take();
    let unwinding = Unwinding(what);
    let answer = user();
    std::mem::forget(unwinding);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ErrorKind;

    fn law(inner: bool) -> bool {
        named(
            || "the outer law".into(),
            || inner && named(|| "the inner law".into(), || panic!("no")),
        )
    }

    #[test]
    fn a_panic_is_an_error_that_names_the_innermost_culprit() {
        let what = || "the call".to_owned();
        let e = caught(what, || Ok(law(true))).unwrap_err();
        assert_eq!((e.kind(), e.message()), (ErrorKind::Internal, "the inner law panicked: no"));
        // A panic that was caught elsewhere does not name the culprit of the next one.
        assert!(catch_unwind(|| law(true)).is_err());
        assert!(!law(false));
        let e = caught(what, || -> Result<()> { panic!("{}", 1) }).unwrap_err();
        assert_eq!(e.message(), "the call panicked: 1");
        assert!(caught(what, || Ok(is_caught())).unwrap() && !is_caught());
    }

    #[test]
    fn the_error_of_an_operator_comes_back() {
        let failed = || std::panic::resume_unwind(Box::new(OperatorFailed(Error::invalid("x"))));
        let e = caught(|| "the call".into(), || -> Result<()> { failed() }).unwrap_err();
        assert_eq!((e.kind(), e.message()), (ErrorKind::InvalidArgument, "x"));
    }
}
