//! Graph functions, which nodes call.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use crate::array::Array;
use crate::compile::{Program, RegisterLoop, simplify};
use crate::graph::{FunctionGraph, legal_name};
use crate::op::{Callable, Effect, Outputs, Stacks, repeat, repeat_calls};
use crate::types::{Error, Result, TensorType, drop_flat, err, on_stack};

/// The error for too deep nesting of calls.
const TOO_DEEP: &str = "traced functions call each other too deep";

/// A graph function, which a call, a conditional or a loop runs. It has no Rust types; its last inputs are
/// the captures of the trace.
pub struct LibraryFunction {
    name: String,
    graph: FunctionGraph,
    /// The simplified graph, in which values known before the run are folded; made at the first run.
    simplified: OnceLock<Result<FunctionGraph>>,
    input_types: Vec<TensorType>,
    output_types: Vec<TensorType>,
    effect: Effect,
    /// For each input, whether the resource behind it is written.
    written: Vec<bool>,
    /// True if it calls other functions.
    calls: bool,
    program: OnceLock<Result<Program>>,
    /// The compiled form that takes ownership of its inputs, used for loop bodies.
    step: OnceLock<Result<Program>>,
    /// The register loop with this body, if there can be one, and the name of its test.
    registers: OnceLock<Option<(String, RegisterLoop)>>,
    /// The cached derivative, kept here for the `gradient` module.
    derivative: OnceLock<Arc<dyn Any + Send + Sync>>,
}

impl LibraryFunction {
    /// A function with this graph and a unique name.
    ///
    /// ```
    /// use extype::function::LibraryFunction;
    /// use extype::op::Callable;
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x)).concrete(&TensorSpec::of::<f32>([]))?;
    /// let again = LibraryFunction::new(f.graph().clone());
    /// assert_ne!(again.name(), f.function().name());
    /// assert_eq!(again.graph().name, f.name());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(graph: FunctionGraph) -> Arc<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let name = format!("{}_{}", legal_name(&graph.name), NEXT.fetch_add(1, Ordering::Relaxed));
        Self::make(name, graph)
    }

    /// A function that was read from a file. It keeps its name, which is unique in the library of that file. If functions
    /// of two files are in one graph, their names are made different when the graph is written.
    ///
    /// ```
    /// use extype::function::LibraryFunction;
    /// use extype::op::Callable;
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x)).concrete(&TensorSpec::of::<f32>([]))?;
    /// assert_eq!(LibraryFunction::read(f.graph().clone()).name(), "closure");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn read(graph: FunctionGraph) -> Arc<Self> {
        Self::make(graph.name.clone(), graph)
    }

    fn make(name: String, graph: FunctionGraph) -> Arc<Self> {
        Arc::new(Self {
            name,
            input_types: graph.input_types().cloned().collect(),
            output_types: graph.output_types(),
            effect: graph.effect(),
            written: graph.written_inputs(),
            calls: graph.graph.nodes().iter().any(|node| node.callees().next().is_some()),
            graph,
            simplified: OnceLock::new(),
            program: OnceLock::new(),
            step: OnceLock::new(),
            registers: OnceLock::new(),
            derivative: OnceLock::new(),
        })
    }

    /// The library function behind a function attribute, if it is one.
    ///
    /// ```
    /// use extype::function::{LibraryFunction, trace_body};
    /// use extype::prelude::*;
    /// let body = trace_body("negated", &TensorSpec::of::<f32>([]), |x: Tensor| ops::neg(&x))?;
    /// let f = body.into_function(&[])?;
    /// assert_eq!(LibraryFunction::of(&f).unwrap().graph().name, "negated");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn of(f: &Arc<dyn Callable>) -> Option<&Self> {
        (&**f as &dyn Any).downcast_ref()
    }

    /// The graph that it runs.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.square()?.exp()).concrete(&TensorSpec::of::<f32>([]))?;
    /// let ops: Vec<&str> = f.function().graph().graph.nodes().iter().map(|n| n.op_name()).collect();
    /// assert_eq!(ops, ["Placeholder", "Square", "Exp"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn graph(&self) -> &FunctionGraph {
        &self.graph
    }

    fn simplified(&self) -> Result<&FunctionGraph> {
        once(&self.simplified, || simplify(&self.graph))
    }

    /// The compiled form, made at the first run.
    fn program(&self) -> Result<&Program> {
        once(&self.program, || self.simplified().map(Program::new))
    }

    /// The compiled form that takes ownership of its inputs, made at the first run.
    fn step(&self) -> Result<&Program> {
        once(&self.step, || self.simplified().map(Program::taking))
    }

    /// True if the inputs have the number and types that the function takes.
    fn takes<'a>(&self, inputs: impl ExactSizeIterator<Item = &'a Array>) -> bool {
        inputs.len() == self.input_types.len()
            && inputs.zip(&self.input_types).all(|(x, ty)| x.is_of(ty))
    }

    #[cold]
    fn refused(&self, inputs: &[&Array]) -> Error {
        let (wanted, given) = (self.input_types.len(), inputs.len());
        let mut pairs = inputs.iter().zip(&self.input_types);
        match pairs.find(|(x, ty)| !x.is_of(ty)) {
            Some((x, ty)) if wanted == given => {
                err!("an input is {}; `{}` takes {ty}", x.tensor_type(), self.name)
            }
            _ => err!("`{}` takes {wanted} tensors, {given} given", self.name),
        }
    }

    /// The register loop with this body and test, if there can be one. It is planned for the first test only.
    fn registers(&self, test: &dyn Callable) -> Option<&RegisterLoop> {
        if self.registers.get().is_none() {
            let test: &Self = (test as &dyn Any).downcast_ref()?;
            let plan = || RegisterLoop::new(test.simplified().ok()?, self.simplified().ok()?);
            let _ = self.registers.set(plan().map(|registers| (test.name.clone(), registers)));
        }
        let (name, registers) = self.registers.get()?.as_ref()?;
        (name == test.name()).then_some(registers)
    }

    /// Runs the function on all its inputs, whose number and types must be right; `result` converts each
    /// result.
    #[inline]
    pub(crate) fn run<T>(
        &self,
        inputs: &[&Array],
        result: impl Fn(Array) -> T,
    ) -> Result<SmallVec<[T; 1]>> {
        match self.calls {
            false => self.program()?.run(inputs, result),
            true => on_stack(TOO_DEEP, || self.program()?.run(inputs, result)),
        }
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
        kept.downcast().map_err(|_| crate::types::err!(Internal, "another derivative is kept"))
    }
}

/// The value of the cell, made at the first call.
fn once<T>(cell: &OnceLock<Result<T>>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    if cell.get().is_none() {
        // Do not use `get_or_init`: folding runs kernels, and a worker of the pool that waits for them may
        // call this function too. If the value is made twice, one of the two is kept.
        let _ = cell.set(make());
    }
    let made = cell.get().map(Result::as_ref);
    made.unwrap_or_else(|| unreachable!("set above")).map_err(Clone::clone)
}

impl Callable for LibraryFunction {
    fn name(&self) -> &str {
        &self.name
    }

    fn title(&self) -> &str {
        &self.graph.name
    }

    fn input_types(&self) -> &[TensorType] {
        &self.input_types
    }

    fn output_types(&self) -> &[TensorType] {
        &self.output_types
    }

    fn call(&self, inputs: &[&Array]) -> Result<Outputs> {
        if !self.takes(inputs.iter().copied()) {
            return Err(self.refused(inputs));
        }
        self.run(inputs, |array| array)
    }

    fn repeat(&self, test: &dyn Callable, state: Outputs, stacks: &mut Stacks) -> Result<Outputs> {
        let state = match self.registers(test).filter(|_| stacks.is_empty()) {
            None => state,
            Some(registers) => match registers.run(state)? {
                Ok((state, iterations)) => {
                    stacks.count(iterations);
                    return Ok(state);
                }
                Err(state) => state,
            },
        };
        let known = (test as &dyn Any).downcast_ref::<Self>();
        let Some(test) = known.filter(|_| self.takes(state.iter())) else {
            return repeat_calls(test, self, state, stacks);
        };
        // The first state has the traced types, and so do all later ones.
        let run = || {
            let (test, step) = (test.program()?, self.step()?);
            let test = |inputs: &[&Array]| test.run(inputs, |array| array);
            repeat(test, |state| step.run_taking(state), state.into_iter().collect(), stacks)
        };
        if self.calls || test.calls { on_stack(TOO_DEEP, run) } else { run() }
    }

    fn effect(&self) -> Effect {
        self.effect
    }

    fn only_reads(&self, input: usize) -> bool {
        self.written.get(input).is_none_or(|written| !written)
    }

    fn graph(&self) -> Option<&dyn Any> {
        Some(&self.graph)
    }
}

/// Drops called functions after this one instead of recursively.
impl Drop for LibraryFunction {
    fn drop(&mut self) {
        let derivative = self.derivative.take();
        if self.calls || derivative.is_some() {
            let graph = std::mem::take(&mut self.graph.graph);
            let forms = (self.simplified.take(), self.program.take(), self.step.take());
            drop_flat((graph, forms, derivative));
        }
    }
}

impl fmt::Debug for LibraryFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.name)
    }
}
