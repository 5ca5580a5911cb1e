//! Calls that are replaced by what their functions do, so that rules and groups see through them.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::ir::{Endpoint, FunctionGraph, Graph, Kernel, LibraryFunction, Node};
use crate::types::Result;

/// A function of at most so many nodes is put in place of each of its calls, a longer one if there is only one.
const FEW_NODES: usize = 32;
/// The most nodes that a graph gets from functions.
const MOST_NODES: usize = 1 << 12;
/// The most walks that inline: calls within calls are inlined so deep.
const MOST_WALKS: usize = 8;

/// What may still be inlined into a graph. A graph can't hold itself, so no function calls itself.
pub(super) struct Inlining {
    nodes: usize,
    walks: usize,
    /// How often each function is called.
    calls: FxHashMap<usize, usize>,
}

impl Inlining {
    pub(super) fn new() -> Self {
        Self { nodes: MOST_NODES, walks: MOST_WALKS, calls: FxHashMap::default() }
    }

    /// Begins a walk over a graph.
    pub(super) fn walk(&mut self, function: &FunctionGraph) {
        self.calls.clear();
        self.walks = self.walks.saturating_sub(1);
        for node in function.graph.nodes().iter().filter(|_| self.walks > 0) {
            if let Kernel::Call(_) = node.op.kernel {
                node.callees().for_each(|f| *self.calls.entry(f.identity()).or_default() += 1);
            }
        }
    }

    /// Puts the function in place of a call, if that is allowed. Errors of its ops still name the function.
    pub(super) fn inlined(
        &mut self,
        graph: &mut Graph,
        node: &Node,
    ) -> Result<Option<SmallVec<[Endpoint; 1]>>> {
        let Kernel::Call(called) = node.op.kernel else { return Ok(None) };
        let Ok(f) = called(&node.attrs) else { return Ok(None) };
        let Some(body) = f.graph().filter(|body| takes(&f, body, graph, node)) else {
            return Ok(None);
        };
        let once = self.calls.get(&f.identity()) == Some(&1);
        let nodes = body.needed().into_iter().filter(|needed| *needed).count();
        if self.walks == 0 || nodes > self.nodes || !(once || nodes <= FEW_NODES) {
            return Ok(None);
        }
        let within = match &node.within {
            None => format!("`{}`", f.title()),
            Some(around) => format!("`{}`, in {around}", f.title()),
        };
        let results = graph.splice(body, &node.inputs, node, Some(within.into()))?;
        if results.is_some() {
            self.nodes -= nodes;
        }
        Ok(results)
    }
}

/// True if it is known before the run that the function takes these inputs.
fn takes(f: &LibraryFunction, body: &FunctionGraph, graph: &Graph, node: &Node) -> bool {
    let types = node.inputs.iter().map(|e| graph.output_type(*e));
    body.inputs.len() == node.inputs.len()
        && types.zip(f.input_types()).all(|(given, ty)| given.is_subtype_of(ty))
}
