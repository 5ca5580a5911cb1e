//! Conditionals whose condition is known.

use smallvec::SmallVec;

use crate::ir::{Endpoint, Graph, Kernel, Node, Types};
use crate::types::{Error, Result, TensorType};

/// Replaces a conditional with a constant condition by the branch it picks. An invalid condition is left to
/// fail at run time.
pub(super) fn decide(graph: &mut Graph, node: &Node) -> Result<Option<SmallVec<[Endpoint; 1]>>> {
    let Kernel::Branch(branching) = node.op.kernel else { return Ok(None) };
    let value = node.inputs.first().and_then(|e| graph.node(e.node).constant());
    let Some(value) = value else { return Ok(None) };
    let branches = (branching.branches)(&node.attrs)?;
    let Ok(picked) = branching.picked(value, branches.len()) else { return Ok(None) };
    let branch = branches[picked].graph();
    let Some(branch) = branch.filter(|b| b.inputs.len() + 1 == node.inputs.len()) else {
        return Ok(None);
    };
    let needed = branch.needed();
    let mut map = vec![None; needed.len()];
    for (input, given) in branch.inputs.iter().zip(&node.inputs[1..]) {
        map[input.index()] = Some(*given);
    }
    for (id, own) in branch.graph.node_ids().zip(branch.graph.nodes()) {
        if !needed[id.index()] || map[id.index()].is_some() {
            continue;
        }
        let mut copy = own.clone();
        for e in &mut copy.inputs {
            *e = mapped(&map, *e)?;
        }
        // The inputs may be of narrower types here, which the op may refuse: then the branch is called and tells.
        match inferred(graph, &copy) {
            Ok(types) => copy.outputs = types,
            Err(_) => return Ok(None),
        }
        // Control edges onto the branch's inputs impose no order: drop them.
        let before = own.control_inputs.iter().filter(|n| !branch.inputs.contains(n));
        copy.control_inputs = before.filter_map(|n| Some(map[n.index()]?.node)).collect();
        map[id.index()] = Some(Endpoint { node: graph.push(copy), output: 0 });
    }
    branch.outputs.iter().map(|e| mapped(&map, *e)).collect::<Result<_>>().map(Some)
}

/// The types of a node's results: what was known, and what its inputs tell. Functions that it calls are not looked into.
///
/// # Errors
/// What the op refuses.
pub(in crate::compile) fn inferred(graph: &Graph, node: &Node) -> Result<Types> {
    if node.is_unknown() || node.callees().next().is_some() {
        return Ok(node.outputs.clone());
    }
    let types = graph.operands(&node.inputs).infer(node.op, &node.attrs)?;
    if types.len() != node.outputs.len() {
        return Err(Error::internal("another number of results"));
    }
    let merged =
        node.outputs.iter().zip(&types).map(|(old, new)| {
            Ok(TensorType { shape: old.shape.merge(&new.shape)?, ..old.clone() })
        });
    merged.collect()
}

/// The endpoint of an output of a copied node.
fn mapped(map: &[Option<Endpoint>], e: Endpoint) -> Result<Endpoint> {
    let first = map[e.node.index()].ok_or_else(|| Error::internal("a node is used before it"))?;
    Ok(Endpoint { node: first.node, output: first.output + e.output })
}
