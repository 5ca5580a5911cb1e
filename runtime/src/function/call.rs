//! The op that calls graph functions.

use std::sync::Arc;

use crate::ir::{ArgDef, AttrDef, AttrKey, Attrs, Kernel, LibraryFunction, OpDef, OpEntry};
use crate::tensor::{Tensor, Tensors, execute};
use crate::types::Result;

/// Calls a graph function on all its inputs: runs it, or adds a call to the open trace.
///
/// # Errors
/// `InvalidArgument` for inputs that it does not take; what its ops fail with.
///
/// ```
/// use extype::function::call;
/// use extype::prelude::*;
/// let double = function(|x: &Tensor| ops::add(x, x));
/// let traced = double.concrete(&TensorSpec::of::<f32>([2]))?;
/// let f = traced.function();
/// let y = call(f, &[&tensor![3.0f32, 4.0]])?;
/// assert_eq!(y[0].as_slice::<f32>()?, &[6.0, 8.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn call(f: &Arc<LibraryFunction>, inputs: &[&Tensor]) -> Result<Tensors> {
    execute(&PARTITIONED_CALL, Attrs::new().with(CALLED, f), inputs)
}

/// The attribute of a call with the function that it runs.
pub const CALLED: AttrKey<Arc<LibraryFunction>> = AttrKey::new("f");

/// The op that calls a function; the function is its attribute `f`. In a GraphDef, a call of a
/// stateful function has another op name.
pub static PARTITIONED_CALL: OpDef = OpDef::new(
    "PartitionedCall",
    "PartitionedCall",
    |c| Ok(c.get(CALLED)?.output_types().iter().cloned().collect()),
    Kernel::Call(|attrs| attrs.get(CALLED)),
)
.in_module(module_path!())
.with_doc("The results of a function.")
.with_inputs(&[ArgDef::each("args", "Tin")])
.with_outputs(&[ArgDef::each("output", "Tout")])
.with_stateful_name("StatefulPartitionedCall")
.with_attrs(&[
    AttrDef::dtypes("Tin"),
    AttrDef::dtypes("Tout"),
    AttrDef::of::<Arc<LibraryFunction>>(CALLED.name()),
]);

inventory::submit!(OpEntry(&PARTITIONED_CALL));
