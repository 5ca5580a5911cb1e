//! The gradient of a graph function: a forward function that also returns the intermediates which the gradient
//! needs, and one backward function for each set of results with cotangents.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::backward::replay;
use super::needs::{Lean, add_shape, lean};
use super::tape::GradientTape;
use crate::device::DeviceId;
use crate::function::{CALLED, PARTITIONED_CALL, call, flat, trace};
use crate::ir::{Attrs, Effect, Endpoint, Forward, FunctionGraph, LibraryFunction, NodeId, OpDef};
use crate::ops::methods::*;
use crate::ops::{
    Gradient, GradientEntry, IndexedSlices, InputGradient, InputGradients, forward_of,
};
use crate::spec::{AnySpec, Structure, TensorSpec};
use crate::tensor::context::{self, call_site_at};
use crate::tensor::{Capture, Frame, Tensor, Variable, present_device};
use crate::types::{DType, Error, Result, TensorType, bail, caller, on_stack};

/// The cached derivative of a function.
enum Derivative {
    /// For an ordinary function: the forward function that tapes run in its place.
    Forward(Arc<LibraryFunction>),
    /// For a forward function: its backward functions.
    GradientParts(GradientParts),
}

/// The gradients of a forward function.
struct GradientParts {
    /// Its graph: the results of the function, then the kept intermediates.
    whole: FunctionGraph,
    /// By what was asked, and the device of the scope, which the nodes got.
    backward: Mutex<FxHashMap<(Asked, Option<DeviceId>), Arc<Backward>>>,
}

/// The key of a backward function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Asked {
    /// Which results have cotangents.
    has: Vec<bool>,
    /// Which inputs need gradients, where that is known.
    wanted: Option<Vec<bool>>,
    form: Form,
}

/// The form in which a backward function returns gradients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    /// As tensors.
    Dense,
    /// Slices as the tensors that they are made of, other gradients as tensors.
    Sparse,
}

/// A backward function of a forward function, for one set of results with cotangents.
pub(crate) struct Backward {
    pub(crate) function: Arc<LibraryFunction>,
    /// Its inputs after the cotangents: values of the original graph.
    pub(crate) needs: Vec<Endpoint>,
    /// The values among `needs` whose shape would be enough.
    shapes: Vec<(Endpoint, DType)>,
    /// Whether each input of the original has a gradient; the function returns those gradients in order.
    pub(crate) connected: Vec<bool>,
    /// Whether the gradient of each input of the original is slices, which are three results.
    sliced: Vec<bool>,
}

inventory::submit!(GradientEntry::new(&PARTITIONED_CALL, call_gradient).with_forward(forward_call));

const TOO_DEEP: &str = "functions call each other too deep for their gradients";

/// The call that tapes run in place of a function call.
fn forward_call(op: &'static OpDef, attrs: &Attrs) -> Result<Forward> {
    let f = attrs.get(CALLED)?;
    let attrs = attrs.clone().with(CALLED, &forward(&f)?);
    Ok(Forward { op, attrs, results: f.output_types().len() })
}

/// The forward function of `f`, made once: it returns the results of `f`, then the intermediates that gradients
/// need. A forward function is its own forward function.
pub(crate) fn forward(f: &Arc<LibraryFunction>) -> Result<Arc<LibraryFunction>> {
    let Some(graph) = f.graph() else {
        bail!(Unimplemented, "`{}` has no graph, so it can't be differentiated", f.name())
    };
    let derivative =
        f.derivative(|| on_stack(TOO_DEEP, || make_forward(graph).map(Derivative::Forward)))?;
    Ok(match &*derivative {
        Derivative::Forward(forward) => forward.clone(),
        Derivative::GradientParts(_) => f.clone(),
    })
}

fn make_forward(original: &FunctionGraph) -> Result<Arc<LibraryFunction>> {
    let mut whole = with_forward_ops(original)?;
    // Each value that a gradient needs becomes a result. The gradient of that result may need more values,
    // so repeat until nothing is added.
    loop {
        let types = whole.output_types();
        let differentiable: Vec<bool> = types.iter().map(|t| t.dtype.passes_gradient()).collect();
        let asked = Asked { has: differentiable, wanted: None, form: Form::Dense };
        let Backward { needs, shapes, .. } = make_backward(&whole, &asked)?;
        let inputs: FxHashSet<NodeId> = whole.inputs.iter().copied().collect();
        let mut outputs: FxHashSet<Endpoint> = whole.outputs.iter().copied().collect();
        let before = whole.outputs.len();
        let missing = needs.into_iter().filter(|e| {
            !inputs.contains(&e.node) && shapes.iter().all(|(s, _)| s != e) && outputs.insert(*e)
        });
        whole.outputs.extend(missing);
        if whole.outputs.len() == before && shapes.is_empty() {
            break;
        }
        for (e, dtype) in shapes {
            add_shape(&mut whole, e, dtype)?;
        }
    }
    forward_of_graph(whole)
}

/// A forward function with the graph `whole`, whose inputs and results must include everything that gradients
/// of the results need.
pub(crate) fn forward_of_graph(whole: FunctionGraph) -> Result<Arc<LibraryFunction>> {
    let forward = whole.clone().into_function();
    forward.derivative(|| {
        Ok(Derivative::GradientParts(GradientParts { whole, backward: Mutex::default() }))
    })?;
    Ok(forward)
}

/// The graph of a forward function.
pub(crate) fn forward_graph(forward: &Arc<LibraryFunction>) -> Result<FunctionGraph> {
    with_parts(forward, |parts| Ok(parts.whole.clone()))
}

/// The backward function of a forward function, where `has` says which results have cotangents and `wanted`
/// which inputs need gradients, where that is known.
pub(crate) fn backward_of(
    forward: &Arc<LibraryFunction>,
    has: &[bool],
    wanted: Option<&[bool]>,
) -> Result<Arc<Backward>> {
    let wanted = wanted.map(<[bool]>::to_vec);
    with_parts(forward, |parts| {
        parts.backward(Asked { has: has.to_vec(), wanted, form: Form::Dense })
    })
}

/// The graph with each op replaced by its forward op. Additional results come after the op's own, so the
/// existing edges stay valid.
fn with_forward_ops(original: &FunctionGraph) -> Result<FunctionGraph> {
    let mut function = original.clone();
    for id in original.graph.node_ids() {
        let node = original.graph.node(id);
        // Ops that can't be differentiated stay; asking for their gradient fails.
        if let Some(Ok(forward)) = forward_of(node.op, &node.attrs) {
            function.graph.replace_op(id, forward.op, forward.attrs)?;
        }
    }
    Ok(function)
}

/// The backward function of a graph.
fn make_backward(original: &FunctionGraph, asked: &Asked) -> Result<Backward> {
    let here = caller().map(|call| call.location);
    let Asked { has, wanted, form } = asked;
    let types = original.output_types();
    let given = types.iter().zip(has).filter(|(_, has)| **has).map(|(ty, _)| ty);
    let specs: Vec<AnySpec> = given.map(spec).collect();
    let graph = &original.graph;
    // Values of the original graph that rules use become captures of the backward function.
    let open = context::push_frame(Frame::on(graph.clone()));
    let (mut connected, mut sliced) = (Vec::new(), Vec::new());
    let name = format!("gradient of {}", original.name);
    let symbol = |e: Endpoint| Tensor::Symbol(graph.symbol(e));
    let traced = trace(&name, &["cotangent"], &specs, &[], &mut |leaves| {
        let cotangents: Result<SmallVec<[Option<Tensor>; 4]>> =
            has.iter().map(|has| if *has { leaves.take().map(Some) } else { Ok(None) }).collect();
        let gradients = replay(original, cotangents?, wanted.as_deref(), |e| {
            match graph.node(e.node).constant() {
                // A renewed constant belongs to this trace, so it is not captured.
                Some(value) => value.renewed().map_or_else(|_| symbol(e), Tensor::Value),
                None => symbol(e),
            }
        })?;
        let _site = call_site_at(here);
        connected = gradients.iter().map(Option::is_some).collect();
        let is_sliced =
            |g: &_| *form == Form::Sparse && matches!(g, Some(InputGradient::Slices(_)));
        sliced = gradients.iter().map(is_sliced).collect();
        let mut results = Vec::new();
        for g in gradients.into_iter().flatten() {
            match g {
                InputGradient::Slices(s) if *form == Form::Sparse => results.extend(s.into_parts()),
                g => results.push(g.into_dense()?),
            }
        }
        flat(results)
    });
    open.close()?;
    let traced = traced?;
    let needs = traced.captures.iter().map(captured_endpoint).collect::<Result<_>>()?;
    let all = types.iter().zip(has).all(|(ty, has)| *has == ty.dtype.passes_gradient());
    let partial = !all || wanted.is_some();
    let Lean { mut function, needs, shapes } = lean(traced.graph, needs, original, partial)?;
    function.num_arguments = function.inputs.len();
    Ok(Backward { function: function.into_function(), needs, shapes, connected, sliced })
}

fn spec(ty: &TensorType) -> AnySpec {
    AnySpec::Tensor(TensorSpec::new(&ty.shape, ty.dtype))
}

fn captured_endpoint(capture: &Capture) -> Result<Endpoint> {
    match capture {
        Capture::Tensor(Tensor::Symbol(s)) => Ok(s.endpoint()),
        _ => Err(Error::internal("a gradient rule uses a tensor that is not of its op")),
    }
}

impl GradientParts {
    /// The backward function for this key, made once.
    fn backward(&self, asked: Asked) -> Result<Arc<Backward>> {
        let table = || self.backward.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (asked, present_device());
        let known = table().get(&key).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        // The lock is not held while rules run; if another thread was first, its function is used.
        let made = Arc::new(make_backward(&self.whole, &key.0)?);
        Ok(table().entry(key).or_insert(made).clone())
    }
}

/// Runs `f` on the parts of a forward function.
fn with_parts<R>(
    f: &Arc<LibraryFunction>,
    run: impl FnOnce(&GradientParts) -> Result<R>,
) -> Result<R> {
    let unknown = || Error::internal("the call was recorded without its intermediates");
    match &*f.derivative(|| Err(unknown()))? {
        Derivative::GradientParts(parts) => run(parts),
        Derivative::Forward(_) => Err(unknown()),
    }
}

/// The gradient of a recorded call of a forward function.
fn call_gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    let f = g.get(CALLED)?;
    // If the function can't be differentiated, it was recorded unchanged, and this returns the reason.
    forward(&f)?;
    call_backward(&f, g)
}

/// The gradients of a recorded call of a forward function, in sparse form where they are slices.
pub(super) fn call_backward(
    forward: &Arc<LibraryFunction>,
    g: &Gradient<'_>,
) -> Result<InputGradients> {
    with_parts(forward, |parts| parts.run(g, g.inputs, Form::Sparse))
}

impl GradientParts {
    /// The gradients with respect to the inputs of a call on `inputs`.
    fn run(&self, g: &Gradient<'_>, inputs: &[Tensor], form: Form) -> Result<InputGradients> {
        // A returned handle is the handle that was passed in; its gradient does not go through this call.
        let has = |(c, y): (&Option<Tensor>, &Tensor)| c.is_some() && y.dtype() != DType::Resource;
        let mut has: Vec<bool> = g.cotangents.iter().zip(g.outputs).map(has).collect();
        // The inputs of the call are the last ones of the op.
        let wanted = g.wanted_from(g.inputs.len() - inputs.len());
        let ask = |has: &[bool]| {
            let (has, wanted) = (has.to_vec(), wanted.map(<[bool]>::to_vec));
            self.backward(Asked { has, wanted, form })
        };
        let at = |ends: &mut dyn Iterator<Item = Endpoint>| -> FxHashMap<Endpoint, usize> {
            ends.enumerate().map(|(i, e)| (e, i)).collect()
        };
        let whole = &self.whole;
        let places = at(&mut whole.inputs.iter().map(|n| Endpoint { node: *n, output: 0 }));
        let results = at(&mut whole.outputs.iter().copied());
        let value = |e: &Endpoint| -> Option<&Tensor> {
            let input = places.get(e).map(|i| &inputs[*i]);
            input.or_else(|| results.get(e).map(|i| &g.outputs[*i]))
        };
        let mut backward = ask(&has)?;
        if !backward.needs.iter().all(|e| value(e).is_some()) {
            // A rule may need more where a cotangent is missing; the kept intermediates suffice if all have one.
            has = g.outputs.iter().map(|y| y.dtype().passes_gradient()).collect();
            backward = ask(&has)?;
        }
        let given = g.cotangents.iter().zip(g.outputs).zip(&has).filter(|(_, has)| **has);
        let given = given.map(|((c, y), _)| c.clone().map_or_else(|| y.zeros_like(), Ok));
        let given = given.collect::<Result<Vec<Tensor>>>()?;
        let missing = || Error::internal("an intermediate is missing");
        let needed = backward.needs.iter().map(|e| value(e).ok_or_else(missing));
        let needed = needed.collect::<Result<Vec<_>>>()?;
        let args: Vec<&Tensor> = given.iter().chain(needed).collect();
        let mut found = call(&backward.function, &args)?.into_iter();
        let mut next = || found.next().ok_or_else(|| Error::internal("a gradient is missing"));
        let of = |(connected, sliced): (&bool, &bool)| -> Result<Option<InputGradient>> {
            Ok(match (connected, sliced) {
                (false, _) => None,
                (true, false) => Some(InputGradient::Dense(next()?)),
                (true, true) => Some(IndexedSlices::from_parts([next()?, next()?, next()?]).into()),
            })
        };
        let all: Result<SmallVec<_>> =
            backward.connected.iter().zip(&backward.sliced).map(of).collect();
        all.map(InputGradients::from)
    }
}

/// The gradients with respect to the inputs of a recorded run of a forward function on `inputs`.
pub(crate) fn run_backward(
    forward: &Arc<LibraryFunction>,
    g: &Gradient<'_>,
    inputs: &[Tensor],
) -> Result<SmallVec<[Option<Tensor>; 2]>> {
    with_parts(forward, |parts| parts.run(g, inputs, Form::Dense))?.into_dense()
}

/// The types of the gradients with respect to the inputs of a function, if the results marked in `cotangents` have
/// one; `None` for an input that those results do not depend on.
///
/// # Errors
/// `Unimplemented` if an op on the way has no gradient.
///
/// ```
/// use extype::gradient::gradient_types;
/// use extype::prelude::*;
/// use extype::types::TensorType;
/// let square = function(|x: &Tensor| ops::mul(x, x));
/// let traced = square.concrete(&TensorSpec::of::<f32>([2]))?;
/// let f = traced.function();
/// assert_eq!(gradient_types(f, &[true])?, [Some(TensorType::new(f32, shape![2]))]);
/// assert_eq!(gradient_types(f, &[false])?, [None]);
/// # Ok::<(), Error>(())
/// ```
pub fn gradient_types(
    f: &Arc<LibraryFunction>,
    cotangents: &[bool],
) -> Result<Vec<Option<TensorType>>> {
    let forward = forward(f)?;
    with_parts(&forward, |parts| {
        let mut has = cotangents.to_vec();
        has.resize(forward.output_types().len(), false);
        let backward = parts.backward(Asked { has, wanted: None, form: Form::Dense })?;
        let mut types = backward.function.output_types().iter().cloned();
        Ok(backward.connected.iter().map(|c| if *c { types.next() } else { None }).collect())
    })
}

/// A function that computes the gradients of `f`. It takes the inputs of `f`, then a cotangent for each result marked
/// in `cotangents`. For each input with a type in `wanted` it returns the gradient, zeros of that type if the results
/// do not depend on the input. It runs `f` again to compute intermediates.
///
/// # Errors
/// `InvalidArgument` for lists of another length; `Unimplemented` if `f` writes state, or if an op on the
/// way has no gradient.
///
/// ```
/// use extype::function::call;
/// use extype::gradient::{gradient_function, gradient_types};
/// use extype::prelude::*;
/// let cube = function(|x: &Tensor| ops::mul(&ops::mul(x, x)?, x));
/// let traced = cube.concrete(&TensorSpec::of::<f32>([]))?;
/// let f = traced.function();
/// let slope = gradient_function(f, &[true], &gradient_types(f, &[true])?)?;
/// let dx = call(&slope, &[&scalar(2.0f32), &scalar(1.0f32)])?;
/// assert_eq!(dx[0].item::<f32>()?, 12.0);
/// # Ok::<(), Error>(())
/// ```
pub fn gradient_function(
    f: &Arc<LibraryFunction>,
    cotangents: &[bool],
    wanted: &[Option<TensorType>],
) -> Result<Arc<LibraryFunction>> {
    let (inputs, outputs) = (f.input_types(), f.output_types());
    if f.effect() == Effect::Writes {
        bail!(Unimplemented, "`{}` writes, and would do so again for its gradient", f.name());
    }
    if cotangents.len() != outputs.len() || wanted.len() != inputs.len() {
        bail!(
            "`{}` has {} inputs and {} results; {} types and {} cotangents given",
            f.name(),
            inputs.len(),
            outputs.len(),
            wanted.len(),
            cotangents.len()
        );
    }
    let given = outputs.iter().zip(cotangents).filter(|(_, has)| **has).map(|(ty, _)| ty);
    let specs: Vec<AnySpec> = inputs.iter().chain(given).map(spec).collect();
    let name = format!("gradient of {}", f.title());
    let traced = trace(&name, &["x"], &[AnySpec::List(specs.into())], &[], &mut |leaves| {
        let mut take = |n: usize| (0..n).map(|_| leaves.take()).collect::<Result<Vec<Tensor>>>();
        let x = take(inputs.len())?;
        let tape = GradientTape::new();
        for (x, _) in x.iter().zip(wanted).filter(|(_, wanted)| wanted.is_some()) {
            tape.watch(x);
        }
        let mut y = call(f, &x.iter().collect::<Vec<_>>())?.into_vec();
        let mut has = cotangents.iter();
        y.retain(|_| has.next().copied().unwrap_or_default());
        let dy = take(y.len())?.into_iter().map(Some).collect();
        let targets: Vec<&Tensor> = y.iter().collect();
        let gradients = tape.gradient_of::<Vec<Tensor>>(&targets, dy, x.type_spec(), x.clone())?;
        let found = x.iter().zip(gradients.leaves()?).zip(wanted);
        let all = found
            .filter_map(|((x, g), wanted)| Some((x, g, wanted.as_ref()?)))
            .map(|(x, g, ty)| match g {
                Some(g) => Ok(g),
                None if x.dtype() == DType::Resource => {
                    Variable::from_handle(x.clone(), ty.clone(), true).read()?.zeros_like()
                }
                None => x.zeros_like(),
            })
            .collect::<Result<Vec<Tensor>>>();
        flat(all?)
    })?;
    Ok(traced.graph.into_function())
}
