//! A graph with inputs and outputs: what a trace leaves behind.

use smallvec::SmallVec;

use super::{Endpoint, Graph, NodeId};
use crate::op::Effect;
use crate::types::TensorType;

/// A graph together with what enters and leaves it.
#[derive(Clone, Debug, Default)]
pub struct FunctionGraph {
    /// The name of the function.
    pub name: String,
    /// The ops.
    pub graph: Graph,
    /// The placeholders that are fed, arguments first, then captures.
    pub inputs: Vec<NodeId>,
    /// How many of the inputs are arguments.
    pub num_arguments: usize,
    /// What the function returns.
    pub outputs: Vec<Endpoint>,
    /// Nodes that run although no output needs them, in program order.
    pub must_run: Vec<NodeId>,
}

impl FunctionGraph {
    /// The types of the inputs.
    pub fn input_types(&self) -> impl Iterator<Item = &TensorType> {
        self.inputs.iter().map(|n| &self.graph.node(*n).outputs[0])
    }

    /// The types of the outputs.
    pub fn output_types(&self) -> Vec<TensorType> {
        self.outputs.iter().map(|e| self.graph.output_type(*e).clone()).collect()
    }

    /// What a call of the function does beside computing its results.
    pub fn effect(&self) -> Effect {
        let effects = || self.graph.nodes().iter().map(node_effect);
        match () {
            () if effects().any(|e| e == Effect::Writes) => Effect::Writes,
            () if effects().any(|e| e == Effect::Checks) => Effect::Checks,
            () => Effect::Pure,
        }
    }

    /// The nodes that the outputs and the must-run nodes need, by node index.
    pub fn needed(&self) -> Vec<bool> {
        let mut needed = vec![false; self.graph.nodes().len()];
        let mut stack: Vec<NodeId> =
            self.outputs.iter().map(|e| e.node).chain(self.must_run.iter().copied()).collect();
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut needed[id.index()], true) {
                continue;
            }
            let node = self.graph.node(id);
            stack.extend(node.inputs.iter().map(|e| e.node));
            stack.extend(node.control_inputs.iter().copied());
        }
        needed
    }

    /// True if no consumer of this input writes to the resource behind it.
    pub fn only_reads(&self, input: usize) -> bool {
        let Some(&placeholder) = self.inputs.get(input) else { return true };
        self.graph.nodes().iter().all(|node| {
            let uses: SmallVec<[usize; 2]> = node
                .inputs
                .iter()
                .enumerate()
                .filter(|(_, e)| e.node == placeholder)
                .map(|(i, _)| i)
                .collect();
            uses.into_iter().all(|i| !writes_input(node, i))
        })
    }
}

/// The effect of a node; for a call that of the function it calls.
pub(crate) fn node_effect(node: &super::Node) -> Effect {
    match called(node) {
        Some(f) => f.effect(),
        None => node.op.effect,
    }
}

/// True if the node writes the resource that is its input `i`.
pub(crate) fn writes_input(node: &super::Node, i: usize) -> bool {
    match called(node) {
        Some(f) => !f.only_reads(i),
        None => !matches!(node.op.effect, Effect::Reads | Effect::Checks),
    }
}

/// The function that a call runs.
pub(crate) const CALLED: crate::op::AttrKey<std::sync::Arc<dyn crate::op::Callable>> =
    crate::op::AttrKey::new("f");

/// The function that a call node runs.
pub(crate) fn called(node: &super::Node) -> Option<&std::sync::Arc<dyn crate::op::Callable>> {
    match node.attrs.value(CALLED.name()) {
        Some(crate::op::AttrValue::Function(f)) => Some(f),
        _ => None,
    }
}
