//! Running a body once with placeholders.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::concrete::Trace;
use super::control::add_control_dependencies;
use crate::graph::{GraphId, NodeId};
use crate::ops::OperatorFailed;
use crate::spec::{AnySpec, LeafIter, Structure, TypeSpec};
use crate::tensor::{Frame, Tensor, context};
use crate::types::{Error, Result, Shape, TensorType, bail};

/// Traces may nest so deep; a function that calls itself on tensors never ends.
const MAX_DEPTH: usize = 64;

/// Runs the body on placeholders for these specs and returns what it did.
pub(crate) fn trace<R: Structure>(
    name: &str,
    parameters: &[&str],
    specs: Vec<AnySpec>,
    body: impl FnOnce(&mut LeafIter) -> Result<R>,
) -> Result<Trace> {
    let enclosing = context::open_graphs();
    if enclosing.len() >= MAX_DEPTH {
        bail!(
            "`{name}`: traced functions nest {MAX_DEPTH} deep; a traced function can call itself \
             on plain values that change, not on tensors"
        );
    }
    let mut frame = Frame::new(name);
    let placeholders = placeholders(&mut frame, parameters, &specs);
    let arguments: Vec<NodeId> = placeholders.iter().filter_map(node_of).collect();
    context::push_frame(frame);
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut leaves = LeafIter::new(placeholders);
        body(&mut leaves).map(|r| {
            let spec = r.type_spec();
            let mut outputs = Vec::new();
            r.into_leaves(&mut outputs);
            (spec, outputs)
        })
    }));
    let frame = context::pop_frame().ok_or_else(|| Error::internal("the trace is gone"))?;
    let (spec, outputs) = result.unwrap_or_else(|panic| Err(panicked(name, panic)))?;
    let mut end = finish(frame, arguments, &outputs, &enclosing)?;
    add_control_dependencies(&mut end.0);
    let any = spec.to_any();
    Ok(Trace::new(end.0, end.1, specs, any, Box::new(spec)))
}

fn finish(
    frame: Frame,
    arguments: Vec<NodeId>,
    outputs: &[Tensor],
    enclosing: &[GraphId],
) -> Result<(crate::graph::FunctionGraph, Vec<crate::tensor::Capture>)> {
    let end = frame.finish(arguments, outputs, enclosing)?;
    Ok((end.function, end.captures))
}

fn node_of(t: &Tensor) -> Option<NodeId> {
    match t {
        Tensor::Symbol(s) => Some(s.endpoint().node),
        Tensor::Value(_) => None,
    }
}

/// One placeholder for each leaf, named after its parameter and field.
fn placeholders(frame: &mut Frame, parameters: &[&str], specs: &[AnySpec]) -> Vec<Tensor> {
    let mut placeholders = Vec::new();
    for (i, spec) in specs.iter().enumerate() {
        let parameter = parameters.get(i).copied().unwrap_or("args");
        for (path, leaf) in leaf_paths(spec, parameter) {
            let ty = match &leaf {
                AnySpec::Tensor(t) => t.tensor_type(),
                _ => TensorType::new(crate::types::DType::Resource, Shape::scalar()),
            };
            let placeholder = frame.placeholder(ty, Some(Arc::from(path)));
            placeholders.push(placeholder);
        }
    }
    placeholders
}

/// The leaves of a spec with their paths: `m.values`, `xs[2]`.
fn leaf_paths(spec: &AnySpec, path: &str) -> Vec<(String, AnySpec)> {
    let parts = spec.named_components();
    if parts.is_empty() {
        let leaf = spec.leaves();
        return leaf.into_iter().map(|leaf| (path.to_owned(), leaf)).collect();
    }
    parts.iter().flat_map(|(name, part)| leaf_paths(part, &format!("{path}{name}"))).collect()
}

/// The error of a body that unwound: an operator's own error, or a panic.
fn panicked(name: &str, panic: Box<dyn std::any::Any + Send>) -> Error {
    match panic.downcast::<OperatorFailed>() {
        Ok(failed) => failed.0,
        Err(panic) => {
            let text = panic
                .downcast_ref::<&str>()
                .map(|s| (*s).to_owned())
                .or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_else(|| "of an unknown kind".to_owned());
            Error::internal(format!("the body of `{name}` panicked while it was traced: {text}"))
        }
    }
}
