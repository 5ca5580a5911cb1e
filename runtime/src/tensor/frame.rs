//! A trace in progress: its growing graph, and its captures.

use std::rc::Rc;
use std::sync::{Arc, Weak};

use rustc_hash::{FxHashMap, FxHashSet};

use super::context::Interpreter;
use super::mark::open_traces;
use super::node_scope::NodeScopes;
use super::presence::Missed;
use super::{Holder, Identity, Tensor, context};
use crate::array::{Array, Resource};
use crate::ir::{
    Effect, Endpoint, FunctionGraph, Graph, GraphId, NodeId, PLACEHOLDER, Symbol, extracted,
};
use crate::types::{Caller, DType, Error, Result, TensorType, caller, err};

/// Values with at most this number of elements can be constants of the graph.
const MAX_CONSTANT: usize = 128;

/// An outer tensor that a traced function uses: an implicit input.
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
    /// Refuses a resource that was made in the body and dropped at its end.
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

    /// True if it can be fed. False if the resource is gone, or the tensor is of a trace that is not open.
    #[inline]
    pub(crate) fn is_there(&self) -> bool {
        match self {
            Capture::Tensor(Tensor::Value(_)) => true,
            Capture::Tensor(Tensor::Symbol(s)) => context::is_open(s.graph()),
            Capture::Resource { state, .. } => state.strong_count() > 0,
        }
    }

    /// The identity of the resource, if it is one.
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
    pub(super) graph: Graph,
    /// Constants and captures by the identity of the outer tensor.
    known: FxHashMap<Identity, Endpoint>,
    captures: Vec<(Capture, NodeId)>,
    /// The resources that were passed as arguments, by their identity in the enclosing traces.
    passed: FxHashMap<Identity, Endpoint>,
    /// The outer resources that the body reached or compared with those.
    met: Vec<Identity>,
    /// State that did not exist when the body looked for it.
    missed: Vec<Missed>,
    /// Keeps captured tensors alive, so that identities stay unique during the trace.
    kept: Vec<Tensor>,
    pub(super) scopes: NodeScopes,
    pub(super) outer_caller: Option<Caller>,
    /// The number of open traces, including this one.
    pub(super) depth: u32,
    /// True for an arm of a conditional. It takes no arguments and runs at most once, so its ops count as ops around it.
    pub(super) is_arm: bool,
    /// Owns what the body makes; without one, the body must not make state.
    pub(super) owner: Option<Arc<Holder>>,
    /// Runs the ops of the body of a compound on the values that its symbols stand for.
    pub(super) interpreter: Option<Rc<dyn Interpreter>>,
}

/// The result of a finished trace.
pub(crate) struct TraceEnd {
    /// The graph with arguments, captures and outputs in place.
    pub(crate) function: FunctionGraph,
    /// The values for the inputs after the arguments.
    pub(crate) captures: Vec<Capture>,
    /// Outer resources that the body reached or compared with its arguments.
    pub(crate) met: Vec<Identity>,
    /// State that did not exist when the body looked for it, if its holder still exists.
    pub(crate) missed: Box<[Missed]>,
}

impl Frame {
    pub(crate) fn new(name: &str) -> Self {
        Self::on(Graph::new(name))
    }

    /// A trace that continues in an existing graph.
    pub(crate) fn on(graph: Graph) -> Self {
        Self {
            graph,
            known: FxHashMap::default(),
            captures: Vec::new(),
            passed: FxHashMap::default(),
            met: Vec::new(),
            missed: Vec::new(),
            kept: Vec::new(),
            scopes: NodeScopes::default(),
            outer_caller: None,
            depth: 0,
            is_arm: false,
            owner: None,
            interpreter: None,
        }
    }

    /// Notes that some state did not exist yet.
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

    /// True if the body owns the state that it makes.
    pub(crate) fn owns_state(&self) -> bool {
        self.owner.is_some()
    }

    /// What computes an endpoint, as a function of the captures that it needs.
    pub(super) fn lifted(&self, e: Endpoint) -> Result<(FunctionGraph, Vec<Capture>)> {
        let nodes: Vec<NodeId> = self.captures.iter().map(|c| c.1).collect();
        let mut function = extracted(&self.graph, &nodes, &[], &[e], &[])?;
        let needed = function.needed();
        let inputs = std::mem::take(&mut function.inputs).into_iter().zip(&self.captures);
        let used = inputs.filter(|(node, _)| needed[node.index()]);
        let (inputs, captures) = used.map(|(node, (capture, _))| (node, capture.clone())).unzip();
        function.inputs = inputs;
        Ok((function, captures))
    }

    /// What computes an endpoint, as a function of these tensors of the trace. What has effects stays in the trace.
    pub(super) fn computing(&self, e: Endpoint) -> Result<(FunctionGraph, Vec<Tensor>)> {
        let (mut given, mut seen, mut open) = (Vec::new(), FxHashSet::default(), vec![e]);
        while let Some(e) = open.pop() {
            let node = self.graph.node(e.node);
            if !seen.insert(e) {
                continue;
            }
            match node.op == &PLACEHOLDER || node.effect() != Effect::Pure {
                true => given.push(e),
                false => open.extend(&node.inputs),
            }
        }
        let function = extracted(&self.graph, &[], &given, &[e], &[])?;
        Ok((function, given.iter().map(|e| Tensor::Symbol(self.graph.symbol(*e))).collect()))
    }

    /// Adds a placeholder for an argument.
    pub(crate) fn placeholder(&mut self, ty: TensorType, name: Option<Arc<str>>) -> Tensor {
        let node = self.graph.add_placeholder(ty, name);
        Tensor::Symbol(self.graph.symbol(Endpoint { node, output: 0 }))
    }

    /// Notes that the resource with this identity in the enclosing traces is passed as this placeholder.
    pub(crate) fn pass(&mut self, outside: Identity, placeholder: &Tensor) {
        if let Tensor::Symbol(s) = placeholder {
            self.passed.insert(outside, s.endpoint());
        }
    }

    /// The identity in this trace of a resource that is `identity` in the enclosing traces, and `raw` outside of
    /// all traces. The trace also depends on the fact that this was asked, so the resource is noted.
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

    /// The identity of a resource in the innermost of these nested traces.
    pub(super) fn resolved_in(frames: &mut [Frame], raw: Identity) -> Identity {
        frames.iter_mut().fold(raw, |identity, frame| frame.resolved(identity, raw))
    }

    /// Closes the trace. The function takes the placeholders `arguments` and returns `outputs`.
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

    /// The endpoint of a tensor in this graph; tensors from outside become constants or
    /// captures. `identity` is the tensor's identity in the enclosing traces.
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
                self.mark(endpoint.node);
                self.known.insert(identity, endpoint);
                self.kept.push(t.clone());
                Ok(endpoint)
            }
            Tensor::Value(_) => Ok(self.capture(identity, t, Capture::Tensor(t.clone()))),
        }
    }

    /// True for small plain data made in the body, such as the 2 of `x * 2.0`, and for small outer data that
    /// no gradient can flow to. All other data is an input of the function.
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
        // The function holds a resource weakly, so nothing is kept for it.
        if t.dtype() != DType::Resource {
            self.kept.push(t.clone());
        }
        endpoint
    }
}

/// The error for a symbol that is used when its trace is not open.
#[cold]
pub(super) fn leaked(s: &Symbol) -> Error {
    let made =
        s.location().map_or(String::new(), |l| format!(" (made at {}:{})", l.file(), l.line()));
    if context::is_aside(s.graph()) {
        return err!(
            FailedPrecondition,
            "a symbolic tensor of {} of `{}`{made} has no value in the initializer of a `Late`, nor in \
             `init_scope`: they run once, outside the trace; use its shape and plain data there, or, in an \
             initializer, ops on it as the first value of a `Variable`; \
             `assign` in the body what else depends on it",
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
