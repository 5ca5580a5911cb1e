//! Runs handlers, and bounds how deep they nest on a thread.

use std::any::type_name;
use std::cell::Cell;

use super::table::short_name;
use crate::ir::OpDef;
use crate::ops::Op;
use crate::types::{Error, Result, caught, err};

/// The most handlers that may run within each other, such as those of types within types. Their frames fit
/// the stack of a thread with room to spare.
const MOST: u32 = 128;

thread_local! {
    static RUNNING: Cell<u32> = const { Cell::new(0) };
}

/// Runs a handler of the type `T`; generated code calls it.
///
/// # Errors
/// What the handler fails with; `Internal` with its name if it panics; `InvalidArgument` if handlers nest too
/// deep.
#[inline]
pub fn handled<T: ?Sized, O: Op, R>(op: &O, handler: impl FnOnce() -> Result<R>) -> Result<R> {
    run(op.def(), type_name::<T>, handler)
}

/// [`handled`] for a type whose name is known.
#[inline]
pub(super) fn run<R>(
    def: &'static OpDef,
    owner: impl Fn() -> &'static str,
    handler: impl FnOnce() -> Result<R>,
) -> Result<R> {
    let running = RUNNING.get();
    if running >= MOST {
        return Err(too_deep(def, owner()));
    }
    RUNNING.set(running + 1);
    let what = || format!("the handler of `{}` for `{}`", short_name(owner()), def.rust_name);
    let result = caught(what, handler);
    RUNNING.set(running);
    result.map_err(|e| located(e, def))
}

/// Adds the op to an error without context, which the handler itself made. An error of a nested call has its
/// context already.
#[cold]
fn located(e: Error, def: &OpDef) -> Error {
    match e.context() {
        [] => e.with_op(def.rust_name),
        _ => e,
    }
}

#[cold]
fn too_deep(def: &OpDef, owner: &str) -> Error {
    err!(
        "{MOST} handlers run within each other, the last one that of `{}`: a handler that calls its \
         op on its own type never ends; compute on the components instead",
        short_name(owner)
    )
    .with_op(def.rust_name)
}
