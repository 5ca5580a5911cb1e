//! The gradient of a loop: a loop backwards.
//!
//! In its place tapes run a loop that also keeps, of every iteration, what the gradient of its body needs. The
//! gradient goes through these stacks from their ends; those of the stacks themselves, which gradients of
//! gradients ask for, come in on the way.

use std::sync::Arc;

use super::branch_gradient::zeros;
use super::looped::{Looped, Options};
use super::rows::{BODY, STACKED, WHILE, WHILE_SAVING};
use super::state::Site;
use super::tensor_array::sizes;
use crate::function::call;
use crate::gradient::{backward_of, depending, forward, forward_graph, forward_of_graph};
use crate::graph::{Endpoint, FunctionGraph};
use crate::op::{Attrs, Callable, Forward, OpDef};
use crate::ops;
use crate::ops::methods::*;
use crate::ops::{
    Gradient, GradientEntry, InputGradients, NamedOp, Op, ShapeOf, TensorListGetItem,
};
use crate::spec::{Structure, TensorSpec};
use crate::tensor::Tensor;
use crate::tensor::context::call_site_at;
use crate::types::{DType, Error, Result, TensorType};

inventory::submit!(GradientEntry::forward(&WHILE, forward_loop));
inventory::submit!(GradientEntry::new(&WHILE_SAVING, gradient).with_forward(forward_saving));

/// The inputs of the body of a loop, with so many tensors of state, that it gives back as they are.
fn invariants(graph: &FunctionGraph, state: usize) -> Vec<bool> {
    let own = |(node, e): (&_, &Endpoint)| *e == Endpoint { node: *node, output: 0 };
    graph.inputs.iter().zip(&graph.outputs).take(state).map(own).collect()
}

/// The loop with a body that also returns what its gradient needs.
fn forward_loop(_: &'static OpDef, attrs: &Attrs) -> Result<Forward> {
    let results = attrs.get(BODY)?.output_types().len();
    Ok(Forward { op: &WHILE_SAVING, attrs: with_needs(attrs)?.with(STACKED, &0), results })
}

/// The same for a loop that saves something already: what its user asked for, or what a tape did.
fn forward_saving(op: &'static OpDef, attrs: &Attrs) -> Result<Forward> {
    let body = attrs.get(BODY)?;
    let results = body.output_types().len() + 1;
    let attrs = match Arc::ptr_eq(&forward(&body)?, &body) {
        true => attrs.clone(),
        false => with_needs(attrs)?,
    };
    Ok(Forward { op, attrs, results })
}

/// The attributes of a loop with a body that also returns what its gradient needs.
fn with_needs(attrs: &Attrs) -> Result<Attrs> {
    let body = attrs.get(BODY)?;
    let (state, results) = (body.input_types().len(), body.output_types().len());
    let whole = forward(&body)?;
    let differentiable: Vec<bool> =
        whole.output_types().iter().map(|ty| ty.dtype.passes_gradient()).collect();
    let needs = backward_of(&whole, &differentiable, None)?;
    let mut graph = forward_graph(&whole)?;
    let kept = graph.outputs.split_off(results);
    let invariants = invariants(&graph, state);
    let stays = |e: &Endpoint| {
        let input = graph.inputs.iter().position(|n| *n == e.node);
        input.is_some_and(|i| invariants[i])
    };
    let mut saved: Vec<Endpoint> = Vec::new();
    for e in kept.iter().chain(&needs.needs) {
        if !stays(e) && !saved.contains(e) {
            saved.push(*e);
        }
    }
    graph.outputs.extend(saved);
    let mut changing = (0..state).filter(|i| !invariants[*i] && changes(&graph, *i)).peekable();
    if changing.peek().is_some() {
        let of_state = differentiable.iter().enumerate().map(|(i, flows)| *flows && i < state);
        let connected = &backward_of(&whole, &of_state.collect::<Vec<_>>(), None)?.connected;
        for i in changing.filter(|i| !connected[*i]).collect::<Vec<_>>() {
            keep_zeros(&mut graph, i)?;
        }
    }
    let body: Arc<dyn Callable> = forward_of_graph(graph)?;
    Ok(attrs.clone().with(BODY, &body))
}

/// The value of an input of the body.
fn input(graph: &FunctionGraph, i: usize) -> Endpoint {
    Endpoint { node: graph.inputs[i], output: 0 }
}

/// True if input `i` of the body has gradients, whose shapes may differ from one iteration to the next: those of
/// lists are their lengths.
fn changes(graph: &FunctionGraph, i: usize) -> bool {
    let ty = graph.graph.output_type(input(graph, i));
    ty.dtype.passes_gradient() && (ty.dtype == DType::Variant || !ty.shape.is_fully_defined())
}

/// Saves of input `i`, to which no gradient passes through an iteration, what zeros of its shape are made of: the
/// list, or the shape.
fn keep_zeros(graph: &mut FunctionGraph, i: usize) -> Result<()> {
    let value = input(graph, i);
    let saved = &graph.outputs[graph.inputs.len()..];
    if saved.contains(&value) || saved.iter().any(|e| is_shape(graph, e, value)) {
        return Ok(());
    }
    let e = if graph.graph.output_type(value).dtype == DType::Variant {
        value
    } else {
        let attrs = Attrs::new().with(ShapeOf::OUT_TYPE, &DType::I64);
        let node = graph.graph.add(ShapeOf::DEF, attrs, [value].into_iter().collect(), None)?;
        Endpoint { node, output: 0 }
    };
    graph.outputs.push(e);
    Ok(())
}

/// True if a result is the shape of this value.
fn is_shape(graph: &FunctionGraph, e: &Endpoint, of: Endpoint) -> bool {
    let node = graph.graph.node(e.node);
    node.op == ShapeOf::DEF && node.inputs[0] == of
}

fn gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    // A loop that can't be differentiated was recorded as it is; this says why it can't.
    forward_saving(g.op, g.attrs)?;
    let count = g.inputs.len();
    let body = g.get(BODY)?;
    let graph = forward_graph(&body)?;
    let (stacks, cotangents) = (&g.outputs[count + 1..], &g.cotangents[count + 1..]);
    // Every tensor of the state that can have a gradient has one on the way back.
    let flows = |i: usize| g.inputs[i].dtype().passes_gradient();
    // Nor has what is in a list because of its sizes: a list of integers looks like any other.
    let kept = cotangents.iter().zip(&body.output_types()[count..]);
    let kept = kept.map(|(c, ty)| c.is_some() && ty.dtype.passes_gradient());
    let mut has: Vec<bool> = (0..count).map(flows).chain(kept).collect();
    let invariants = invariants(&graph, count);
    let places = Places { graph: &graph, invariants: &invariants, count };
    let wanted = wanted(g, &graph, &invariants);
    let mut backward = backward_of(&body, &has, wanted.as_deref())?;
    if backward.needs.iter().any(|e| places.find(e).is_err()) {
        // A rule may need more where a cotangent is missing: what is kept is for all of them.
        let all = |y: &TensorType| y.dtype.passes_gradient();
        has = body.output_types().iter().map(all).collect();
        backward = backward_of(&body, &has, wanted.as_deref())?;
    }
    let mut types = backward.function.output_types().iter();
    // The iterations left, then of each input the gradient so far; those of variables are sums.
    let mut vars = vec![g.outputs[count].clone()];
    let mut declared = vars.type_spec();
    let mut at = vec![None; count];
    for (i, x) in g.inputs.iter().enumerate() {
        let ty = if backward.connected[i] { types.next() } else { None };
        let first = match (&g.cotangents[i], ty) {
            (Some(dy), _) => dy.clone(),
            (None, _) if flows(i) => g.outputs[i].zeros_like()?,
            (None, Some(ty)) if x.dtype() == DType::Resource => zeros(x, ty)?,
            (None, _) => continue,
        };
        at[i] = Some(vars.len());
        let mut spec = first.type_spec();
        if flows(i) {
            spec.shape = spec.shape.most_specific_common_supertype(&body.input_types()[i].shape);
        }
        declared.push(spec);
        vars.push(first);
    }
    let f: Arc<dyn Callable> = backward.function.clone();
    let step = |vars: Vec<Tensor>| -> Result<Vec<Tensor>> {
        let left = ops::sub(&vars[0], 1i64)?;
        let value = |j: usize| {
            let ty = &body.output_types()[count + j];
            match is_list(&stacks[j], ty) {
                true => item(&stacks[j], &left, &sizes(&ty.shape), ty.dtype),
                false => stacks[j].gather(&left, 0),
            }
        };
        let mut args = Vec::new();
        for (i, at) in at.iter().enumerate().filter(|(i, _)| has[*i]) {
            let at = at.ok_or_else(|| Error::internal(format!("no gradient of tensor {i}")))?;
            args.push(vars[at].clone());
        }
        for (j, cotangent) in cotangents.iter().enumerate().filter(|(j, _)| has[count + j]) {
            let ty = &body.output_types()[count + j];
            args.push(match cotangent {
                // An element that nothing was added to is zeros, of the shape of the value.
                Some(list) if is_list(&stacks[j], ty) => {
                    let value = value(j)?;
                    let shape = ShapeOf { out_type: DType::I32 }.run(&[&value])?;
                    let found = item(list, &left, &shape, ty.dtype)?;
                    match ty.dtype {
                        DType::Variant => ops::add_n(&[&value.zeros_like()?, &found])?,
                        _ => found,
                    }
                }
                Some(cotangent) => cotangent.gather(&left, 0)?,
                None => value(j)?.zeros_like()?,
            });
        }
        for e in &backward.needs {
            args.push(match places.find(e)? {
                Place::Stays(i) => g.inputs[i].clone(),
                Place::Saved(j) => value(j)?,
            });
        }
        let mut found = call(&f, &args.iter().collect::<Vec<_>>())?.into_iter();
        let mut next = vec![left.clone()];
        for (i, connected) in backward.connected.iter().enumerate() {
            let found = if *connected { found.next() } else { None };
            let Some(before) = at[i].map(|at| &vars[at]) else { continue };
            next.push(match (found, g.inputs[i].dtype()) {
                (Some(more), DType::Resource) => ops::add(before, &more)?,
                (None, DType::Resource) => before.clone(),
                (Some(found), _) => found,
                (None, _) => match places.zeros(i) {
                    Some(Zeros::Like(j)) => value(j)?.zeros_like()?,
                    Some(Zeros::Of(j)) => ops::zeros(&value(j)?, before.dtype())?,
                    None => before.zeros_like()?,
                },
            });
        }
        Ok(next)
    };
    let last = repeat(vars, declared, step)?;
    Ok(at.into_iter().map(|at| at.map(|at| last[at].clone())).collect())
}

/// The inputs of a body on the way from those of the loop of which gradients are wanted, where that is known.
fn wanted(g: &Gradient<'_>, body: &FunctionGraph, invariants: &[bool]) -> Option<Vec<bool>> {
    let mut wanted = g.wanted_from(0)?.to_vec();
    loop {
        let depends = depending(body, &wanted);
        let mut more = false;
        for (i, e) in body.outputs[..wanted.len()].iter().enumerate() {
            if depends[e.node.index()] && !wanted[i] && !invariants[i] {
                (wanted[i], more) = (true, true);
            }
        }
        if !more {
            return Some(wanted);
        }
    }
}

/// True if the values of a result of this type are in a list. A stack of variants has an axis.
fn is_list(saved: &Tensor, ty: &TensorType) -> bool {
    saved.dtype() == DType::Variant && (ty.dtype != DType::Variant || saved.rank() == Some(0))
}

/// An element of a list.
fn item(list: &Tensor, at: &Tensor, shape: &Tensor, dtype: DType) -> Result<Tensor> {
    TensorListGetItem { dtype }.run(&[list, &at.cast(DType::I32)?, shape])
}

/// Where what a body's gradient needs is found.
struct Places<'a> {
    graph: &'a FunctionGraph,
    invariants: &'a [bool],
    count: usize,
}

enum Place {
    /// An input that is the same in all iterations.
    Stays(usize),
    /// One of the stacks.
    Saved(usize),
}

/// What zeros are made like that stand for the gradient of an input: of which of the stacks.
enum Zeros {
    Like(usize),
    Of(usize),
}

impl Places<'_> {
    /// What zeros for the gradient of an input are made like, if its shape may differ from that of the result.
    fn zeros(&self, i: usize) -> Option<Zeros> {
        let (value, saved) = (input(self.graph, i), &self.graph.outputs[self.count..]);
        let like = saved.iter().position(|e| *e == value).map(Zeros::Like);
        let of = || saved.iter().position(|e| is_shape(self.graph, e, value)).map(Zeros::Of);
        like.or_else(of).filter(|_| changes(self.graph, i))
    }

    fn find(&self, e: &Endpoint) -> Result<Place> {
        if let Some(i) = self.graph.inputs.iter().position(|n| *n == e.node)
            && self.invariants[i]
        {
            return Ok(Place::Stays(i));
        }
        let saved = self.graph.outputs[self.count..].iter().position(|s| s == e);
        saved.map(Place::Saved).ok_or_else(|| Error::internal("an intermediate is missing"))
    }
}

/// Runs a step until the first variable is zero, on variables of these types.
fn repeat(
    vars: Vec<Tensor>,
    types: Vec<TensorSpec>,
    step: impl Fn(Vec<Tensor>) -> Result<Vec<Tensor>>,
) -> Result<Vec<Tensor>> {
    let site = Site::of_gradient();
    let options = Options { invariants: Some(types), ..Options::default() };
    let last = Looped::new(site, vars, options)?.trace(
        |vars| ops::greater(&vars[0], 0i64),
        |vars| {
            let _site = call_site_at(Some(site.location));
            step(vars).map(|next| Some((next, Vec::new())))
        },
    )?;
    last.map(|(vars, _)| vars).ok_or_else(|| Error::internal("a loop was given up"))
}
