//! Compounds: ops of other ops, which run in their place.

use smallvec::SmallVec;

use super::{Tensor, Tensors, host_number_of};
use crate::op::{Attrs, ByOp, OpDef};
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
    static BODIES: ByOp<Body> = ByOp::new();
    let entries = || inventory::iter::<CompoundEntry>.into_iter().map(|e| (e.op, e.body));
    let body = BODIES.get(op, entries);
    let body = body.ok_or_else(|| err!(Internal, "the compound has no body"))?;
    op.check_inputs(inputs.len(), |i| inputs[i].dtype())?;
    if !inputs.iter().any(|t| host_number_of(t).is_some()) {
        return body(attrs, inputs);
    }
    // Numbers have met by now: in the body each is a tensor.
    let settled = inputs.iter().map(|t| match host_number_of(t) {
        Some(number) => number.fitted(number.dtype()).map(Tensor::Value),
        None => Ok((*t).clone()),
    });
    let settled = settled.collect::<Result<SmallVec<[Tensor; 4]>>>()?;
    body(attrs, &settled.iter().collect::<SmallVec<[&Tensor; 4]>>())
}
