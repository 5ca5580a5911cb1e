//! Compiles graphs to programs: simplify, plan, run.
//!
//! A `FunctionGraph` becomes a `Program`: a flat list of instructions over slots, each of which is
//! freed after its last use. The graph stays as it was traced, for people, tools and export.

mod bounds;
mod function;
mod fuse;
mod instruction;
mod memory;
mod profile;
mod program;
mod registers;
mod shapes;
mod simplify;
mod text;

pub use bounds::Bounds;
pub(crate) use function::{profile, run};
pub use profile::{Profile, ProfiledStep};
use program::Program;
use registers::RegisterLoop;
use shapes::Shapes;
use simplify::{MAX_FOLDED, Simplified, simplify};
pub(crate) use text::{passes, text};

use crate::ir::{Endpoint, Graph, OpDef};
use crate::ops::{ExpandDims, NamedOp as _, Reshape, Squeeze};
use crate::types::TensorType;

/// The ops whose result has the elements of the first operand in the same order.
const RESHAPES: [&OpDef; 3] = [Reshape::DEF, ExpandDims::DEF, Squeeze::DEF];

/// The bytes of an array of this type, if the type determines them.
fn bytes_of(ty: &TensorType) -> Option<usize> {
    ty.shape.num_elements()?.checked_mul(ty.dtype.size()?)
}

/// True if inference may learn more about an input at run time: a size, or the value of an integer.
fn is_open(graph: &Graph, e: Endpoint) -> bool {
    let ty = graph.output_type(e);
    let is_constant = graph.node(e.node).constant().is_some();
    !is_constant && (ty.dtype.is_integer() || !ty.shape.is_fully_defined())
}
