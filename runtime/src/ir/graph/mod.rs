//! Graphs of ops: nodes in creation order, edges between them, and symbols that point into them.
//!
//! A graph grows only at its end, so creation order is a topological order and the order of the
//! program. It is built from op definitions and types. It gives nodes, text for people, and plain
//! data for files ([`def`]), from which it can be built again.
//! Nothing here knows tensors; the tensor floor decides when a node is added.

mod builtin;
mod callee;
pub mod def;
mod export;
mod extract;
mod function_graph;
mod guess;
mod import;
mod layout;
mod names;
mod order;
mod print;
mod rewrite;
mod uses;

use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use builtin::{CONST, DTYPE, PLACEHOLDER, SHAPE, VALUE};
use builtin::{OP, UNKNOWN};
pub use extract::Effects;
pub(crate) use extract::{NamedGraph, extracted};
pub use function_graph::FunctionGraph;
pub use import::{Functions, import_library};
pub(crate) use names::{Names, check_scope, legal as legal_name, unique as unique_names};
pub use print::GraphText;
pub(crate) use print::{line, shown, tuple};
pub(crate) use rewrite::{Rewrite, Visit};
use smallvec::SmallVec;
pub use uses::{Use, Uses};
#[cfg(feature = "formats")]
pub(crate) use {export::function_defs, names::function as legal_function_name};

use crate::array::Array;
use crate::ir::{AttrValue, Attrs, InferContext, OpDef, Types};
use crate::types::{DType, Result, Shape, TensorType};

/// An id that no other graph of the process has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GraphId(u64);

/// The place of a node in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The position in creation order.
    ///
    /// ```
    /// use extype::{array::Array, ir::Graph, prelude::*};
    /// let mut graph = Graph::new("f");
    /// graph.add_constant(Array::scalar(1.0f32));
    /// assert_eq!(graph.add_constant(Array::scalar(2.0f32)).node.index(), 1);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One output of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Endpoint {
    /// The node.
    pub node: NodeId,
    /// Which of its outputs.
    pub output: u32,
}

/// One op of a graph.
#[derive(Clone, Debug)]
pub struct Node {
    /// The definition.
    pub op: &'static OpDef,
    /// The attributes that do not follow from the inputs.
    pub attrs: Attrs,
    /// The inputs.
    pub inputs: SmallVec<[Endpoint; 2]>,
    /// Nodes that must run before this one.
    pub control_inputs: SmallVec<[NodeId; 2]>,
    /// The types of the outputs.
    pub outputs: Types,
    /// The requested name, if any.
    pub name: Option<Arc<str>>,
    /// The name scope that it was made in, if any: its name begins with this and a `/`.
    pub scope: Option<Arc<str>>,
    /// The device it runs on, if one was given.
    pub device: Option<Arc<str>>,
    /// The line of user code that made the node.
    pub location: Option<&'static Location<'static>>,
    /// The functions that it was in before they were inlined, as errors name them.
    pub(crate) within: Option<Arc<str>>,
}

impl Node {
    /// The name of the op in a GraphDef. A node that was read from a file keeps the file's op name,
    /// even if no such op is known.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::add(x, x)).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let ops: Vec<&str> = f.graph().graph.nodes().iter().map(|n| n.op_name()).collect();
    /// assert_eq!(ops, ["Placeholder", "AddV2"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn op_name(&self) -> &str {
        match self.attrs.value(OP.name()) {
            Some(AttrValue::Str(name)) => std::str::from_utf8(name).unwrap_or(self.op.name),
            _ => match self.op.stateful_name {
                Some(name) if self.callees().any(|f| f.is_stateful()) => name,
                _ => self.op.name,
            },
        }
    }

    /// A node of this op with nothing else.
    fn new(op: &'static OpDef, attrs: Attrs) -> Self {
        Self {
            op,
            attrs,
            inputs: SmallVec::new(),
            control_inputs: SmallVec::new(),
            outputs: SmallVec::new(),
            name: None,
            scope: None,
            device: None,
            location: None,
            within: None,
        }
    }

    /// True if no definition of the op is known: the node can't run.
    ///
    /// ```
    /// use extype::ir::def::{Ends, GraphDef, NodeDef};
    /// use extype::ir::FunctionGraph;
    /// use extype::prelude::*;
    /// let node = NodeDef { name: "y".into(), op: "OfElsewhere".into(), ..NodeDef::default() };
    /// let def = GraphDef { nodes: vec![node], ..GraphDef::default() };
    /// let graph = FunctionGraph::from_graph_def(&def, &Ends::default(), &|_| None)?.graph;
    /// assert!(graph.nodes()[0].is_unknown());
    /// assert_eq!(graph.nodes()[0].op_name(), "OfElsewhere");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn is_unknown(&self) -> bool {
        self.op == &UNKNOWN
    }

    /// The requested name.
    fn asked_name(&self) -> Option<&str> {
        self.name.as_deref().filter(|name| !name.is_empty())
    }

    /// The value of a constant node.
    ///
    /// ```
    /// use extype::{array::Array, ir::Graph, prelude::*};
    /// let mut graph = Graph::new("f");
    /// let half = graph.add_constant(Array::scalar(0.5f32));
    /// let value = graph.node(half.node).constant().unwrap();
    /// assert_eq!(value.as_slice::<f32>()?, &[0.5]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn constant(&self) -> Option<&Array> {
        match self.attrs.value(VALUE.name()) {
            Some(AttrValue::Tensor(array)) if self.op == &CONST => Some(array),
            _ => None,
        }
    }
}

/// A graph: nodes in creation order.
#[derive(Clone, Debug)]
pub struct Graph {
    tag: Arc<GraphTag>,
    nodes: Vec<Node>,
    /// What a file records about the graph besides its nodes.
    notes: Option<Arc<Notes>>,
}

/// What a file records about a function besides its nodes, kept so that it is written as it was read.
#[derive(Clone, Debug, Default)]
struct Notes {
    outputs: Vec<String>,
    attrs: def::AttrMap,
    is_stateful: Option<bool>,
    versions: def::Versions,
}

/// The part of a graph that its symbols keep when the graph is gone.
#[derive(Debug)]
struct GraphTag {
    id: GraphId,
    name: String,
}

impl Default for Graph {
    fn default() -> Self {
        Self::new("")
    }
}

impl Graph {
    /// An empty graph of the function with this name.
    ///
    /// ```
    /// use extype::{ir::Graph, prelude::*};
    /// let graph = Graph::new("f");
    /// assert_eq!((graph.name(), graph.nodes().len()), ("f", 0));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(name: impl Into<String>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = GraphId(NEXT.fetch_add(1, Ordering::Relaxed));
        Self { tag: Arc::new(GraphTag { id, name: name.into() }), nodes: Vec::new(), notes: None }
    }

    /// The unique id of the graph. Clones share it, as symbols point into both.
    ///
    /// ```
    /// use extype::{ir::Graph, prelude::*};
    /// let graph = Graph::new("f");
    /// assert_eq!(graph.id(), graph.clone().id());
    /// assert_ne!(graph.id(), Graph::new("f").id());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn id(&self) -> GraphId {
        self.tag.id
    }

    /// The name of the function it belongs to.
    ///
    /// ```
    /// use extype::{ir::Graph, prelude::*};
    /// assert_eq!(Graph::new("step").name(), "step");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn name(&self) -> &str {
        &self.tag.name
    }

    /// The nodes in creation order.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.square()?.exp()).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let nodes = f.graph().graph.nodes();
    /// assert_eq!(nodes.len(), 3);
    /// // The last one uses the one before.
    /// assert_eq!(nodes[2].inputs[0].node.index(), 1);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node with this id.
    ///
    /// # Panics
    /// If the id is of another graph and past the end.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.square()).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let output = f.graph().outputs[0];
    /// assert_eq!(f.graph().graph.node(output.node).op_name(), "Square");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The ids of all nodes in creation order.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.square()?.exp()).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let graph = &f.graph().graph;
    /// let last = graph.node_ids().rev().next().unwrap();
    /// assert_eq!(graph.node(last).op_name(), "Exp");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn node_ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The type of an endpoint.
    ///
    /// # Panics
    /// If the endpoint is of another graph and past the end.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.greater(0.0)).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let output = f.graph().outputs[0];
    /// assert_eq!(f.graph().graph.output_type(output).to_string(), "bool[2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn output_type(&self, e: Endpoint) -> &TensorType {
        &self.node(e.node).outputs[e.output as usize]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// Appends a node whose output types are known.
    pub(crate) fn push(&mut self, node: Node) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(node);
        id
    }

    /// Appends an op, inferring the types of its outputs.
    ///
    /// # Errors
    /// What the op's inference refuses.
    ///
    /// # Panics
    /// If an input is of another graph and past the end.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::{find_op, Attrs, Graph};
    /// use extype::prelude::*;
    /// let mut graph = Graph::new("f");
    /// let x = graph.add_constant(Array::from_slice([2], &[1.0f32, 2.0])?);
    /// let y = graph.add_constant(Array::scalar(3.0f32));
    /// let sum = graph.add(find_op("AddV2")?, Attrs::new(), [x, y].into(), None)?;
    /// assert_eq!(graph.node(sum).outputs[0].to_string(), "float32[2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn add(
        &mut self,
        op: &'static OpDef,
        attrs: Attrs,
        inputs: SmallVec<[Endpoint; 2]>,
        location: Option<&'static Location<'static>>,
    ) -> Result<NodeId> {
        let outputs = self.operands(&inputs).infer(op, &attrs)?;
        Ok(self.add_inferred(op, attrs, inputs, outputs, location))
    }

    /// Appends an op whose output types were inferred.
    pub(crate) fn add_inferred(
        &mut self,
        op: &'static OpDef,
        attrs: Attrs,
        inputs: SmallVec<[Endpoint; 2]>,
        outputs: Types,
        location: Option<&'static Location<'static>>,
    ) -> NodeId {
        self.push(Node { inputs, outputs, location, ..Node::new(op, attrs) })
    }

    /// Replaces the op of a node, which keeps its inputs, and infers its types again. Uses of its
    /// results stay.
    pub(crate) fn replace_op(
        &mut self,
        id: NodeId,
        op: &'static OpDef,
        attrs: Attrs,
    ) -> Result<()> {
        let outputs = self.operands(&self.node(id).inputs).infer(op, &attrs)?;
        let node = self.node_mut(id);
        (node.op, node.attrs, node.outputs) = (op, attrs, outputs);
        Ok(())
    }

    /// The types and known values of these inputs, for inference.
    pub(crate) fn operands(&self, inputs: &[Endpoint]) -> Operands {
        Operands {
            types: inputs.iter().map(|e| self.output_type(*e).clone()).collect(),
            constants: inputs.iter().map(|e| self.node(e.node).constant().cloned()).collect(),
        }
    }

    /// Sets the device of a node.
    ///
    /// # Panics
    /// If the node is of another graph and past the end.
    ///
    /// ```
    /// use extype::{array::Array, ir::Graph, prelude::*};
    /// let mut graph = Graph::new("f");
    /// let x = graph.add_constant(Array::scalar(0.5f32));
    /// graph.set_device(x.node, Some("/device:CPU:0".into()));
    /// assert_eq!(graph.node(x.node).device.as_deref(), Some("/device:CPU:0"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn set_device(&mut self, node: NodeId, device: Option<Arc<str>>) {
        self.node_mut(node).device = device;
    }

    /// Appends a constant.
    ///
    /// ```
    /// use extype::{array::Array, ir::Graph, prelude::*};
    /// let mut graph = Graph::new("f");
    /// let x = graph.add_constant(Array::from_slice([2], &[1.0f32, 2.0])?);
    /// assert_eq!(graph.output_type(x).to_string(), "float32[2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn add_constant(&mut self, value: Array) -> Endpoint {
        let ty = value.tensor_type();
        let attrs = Attrs::new().with(VALUE, &value);
        Endpoint { node: self.push(leaf(&CONST, attrs, ty)), output: 0 }
    }

    /// Appends an input.
    ///
    /// ```
    /// use extype::{ir::Graph, prelude::*, types::TensorType};
    /// let mut graph = Graph::new("f");
    /// let x = graph.add_placeholder(TensorType::new(f32, shape![?, 3]), Some("x".into()));
    /// assert_eq!(graph.names(), ["x"]);
    /// assert_eq!(graph.node(x).outputs[0].to_string(), "float32[?, 3]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn add_placeholder(&mut self, ty: TensorType, name: Option<Arc<str>>) -> NodeId {
        let attrs = Attrs::new().with(DTYPE, &ty.dtype).with(SHAPE, &ty.shape);
        self.push(Node { name, ..leaf(&PLACEHOLDER, attrs, ty) })
    }

    /// A symbol for an endpoint.
    ///
    /// # Panics
    /// If the endpoint is of another graph and past the end.
    ///
    /// ```
    /// use extype::{array::Array, ir::Graph, prelude::*};
    /// let mut graph = Graph::new("f");
    /// let x = graph.add_constant(Array::from_slice([2], &[1.0f32, 2.0])?);
    /// let symbol = graph.symbol(x);
    /// assert_eq!((symbol.graph(), symbol.endpoint()), (graph.id(), x));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn symbol(&self, endpoint: Endpoint) -> Symbol {
        let ty = self.output_type(endpoint).clone();
        let Node { location, device, .. } = self.node(endpoint.node);
        let (graph, location, device) = (self.tag.clone(), *location, device.clone());
        Symbol(Arc::new(SymbolInner { graph, endpoint, ty, location, device }))
    }
}

/// The types and known values of a node's inputs, for inference.
pub(crate) struct Operands {
    types: SmallVec<[TensorType; 4]>,
    constants: SmallVec<[Option<Array>; 4]>,
}

impl Operands {
    /// The types of the results of an op on these inputs.
    ///
    /// # Errors
    /// What the op's inference refuses.
    pub(crate) fn infer(&self, op: &OpDef, attrs: &Attrs) -> Result<Types> {
        let constant = |i: usize| self.constants.get(i).cloned().flatten();
        op.infer(&InferContext::new(&self.types, attrs, &constant))
    }
}

fn leaf(op: &'static OpDef, attrs: Attrs, ty: TensorType) -> Node {
    Node { outputs: smallvec::smallvec![ty], ..Node::new(op, attrs) }
}

/// A tensor of a graph that is being traced: where it is computed, and its type.
#[derive(Clone)]
pub struct Symbol(Arc<SymbolInner>);

struct SymbolInner {
    graph: Arc<GraphTag>,
    endpoint: Endpoint,
    ty: TensorType,
    location: Option<&'static Location<'static>>,
    device: Option<Arc<str>>,
}

impl Symbol {
    /// The device of the node, if it has one.
    pub(crate) fn device(&self) -> Option<&str> {
        self.0.device.as_deref()
    }

    /// The graph it belongs to.
    ///
    /// ```
    /// use extype::{array::Array, ir::Graph, prelude::*};
    /// let mut graph = Graph::new("f");
    /// let x = graph.add_constant(Array::scalar(1.0f32));
    /// assert_eq!(graph.symbol(x).graph(), graph.id());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn graph(&self) -> GraphId {
        self.0.graph.id
    }

    /// The name of the function whose trace made it.
    ///
    /// ```
    /// use extype::{array::Array, ir::Graph, prelude::*};
    /// let mut graph = Graph::new("step");
    /// let x = graph.add_constant(Array::scalar(1.0f32));
    /// assert_eq!(graph.symbol(x).function(), "step");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn function(&self) -> &str {
        &self.0.graph.name
    }

    /// The line of user code that made it, if it is the result of an op.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| {
    ///     let y = x.square()?;
    ///     if let (Tensor::Symbol(x), Tensor::Symbol(y)) = (x, &y) {
    ///         assert!(x.location().is_none() && y.location().unwrap().line() > 0);
    ///     }
    ///     Ok(y)
    /// });
    /// assert_eq!(f.call(&scalar(3.0f32))?.item::<f32>()?, 9.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn location(&self) -> Option<&'static Location<'static>> {
        self.0.location
    }

    /// The node output that computes it.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::{Endpoint, Graph};
    /// use extype::prelude::*;
    /// let mut graph = Graph::new("f");
    /// let Endpoint { node, .. } = graph.add_constant(Array::scalar(1.0f32));
    /// let symbol = graph.symbol(Endpoint { node, output: 0 });
    /// assert_eq!(symbol.endpoint().node, node);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn endpoint(&self) -> Endpoint {
        self.0.endpoint
    }

    /// Dtype and static shape.
    ///
    /// ```
    /// use extype::{array::Array, ir::Graph, prelude::*};
    /// let mut graph = Graph::new("f");
    /// let x = graph.add_constant(Array::from_slice([2], &[1.0f32, 2.0])?);
    /// assert_eq!(graph.symbol(x).tensor_type().to_string(), "float32[2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn tensor_type(&self) -> &TensorType {
        &self.0.ty
    }

    /// The dtype.
    ///
    /// ```
    /// use extype::{array::Array, ir::Graph, prelude::*};
    /// let mut graph = Graph::new("f");
    /// let x = graph.add_constant(Array::scalar(1i64));
    /// assert_eq!(graph.symbol(x).dtype(), i64);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn dtype(&self) -> DType {
        self.0.ty.dtype
    }

    /// The static shape.
    ///
    /// ```
    /// use extype::{ir::Graph, prelude::*, types::TensorType};
    /// let mut graph = Graph::new("f");
    /// let node = graph.add_placeholder(TensorType::new(f32, shape![?, 3]), None);
    /// let symbol = graph.symbol(extype::ir::Endpoint { node, output: 0 });
    /// assert_eq!(symbol.shape(), &shape![?, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn shape(&self) -> &Shape {
        &self.0.ty.shape
    }
}

impl std::fmt::Debug for Symbol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Endpoint { node, output } = self.0.endpoint;
        write!(f, "Symbol(%{}:{output}, {})", node.0, self.0.ty)
    }
}
