//! Additional state of a tape: tensors that were used before they were watched, or, for the derivative of a function,
//! tensors that are computed from the argument.

use std::panic::Location;

use rustc_hash::{FxHashMap, FxHashSet};

use super::tape::{flows, key};
use crate::tensor::{Identity, Tensor};
use crate::types::{Result, bail, caller};

pub(super) enum Order {
    /// For a tape that users watch with: the operands of ops that had no watched operand.
    Used(FxHashMap<Identity, Unseen>),
    /// For the derivative of a function: tensors computed from its argument, whose values must not be read.
    Argument(FxHashSet<Identity>),
}

/// A tensor that an op took before it was watched.
pub(super) struct Unseen {
    /// Held so that its identity stays unique.
    _tensor: Tensor,
    /// The line of the op.
    line: Option<&'static Location<'static>>,
    /// It was watched later.
    late: bool,
}

impl Default for Order {
    fn default() -> Self {
        Order::Used(FxHashMap::default())
    }
}

impl Order {
    pub(super) fn of_argument() -> Self {
        Order::Argument(FxHashSet::default())
    }

    /// Notes a tensor that is watched from now on.
    pub(super) fn watch(&mut self, id: Identity) {
        match self {
            Order::Used(unseen) => {
                if let Some(tensor) = unseen.get_mut(&id) {
                    tensor.late = true;
                }
            }
            Order::Argument(connected) => {
                connected.insert(id);
            }
        }
    }

    /// Notes the operands of an op without a watched operand.
    pub(super) fn note_unseen(&mut self, inputs: &[&Tensor]) {
        let Order::Used(unseen) = self else { return };
        for t in inputs.iter().filter(|t| t.dtype().passes_gradient()) {
            unseen.entry(key(t)).or_insert_with(|| Unseen {
                _tensor: (*t).clone(),
                line: caller().map(|call| call.location),
                late: false,
            });
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
        let Order::Used(unseen) = self else { return Ok(()) };
        let late = sources.iter().filter_map(|t| unseen.get(&key(t))).find(|t| t.late);
        let Some(late) = late else { return Ok(()) };
        let at = late.line.map_or(String::new(), |l| format!(", at {}:{}", l.file(), l.line()));
        bail!(
            FailedPrecondition,
            "the tape watched a source after an op had used it{at}, so what was computed of it there would lack in the \
             gradient: call `tape.watch(&x)` first; what is to be a constant is computed before the tape is made, or \
             in `tape.stop_recording(|| …)`"
        )
    }
}
