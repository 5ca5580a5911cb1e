//! The stack of a thread, of which calls within calls may take a part.

use std::cell::Cell;

use super::{Result, err};

/// Half of the smallest stack that threads have by default.
const MAX_USED: usize = 1 << 20;

/// More than any stack: an address so far away is of another stack of this thread.
const FAR: usize = 1 << 28;

/// Checks that this thread's stack has room for one more call within calls.
///
/// # Errors
/// `ResourceExhausted`, saying what nests too deep.
pub(crate) fn ensure_stack(too_deep: &str) -> Result<()> {
    thread_local! {
        /// The outermost place that asked.
        static START: Cell<usize> = const { Cell::new(0) };
    }
    let here = 0u8;
    let here = std::ptr::from_ref(&here).addr();
    let start = START.get();
    // Stacks grow downwards on every platform of Rust's.
    if here > start || start - here > FAR {
        START.set(here);
    } else if start - here > MAX_USED {
        return Err(err!(ResourceExhausted, "{too_deep}: the stack would end"));
    }
    Ok(())
}
