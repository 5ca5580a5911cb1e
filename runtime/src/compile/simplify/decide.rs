//! Conditionals whose condition is known.

use smallvec::SmallVec;

use crate::ir::{Endpoint, Graph, Kernel, Node};
use crate::types::Result;

/// Replaces a conditional with a constant condition by the branch it picks. An invalid condition is left to
/// fail at run time.
pub(super) fn decide(graph: &mut Graph, node: &Node) -> Result<Option<SmallVec<[Endpoint; 1]>>> {
    let Kernel::Branch(branching) = node.op.kernel else { return Ok(None) };
    let value = node.inputs.first().and_then(|e| graph.node(e.node).constant());
    let Some(value) = value else { return Ok(None) };
    let branches = (branching.branches)(&node.attrs)?;
    let Ok(picked) = branching.picked(value, branches.len()) else { return Ok(None) };
    match branches[picked].graph().filter(|b| b.inputs.len() + 1 == node.inputs.len()) {
        Some(branch) => graph.splice(branch, &node.inputs[1..], node, node.within.clone()),
        None => Ok(None),
    }
}
