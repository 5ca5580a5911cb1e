//! The lowest floor: threads that share work.
//!
//! What enters are keys of work that several threads may want at once, what leaves is a turn: do it,
//! or look again, since somebody else has done it. The files here, and `trace/table.rs`, name the
//! primitives of this module only, so that `runtime/tests/models.rs` runs them under a scheduler
//! that tries the orders of threads (shuttle).

mod flight;

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
pub(crate) use std::thread::{ThreadId, current};

pub(crate) use arc_swap::ArcSwap as Snapshot;
pub(crate) use flight::{Flight, Idle, Turn, Waits};

/// Who waits for whom, over all traces and cells.
pub(crate) static WAITS: Waits = Waits::new();
