//! What a tape notes of tensors beside what it records: whether they were used before they were watched, or are computed
//! from the argument of a function that is differentiated.

use std::panic::Location;

use rustc_hash::{FxHashMap, FxHashSet};

use super::tape::{flows, key};
use crate::tensor::{Identity, Tensor};
use crate::types::{Result, bail, caller};

pub(super) enum Order {
    /// Of a tape that users watch with.
    Used {
        /// The tensors that ops took while nothing of them was watched, with the lines of these ops. They are kept, so
        /// that identities stay unique.
        unseen: FxHashMap<Identity, (Tensor, Option<&'static Location<'static>>)>,
        /// Those among them that were watched later.
        late: FxHashSet<Identity>,
    },
    /// Of a function's derivative: what is computed from its argument, which the function must not read.
    Argument(FxHashSet<Identity>),
}

impl Default for Order {
    fn default() -> Self {
        Order::Used { unseen: FxHashMap::default(), late: FxHashSet::default() }
    }
}

impl Order {
    pub(super) fn of_argument() -> Self {
        Order::Argument(FxHashSet::default())
    }

    /// Notes a tensor that is watched from now on.
    pub(super) fn watch(&mut self, id: Identity) {
        match self {
            Order::Used { unseen, late } if unseen.contains_key(&id) => {
                late.insert(id);
            }
            Order::Used { .. } => {}
            Order::Argument(connected) => {
                connected.insert(id);
            }
        }
    }

    /// Notes the operands of an op that nothing watched takes part in.
    pub(super) fn note_unseen(&mut self, inputs: &[&Tensor]) {
        let Order::Used { unseen, .. } = self else { return };
        for t in inputs.iter().filter(|t| t.dtype().passes_gradient()) {
            let line = || caller().map(|call| call.location);
            unseen.entry(key(t)).or_insert_with(|| ((*t).clone(), line()));
        }
    }

    /// Notes which results are connected to the argument of the function.
    pub(super) fn follow_argument(&mut self, inputs: &[&Tensor], outputs: &[Tensor]) {
        if let Order::Argument(connected) = self
            && inputs.iter().any(|t| connected.contains(&key(t)))
        {
            connected.extend(outputs.iter().filter(|t| flows(t)).map(key));
        }
    }

    /// True for a tensor that users must not read.
    pub(super) fn refuses(&self, t: &Tensor) -> bool {
        matches!(self, Order::Argument(connected) if connected.contains(&key(t)))
    }

    /// Refuses sources that were used before they were watched.
    pub(super) fn check(&self, sources: &[Tensor]) -> Result<()> {
        let Order::Used { unseen, late } = self else { return Ok(()) };
        let Some(id) = sources.iter().map(key).find(|id| late.contains(id)) else { return Ok(()) };
        let used = unseen.get(&id).and_then(|(_, line)| *line);
        let at = used.map_or(String::new(), |l| format!(", at {}:{}", l.file(), l.line()));
        bail!(
            FailedPrecondition,
            "the tape watched a source after an op had used it{at}, so what was computed of it there would lack in the \
             gradient: call `tape.watch(&x)` first; what is to be a constant is computed before the tape is made, or \
             in `tape.stop_recording(|| …)`"
        )
    }
}
