//! Compounds: ops of other ops, which run in their place.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Tensor, Tensors, is_host_number};
use crate::op::{Attrs, OpDef};
use crate::types::{Result, err};

/// What runs in place of a compound: its attributes, and its inputs in order.
pub type Body = fn(&Attrs, &[&Tensor]) -> Result<Tensors>;

/// The body of a compound; its row makes one.
pub struct CompoundEntry {
    op: &'static OpDef,
    body: Body,
}

impl CompoundEntry {
    /// The body of this op.
    pub const fn new(op: &'static OpDef, body: Body) -> Self {
        Self { op, body }
    }
}

inventory::collect!(CompoundEntry);

/// Calls a compound.
pub(super) fn run(op: &'static OpDef, attrs: &Attrs, inputs: &[&Tensor]) -> Result<Tensors> {
    static BODIES: OnceLock<FxHashMap<usize, Body>> = OnceLock::new();
    // Definitions are statics: their addresses tell them apart.
    let key = |op: &'static OpDef| std::ptr::from_ref(op).addr();
    let bodies = BODIES.get_or_init(|| {
        inventory::iter::<CompoundEntry>.into_iter().map(|e| (key(e.op), e.body)).collect()
    });
    op.check_inputs(inputs.len(), |i| inputs[i].dtype())?;
    let body = bodies.get(&key(op)).ok_or_else(|| err!(Internal, "the compound has no body"))?;
    if !inputs.iter().any(|t| is_number(t)) {
        return body(attrs, inputs);
    }
    // Numbers have met by now: in the body each is a tensor.
    let settled = inputs.iter().map(|t| match t {
        Tensor::Value(number) if is_number(t) => number.fitted(number.dtype()).map(Tensor::Value),
        t => Ok((*t).clone()),
    });
    let settled = settled.collect::<Result<SmallVec<[Tensor; 4]>>>()?;
    body(attrs, &settled.iter().collect::<SmallVec<[&Tensor; 4]>>())
}

fn is_number(t: &Tensor) -> bool {
    matches!(t, Tensor::Value(array) if is_host_number(array))
}
