//! The functions that nodes call: found in their attributes, known by name or by graph.

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

/// True in the sense of TensorFlow: the function has an effect, or uses what others may write.
pub(super) fn is_stateful(f: &dyn Callable) -> bool {
    let uses_state = |g: &FunctionGraph| g.input_types().any(|t| t.dtype == DType::Resource);
    f.effect() != Effect::Pure || graph_of(f).is_some_and(uses_state)
}

/// What tells a function from every other that is alive.
pub(super) fn identity(f: &Arc<dyn Callable>) -> usize {
    match reference(f).and_then(|r| r.function.as_ref()) {
        Some(function) => identity(function),
        None => Arc::as_ptr(f).cast::<()>() as usize,
    }
}

/// A function of a file that is given attributes, or that no library has.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub(super) name: String,
    pub(super) attrs: AttrMap,
    /// The function, if it is known.
    pub(super) function: Option<Arc<dyn Callable>>,
    /// The results of a function that is not known, as the calling node tells them.
    pub(super) outputs: Vec<TensorType>,
    /// What the calling node tells of its effect.
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

    /// None of a function that is not known: whatever it is given it may write.
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
    /// The functions that the graph calls, and those that they call, each once, in the order in
    /// which they are met. Functions whose graph is not known are not among them.
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
