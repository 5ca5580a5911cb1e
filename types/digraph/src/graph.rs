//! The graph: what it is made of, and what goes along its edges.

use std::fmt;

use extype::prelude::*;

/// Nodes and edges with features, and the ends of each edge; or several graphs as one.
///
/// `node_counts` and `edge_counts` tell how nodes and edges belong to graphs: scalars for one graph, `[g]` for a batch
/// of `g`, of which the nodes and edges stand one after the other, and `[h, g]` for a batch of batches. Ends count nodes
/// of all. Results of the functions of nodes and edges are plain tensors, with a row for each.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "digraph.Digraph", constructor = none, validate, stackable)]
pub struct Digraph {
    /// A row of features for each node: `[n, …]`.
    #[extension_type(shape = [..])]
    pub nodes: Tensor,
    /// A row of features for each edge: `[e, …]`.
    #[extension_type(shape = [..])]
    pub edges: Tensor,
    /// The nodes from which and to which each edge goes: int64 `[e, 2]`.
    pub ends: Tensor,
    /// How many nodes each graph has: an int64 scalar for one graph.
    pub node_counts: Tensor,
    /// How many edges each graph has.
    pub edge_counts: Tensor,
}

impl Validate for Digraph {
    /// What a trace does not know yet passes.
    fn validate(&self) -> Result<()> {
        extype::ensure_dtype!(self.ends, i64).map_err(|e| e.prefixed("`ends`"))?;
        let nodes = self.nodes.shape().with_rank_at_least(1).map_err(|e| e.prefixed("`nodes`"))?;
        let edges = self.edges.shape().with_rank_at_least(1).map_err(|e| e.prefixed("`edges`"))?;
        let ends = self.ends.shape().with_rank(2).map_err(|e| e.prefixed("`ends`"))?;
        if !ends.is_compatible_with(&[edges.dim(0)?, Dim::from(2)].into_iter().collect()) {
            let e = edges.dim(0)?;
            return Err(Error::invalid(format!(
                "{e} edges, but `ends` of shape {ends}; [{e}, 2] is wanted"
            )));
        }
        let (Some(n), Ok(ends)) = (nodes.dim(0)?.size(), self.ends.as_slice::<i64>()) else {
            return Ok(());
        };
        let outside = |end: &i64| !usize::try_from(*end).is_ok_and(|i| i < n);
        match ends.chunks_exact(2).enumerate().find(|(_, ends)| ends.iter().any(outside)) {
            Some((i, ends)) => {
                let (from, to) = (ends[0], ends[1]);
                Err(Error::invalid(format!(
                    "edge {i} goes from {from} to {to}, but there are {n} nodes"
                )))
            }
            None => Ok(()),
        }
    }
}

impl Digraph {
    /// A graph of nodes `[n, …]` and edges `[e, …]` that go from and to the nodes that `ends`, int64 `[e, 2]`, tells.
    ///
    /// # Errors
    /// `InvalidArgument` for other shapes, and an edge to a node that is not there; it names the edge.
    ///
    /// ```
    /// use extype_digraph::Digraph;
    /// let e = Digraph::new([1.0f32, 2.0], [1.0f32], [[0i64, 2]]).unwrap_err();
    /// assert!(e.message().contains("edge 0 goes from 0 to 2, but there are 2 nodes"));
    /// ```
    #[track_caller]
    pub fn new(
        nodes: impl TensorLike,
        edges: impl TensorLike,
        ends: impl TensorLike,
    ) -> Result<Self> {
        let (nodes, edges, ends) = (nodes.to_tensor()?, edges.to_tensor()?, ends.to_tensor()?);
        let node_counts = rows(&nodes).map_err(|e| e.prefixed("`nodes`"))?;
        let edge_counts = rows(&edges).map_err(|e| e.prefixed("`edges`"))?;
        let made = Self { nodes, edges, ends, node_counts, edge_counts };
        made.validate()?;
        Ok(made)
    }

    /// The node from which each edge goes: int64 `[e]`.
    ///
    /// # Errors
    /// None of its own.
    pub fn sources(&self) -> Result<Tensor> {
        self.ends.index((.., 0))
    }

    /// The node to which each edge goes: int64 `[e]`.
    ///
    /// # Errors
    /// None of its own.
    pub fn targets(&self) -> Result<Tensor> {
        self.ends.index((.., 1))
    }

    /// The rows of `x`, `[n, …]`, of the nodes that edges come from: `[e, …]`.
    ///
    /// # Errors
    /// `InvalidArgument` if there are fewer rows than nodes.
    pub fn at_sources(&self, x: &Tensor) -> Result<Tensor> {
        x.gather(&self.sources()?, 0)
    }

    /// The rows of `x`, `[n, …]`, of the nodes that edges go to: `[e, …]`.
    ///
    /// # Errors
    /// `InvalidArgument` if there are fewer rows than nodes.
    pub fn at_targets(&self, x: &Tensor) -> Result<Tensor> {
        x.gather(&self.targets()?, 0)
    }

    /// The sum, at each node, of the messages of the edges that go to it: `[e, …]` to `[n, …]`; zero where none arrives.
    ///
    /// # Errors
    /// `InvalidArgument` if there are not as many messages as edges.
    ///
    /// ```
    /// use extype_digraph::Digraph;
    /// let g = Digraph::new([0.0f32; 3], [1.0f32, 2.0], [[0i64, 2], [1, 2]])?;
    /// assert_eq!(g.pass(&g.edges)?.as_slice::<f32>()?, &[0.0, 0.0, 3.0]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn pass(&self, messages: &Tensor) -> Result<Tensor> {
        ops::unsorted_segment_sum(messages, &self.targets()?, &rows(&self.nodes)?)
    }

    /// As [`pass`](Self::pass), the mean of the messages.
    ///
    /// # Errors
    /// As [`pass`](Self::pass).
    pub fn pass_mean(&self, messages: &Tensor) -> Result<Tensor> {
        ops::unsorted_segment_mean(messages, &self.targets()?, &rows(&self.nodes)?)
    }

    /// As [`pass`](Self::pass), the greatest of the messages; the lowest number of the dtype where none arrives.
    ///
    /// # Errors
    /// As [`pass`](Self::pass).
    pub fn pass_max(&self, messages: &Tensor) -> Result<Tensor> {
        ops::unsorted_segment_max(messages, &self.targets()?, &rows(&self.nodes)?)
    }

    /// How many edges go to each node: int64 `[n]`.
    ///
    /// # Errors
    /// None of its own.
    pub fn in_degrees(&self) -> Result<Tensor> {
        self.degrees(&self.targets()?)
    }

    /// How many edges come from each node: int64 `[n]`.
    ///
    /// # Errors
    /// None of its own.
    pub fn out_degrees(&self) -> Result<Tensor> {
        self.degrees(&self.sources()?)
    }

    fn degrees(&self, at: &Tensor) -> Result<Tensor> {
        ops::unsorted_segment_sum(at.ones_like()?, at, &rows(&self.nodes)?)
    }

    /// The nodes to which edges of this node go, in the order of the edges: int64 `[k]`.
    ///
    /// # Errors
    /// `InvalidArgument` for what is no integer; a node that is not there has no neighbours.
    ///
    /// ```
    /// use extype_digraph::Digraph;
    /// let g = Digraph::new([0.0f32; 3], [1.0f32, 2.0, 3.0], [[0i64, 2], [1, 2], [0, 1]])?;
    /// assert_eq!(g.neighbours(0)?.as_slice::<i64>()?, &[2, 1]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn neighbours(&self, node: impl TensorLike) -> Result<Tensor> {
        let node = node.to_tensor()?;
        if !node.dtype().is_integer() {
            return Err(Error::invalid(format!(
                "a node of {}; an integer is wanted",
                node.dtype()
            )));
        }
        let node = node.cast(DType::I64)?;
        let here = self.sources()?.equal(&node)?.where_indices()?.reshape([-1])?;
        self.targets()?.gather(&here, 0)
    }

    /// The graph with an edge back for each edge, of the same features.
    ///
    /// In a batch the new edges stand behind those of their graph.
    ///
    /// # Errors
    /// None of its own.
    ///
    /// ```
    /// use extype_digraph::Digraph;
    /// let g = Digraph::new([0.0f32; 2], [5.0f32], [[0i64, 1]])?.both_ways()?;
    /// assert_eq!(g.ends.as_slice::<i64>()?, &[0, 1, 1, 0]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn both_ways(&self) -> Result<Self> {
        self.with_more(&self.edges, &self.ends.reverse([1])?, &self.edge_counts)
    }

    /// The graph with an edge from each node to itself, of these features: `[n, …]`.
    ///
    /// # Errors
    /// `InvalidArgument` for features of another shape than those of edges.
    ///
    /// ```
    /// use extype_digraph::Digraph;
    /// let g = Digraph::new([7.0f32, 8.0], [5.0f32], [[0i64, 1]])?;
    /// let g = g.with_loops(&g.nodes)?;
    /// assert_eq!(g.ends.as_slice::<i64>()?, &[0, 1, 0, 0, 1, 1]);
    /// assert_eq!(g.edges.as_slice::<f32>()?, &[5.0, 7.0, 8.0]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn with_loops(&self, features: &Tensor) -> Result<Self> {
        let at = ops::range(0i64, &rows(&self.nodes)?, 1i64)?;
        self.with_more(features, &ops::stack(&[&at, &at], 1)?, &self.node_counts)
    }

    /// With more edges, so many for each graph, behind those that it has.
    fn with_more(&self, features: &Tensor, ends: &Tensor, counts: &Tensor) -> Result<Self> {
        let edges = ops::concat(&[&self.edges, features], 0)?;
        let ends = ops::concat(&[&self.ends, ends], 0)?;
        let edge_counts = ops::add(&self.edge_counts, counts)?;
        if self.node_counts.rank() == Some(0) {
            return Ok(Self { edges, ends, edge_counts, ..self.clone() });
        }
        // Sorting is stable, so old edges of a graph stand before new ones.
        let graphs = ops::concat(&[&owners(&self.edge_counts)?, &owners(counts)?], 0)?;
        let order = graphs.argsort(0)?;
        let (edges, ends) = (edges.gather(&order, 0)?, ends.gather(&order, 0)?);
        Ok(Self { edges, ends, edge_counts, ..self.clone() })
    }

    /// Other features of the nodes, `[n, …]`.
    ///
    /// # Errors
    /// `InvalidArgument` if there are not as many rows.
    pub fn with_nodes(&self, nodes: &Tensor) -> Result<Self> {
        let (a, b) = (nodes.shape().with_rank_at_least(1)?.dim(0)?, self.nodes.shape().dim(0)?);
        if !a.is_compatible_with(b) {
            return Err(Error::invalid(format!("{a} rows for {b} nodes")));
        }
        Ok(Self { nodes: nodes.clone(), ..self.clone() })
    }

    /// The number of the graph that each node belongs to: int64 `[n]`.
    ///
    /// # Errors
    /// None of its own.
    pub fn graph_of_nodes(&self) -> Result<Tensor> {
        owners(&self.node_counts)
    }

    /// The sum of the rows of `x`, `[n, …]`, over the nodes of each graph: `[…]` for one graph, `[g, …]` for a batch.
    ///
    /// # Errors
    /// `InvalidArgument` if there are not as many rows as nodes.
    pub fn pool_sum(&self, x: &Tensor) -> Result<Tensor> {
        let graphs = ops::size(&self.node_counts)?.cast(DType::I64)?;
        let sums = ops::unsorted_segment_sum(x, &self.graph_of_nodes()?, &graphs)?;
        let inner = ops::shape_of(x)?.cast(DType::I64)?.slice([1], [-1])?;
        let array = ops::shape_of(&self.node_counts)?.cast(DType::I64)?;
        sums.reshape(&ops::concat(&[&array, &inner], 0)?)
    }

    /// As [`pool_sum`](Self::pool_sum), the mean; zero for a graph without nodes.
    ///
    /// # Errors
    /// As [`pool_sum`](Self::pool_sum).
    pub fn pool_mean(&self, x: &Tensor) -> Result<Tensor> {
        ops::div_no_nan(&self.pool_sum(x)?, &self.pool_sum(&x.ones_like()?)?)
    }

    /// Features `[n, f]` spread along the edges: the sum over the node itself and those that edges come from, each
    /// divided by the roots of the degrees at both ends (Kipf and Welling, 2017). Edges go both ways as a rule.
    ///
    /// # Errors
    /// `InvalidArgument` if there are not as many rows as nodes.
    pub fn spread(&self, x: &Tensor) -> Result<Tensor> {
        let degrees = ops::add(&self.in_degrees()?, 1i64)?.cast(x.dtype())?;
        let root = degrees.rsqrt()?.expand_dims(1)?;
        let scaled = ops::mul(x, &root)?;
        let arrived = self.pass(&self.at_sources(&scaled)?)?;
        ops::mul(&ops::add(&arrived, &scaled)?, &root)
    }
}

/// The number of rows: an int64 scalar.
pub(crate) fn rows(x: &Tensor) -> Result<Tensor> {
    match x.shape().with_rank_at_least(1)?.dim(0)?.size() {
        Some(n) => Ok(scalar(i64::try_from(n).unwrap_or(i64::MAX))),
        None => ops::shape_of(x)?.cast(DType::I64)?.gather(0, 0),
    }
}

/// The number of the graph of each row, with so many rows for each graph.
pub(crate) fn owners(counts: &Tensor) -> Result<Tensor> {
    let counts = counts.reshape([-1])?;
    ops::range(0i64, ops::size(&counts)?.cast(DType::I64)?, 1i64)?.repeat(&counts, 0)
}

impl fmt::Display for Digraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = |x: &Tensor| x.shape().dim(0).unwrap_or(Dim::UNKNOWN);
        let (n, e) = (rows(&self.nodes), rows(&self.edges));
        match self.node_counts.shape().num_elements() {
            Some(1) => write!(f, "{n} nodes, {e} edges"),
            Some(graphs) => write!(f, "{graphs} graphs: {n} nodes, {e} edges"),
            None => write!(f, "graphs: {n} nodes, {e} edges"),
        }
    }
}
