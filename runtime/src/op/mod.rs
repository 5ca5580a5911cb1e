//! What an op is: its name, typed arguments, attributes, kind, effect, shape inference and
//! kernel, as one [`OpDef`]; and the registry of all of them.
//!
//! Names, arguments and attributes are those of TensorFlow's GraphDef, so that graphs exchange.
//! Nothing here knows graphs or symbols: what enters are arrays and types, what leaves are
//! arrays and types.

mod attr;
mod control;
mod def;
mod kernel;
pub mod kernels;
mod registry;

use std::any::Any;
use std::fmt::Debug;

pub use attr::{Attr, AttrKey, AttrKind, AttrValue, Attrs};
pub use control::{
    Branches, Branching, Looping, Saves, Stacks, State, decision, in_iteration, repeat,
    repeat_calls,
};
pub use def::{ArgDef, ArgType, AttrDef, Effect, Forward, InferFn, OpDef, OpKind};
pub use kernel::{KEEP_DIMS, Kernel, KernelContext, Spare, no_kernel};
pub(crate) use kernel::{broadcast_plan, entry, map_to, only, reduced_axes, typed, worked};
pub use registry::{OpEntry, all_ops, find_op, register_op};
use smallvec::SmallVec;

use crate::array::Array;
use crate::types::{Error, Result, Shape, TensorType, caught_alone};

/// The results of a kernel: mostly one.
pub type Outputs = SmallVec<[Array; 1]>;
/// The inferred types of an op's results.
pub type Types = SmallVec<[TensorType; 1]>;

/// What shape inference sees of a call.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct InferContext<'a> {
    /// The types of the inputs.
    pub inputs: &'a [TensorType],
    /// The attributes.
    pub attrs: &'a Attrs,
    /// The value of an input that is known while tracing, by its index.
    pub constant: &'a dyn Fn(usize) -> Option<Array>,
}

impl<'a> InferContext<'a> {
    /// A call with inputs of these types and these attributes, some of whose values are known.
    pub fn new(
        inputs: &'a [TensorType],
        attrs: &'a Attrs,
        constant: &'a dyn Fn(usize) -> Option<Array>,
    ) -> Self {
        Self { inputs, attrs, constant }
    }

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

    /// An attribute.
    ///
    /// # Errors
    /// `InvalidArgument` if it is missing or of another kind.
    pub fn get<T: Attr>(&self, key: AttrKey<T>) -> Result<T> {
        self.attrs.get(key)
    }

    /// The integers of input `i`, if its value is known.
    pub fn integers(&self, i: usize) -> Option<SmallVec<[i64; 4]>> {
        (self.constant)(i)?.to_i64s().ok()
    }
}

/// A function as the value of an attribute: what a call or control-flow node runs.
///
/// The tensors of an op's last list argument are the last inputs of each of its functions: all of
/// them where a function is called, those after the predicate of a conditional.
pub trait Callable: Any + Debug + Send + Sync {
    /// The name in a function library, which no other function of the process has.
    fn name(&self) -> &str;

    /// The types of the inputs.
    fn input_types(&self) -> &[TensorType];

    /// The types of the results.
    fn output_types(&self) -> &[TensorType];

    /// Runs the function on all its inputs, arguments first, then captures.
    ///
    /// # Errors
    /// What an op of the function fails with.
    fn call(&self, inputs: &[&Array]) -> Result<Outputs>;

    /// Runs the function as the body of a loop, as long as the test says. What it returns beyond the
    /// state goes to the stacks.
    ///
    /// # Errors
    /// What both fail with, with the number of the iteration.
    fn repeat(&self, test: &dyn Callable, state: Outputs, stacks: &mut Stacks) -> Result<Outputs>;

    /// What a call does beside computing its results.
    fn effect(&self) -> Effect;

    /// True if the function only reads the resource given as this input.
    fn only_reads(&self, input: usize) -> bool;

    /// The graph of the function, for those who know what graphs are.
    fn graph(&self) -> Option<&dyn Any> {
        None
    }
}

/// One function is equal to itself only.
impl PartialEq for dyn Callable {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self, other)
    }
}

impl OpDef {
    /// Checks the inputs and runs the kernel.
    ///
    /// # Errors
    /// `InvalidArgument` for a wrong number of inputs or wrong dtypes, what inference refuses, and
    /// what the kernel refuses.
    pub fn run(&self, inputs: &[&Array], attrs: &Attrs) -> Result<Outputs> {
        self.accept(inputs, attrs)?;
        let outputs = self.kernel.run(&KernelContext::new(inputs, attrs));
        outputs.map_err(|e| self.explain(inputs, attrs, e))
    }

    /// [`run`](Self::run) of an op that has one result.
    ///
    /// # Errors
    /// As [`run`](Self::run); `Internal` if it has another number of results.
    pub fn run_one(&self, inputs: &[&Array], attrs: &Attrs) -> Result<Array> {
        self.accept(inputs, attrs)?;
        let output = self.kernel.run_one(&KernelContext::new(inputs, attrs));
        output.map_err(|e| self.explain(inputs, attrs, e))
    }

    /// Checks a call.
    #[inline]
    fn accept(&self, inputs: &[&Array], attrs: &Attrs) -> Result<()> {
        self.check_inputs(inputs.len(), |i| inputs[i].dtype())?;
        if self.kernel.needs_inference() {
            self.infer_values(inputs, attrs).map_err(|e| e.with_op(self.rust_name))?;
        }
        Ok(())
    }

    /// The types of the results of a call on these values.
    fn infer_values(&self, inputs: &[&Array], attrs: &Attrs) -> Result<Types> {
        let types: SmallVec<[TensorType; 4]> = inputs.iter().map(|a| a.tensor_type()).collect();
        let constant = |i: usize| inputs.get(i).map(|a| (*a).clone());
        self.inferred(&InferContext::new(&types, attrs, &constant))
    }

    fn inferred(&self, context: &InferContext<'_>) -> Result<Types> {
        caught_alone("shape inference", || (self.infer)(context))
    }

    /// Where inference refuses the call as well, its message is the one given.
    #[cold]
    fn explain(&self, inputs: &[&Array], attrs: &Attrs, error: Error) -> Error {
        let refused = self.infer_values(inputs, attrs).err();
        refused.unwrap_or(error).with_op(self.rust_name)
    }

    /// Checks the inputs and infers the types of the results.
    ///
    /// # Errors
    /// `InvalidArgument` for inputs that the op refuses whatever their values.
    pub fn infer(&self, context: &InferContext<'_>) -> Result<Types> {
        self.check_inputs(context.inputs.len(), |i| context.inputs[i].dtype)?;
        self.inferred(context).map_err(|e| e.with_op(self.rust_name))
    }
}
