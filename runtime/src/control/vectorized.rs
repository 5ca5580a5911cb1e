//! `vectorized_map`: a function applied to all elements at once, instead of one after the other.
//!
//! The function is traced on one element. Then each op is called once for all elements, by the batching rule in its
//! definition. An op without a rule becomes a loop of its own.

use smallvec::SmallVec;

use super::arm::here;
use super::elements::Elements;
use super::over::mapped;
use super::results::stacks_by_tensors;
use super::state::Site;
use crate::device::named;
use crate::function::{CALLED, PARTITIONED_CALL, trace_body};
use crate::ir::{Effect, FunctionGraph, InferContext, Node, Types};
use crate::ops::methods::*;
use crate::ops::{Batch, BatchRule, Batched, Count, Lane, batch_rule, check_stack};
use crate::spec::{Structure, TypeSpec, typed};
use crate::tensor::{Tensor, context, execute, on};
use crate::types::{DType, Error, Result, TensorType, caught, check_number, check_type};

/// [`map_fn`](super::map_fn) without a loop: the results of `f` for each element along the first axis, stacked.
/// Every op is called once for all elements.
///
/// `f` is always traced, even in an eager call, and its graph is rewritten. Elements and results are as for
/// `map_fn`, extension types included, and gradients pass. These ops have batching rules:
///
/// - all unary, binary and reducing ops, those of other crates too; `select`, `softmax`, `log_softmax`, `add_n`
/// - `matmul`, `batch_matmul`, `einsum`, `bias_add` with one bias; the ops of `linalg` and `fft`
/// - `reshape`, `transpose`, `expand_dims`, `squeeze`, `broadcast_to`, `ensure_shape`, `fill`, `shape_of`, `size`
/// - `concat`, `stack`, `unstack`, `split`, `gather`, `slice`, `index`, `pad`, `pad_with`, `mirror_pad`, `tile`,
///   `reverse`, `roll`, `one_hot`
/// - `argmax`, `argmin`, `cumsum`, `cumprod`, `cumulative_logsumexp`, `top_k`, `nth_element`, `bucketize`
/// - convolutions and poolings, with their gradients: filters may depend on the element, which gives the gradient of each
///   example; `resize_*`, colours and other ops that treat images by themselves
/// - losses of rows, `scatter_nd`, `tensor_scatter_*`, segment ops, diagonals and bands, searches in sorted rows, lookups
///   in tables, `convolve`, `correlate`, levels of ranges that all elements share
///
/// and ops composed of them, also in functions that `f` calls. Any other op, including a `cond` or a loop in `f`, becomes
/// a loop over the elements in its place. So does an op of the list if its axes or sizes depend on the element, or if its
/// rule needs a rank or a size that is not known.
///
/// In these cases `f` as a whole is mapped by a loop, as by `map_fn`: if such an op has results of unknown size, if `f`
/// writes, checks or draws random numbers, and if the elements are not stacked tensor by tensor.
///
/// Ops that do not depend on the element run once, even if there are no elements.
///
/// TensorFlow: `tf.vectorized_map`.
///
/// # Errors
/// As [`map_fn`](super::map_fn).
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
/// let y = vectorized_map(&x, |row: Tensor| ops::sub(&row, row.reduce_mean(.., false)?))?;
/// assert_eq!(y.as_slice::<f32>()?, &[-0.5, 0.5, -0.5, 0.5]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn vectorized_map<A: Structure, R: Structure>(
    elements: &A,
    mut f: impl FnMut(A) -> Result<R>,
) -> Result<R> {
    let site = here("vectorized_map");
    let all = site.located(Elements::of(&site, elements))?;
    match site.located(at_once(&site, &all, &mut f))? {
        Some(results) => Ok(results),
        None => mapped(site, &all, f),
    }
}

/// The results for all elements; `None` if `f` must be mapped by a loop.
fn at_once<A: Structure, R: Structure>(
    site: &Site,
    all: &Elements<A>,
    f: impl FnOnce(A) -> Result<R>,
) -> Result<Option<R>> {
    let Some(elements) = all.tensors() else { return Ok(None) };
    let body = trace_body("element", &all.spec, f)
        .map_err(|e| e.in_context(format!("the function of {site}")))?;
    if !stacks_by_tensors(&body.output_spec().to_any()) {
        return Ok(None);
    }
    let captures = body.captures()?;
    let spec = body.output_spec().stacked(all.count.dim)?;
    let graph = body.graph(&captures)?;
    if graph.effect() > Effect::Reads {
        return Ok(None);
    }
    let count = &all.count;
    let elements = elements.into_iter().map(Lane::Each);
    let inputs = elements.chain(captures.into_iter().map(Lane::Same)).collect();
    let Some(results) = batched(site, &graph, inputs, count)? else { return Ok(None) };
    let leaves = results.iter().zip(graph.output_types()).map(|(lane, ty)| {
        let t = match lane {
            Lane::Each(t) => t.clone(),
            Lane::Same(t) => count.repeat(t)?,
        };
        // A size that is known for one element is known for all.
        let shape = ty.shape.insert(0, all.count.dim);
        match t.shape().is_subtype_of(&shape) {
            true => Ok(t),
            false => t.ensure_shape(shape),
        }
    });
    typed(&spec, leaves.collect::<Result<Vec<_>>>()?).map(Some)
}

type Lanes = SmallVec<[Lane; 1]>;

/// The results of a graph for all elements.
fn batched(
    site: &Site,
    graph: &FunctionGraph,
    inputs: Vec<Lane>,
    count: &Count,
) -> Result<Option<Vec<Lane>>> {
    let needed = graph.needed();
    let mut lanes: Vec<Lanes> = vec![Lanes::new(); needed.len()];
    for (node, lane) in graph.inputs.iter().zip(inputs) {
        lanes[node.index()].push(lane);
    }
    for (id, node) in graph.graph.node_ids().zip(graph.graph.nodes()) {
        if !needed[id.index()] || !lanes[id.index()].is_empty() {
            continue;
        }
        if let Some(array) = node.constant() {
            lanes[id.index()].push(Lane::Same(Tensor::Value(array.clone())));
            continue;
        }
        let inputs: Vec<Lane> =
            node.inputs.iter().map(|e| lanes[e.node.index()][e.output as usize].clone()).collect();
        let types = node.inputs.iter().map(|e| graph.graph.output_type(*e).clone());
        let call = BatchedCall { node, inputs: &inputs, types: &types.collect::<Types>() };
        match call.many(site, count)? {
            Some(outputs) => lanes[id.index()] = outputs,
            None => return Ok(None),
        }
    }
    let output = |e: &crate::ir::Endpoint| lanes[e.node.index()][e.output as usize].clone();
    Ok(Some(graph.outputs.iter().map(output).collect()))
}

/// A node, and its operands for all elements.
struct BatchedCall<'a> {
    node: &'a Node,
    inputs: &'a [Lane],
    types: &'a [TensorType],
}

impl BatchedCall<'_> {
    /// The results for all elements.
    fn many(&self, site: &Site, count: &Count) -> Result<Option<Lanes>> {
        let Self { node, inputs, types } = *self;
        let _site = context::call_site_at(node.location);
        let device = node.device.as_deref().map(named).transpose()?;
        let _scope = device.map(on);
        let all: Option<SmallVec<[&Tensor; 4]>> = inputs.iter().map(same).collect();
        if let Some(inputs) = all {
            let outputs = execute(node.op, node.attrs.clone(), &inputs)?;
            return Ok(Some(outputs.into_iter().map(Lane::Same).collect()));
        }
        if node.op == &PARTITIONED_CALL
            && let Some(graph) = node.attrs.get(CALLED)?.graph()
        {
            // The ops of the called function are batched one by one.
            let found = batched(site, graph, inputs.to_vec(), count)?;
            return Ok(found.map(Lanes::from_vec));
        }
        let (op, attrs, outputs) = (node.op, &node.attrs, &self.outputs()?);
        let batch = Batch { op, attrs, inputs, types, outputs, count };
        if let Some(rule) = batch_rule(op)
            && let Some(found) = ruled(&batch, rule)?
        {
            return Ok(Some(found));
        }
        // A result whose size may differ between elements can't be stacked, so `f` as a whole is mapped.
        let stacks = |ty: &TensorType| {
            ty.shape.is_fully_defined() && !matches!(ty.dtype, DType::Variant | DType::Resource)
        };
        match outputs.iter().all(stacks) {
            true => self.looped(site, count).map(Some),
            false => Ok(None),
        }
    }

    /// The types of the results for one element. A function that is called has not seen the axes and sizes that it is given.
    fn outputs(&self) -> Result<Types> {
        let Self { node, inputs, types } = *self;
        let mut args = node.op.spread_inputs(inputs.len()).zip(inputs);
        if !args.any(|(arg, lane)| arg.is_static && same(lane).is_some()) {
            return Ok(node.outputs.clone());
        }
        let constant = |i: usize| match inputs.get(i)? {
            Lane::Same(Tensor::Value(array)) => Some(array.clone()),
            _ => None,
        };
        let mut found = node.op.infer(&InferContext::new(types, &node.attrs, &constant))?;
        for (ty, traced) in found.iter_mut().zip(&node.outputs) {
            ty.shape = ty.shape.merge(&traced.shape)?;
        }
        Ok(found)
    }

    /// The results for all elements, by a loop.
    fn looped(&self, site: &Site, count: &Count) -> Result<Lanes> {
        let each = self.inputs.iter().filter_map(|lane| match lane {
            Lane::Each(t) => Some(t.clone()),
            Lane::Same(_) => None,
        });
        let all = Elements::counted(site, &each.collect::<Vec<_>>(), count)?;
        let results: Vec<Tensor> = mapped(*site, &all, |each: Vec<Tensor>| {
            let mut each = each.iter();
            let inputs: Option<SmallVec<[&Tensor; 4]>> =
                self.inputs.iter().map(|lane| same(lane).or_else(|| each.next())).collect();
            let inputs = inputs.ok_or_else(|| Error::internal("an operand is missing"))?;
            execute(self.node.op, self.node.attrs.clone(), &inputs).map(SmallVec::into_vec)
        })?;
        Ok(results.into_iter().map(Lane::Each).collect())
    }
}

/// The results of a batching rule, checked against the op's inferred types.
fn ruled(b: &Batch<'_>, rule: BatchRule) -> Result<Batched> {
    let found = match b.op.is_own() {
        true => rule(b),
        false => caught(|| "the batching rule".to_owned(), || rule(b))
            .map_err(|e| e.in_context(format!("the batching rule of {}", b.op.rust_name))),
    };
    let Some(mut lanes) = found? else { return Ok(None) };
    if b.op.is_checked() {
        check_lanes(b, &mut lanes).map_err(|e| e.with_op(b.op.rust_name))?;
    }
    Ok(Some(lanes))
}

/// Checks that a batching rule returned, for each result, a stack or a tensor that is the same for all elements.
fn check_lanes(b: &Batch<'_>, lanes: &mut [Lane]) -> Result<()> {
    let who = format!("the batching rule of `{}`", b.op.rust_name);
    check_number(&who, lanes.len(), "results", b.outputs.len(), "of its inference")?;
    for (i, (lane, ty)) in lanes.iter_mut().zip(b.outputs).enumerate() {
        let (t, stacked) = match lane {
            Lane::Same(t) => (t, false),
            Lane::Each(t) => (t, true),
        };
        let shape = if stacked { ty.shape.insert(0, b.count.dim) } else { ty.shape.clone() };
        let promised = TensorType::new(ty.dtype, shape);
        let part = format!("result {i} of all calls");
        check_type(&who, &part, (t.dtype(), &t.shape()), &promised)?;
        if b.op.is_own() || !t.is_symbolic() {
            continue;
        }
        let known = t.shape().is_subtype_of(&promised.shape);
        if stacked && !(known && b.count.dim.size().is_some()) {
            let message =
                format!("{who} returned another shape than {} for {part}:", promised.shape);
            check_stack(t, &b.count.tensor, &ty.shape, &message)?;
        }
        if !known {
            *t = t.ensure_shape(promised.shape)?;
        }
    }
    Ok(())
}

fn same(lane: &Lane) -> Option<&Tensor> {
    match lane {
        Lane::Same(t) => Some(t),
        Lane::Each(_) => None,
    }
}
