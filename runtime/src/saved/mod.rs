//! Models that TensorFlow saved, and graphs in its files.
//!
//! [`load`] reads a SavedModel. Its functions run, and can be differentiated, as those that are traced here; its variables
//! can be read, assigned and trained.
//!
//! Files are read within limits ([`LoadOptions`]). Damaged files are errors.

mod graphs;
mod load;
mod save;
mod tensors;

use extype_formats::proto::{self, Message as _};

pub use self::load::{LoadOptions, SavedFunction, SavedModel, Signature, load, load_with};
pub use self::save::Export;
use self::tensors::Room;
use crate::ir::def::GraphDef;
use crate::types::{Error, Result};

/// The graph in the bytes of a file, such as a frozen graph.
///
/// TensorFlow: `GraphDef.FromString`.
///
/// Gradients that functions are registered with, and where nodes were made, are left out.
///
/// # Errors
/// `DataLoss` for bytes that are no graph, and `Unimplemented`, naming the node, for dtypes that this library does not have.
///
/// ```
/// use extype::prelude::*;
/// use extype::saved::{decode_graph, encode_graph};
/// let f = function(|x: &Tensor| x.square()).concrete(&TensorSpec::of::<f32>([2]))?;
/// let def = f.graph().to_graph_def()?;
/// assert_eq!(decode_graph(&encode_graph(&def)?)?, def);
/// # Ok::<(), Error>(())
/// ```
pub fn decode_graph(bytes: &[u8]) -> Result<GraphDef> {
    let message = proto::decode(bytes, "the graph").map_err(Error::of_file)?;
    graphs::graph(message, &Room::new(LoadOptions::default().expanded_bytes))
}

/// A graph as the bytes of a file. Equal graphs are equal bytes.
///
/// TensorFlow: `GraphDef.SerializeToString`.
///
/// # Errors
/// `Unimplemented`, naming the node, for constants of handles and variants.
pub fn encode_graph(graph: &GraphDef) -> Result<Vec<u8>> {
    Ok(graphs::graph_message(graph)?.encode_to_vec())
}
