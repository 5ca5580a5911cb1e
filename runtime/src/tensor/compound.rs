//! Compound ops: ops that are made of other ops, which run in their place.

use smallvec::SmallVec;

use super::{Tensor, Tensors, host_number_of};
use crate::ir::{Attrs, ByOp, OpDef};
use crate::types::{Result, err};

/// The function that runs in place of a compound; it takes the attributes and the inputs in order.
pub type CompoundBody = fn(&Attrs, &[&Tensor]) -> Result<Tensors>;

/// The registered body of a compound; the definition of the op submits it.
pub struct CompoundEntry {
    op: &'static OpDef,
    body: CompoundBody,
}

impl CompoundEntry {
    /// The entry for this op.
    pub const fn new(op: &'static OpDef, body: CompoundBody) -> Self {
        Self { op, body }
    }
}

inventory::collect!(CompoundEntry);

/// Calls a compound.
pub(super) fn run(op: &'static OpDef, attrs: &Attrs, inputs: &[&Tensor]) -> Result<Tensors> {
    static BODIES: ByOp<CompoundBody> = ByOp::new();
    let entries = || inventory::iter::<CompoundEntry>.into_iter().map(|e| (e.op, e.body));
    let body = BODIES.get(op, entries);
    let body = body.ok_or_else(|| err!(Internal, "the compound has no body"))?;
    op.check_inputs(inputs.len(), |i| inputs[i].dtype())?;
    op.check_attributes(attrs)?;
    if !inputs.iter().any(|t| host_number_of(t).is_some()) {
        return body(attrs, inputs);
    }
    // Plain numbers have their final dtype here: in the body each is an ordinary tensor.
    let settled = inputs.iter().map(|t| match host_number_of(t) {
        Some(number) => number.fitted(number.dtype()).map(Tensor::Value),
        None => Ok((*t).clone()),
    });
    let settled = settled.collect::<Result<SmallVec<[Tensor; 4]>>>()?;
    body(attrs, &settled.iter().collect::<SmallVec<[&Tensor; 4]>>())
}
