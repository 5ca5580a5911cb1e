//! Things that are made once, and the traces that saw that they were not there yet.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use super::context;

/// Whether a thing that is made once is there, as who holds the thing knows it.
#[derive(Default)]
pub(crate) struct Presence {
    there: Arc<AtomicBool>,
    holder: Arc<()>,
}

/// That a trace saw that something was not there. It serves no call once it is.
#[derive(Clone)]
pub(crate) struct Missed {
    there: Arc<AtomicBool>,
    holder: Weak<()>,
}

impl Presence {
    /// From now on it is there.
    pub(crate) fn begin(&self) {
        self.there.store(true, Ordering::Release);
    }

    /// From now on it is there, and the next one is not.
    pub(crate) fn begin_one(&mut self) {
        self.begin();
        self.there = Arc::default();
    }

    /// Notes in the traces that are open on this thread that it is not there.
    #[cold]
    pub(crate) fn miss(&self) {
        Missed { there: self.there.clone(), holder: Arc::downgrade(&self.holder) }.note();
    }
}

impl Missed {
    #[inline]
    pub(crate) fn is_there(&self) -> bool {
        self.there.load(Ordering::Acquire)
    }

    /// Notes it in the traces that are open on this thread: one calls what missed it.
    pub(crate) fn note(&self) {
        if !self.is_there() {
            context::miss(self);
        }
    }

    /// False if the thing has gone with the trace that it was made in.
    pub(super) fn is_held(&self) -> bool {
        self.holder.strong_count() > 0
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.there, &other.there)
    }
}
