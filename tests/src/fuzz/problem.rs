//! A call as a function of tensors that can be differentiated.

use std::rc::Rc;

use extype::ir::{AttrKey, Attrs, Effect, OpDef};
use extype::prelude::*;
use extype::tensor::execute;

use super::call::Call;
use super::defs::{self, Typed};
use super::gradient::{FIRST_ONLY, NOT_DERIVATIVES, jittered};
use super::rng::Rng;
use super::traced::{Knowing, constants};
use super::ways::Problem;

/// True if a derivative of the op may be asked for: it takes float64 or lists.
pub(super) fn concerned(op: &'static OpDef) -> bool {
    defs::inputs(op).iter().any(|input| match input.dtype {
        Typed::Fixed(dtype) => [DType::F64, DType::Variant].contains(&dtype),
        Typed::Var(var) => defs::type_set(op, var).contains(DType::F64),
        Typed::Free => true,
    })
}

/// Why a call is no function to differentiate.
pub(super) enum Unfit {
    Refused(Error),
    Cannot(&'static str),
}

impl From<Error> for Unfit {
    fn from(e: Error) -> Self {
        Unfit::Refused(e)
    }
}

/// The function of a call that is near this one; with axes and sizes that traces know, or with such that are inputs.
pub(super) fn problem(
    call: &Call,
    (fix, iterations): (bool, i32),
    rng: &mut Rng,
) -> Result<Problem, Unfit> {
    let name = defs::name(call.op);
    if !matches!(call.op.effect, Effect::Pure | Effect::Checks) {
        return Err(Unfit::Cannot("has effects"));
    }
    let outputs = run(call)?;
    // Lists are made of their rows.
    let mut call = call.clone();
    let mut lists = Vec::new();
    for (i, x) in call.inputs.iter_mut().enumerate() {
        if x.dtype() == DType::Variant {
            let rows = rows_of(&Tensor::from(x.clone()))
                .map_err(|_| Unfit::Cannot("a variant that is no list of float64"))?;
            *x = rows.value()?.clone();
            lists.push(i);
        }
    }
    let call = jittered(&call, rng).ok_or(Unfit::Cannot("not float64, or too large"))?;
    let is_float = |i: &usize| call.inputs[*i].dtype() == DType::F64;
    let floats: Vec<usize> = (0..call.inputs.len()).filter(is_float).collect();
    let lists_out =
        |j: &usize| outputs[*j].dtype() == DType::Variant && rows_of(&outputs[*j]).is_ok();
    let lists_out: Vec<usize> = (0..outputs.len()).filter(lists_out).collect();
    let counted = if FIRST_ONLY.contains(&name) { 1 } else { outputs.len() };
    if floats.is_empty() {
        return Err(Unfit::Cannot("no floats in"));
    }
    let is_result = |(j, y): (usize, &Tensor)| y.dtype() == DType::F64 || lists_out.contains(&j);
    if !outputs.iter().take(counted).enumerate().any(is_result) {
        return Err(Unfit::Cannot("no floats out"));
    }
    let known = constants(&call, Knowing::Constants);
    let fixed: Vec<Option<Tensor>> = known
        .iter()
        .zip(call.tensors())
        .enumerate()
        .map(|(i, (known, x))| (fix && *known && !is_float(&i)).then_some(x))
        .collect();
    let movable = match name {
        // Labels are distributions.
        "SoftmaxCrossEntropyWithLogits" => vec![0],
        _ => floats.clone(),
    };
    let mut inputs = call.tensors();
    inputs.extend([scalar(1i32), scalar(iterations)]);
    let (op, attrs) = (call.op, call.attrs());
    let f = move |x: &[Tensor]| -> Result<Vec<Tensor>> {
        let one = |(i, fixed): (usize, &Option<Tensor>)| match fixed {
            Some(x) => Ok(x.clone()),
            None if lists.contains(&i) => list_of(&x[i]),
            None => Ok(x[i].clone()),
        };
        let inputs: Vec<Tensor> = fixed.iter().enumerate().map(one).collect::<Result<_>>()?;
        let outputs = execute(op, attrs.clone(), &inputs.iter().collect::<Vec<_>>())?;
        let mut results = Vec::new();
        for (j, y) in outputs.into_iter().take(counted).enumerate() {
            if y.dtype() == DType::F64 {
                results.push(y);
            } else if lists_out.contains(&j) {
                results.push(rows_of(&y)?);
            }
        }
        Ok(results)
    };
    // The call at the point nearby.
    let (a, b) = (f(&inputs)?, f(&inputs)?);
    let same = |(a, b): (&Tensor, &Tensor)| Ok(a.value()?.identical(b.value()?));
    if !a.iter().zip(&b).map(same).collect::<Result<Vec<bool>>>()?.iter().all(|same| *same) {
        return Err(Unfit::Cannot("draws random numbers"));
    }
    let is_derivative = !NOT_DERIVATIVES.contains(&name);
    let of_logarithms = name == "CumulativeLogsumexp";
    Ok(Problem { f: Rc::new(f), inputs, floats, movable, is_derivative, of_logarithms })
}

fn run(call: &Call) -> Result<Vec<Tensor>> {
    let inputs = call.tensors();
    Ok(execute(call.op, call.attrs(), &inputs.iter().collect::<Vec<_>>())?.into_vec())
}

fn list_op(name: &str, attrs: Attrs, inputs: &[&Tensor]) -> Result<Tensor> {
    let op = defs::op(name).ok_or_else(|| Error::internal("there are ops on lists"))?;
    Ok(execute(op, attrs, inputs)?[0].clone())
}

fn list_of(rows: &Tensor) -> Result<Tensor> {
    list_op("TensorListFromTensor", Attrs::new(), &[rows, &scalar(-1i32)])
}

fn rows_of(list: &Tensor) -> Result<Tensor> {
    let attrs = Attrs::new().with(AttrKey::new("element_dtype"), &DType::F64);
    let attrs = attrs.with(AttrKey::new("num_elements"), &-1i64);
    list_op("TensorListStack", attrs, &[list, &scalar(-1i32)])
}
