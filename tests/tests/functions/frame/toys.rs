//! A conditional and a loop as any crate could write them: two ops with two functions each.

use std::sync::Arc;

use extype::array::Array;
use extype::function::{Body, call, trace_body, unite_captures};
use extype::gradient::{Forward, Gradient, InputGradients, gradient_function, gradient_types};
use extype::ir::{
    Attrs, InferContext, KernelContext, LibraryFunction, OpDef, Outputs, Types, find_op,
};
use extype::ops::NamedOp;
use extype::prelude::*;
use extype::tensor::{execute, is_tracing};
use extype::types::TensorType;

extype::define_op! {
    /// The results of one of two functions.
    pub op ToyIf = "Toy>If" {
        inputs: { cond: {Bool}, input: (Tin) }, outputs: { output: (Tout) },
        attrs: { then_branch: Arc<LibraryFunction>, else_branch: Arc<LibraryFunction> },
        dispatch: none,
        infer: if_types, kernel: run_if, gradient: if_gradient,
    }

    /// The first `vars` inputs after a loop; the others stay what they are.
    pub op ToyWhile = "Toy>While" {
        inputs: { input: (T) }, outputs: { output: (Tout) },
        attrs: { cond: Arc<LibraryFunction>, body: Arc<LibraryFunction>, vars: i64 },
        dispatch: none,
        infer: while_types, kernel: |c| run_while(c, false), forward: saving,
    }

    /// The same, and after the results for each variable its values before each step and at the end.
    pub op ToyWhileSaving = "Toy>WhileSaving" {
        inputs: { input: (T) }, outputs: { output: (Tout), saved: (Tsaved) },
        attrs: { cond: Arc<LibraryFunction>, body: Arc<LibraryFunction>, vars: i64 },
        dispatch: none,
        infer: saving_types, kernel: |c| run_while(c, true), gradient: while_gradient,
    }
}

/// Traces one of two bodies into a graph, or runs it.
pub(crate) fn cond<R: Structure>(
    pred: &Tensor,
    yes: impl FnOnce() -> Result<R>,
    no: impl FnOnce() -> Result<R>,
) -> Result<R> {
    if !is_tracing() {
        return if pred.item::<bool>()? { yes() } else { no() };
    }
    cond_node(pred, yes, no)
}

/// The conditional as a call of its op, also outside traces.
pub(crate) fn cond_node<R: Structure>(
    pred: &Tensor,
    yes: impl FnOnce() -> Result<R>,
    no: impl FnOnce() -> Result<R>,
) -> Result<R> {
    let nothing = ().type_spec();
    let yes: Body<R> = trace_body("then", &nothing, |()| yes())?;
    let no: Body<R> = trace_body("else", &nothing, |()| no())?;
    let spec = yes.output_spec().clone();
    let captures = unite_captures([yes.captures()?, no.captures()?]);
    let op = ToyIf {
        then_branch: yes.into_function(&captures)?,
        else_branch: no.into_function(&captures)?,
    };
    let inputs: Vec<&Tensor> = std::iter::once(pred).chain(&captures).collect();
    let outputs = execute(ToyIf::DEF, extype::ops::Op::attrs(&op), &inputs)?;
    R::from_leaves(&spec, &mut extype::spec::LeafIter::new(outputs))
}

/// Runs `body` on `vars` while `test` holds, as a call of the loop's op.
pub(crate) fn while_node(
    vars: Vec<Tensor>,
    test: impl FnOnce(Vec<Tensor>) -> Result<Tensor>,
    body: impl FnOnce(Vec<Tensor>) -> Result<Vec<Tensor>>,
) -> Result<Vec<Tensor>> {
    let spec = vars.type_spec();
    let test = trace_body("test", &spec, test)?;
    let body = trace_body("body", &spec, body)?;
    let captures = unite_captures([test.captures()?, body.captures()?]);
    let op = ToyWhile {
        cond: test.into_function(&captures)?,
        body: body.into_function(&captures)?,
        vars: vars.len() as i64,
    };
    let inputs: Vec<&Tensor> = vars.iter().chain(&captures).collect();
    Ok(execute(ToyWhile::DEF, extype::ops::Op::attrs(&op), &inputs)?.into_vec())
}

fn joined(a: &[TensorType], b: &[TensorType]) -> Result<Types> {
    if a.len() != b.len() || a.iter().zip(b).any(|(a, b)| a.dtype != b.dtype) {
        return Err(Error::invalid("the branches have results of other types"));
    }
    let join = |(a, b): (&TensorType, &TensorType)| {
        TensorType::new(a.dtype, a.shape.most_specific_common_supertype(&b.shape))
    };
    Ok(a.iter().zip(b).map(join).collect())
}

fn if_types(c: &InferContext<'_>) -> Result<Types> {
    let (yes, no) = (c.get(ToyIf::THEN_BRANCH)?, c.get(ToyIf::ELSE_BRANCH)?);
    joined(yes.output_types(), no.output_types())
}

fn run_if(c: &KernelContext<'_>) -> Result<Outputs> {
    let branch = match c.input(0).as_slice::<bool>()?[0] {
        true => ToyIf::THEN_BRANCH,
        false => ToyIf::ELSE_BRANCH,
    };
    c.get(branch)?.call(&c.inputs[1..])
}

/// The gradient is a conditional too: of the gradients of the branches.
fn if_gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    let op: ToyIf = g.op()?;
    let has: Vec<bool> = g.cotangents.iter().map(Option::is_some).collect();
    let (yes, no) =
        (gradient_types(&op.then_branch, &has)?, gradient_types(&op.else_branch, &has)?);
    let either = |(yes, no): (&Option<TensorType>, &Option<TensorType>)| yes.clone().or(no.clone());
    let wanted: Vec<Option<TensorType>> = yes.iter().zip(&no).map(either).collect();
    let op = ToyIf {
        then_branch: gradient_function(&op.then_branch, &has, &wanted)?,
        else_branch: gradient_function(&op.else_branch, &has, &wanted)?,
    };
    let inputs: Vec<&Tensor> = g.inputs.iter().chain(g.cotangents.iter().flatten()).collect();
    let mut found = execute(ToyIf::DEF, extype::ops::Op::attrs(&op), &inputs)?.into_iter();
    let of = |wanted: &Option<TensorType>| if wanted.is_some() { found.next() } else { None };
    Ok(std::iter::once(None).chain(wanted.iter().map(of)).collect())
}

fn while_types(c: &InferContext<'_>) -> Result<Types> {
    let vars = c.get(ToyWhile::VARS)? as usize;
    joined(&c.inputs[..vars], c.get(ToyWhile::BODY)?.output_types())
}

fn saving_types(c: &InferContext<'_>) -> Result<Types> {
    let mut types = while_types(c)?;
    let stacked = |ty: &TensorType| TensorType::new(ty.dtype, shape![?].concatenate(&ty.shape));
    let saved: Vec<TensorType> = types.iter().map(stacked).collect();
    types.extend(saved);
    Ok(types)
}

fn run_while(c: &KernelContext<'_>, saves: bool) -> Result<Outputs> {
    let (test, body) = (c.get(ToyWhile::COND)?, c.get(ToyWhile::BODY)?);
    let count = c.get(ToyWhile::VARS)? as usize;
    let (first, fixed) = c.inputs.split_at(count);
    let mut vars: Vec<Array> = first.iter().map(|x| (*x).clone()).collect();
    let mut saved: Vec<Vec<Array>> = Vec::new();
    loop {
        let inputs: Vec<&Array> = vars.iter().chain(fixed.iter().copied()).collect();
        let goes_on = test.call(&inputs)?[0].as_slice::<bool>()?[0];
        let next = if goes_on { Some(body.call(&inputs)?) } else { None };
        saved.push(vars.clone());
        match next {
            Some(next) => vars = next.into_vec(),
            None => break,
        }
    }
    let mut outputs: Outputs = vars.into_iter().collect();
    if saves {
        for i in 0..count {
            let values: Vec<&Array> = saved.iter().map(|step| &step[i]).collect();
            let axis = Attrs::new().with(extype::ir::AttrKey::new("axis"), &0i64);
            outputs.extend(find_op("Pack")?.run(&values, &axis)?);
        }
    }
    Ok(outputs)
}

fn saving(_: &'static OpDef, attrs: &Attrs) -> Result<Forward> {
    let results = attrs.get(ToyWhile::VARS)? as usize;
    Ok(Forward { op: ToyWhileSaving::DEF, attrs: attrs.clone(), results })
}

/// A loop backwards over the saved values.
fn while_gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    let (body, count) = (g.get(ToyWhile::BODY)?, g.get(ToyWhile::VARS)? as usize);
    let (first, fixed) = g.inputs.split_at(count);
    let saved = &g.outputs[count..];
    let differentiable: Vec<bool> =
        body.output_types().iter().map(|ty| ty.dtype.is_differentiable()).collect();
    let mut wanted = gradient_types(&body, &differentiable)?;
    for (wanted, x) in wanted.iter_mut().zip(first) {
        *wanted = x.dtype().is_differentiable().then(|| x.tensor_type());
    }
    let step = gradient_function(&body, &differentiable, &wanted)?;
    let steps = ops::shape_of(&saved[0])?.gather(0, 0)?.cast(DType::I64)?;
    // The number of steps left, the cotangents of the variables, the sums for what stayed the same.
    let mut vars = vec![ops::sub(&steps, 1i64)?];
    for (x, dy) in first.iter().zip(&g.cotangents[..count]) {
        match dy {
            Some(dy) => vars.push(dy.clone()),
            None if x.dtype().is_differentiable() => vars.push(x.zeros_like()?),
            None => {}
        }
    }
    let of_vars = vars.len() - 1;
    for (x, ty) in fixed.iter().zip(&wanted[count..]) {
        if let Some(ty) = ty {
            vars.push(match x.dtype() {
                DType::Resource => ops::fill(
                    ty.shape
                        .sizes()
                        .unwrap_or_default()
                        .iter()
                        .map(|n| *n as i64)
                        .collect::<Vec<_>>(),
                    0.0f32,
                )?
                .cast(ty.dtype)?,
                _ => x.zeros_like()?,
            });
        }
    }
    let last = while_node(
        vars,
        |vars| ops::greater(&vars[0], 0i64),
        |vars| {
            let at = ops::sub(&vars[0], 1i64)?;
            let (dvars, sums) = vars[1..].split_at(of_vars);
            let mut inputs: Vec<Tensor> =
                saved.iter().map(|s| s.gather(&at, 0)).collect::<Result<_>>()?;
            inputs.extend(fixed.iter().cloned());
            inputs.extend(dvars.iter().cloned());
            let found = call(&step, &inputs.iter().collect::<Vec<_>>())?;
            let (dvars, more) = found.split_at(of_vars);
            let sums = sums.iter().zip(more).map(|(sum, g)| ops::add(sum, g));
            std::iter::once(Ok(at)).chain(dvars.iter().cloned().map(Ok)).chain(sums).collect()
        },
    )?;
    let mut found = last.into_iter().skip(1);
    Ok(wanted.iter().map(|w| if w.is_some() { found.next() } else { None }).collect())
}
