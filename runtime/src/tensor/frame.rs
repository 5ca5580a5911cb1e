//! A trace in progress: the graph that grows, and what it captures from outside.

use std::sync::{Arc, Weak};

use rustc_hash::FxHashMap;

use super::mark::open_traces;
use super::presence::Missed;
use super::{Identity, Tensor, context};
use crate::array::{Array, Resource};
use crate::graph::{Endpoint, FunctionGraph, Graph, GraphId, NodeId, Symbol};
use crate::types::{Caller, DType, Error, Result, TensorType, caller, err};

/// Values with at most so many elements can be constants of the graph.
const MAX_CONSTANT: usize = 128;

/// A tensor of the surroundings that a traced function uses: an implicit input.
#[derive(Clone, Debug)]
pub(crate) enum Capture {
    /// Data, or a symbol of an enclosing trace.
    Tensor(Tensor),
    /// State, held weakly: it lives as long as the user's handle.
    Resource {
        id: u64,
        state: Weak<dyn Resource>,
        name: String,
        /// Where the body first uses it.
        used: Option<Caller>,
    },
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
    /// Refuses a resource that was made in the body, and has gone with it.
    pub(crate) fn check_lasting(&self) -> Result<()> {
        match self {
            Capture::Resource { name, used, .. } if !self.is_there() => {
                let e = err!(
                    FailedPrecondition,
                    "{name} is made in the body and is gone at its end, while every call would need it: make it outside, \
                     and let the function capture it or take it as an argument; what is made of variables, such as an \
                     optimizer or a layer, is kept in a struct with `#[derive(Module)]`"
                );
                Err(located(e, *used))
            }
            _ => Ok(()),
        }
    }

    /// True if it can be fed: not if it is gone, or of a trace that is not open.
    #[inline]
    pub(crate) fn is_there(&self) -> bool {
        match self {
            Capture::Tensor(Tensor::Value(_)) => true,
            Capture::Tensor(Tensor::Symbol(s)) => context::is_open(s.graph()),
            Capture::Resource { state, .. } => state.strong_count() > 0,
        }
    }

    /// The resource, if it is one.
    pub(crate) fn resource(&self) -> Option<Identity> {
        match self {
            Capture::Tensor(t) => (t.dtype() == DType::Resource).then(|| t.id()),
            Capture::Resource { id, .. } => Some(Identity::Resource(*id)),
        }
    }

    /// The tensor to feed.
    pub(crate) fn get(&self) -> Result<Tensor> {
        match self {
            Capture::Tensor(t) => Ok(t.clone()),
            Capture::Resource { state, name, used, .. } => {
                state.upgrade().map(|s| Tensor::Value(Array::from_resource(s))).ok_or_else(|| {
                    let e = err!(
                        FailedPrecondition,
                        "{name} was dropped, but a traced function still uses it; keep it in a \
                         struct that lives as long as the function is called"
                    );
                    located(e, *used)
                })
            }
        }
    }
}

fn located(e: Error, at: Option<Caller>) -> Error {
    match at {
        Some(at) => e.with_location(at.location),
        None => e,
    }
}

/// A trace in progress.
pub(crate) struct Frame {
    graph: Graph,
    /// Constants and captures by the identity of the outer tensor.
    known: FxHashMap<Identity, Endpoint>,
    captures: Vec<(Capture, NodeId)>,
    /// The resources that were passed as arguments, by their identity in the enclosing traces.
    passed: FxHashMap<Identity, Endpoint>,
    /// The resources of the surroundings that the body reached or compared with them.
    met: Vec<Identity>,
    /// What was not there yet when the body looked.
    missed: Vec<Missed>,
    /// Keeps captured tensors alive, so that identities stay unique during the trace.
    kept: Vec<Tensor>,
    pub(super) outer_caller: Option<Caller>,
    /// How many traces are open with this one.
    pub(super) depth: u32,
    /// True of an arm of a conditional, which takes nothing and runs once at most: what goes on in it goes on around it.
    pub(super) is_arm: bool,
}

/// What a finished trace hands over.
pub(crate) struct TraceEnd {
    /// The graph with arguments, captures and outputs in place.
    pub(crate) function: FunctionGraph,
    /// What to feed for the inputs after the arguments.
    pub(crate) captures: Vec<Capture>,
    /// Resources of the surroundings that the body reached or compared with its arguments.
    pub(crate) met: Vec<Identity>,
    /// What was not there yet when the body looked, if it is there to be found outside.
    pub(crate) missed: Box<[Missed]>,
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
            passed: FxHashMap::default(),
            met: Vec::new(),
            missed: Vec::new(),
            kept: Vec::new(),
            outer_caller: None,
            depth: 0,
            is_arm: false,
        }
    }

    /// Notes that something was not there yet.
    pub(super) fn miss(&mut self, missed: &Missed) {
        if self.missed.iter().all(|known| !known.is(missed)) {
            self.missed.push(missed.clone());
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

    /// Says that the resource of this identity in the enclosing traces is passed as this placeholder.
    pub(crate) fn pass(&mut self, outside: Identity, placeholder: &Tensor) {
        if let Tensor::Symbol(s) = placeholder {
            self.passed.insert(outside, s.endpoint());
        }
    }

    /// What a resource is here that is `identity` in the enclosing traces, and `raw` outside of all. That
    /// it was asked for, and not only the answer, is part of what the trace depends on.
    fn resolved(&mut self, identity: Identity, raw: Identity) -> Identity {
        let own = matches!(identity, Identity::Symbol(graph, _) if graph == self.graph.id());
        if own || self.passed.is_empty() {
            return identity;
        }
        if !self.met.contains(&raw) {
            self.met.push(raw);
        }
        self.passed.get(&identity).map_or(identity, |e| Identity::Symbol(self.graph.id(), *e))
    }

    /// What a resource is in the innermost of traces that are open within each other.
    pub(super) fn resolved_in(frames: &mut [Frame], raw: Identity) -> Identity {
        frames.iter_mut().fold(raw, |identity, frame| frame.resolved(identity, raw))
    }

    /// Closes the trace: what was computed for `outputs`, after `arguments` placeholders.
    pub(crate) fn finish(
        mut self,
        arguments: Vec<NodeId>,
        outputs: &[Tensor],
        enclosing: &[GraphId],
    ) -> Result<TraceEnd> {
        let endpoint = |t: &Tensor| {
            let identity = match t.dtype() {
                DType::Resource => context::resolved(t.id()),
                _ => t.id(),
            };
            self.endpoint_of(t, identity, enclosing)
        };
        let outputs = outputs.iter().map(endpoint).collect::<Result<_>>()?;
        let num_arguments = arguments.len();
        let mut inputs = arguments;
        inputs.extend(self.captures.iter().map(|c| c.1));
        let name = self.graph.name().to_owned();
        let must_run = Vec::new();
        Ok(TraceEnd {
            captures: self.captures.into_iter().map(|c| c.0).collect(),
            met: self.met,
            missed: self.missed.into_iter().filter(Missed::is_held).collect(),
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
    /// captures. `identity` is that of the tensor in the enclosing traces.
    pub(super) fn endpoint_of(
        &mut self,
        t: &Tensor,
        identity: Identity,
        enclosing: &[GraphId],
    ) -> Result<Endpoint> {
        if t.dtype() == DType::Resource
            && let Identity::Symbol(graph, endpoint) = self.resolved(identity, t.id())
            && graph == self.graph.id()
        {
            return Ok(endpoint);
        }
        match t {
            Tensor::Symbol(s) if s.graph() == self.graph.id() => Ok(s.endpoint()),
            Tensor::Symbol(s) if enclosing.contains(&s.graph()) => {
                Ok(self.capture(identity, t, Capture::Tensor(t.clone())))
            }
            Tensor::Symbol(s) => Err(leaked(s)),
            Tensor::Value(a) if a.dtype() == DType::Resource => {
                let state = a.as_resource()?;
                let name = format!("{state:?}");
                let (id, state) = (state.id(), Arc::downgrade(state));
                let capture = Capture::Resource { id, state, name, used: caller() };
                Ok(self.capture(identity, t, capture))
            }
            Tensor::Value(a) if self.is_constant(a) => {
                if let Some(known) = self.known.get(&identity) {
                    return Ok(*known);
                }
                let endpoint = self.graph.add_constant(a.clone());
                self.known.insert(identity, endpoint);
                self.kept.push(t.clone());
                Ok(endpoint)
            }
            Tensor::Value(_) => Ok(self.capture(identity, t, Capture::Tensor(t.clone()))),
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

    fn capture(&mut self, key: Identity, t: &Tensor, capture: Capture) -> Endpoint {
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

/// The error of a symbol that is used where its trace is not open.
#[cold]
pub(super) fn leaked(s: &Symbol) -> Error {
    let made =
        s.location().map_or(String::new(), |l| format!(" (made at {}:{})", l.file(), l.line()));
    if context::is_aside(s.graph()) {
        return err!(
            FailedPrecondition,
            "a symbolic tensor of {} of `{}`{made} has no value in the initializer of a `Late`, nor in \
             `init_scope`: they run once, outside the trace; use its shape and plain data there, and \
             `assign` in the body what depends on it",
            s.tensor_type(),
            s.function()
        );
    }
    err!(
        "a symbolic tensor of {} from the trace of `{}`{made} has no elements where that trace is over; \
         return it from the function and use what the call returns, or keep it in a `Variable`",
        s.tensor_type(),
        s.function()
    )
}
