//! Simplification: constants are folded, copies and dead nodes dropped.

use smallvec::SmallVec;

use crate::array::Array;
use crate::graph::{CONST, Endpoint, FunctionGraph, Graph, Node, Rewrite, Use, Visit};
use crate::op::{Effect, Kernel};
use crate::types::Result;

/// Results of folding with more bytes than this stay computed at run time.
const MAX_FOLDED: usize = 1 << 20;

/// The graph without what can be known or dropped before it runs.
pub(crate) fn simplify(function: &FunctionGraph) -> Result<FunctionGraph> {
    function.rewrite(|graph, visit| {
        let node = visit.node;
        if is_only_awaited(&visit) {
            return Ok(Rewrite::Drop);
        }
        if matches!(node.op.kernel, Kernel::Pass) && node.control_inputs.is_empty() {
            return Ok(Rewrite::Replace(node.inputs.iter().copied().take(1).collect()));
        }
        Ok(match fold(graph, node) {
            Some(endpoints) => Rewrite::Replace(endpoints),
            None => Rewrite::Keep,
        })
    })
}

/// True if nobody uses what a pure node computes; some node only waits for it.
fn is_only_awaited(visit: &Visit<'_>) -> bool {
    let is_awaited = |by: &Use| matches!(by, Use::Control(_));
    visit.node.effect() == Effect::Pure && visit.uses().iter().all(is_awaited)
}

/// Computes a pure node whose inputs are constants. An error in it is left to the run.
fn fold(graph: &mut Graph, node: &Node) -> Option<SmallVec<[Endpoint; 1]>> {
    let foldable = node.op != &CONST
        && !node.inputs.is_empty()
        && node.control_inputs.is_empty()
        && node.effect() == Effect::Pure;
    if !foldable {
        return None;
    }
    let outputs = {
        let constant = |e: &Endpoint| graph.node(e.node).constant();
        let inputs: SmallVec<[&Array; 4]> =
            node.inputs.iter().map(constant).collect::<Option<_>>()?;
        node.op.run(&inputs, &node.attrs).ok()?
    };
    let bytes = |a: &Array| a.len() * a.dtype().size().unwrap_or(64);
    if outputs.iter().map(bytes).sum::<usize>() > MAX_FOLDED {
        return None;
    }
    Some(outputs.into_iter().map(|value| graph.add_constant(value)).collect())
}
