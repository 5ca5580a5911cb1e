//! The intermediate representation: ops, graphs whose nodes are ops, and functions, which are graphs that
//! nodes call.
//!
//! The three need each other: a node has an op, a function has a graph, and an attribute of a node may be a
//! function. Names, arguments and attributes are those of TensorFlow's `GraphDef`, so that graphs can be
//! exchanged ([`def`]). Nothing here knows tensors: ops take and return arrays and types, and the tensor floor
//! decides when a node is added.

mod function;
mod graph;
mod op;

pub use function::*;
pub use graph::*;
pub use op::*;
