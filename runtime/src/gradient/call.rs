//! The gradient of a call of a traced function: a forward function that also returns the
//! intermediates which the backward function needs, and backward functions, one for each set of
//! results that has cotangents.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use smallvec::SmallVec;

use super::tape::replay;
use crate::function::{PARTITIONED_CALL, Trace, trace};
use crate::graph::{CALLED, Endpoint, FunctionGraph, called};
use crate::op::{AttrValue, Attrs, Callable};
use crate::ops::InputGradients;
use crate::spec::{AnySpec, TensorSpec};
use crate::tensor::{Capture, Frame, Tensor, context, execute};
use crate::types::{Error, Result};

/// What the gradient of a function is made of; kept on its forward function.
struct Differentiated {
    /// The function with the kept intermediates as results after its own.
    whole: Arc<Trace>,
    backward: Mutex<HashMap<Vec<bool>, Arc<Backward>>>,
}

struct Backward {
    function: Arc<Trace>,
    /// What it takes after the cotangents: values of the original graph.
    needs: Vec<Endpoint>,
    /// Which inputs of the original have a gradient, in the order of its results.
    connected: Vec<bool>,
}

/// The forward function of a traced function, made once.
pub(super) fn forward(f: &Arc<dyn Callable>) -> Result<Arc<dyn Callable>> {
    let Some(original) = as_trace(f) else { return Ok(f.clone()) };
    if original.derived.get().is_none() {
        let made: Arc<dyn std::any::Any + Send + Sync> = Arc::new(make_forward(f)?);
        let _ = original.derived.set(made);
    }
    let derived = original.derived.get().and_then(|d| d.downcast_ref::<Arc<Trace>>());
    // A forward function holds its own parts there and stands for itself.
    Ok(derived.map_or_else(|| f.clone(), |t| t.clone() as Arc<dyn Callable>))
}

fn as_trace(f: &Arc<dyn Callable>) -> Option<&Trace> {
    f.as_any().downcast_ref()
}

fn make_forward(f: &Arc<dyn Callable>) -> Result<Arc<Trace>> {
    let original = as_trace(f).ok_or_else(|| Error::internal("no trace"))?;
    let original = original.with_function(with_forward_calls(&original.function));
    let mut intermediates = Vec::new();
    // What the gradient of a result needs is kept as a result, which for gradients of higher
    // order needs more to be kept, until everything is there.
    let whole = loop {
        let whole = Arc::new(with_results(&original, &intermediates));
        let differentiable = whole.output_types.iter().map(|t| t.dtype.is_differentiable());
        let needs = make_backward(&whole, &differentiable.collect::<Vec<_>>())?.needs;
        let function = &whole.function;
        let before = intermediates.len();
        intermediates.extend(
            needs
                .into_iter()
                .filter(|e| !function.inputs.contains(&e.node) && !function.outputs.contains(e)),
        );
        if intermediates.len() == before {
            break whole;
        }
    };
    let forward = whole.with_function(whole.function.clone());
    let parts = Differentiated { whole, backward: Mutex::default() };
    let _ = forward.derived.set(Arc::new(parts));
    Ok(Arc::new(forward))
}

/// The graph with the functions that it calls replaced by their forward functions; further
/// results of a call come after its own, so that what used those still does.
fn with_forward_calls(function: &FunctionGraph) -> FunctionGraph {
    let mut function = function.clone();
    for id in function.graph.node_ids() {
        // A function that can't be differentiated stays; asking for its gradient fails.
        let Some(Ok(f)) = called(function.graph.node(id)).map(forward) else { continue };
        let node = function.graph.node_mut(id);
        node.outputs = f.output_types().iter().cloned().collect();
        node.attrs.set(CALLED.name(), AttrValue::Function(f));
    }
    function
}

/// The function with these intermediates as further results.
fn with_results(original: &Trace, intermediates: &[Endpoint]) -> Trace {
    let mut function = original.function.clone();
    function.outputs.extend(intermediates);
    original.with_function(function)
}

/// The backward function for results of which these have cotangents.
fn make_backward(original: &Arc<Trace>, has: &[bool]) -> Result<Backward> {
    let specs: Vec<AnySpec> = original
        .output_types
        .iter()
        .zip(has)
        .filter(|(_, has)| **has)
        .map(|(t, _)| AnySpec::Tensor(TensorSpec::new(&t.shape, t.dtype)))
        .collect();
    let graph = &original.function.graph;
    // Values of the original graph that rules use become captures of the backward function.
    context::push_frame(Frame::on(graph.clone()));
    let mut connected = Vec::new();
    let name = format!("gradient of {}", original.function.name);
    let symbol = |e: Endpoint| Tensor::Symbol(graph.symbol(e));
    let traced = trace(&name, &["cotangent"], specs, |leaves| {
        let cotangents: Result<SmallVec<[Option<Tensor>; 4]>> =
            has.iter().map(|has| if *has { leaves.take().map(Some) } else { Ok(None) }).collect();
        let gradients =
            replay(&original.function, cotangents?, |e| match graph.node(e.node).constant() {
                // Made anew, the value is this trace's own: a constant, not a capture.
                Some(value) => value.renewed().map_or_else(|_| symbol(e), Tensor::Value),
                None => symbol(e),
            })?;
        connected = gradients.iter().map(Option::is_some).collect();
        Ok(gradients.into_iter().flatten().collect::<Vec<Tensor>>())
    });
    context::pop_frame();
    let traced = traced?;
    let needs = traced.captures.iter().map(captured_endpoint).collect::<Result<_>>()?;
    let mut function = traced.function.clone();
    function.num_arguments = function.inputs.len();
    Ok(Backward { function: Arc::new(traced.with_function(function)), needs, connected })
}

fn captured_endpoint(capture: &Capture) -> Result<Endpoint> {
    match capture {
        Capture::Tensor(Tensor::Symbol(s)) => Ok(s.endpoint()),
        _ => Err(Error::internal("a gradient rule uses a tensor that is not of its op")),
    }
}

/// The gradient of a recorded call of a forward function.
pub(super) fn call_gradient(
    attrs: &Attrs,
    inputs: &[Tensor],
    outputs: &[Tensor],
    cotangents: &[Option<Tensor>],
) -> Result<InputGradients> {
    let f = attrs.get(CALLED)?;
    let Some(parts) = as_trace(&f).and_then(|t| t.derived.get()?.downcast_ref::<Differentiated>())
    else {
        // Recorded without intermediates because the function can't be differentiated; say why.
        return Err(forward(&f).err().unwrap_or_else(|| {
            Error::internal("the call was recorded without its intermediates")
        }));
    };
    let has: Vec<bool> = cotangents.iter().map(Option::is_some).collect();
    let backward = {
        let mut made = parts.backward.lock().unwrap_or_else(PoisonError::into_inner);
        match made.get(&has) {
            Some(b) => b.clone(),
            None => {
                let b = Arc::new(make_backward(&parts.whole, &has)?);
                made.entry(has).or_insert(b).clone()
            }
        }
    };
    let function = &parts.whole.function;
    let value = |e: &Endpoint| -> Result<&Tensor> {
        let input = function.inputs.iter().position(|n| *n == e.node).map(|i| &inputs[i]);
        let output = || function.outputs.iter().position(|o| o == e).map(|i| &outputs[i]);
        input.or_else(output).ok_or_else(|| Error::internal("an intermediate is missing"))
    };
    let needed = backward.needs.iter().map(value).collect::<Result<Vec<_>>>()?;
    let args: Vec<&Tensor> = cotangents.iter().flatten().chain(needed).collect();
    let b: Arc<dyn Callable> = backward.function.clone();
    let b = if context::is_recorded() { forward(&b).unwrap_or(b) } else { b };
    let mut found = execute(&PARTITIONED_CALL, Attrs::new().with(CALLED, &b), &args)?.into_iter();
    Ok(backward.connected.iter().map(|c| if *c { found.next() } else { None }).collect())
}
