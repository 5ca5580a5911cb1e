//! The backward pass through recorded ops, on a tape or in the graph of a function.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::tape::{flows, flows_as, key};
use crate::ir::{ArgDef, Attrs, Endpoint, FunctionGraph, NodeId, OpDef};
use crate::ops::methods::*;
use crate::ops::{
    self, Gradient, IndexedSlices, InputGradient, InputGradients, check_same_shape, gradient_rule,
    hands_on, is_empty, passes_no_gradient,
};
use crate::tensor::context::call_site_at;
use crate::tensor::{Identity, Tensor, value_type};
use crate::types::{DType, Error, Result, check_number, check_type, err};

/// An op that ran.
pub(super) struct TapeEntry {
    pub(super) op: &'static OpDef,
    pub(super) attrs: Attrs,
    /// Kept alive, so that identities stay unique while the tape lives.
    pub(super) inputs: Vec<Tensor>,
    pub(super) outputs: Vec<Tensor>,
}

/// Walks recorded ops backwards and sums up the cotangents of the tensors that depend on the sources.
pub(super) fn walk(
    entries: &[Rc<TapeEntry>],
    sums: &mut Sums,
    sources: &FxHashSet<Identity>,
) -> Result<()> {
    let mut depends = sources.clone();
    for entry in entries {
        if entry.inputs.iter().any(|x| depends.contains(&key(x))) {
            depends.extend(entry.outputs.iter().filter(|y| flows(y)).map(key));
        }
    }
    for entry in entries.iter().rev() {
        let wanted: SmallVec<[bool; 4]> =
            entry.inputs.iter().map(|x| depends.contains(&key(x))).collect();
        if !wanted.contains(&true) {
            continue;
        }
        if hands_on(entry.op) {
            if let Some(sum) = sums.take(key(&entry.outputs[0]), sources) {
                sums.merge(key(&entry.inputs[0]), sum);
            }
            continue;
        }
        // An output handle is the same resource as its input, so its cotangent stays under that key.
        let cotangents = entry.outputs.iter().map(|t| match t.dtype() {
            DType::Resource => Ok(None),
            _ => sums.take(key(t), sources).map(Sum::into_dense).transpose(),
        });
        let cotangents = cotangents.collect::<Result<Vec<Option<Tensor>>>>()?;
        if cotangents.iter().all(Option::is_none) {
            continue;
        }
        let inputs = of_nothing(entry, &wanted);
        let inputs = inputs.unwrap_or_else(|| gradients_of(entry, &cotangents, &wanted))?;
        for (x, g) in entry.inputs.iter().zip(inputs) {
            if let Some(g) = g.filter(|_| flows(x)) {
                sums.add(key(x), g);
            }
        }
    }
    Ok(())
}

/// Zero gradients for an op whose results, or whose wanted operands, are all empty.
/// The op's rule is not run, so it need not handle empty tensors with huge sizes.
fn of_nothing(entry: &TapeEntry, wanted: &[bool]) -> Option<Result<InputGradients>> {
    let mut through = entry.inputs.iter().zip(wanted).filter(|(_, wanted)| **wanted);
    // The gradient of a variable has the type of its value, which only rules know.
    if through.clone().any(|(x, _)| x.dtype() == DType::Resource) {
        return None;
    }
    let is_nothing = entry.outputs.iter().all(is_empty) || through.all(|(x, _)| is_empty(x));
    let zeros = |(x, wanted): (&Tensor, &bool)| {
        (*wanted && x.dtype().is_differentiable()).then(|| x.zeros_like()).transpose()
    };
    is_nothing.then(|| entry.inputs.iter().zip(wanted).map(zeros).collect())
}

fn gradients_of(
    entry: &TapeEntry,
    cotangents: &[Option<Tensor>],
    wanted: &[bool],
) -> Result<InputGradients> {
    let rule = gradient_rule(entry.op).ok_or_else(|| {
        err!(
            Unimplemented,
            "the op has no gradient rule; its row can give one, `gradient: …`, or say that none \
             passes, `gradient: none`"
        )
        .with_op(entry.op.rust_name)
    })?;
    let context = Gradient {
        op: entry.op,
        attrs: &entry.attrs,
        inputs: &entry.inputs,
        outputs: &entry.outputs,
        cotangents,
        wanted,
    };
    let found = rule(&context).and_then(|found| {
        if entry.op.is_checked() {
            check_gradients(&found, &context)?;
        }
        Ok(found)
    });
    found.map_err(|e| e.in_context(format!("the gradient of {}", entry.op.rust_name)))
}

/// Checks that a rule returned one gradient for each operand, of the operand's dtype and shape. The gradient of a
/// variable has the type of the variable's value, which is checked where the handle is known.
fn check_gradients(found: &InputGradients, g: &Gradient<'_>) -> Result<()> {
    let (who, count) = (format!("the gradient of `{}`", g.op.rust_name), g.inputs.len());
    let args: SmallVec<[&ArgDef; 4]> = g.op.spread_inputs(count).collect();
    // Static operands at the end have no gradient, and may be left out.
    let operands = args.iter().rposition(|arg| !arg.is_static).map_or(0, |last| last + 1);
    let wanted = if found.iter().len() < operands { operands } else { count };
    if !(operands..=count).contains(&found.iter().len()) {
        check_number(&who, found.iter().len(), "gradients", wanted, "operands")?;
    }
    for ((i, x), (found, arg)) in g.inputs.iter().enumerate().zip(found.iter().zip(args)) {
        let ty = match x.dtype() {
            DType::Resource => value_type(x).cloned(),
            dtype => dtype.passes_gradient().then(|| x.tensor_type()),
        };
        let (Some(found), Some(ty)) = (found, ty) else { continue };
        let part = format!("operand {i}, `{}`", arg.name);
        check_type(&who, &part, (found.dtype(), &found.shape()), &ty)?;
        if let InputGradient::Dense(found) = &found
            && x.dtype() != DType::Resource
            && !g.op.is_own()
            && g.wants(i)
        {
            let message = || format!("{who} returned another shape than that of {part}");
            check_same_shape(found, x, message)?;
        }
    }
    Ok(())
}

/// The cotangents of one tensor.
#[derive(Clone, Default)]
struct Sum {
    dense: SmallVec<[Tensor; 2]>,
    slices: SmallVec<[IndexedSlices; 1]>,
}

impl Sum {
    /// Their sum, as slices if all are.
    fn into_gradient(self) -> Result<InputGradient> {
        match self.dense.is_empty() {
            true => IndexedSlices::sum(&self.slices).map(InputGradient::Slices),
            false => self.into_dense().map(InputGradient::Dense),
        }
    }

    /// Their sum.
    fn into_dense(self) -> Result<Tensor> {
        let mut parts = self.dense;
        if !self.slices.is_empty() {
            parts.push(IndexedSlices::sum(&self.slices)?.to_dense()?);
        }
        let mut parts = parts.into_iter();
        let first = parts.next().ok_or_else(|| Error::internal("a sum of nothing"))?;
        parts.try_fold(first, |sum, g| match g.dtype() {
            DType::Variant => ops::add_n(&[&sum, &g]),
            _ => ops::add(&sum, &g),
        })
    }
}

/// Cotangents summed up so far.
#[derive(Default)]
pub(super) struct Sums(FxHashMap<Identity, Sum>);

impl Sums {
    pub(super) fn add(&mut self, key: Identity, g: InputGradient) {
        let sum = self.0.entry(key).or_default();
        match g {
            InputGradient::Dense(g) => sum.dense.push(g),
            InputGradient::Slices(g) => sum.slices.push(g),
        }
    }

    fn merge(&mut self, key: Identity, more: Sum) {
        let sum = self.0.entry(key).or_default();
        sum.dense.extend(more.dense);
        sum.slices.extend(more.slices);
    }

    pub(super) fn get(&self, key: Identity) -> Result<Option<InputGradient>> {
        self.0.get(&key).map(|sum| sum.clone().into_gradient()).transpose()
    }

    /// Takes the sum for a result; it stays in the table if the result is itself a source.
    fn take(&mut self, key: Identity, kept: &FxHashSet<Identity>) -> Option<Sum> {
        if kept.contains(&key) { self.0.get(&key).cloned() } else { self.0.remove(&key) }
    }
}

/// For each node of a graph, whether it depends on one of the `wanted` inputs along edges that gradients pass.
pub(crate) fn depending(graph: &FunctionGraph, wanted: &[bool]) -> Vec<bool> {
    let wanted = graph.inputs.iter().zip(wanted).filter(|(_, wanted)| **wanted);
    let wanted: FxHashSet<NodeId> = wanted.map(|(n, _)| *n).collect();
    let mut depends: Vec<bool> = Vec::new();
    for id in graph.graph.node_ids() {
        let node = graph.graph.node(id);
        let flows = |e: &Endpoint| flows_as(graph.graph.output_type(*e).dtype);
        let passed = node.inputs.iter().any(|e| depends[e.node.index()] && flows(e));
        depends.push(wanted.contains(&id) || passed && !passes_no_gradient(node.op));
    }
    depends
}

/// The gradients of a function's graph with respect to its `wanted` inputs. If `wanted` is `None`, all inputs are wanted
/// and ops without a gradient rule are skipped.
pub(super) fn replay(
    graph: &FunctionGraph,
    cotangents: SmallVec<[Option<Tensor>; 4]>,
    wanted: Option<&[bool]>,
    symbol: impl Fn(Endpoint) -> Tensor,
) -> Result<Vec<Option<InputGradient>>> {
    let mut sums = Sums::default();
    let at = |e: Endpoint| Identity::Symbol(graph.graph.id(), e);
    let inputs: FxHashSet<NodeId> = graph.inputs.iter().copied().collect();
    for (e, c) in graph.outputs.iter().zip(cotangents) {
        if let Some(c) = c {
            sums.add(at(*e), c.into());
        }
    }
    let none = FxHashSet::default();
    let depends = wanted.map(|wanted| depending(graph, wanted));
    let is_wanted = |e: &Endpoint| depends.as_ref().is_none_or(|depends| depends[e.node.index()]);
    for id in graph.graph.node_ids().rev() {
        let node = graph.graph.node(id);
        // Inputs keep their sums; constants have no inputs to pass a cotangent to.
        if inputs.contains(&id) || node.inputs.is_empty() {
            continue;
        }
        let endpoint = |output: usize| Endpoint { node: id, output: output as u32 };
        if !is_wanted(&endpoint(0)) {
            continue;
        }
        if hands_on(node.op) {
            if let Some(sum) = sums.take(at(endpoint(0)), &none) {
                sums.merge(at(node.inputs[0]), sum);
            }
            continue;
        }
        // The ops that a rule adds get the source location of the op that is differentiated.
        let _site = call_site_at(node.location);
        let cotangents = (0..node.outputs.len())
            .map(|o| sums.take(at(endpoint(o)), &none).map(Sum::into_dense).transpose())
            .collect::<Result<Vec<Option<Tensor>>>>()?;
        // A missing rule is an error only once the gradient is known to be wanted.
        let no_rule = wanted.is_none() && gradient_rule(node.op).is_none();
        if no_rule || cotangents.iter().all(Option::is_none) {
            continue;
        }
        let entry = TapeEntry {
            op: node.op,
            attrs: node.attrs.clone(),
            inputs: node.inputs.iter().map(|e| symbol(*e)).collect(),
            outputs: (0..node.outputs.len()).map(|o| symbol(endpoint(o))).collect(),
        };
        let wanted: SmallVec<[bool; 4]> = match &depends {
            Some(_) => node.inputs.iter().map(is_wanted).collect(),
            None => SmallVec::new(),
        };
        let found = gradients_of(&entry, &cotangents, &wanted)?;
        for ((x, e), g) in entry.inputs.iter().zip(&node.inputs).zip(found) {
            if let Some(g) = g.filter(|_| flows(x)) {
                sums.add(at(*e), g);
            }
        }
    }
    let input = |n: &NodeId| {
        let e = Endpoint { node: *n, output: 0 };
        if is_wanted(&e) { sums.get(at(e)) } else { Ok(None) }
    };
    graph.inputs.iter().map(input).collect()
}
