//! Who called the library: what errors say of where they are.

use std::cell::Cell;
use std::panic::Location;

/// The call that runs on this thread: the user's line, and what was called there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller {
    /// The user's line.
    pub(crate) location: &'static Location<'static>,
    /// The name of the function, if it is known.
    pub(crate) function: Option<&'static str>,
}

thread_local! {
    static CALLER: Cell<Option<Caller>> = const { Cell::new(None) };
}

/// The call that is marked.
#[inline]
pub(crate) fn caller() -> Option<Caller> {
    CALLER.get()
}

/// Marks a call, or that there is none.
#[inline]
pub(crate) fn set_caller(caller: Option<Caller>) {
    CALLER.set(caller);
}

/// `mul` of `extype::ops::mul::here`, the name of a function in a function.
pub(crate) fn name_of<T>(_: &T) -> Option<&'static str> {
    std::any::type_name::<T>().rsplit("::").nth(1)
}
