//! Derivatives of a function, in all that it may stand in, against differences and against each other.

use extype::array::Array;
use extype::prelude::*;

use super::call::Call;
use super::check::Checked;
use super::differences::{NotSmooth, Slope, direction, moved, slope, weighed};
use super::problem::{Unfit, problem};
use super::report::Kind;
use super::rng::Rng;
use super::traced::Knowing;
use super::values::reals;
use super::ways::{Mode, Order, Point, Problem, Surrounding};
use crate::conformance::modes::guarded;

/// How many surroundings a case has, beside none and two at once.
const AROUND: usize = 3;

/// What a case looks at, drawn before anything else, so that smaller calls are looked at in the same ways.
struct Plan {
    fixed: bool,
    iterations: i32,
    alone: Vec<Mode>,
    within: Vec<(Surrounding, Mode)>,
    nested: (Surrounding, Surrounding, Mode),
}

impl Plan {
    fn new(rng: &mut Rng) -> Plan {
        let mode = |rng: &mut Rng| rng.pick(&Mode::TRACED);
        let around = |rng: &mut Rng| rng.pick(&Surrounding::ALL[1..]);
        // In an order in which what vectorized calls are compared with comes before them.
        let mut within = Surrounding::ALL[1..].to_vec();
        while within.len() > AROUND {
            within.remove(rng.below(within.len()));
        }
        Plan {
            fixed: rng.chance(50),
            iterations: rng.pick(&[0, 1, 2, 2, 3, 4]),
            alone: (0..3).map(|_| mode(rng)).collect(),
            within: within.into_iter().map(|s| (s, mode(rng))).collect(),
            nested: (around(rng), around(rng), mode(rng)),
        }
    }
}

/// Checks the derivatives of a call.
pub(super) fn check_call(call: &Call, rng: &mut Rng, stage: &mut dyn FnMut(&str)) -> Checked {
    let plan = Plan::new(rng);
    let said = |taken, why: &str| Checked {
        taken,
        refusal: None,
        gradients: vec![why.to_owned()],
        findings: Vec::new(),
    };
    match guarded(|| problem(call, (plan.fixed, plan.iterations), rng)) {
        Err(panic) => Checked { findings: vec![(Kind::Panics, panic)], ..said(false, "panics") },
        Ok(Err(Unfit::Refused(e))) => {
            Checked { refusal: Some(brief(&e)), ..said(false, "refused") }
        }
        Ok(Err(Unfit::Cannot(why))) => said(true, why),
        Ok(Ok(problem)) => examine(&problem, &plan, rng, stage),
    }
}

/// Checks the derivatives of a function.
pub(super) fn check(
    problem: Result<Problem>,
    rng: &mut Rng,
    stage: &mut dyn FnMut(&str),
) -> Checked {
    let plan = Plan::new(rng);
    match problem {
        Ok(mut problem) => {
            problem.inputs.extend([scalar(1i32), scalar(plan.iterations)]);
            examine(&problem, &plan, rng, stage)
        }
        Err(e) => Checked {
            taken: false,
            refusal: Some(brief(&e)),
            gradients: vec!["refused".to_owned()],
            findings: Vec::new(),
        },
    }
}

/// What is said of an op whose gradient has no gradient.
const NO_SECOND: &str = "no rule in second order";

fn brief(e: &Error) -> String {
    e.to_string().lines().next().unwrap_or_default().to_owned()
}

/// The innermost of what errors say of where they are.
fn last_line(e: &Error) -> String {
    let text = e.to_string();
    let part = text.lines().nth(1).unwrap_or_default().split(", in").next();
    part.unwrap_or_default().trim().to_owned()
}

fn examine(p: &Problem, plan: &Plan, rng: &mut Rng, stage: &mut dyn FnMut(&str)) -> Checked {
    let mut checked =
        Checked { taken: true, refusal: None, gradients: Vec::new(), findings: Vec::new() };
    if one(
        Surrounding::Nothing.name(),
        &|| Ok(Some(p.clone())),
        &plan.alone,
        None,
        rng,
        &mut checked,
    )
    .is_none()
    {
        return checked;
    }
    let mut mapped = None;
    for (surrounding, mode) in &plan.within {
        let name = surrounding.name();
        stage(name);
        let before = if *surrounding == Surrounding::Vectorized { mapped.take() } else { None };
        let eager = one(name, &|| surrounding.of(p), &[*mode], before, rng, &mut checked);
        if *surrounding == Surrounding::Map {
            mapped = eager;
        }
        if !checked.findings.is_empty() {
            return checked;
        }
    }
    let (outer, inner, mode) = plan.nested;
    let name = format!("{} in {}", inner.name(), outer.name());
    stage(&name);
    let make = || match inner.of(p)? {
        Some(inner) => outer.of(&inner),
        None => Ok(None),
    };
    one(&name, &make, &[mode], None, rng, &mut checked);
    checked
}

/// What came out at a point.
struct Evaluated {
    point: Point,
    numbers: Vec<Tensor>,
    order: Order,
}

/// Checks a function op by op, and in modes; `None` if it has no derivatives.
fn one(
    name: &str,
    make: &dyn Fn() -> Result<Option<Problem>>,
    modes: &[Mode],
    before: Option<Evaluated>,
    rng: &mut Rng,
    checked: &mut Checked,
) -> Option<Evaluated> {
    let found = guarded(|| {
        let made = make().map(|p| p.map(|p| ((p.f)(&p.inputs), p)));
        match made {
            Ok(Some((Ok(results), p))) => whole(name, &p, &results, modes, before, rng, checked),
            Ok(None) => Ok(None),
            Ok(Some((Err(e), _))) | Err(e) if e.kind() == ErrorKind::Internal => {
                Err((Kind::Panics, format!("{name}: {}", brief(&e))))
            }
            // Results of several shapes do not stack; away from the point a call may be refused.
            Ok(Some((Err(_), _))) | Err(_) => {
                checked.gradients.push(format!("{name} refused"));
                Ok(None)
            }
        }
    });
    match found {
        Ok(Ok(eager)) => eager,
        Ok(Err(finding)) => {
            checked.findings.push(finding);
            None
        }
        Err(panic) => {
            checked.findings.push((Kind::Panics, format!("{name}: {panic}")));
            None
        }
    }
}

type Found = (Kind, String);

fn whole(
    name: &str,
    p: &Problem,
    results: &[Tensor],
    modes: &[Mode],
    before: Option<Evaluated>,
    rng: &mut Rng,
    checked: &mut Checked,
) -> Result<Option<Evaluated>, Found> {
    let like = |x: &Tensor, rng: &mut Rng| {
        let dims = x.value().map(Array::dims).unwrap_or_default();
        let values = direction(x.value().map_or(0, Array::len), rng);
        reals(DType::F64, dims, &values).map(Tensor::from)
    };
    let cotangents: Option<Vec<Tensor>> = results.iter().map(|y| like(y, rng)).collect();
    let directions: Option<Vec<Tensor>> =
        p.floats.iter().map(|i| like(&p.inputs[*i], rng)).collect();
    let (Some(cotangents), Some(directions)) = (cotangents, directions) else { return Ok(None) };
    let (inputs, floats) = (p.inputs.clone(), p.floats.clone());
    let mut point = Point { inputs, floats, cotangents, directions };
    if let Some(before) = &before {
        point.cotangents.clone_from(&before.point.cotangents);
        point.directions.clone_from(&before.point.directions);
    }
    if !results.iter().all(finite) {
        checked.gradients.push(format!("not finite, {name}"));
        return Ok(None);
    }
    let none = |x: &Tensor| x.value().is_ok_and(Array::is_empty);
    let empty = results.iter().chain(&p.inputs).any(none);
    let Some((order, numbers)) = eager(name, p, &point, checked)? else { return Ok(None) };
    let now = Evaluated { point, numbers, order };
    let orders = |checked: &mut Checked, mode: &str| {
        checked.gradients.push(format!("first|{name}|{mode}"));
        if order == Order::Second {
            checked.gradients.push(format!("second|{name}|{mode}"));
        }
    };
    match before {
        Some(before) if before.order == order => {
            if let Some(text) = now.difference(&before.numbers) {
                return Err((Kind::WaysDiffer, format!("{name}, {text}, not as by map_fn")));
            }
            orders(checked, &Mode::Eager.name());
        }
        _ => compared(name, p, &now, rng, checked)?,
    }
    for mode in modes {
        let told = format!("{name}, {}", mode.name());
        match guarded(|| mode.run(&p.f, &now.point, order)) {
            Err(panic) => return Err((Kind::Panics, format!("{told}: {panic}"))),
            Ok(Err(e)) if e.kind() == ErrorKind::Internal => {
                return Err((Kind::Panics, format!("{told}: {}", brief(&e))));
            }
            Ok(Err(e)) if e.kind() == ErrorKind::ResourceExhausted => {}
            // Some rules ask for ranks; they say so. What is empty needs none.
            Ok(Err(e))
                if e.kind() == ErrorKind::Unimplemented && (mode.knows_little() || empty) =>
            {
                checked.gradients.push(format!("needs shapes: {}", last_line(&e)));
            }
            // A loop that ran no iteration had no second derivative to ask a rule for; a trace asks.
            Ok(Err(e))
                if e.kind() == ErrorKind::Unimplemented
                    && order == Order::Second
                    && checked.gradients.iter().any(|g| g.starts_with(NO_SECOND)) => {}
            // Sizes that a trace does not know may be fewer after an iteration.
            Ok(Err(e)) if mode.knows_little() && e.message().contains("for the loop, but") => {
                checked.gradients.push(format!("needs shapes: {}", last_line(&e)));
            }
            Ok(Err(e)) => return Err((Kind::TraceRefuses, format!("{told}: {e}"))),
            Ok(Ok(numbers)) => {
                if let Some(text) = now.difference(&numbers) {
                    return Err((Kind::WaysDiffer, format!("{told}, {text}")));
                }
                orders(checked, &mode.name());
            }
        }
    }
    Ok(Some(now))
}

fn finite(y: &Tensor) -> bool {
    y.as_slice::<f64>().is_ok_and(|y| y.iter().all(|y| y.is_finite()))
}

/// Derivatives of the highest order that has rules.
fn eager(
    name: &str,
    p: &Problem,
    point: &Point,
    checked: &mut Checked,
) -> Result<Option<(Order, Vec<Tensor>)>, Found> {
    let fails = |order: &str, e: &Error| match e.kind() {
        ErrorKind::Internal => (Kind::Panics, format!("{name}, {order}: {}", brief(e))),
        _ => (Kind::GradientFails, format!("{name}, {order}: {}", brief(e))),
    };
    let second = match Mode::Eager.run(&p.f, point, Order::Second) {
        Ok(numbers) => return Ok(Some((Order::Second, numbers))),
        Err(e) if e.kind() == ErrorKind::ResourceExhausted => return Ok(None),
        // The gradients of determinants need an inverse, and say so.
        Err(e) if e.message().contains("has no inverse") => return Ok(None),
        Err(e) => e,
    };
    match Mode::Eager.run(&p.f, point, Order::First) {
        Ok(_) if second.kind() != ErrorKind::Unimplemented => Err(fails("second order", &second)),
        Ok(numbers) => {
            checked.gradients.push(format!("{NO_SECOND}: {}", brief(&second)));
            Ok(Some((Order::First, numbers)))
        }
        Err(e) if e.kind() == ErrorKind::Unimplemented => {
            checked.gradients.push(format!("no rule: {}", brief(&e)));
            // A trace should say so too.
            let traced = Mode::Outside(Knowing::Shapes).run(&p.f, point, Order::First);
            // Of nothing the gradient is zeros, whatever rules there are.
            if traced.is_ok()
                && point
                    .cotangents
                    .iter()
                    .any(|c| !c.shape().sizes().is_some_and(|s| s.contains(&0)))
            {
                let text = format!("{name}: no rule op by op, and numbers in a trace");
                return Err((Kind::GradientFails, text));
            }
            Ok(None)
        }
        Err(e) => Err(fails("first order", &e)),
    }
}

impl Evaluated {
    /// How the same numbers, computed otherwise, differ.
    fn difference(&self, others: &[Tensor]) -> Option<String> {
        if self.numbers.len() != others.len() {
            return Some(format!("all: {} tensors for {}", others.len(), self.numbers.len()));
        }
        let (results, sources) = (self.point.cotangents.len(), self.point.floats.len());
        let piece = |i: usize| match i.checked_sub(results) {
            None => format!("result {i}"),
            Some(i) if i < sources => format!("gradient {i}"),
            Some(i) if i < 2 * sources => format!("second order {}", i - sources),
            Some(i) => format!("second order of cotangent {}", i - 2 * sources),
        };
        let mut both = self.numbers.iter().zip(others).enumerate();
        both.find_map(|(i, (a, b))| Some(format!("{}: {}", piece(i), unlike(a, b)?)))
    }

    fn part(&self, from: usize, count: usize) -> &[Tensor] {
        self.numbers.get(from..from + count).unwrap_or_default()
    }
}

/// How two tensors differ by more than rounding.
fn unlike(a: &Tensor, b: &Tensor) -> Option<String> {
    if a.tensor_type() != b.tensor_type() {
        return Some(format!("{}, op by op {}", b.tensor_type(), a.tensor_type()));
    }
    let (a, b) = (a.as_slice::<f64>().ok()?, b.as_slice::<f64>().ok()?);
    let largest = |most: f64, x: &f64| if x.is_finite() { most.max(x.abs()) } else { most };
    let bound = 1e-9 * a.iter().fold(1e-3, largest);
    let alike = |a: f64, b: f64| (a - b).abs() <= bound || (!a.is_finite() && !b.is_finite());
    let at = a.iter().zip(b).position(|(a, b)| !alike(*a, *b))?;
    Some(format!("element {at} is {:?}, op by op {:?}", b[at], a[at]))
}

/// Compares derivatives with differences of results and of gradients.
fn compared(
    name: &str,
    p: &Problem,
    now: &Evaluated,
    rng: &mut Rng,
    checked: &mut Checked,
) -> Result<(), Found> {
    let (results, sources) = (now.point.cotangents.len(), p.floats.len());
    let weights = |of: &[Tensor]| -> Vec<Option<Tensor>> { of.iter().cloned().map(Some).collect() };
    let (cotangents, directions) = (weights(&now.point.cotangents), weights(&now.point.directions));
    let mut smooth = [false; 2];
    for (k, i) in p.floats.iter().enumerate() {
        let Ok(x) = p.inputs[*i].value() else { continue };
        let along = direction(x.len(), rng);
        let at = |h: f64| {
            let mut point = p.inputs.clone();
            point[*i] = moved(x, &along, h)?.into();
            Ok(point)
        };
        let gradient = now.part(results + k, 1);
        if p.is_derivative
            && let Ok(slope) =
                slope(|h| weighed(&(p.f)(&at(h)?).map_err(|_| NotSmooth)?, &cotangents))
        {
            agrees(&slope, gradient, &along)
                .map_err(|text| (Kind::GradientWrong, format!("{name}, input {i}: {text}")))?;
            smooth[0] = true;
        }
        // A gradient that holds at some points only has no other one there.
        if now.order == Order::First || !p.is_derivative || !p.movable.contains(i) {
            continue;
        }
        let slope = slope(|h| {
            let point = Point {
                inputs: at(h)?,
                floats: p.floats.clone(),
                cotangents: now.point.cotangents.clone(),
                directions: now.point.directions.clone(),
            };
            let numbers = Mode::Eager.run(&p.f, &point, Order::First).map_err(|_| NotSmooth)?;
            weighed(numbers.get(results..).unwrap_or_default(), &directions)
        });
        if let Ok(slope) = slope {
            agrees(&slope, now.part(results + sources + k, 1), &along)
                .map_err(|text| (Kind::SecondWrong, format!("{name}, input {i}: {text}")))?;
            smooth[1] = true;
        }
    }
    if now.order == Order::Second && p.is_derivative {
        cotangents_agree(name, p, now, rng)?;
    }
    let mode = Mode::Eager.name();
    let told = [(smooth[0], "first"), (smooth[1], "second")];
    for (smooth, order) in told {
        checked.gradients.push(match smooth {
            true => format!("{order}|{name}|{mode}"),
            false => format!("{order} order not smooth, {name}"),
        });
    }
    Ok(())
}

/// The gradient of the gradient with respect to the cotangents is the derivative along the directions.
fn cotangents_agree(name: &str, p: &Problem, now: &Evaluated, rng: &mut Rng) -> Result<(), Found> {
    let (results, sources) = (now.point.cotangents.len(), p.floats.len());
    let given = now.part(results + 2 * sources, results);
    let weights: Option<Vec<Option<Tensor>>> = given
        .iter()
        .map(|c| {
            let c = c.value().ok()?;
            reals(DType::F64, c.dims(), &direction(c.len(), rng)).map(|w| Some(w.into()))
        })
        .collect();
    let Some(weights) = weights else { return Ok(()) };
    let slope = slope(|h| {
        let mut point = p.inputs.clone();
        for (i, v) in p.floats.iter().zip(&now.point.directions) {
            let v = v.as_slice::<f64>().map_err(|_| NotSmooth)?;
            point[*i] = moved(p.inputs[*i].value().map_err(|_| NotSmooth)?, v, h)?.into();
        }
        weighed(&(p.f)(&point).map_err(|_| NotSmooth)?, &weights)
    });
    let (Ok(slope), Ok((told, _))) = (slope, weighed(given, &weights)) else { return Ok(()) };
    if !slope.is(told) {
        let text = format!("{told:?} along a direction, differences tell {:?}", slope.value);
        return Err((Kind::SecondWrong, format!("{name}, cotangents: {text}")));
    }
    // Gradients are linear in the cotangents: their derivative is the same at zero.
    if p.of_logarithms {
        return Ok(());
    }
    let zeros: Result<Vec<Tensor>> = now.point.cotangents.iter().map(Tensor::zeros_like).collect();
    let Ok(cotangents) = zeros else { return Ok(()) };
    let at_zero = Point { cotangents, ..now.point.clone() };
    let Ok(numbers) = Mode::Eager.run(&p.f, &at_zero, Order::Second) else { return Ok(()) };
    let at_zero = numbers.get(results + 2 * sources..).unwrap_or_default();
    let text = given.iter().zip(at_zero).find_map(|(given, at_zero)| unlike(given, at_zero));
    match text {
        Some(text) => Err((Kind::SecondWrong, format!("{name}, zero cotangents: {text}"))),
        None => Ok(()),
    }
}

fn agrees(slope: &Slope, gradient: &[Tensor], along: &[f64]) -> Result<(), String> {
    let Some(Ok(g)) = gradient.first().map(|g| g.as_slice::<f64>()) else {
        return Err("no float64 gradient".to_owned());
    };
    let told: f64 = g.iter().zip(along).map(|(g, v)| g * v).sum();
    if g.len() == along.len() && slope.is(told) {
        return Ok(());
    }
    Err(format!("{told:?} along a direction, differences tell {:?}", slope.value))
}
