//! Definitions of ops: name, typed arguments, attributes, kind, effect, shape inference and kernel,
//! as one [`OpDef`]; and the registry of all of them.
//!
//! Names, arguments and attributes are those of TensorFlow's GraphDef, so that graphs can be exchanged.
//! Nothing here knows graphs or symbols: ops take and return arrays and types.

mod arguments;
mod attr;
mod checked;
mod context;
mod control;
mod def;
mod kernel;
pub mod kernels;
mod registry;

use std::any::Any;
use std::fmt::Debug;

pub use arguments::{ArgDef, ArgType, AttrDef};
pub use attr::{Attr, AttrKey, AttrKind, AttrValue, Attrs};
pub use context::{KernelContext, Spare, no_kernel};
pub use control::{
    Branches, Branching, Looping, Saves, Stacks, State, decision, in_iteration, repeat,
    repeat_calls,
};
pub use def::{Effect, Forward, InferFn, OpDef, OpKind};
pub use kernel::{KEEP_DIMS, Kernel};
pub(crate) use kernel::{
    WORD, broadcast_plan, entry, map_to, only, only_called, reduced_axes, typed, worked,
};
pub(crate) use registry::ByOp;
pub use registry::{OpEntry, all_ops, check_names, find_op, register_op};
use smallvec::SmallVec;

use crate::array::Array;
use crate::types::{Error, Result, Shape, TensorType, caught_alone};

/// The results of a kernel: mostly one.
pub type Outputs = SmallVec<[Array; 1]>;
/// The inferred types of an op's results.
pub type Types = SmallVec<[TensorType; 1]>;

/// A call as shape inference sees it.
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
    ///
    /// ```
    /// use extype::op::{Attrs, InferContext, find_op};
    /// use extype::prelude::*;
    /// use extype::types::TensorType;
    /// let (types, attrs) = ([TensorType::new(f32, shape![?, 3])], Attrs::new());
    /// let known = |_| None;
    /// let result = find_op("Exp")?.infer(&InferContext::new(&types, &attrs, &known))?;
    /// assert_eq!(result[0].to_string(), "float32[?, 3]");
    /// # Ok::<(), Error>(())
    /// ```
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
    ///
    /// ```
    /// use extype::op::{InferContext, Types};
    /// use extype::prelude::*;
    /// use extype::types::TensorType;
    /// /// A result of the type of the first input.
    /// fn as_first(c: &InferContext<'_>) -> Result<Types> {
    ///     Ok([c.input(0).clone()].into())
    /// }
    /// let (types, attrs) = ([TensorType::new(f32, shape![2])], extype::op::Attrs::new());
    /// assert_eq!(as_first(&InferContext::new(&types, &attrs, &|_| None))?[0], types[0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn input(&self, i: usize) -> &TensorType {
        &self.inputs[i]
    }

    /// The shape of input `i`.
    ///
    /// # Panics
    /// As [`input`](Self::input).
    ///
    /// ```
    /// use extype::op::{InferContext, Types};
    /// use extype::prelude::*;
    /// use extype::types::TensorType;
    /// /// Bools of the shape of the first input.
    /// fn bools(c: &InferContext<'_>) -> Result<Types> {
    ///     Ok([TensorType::new(DType::Bool, c.shape(0).clone())].into())
    /// }
    /// let (types, attrs) = ([TensorType::new(f32, shape![2])], extype::op::Attrs::new());
    /// assert_eq!(bools(&InferContext::new(&types, &attrs, &|_| None))?[0].to_string(), "bool[2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn shape(&self, i: usize) -> &Shape {
        &self.inputs[i].shape
    }

    /// An attribute.
    ///
    /// # Errors
    /// `InvalidArgument` if it is missing or of another kind.
    ///
    /// ```
    /// use extype::op::{Attrs, InferContext, KEEP_DIMS};
    /// use extype::prelude::*;
    /// let attrs = Attrs::new().with(KEEP_DIMS, &true);
    /// assert!(InferContext::new(&[], &attrs, &|_| None).get(KEEP_DIMS)?);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn get<T: Attr>(&self, key: AttrKey<T>) -> Result<T> {
        self.attrs.get(key)
    }

    /// The integers of input `i`, if its value is known and int32 or int64.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::op::{Attrs, InferContext};
    /// use extype::prelude::*;
    /// use extype::types::TensorType;
    /// let attrs = Attrs::new();
    /// let types = [TensorType::new(f32, shape![2, 3]), TensorType::new(i32, shape![1])];
    /// let axes = |i| if i == 1 { Array::from_slice([1], &[-1i32]).ok() } else { None };
    /// let c = InferContext::new(&types, &attrs, &axes);
    /// assert_eq!(c.integers(1).unwrap()[..], [-1]);
    /// assert!(c.integers(0).is_none());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn integers(&self, i: usize) -> Option<SmallVec<[i64; 4]>> {
        (self.constant)(i)?.to_i64s().ok()
    }
}

/// A function as the value of an attribute: what a call or control-flow node runs.
///
/// An op passes the tensors of its last list argument to its functions, as their last inputs. A call
/// passes all its inputs, a conditional those after the predicate.
pub trait Callable: Any + Debug + Send + Sync {
    /// The name in a function library, which is unique in the process.
    ///
    /// ```
    /// use extype::op::Callable;
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x));
    /// let [one, two] = [[1], [2]].map(|shape| f.concrete(&TensorSpec::of::<f32>(shape)));
    /// assert_ne!(Callable::name(&**one?.function()), Callable::name(&**two?.function()));
    /// # Ok::<(), Error>(())
    /// ```
    fn name(&self) -> &str;

    /// The name that messages use: the user's name for the function, which need not be unique.
    ///
    /// ```
    /// use extype::op::Callable;
    /// use extype::prelude::*;
    /// #[tf_function]
    /// fn doubled(x: &Tensor) -> Result<Tensor> {
    ///     ops::mul(x, 2.0)
    /// }
    /// let f = doubled::concrete(&TensorSpec::of::<f32>([]))?;
    /// assert_eq!(f.function().title(), "doubled");
    /// # Ok::<(), Error>(())
    /// ```
    fn title(&self) -> &str {
        self.name()
    }

    /// False for a name in a graph that was read without the function: its inputs are not known.
    ///
    /// ```
    /// use extype::op::Callable;
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.square()).concrete(&TensorSpec::of::<f32>([2]))?;
    /// assert!(f.function().is_known());
    /// # Ok::<(), Error>(())
    /// ```
    fn is_known(&self) -> bool {
        true
    }

    /// The types of the inputs.
    ///
    /// ```
    /// use extype::op::Callable;
    /// use extype::prelude::*;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let f = function(move |x: &Tensor| v.assign_add(x)).concrete(&TensorSpec::of::<f32>([]))?;
    /// let types: Vec<String> = f.function().input_types().iter().map(|t| t.to_string()).collect();
    /// assert_eq!(types, ["float32[]", "resource[]"]);
    /// # Ok::<(), Error>(())
    /// ```
    fn input_types(&self) -> &[TensorType];

    /// The types of the results.
    ///
    /// ```
    /// use extype::op::Callable;
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.greater(0.0)).concrete(&TensorSpec::of::<f32>([2]))?;
    /// assert_eq!(f.function().output_types()[0].to_string(), "bool[2]");
    /// # Ok::<(), Error>(())
    /// ```
    fn output_types(&self) -> &[TensorType];

    /// Runs the function on all its inputs, arguments first, then captures.
    ///
    /// # Errors
    /// What an op of the function fails with.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::op::Callable;
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.square()).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let y = f.function().call(&[&Array::from_slice([2], &[2.0f32, 3.0])?])?;
    /// assert_eq!(y[0].as_slice::<f32>()?, &[4.0, 9.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn call(&self, inputs: &[&Array]) -> Result<Outputs>;

    /// Runs the function as the body of a loop, as long as the test is true. Its results beyond the
    /// state go to the stacks.
    ///
    /// # Errors
    /// What both fail with, with the number of the iteration.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::op::{AttrKey, Attrs, Callable, Effect, Outputs, Stacks, find_op, repeat_calls};
    /// use extype::prelude::*;
    /// use std::sync::Arc;
    /// # use extype::types::TensorType;
    /// # #[derive(Debug)]
    /// # struct Double([TensorType; 1]);
    /// impl Callable for Double {
    /// #     fn name(&self) -> &str {
    /// #         "double"
    /// #     }
    /// #     fn input_types(&self) -> &[TensorType] {
    /// #         &self.0
    /// #     }
    /// #     fn output_types(&self) -> &[TensorType] {
    /// #         &self.0
    /// #     }
    /// #     fn effect(&self) -> Effect {
    /// #         Effect::Pure
    /// #     }
    /// #     fn only_reads(&self, _: usize) -> bool {
    /// #         true
    /// #     }
    ///     fn call(&self, inputs: &[&Array]) -> Result<Outputs> {
    ///         find_op("AddV2")?.run(&[inputs[0], inputs[0]], &Attrs::new())
    ///     }
    ///     fn repeat(&self, test: &dyn Callable, state: Outputs, stacks: &mut Stacks) -> Result<Outputs> {
    ///         repeat_calls(test, self, state, stacks)
    ///     }
    /// }
    ///
    /// let small = function(|x: &Tensor| x.less(100)).concrete(&TensorSpec::of::<i32>([]))?;
    /// let small: Arc<dyn Callable> = small.function().clone();
    /// let body: Arc<dyn Callable> = Arc::new(Double([TensorType::new(i32, shape![])]));
    /// let attrs = Attrs::new().with(AttrKey::new("cond"), &small).with(AttrKey::new("body"), &body);
    /// let last = find_op("While")?.run_one(&[&Array::scalar(1i32)], &attrs)?;
    /// assert_eq!(last.as_slice::<i32>()?, &[128]);
    /// # Ok::<(), Error>(())
    /// ```
    fn repeat(&self, test: &dyn Callable, state: Outputs, stacks: &mut Stacks) -> Result<Outputs>;

    /// The side effect of a call.
    ///
    /// ```
    /// use extype::op::{Callable, Effect};
    /// use extype::prelude::*;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let f = function(move |x: &Tensor| v.assign_add(x)).concrete(&TensorSpec::of::<f32>([]))?;
    /// assert_eq!(f.function().effect(), Effect::Writes);
    /// # Ok::<(), Error>(())
    /// ```
    fn effect(&self) -> Effect;

    /// True if the function only reads the resource given as this input.
    ///
    /// ```
    /// use extype::op::Callable;
    /// use extype::prelude::*;
    /// let (v, w) = (Variable::new(scalar(1.0f32))?, Variable::new(scalar(1.0f32))?);
    /// let f = function(move |x: &Tensor| w.assign(ops::mul(x, &v.read()?)?));
    /// let f = f.concrete(&TensorSpec::of::<f32>([]))?;
    /// // The argument, and the variables that were captured.
    /// let reads: Vec<bool> = (0..3).map(|i| f.function().only_reads(i)).collect();
    /// assert_eq!(reads, [true, true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    fn only_reads(&self, input: usize) -> bool;

    /// The graph of the function, whose type is not known at this floor.
    ///
    /// ```
    /// use extype::graph::FunctionGraph;
    /// use extype::op::Callable;
    /// use extype::prelude::*;
    /// use std::sync::Arc;
    /// let f = function(|x: &Tensor| x.square()).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let f: Arc<dyn Callable> = f.function().clone();
    /// let graph: &FunctionGraph = f.graph().unwrap().downcast_ref().unwrap();
    /// assert_eq!(graph.graph.names(), ["a", "Square"]);
    /// # Ok::<(), Error>(())
    /// ```
    fn graph(&self) -> Option<&dyn Any> {
        None
    }
}

/// A function is equal only to itself.
impl PartialEq for dyn Callable {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self, other)
    }
}

impl OpDef {
    /// Checks the inputs and runs the kernel.
    ///
    /// # Errors
    /// `InvalidArgument` for a wrong number of inputs or wrong dtypes, and for an attribute that is missing,
    /// also if it has a default; what inference refuses, and what the kernel refuses.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::op::{AttrKey, Attrs, find_op};
    /// use extype::prelude::*;
    /// let x = Array::from_slice([2], &[1.0f32, 4.0])?;
    /// let attrs = Attrs::new().with(AttrKey::new("num"), &2i64).with(AttrKey::new("axis"), &0i64);
    /// assert_eq!(find_op("Unpack")?.run(&[&x], &attrs)?.len(), 2);
    /// let refused = find_op("Unpack")?.run(&[&x, &x], &attrs).unwrap_err();
    /// assert_eq!(refused.kind(), ErrorKind::InvalidArgument);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn run(&self, inputs: &[&Array], attrs: &Attrs) -> Result<Outputs> {
        let promised = match self.is_checked() {
            true => Some(self.infer_values(inputs, attrs)?),
            false => {
                self.accept(inputs, attrs)?;
                None
            }
        };
        let outputs = self.kernel.run(&KernelContext::new(inputs, attrs));
        let outputs = outputs.map_err(|e| self.explain(inputs, attrs, e))?;
        if let Some(promised) = promised {
            let kept = self.check_results(&outputs, &promised);
            kept.map_err(|e| e.with_op(self.rust_name))?;
        }
        Ok(outputs)
    }

    /// [`run`](Self::run) of an op that has one result.
    ///
    /// # Errors
    /// As [`run`](Self::run); `Internal` if it has another number of results.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::op::{Attrs, find_op};
    /// use extype::prelude::*;
    /// let (x, y) = (Array::from_slice([2], &[1.0f32, 4.0])?, Array::scalar(10.0f32));
    /// let sum = find_op("AddV2")?.run_one(&[&x, &y], &Attrs::new())?;
    /// assert_eq!(sum.as_slice::<f32>()?, &[11.0, 14.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn run_one(&self, inputs: &[&Array], attrs: &Attrs) -> Result<Array> {
        if self.is_checked() {
            return self.run(inputs, attrs).and_then(only);
        }
        self.accept(inputs, attrs)?;
        let output = self.kernel.run_one(&KernelContext::new(inputs, attrs));
        output.map_err(|e| self.explain(inputs, attrs, e))
    }

    /// Checks a call.
    #[inline]
    fn accept(&self, inputs: &[&Array], attrs: &Attrs) -> Result<()> {
        // Inference also checks that a branch that is not taken fits the others.
        let picks = matches!(self.kernel, Kernel::Branch(_) | Kernel::Loop(_));
        match picks || self.kernel.needs_inference() {
            true => self.infer_values(inputs, attrs).map(drop),
            false => self.check_inputs(inputs.len(), |i| inputs[i].dtype()),
        }
    }

    /// The types of the results of a call on these values.
    fn infer_values(&self, inputs: &[&Array], attrs: &Attrs) -> Result<Types> {
        let types: SmallVec<[TensorType; 4]> = inputs.iter().map(|a| a.tensor_type()).collect();
        let constant = |i: usize| inputs.get(i).map(|a| (*a).clone());
        self.infer(&InferContext::new(&types, attrs, &constant))
    }

    /// The error to report for a failed kernel: that of inference, if it refuses the call as well.
    #[cold]
    fn explain(&self, inputs: &[&Array], attrs: &Attrs, error: Error) -> Error {
        self.infer_values(inputs, attrs).err().unwrap_or_else(|| error.with_op(self.rust_name))
    }

    /// Checks the inputs and infers the types of the results.
    ///
    /// # Errors
    /// `InvalidArgument` for inputs that the op refuses whatever their values, and for an attribute that is
    /// missing.
    ///
    /// ```
    /// use extype::op::{Attrs, InferContext, find_op};
    /// use extype::prelude::*;
    /// use extype::types::TensorType;
    /// let types = [TensorType::new(f32, shape![?, 3]), TensorType::new(f32, shape![2, 1])];
    /// let attrs = Attrs::new();
    /// let result = find_op("Less")?.infer(&InferContext::new(&types, &attrs, &|_| None))?;
    /// assert_eq!(result[0].to_string(), "bool[2, 3]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn infer(&self, context: &InferContext<'_>) -> Result<Types> {
        let types = context.inputs;
        self.check_inputs(types.len(), |i| types[i].dtype)?;
        if self.calls {
            let fits = |i: usize, ty: &TensorType| {
                types[i].dtype == ty.dtype && types[i].shape.is_compatible_with(&ty.shape)
            };
            self.check_functions(context.attrs, types.len(), &fits, &|i| types[i].clone())
                .map_err(|e| e.with_op(self.rust_name))?;
        }
        let inferred = caught_alone("shape inference", || (self.infer)(context));
        let inferred = inferred.and_then(|types| {
            if self.is_checked() {
                self.check_promised("the inference", context, &types)?;
            }
            Ok(types)
        });
        inferred.map_err(|e| e.with_op(self.rust_name))
    }
}
