//! Nodes of ops that are made of other ops here: those ops stand in their place.

use crate::function::{flat, trace};
use crate::ir::{Attrs, FunctionGraph, OpDef, Rewrite, find_op};
use crate::spec::{AnySpec, LeafIter, TensorSpec};
use crate::tensor::{Tensor, execute};
use crate::types::{Result, err};

/// True if the nodes of the op are replaced by what it is made of.
pub(super) fn is_expandable(op: &OpDef) -> bool {
    op.is_compound() && matches!(op.outputs, [one] if !one.list)
}

/// The graph with the ops of compounds in place of them.
pub(super) fn expanded(graph: FunctionGraph) -> Result<FunctionGraph> {
    let compound = |name: &str| find_op(name).ok().filter(|op| is_expandable(op));
    let nodes = graph.graph.nodes();
    if !nodes.iter().any(|n| n.is_unknown() && compound(n.op_name()).is_some()) {
        return Ok(graph);
    }
    let name = graph.name.clone();
    graph.rewrite(|graph, visit| {
        let node = visit.node;
        let op = if node.is_unknown() { compound(node.op_name()) } else { None };
        let Some(op) = op else {
            // More may be known than was guessed of the results of the compounds.
            return Ok(graph.inferred(node).map_or(Rewrite::Keep, Rewrite::Typed));
        };
        let types = node.inputs.iter().map(|e| graph.output_type(*e));
        let specs = types.map(|t| AnySpec::Tensor(TensorSpec::new(&t.shape, t.dtype)));
        let specs: Vec<AnySpec> = specs.collect();
        let mut body = || {
            let attrs = attributes(op, &node.attrs)?;
            let traced = trace(op.name, &[], &specs, &[], &mut |leaves: &mut LeafIter| {
                let inputs = (0..specs.len()).map(|_| leaves.take()).collect::<Result<Vec<_>>>()?;
                let outputs = execute(op, attrs.clone(), &inputs.iter().collect::<Vec<&Tensor>>())?;
                flat(outputs.into_iter().next().ok_or_else(|| err!(Internal, "no result"))?)
            })?;
            graph.splice(&traced.graph, &node.inputs, node, None)
        };
        let shown = node.name.as_deref().unwrap_or(op.name);
        let made = body().map_err(|e| e.prefixed(format!("function `{name}`: node `{shown}`")))?;
        Ok(made.map_or(Rewrite::Keep, Rewrite::Replace))
    })
}

/// The attributes that the op has, without those that its inputs tell.
fn attributes(op: &OpDef, given: &Attrs) -> Result<Attrs> {
    let mut attrs = Attrs::new();
    for attr in op.attrs.iter().filter(|attr| !attr.told) {
        match (given.value(attr.name), attr.default) {
            (Some(value), _) => attrs.set(attr.name, value.clone()),
            (None, Some(default)) => attrs.set(attr.name, default()),
            (None, None) => return Err(err!("attribute `{}` is missing", attr.name)),
        }
    }
    Ok(attrs)
}
