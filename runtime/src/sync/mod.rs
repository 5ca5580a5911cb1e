//! The lowest floor: threads that share work.
//!
//! A thread asks for a turn at a key of work that several threads may want at once. It is told to do
//! the work, or to look again since another thread has done it. The files here, and `trace/table.rs`,
//! name the primitives of this module only. So `runtime/tests/models.rs` can run them under a scheduler
//! that tries the orders of threads (shuttle).

mod counter;
mod flight;

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
pub(crate) use std::thread::{ThreadId, current};

pub(crate) use arc_swap::ArcSwap as Snapshot;
pub(crate) use counter::Counter;
pub(crate) use flight::{Flight, Idle, Turn, Waits};

/// Records which thread waits for which, over all traces and cells.
pub(crate) static WAITS: Waits = Waits::new();
