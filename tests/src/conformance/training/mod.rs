//! Pieces of training, as Keras computes them: optimizers, schedules, losses, clipping, whole runs.

mod digits;
mod make;

use std::sync::Arc;

use extype::array::{Array, Dims};
use extype::ops::methods::*;
use extype::train::{AnyOptimizer, clip_by_global_norm, clip_by_norm, clip_by_value};
use extype::{DType, GradientTape, Result, Tensor, Variable, function, ops};
use serde_json::Value;

use super::compare::{Expected, difference};
use super::modes::{Computation, rank_only};
use super::{Case, Mode, Verdict};

/// The suite, and the name of its files.
pub const SUITE: &str = "training";

/// What became of a case.
pub fn judge(case: &Case, mode: Mode) -> Verdict {
    let run = match case.text("kind") {
        Some("optimizer") => optimizer,
        Some("schedule") => schedule,
        Some("loss") => loss,
        Some("clip_by_norm" | "clip_by_global_norm" | "clip_by_value") => clip,
        Some("run") => digits::run,
        other => return Verdict::Unsupported(format!("kind {other:?}")),
    };
    match run(case, mode) {
        Ok(()) => Verdict::Passed,
        Err(Failure::Unsupported(what)) => Verdict::Unsupported(what),
        Err(Failure::Wrong(what, how)) => Verdict::failed(what, how),
    }
}

/// Why a case does not pass.
enum Failure {
    Unsupported(String),
    Wrong(String, String),
}

impl From<extype::Error> for Failure {
    fn from(e: extype::Error) -> Self {
        Failure::Wrong("an answer".to_owned(), format!("{:?}: {e}", e.kind()))
    }
}

impl From<make::Unknown> for Failure {
    fn from(unknown: make::Unknown) -> Self {
        Failure::Unsupported(unknown.0)
    }
}

/// A recorded array: its data are numbers, and texts for those that JSON does not have.
fn array(json: &Value) -> Result<Array> {
    let number = |v: &Value| {
        let named = v.as_str().and_then(|s| s.parse().ok());
        v.as_f64().or(named).unwrap_or(f64::NAN)
    };
    let list = |key: &str| json[key].as_array().map_or(&[][..], Vec::as_slice);
    let dims: Dims = list("shape").iter().filter_map(|n| Some(n.as_u64()? as usize)).collect();
    let data: Vec<f64> = list("data").iter().map(number).collect();
    let name = json["dtype"].as_str().unwrap_or_default();
    let dtype = DType::from_name(name)
        .ok_or_else(|| extype::Error::invalid(format!("no dtype is named `{name}`")))?;
    let sizes: Vec<usize> = dims.iter().copied().collect();
    Tensor::from_slice(&data, &sizes)?.cast(dtype)?.value().cloned()
}

fn tensor(json: &Value) -> Result<Tensor> {
    array(json).map(Tensor::from)
}

fn tensors(json: &Value) -> Result<Vec<Tensor>> {
    json.as_array().map_or(&[][..], Vec::as_slice).iter().map(tensor).collect()
}

fn variables(json: &Value) -> Result<Vec<Variable>> {
    tensors(json)?.iter().map(Variable::new).collect()
}

/// Compares an answer with the recorded one.
fn same(case: &Case, what: &str, got: &Tensor, want: &Value) -> Result<(), Failure> {
    let want = Expected { value: array(want)?, other: None };
    match difference(got.value()?, &want, case.tolerance()) {
        None => Ok(()),
        Some(d) => Err(Failure::Wrong(format!("{what} as recorded"), d.text)),
    }
}

/// Makes a computation that is called in this mode, again and again.
fn prepared(mode: Mode, computation: Computation, sample: &[Tensor]) -> Result<Computation> {
    if mode == Mode::Eager {
        return Ok(computation);
    }
    let traced = function(move |x: &Vec<Tensor>| computation(x));
    if mode == Mode::Traced {
        return Ok(Arc::new(move |x: &[Tensor]| traced.call(&x.to_vec())));
    }
    let concrete = traced.concrete(&rank_only(sample))?;
    Ok(Arc::new(move |x: &[Tensor]| {
        // Its closure owns the state that the trace uses.
        let _kept = &traced;
        concrete.call_flat(x)
    }))
}

fn config(case: &Case) -> &Value {
    &case.json["config"]
}

fn name(case: &Case) -> &str {
    case.text("name").unwrap_or_default()
}

fn optimizer(case: &Case, mode: Mode) -> Result<(), Failure> {
    let optimizer: AnyOptimizer = make::optimizer(name(case), config(case))?;
    let params = variables(&case.json["init"])?;
    let step: Computation = Arc::new(move |gradients: &[Tensor]| {
        let pairs = gradients.iter().zip(&params);
        optimizer.apply_gradients(pairs.map(|(g, v)| (Some(g.clone()), v.clone())))?;
        params.iter().map(Variable::read).collect()
    });
    let mut call = None;
    for (i, recorded) in case.list("steps").iter().enumerate() {
        let gradients = tensors(&recorded["gradients"])?;
        let call = match &call {
            Some(call) => call,
            None => call.insert(prepared(mode, step.clone(), &gradients)?),
        };
        let values = call(&gradients)?;
        for (v, (got, want)) in
            values.iter().zip(recorded["values"].as_array().into_iter().flatten()).enumerate()
        {
            same(case, &format!("variable {v} after step {}", i + 1), got, want)?;
        }
    }
    Ok(())
}

fn schedule(case: &Case, mode: Mode) -> Result<(), Failure> {
    let schedule = make::schedule(name(case), config(case))?;
    schedule.check()?;
    let rate: Computation = Arc::new(move |step: &[Tensor]| Ok(vec![schedule.rate(&step[0])?]));
    let steps = case.json["values"]["data"].as_array().map_or(0, Vec::len);
    let call = prepared(mode, rate, &[Tensor::scalar(0i64)])?;
    let mut rates = Vec::new();
    for step in 0..steps as i64 {
        rates.extend(call(&[Tensor::scalar(step)])?);
    }
    // Recorded as numbers of Python.
    let rates = ops::stack(&rates, 0)?.cast(DType::F64)?;
    same(case, "rates", &rates, &case.json["values"])
}

fn loss(case: &Case, mode: Mode) -> Result<(), Failure> {
    let loss = make::loss(name(case), config(case))?;
    let weights = &case.json["sample_weight"];
    let mut inputs = vec![tensor(&case.json["y_true"])?, tensor(&case.json["y_pred"])?];
    if !weights.is_null() {
        inputs.push(tensor(weights)?);
    }
    let both: Computation = Arc::new(move |x: &[Tensor]| {
        let tape = GradientTape::new();
        let (value, gradients) = tape.value_and_gradient(&x[1], || match x.get(2) {
            Some(weights) => loss.weighted(&x[0], &x[1], weights),
            None => loss.call(&x[0], &x[1]),
        })?;
        let gradient = gradients.leaf(0)?;
        Ok(vec![value, gradient.ok_or_else(|| extype::Error::invalid("no gradient"))?])
    });
    let results = prepared(mode, both, &inputs)?(&inputs)?;
    same(case, "the loss", &results[0], &case.json["value"])?;
    same(case, "the gradient", &results[1], &case.json["gradient"])
}

fn clip(case: &Case, mode: Mode) -> Result<(), Failure> {
    let json = &case.json;
    let number = |key: &str| json[key].as_f64().unwrap_or(f64::NAN);
    if case.text("kind") == Some("clip_by_global_norm") {
        let (inputs, norm) = (tensors(&json["inputs"])?, number("clip"));
        let both: Computation = Arc::new(move |x: &[Tensor]| {
            let (mut clipped, size) = clip_by_global_norm(&x.iter().collect::<Vec<_>>(), norm)?;
            clipped.push(size);
            Ok(clipped)
        });
        let results = prepared(mode, both, &inputs)?(&inputs)?;
        let wanted = case.list("outputs").iter().chain([&json["norm"]]);
        return results
            .iter()
            .zip(wanted)
            .try_for_each(|(got, want)| same(case, "a clipped tensor", got, want));
    }
    let input = tensor(&json["input"])?;
    let (low, high, norm) = (number("low"), number("high"), number("clip"));
    let by_value = case.text("kind") == Some("clip_by_value");
    let clipped: Computation = Arc::new(move |x: &[Tensor]| match by_value {
        true => Ok(vec![clip_by_value(&x[0], low, high)?]),
        false => Ok(vec![clip_by_norm(&x[0], norm, ..)?, clip_by_norm(&x[0], norm, 1)?]),
    });
    let inputs = [input];
    let results = prepared(mode, clipped, &inputs)?(&inputs)?;
    let wanted = [&json["output"], &json["by_rows"]];
    results
        .iter()
        .zip(wanted)
        .try_for_each(|(got, want)| same(case, "the clipped tensor", got, want))
}
