//! A traced method together with its receiver.

use std::fmt;

use super::{ConcreteFunction, FunctionState};
use crate::spec::{AnySpec, SpecContext};
use crate::trace::Argument;

/// The traced function behind a method of one receiver: `model.step_function()`.
///
/// For a module the traces are those of this instance; an extension type shares them among all
/// values.
pub struct BoundFunction<'a, T> {
    state: &'static FunctionState,
    receiver: &'a T,
}

impl<'a, T> BoundFunction<'a, T> {
    /// The function of a method, seen from a receiver.
    pub fn new(state: &'static FunctionState, receiver: &'a T) -> Self {
        Self { state, receiver }
    }
}

impl<T: Argument> BoundFunction<'_, T> {
    /// The traces, in the order they were made.
    pub fn concrete_functions(&self) -> Vec<ConcreteFunction> {
        self.state.concrete_functions_where(self.is_mine())
    }

    /// How many times the body was traced.
    pub fn trace_count(&self) -> usize {
        self.state.count_where(self.is_mine())
    }

    /// Traces of an instance are its own, those of a data type everybody's.
    fn is_mine(&self) -> impl Fn(&[AnySpec]) -> bool + use<T> {
        let receiver = T::spec_to_any(&self.receiver.argument_spec(&mut SpecContext::new()));
        move |specs| match (&receiver, specs.first()) {
            (AnySpec::Module(mine), Some(AnySpec::Module(traced))) => mine.same_instance(traced),
            _ => true,
        }
    }

    /// The types that were traced for, one tuple a trace, the receiver first.
    pub fn signatures(&self) -> Vec<AnySpec> {
        let traces = self.concrete_functions();
        traces.iter().map(|c| AnySpec::Tuple(c.input_specs().into())).collect()
    }

    /// What the traces use of their surroundings, by description.
    pub fn captures(&self) -> Vec<String> {
        let mut all: Vec<String> =
            self.concrete_functions().iter().flat_map(ConcreteFunction::captures).collect();
        all.sort();
        all.dedup();
        all
    }
}

impl<T> fmt::Debug for BoundFunction<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.state, f)
    }
}
