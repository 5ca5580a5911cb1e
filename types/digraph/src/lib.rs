//! Directed graphs with numbers at their nodes and edges.
//!
//! A [`Digraph`] holds the features of nodes, the features of edges, and the two ends of each edge. Messages go along
//! edges and meet at nodes ([`pass`](Digraph::pass)), so what is computed costs as much as there are edges. A batch of
//! graphs is their disjoint union: one graph, that knows how many nodes and edges each part has
//! ([`stack_values`](extype::spec::stack_values)). [`GraphConvolution`] is a layer that learns.
//!
//! ```
//! use extype::prelude::*;
//! use extype::spec::stack_values;
//! use extype_digraph::Digraph;
//!
//! // 0 → 1 → 2, and 0 → 2 with weight 10.
//! let g = Digraph::new([1.0f32, 2.0, 3.0], [1.0f32, 1.0, 10.0], [[0i64, 1], [1, 2], [0, 2]])?;
//! assert_eq!(g.in_degrees()?.as_slice::<i64>()?, &[0, 1, 2]);
//! let messages = ops::mul(&g.edges, &g.at_sources(&g.nodes)?)?;
//! assert_eq!(g.pass(&messages)?.as_slice::<f32>()?, &[0.0, 1.0, 12.0]);
//! // Two graphs are one with twice the nodes.
//! let both = stack_values(&[g.clone(), g])?;
//! assert_eq!(both.pool_sum(&both.nodes)?.as_slice::<f32>()?, &[6.0, 6.0]);
//! # Ok::<(), Error>(())
//! ```

mod convolution;
mod graph;
mod stack;

pub use convolution::GraphConvolution;
pub use graph::{Digraph, DigraphSpec};
