//! Rewriting by copying: a pass maps each needed node to an endpoint of a new graph.

use smallvec::SmallVec;

use super::{Endpoint, FunctionGraph, Graph, Node, NodeId};
use crate::types::Result;

/// What a pass does with a node whose inputs are copied already.
pub(crate) enum Rewrite {
    /// Keep the node.
    Keep,
    /// Use these endpoints of the new graph for its outputs.
    Replace(SmallVec<[Endpoint; 1]>),
}

impl FunctionGraph {
    /// Copies the nodes that the outputs and the must-run nodes need, asking `pass` for each
    /// non-input node, given with its inputs in the new graph. Nodes that nothing needs are gone.
    pub(crate) fn rewrite(
        &self,
        mut pass: impl FnMut(&mut Graph, &Node) -> Result<Rewrite>,
    ) -> Result<FunctionGraph> {
        let needed = self.needed();
        let mut graph = Graph::new(self.graph.name());
        let mut map: Vec<SmallVec<[Endpoint; 1]>> = vec![SmallVec::new(); needed.len()];
        for (id, node) in self.graph.node_ids().zip(self.graph.nodes()) {
            let is_input = self.inputs.contains(&id);
            if !needed[id.index()] && !is_input {
                continue;
            }
            let mut node = node.clone();
            for e in &mut node.inputs {
                *e = map[e.node.index()][e.output as usize];
            }
            // A control input whose node was replaced by pure nodes orders nothing any more.
            node.control_inputs = node
                .control_inputs
                .iter()
                .filter_map(|c| Some(map[c.index()].first()?.node))
                .collect();
            let rewrite = if is_input { Rewrite::Keep } else { pass(&mut graph, &node)? };
            map[id.index()] = match rewrite {
                Rewrite::Replace(endpoints) => endpoints,
                Rewrite::Keep => {
                    let count = node.outputs.len().max(1) as u32;
                    let node = graph.push(node);
                    (0..count).map(|output| Endpoint { node, output }).collect()
                }
            };
        }
        let node = |n: &NodeId| map[n.index()][0].node;
        Ok(FunctionGraph {
            name: self.name.clone(),
            inputs: self.inputs.iter().map(node).collect(),
            num_arguments: self.num_arguments,
            outputs: self.outputs.iter().map(|e| map[e.node.index()][e.output as usize]).collect(),
            must_run: self.must_run.iter().map(node).collect(),
            graph,
        })
    }
}
