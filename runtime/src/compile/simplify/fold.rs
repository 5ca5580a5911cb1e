//! Nodes whose results are known before the run.

use smallvec::SmallVec;

use crate::array::Array;
use crate::device::{leaves_host, named};
use crate::ir::{CONST, Effect, Endpoint, Graph, Kernel, Node};
use crate::ops::{NamedOp as _, Rank, ShapeOf, Size, sizes_as};
use crate::tensor::on;
use crate::types::TensorType;

/// Computes a pure node whose inputs are constants, or that asks for known sizes. A node that fails is left to run
/// time, and so are loops, which may be long.
pub(in crate::compile) fn fold(
    graph: &mut Graph,
    node: &Node,
    most: usize,
) -> Option<SmallVec<[Endpoint; 1]>> {
    let foldable = node.op != &CONST
        && !matches!(node.op.kernel, Kernel::Loop(_))
        && node.control_inputs.is_empty()
        && !leaves_host(node.device.as_deref())
        && node.effect() == Effect::Pure;
    if !foldable {
        return None;
    }
    // The result lies where the node would have put it, whoever compiles the graph.
    let device = node.device.as_deref().map(named).transpose().ok()?;
    let _scope = on(device.unwrap_or_default());
    if let Some(sizes) = sizes(graph, node) {
        return Some([graph.add_constant(sizes)].into());
    }
    // What is known to be large is not computed.
    let few = |bytes: &mut dyn Iterator<Item = usize>| bytes.fold(0, usize::saturating_add) <= most;
    if !few(&mut node.outputs.iter().map(bytes)) {
        return None;
    }
    let outputs = {
        let constant = |e: &Endpoint| graph.node(e.node).constant();
        let inputs: SmallVec<[&Array; 4]> =
            node.inputs.iter().map(constant).collect::<Option<_>>()?;
        node.op.run(&inputs, &node.attrs).ok()?
    };
    if !few(&mut outputs.iter().map(|x| bytes(&x.tensor_type()))) {
        return None;
    }
    Some(outputs.into_iter().map(|value| graph.add_constant(value)).collect())
}

/// The bytes of a value, as far as its type tells them. Those of a string are guessed.
fn bytes(ty: &TensorType) -> usize {
    ty.shape.num_elements().unwrap_or(0).saturating_mul(ty.dtype.size().unwrap_or(64))
}

/// The result of an op that asks for sizes, if they are known. The kernel refuses what is no result.
fn sizes(graph: &Graph, node: &Node) -> Option<Array> {
    let asks = [ShapeOf::DEF, Size::DEF, Rank::DEF].contains(&node.op);
    let sizes = graph.output_type(*node.inputs.first().filter(|_| asks)?).shape.sizes()?;
    let dtype = node.outputs[0].dtype;
    match node.op {
        op if op == ShapeOf::DEF => sizes_as(dtype, [sizes.len()], &sizes),
        op if op == Rank::DEF => sizes_as(dtype, [], &[sizes.len()]),
        _ => sizes_as(dtype, [], &[sizes.iter().try_fold(1usize, |n, size| n.checked_mul(*size))?]),
    }
    .ok()
}
