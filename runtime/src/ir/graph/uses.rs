//! An index of the uses of each node.

use super::{FunctionGraph, NodeId};

/// One use of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Use {
    /// A result of the node is this input of another node.
    Input(NodeId, u32),
    /// Another node has it as a control input.
    Control(NodeId),
    /// A result of the node is this result of the function.
    Result(u32),
    /// The function runs it in any case.
    MustRun,
}

/// The uses of all nodes of a function.
#[derive(Clone, Debug)]
pub struct Uses {
    /// The start of each node's uses, and finally the end of the last node's.
    starts: Vec<u32>,
    uses: Vec<Use>,
}

impl Uses {
    /// The uses of a node: by nodes in their order, then by the function.
    ///
    /// # Panics
    /// If the node is of another graph and past the end.
    ///
    /// ```
    /// use extype::ir::Use;
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::mul(x, x)).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let (graph, uses) = (f.graph(), f.graph().uses());
    /// let product = graph.outputs[0].node;
    /// assert_eq!(uses.of(graph.inputs[0]), &[Use::Input(product, 0), Use::Input(product, 1)]);
    /// assert_eq!(uses.of(product), &[Use::Result(0)]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn of(&self, node: NodeId) -> &[Use] {
        let i = node.index();
        &self.uses[self.starts[i] as usize..self.starts[i + 1] as usize]
    }
}

impl FunctionGraph {
    /// The uses of each node.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| { let _unused = x.exp()?; x.square() });
    /// let f = f.concrete(&TensorSpec::of::<f32>([2]))?;
    /// let (graph, uses) = (&f.graph().graph, f.graph().uses());
    /// let unused: Vec<&str> =
    ///     graph.node_ids().filter(|n| uses.of(*n).is_empty()).map(|n| graph.node(n).op_name()).collect();
    /// assert_eq!(unused, ["Exp"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn uses(&self) -> Uses {
        let mut starts = vec![0u32; self.graph.nodes().len() + 1];
        self.each_use(|node, _| starts[node.index() + 1] += 1);
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut uses = vec![Use::MustRun; starts.last().map_or(0, |n| *n as usize)];
        self.each_use(|node, by| {
            let at = &mut next[node.index()];
            uses[*at as usize] = by;
            *at += 1;
        });
        Uses { starts, uses }
    }

    fn each_use(&self, mut found: impl FnMut(NodeId, Use)) {
        for (id, node) in self.graph.node_ids().zip(self.graph.nodes()) {
            for (i, e) in node.inputs.iter().enumerate() {
                found(e.node, Use::Input(id, i as u32));
            }
            node.control_inputs.iter().for_each(|c| found(*c, Use::Control(id)));
        }
        for (i, e) in self.outputs.iter().enumerate() {
            found(e.node, Use::Result(i as u32));
        }
        self.must_run.iter().for_each(|n| found(*n, Use::MustRun));
    }
}
