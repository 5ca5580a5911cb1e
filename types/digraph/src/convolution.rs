//! A layer that learns.

use extype::prelude::*;
use extype::train::Initializer;

use crate::Digraph;

/// The convolution of a graph: features of nodes are spread along the edges and mapped linearly, so that each node gets
/// `outputs` numbers from its own features and those of its neighbours (Kipf and Welling, 2017).
///
/// ```
/// use extype::prelude::*;
/// use extype_digraph::{Digraph, GraphConvolution};
/// let g = Digraph::new(ops::eye(3, f32)?, [1.0f32, 1.0], [[0i64, 1], [1, 2]])?.both_ways()?;
/// let layer = GraphConvolution::new(3, 2, 7)?;
/// assert_eq!(layer.call(&g)?.shape(), shape![3, 2]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Module)]
pub struct GraphConvolution {
    /// The linear map: `[inputs, outputs]`.
    pub kernel: Variable,
    /// What is added: `[outputs]`.
    pub bias: Variable,
}

impl GraphConvolution {
    /// A layer of float32 with random weights that this seed gives.
    ///
    /// # Errors
    /// `InvalidArgument` for sizes that no memory holds.
    pub fn new(inputs: usize, outputs: usize, seed: i64) -> Result<Self> {
        let kernel = Initializer::glorot_uniform().seed(seed).variable([inputs, outputs], f32)?;
        let bias = Initializer::zeros().variable([outputs], f32)?;
        Ok(Self { kernel: kernel.name("kernel"), bias: bias.name("bias") })
    }

    /// The new features of the nodes: `[n, outputs]`. Edges go both ways as a rule ([`Digraph::both_ways`]).
    ///
    /// # Errors
    /// `InvalidArgument` for nodes with another number of features.
    pub fn call(&self, graph: &Digraph) -> Result<Tensor> {
        let mapped = graph.nodes.matmul(self.kernel.read()?)?;
        ops::add(&graph.spread(&mapped)?, self.bias.read()?)
    }
}
