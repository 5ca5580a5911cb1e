//! The compiled forms of a function, made when first needed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::text::{dumped, simplification};
use super::{MAX_FOLDED, Profile, Program, RegisterLoop, Shapes, Simplified, simplify};
use crate::array::Array;
use crate::ir::{
    Code, FunctionGraph, LibraryFunction, Outputs, Stacks, decision, legal_name, repeat,
    repeat_calls,
};
use crate::types::{Error, Result, err, on_stack};

/// The error for too deep nesting of calls.
pub(super) const TOO_DEEP: &str = "traced functions call each other too deep";

/// From so many elements on, a copy takes longer than the tests of most loops.
const MANY_COPIED: usize = 1 << 12;

/// The compiled forms of a function that is a graph.
#[derive(Default)]
pub(super) struct Compiled {
    /// The simplified graph, in which values known before the run are folded; made at the first run.
    simplified: OnceLock<Result<Simplified>>,
    program: OnceLock<Result<Program>>,
    /// The programs for the shapes of calls, if the types of the inputs don't determine them.
    shapes: Option<Shapes>,
    /// The program that takes ownership of its inputs, used for loop bodies.
    step: OnceLock<Result<Program>>,
    /// The register loop with this body, if there can be one, and the name of its test.
    registers: OnceLock<Option<(String, RegisterLoop)>>,
}

impl FunctionGraph {
    /// A function that runs the graph, with a unique name.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x)).concrete(&TensorSpec::of::<f32>([]))?;
    /// let again = f.graph().clone().into_function();
    /// assert_ne!(again.name(), f.function().name());
    /// assert_eq!(again.title(), f.name());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn into_function(self) -> Arc<LibraryFunction> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let name = format!("{}_{}", legal_name(&self.name), NEXT.fetch_add(1, Ordering::Relaxed));
        let compiled = Compiled::of(&self);
        LibraryFunction::of_graph(name, self, compiled)
    }

    /// [`into_function`](Self::into_function) for a graph that was read from a file: the function keeps the
    /// graph's name, which is unique in the library of that file. If functions of two files are in one graph, their
    /// names are made different when the graph is written.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x)).concrete(&TensorSpec::of::<f32>([]))?;
    /// assert_eq!(f.graph().clone().into_named_function().name(), "closure");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn into_named_function(self) -> Arc<LibraryFunction> {
        let compiled = Compiled::of(&self);
        LibraryFunction::of_graph(self.name.clone(), self, compiled)
    }
}

/// Runs a function on all its inputs, whose number and types must be right; `result` converts each result.
#[inline]
pub(crate) fn run<T>(
    f: &LibraryFunction,
    inputs: &[&Array],
    result: impl Fn(Array) -> T,
) -> Result<SmallVec<[T; 1]>> {
    match f.code::<Compiled>() {
        Some(compiled) => compiled.run(f, inputs, result),
        None => f.call(inputs).map(|outputs| outputs.into_iter().map(result).collect()),
    }
}

/// Runs a function as [`run`] does, and measures its steps.
pub(crate) fn profile(f: &LibraryFunction, inputs: &[&Array]) -> Result<(Outputs, Profile)> {
    let compiled = f.code::<Compiled>();
    let compiled = compiled.ok_or_else(|| err!(Unimplemented, "`{}` is Rust code", f.name()))?;
    on_stack(TOO_DEEP, || compiled.planned(f, inputs)?.profile(inputs))
}

impl Compiled {
    /// The compiled forms of a graph, none of which is made yet.
    fn of(graph: &FunctionGraph) -> Self {
        let known = graph.input_types().all(|ty| ty.shape.is_fully_defined());
        Self { shapes: (!known).then(Shapes::default), ..Self::default() }
    }

    #[inline]
    fn run<T>(
        &self,
        f: &LibraryFunction,
        inputs: &[&Array],
        result: impl Fn(Array) -> T,
    ) -> Result<SmallVec<[T; 1]>> {
        match f.calls() {
            false => self.planned(f, inputs)?.run(inputs, result),
            true => on_stack(TOO_DEEP, || self.planned(f, inputs)?.run(inputs, result)),
        }
    }

    /// The program for these inputs.
    #[inline]
    fn planned(&self, f: &LibraryFunction, inputs: &[&Array]) -> Result<&Program> {
        let own = match &self.shapes {
            None => None,
            Some(shapes) => shapes.program(f, self.simplified(f)?, inputs),
        };
        own.map_or_else(|| self.program(f), Ok)
    }

    pub(super) fn simplified(&self, f: &LibraryFunction) -> Result<&FunctionGraph> {
        self.simplification(f).map(|simplified| &simplified.graph)
    }

    /// The simplified graph, and the rules that applied.
    pub(super) fn simplification(&self, f: &LibraryFunction) -> Result<&Simplified> {
        let graph = || f.graph().ok_or_else(|| err!(Internal, "`{}` has no graph", f.name()));
        once(&self.simplified, || {
            let simplified = simplify(graph()?, MAX_FOLDED)?;
            dumped(|| simplification(graph()?, &simplified))?;
            Ok(simplified)
        })
    }

    pub(super) fn program(&self, f: &LibraryFunction) -> Result<&Program> {
        once(&self.program, || {
            let graph = self.simplified(f)?;
            Program::new(graph).dumped("# planned", f, graph, 0)
        })
    }

    pub(super) fn step(&self, f: &LibraryFunction) -> Result<&Program> {
        once(&self.step, || {
            let graph = self.simplified(f)?;
            Program::taking(graph).dumped("# planned as a loop", f, graph, graph.inputs.len())
        })
    }

    /// The register loop with this body and test, if there can be one. It is planned for the first test only.
    pub(super) fn registers(
        &self,
        f: &LibraryFunction,
        test: &LibraryFunction,
    ) -> Option<&RegisterLoop> {
        if self.registers.get().is_none() {
            let compiled = test.code::<Self>()?;
            let plan =
                || RegisterLoop::new(compiled.simplified(test).ok()?, self.simplified(f).ok()?);
            let planned = plan().map(|registers| (test.name().into(), registers));
            if let Some((_, registers)) = &planned {
                let text = || Ok(format!("# planned in registers\n{}", registers.text(f.name())));
                dumped(text).ok()?;
            }
            let _ = self.registers.set(planned);
        }
        let (name, registers) = self.registers.get()?.as_ref()?;
        (name == test.name()).then_some(registers)
    }
}

impl Code for Compiled {
    fn call(&self, f: &LibraryFunction, inputs: &[&Array]) -> Result<Outputs> {
        if !f.takes(inputs.iter().copied()) {
            return Err(refused(f, inputs));
        }
        self.run(f, inputs, |array| array)
    }

    fn repeat(
        &self,
        f: &LibraryFunction,
        test: &LibraryFunction,
        state: Outputs,
        stacks: &mut Stacks,
    ) -> Result<Outputs> {
        // If the first state has the traced types, so do all later ones.
        let Some(compiled) = test.code::<Self>().filter(|_| f.takes(state.iter())) else {
            return repeat_calls(test, f, state, stacks);
        };
        // A loop that does not run at all needs no copies of what it would write to.
        let runs = |registers: &&RegisterLoop| {
            let test = || test.call(&state.iter().collect::<SmallVec<[&Array; 8]>>());
            registers.copied(&state) < MANY_COPIED
                || test().is_ok_and(|value| value.iter().all(|x| decision(x).unwrap_or(false)))
        };
        let state = match self.registers(f, test).filter(runs) {
            None => state,
            Some(registers) => match registers.run(state, stacks)? {
                Ok(state) => return Ok(state),
                Err(state) => state,
            },
        };
        let run = || {
            let (check, step) = (compiled.program(test)?, self.step(f)?);
            let check = |inputs: &[&Array]| check.run(inputs, |array| array);
            repeat(check, |state| step.run_taking(state), state.into_iter().collect(), stacks)
        };
        if f.calls() || test.calls() { on_stack(TOO_DEEP, run) } else { run() }
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

#[cold]
fn refused(f: &LibraryFunction, inputs: &[&Array]) -> Error {
    let (wanted, given) = (f.input_types().len(), inputs.len());
    let mut pairs = inputs.iter().zip(f.input_types());
    match pairs.find(|(x, ty)| !x.is_of(ty)) {
        Some((x, ty)) if wanted == given => {
            err!("an input is {}; `{}` takes {ty}", x.tensor_type(), f.name())
        }
        _ => err!("`{}` takes {wanted} tensors, {given} given", f.name()),
    }
}
