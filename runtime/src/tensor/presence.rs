//! State that is made once, and the traces that found it missing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use super::context;

/// Whether some state that is made once exists; kept by the state's holder.
#[derive(Default)]
pub(crate) struct Presence {
    there: Arc<AtomicBool>,
    holder: Arc<()>,
}

/// Records that a trace found some state missing. Once the state exists, the trace is not used any more.
#[derive(Clone)]
pub(crate) struct Missed {
    there: Arc<AtomicBool>,
    holder: Weak<()>,
}

impl Presence {
    /// Notes that the state exists now.
    pub(crate) fn begin(&self) {
        self.there.store(true, Ordering::Release);
    }

    /// Notes that the state exists now, and that the next one does not.
    pub(crate) fn begin_one(&mut self) {
        self.begin();
        self.there = Arc::default();
    }

    /// Notes in the open traces of this thread that the state does not exist.
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

    /// Notes it in the open traces of this thread, which call a function whose trace found the state missing.
    pub(crate) fn note(&self) {
        if !self.is_there() {
            context::miss(self);
        }
    }

    /// False if the holder was made in the trace and dropped with it.
    pub(super) fn is_held(&self) -> bool {
        self.holder.strong_count() > 0
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.there, &other.there)
    }
}
