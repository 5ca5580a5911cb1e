//! Identities of tensors and resources.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::array::Array;
use crate::ir::{Endpoint, GraphId};

/// A number that is unique among all state of the process.
pub(crate) fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The identity of a tensor, or of the state behind a handle: unique among all that are alive.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![1.0f32, 2.0];
/// assert_eq!(x.id(), x.clone().id());
/// assert_ne!(x.id(), tensor![1.0f32, 2.0].id());
/// let v = Variable::new(&x)?;
/// assert_eq!(v.id(), v.clone().handle().id());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Identity {
    /// Data, by the address of its storage.
    Storage(usize),
    /// A tensor of a trace, by the node that computes it.
    Symbol(GraphId, Endpoint),
    /// State, by its unique number.
    Resource(u64),
}

impl std::fmt::Display for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Identity::Storage(at) => write!(f, "data {at:#x}"),
            Identity::Symbol(_, e) => write!(f, "symbol %{}:{}", e.node.index(), e.output),
            Identity::Resource(id) => write!(f, "state {id}"),
        }
    }
}

impl Identity {
    /// A word for fingerprints; equal identities have equal words.
    pub(crate) fn word(self) -> u64 {
        match self {
            Identity::Storage(at) => at as u64,
            Identity::Symbol(_, e) => u64::from(e.node.0) << 32 | u64::from(e.output),
            Identity::Resource(id) => id,
        }
    }

    pub(super) fn of_resource(handle: &Array) -> Self {
        handle.as_resource().map_or(Self::Storage(handle.id()), |r| Self::Resource(r.id()))
    }
}
