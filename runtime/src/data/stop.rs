//! How work ends that nobody waits for any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::sync::Snapshot;

/// What tells the steps of a pass that the pass was dropped. The default is never stopped.
#[derive(Clone, Default)]
pub(crate) struct Run(Option<Arc<Stop>>);

enum Stop {
    /// Can be stopped alone, and is stopped with the whole.
    Part { stopped: AtomicBool, whole: Run },
    /// Serves one pass after the other: this one, since then.
    Shared(Snapshot<(Run, Instant)>),
}

/// So long a shared run goes on for a pass that was dropped: what is nearly done is not lost.
const PATIENCE: Duration = Duration::from_millis(50);

impl Run {
    /// A part that can be stopped alone.
    pub(crate) fn part(&self) -> Self {
        Self(Some(Arc::new(Stop::Part { stopped: AtomicBool::new(false), whole: self.clone() })))
    }

    /// A run that serves one pass after the other.
    pub(crate) fn shared() -> Self {
        let nobody = (Self::default(), Instant::now());
        Self(Some(Arc::new(Stop::Shared(Snapshot::from_pointee(nobody)))))
    }

    /// Lets a shared run serve this pass.
    pub(crate) fn serve(&self, pass: &Self) {
        if let Some(Stop::Shared(served)) = self.0.as_deref()
            && (pass.0.is_some() || served.load().0.0.is_some())
        {
            served.store(Arc::new((pass.clone(), Instant::now())));
        }
    }

    /// Stops a part.
    pub(crate) fn stop(&self) {
        if let Some(Stop::Part { stopped, .. }) = self.0.as_deref() {
            stopped.store(true, Ordering::Release);
        }
    }

    /// True if nobody waits for elements any more.
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.0.as_deref().is_some_and(Stop::is_stopped)
    }
}

impl Stop {
    fn is_stopped(&self) -> bool {
        match self {
            Self::Part { stopped, whole } => stopped.load(Ordering::Acquire) || whole.is_stopped(),
            Self::Shared(served) => {
                let served = served.load();
                served.0.is_stopped() && served.1.elapsed() > PATIENCE
            }
        }
    }
}
