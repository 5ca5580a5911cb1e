//! Programs for the shapes that a function is called with.
//!
//! A function whose inputs have unknown sizes gets a program for each of the first shapes that it is called with. There,
//! sizes are constants, and ops on one shape are fused. Calls with other shapes run the general program.

use std::sync::OnceLock;

use super::Program;
use super::simplify::{fold, simplify};
use crate::array::{Array, Dims};
use crate::ir::{FunctionGraph, Graph, Node, Rewrite, Types};
use crate::types::{Result, TensorType};

/// The most shapes with programs of their own.
const MOST_SHAPES: usize = 16;

/// The programs for shapes, in the order of their first calls. They stay as long as the function.
#[derive(Default)]
pub(super) struct Shapes(OnceLock<Box<Planned>>);

struct Planned {
    dims: Vec<Dims>,
    /// `None` if the types can't be inferred for these shapes: the general program tells what is wrong.
    program: Option<Program>,
    next: Shapes,
}

impl Shapes {
    /// The program for these inputs, made at the first call; `None` if the general program serves.
    pub(super) fn program(&self, function: &FunctionGraph, inputs: &[&Array]) -> Option<&Program> {
        let mut shapes = self;
        for _ in 0..MOST_SHAPES {
            if shapes.0.get().is_none() {
                // Not `get_or_init`: folding runs kernels. Of two programs made at once, one is kept.
                let _ = shapes.0.set(Box::new(Planned::new(function, inputs)));
            }
            let planned = shapes.0.get()?;
            if planned.dims.iter().zip(inputs).all(|(dims, x)| x.dims() == &dims[..]) {
                return planned.program.as_ref();
            }
            shapes = &planned.next;
        }
        None
    }
}

impl Planned {
    fn new(function: &FunctionGraph, inputs: &[&Array]) -> Self {
        let types = inputs.iter().map(|x| x.tensor_type());
        let program = specialized(function, types).map(|graph| Program::new(&graph)).ok();
        let dims = inputs.iter().map(|x| Dims::from_slice(x.dims())).collect();
        Self { dims, program, next: Shapes::default() }
    }
}

/// The simplified function for inputs of these types, which its own types allow.
fn specialized(
    function: &FunctionGraph,
    inputs: impl Iterator<Item = TensorType>,
) -> Result<FunctionGraph> {
    let mut narrowed = function.clone();
    for (id, ty) in function.inputs.iter().zip(inputs) {
        narrowed.graph.node_mut(*id).outputs = [ty].into();
    }
    let inferred = narrowed.rewrite(|graph, visit| {
        if let Some(endpoints) = fold(graph, visit.node) {
            return Ok(Rewrite::Replace(endpoints));
        }
        inferred(graph, visit.node).map(|types| types.map_or(Rewrite::Keep, Rewrite::Typed))
    })?;
    simplify(&inferred)
}

/// What is known now of the types of a node's results, if more than before. Functions that a node calls are not looked
/// into: they get programs of their own.
fn inferred(graph: &Graph, node: &Node) -> Result<Option<Types>> {
    let known = node.outputs.iter().all(|ty| ty.shape.is_fully_defined());
    if known || node.is_unknown() || node.callees().next().is_some() {
        return Ok(None);
    }
    let types = graph.operands(&node.inputs).infer(node.op, &node.attrs)?;
    let merged =
        node.outputs.iter().zip(&types).map(|(old, new)| {
            Ok(TensorType { shape: old.shape.merge(&new.shape)?, ..old.clone() })
        });
    merged.collect::<Result<Types>>().map(Some)
}
