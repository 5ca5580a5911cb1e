//! Tracing: running a body once with placeholders.

use std::any::Any;
use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::control_dependencies::add_control_dependencies;
use crate::ir::{FunctionGraph, NodeId};
use crate::spec::{AnySpec, LeafIter, Structure, TypeSpec, check_program};
use crate::tensor::context::OpenTrace;
use crate::tensor::{Capture, Frame, Identity, Missed, Tensor, context};
use crate::types::{DType, Error, Result, TensorType, bail, caught, ensure_stack, on_stack};

/// The error for traces nested too deep.
const TOO_DEEP: &str = "functions are traced within each other too deep; one that calls itself on plain \
                        values must come to an end";

/// The result of tracing a body, from which graph functions are made.
pub(crate) struct Traced {
    pub(crate) graph: FunctionGraph,
    /// The values for the inputs after the arguments.
    pub(crate) captures: Vec<Capture>,
    pub(crate) output: OutputSpec,
    /// The indices of the argument leaves that are inputs, if not all are: a variable that is passed twice is
    /// one input.
    pub(crate) fed: Option<Box<[usize]>>,
    /// For the leaves that are handles: which outer resources they must be, or must not be.
    pub(crate) aliasing: Box<[Aliasing]>,
    /// State that did not exist when the body looked for it. Once it exists, the trace is no longer valid.
    pub(crate) missed: Box<[Missed]>,
}

/// The spec of the result of a trace.
pub(crate) struct OutputSpec {
    pub(crate) any: AnySpec,
    /// The same as a [`TypeSpec`], for callers that know its type.
    pub(crate) typed: Box<dyn Any + Send + Sync>,
}

impl OutputSpec {
    pub(crate) fn new<S: TypeSpec>(spec: S) -> Self {
        Self { any: spec.to_any(), typed: Box::new(spec) }
    }
}

/// The result of a body: its spec and its leaves.
pub(crate) type Flat = (OutputSpec, Vec<Tensor>);

/// Whether a handle passed as an argument is the same resource as one that the body reaches from outside.
#[derive(Clone)]
pub(crate) struct Aliasing {
    pub(super) leaf: usize,
    outside: Identity,
    pub(super) same: bool,
}

impl Aliasing {
    /// True if a call with these leaves has the same aliasing as the trace.
    pub(crate) fn holds(&self, leaves: &[&Tensor]) -> bool {
        self.holds_for(leaves.get(self.leaf).copied())
    }

    /// The same condition on another leaf.
    pub(super) fn moved(&self, leaf: usize) -> Self {
        Self { leaf, ..*self }
    }

    /// The same, given the leaf that the condition is about.
    pub(super) fn holds_for(&self, leaf: Option<&Tensor>) -> bool {
        let passed = leaf.map(|leaf| context::resolved(leaf.id()));
        (passed == Some(context::resolved(self.outside))) == self.same
    }
}

/// An open trace: it records the ops on this thread until it is closed. If it is dropped, the trace is
/// discarded.
///
/// For a body that is a closure use [`trace_body`](super::trace_body).
pub struct Tracing {
    placeholders: Placeholders,
    open: OpenTrace,
}

impl Tracing {
    /// Opens a trace with placeholders for these specs. `given` are the leaves of the call that needs
    /// the trace, empty if only specs are known.
    pub(crate) fn start(
        name: &str,
        parameters: &[&str],
        specs: &[AnySpec],
        given: &[&Tensor],
    ) -> Result<Self> {
        ensure_stack(TOO_DEEP)?;
        check_program()?;
        let mut frame = Frame::new(name);
        let placeholders = Placeholders::new(&mut frame, parameters, specs, given);
        Ok(Self { placeholders, open: context::push_frame(frame) })
    }

    /// The placeholders, one for each leaf.
    pub(crate) fn leaves(&self) -> &[Tensor] {
        &self.placeholders.leaves
    }

    /// Pauses the trace: ops are then recorded in the trace around it.
    pub(crate) fn pause(self) -> Result<Paused> {
        let Self { placeholders, open } = self;
        Ok(Paused { placeholders, frame: open.close()? })
    }

    /// Closes the trace with its result.
    pub(crate) fn finish(self, (output, outputs): Flat, given: &[&Tensor]) -> Result<Traced> {
        let Self { placeholders, open } = self;
        let frame = open.close()?;
        let owns_state = frame.owns_state();
        let end = frame.finish(placeholders.inputs(), &outputs, &context::open_graphs())?;
        let (mut graph, captures) = (end.function, end.captures);
        // What owns state states its order itself.
        if !owns_state {
            add_control_dependencies(&mut graph);
        }
        let aliasing = placeholders.aliasing(given, &captures, &end.met);
        let fed = placeholders.fed();
        Ok(Traced { graph, captures, output, fed, aliasing, missed: end.missed })
    }
}

/// A paused trace, to be resumed within the same outer traces.
pub(crate) struct Paused {
    placeholders: Placeholders,
    frame: Frame,
}

impl Paused {
    /// Adds an argument after the existing ones.
    pub(crate) fn argument(&mut self, ty: TensorType, name: &str) -> Tensor {
        let placeholder = self.frame.placeholder(ty, Some(name.into()));
        self.placeholders.leaves.push(placeholder.clone());
        self.placeholders.first.push(true);
        placeholder
    }

    /// Resumes the trace.
    pub(crate) fn resume(self) -> Tracing {
        let Self { placeholders, frame } = self;
        Tracing { placeholders, open: context::push_frame(frame) }
    }
}

/// Runs a body whose trace is open.
pub(crate) fn within<R>(body: impl FnOnce() -> Result<R>) -> Result<R> {
    on_stack(TOO_DEEP, body)
}

/// Traces the body with placeholders for these specs. `given` are the leaves of the call that needs the
/// trace, empty if only specs are known.
pub(crate) fn trace(
    name: &str,
    parameters: &[&str],
    specs: &[AnySpec],
    given: &[&Tensor],
    body: &mut dyn FnMut(&mut LeafIter) -> Result<Flat>,
) -> Result<Traced> {
    let tracing = Tracing::start(name, parameters, specs, given)?;
    let mut leaves = LeafIter::new(tracing.leaves().to_vec());
    LEFT.take();
    let result = caught(
        || format!("the body of `{name}`, while it was traced,"),
        || within(|| body(&mut leaves)),
    );
    let left = LEFT.take();
    let within = |e: Error| left.iter().fold(e, Error::in_context);
    let result = result.map_err(within)?;
    if let Some(construct) = left.first() {
        bail!(
            "the body of `{name}` returns from {construct} by a macro that hides it: write the `return` out, \
             or put `#[plain]` on the condition"
        );
    }
    tracing.finish(result, given)
}

/// A body, which a trace runs once.
pub(crate) fn taken<F>(body: &mut Option<F>) -> Result<F> {
    body.take().ok_or_else(|| Error::internal("a body is traced twice"))
}

thread_local! {
    /// The constructs of the running body that were left from within while their own trace was open.
    static LEFT: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Notes that a construct of the traced body was left early: by an error, or by a `return` hidden in a macro.
pub(crate) fn left_open(construct: String) {
    LEFT.with_borrow_mut(|left| left.push(construct));
}

/// The spec and the leaves of a structure, after checking that its fields have the declared types.
pub(crate) fn flattened<R: Structure>(value: R) -> Result<(R::Spec, Vec<Tensor>)> {
    value.check_fields()?;
    let spec = value.type_spec();
    let mut leaves = Vec::new();
    value.into_leaves(&mut leaves);
    Ok((spec, leaves))
}

/// [`flattened`], without the Rust type.
pub(crate) fn flat<R: Structure>(value: R) -> Result<Flat> {
    let (spec, leaves) = flattened(value)?;
    Ok((OutputSpec::new(spec), leaves))
}

/// The placeholders of a trace.
struct Placeholders {
    /// One for each leaf; leaves that are handles of the same variable share it.
    leaves: Vec<Tensor>,
    /// For each leaf, whether its placeholder is new and not that of an earlier leaf.
    first: Vec<bool>,
}

impl Placeholders {
    /// One placeholder for each leaf, named after its parameter and field; all handles with
    /// the same alias id share one.
    fn new(
        frame: &mut Frame,
        parameters: &[&str],
        specs: &[AnySpec],
        given: &[&Tensor],
    ) -> Placeholders {
        let mut placeholders = Placeholders { leaves: Vec::new(), first: Vec::new() };
        let mut variables = FxHashMap::<u32, Tensor>::default();
        for (i, spec) in specs.iter().enumerate() {
            let parameter = parameters.get(i).copied().unwrap_or("args");
            for (path, leaf) in spec.leaf_paths() {
                let (ty, alias) = leaf.handle_or_tensor();
                let known = alias.and_then(|id| variables.get(&id).cloned());
                placeholders.first.push(known.is_none());
                let placeholder = known.unwrap_or_else(|| {
                    let name = leaf
                        .asked_name()
                        .map_or_else(|| format!("{parameter}{path}").into(), Into::into);
                    frame.placeholder(ty, Some(name))
                });
                if placeholder.dtype() == DType::Resource
                    && let Some(given) = given.get(placeholders.leaves.len())
                {
                    frame.pass(context::resolved(given.id()), &placeholder);
                }
                if let Some(id) = alias {
                    variables.insert(id, placeholder.clone());
                }
                placeholders.leaves.push(placeholder);
            }
        }
        placeholders
    }

    fn inputs(&self) -> Vec<NodeId> {
        let firsts = self.leaves.iter().zip(&self.first).filter(|(_, first)| **first);
        firsts.filter_map(|(leaf, _)| node_of(leaf)).collect()
    }

    fn fed(&self) -> Option<Box<[usize]>> {
        if self.first.iter().all(|first| *first) {
            return None;
        }
        Some((0..self.first.len()).filter(|i| self.first[*i]).collect())
    }

    /// How the handles among the call's leaves alias the resources that the body reached from outside.
    fn aliasing(
        &self,
        given: &[&Tensor],
        captures: &[Capture],
        met: &[Identity],
    ) -> Box<[Aliasing]> {
        let outside: Vec<Identity> =
            captures.iter().filter_map(Capture::resource).chain(met.iter().copied()).collect();
        let handles = self.leaves.iter().zip(&self.first).enumerate();
        handles
            .filter(|(_, (leaf, first))| **first && leaf.dtype() == DType::Resource)
            .flat_map(|(i, _)| {
                let passed = given.get(i).map(|leaf| context::resolved(leaf.id()));
                outside.iter().map(move |outside| {
                    let same = passed == Some(context::resolved(*outside));
                    Aliasing { leaf: i, outside: *outside, same }
                })
            })
            .collect()
    }
}

fn node_of(t: &Tensor) -> Option<NodeId> {
    match t {
        Tensor::Symbol(s) => Some(s.endpoint().node),
        Tensor::Value(_) => None,
    }
}
