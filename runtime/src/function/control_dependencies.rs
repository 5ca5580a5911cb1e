//! Automatic control dependencies: effects happen in program order.
//!
//! A write to a resource is ordered after all earlier reads and writes of it, a read after the last
//! write. Other effects, such as printing, form one chain. Nodes with effects and nodes that check
//! run even if their results are not used; a read without uses does not run.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::ir::{Effect, Endpoint, FunctionGraph, Node, NodeId};

/// The accesses to a resource so far.
#[derive(Default)]
struct Touched {
    last_write: Option<NodeId>,
    reads: SmallVec<[NodeId; 4]>,
}

/// Adds the control edges to a traced graph, and fills its `must_run`.
pub(super) fn add_control_dependencies(function: &mut FunctionGraph) {
    let mut resources: FxHashMap<Endpoint, Touched> = FxHashMap::default();
    let mut last_effect: Option<NodeId> = None;
    for id in function.graph.node_ids() {
        let node = function.graph.node(id);
        let touched = touched_resources(function, node);
        let effect = node.effect();
        let mut edges = node.control_inputs.clone();
        for (resource, writes) in &touched {
            let before = resources.entry(*resource).or_default();
            edges.extend(before.last_write);
            if *writes {
                edges.extend(before.reads.drain(..));
                before.last_write = Some(id);
            } else {
                before.reads.push(id);
            }
        }
        if effect == Effect::Writes && touched.is_empty() {
            edges.extend(last_effect.replace(id));
        }
        if effect.must_run() {
            function.must_run.push(id);
        }
        edges.sort_unstable();
        edges.dedup();
        edges.retain(|e| *e != id);
        function.graph.node_mut(id).control_inputs = edges;
    }
}

/// The resources that a node uses, each once, and whether it writes to them.
fn touched_resources(function: &FunctionGraph, node: &Node) -> SmallVec<[(Endpoint, bool); 2]> {
    let mut touched: SmallVec<[(Endpoint, bool); 2]> = SmallVec::new();
    for (i, e) in function.graph.resources(node) {
        let writes = node.writes(i);
        match touched.iter_mut().find(|(t, _)| *t == e) {
            Some((_, w)) => *w |= writes,
            None => touched.push((e, writes)),
        }
    }
    touched
}
