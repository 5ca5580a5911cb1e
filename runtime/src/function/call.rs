//! The ops that call functions of graphs.

use std::sync::Arc;

use crate::op::{
    ArgDef, AttrDef, AttrKey, Attrs, Callable, Effect, InferContext, Kernel, OpDef, OpEntry, Types,
};
use crate::tensor::{Tensor, Tensors, execute};
use crate::types::Result;

/// Calls a function of graphs on all its inputs: runs it, or adds a call to the trace that is open.
///
/// # Errors
/// `InvalidArgument` for inputs that it does not take; what an op of it fails with.
#[track_caller]
pub fn call(f: &Arc<dyn Callable>, inputs: &[&Tensor]) -> Result<Tensors> {
    let op = match f.effect() {
        Effect::Pure => &PARTITIONED_CALL,
        _ => &STATEFUL_PARTITIONED_CALL,
    };
    execute(op, Attrs::new().with(CALLED, f), inputs)
}

/// The function that a call runs.
pub const CALLED: AttrKey<Arc<dyn Callable>> = AttrKey::new("f");

const INPUTS: &[ArgDef] = &[ArgDef::each("args", "Tin")];
const OUTPUTS: &[ArgDef] = &[ArgDef::each("output", "Tout")];
const ATTRS: &[AttrDef] = &[AttrDef::of::<Arc<dyn Callable>>(CALLED.name())];

fn types(c: &InferContext<'_>) -> Result<Types> {
    Ok(c.get(CALLED)?.output_types().iter().cloned().collect())
}

const RUN: Kernel = Kernel::SelfChecked(|c| c.get(CALLED)?.call(c.inputs));

/// The op that calls a function without state; its function is the attribute `f`.
pub static PARTITIONED_CALL: OpDef = OpDef::new("PartitionedCall", "PartitionedCall", types, RUN)
    .with_doc("The results of a function that has no state and always answers the same.")
    .with_inputs(INPUTS)
    .with_outputs(OUTPUTS)
    .with_attrs(ATTRS);

/// The op that calls a function with effects; its function is the attribute `f`.
pub static STATEFUL_PARTITIONED_CALL: OpDef =
    OpDef::new("StatefulPartitionedCall", "StatefulPartitionedCall", types, RUN)
        .with_doc("The results of a function that reads or changes state.")
        .with_inputs(INPUTS)
        .with_outputs(OUTPUTS)
        .with_attrs(ATTRS);

inventory::submit!(OpEntry(&PARTITIONED_CALL));
inventory::submit!(OpEntry(&STATEFUL_PARTITIONED_CALL));
