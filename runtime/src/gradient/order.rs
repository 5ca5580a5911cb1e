//! What a tape keeps to refuse misuse.
//!
//! On a tape where users call `watch`, an op may use a tensor before it is watched. The gradient would miss that op, so
//! such a tensor is refused as a source. In the derivative of a function, code must not read values that depend on the
//! argument, since the gradient would miss what is computed from them.

use std::panic::Location;

use rustc_hash::{FxHashMap, FxHashSet};

use super::tape::{flows, key};
use crate::tensor::{Identity, Tensor};
use crate::types::{Result, bail, caller};

pub(super) enum Order {
    /// Of a tape where users call `watch`: the operands of ops none of whose operands was watched.
    Unwatched(FxHashMap<Identity, UnwatchedUse>),
    /// Of the derivative of a function: the tensors that depend on its argument. The tape keeps them alive.
    OfArgument(FxHashSet<Identity>),
}

/// The first use of a tensor by an op while it was not watched.
pub(super) struct UnwatchedUse {
    /// Keeps the tensor alive, so that no other tensor gets its identity.
    _tensor: Tensor,
    /// Where user code called the op.
    line: Option<&'static Location<'static>>,
    watched_later: bool,
}

impl Default for Order {
    fn default() -> Self {
        Order::Unwatched(FxHashMap::default())
    }
}

impl Order {
    pub(super) fn of_argument() -> Self {
        Order::OfArgument(FxHashSet::default())
    }

    /// Notes a tensor that is watched from now on. In the derivative of a function, that is its argument.
    pub(super) fn watch(&mut self, id: Identity) {
        match self {
            Order::Unwatched(uses) => {
                if let Some(tensor) = uses.get_mut(&id) {
                    tensor.watched_later = true;
                }
            }
            Order::OfArgument(dependent) => {
                dependent.insert(id);
            }
        }
    }

    /// Notes the operands of an op none of whose operands is watched.
    pub(super) fn note_unwatched(&mut self, inputs: &[&Tensor]) {
        let Order::Unwatched(uses) = self else { return };
        for t in inputs.iter().filter(|t| t.dtype().passes_gradient()) {
            uses.entry(key(t)).or_insert_with(|| UnwatchedUse {
                _tensor: (*t).clone(),
                line: caller().map(|call| call.location),
                watched_later: false,
            });
        }
    }

    /// Notes the results of an op that depend on the argument of the function.
    pub(super) fn follow_argument(&mut self, inputs: &[&Tensor], outputs: &[Tensor]) {
        if let Order::OfArgument(dependent) = self
            && inputs.iter().any(|t| dependent.contains(&key(t)))
        {
            dependent.extend(outputs.iter().filter(|t| flows(t)).map(key));
        }
    }

    /// True for a tensor whose values must not be read.
    pub(super) fn forbids_reading(&self, t: &Tensor) -> bool {
        matches!(self, Order::OfArgument(dependent) if dependent.contains(&key(t)))
    }

    /// Refuses sources that were used before they were watched.
    pub(super) fn check_sources(&self, sources: &[Tensor]) -> Result<()> {
        let Order::Unwatched(uses) = self else { return Ok(()) };
        let mut used = sources.iter().filter_map(|t| uses.get(&key(t)));
        let Some(used) = used.find(|t| t.watched_later) else { return Ok(()) };
        let at = used.line.map_or(String::new(), |l| format!(", at {}:{}", l.file(), l.line()));
        bail!(
            FailedPrecondition,
            "an op used a source before the tape watched it{at}, so the result of that op would be missing from the \
             gradient: call `tape.watch(&x)` before the op; if the result is meant to be a constant, compute it \
             before the tape is made or in `tape.stop_recording(|| …)`"
        )
    }
}
