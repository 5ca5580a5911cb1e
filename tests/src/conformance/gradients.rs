//! Recorded gradients of first and second order.

use std::sync::Arc;

use extype::array::Array;
use extype::gradient::gradient_rule;
use extype::ir::find_op;
use extype::{Error, ErrorKind, GradientTape, Result, Tensor, function};
use serde_json::Value;

use super::Case;
use super::compare::{Expected, Tolerance, difference, is_zero};
use super::modes::{Computation, Mode, rank_only, run};
use super::report::Verdict;
use super::values::array;

/// Checks the gradients that a case has, where the ops have gradients.
///
/// What is not checked for want of a rule goes to `unchecked`.
pub fn check(
    case: &Case,
    mode: Mode,
    computation: &Computation,
    inputs: &[Tensor],
    unchecked: &mut Option<String>,
) -> Verdict {
    if case.json["grads"].is_null() {
        return Verdict::Passed;
    }
    if let Some(op) =
        case.text("op").filter(|op| find_op(op).is_ok_and(|def| gradient_rule(def).is_none()))
    {
        *unchecked = Some(op.to_owned());
        return Verdict::Passed;
    }
    let verdict = match Recorded::read(case, "grads", "cotangents", "input_grads") {
        Ok(first) => {
            let all = inputs.iter().map(|x| x.dtype().is_differentiable()).collect();
            match check_orders(case, mode, computation, inputs, &first, all) {
                // Where TensorFlow has none, so that it gives nothing, here it may be an error to ask.
                Err(Failure::NoRule(_)) => {
                    let there = first.gradients.iter().map(Option::is_some).collect();
                    check_orders(case, mode, computation, inputs, &first, there)
                }
                verdict => verdict,
            }
        }
        Err(what) => Err(Failure::NoRule(what)),
    };
    match verdict {
        Err(Failure::Wrong(expected, got)) if is_wrong(case, inputs) => {
            Verdict::failed(expected, got).exempted()
        }
        Ok(()) => Verdict::Passed,
        Err(Failure::NoRule(op)) => {
            *unchecked = Some(op);
            Verdict::Passed
        }
        Err(Failure::Wrong(expected, got)) => Verdict::failed(expected, got),
    }
}

/// True where TensorFlow's gradient is not that of the function: its rules for tridiagonal systems and square roots leave
/// out conjugates of complex numbers, and the one for bands drops the axis of a single diagonal. Of elements of a list that
/// are gathered twice the last cotangent counts (eager tensor arrays add them up). A Fourier transform of one element
/// gives all elements a gradient. One tensor that a condition chooses from twice has the gradient of both.
fn is_wrong(case: &Case, inputs: &[Tensor]) -> bool {
    let Some(x) = inputs.first() else { return false };
    match case.text("op") {
        Some("TridiagonalSolve" | "MatrixSquareRoot") => x.dtype().is_complex(),
        Some("BandedTriangularSolve") => x.shape().dim(-2).is_ok_and(|n| n.size() == Some(1)),
        None => match case.text("api") {
            Some("program.tensor_array" | "program.tensor_list") => gathers_twice(case, inputs),
            Some("tf.where") => case.list("inputs").get(1) == case.list("inputs").get(2),
            Some("tf.image.ssim_multiscale") => {
                let gradients = case.json["grads"]["input_grads"].as_array();
                let is_nan = |x: &Value| {
                    array(x).is_ok_and(|x| {
                        x.as_slice::<f32>().is_ok_and(|x| x.iter().any(|x| x.is_nan()))
                    })
                };
                gradients.into_iter().flatten().any(is_nan)
            }
            Some("tf.signal.rfft") => case.json["attrs"]["fft_length"] == serde_json::json!([1]),
            _ => false,
        },
        _ => false,
    }
}

/// True if a step of the program gathers an element twice.
fn gathers_twice(case: &Case, inputs: &[Tensor]) -> bool {
    let steps = case.json["attrs"]["steps"].as_array().into_iter().flatten();
    steps.filter(|step| step[0] == "gather").any(|step| {
        let mut indices = match step[1]["input"].as_u64() {
            Some(i) => match inputs[i as usize].value() {
                Ok(x) => x.to_i64s().unwrap_or_default().into_vec(),
                Err(_) => return false,
            },
            None => step[1].as_array().into_iter().flatten().filter_map(Value::as_i64).collect(),
        };
        let count = indices.len();
        indices.sort_unstable();
        indices.dedup();
        indices.len() < count
    })
}

/// Why gradients don't pass.
enum Failure {
    NoRule(String),
    Wrong(String, String),
}

impl From<Error> for Failure {
    fn from(e: Error) -> Self {
        if e.kind() == ErrorKind::Unimplemented && e.message().contains("no gradient") {
            return Failure::NoRule(e.op().map_or_else(|| e.message().to_owned(), str::to_owned));
        }
        Failure::Wrong("gradients".to_owned(), format!("{:?}: {e}", e.kind()))
    }
}

/// Cotangents and the gradients they give.
struct Recorded {
    cotangents: Vec<Option<Tensor>>,
    gradients: Vec<Option<Array>>,
}

impl Recorded {
    fn read(case: &Case, key: &str, cotangents: &str, gradients: &str) -> Result<Self, String> {
        let json = &case.json[key];
        let read = |key: &str| -> Result<Vec<Option<Array>>, String> {
            let items = json[key].as_array().map_or(&[][..], Vec::as_slice);
            let one = |v: &Value| if v.is_null() { Ok(None) } else { array(v).map(Some) };
            items.iter().map(|v| one(v).map_err(|e| e.0)).collect()
        };
        // Those of second order are of the gradients of the inputs.
        let of = if key == "grads" { "outputs" } else { "inputs" };
        let cotangents = case.spread(of, read(cotangents)?);
        let cotangents = cotangents.into_iter().map(|a| a.map(Tensor::from)).collect();
        Ok(Recorded { cotangents, gradients: case.spread("inputs", read(gradients)?) })
    }
}

fn check_orders(
    case: &Case,
    mode: Mode,
    computation: &Computation,
    inputs: &[Tensor],
    first: &Recorded,
    asked: Arc<[bool]>,
) -> Result<(), Failure> {
    let tolerance = case.gradient_tolerance();
    let forward = forward(mode, computation, inputs)?;
    let call = first_order(forward, asked.clone(), &first.cotangents);
    let fed: Vec<Tensor> =
        inputs.iter().chain(first.cotangents.iter().flatten()).cloned().collect();
    let got = outer(mode, &call, &fed)?;
    compare("gradient", &got, inputs, &first.gradients, tolerance)?;
    if case.json["grads2"].is_null() {
        return Ok(());
    }
    let read = Recorded::read(case, "grads2", "cotangents2", "input_grads2");
    let second = read.map_err(Failure::NoRule)?;
    let call = second_order(call, asked, &second.cotangents);
    let fed: Vec<Tensor> = fed.into_iter().chain(second.cotangents.into_iter().flatten()).collect();
    let got = outer(mode, &call, &fed)?;
    compare("second-order gradient", &got, inputs, &second.gradients, tolerance)
}

/// What the tape sees: in dynamic mode the call of a function that was traced for ranks only.
fn forward(mode: Mode, computation: &Computation, inputs: &[Tensor]) -> Result<Computation> {
    if mode != Mode::Dynamic {
        return Ok(computation.clone());
    }
    let computation = computation.clone();
    let traced = function(move |x: &Vec<Tensor>| computation(x));
    let concrete = traced.concrete(&rank_only(inputs))?;
    Ok(Arc::new(move |x: &[Tensor]| concrete.call_flat(x)))
}

/// Runs the tape itself: in traced mode all of it is in a trace.
fn outer(mode: Mode, call: &Computation, fed: &[Tensor]) -> Result<Vec<Tensor>> {
    run(if mode == Mode::Traced { Mode::Traced } else { Mode::Eager }, call, fed)
}

/// The gradients of a computation with respect to those of its inputs that are asked for, as a computation: of the
/// inputs, followed by the cotangents that are there. An empty string stands for a gradient that is not there.
fn first_order(
    forward: Computation,
    asked: Arc<[bool]>,
    cotangents: &[Option<Tensor>],
) -> Computation {
    let given: Vec<bool> = cotangents.iter().map(Option::is_some).collect();
    Arc::new(move |x: &[Tensor]| {
        let (inputs, rest) = x.split_at(asked.len());
        let sources = sources(inputs, &asked);
        let tape = GradientTape::new();
        tape.watch(&sources);
        let outputs = forward(inputs)?;
        let gradients = tape.gradient_with(&outputs, &sources, spread(&given, rest))?;
        drop(tape);
        marked(&asked, &gradients.leaves()?)
    })
}

/// The gradients of gradients, in the same manner.
fn second_order(
    first: Computation,
    asked: Arc<[bool]>,
    cotangents: &[Option<Tensor>],
) -> Computation {
    let given: Vec<bool> = cotangents.iter().map(Option::is_some).collect();
    let fed = given.iter().filter(|g| **g).count();
    Arc::new(move |x: &[Tensor]| {
        let (before, rest) = x.split_at(x.len() - fed);
        let sources = sources(before, &asked);
        let tape = GradientTape::new();
        tape.watch(&sources);
        let outputs = first(before)?;
        let mut cotangents = spread(&given, rest);
        for (c, y) in cotangents.iter_mut().zip(&outputs) {
            // Nothing to pass on where the first order is not connected.
            if !y.dtype().is_differentiable() {
                *c = None;
            }
        }
        let gradients = tape.gradient_with(&outputs, &sources, cotangents)?;
        drop(tape);
        marked(&asked, &gradients.leaves()?)
    })
}

fn sources(inputs: &[Tensor], asked: &[bool]) -> Vec<Tensor> {
    let pairs = inputs.iter().zip(asked);
    pairs.filter(|(_, asked)| **asked).map(|(x, _)| x.clone()).collect()
}

/// The cotangents at the places where there is one.
fn spread(given: &[bool], flat: &[Tensor]) -> Vec<Option<Tensor>> {
    let mut flat = flat.iter().cloned();
    given.iter().map(|g| if *g { flat.next() } else { None }).collect()
}

/// One tensor for each input, also where there is no gradient.
fn marked(asked: &[bool], gradients: &[Option<Tensor>]) -> Result<Vec<Tensor>> {
    let none = Tensor::from_strings(&[""], &[])?;
    let mut found = gradients.iter();
    let next = |asked: &bool| {
        let gradient = if *asked { found.next() } else { None };
        gradient.cloned().flatten().unwrap_or_else(|| none.clone())
    };
    Ok(asked.iter().map(next).collect())
}

fn compare(
    what: &str,
    got: &[Tensor],
    inputs: &[Tensor],
    want: &[Option<Array>],
    tolerance: Tolerance,
) -> Result<(), Failure> {
    for (i, ((got, want), input)) in got.iter().zip(want).zip(inputs).enumerate() {
        let got = got.value()?;
        let missing = got.dtype() != input.dtype();
        let wrong = match want {
            None if missing || is_zero(got) => None,
            None => Some("a gradient where none is".to_owned()),
            Some(want) if missing && is_zero(want) => None,
            Some(_) if missing => Some("no gradient".to_owned()),
            Some(want) => {
                let want = Expected { value: want.clone(), other: None };
                difference(got, &want, tolerance).map(|d| d.text)
            }
        };
        if let Some(wrong) = wrong {
            return Err(Failure::Wrong(format!("{what} {i} as recorded"), wrong));
        }
    }
    Ok(())
}
