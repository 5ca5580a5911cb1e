//! How work ends that nobody waits for any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::seeds::Begun;
use super::stage::Node;
use crate::sync::Snapshot;

/// What the steps of a pass share: the signal that the pass was dropped, and the passes that steps with threads have begun.
/// The default is never stopped.
#[derive(Clone, Default)]
pub(crate) struct Run {
    stop: Option<Arc<Stop>>,
    /// Of the nearest step above that works ahead, if there is one.
    begun: Option<Arc<Begun>>,
}

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
        let stop = Stop::Part { stopped: AtomicBool::new(false), whole: self.clone() };
        Self { stop: Some(Arc::new(stop)), ..self.clone() }
    }

    /// The run for the input of a step that works ahead.
    pub(crate) fn ahead(&self, input: &Node) -> (Self, Arc<Begun>) {
        let begun = Begun::of(input, self.begun.clone());
        (Self { begun: Some(begun.clone()), ..self.clone() }, begun)
    }

    pub(crate) fn begun(&self) -> Option<&Arc<Begun>> {
        self.begun.as_ref()
    }

    /// A run that serves one pass after the other.
    pub(crate) fn shared() -> Self {
        let nobody = (Self::default(), Instant::now());
        let stop = Stop::Shared(Snapshot::from_pointee(nobody));
        Self { stop: Some(Arc::new(stop)), begun: None }
    }

    /// Lets a shared run serve this pass.
    pub(crate) fn serve(&self, pass: &Self) {
        if let Some(Stop::Shared(served)) = self.stop.as_deref()
            && (pass.stop.is_some() || served.load().0.stop.is_some())
        {
            served.store(Arc::new((pass.clone(), Instant::now())));
        }
    }

    /// Stops a part.
    pub(crate) fn stop(&self) {
        if let Some(Stop::Part { stopped, .. }) = self.stop.as_deref() {
            stopped.store(true, Ordering::Release);
        }
    }

    /// True if nobody waits for elements any more.
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.as_deref().is_some_and(Stop::is_stopped)
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
