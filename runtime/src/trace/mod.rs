//! Finds traces for arguments: the key of a call, compared without allocating, and the table that
//! finds a trace for it.
//!
//! A lookup takes borrowed arguments of any types. It gives a trace that serves them, or a miss. The
//! function floor makes the traces.

mod argument;
mod cache;
mod host;
mod table;

#[doc(hidden)]
pub use argument::module_spec;
pub use argument::{Argument, Arguments, SliceItems, Text};
pub(crate) use cache::{CallKey, Kept, Lookup, Served, TraceTable, TracedFor};
pub use host::CastTo;
#[doc(hidden)]
pub use host::{Cast, CastAll, PassedWhole};
pub(crate) use table::View;
