//! The gradient of a loop: a loop that runs backwards.
//!
//! In place of the loop, tapes run one that also stacks the values of every iteration that the gradient of the body
//! needs. The gradient loop reads these stacks from the end. In gradients of higher order the stacks themselves have
//! cotangents, which are used in the iteration that they belong to.

use std::sync::Arc;

use super::branch_gradient::zeros;
use super::looped::{Looped, Options};
use super::rows::{BODY, STACKED, WHILE, WHILE_SAVING};
use super::state::Site;
use super::tensor_array::sizes;
use crate::function::call;
use crate::gradient::{backward_of, depending, forward, forward_graph, forward_of_graph};
use crate::ir::{Attrs, Endpoint, Forward, FunctionGraph, LibraryFunction, OpDef};
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

/// For each of the first `state` inputs of a loop body, whether the body returns it unchanged.
fn invariants(graph: &FunctionGraph, state: usize) -> Vec<bool> {
    let own = |(node, e): (&_, &Endpoint)| *e == Endpoint { node: *node, output: 0 };
    graph.inputs.iter().zip(&graph.outputs).take(state).map(own).collect()
}

/// The same loop with a body that also returns the intermediates for its gradient.
fn forward_loop(_: &'static OpDef, attrs: &Attrs) -> Result<Forward> {
    let results = attrs.get(BODY)?.output_types().len();
    Ok(Forward { op: &WHILE_SAVING, attrs: with_needs(attrs)?.with(STACKED, &0), results })
}

/// The same for a loop that already stacks values, for the user or for a tape.
fn forward_saving(op: &'static OpDef, attrs: &Attrs) -> Result<Forward> {
    let body = attrs.get(BODY)?;
    let results = body.output_types().len() + 1;
    let attrs = match Arc::ptr_eq(&forward(&body)?, &body) {
        true => attrs.clone(),
        false => with_needs(attrs)?,
    };
    Ok(Forward { op, attrs, results })
}

/// The attributes of a loop whose body also returns the intermediates for its gradient.
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
    let body: Arc<LibraryFunction> = forward_of_graph(graph)?;
    Ok(attrs.clone().with(BODY, &body))
}

/// The value of an input of the body.
fn input(graph: &FunctionGraph, i: usize) -> Endpoint {
    Endpoint { node: graph.inputs[i], output: 0 }
}

/// True if gradients pass input `i` of the body and its shape may change between iterations; for a list, that is
/// its length.
fn changes(graph: &FunctionGraph, i: usize) -> bool {
    let ty = graph.graph.output_type(input(graph, i));
    ty.dtype.passes_gradient() && (ty.dtype == DType::Variant || !ty.shape.is_fully_defined())
}

/// Saves the list or the shape from which zeros for input `i` are made. They are needed if no gradient reaches
/// the input through an iteration.
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

/// True if `e` is the shape of the value `of`.
fn is_shape(graph: &FunctionGraph, e: &Endpoint, of: Endpoint) -> bool {
    let node = graph.graph.node(e.node);
    node.op == ShapeOf::DEF && node.inputs[0] == of
}

fn gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    // If the loop can't be differentiated, it was recorded unchanged, and this returns the reason.
    forward_saving(g.op, g.attrs)?;
    let count = g.inputs.len();
    let body = g.get(BODY)?;
    let graph = forward_graph(&body)?;
    let (stacks, cotangents) = (&g.outputs[count + 1..], &g.cotangents[count + 1..]);
    // Every state tensor that passes gradients has a cotangent in the gradient loop.
    let flows = |i: usize| g.inputs[i].dtype().passes_gradient();
    // A list of integers has no cotangent either, although it looks like any other list.
    let kept = cotangents.iter().zip(&body.output_types()[count..]);
    let kept = kept.map(|(c, ty)| c.is_some() && ty.dtype.passes_gradient());
    let mut has: Vec<bool> = (0..count).map(flows).chain(kept).collect();
    let invariants = invariants(&graph, count);
    let places = Places { graph: &graph, invariants: &invariants, count };
    let wanted = wanted(g, &graph, &invariants);
    let mut backward = backward_of(&body, &has, wanted.as_deref())?;
    if backward.needs.iter().any(|e| places.find(e).is_err()) {
        // A rule may need more where a cotangent is missing; the saved values suffice if all have one.
        let all = |y: &TensorType| y.dtype.passes_gradient();
        has = body.output_types().iter().map(all).collect();
        backward = backward_of(&body, &has, wanted.as_deref())?;
    }
    let mut types = backward.function.output_types().iter();
    // The number of iterations left, then the gradient of each input so far; gradients of variables are summed.
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
    let f = backward.function.clone();
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
                // An element without a cotangent is zeros of the value's shape.
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
                Intermediate::Stays(i) => g.inputs[i].clone(),
                Intermediate::Saved(j) => value(j)?,
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

/// The inputs of the body on the path from the loop inputs that need gradients, where those are known.
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

/// True if the saved values are in a list. A stack of variants has an axis.
fn is_list(saved: &Tensor, ty: &TensorType) -> bool {
    saved.dtype() == DType::Variant && (ty.dtype != DType::Variant || saved.rank() == Some(0))
}

/// An element of a list.
fn item(list: &Tensor, at: &Tensor, shape: &Tensor, dtype: DType) -> Result<Tensor> {
    TensorListGetItem { dtype }.run(&[list, &at.cast(DType::I32)?, shape])
}

/// Finds the values that the gradient of a body needs.
struct Places<'a> {
    graph: &'a FunctionGraph,
    invariants: &'a [bool],
    count: usize,
}

/// Where the gradient loop finds an intermediate of the body.
enum Intermediate {
    /// An input that is the same in all iterations.
    Stays(usize),
    /// One of the stacks.
    Saved(usize),
}

/// How to make zeros for the gradient of an input: like the value in this stack, or of the shape in this stack.
enum Zeros {
    Like(usize),
    Of(usize),
}

impl Places<'_> {
    /// How to make zeros for the gradient of an input, if its shape may differ from the result's.
    fn zeros(&self, i: usize) -> Option<Zeros> {
        let (value, saved) = (input(self.graph, i), &self.graph.outputs[self.count..]);
        let like = saved.iter().position(|e| *e == value).map(Zeros::Like);
        let of = || saved.iter().position(|e| is_shape(self.graph, e, value)).map(Zeros::Of);
        like.or_else(of).filter(|_| changes(self.graph, i))
    }

    /// Where a value of the body is found.
    fn find(&self, e: &Endpoint) -> Result<Intermediate> {
        if let Some(i) = self.graph.inputs.iter().position(|n| *n == e.node)
            && self.invariants[i]
        {
            return Ok(Intermediate::Stays(i));
        }
        let saved = self.graph.outputs[self.count..].iter().position(|s| s == e);
        saved.map(Intermediate::Saved).ok_or_else(|| Error::internal("an intermediate is missing"))
    }
}

/// Runs `step` until the first variable is zero, on variables of these types.
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
