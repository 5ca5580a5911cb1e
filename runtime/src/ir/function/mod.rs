//! Functions: what a node calls that has functions among its attributes.

mod control;
mod reference;

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

pub use control::{Branches, Branching, Looping, Saves, decision};
pub(crate) use control::{LoopState, Stacks, in_iteration, repeat, repeat_calls};

use super::{Effect, FunctionGraph, Outputs};
use crate::array::Array;
use crate::types::{DType, Result, TensorType, bail, drop_flat, err};

/// A function that a call, a conditional or a loop runs: mostly a graph.
///
/// It has no Rust types. Its last inputs are the captures of the trace. An op passes the tensors of its last
/// list argument to its functions, as their last inputs: a call passes all its inputs, a conditional those after
/// the predicate.
///
/// [`FunctionGraph::into_function`] makes one of a graph, and
/// [`ConcreteFunction::function`](crate::ConcreteFunction::function) gives that of a trace.
///
/// TensorFlow: `FunctionDef`; JAX: a closed jaxpr.
pub struct LibraryFunction {
    name: String,
    graph: Option<FunctionGraph>,
    input_types: Vec<TensorType>,
    output_types: Vec<TensorType>,
    effect: Effect,
    /// For each input, whether the resource behind it is written.
    written: Vec<bool>,
    /// True if it calls other functions.
    calls: bool,
    code: Box<dyn Code>,
    /// The cached derivative, which the `gradient` module makes.
    derivative: OnceLock<Arc<dyn Any + Send + Sync>>,
}

/// How a function runs: as a compiled graph or as Rust code.
pub(crate) trait Code: Any + Send + Sync {
    /// Runs the function on all its inputs, arguments first, then captures.
    ///
    /// # Errors
    /// What an op of the function fails with.
    fn call(&self, f: &LibraryFunction, inputs: &[&Array]) -> Result<Outputs>;

    /// Runs the function as the body of a loop, as long as the test is true. Its results beyond the state go to
    /// the stacks.
    ///
    /// # Errors
    /// What both fail with, with the number of the iteration.
    fn repeat(
        &self,
        f: &LibraryFunction,
        test: &LibraryFunction,
        state: Outputs,
        stacks: &mut Stacks,
    ) -> Result<Outputs> {
        repeat_calls(test, f, state, stacks)
    }
}

/// The code of a function that is being dropped.
struct Dropped;

impl Code for Dropped {
    fn call(&self, f: &LibraryFunction, _: &[&Array]) -> Result<Outputs> {
        Err(err!(Internal, "`{}` was dropped", f.name))
    }
}

impl LibraryFunction {
    /// A function that is a graph.
    pub(crate) fn of_graph(name: String, graph: FunctionGraph, code: impl Code) -> Arc<Self> {
        Arc::new(Self {
            name,
            input_types: graph.input_types().cloned().collect(),
            output_types: graph.output_types(),
            effect: graph.effect(),
            written: graph.written_inputs(),
            calls: graph.graph.nodes().iter().any(|node| node.callees().next().is_some()),
            graph: Some(graph),
            code: Box::new(code),
            derivative: OnceLock::new(),
        })
    }

    /// A function that is Rust code. Unless it is pure, it counts as writing every resource it is given.
    pub(crate) fn of_code(
        name: String,
        (input_types, output_types): (Vec<TensorType>, Vec<TensorType>),
        effect: Effect,
        code: impl Code,
    ) -> Arc<Self> {
        Arc::new(Self {
            name,
            graph: None,
            written: vec![effect != Effect::Pure; input_types.len()],
            input_types,
            output_types,
            effect,
            calls: false,
            code: Box::new(code),
            derivative: OnceLock::new(),
        })
    }

    /// The name in a function library. That of a traced function is unique in the process, that of a function from
    /// a file in the library of the file.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x));
    /// let [one, two] = [[1], [2]].map(|shape| f.concrete(&TensorSpec::of::<f32>(shape)));
    /// assert_ne!(one?.function().name(), two?.function().name());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name that messages use: the user's name for the function, which need not be unique.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[tf_function]
    /// fn doubled(x: &Tensor) -> Result<Tensor> {
    ///     ops::mul(x, 2.0)
    /// }
    /// let f = doubled::concrete(&TensorSpec::of::<f32>([]))?;
    /// assert_eq!(f.function().title(), "doubled");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn title(&self) -> &str {
        self.graph.as_ref().map_or(&self.name, |graph| &graph.name)
    }

    /// The graph that it runs; `None` for Rust code, and for a name without a function.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.square()?.exp()).concrete(&TensorSpec::of::<f32>([]))?;
    /// let graph = &f.function().graph().unwrap().graph;
    /// let ops: Vec<&str> = graph.nodes().iter().map(|n| n.op_name()).collect();
    /// assert_eq!(ops, ["Placeholder", "Square", "Exp"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn graph(&self) -> Option<&FunctionGraph> {
        self.resolved().graph.as_ref()
    }

    /// False for a name in a graph that was read without the function: its inputs are not known.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.square()).concrete(&TensorSpec::of::<f32>([2]))?;
    /// assert!(f.function().is_known());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn is_known(&self) -> bool {
        self.resolved().reference().is_none()
    }

    /// The types of the inputs; empty for an unknown function.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let f = function(move |x: &Tensor| v.assign_add(x)).concrete(&TensorSpec::of::<f32>([]))?;
    /// let types: Vec<String> = f.function().input_types().iter().map(|t| t.to_string()).collect();
    /// assert_eq!(types, ["float32[]", "resource[]"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn input_types(&self) -> &[TensorType] {
        &self.input_types
    }

    /// The types of the results.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.greater(0.0)).concrete(&TensorSpec::of::<f32>([2]))?;
    /// assert_eq!(f.function().output_types()[0].to_string(), "bool[2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn output_types(&self) -> &[TensorType] {
        &self.output_types
    }

    /// The side effect of a call.
    ///
    /// ```
    /// use extype::ir::Effect;
    /// use extype::prelude::*;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let f = function(move |x: &Tensor| v.assign_add(x)).concrete(&TensorSpec::of::<f32>([]))?;
    /// assert_eq!(f.function().effect(), Effect::Writes);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// True if the function only reads the resource given as this input.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (v, w) = (Variable::new(scalar(1.0f32))?, Variable::new(scalar(1.0f32))?);
    /// let f = function(move |x: &Tensor| w.assign(ops::mul(x, &v.read()?)?));
    /// let f = f.concrete(&TensorSpec::of::<f32>([]))?;
    /// // The argument, and the variables that were captured.
    /// let reads: Vec<bool> = (0..3).map(|i| f.function().only_reads(i)).collect();
    /// assert_eq!(reads, [true, true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn only_reads(&self, input: usize) -> bool {
        self.written.get(input).map_or(self.is_known(), |written| !written)
    }

    /// Runs the function on all its inputs, arguments first, then captures.
    ///
    /// # Errors
    /// What an op of the function fails with.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.square()).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let y = f.function().call(&[&Array::from_slice([2], &[2.0f32, 3.0])?])?;
    /// assert_eq!(y[0].as_slice::<f32>()?, &[4.0, 9.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn call(&self, inputs: &[&Array]) -> Result<Outputs> {
        self.code.call(self, inputs)
    }

    /// True if the inputs have the number and types that the function takes.
    pub(crate) fn takes<'a>(&self, inputs: impl ExactSizeIterator<Item = &'a Array>) -> bool {
        let types = &self.input_types;
        inputs.len() == types.len() && inputs.zip(types).all(|(x, ty)| x.is_of(ty))
    }

    /// [`call`](Self::call) for inputs whose types have not been checked.
    pub(in crate::ir) fn call_checked(&self, inputs: &[&Array]) -> Result<Outputs> {
        match self.takes(inputs.iter().copied()) || !self.is_known() {
            true => self.call(inputs),
            // Inference gives a better message.
            false => bail!("`{}` takes other tensors", self.name),
        }
    }

    /// Runs the function as the body of a loop.
    pub(super) fn repeat(
        &self,
        test: &LibraryFunction,
        state: Outputs,
        stacks: &mut Stacks,
    ) -> Result<Outputs> {
        self.code.repeat(self, test, state, stacks)
    }

    /// The code, if it is of this kind.
    pub(crate) fn code<C: Code>(&self) -> Option<&C> {
        (&*self.code as &dyn Any).downcast_ref()
    }

    /// True if it calls other functions.
    pub(crate) fn calls(&self) -> bool {
        self.calls
    }

    /// True if TensorFlow would call the function stateful: it has an effect or a resource input.
    pub(super) fn is_stateful(&self) -> bool {
        let uses_state = |g: &FunctionGraph| g.input_types().any(|t| t.dtype == DType::Resource);
        self.effect != Effect::Pure || self.graph().is_some_and(uses_state)
    }

    /// The cached derivative; `make` makes it if there is none yet.
    pub(crate) fn derivative<D: Any + Send + Sync>(
        &self,
        make: impl FnOnce() -> Result<D>,
    ) -> Result<Arc<D>> {
        let kept = match self.derivative.get() {
            Some(kept) => kept.clone(),
            None => {
                let made: Arc<dyn Any + Send + Sync> = Arc::new(make()?);
                // If another thread was first, its derivative is used.
                self.derivative.get_or_init(|| made).clone()
            }
        };
        kept.downcast().map_err(|_| err!(Internal, "another derivative is kept"))
    }
}

/// Drops called functions after this one instead of recursively.
impl Drop for LibraryFunction {
    fn drop(&mut self) {
        let derivative = self.derivative.take();
        if self.calls || derivative.is_some() {
            let code = std::mem::replace(&mut self.code, Box::new(Dropped));
            drop_flat((self.graph.take(), code, derivative));
        }
    }
}

impl fmt::Debug for LibraryFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.name)
    }
}

/// A function is equal only to itself.
impl PartialEq for LibraryFunction {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}
