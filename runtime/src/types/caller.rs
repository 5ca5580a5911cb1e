//! The running call of the library, from which errors take their location.

use std::cell::Cell;
use std::panic::Location;

/// The end of the path of the marker in a function that is made of ops.
const HERE: &str = "::here";

/// The call that runs on this thread: the user's line, and the function called there.
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

    /// True for a function that is made of ops. Errors name it instead of the op that failed in it.
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

/// The current call, if one is marked.
#[inline]
pub(crate) fn caller() -> Option<Caller> {
    CALLER.get()
}

/// Marks a call as the current one, or that there is none.
#[inline]
pub(crate) fn set_caller(caller: Option<Caller>) {
    CALLER.set(caller);
}

/// The path of a function, which is only evaluated when an error is made.
#[inline]
#[doc(hidden)]
pub fn path_of<T>(_: &T) -> &'static str {
    std::any::type_name::<T>()
}
