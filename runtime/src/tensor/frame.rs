//! A trace in progress: the graph that grows, and what it captures from outside.

use std::panic::Location;
use std::sync::{Arc, Weak};

use rustc_hash::FxHashMap;

use super::Tensor;
use super::mark::open_traces;
use crate::array::{Array, Resource};
use crate::graph::{Endpoint, FunctionGraph, Graph, GraphId, NodeId, Symbol};
use crate::types::{DType, Error, Result, TensorType, err};

/// Values with at most so many elements can be constants of the graph.
const MAX_CONSTANT: usize = 128;

/// A tensor of the surroundings that a traced function uses: an implicit input.
#[derive(Clone, Debug)]
pub(crate) enum Capture {
    /// Data, or a symbol of an enclosing trace.
    Tensor(Tensor),
    /// State, held weakly: it lives as long as the user's handle.
    Resource { state: Weak<dyn Resource>, name: String },
}

impl std::fmt::Display for Capture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Capture::Tensor(t) => write!(f, "tensor: {}", t.tensor_type()),
            Capture::Resource { name, .. } => f.write_str(name),
        }
    }
}

impl Capture {
    /// The tensor to feed.
    pub(crate) fn get(&self) -> Result<Tensor> {
        match self {
            Capture::Tensor(t) => Ok(t.clone()),
            Capture::Resource { state, name } => {
                state.upgrade().map(|s| Tensor::Value(Array::from_resource(s))).ok_or_else(|| {
                    err!(
                        FailedPrecondition,
                        "{name} was dropped, but a traced function still uses it; keep it in a \
                         struct that lives as long as the function is called"
                    )
                })
            }
        }
    }
}

/// A trace in progress.
pub(crate) struct Frame {
    graph: Graph,
    /// Constants and captures by the identity of the outer tensor.
    known: FxHashMap<usize, Endpoint>,
    captures: Vec<(Capture, NodeId)>,
    /// Keeps captured tensors alive, so that identities stay unique during the trace.
    kept: Vec<Tensor>,
    pub(super) outer_caller: Option<&'static Location<'static>>,
    /// How many traces are open with this one.
    pub(super) depth: u32,
}

/// What a finished trace hands over.
pub(crate) struct TraceEnd {
    /// The graph with arguments, captures and outputs in place.
    pub(crate) function: FunctionGraph,
    /// What to feed for the inputs after the arguments.
    pub(crate) captures: Vec<Capture>,
}

impl Frame {
    pub(crate) fn new(name: &str) -> Self {
        Self::on(Graph::new(name))
    }

    /// A trace that goes on in a graph that exists.
    pub(crate) fn on(graph: Graph) -> Self {
        Self {
            graph,
            known: FxHashMap::default(),
            captures: Vec::new(),
            kept: Vec::new(),
            outer_caller: None,
            depth: 0,
        }
    }

    pub(super) fn graph(&self) -> &Graph {
        &self.graph
    }

    pub(super) fn graph_mut(&mut self) -> &mut Graph {
        &mut self.graph
    }

    /// Adds a placeholder for an argument.
    pub(crate) fn placeholder(&mut self, ty: TensorType, name: Option<Arc<str>>) -> Tensor {
        let node = self.graph.add_placeholder(ty, name);
        Tensor::Symbol(self.graph.symbol(Endpoint { node, output: 0 }))
    }

    /// Closes the trace: what was computed for `outputs`, after `arguments` placeholders.
    pub(crate) fn finish(
        mut self,
        arguments: Vec<NodeId>,
        outputs: &[Tensor],
        enclosing: &[GraphId],
    ) -> Result<TraceEnd> {
        let outputs =
            outputs.iter().map(|t| self.endpoint_of(t, enclosing)).collect::<Result<_>>()?;
        let num_arguments = arguments.len();
        let mut inputs = arguments;
        inputs.extend(self.captures.iter().map(|c| c.1));
        let name = self.graph.name().to_owned();
        let must_run = Vec::new();
        Ok(TraceEnd {
            captures: self.captures.into_iter().map(|c| c.0).collect(),
            function: FunctionGraph {
                name,
                graph: self.graph,
                inputs,
                num_arguments,
                outputs,
                must_run,
            },
        })
    }

    /// Where a tensor is computed in this graph; tensors from outside become constants or
    /// captures.
    pub(super) fn endpoint_of(&mut self, t: &Tensor, enclosing: &[GraphId]) -> Result<Endpoint> {
        match t {
            Tensor::Symbol(s) if s.graph() == self.graph.id() => Ok(s.endpoint()),
            Tensor::Symbol(s) if enclosing.contains(&s.graph()) => {
                Ok(self.capture(s.id(), t, Capture::Tensor(t.clone())))
            }
            Tensor::Symbol(s) => Err(leaked(s)),
            Tensor::Value(a) if a.dtype() == DType::Resource => {
                let state = a.as_resource()?;
                let name = format!("{state:?}");
                let capture = Capture::Resource { state: Arc::downgrade(state), name };
                Ok(self.capture(resource_key(state.id()), t, capture))
            }
            Tensor::Value(a) if self.is_constant(a) => {
                if let Some(known) = self.known.get(&a.id()) {
                    return Ok(*known);
                }
                let endpoint = self.graph.add_constant(a.clone());
                self.known.insert(a.id(), endpoint);
                self.kept.push(t.clone());
                Ok(endpoint)
            }
            Tensor::Value(a) => Ok(self.capture(a.id(), t, Capture::Tensor(t.clone()))),
        }
    }

    /// True for plain data of the body itself, such as the 2 of `x * 2.0`, and for small data that
    /// no gradient can flow to. Everything else from outside is an input of the function.
    fn is_constant(&self, a: &Array) -> bool {
        let own = open_traces(a) >= self.depth;
        a.len() <= MAX_CONSTANT
            && a.dtype() != DType::Variant
            && (own || !a.dtype().is_differentiable())
    }

    fn capture(&mut self, key: usize, t: &Tensor, capture: Capture) -> Endpoint {
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let node = self.graph.add_placeholder(t.tensor_type(), Some("capture".into()));
        let endpoint = Endpoint { node, output: 0 };
        self.known.insert(key, endpoint);
        self.captures.push((capture, node));
        // A resource is held weakly by the function, so nothing is kept for it.
        if t.dtype() != DType::Resource {
            self.kept.push(t.clone());
        }
        endpoint
    }
}

/// Resource ids count from 1; as odd numbers they can't be the address of a tensor.
fn resource_key(id: u64) -> usize {
    (id as usize) << 1 | 1
}

/// The error of a symbol that is used where its trace is not open.
#[cold]
pub(super) fn leaked(s: &Symbol) -> Error {
    let made =
        s.location().map_or(String::new(), |l| format!(" (made at {}:{})", l.file(), l.line()));
    err!(
        "a symbolic tensor of {} from the trace of `{}`{made} is used outside that trace; return \
         it from the function and use the returned tensor",
        s.tensor_type(),
        s.function()
    )
}
