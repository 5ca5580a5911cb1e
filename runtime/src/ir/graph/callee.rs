//! The functions that nodes call, found in their attributes.

use std::collections::HashSet;
use std::sync::Arc;

use super::{FunctionGraph, Node};
use crate::ir::LibraryFunction;

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
    pub fn library(&self) -> Vec<Arc<LibraryFunction>> {
        let mut seen = HashSet::new();
        let mut found: Vec<Arc<LibraryFunction>> = Vec::new();
        let mut meet = |graph: &FunctionGraph, found: &mut Vec<Arc<LibraryFunction>>| {
            let called = graph.graph.nodes().iter().flat_map(Node::callees);
            let known = called.filter(|f| f.graph().is_some());
            found.extend(known.filter(|f| seen.insert(f.identity())).cloned());
        };
        meet(self, &mut found);
        let mut next = 0;
        while let Some(f) = found.get(next).cloned() {
            next += 1;
            if let Some(graph) = f.graph() {
                meet(graph, &mut found);
            }
        }
        found
    }
}
