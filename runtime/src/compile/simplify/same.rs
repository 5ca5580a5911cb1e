//! Nodes that compute what another node computed before.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use crate::ir::{CONST, Effect, Endpoint, Graph, Node, NodeId};

/// The pure nodes of a new graph by what they compute.
#[derive(Default)]
pub(super) struct Computed(FxHashMap<u64, SmallVec<[NodeId; 1]>>);

impl Computed {
    /// The results of a node that computes the same, if there is one; otherwise the node is remembered, which is about to
    /// be the last one of the graph.
    pub(super) fn before(&mut self, graph: &Graph, node: &Node) -> Option<SmallVec<[Endpoint; 1]>> {
        let hash = hash(node)?;
        let found = self.0.entry(hash).or_default();
        let same = found.iter().copied().find(|id| is_same(graph.node(*id), node));
        let Some(same) = same else {
            found.push(NodeId(graph.nodes().len() as u32));
            return None;
        };
        Some((0..node.outputs.len() as u32).map(|output| Endpoint { node: same, output }).collect())
    }
}

/// A hash of what a node computes, if another one may stand for it.
fn hash(node: &Node) -> Option<u64> {
    if node.effect() != Effect::Pure || !node.control_inputs.is_empty() || node.is_unknown() {
        return None;
    }
    let mut state = FxHasher::default();
    std::ptr::from_ref(node.op).hash(&mut state);
    node.inputs.hash(&mut state);
    if node.op == &CONST {
        // Comparing large constants takes longer than it saves.
        let value = node.constant().filter(|value| value.len() <= 8)?;
        (value.dtype(), value.as_bytes()?).hash(&mut state);
    }
    Some(state.finish())
}

fn is_same(a: &Node, b: &Node) -> bool {
    std::ptr::eq(a.op, b.op)
        && a.inputs == b.inputs
        && a.outputs == b.outputs
        && a.device == b.device
        && a.attrs == b.attrs
}
