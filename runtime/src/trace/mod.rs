//! From arguments to traces: the key of a call, compared without allocating, and the cache that
//! finds a trace for it.
//!
//! What enters are borrowed arguments of any types, what leaves is a cached entry or a miss. The
//! function floor makes the entries.

mod argument;
mod cache;

#[doc(hidden)]
pub use argument::module_spec;
pub use argument::{Argument, Arguments};
pub(crate) use cache::{Entry, TraceCache};
