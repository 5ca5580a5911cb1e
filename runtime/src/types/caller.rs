//! Who called the library: what errors say of where they are.

use std::cell::Cell;
use std::panic::Location;

/// How the path of the marker in a function that is made of ops ends.
const HERE: &str = "::here";

/// The call that runs on this thread: the user's line, and what was called there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller {
    /// The user's line.
    pub(crate) location: &'static Location<'static>,
    /// The function, if it is known: its name, or the path of [`here`](crate::tensor::call_site) in it.
    function: Option<&'static str>,
}

impl Caller {
    pub(crate) fn new(
        location: &'static Location<'static>,
        function: Option<&'static str>,
    ) -> Self {
        Self { location, function }
    }

    /// True for a function that is made of ops: errors name it, and not the op that failed in it.
    pub(crate) fn is_made_of_ops(&self) -> bool {
        self.function.is_some_and(|function| function.ends_with(HERE))
    }

    /// The name of the function, if it is known.
    pub(crate) fn function(&self) -> Option<&'static str> {
        let function = self.function?;
        Some(match function.strip_suffix(HERE) {
            Some(path) => path.rsplit("::").next().unwrap_or(path),
            None => function,
        })
    }
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

/// The path of a function, which is read only where an error is made.
#[inline]
pub(crate) fn path_of<T>(_: &T) -> &'static str {
    std::any::type_name::<T>()
}
