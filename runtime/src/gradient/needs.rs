//! Forward values that a backward function takes, and which of them can be left out.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Attrs, DTYPE, Endpoint, FunctionGraph, Node, NodeId, Rewrite, SHAPE, Use};
use crate::ops::{NamedOp, ShapeOf};
use crate::types::{DType, Result};

/// A backward function, and the values it takes after the cotangents.
pub(super) struct Lean {
    pub(super) function: FunctionGraph,
    /// Values of the original graph.
    pub(super) needs: Vec<Endpoint>,
    /// Values for which the shape, in this dtype, would be enough; the original graph does not compute that shape yet.
    pub(super) shapes: Vec<(Endpoint, DType)>,
}

/// The dtype of a `ShapeOf` node, the op by which rules get sizes; `None` for other ops.
fn shape_dtype(node: &Node) -> Option<DType> {
    (node.op == ShapeOf::DEF).then(|| node.outputs[0].dtype)
}

/// Adds a node that computes the shape of a value.
pub(super) fn add_shape(function: &mut FunctionGraph, e: Endpoint, dtype: DType) -> Result<()> {
    let attrs = Attrs::new().with(ShapeOf::OUT_TYPE, &dtype);
    function.graph.add(ShapeOf::DEF, attrs, [e].into_iter().collect(), None).map(|_| ())
}

/// Drops the unused captures of a backward function of `original`; `needs` are the values that its last inputs take.
/// If only the shape of a value is used and `original` computes that shape, the function takes the shape instead.
/// So loops and functions do not keep values that their gradient does not use. A `partial` function is one of several
/// for the same `original`, and takes only what is kept for all: the shape if that is a result, otherwise the value.
pub(super) fn lean(
    mut function: FunctionGraph,
    needs: Vec<Endpoint>,
    original: &FunctionGraph,
    partial: bool,
) -> Result<Lean> {
    let graph = &original.graph;
    let shape = |id: NodeId| {
        let node = graph.node(id);
        let dtype = shape_dtype(node)?;
        let shape = Endpoint { node: id, output: 0 };
        let there = !partial || original.outputs.contains(&shape);
        there.then_some(((node.inputs[0], dtype), shape))
    };
    let shapes_there: FxHashMap<(Endpoint, DType), Endpoint> =
        graph.node_ids().filter_map(shape).collect();
    let (needed, uses) = (function.needed(), function.uses());
    let captured = function.inputs.split_off(function.inputs.len() - needs.len());
    let (mut kept, mut shapes) = (Vec::new(), Vec::new());
    let mut are_shapes: FxHashSet<NodeId> = FxHashSet::default();
    for (placeholder, e) in captured.into_iter().zip(needs) {
        let used = uses.of(placeholder).iter().filter(|used| match used {
            Use::Input(node, _) | Use::Control(node) => needed[node.index()],
            _ => true,
        });
        let of_shape = |used: &Use| match used {
            Use::Input(node, _) => shape_dtype(function.graph.node(*node)),
            _ => None,
        };
        let used: Vec<Option<DType>> = used.map(of_shape).collect();
        let Some(first) = used.first() else { continue };
        function.inputs.push(placeholder);
        // Inputs of the original are available anyway, so they are not replaced by shapes.
        let dtype = first.filter(|_| used.iter().all(|other| other == first));
        let Some(dtype) = dtype.filter(|_| !original.inputs.contains(&e.node)) else {
            kept.push(e);
            continue;
        };
        if let Some(shape) = shapes_there.get(&(e, dtype)) {
            let ty = graph.output_type(*shape).clone();
            let node = function.graph.node_mut(placeholder);
            node.attrs = node.attrs.clone().with(DTYPE, &ty.dtype).with(SHAPE, &ty.shape);
            node.outputs = [ty].into_iter().collect();
            are_shapes.insert(placeholder);
            kept.push(*shape);
        } else {
            kept.push(e);
            if !partial {
                shapes.push((e, dtype));
            }
        }
    }
    let function = function.rewrite(|_, visit| {
        let of = function.graph.node(visit.id).inputs.first();
        match of.is_some_and(|e| are_shapes.contains(&e.node)) {
            true => Ok(Rewrite::Replace(visit.node.inputs.iter().copied().collect())),
            false => Ok(Rewrite::Keep),
        }
    })?;
    Ok(Lean { function, needs: kept, shapes })
}
