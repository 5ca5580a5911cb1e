//! Gradients of a call against central differences.

use extype::array::Array;
use extype::gradient::gradient_rule;
use extype::tensor::execute;
use extype::{DType, ErrorKind, GradientTape, Result, Tensor};

use super::call::Call;
use super::defs;
use super::differences::{NotSmooth, direction, moved, slope, weighed};
use super::report::Kind;
use super::rng::Rng;
use super::values::{Style, filled, reals};

/// Ops whose gradient is not that of their result: by meaning, or since TensorFlow also gives rows
/// that a later one replaced the cotangent of their place.
pub(super) const NOT_DERIVATIVES: [&str; 20] = [
    // Spread over both triangles, of which one is read.
    "Cholesky",
    "StopGradient",
    "PreventGradient",
    "DynamicStitch",
    "ParallelDynamicStitch",
    "TensorListScatterIntoExistingList",
    "TensorListScatterV2",
    "Extype>CustomGradient",
    // Zero, as of steps, also where the steps are finer than floats are.
    "Extype>RoundTo",
    // Those of the clipped numbers, or of the numbers: the results are steps.
    "FakeQuantWithMinMaxArgs",
    "FakeQuantWithMinMaxVars",
    "FakeQuantWithMinMaxVarsPerChannel",
    "QuantizeAndDequantizeV2",
    "QuantizeAndDequantizeV3",
    "QuantizeAndDequantizeV4",
    // None: the results are counts.
    "StatelessRandomPoisson",
    "StatelessRandomBinomial",
    // Those of numbers with the same quantile: the draws reject other numbers for other parameters.
    "StatelessRandomGammaV2",
    "StatelessRandomGammaV3",
    "StatelessParameterizedTruncatedNormal",
];

/// Ops of whose results the first alone has a gradient: the others are what it needs.
pub(super) const FIRST_ONLY: [&str; 3] =
    ["CTCLoss", "SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits"];

/// What could be said of a call's gradients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// No float in or out.
    NoFloats,
    /// The op has no rule.
    NoRule,
    /// It was computed, its shapes are right.
    Computed,
    /// It agrees with differences.
    Agrees,
    /// Something is wrong.
    Wrong,
}

impl Outcome {
    pub(super) fn name(self) -> &'static str {
        match self {
            Outcome::NoFloats => "no floats",
            Outcome::NoRule => "no rule",
            Outcome::Computed => "computed",
            Outcome::Agrees => "agrees",
            Outcome::Wrong => "wrong",
        }
    }
}

type Found = (Kind, String);

/// Checks the gradients of a call that is taken.
pub(super) fn check(call: &Call, rng: &mut Rng) -> (Outcome, Option<Found>) {
    let floats = |x: &Array| x.dtype().is_differentiable();
    if !call.inputs.iter().any(floats) || NOT_DERIVATIVES.contains(&defs::name(call.op)) {
        return (Outcome::NoFloats, None);
    }
    if gradient_rule(call.op).is_none() && !call.op.is_compound() {
        return (Outcome::NoRule, None);
    }
    let cotangents = match outputs(call).map(|y| cotangents(&y, rng)) {
        Ok(Some(mut cotangents)) => {
            if FIRST_ONLY.contains(&defs::name(call.op)) {
                cotangents.iter_mut().skip(1).for_each(|c| *c = None);
            }
            cotangents
        }
        Ok(None) | Err(_) => return (Outcome::NoFloats, None),
    };
    match gradients(call, &cotangents) {
        Ok(None) => {}
        Ok(Some(found)) => return (Outcome::Wrong, Some(found)),
        Err(e) if e.kind() == ErrorKind::Unimplemented => return (Outcome::NoRule, None),
        // The gradients of determinants need an inverse, and say so.
        Err(e) if e.message().contains("has no inverse") => return (Outcome::NoRule, None),
        // The gradient of an empty result may be a large tensor of zeros.
        Err(e) if e.kind() == ErrorKind::ResourceExhausted => return (Outcome::Computed, None),
        Err(e) => return (Outcome::Wrong, Some((Kind::GradientFails, e.to_string()))),
    }
    let Some(moved) = jittered(call, rng) else { return (Outcome::Computed, None) };
    match compare(&moved, &cotangents, rng) {
        Ok(Some(found)) => (Outcome::Wrong, Some(found)),
        Ok(None) => (Outcome::Agrees, None),
        Err(NotSmooth) => (Outcome::Computed, None),
    }
}

fn outputs(call: &Call) -> Result<Vec<Tensor>> {
    let inputs = call.tensors();
    Ok(execute(call.op, call.attrs(), &inputs.iter().collect::<Vec<_>>())?.into_vec())
}

/// Random cotangents; `None` if no output is a float.
fn cotangents(outputs: &[Tensor], rng: &mut Rng) -> Option<Vec<Option<Tensor>>> {
    let one = |y: &Tensor| {
        let dims = y.value().ok()?.dims().to_vec();
        let style = Style::Within(-1.0, 1.0);
        let c = filled(y.dtype(), &dims, style, rng).filter(|c| c.dims() == dims);
        c.filter(|_| y.dtype().is_differentiable()).map(Tensor::from)
    };
    let all: Vec<Option<Tensor>> = outputs.iter().map(one).collect();
    all.iter().any(Option::is_some).then_some(all)
}

/// The gradient for each input; `None` where there is none.
fn taped(call: &Call, cotangents: &[Option<Tensor>]) -> Result<Vec<Option<Tensor>>> {
    // Of identities of their own: one tensor given twice would have one gradient.
    let own = |x: &Array| x.reshape(x.dims()).map(Tensor::from);
    let inputs: Vec<Tensor> = call.inputs.iter().map(own).collect::<Result<_>>()?;
    let floats: Vec<Tensor> =
        inputs.iter().filter(|x| x.dtype().is_differentiable()).cloned().collect();
    let tape = GradientTape::new();
    tape.watch(&floats);
    let y = execute(call.op, call.attrs(), &inputs.iter().collect::<Vec<_>>())?.into_vec();
    let gradients = tape.gradient_with(&y, &floats, cotangents.to_vec())?;
    let mut found = gradients.leaves()?.into_iter();
    let next = |x: &Tensor| if x.dtype().is_differentiable() { found.next()? } else { None };
    Ok(inputs.iter().map(next).collect())
}

/// Computes gradients, and says which has a wrong type.
fn gradients(call: &Call, cotangents: &[Option<Tensor>]) -> Result<Option<Found>> {
    for (i, (g, x)) in taped(call, cotangents)?.iter().zip(&call.inputs).enumerate() {
        let Some(g) = g else { continue };
        if g.tensor_type() != x.tensor_type() {
            let text = format!("input {i}: {} for an input {}", g.tensor_type(), x.tensor_type());
            return Ok(Some((Kind::GradientType, text)));
        }
    }
    Ok(None)
}

/// The call at a point nearby without ties and corners; `None` if it can't be differenced.
pub(super) fn jittered(call: &Call, rng: &mut Rng) -> Option<Call> {
    let mut call = call.clone();
    for x in &mut call.inputs {
        if !x.dtype().is_differentiable() {
            continue;
        }
        let old = x.as_slice::<f64>().ok()?;
        if old.iter().any(|x| x.abs().is_nan() || x.abs() > 1e3) {
            return None;
        }
        let new: Vec<f64> = old.iter().map(|x| x + rng.uniform(-0.03, 0.03)).collect();
        let dims = x.dims().to_vec();
        *x = reals(DType::F64, &dims, &new)?;
    }
    into_domain(&mut call)?;
    Some(call)
}

/// Moves inputs to where the gradient is meant to hold; `None` if they can't be.
fn into_domain(call: &mut Call) -> Option<()> {
    if defs::name(call.op) == "SoftmaxCrossEntropyWithLogits" {
        // The gradient is that of labels that are distributions.
        let [features, labels] = &mut call.inputs[..] else { return None };
        let classes = *labels.dims().last()?;
        if !features.dims().last().is_some_and(|n| [1, classes].contains(n)) {
            return None;
        }
        let mut rows = labels.as_slice::<f64>().ok()?.to_vec();
        for row in rows.chunks_mut(classes.max(1)) {
            row.iter_mut().for_each(|p| *p = p.abs() + 0.01);
            let sum: f64 = row.iter().sum();
            row.iter_mut().for_each(|p| *p /= sum);
        }
        *labels = reals(DType::F64, labels.dims(), &rows)?;
    }
    // As in TensorFlow the cotangent of a place goes to all that was written there, not to the last alone.
    let (places, depth) = match (defs::name(call.op), &call.inputs[..]) {
        ("TensorScatterUpdate", [_, places, ..]) => (places, *places.dims().last()?),
        ("SparseToDense", [places, sizes, ..]) => (places, sizes.len()),
        _ => return Some(()),
    };
    (!repeats_a_place(places, depth)).then_some(())
}

fn repeats_a_place(indices: &Array, depth: usize) -> bool {
    let Ok(all) = indices.to_i64s() else { return true };
    let mut places: Vec<&[i64]> = all.chunks(depth.max(1)).collect();
    places.sort_unstable();
    places.windows(2).any(|pair| pair[0] == pair[1]) || depth == 0
}

fn compare(
    call: &Call,
    cotangents: &[Option<Tensor>],
    rng: &mut Rng,
) -> Result<Option<Found>, NotSmooth> {
    // Nearby the call may be refused.
    let Ok(gradients) = taped(call, cotangents) else { return Err(NotSmooth) };
    let mut compared = false;
    for (i, x) in call.inputs.iter().enumerate() {
        let Ok(point) = x.as_slice::<f64>() else { continue };
        let direction = direction(point.len(), rng);
        let at = |h: f64| {
            let mut call = call.clone();
            call.inputs[i] = moved(x, &direction, h)?;
            weighed(&outputs(&call).map_err(|_| NotSmooth)?, cotangents)
        };
        let Ok(slope) = slope(at) else { continue };
        let given = match &gradients[i] {
            None => None,
            Some(g) => match g.as_slice::<f64>() {
                Ok(g) => Some(g.iter().zip(&direction).map(|(g, v)| g * v).sum::<f64>()),
                Err(_) => continue,
            },
        };
        compared = true;
        if slope.is(given.unwrap_or(0.0)) {
            continue;
        }
        let fine = slope.value;
        return Ok(Some(match given {
            None => (
                Kind::GradientMissing,
                format!("input {i}: none, but differences tell {fine:?}; at {call}"),
            ),
            Some(told) => (
                Kind::GradientWrong,
                format!(
                    "input {i}: {told:?} along a direction, differences tell {fine:?}; at {call}"
                ),
            ),
        }));
    }
    if compared { Ok(None) } else { Err(NotSmooth) }
}
