//! The functions that nodes call, found in their attributes.

use std::any::Any;
use std::collections::HashSet;
use std::sync::Arc;

use super::def::AttrMap;
use super::{FunctionGraph, Node};
use crate::array::Array;
use crate::op::{Callable, Effect, Outputs, Stacks, repeat_calls};
use crate::types::{DType, Result, TensorType, bail};

/// The graph of a function.
pub(super) fn graph_of(f: &dyn Callable) -> Option<&FunctionGraph> {
    f.graph()?.downcast_ref()
}

/// True if TensorFlow would call the function stateful: it has an effect or a resource input.
pub(super) fn is_stateful(f: &dyn Callable) -> bool {
    let uses_state = |g: &FunctionGraph| g.input_types().any(|t| t.dtype == DType::Resource);
    f.effect() != Effect::Pure || graph_of(f).is_some_and(uses_state)
}

/// A number that identifies a function among all that are alive.
pub(super) fn identity(f: &Arc<dyn Callable>) -> usize {
    match reference(f).and_then(|r| r.function.as_ref()) {
        Some(function) => identity(function),
        None => Arc::as_ptr(f).cast::<()>() as usize,
    }
}

/// A function that a file refers to with attributes, or that is in no library.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub(super) name: String,
    pub(super) attrs: AttrMap,
    /// The function, if it is known.
    pub(super) function: Option<Arc<dyn Callable>>,
    /// The result types of an unknown function, guessed from the calling node.
    pub(super) outputs: Vec<TensorType>,
    /// The effect of an unknown function, guessed from the op that calls it.
    pub(super) effect: Effect,
}

/// The function as a reference, if it is one.
pub(super) fn reference(f: &Arc<dyn Callable>) -> Option<&Reference> {
    (&**f as &dyn Any).downcast_ref()
}

impl Callable for Reference {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_known(&self) -> bool {
        self.function.as_ref().is_some_and(|f| f.is_known())
    }

    /// Empty for an unknown function, which thus counts as writing every resource it is given.
    fn input_types(&self) -> &[TensorType] {
        self.function.as_ref().map_or(&[], |f| f.input_types())
    }

    fn output_types(&self) -> &[TensorType] {
        self.function.as_ref().map_or(&self.outputs, |f| f.output_types())
    }

    fn call(&self, inputs: &[&Array]) -> Result<Outputs> {
        match &self.function {
            Some(f) => f.call(inputs),
            None => bail!(
                NotFound,
                "no function is named `{}` in the library that the graph was read with",
                self.name
            ),
        }
    }

    fn repeat(&self, test: &dyn Callable, state: Outputs, stacks: &mut Stacks) -> Result<Outputs> {
        match &self.function {
            Some(f) => f.repeat(test, state, stacks),
            None => repeat_calls(test, self, state, stacks),
        }
    }

    fn effect(&self) -> Effect {
        self.function.as_ref().map_or(self.effect, |f| f.effect())
    }

    fn only_reads(&self, input: usize) -> bool {
        self.function.as_ref().is_some_and(|f| f.only_reads(input))
    }

    fn graph(&self) -> Option<&dyn Any> {
        self.function.as_ref()?.graph()
    }
}

impl FunctionGraph {
    /// The functions that the graph calls, directly or through others, each once, in the order in
    /// which they are met. Functions without a known graph are left out.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let inner = function(|x: &Tensor| ops::neg(x));
    /// let outer = function(move |x: &Tensor| inner.call(&inner.call(x)?));
    /// let library = outer.concrete(&TensorSpec::of::<f32>([2]))?.graph().library();
    /// assert_eq!(library.len(), 1);
    /// assert_eq!(library[0].output_types()[0].to_string(), "float32[2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn library(&self) -> Vec<Arc<dyn Callable>> {
        let mut seen = HashSet::new();
        let mut found: Vec<Arc<dyn Callable>> = Vec::new();
        let mut meet = |graph: &FunctionGraph, found: &mut Vec<Arc<dyn Callable>>| {
            let called = graph.graph.nodes().iter().flat_map(Node::callees);
            let known = called.filter(|f| graph_of(&***f).is_some());
            found.extend(known.filter(|f| seen.insert(identity(f))).cloned());
        };
        meet(self, &mut found);
        let mut next = 0;
        while let Some(f) = found.get(next).cloned() {
            next += 1;
            if let Some(graph) = graph_of(&*f) {
                meet(graph, &mut found);
            }
        }
        found
    }
}
