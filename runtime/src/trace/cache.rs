//! The cache of a traced function: a lock-free snapshot of a small table.
//!
//! A call compares its arguments with the entries in place; a hit locks nothing, allocates
//! nothing and writes to no memory that threads share. A miss looks for the most specific trace
//! that can serve the call and remembers the answer as an entry of its own.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::{ArcSwap, Guard};

use super::Arguments;
use crate::spec::AnySpec;

/// Answers remembered for calls that a more general trace serves; older ones go first.
const MAX_ANSWERS: usize = 1024;

/// A trace under one exact key.
pub(crate) struct Entry<T> {
    /// The typed specs of the arguments: the `Specs` of some [`Arguments`].
    pub(crate) specs: Box<dyn Any + Send + Sync>,
    /// The same without types.
    pub(crate) any: Arc<[AnySpec]>,
    /// What was traced, maybe for more general specs.
    pub(crate) trace: Arc<T>,
    /// True if the key is the one it was traced for.
    pub(crate) exact: bool,
}

impl<T> Entry<T> {
    #[inline]
    fn serves<'a, A: Arguments<'a>>(&self, args: &A) -> bool {
        self.specs.downcast_ref::<A::Specs>().is_some_and(|specs| args.matches(specs))
    }
}

type Table<T> = Vec<Arc<Entry<T>>>;

/// The traces of one function.
pub(crate) struct TraceCache<T> {
    table: ArcSwap<Table<T>>,
    writing: Mutex<()>,
}

impl<T> TraceCache<T> {
    pub(crate) fn new() -> Self {
        Self { table: ArcSwap::from_pointee(Vec::new()), writing: Mutex::new(()) }
    }

    /// The present entries.
    #[inline]
    pub(crate) fn snapshot(&self) -> Guard<Arc<Table<T>>> {
        self.table.load()
    }

    /// The entry whose key is exactly that of the arguments.
    #[inline]
    pub(crate) fn find<'t, 'a, A: Arguments<'a>>(
        table: &'t [Arc<Entry<T>>],
        args: &A,
        usable: impl Fn(&T) -> bool,
    ) -> Option<&'t Arc<Entry<T>>> {
        table.iter().find(|e| e.serves(args) && usable(&e.trace))
    }

    /// The most specific trace that can serve a call of this type; of incomparable ones the
    /// earliest.
    pub(crate) fn find_general(
        table: &[Arc<Entry<T>>],
        request: &[AnySpec],
        usable: impl Fn(&T) -> bool,
    ) -> Option<Arc<T>> {
        let mut best: Option<&Arc<Entry<T>>> = None;
        for entry in table.iter().filter(|e| e.exact && usable(&e.trace)) {
            let better = best.is_none_or(|b| is_subtype(&entry.any, &b.any));
            if is_subtype(request, &entry.any) && better {
                best = Some(entry);
            }
        }
        best.map(|e| e.trace.clone())
    }

    /// Adds an entry, unless one with the same key is there that is usable; returns the trace that
    /// stays.
    pub(crate) fn insert(&self, entry: Entry<T>, usable: impl Fn(&T) -> bool) -> Arc<T> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let table = self.table.load();
        let same =
            |e: &&Arc<Entry<T>>| e.exact == entry.exact && e.any == entry.any && usable(&e.trace);
        if let Some(there) = table.iter().find(same).filter(|_| entry.exact) {
            return there.trace.clone();
        }
        let trace = entry.trace.clone();
        let mut new: Table<T> = table.iter().cloned().collect();
        if new.iter().filter(|e| !e.exact).count() >= MAX_ANSWERS
            && let Some(oldest) = new.iter().position(|e| !e.exact)
        {
            new.remove(oldest);
        }
        // A new trace may serve an old request better, so remembered answers are asked anew.
        if entry.exact {
            new.retain(|e| e.exact || !is_subtype(&e.any, &entry.any));
        }
        new.push(Arc::new(entry));
        self.table.store(Arc::new(new));
        trace
    }

    /// Drops all traces.
    pub(crate) fn clear(&self) {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        self.table.store(Arc::new(Vec::new()));
    }
}

fn is_subtype(a: &[AnySpec], b: &[AnySpec]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_subtype_of(b))
}
