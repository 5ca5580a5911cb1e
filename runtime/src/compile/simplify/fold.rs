//! Nodes whose results are known before the run.

use smallvec::{SmallVec, smallvec};

use crate::array::{Array, Dims};
use crate::ir::{CONST, Effect, Endpoint, Graph, Kernel, Node};
use crate::ops::{NamedOp as _, Rank, ShapeOf, Size};
use crate::types::{DType, TensorType};

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
        && node.effect() == Effect::Pure;
    if !foldable {
        return None;
    }
    if let Some(sizes) = sizes(graph, node) {
        return Some([graph.add_constant(sizes)].into());
    }
    let bytes = |ty: &TensorType| {
        ty.shape.num_elements().unwrap_or(0).saturating_mul(ty.dtype.size().unwrap_or(0))
    };
    if node.outputs.iter().map(bytes).fold(0, usize::saturating_add) > most {
        return None;
    }
    let outputs = {
        let constant = |e: &Endpoint| graph.node(e.node).constant();
        let inputs: SmallVec<[&Array; 4]> =
            node.inputs.iter().map(constant).collect::<Option<_>>()?;
        node.op.run(&inputs, &node.attrs).ok()?
    };
    let bytes = |a: &Array| a.len() * a.dtype().size().unwrap_or(64);
    if outputs.iter().map(bytes).sum::<usize>() > most {
        return None;
    }
    Some(outputs.into_iter().map(|value| graph.add_constant(value)).collect())
}

/// The result of an op that asks for sizes, if they are known.
fn sizes(graph: &Graph, node: &Node) -> Option<Array> {
    let sizes = || graph.output_type(*node.inputs.first()?).shape.sizes();
    let values: Dims = match node.op {
        op if op == ShapeOf::DEF => sizes()?,
        op if op == Size::DEF => {
            smallvec![sizes()?.iter().try_fold(1usize, |n, size| n.checked_mul(*size))?]
        }
        op if op == Rank::DEF => smallvec![sizes()?.len()],
        _ => return None,
    };
    let is_vector = node.op == ShapeOf::DEF;
    let dims = if is_vector { &[values.len()][..] } else { &[] };
    let array = match node.outputs[0].dtype {
        DType::I32 => {
            let small: Option<Vec<i32>> = values.iter().map(|n| i32::try_from(*n).ok()).collect();
            Array::from_slice(dims, &small?)
        }
        DType::I64 => {
            Array::from_slice(dims, &values.iter().map(|n| *n as i64).collect::<Vec<_>>())
        }
        // The kernel refuses other types.
        _ => return None,
    };
    array.ok()
}
