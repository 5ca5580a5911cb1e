//! What an op is: its name, typed arguments, attributes, kind, effect, shape inference and
//! kernel, as one [`OpDef`]; and the registry of all of them.
//!
//! Names, arguments and attributes are those of TensorFlow's GraphDef, so that graphs exchange.
//! Nothing here knows graphs or symbols: what enters are arrays and types, what leaves are
//! arrays and types.

mod attr;
mod def;
mod registry;

use std::fmt::Debug;

use smallvec::SmallVec;

use crate::array::Array;
use crate::types::{Error, Result, Shape, TensorType, err};
pub use attr::{Attr, AttrValue, Attrs};
pub use def::{ArgDef, ArgType, AttrDef, AttrKind, Effect, OpDef, OpKind};
pub use registry::{OpEntry, all_ops, find_op, register_op};

/// The results of a kernel: mostly one.
pub type Outputs = SmallVec<[Array; 1]>;
/// The inferred types of an op's results.
pub type Types = SmallVec<[TensorType; 1]>;

/// What shape inference sees of a call.
#[derive(Clone, Copy)]
pub struct InferContext<'a> {
    /// The types of the inputs.
    pub inputs: &'a [TensorType],
    /// The attributes.
    pub attrs: &'a Attrs,
    /// The value of an input that is known while tracing, by its index.
    pub constant: &'a dyn Fn(usize) -> Option<Array>,
}

impl InferContext<'_> {
    /// The type of input `i`.
    ///
    /// # Panics
    /// If there are fewer inputs; their number is checked before inference runs.
    pub fn input(&self, i: usize) -> &TensorType {
        &self.inputs[i]
    }

    /// The shape of input `i`.
    pub fn shape(&self, i: usize) -> &Shape {
        &self.inputs[i].shape
    }

    /// The integers of input `i`, if its value is known.
    pub fn integers(&self, i: usize) -> Option<SmallVec<[i64; 4]>> {
        (self.constant)(i)?.to_i64s().ok()
    }
}

/// What a kernel sees of a call: as many arrays, of such dtypes, as the definition says.
#[derive(Clone, Copy)]
pub struct KernelContext<'a> {
    /// The inputs.
    pub inputs: &'a [&'a Array],
    /// The attributes.
    pub attrs: &'a Attrs,
}

impl<'a> KernelContext<'a> {
    /// Input `i`.
    ///
    /// # Panics
    /// If there are fewer inputs; their number is checked before a kernel runs.
    pub fn input(&self, i: usize) -> &'a Array {
        self.inputs[i]
    }
}

/// A function as the value of an attribute: what a call or control-flow node runs.
pub trait Callable: Debug + Send + Sync {
    /// The unique name in a function library.
    fn name(&self) -> &str;

    /// The types of the results.
    fn output_types(&self) -> &[TensorType];

    /// Runs the function on all its inputs, arguments first, then captures.
    ///
    /// # Errors
    /// What an op of the function fails with.
    fn call(&self, inputs: &[&Array]) -> Result<Outputs>;

    /// True if some op of the function must run whether its results are used or not.
    fn is_stateful(&self) -> bool;

    /// True if the function only reads the resource given as this input.
    fn only_reads(&self, input: usize) -> bool;

    /// For downcasts.
    fn as_any(&self) -> &dyn std::any::Any;
}

impl OpDef {
    /// Checks the inputs and runs the kernel.
    ///
    /// # Errors
    /// `InvalidArgument` for a wrong number of inputs or wrong dtypes, and what the kernel
    /// refuses. Where shape inference refuses the call as well, its message is the one given.
    pub fn run(&self, inputs: &[&Array], attrs: &Attrs) -> Result<Outputs> {
        self.check_inputs(inputs.len(), |i| inputs[i].dtype())?;
        (self.kernel)(&KernelContext { inputs, attrs }).map_err(|e| self.explain(inputs, attrs, e))
    }

    #[cold]
    fn explain(&self, inputs: &[&Array], attrs: &Attrs, error: Error) -> Error {
        let types: Vec<TensorType> = inputs.iter().map(|a| a.tensor_type()).collect();
        let constant = |i: usize| inputs.get(i).map(|a| (*a).clone());
        let context = InferContext { inputs: &types, attrs, constant: &constant };
        (self.infer)(&context).err().unwrap_or(error).with_op(self.name)
    }

    /// Checks the inputs and infers the types of the results.
    ///
    /// # Errors
    /// `InvalidArgument` for inputs that the op refuses whatever their values.
    pub fn infer(&self, context: &InferContext<'_>) -> Result<Types> {
        self.check_inputs(context.inputs.len(), |i| context.inputs[i].dtype)?;
        (self.infer)(context).map_err(|e| e.with_op(self.name))
    }
}

/// The error of a call that no kernel serves.
pub fn no_kernel(context: &KernelContext<'_>) -> Error {
    let types: Vec<String> = context.inputs.iter().map(|a| a.tensor_type().to_string()).collect();
    err!(Unimplemented, "no kernel for inputs of type ({})", types.join(", "))
}
