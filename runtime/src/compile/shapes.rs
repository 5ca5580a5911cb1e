//! Programs for the shapes that a function is called with.
//!
//! A function whose inputs have unknown sizes gets a program for each of the first shapes that it is called with. There,
//! sizes are constants, and ops on one shape are fused. Calls with other shapes run the general program.

use std::sync::OnceLock;

use super::Program;
use super::simplify::{fold, simplify};
use crate::array::{Array, Dims};
use crate::ir::{Endpoint, FunctionGraph, Graph, LibraryFunction, Rewrite};
use crate::types::{Result, TensorType};

/// The most shapes with programs of their own.
const MOST_SHAPES: usize = 16;

/// The most bytes of a result that is computed in advance: sizes and indices, not data, since each program keeps its own.
const MOST_FOLDED: usize = 1 << 12;

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
    pub(super) fn program(
        &self,
        f: &LibraryFunction,
        simplified: &FunctionGraph,
        inputs: &[&Array],
    ) -> Option<&Program> {
        let mut shapes = self;
        for _ in 0..MOST_SHAPES {
            if shapes.0.get().is_none() {
                // Not `get_or_init`: folding runs kernels. Of two programs made at once, one is kept.
                let _ = shapes.0.set(Box::new(Planned::new(f, simplified, inputs)));
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
    fn new(f: &LibraryFunction, simplified: &FunctionGraph, inputs: &[&Array]) -> Self {
        let types = inputs.iter().map(|x| x.tensor_type());
        let title = || {
            let types: Vec<String> = types.clone().map(|ty| ty.to_string()).collect();
            format!("# planned for {}", types.join(", "))
        };
        let program = specialized(simplified, types.clone())
            .and_then(|graph| Program::new(&graph).dumped(&title(), f, &graph, 0));
        let dims = inputs.iter().map(|x| Dims::from_slice(x.dims())).collect();
        Self { dims, program: program.ok(), next: Shapes::default() }
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
    let narrowed = narrowed.rewrite(|graph, visit| {
        if let Some(endpoints) = fold(graph, visit.node, MOST_FOLDED) {
            return Ok(Rewrite::Replace(endpoints));
        }
        let before = &function.graph.node(visit.id).inputs;
        let told = |(old, new): (&Endpoint, &Endpoint)| {
            let is_constant = |graph: &Graph, e: &Endpoint| graph.node(e.node).constant().is_some();
            function.graph.output_type(*old) != graph.output_type(*new)
                || is_constant(&function.graph, old) != is_constant(graph, new)
        };
        // Also if all types are known: the op may refuse what it could not see while it was traced.
        match before.iter().zip(&visit.node.inputs).any(told) {
            true => graph.inferred(visit.node).map(Rewrite::Typed),
            false => Ok(Rewrite::Keep),
        }
    })?;
    simplify(&narrowed, MOST_FOLDED).map(|simplified| simplified.graph)
}
