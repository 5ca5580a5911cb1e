//! Pipelines of datasets with their answers, and the laws of stacking.

mod functions;
mod pipeline;
mod stacking;
mod values;

use extype::Error;
use extype::data::{Cardinality, Dataset, Elements};
use extype::spec::AnyValue;
use serde_json::Value;

use self::pipeline::pipeline;
use self::values::{spec_difference, value, value_difference};
use super::Case;
use super::report::Verdict;
use super::values::Unreadable;

/// Why a program has no answer.
#[derive(Debug)]
enum Outcome {
    /// It was refused.
    Refused(Error),
    /// There is no such thing in this library.
    Unsupported(String),
}

impl From<Error> for Outcome {
    fn from(e: Error) -> Self {
        Self::Refused(e)
    }
}

impl From<Unreadable> for Outcome {
    fn from(e: Unreadable) -> Self {
        Self::Unsupported(e.0)
    }
}

/// How a program is run.
#[derive(Clone, Copy)]
struct Run {
    /// On how many threads functions of `map` are called.
    threads: usize,
}

/// The names of the files of these cases.
pub(super) const SUITES: [&str; 2] = ["programs", "stacking"];

/// True for a case of these files.
pub(super) fn is_one(case: &Case) -> bool {
    SUITES.contains(&case.suite.as_str())
}

/// Runs a case. Programs run twice: on one thread, and with functions on four.
pub(super) fn judge(case: &Case) -> Verdict {
    let json = &case.json;
    match case.text("kind").unwrap_or("pipeline") {
        "spec" | "unstacked_spec" | "box" | "stack" | "unstack" | "concat" | "reshape" => {
            verdict(stacking::check(json))
        }
        _ => [1, 4]
            .into_iter()
            .map(|threads| verdict(program(json, Run { threads })))
            .find(|verdict| *verdict != Verdict::Passed)
            .unwrap_or(Verdict::Passed),
    }
}

/// What is wrong, if something is.
type Checked = Result<Option<(String, String)>, Outcome>;

fn verdict(checked: Checked) -> Verdict {
    match checked {
        Ok(None) => Verdict::Passed,
        Ok(Some((want, got))) => Verdict::failed(want, got),
        Err(Outcome::Unsupported(what)) => Verdict::Unsupported(what),
        Err(Outcome::Refused(e)) => Verdict::failed("no refusal", format!("{:?}: {e}", e.kind())),
    }
}

fn wrong(want: impl Into<String>, got: impl Into<String>) -> Checked {
    Ok(Some((want.into(), got.into())))
}

/// What the specification asks for where TensorFlow's answer is an accident, else what was recorded.
fn asked<'a>(json: &'a Value, key: &str) -> &'a Value {
    json["better"].get(key).unwrap_or(&json[key])
}

fn program(json: &Value, run: Run) -> Checked {
    let error = asked(json, "error");
    let refused_at_build = matches!(error["at"].as_str(), Some("build" | "iterator"));
    let data = match pipeline(json, run) {
        Err(Outcome::Refused(_)) if refused_at_build => return Ok(None),
        Err(other) => return Err(other),
        Ok(_) if refused_at_build => {
            return wrong(format!("a refusal ({})", error["message"]), "a dataset");
        }
        Ok(data) => data,
    };
    if let Some(found) = spec_difference(&data.element_spec()?, &json["element_spec"])? {
        return wrong("the element spec", found);
    }
    let cardinality = data.cardinality();
    let known = match &json["cardinality"] {
        Value::String(text) if text == "infinite" => cardinality == Cardinality::Infinite,
        Value::Number(n) => n.as_u64() == cardinality.exact(),
        _ => true,
    };
    // What the specification asks for instead of a negative number.
    let meaningless =
        json["cardinality"].as_i64().is_some_and(|n| n < 0) || json.get("better").is_some();
    if !known && !meaningless {
        return wrong(format!("cardinality {}", json["cardinality"]), cardinality.to_string());
    }
    match json["kind"].as_str().unwrap_or("pipeline") {
        "epochs" => {
            for pass in json["epochs"].as_array().into_iter().flatten() {
                let pass = serde_json::json!({ "elements": pass, "limit": json["limit"] });
                if let Some(found) = elements(&data, data.iter(), &pass)? {
                    return Ok(Some(found));
                }
            }
            Ok(None)
        }
        "reduce" => {
            let args = json["args"].as_array().map_or(&[][..], Vec::as_slice);
            let f = functions::reduce(json["fn"].as_str().unwrap_or_default(), args)?;
            let initial = value(&json["init"])?;
            let spec = initial.spec().clone();
            single(data.reduce(initial, f).and_then(|s| same_dtypes(&spec, s)), json)
        }
        "get_single_element" => single(data.single_element(), json),
        "optional" => {
            let mut all = data.iter();
            for want in json["results"].as_array().into_iter().flatten() {
                let got = all.next().transpose();
                let fits = match (&got, want.get("error")) {
                    (Err(_), Some(_)) => None,
                    (Ok(got), None) => match (got, &want["optional"]) {
                        (None, Value::Null) => None,
                        (Some(got), want) if !want.is_null() => value_difference(got, want)?,
                        _ => Some(format!("{got:?}")),
                    },
                    _ => Some(format!("{got:?}")),
                };
                if let Some(found) = fits {
                    return wrong(want.to_string(), found);
                }
            }
            Ok(None)
        }
        "resume" => resume(&data, json, run),
        _ => elements(&data, data.iter(), json),
    }
}

/// TensorFlow's `reduce` keeps the dtype of its state; here the types of Rust do, except for values of any type.
fn same_dtypes(spec: &extype::spec::AnySpec, value: AnyValue) -> extype::Result<AnyValue> {
    spec.try_common_supertype(value.spec()).map(|_| value)
}

fn single(got: extype::Result<AnyValue>, json: &Value) -> Checked {
    match (got, json["error"].is_null()) {
        (Err(_), false) => Ok(None),
        (Err(e), true) => wrong(json["result"].to_string(), e.to_string()),
        (Ok(got), false) => wrong("a refusal", format!("{got:?}")),
        (Ok(got), true) => {
            Ok(value_difference(&got, &json["result"])?.map(|found| ("the result".into(), found)))
        }
    }
}

/// Compares the elements of a pass, and what comes after the first error.
fn elements(data: &Dataset<AnyValue>, mut pass: Elements<AnyValue>, json: &Value) -> Checked {
    let wanted = asked(json, "elements").as_array().map_or(&[][..], Vec::as_slice);
    for (i, want) in wanted.iter().enumerate() {
        let got = match pass.next() {
            Some(Ok(got)) => got,
            Some(Err(e)) => return wrong(format!("element {i}"), e.to_string()),
            None => return wrong(format!("{} elements", wanted.len()), format!("{i} elements")),
        };
        if let Some(found) = value_difference(&got, want)? {
            return wrong(format!("element {i}"), found);
        }
    }
    let error = asked(json, "error");
    let stops = asked(json, "end").as_str() == Some("stopped")
        || json["limit"].as_u64().is_some_and(|n| n == wanted.len() as u64);
    if error.is_null() {
        if stops {
            return Ok(None);
        }
        if let Some(n) = data.cardinality().exact().filter(|n| *n != wanted.len() as u64) {
            return wrong(format!("{} elements", wanted.len()), format!("cardinality {n}"));
        }
        return match pass.next() {
            None => Ok(None),
            Some(got) => wrong("the end", format!("{got:?}")),
        };
    }
    match pass.next() {
        Some(Err(_)) => {}
        got => return wrong("an error", format!("{got:?}")),
    }
    for (i, want) in error["after_error"].as_array().into_iter().flatten().enumerate() {
        let got = pass.next();
        let found = match (&got, want) {
            (Some(Ok(got)), want) if want.get("value").is_some() => {
                value_difference(got, &want["value"])?
            }
            (Some(Err(_)), want) if want.get("error").is_some() => None,
            (None, want) if want.get("end").is_some() => None,
            (None, want) if want.get("error").is_some() && repeats(json) => {
                let text = "TensorFlow repeats the error of an unfinished group without end";
                return Err(Outcome::Unsupported(text.to_owned()));
            }
            _ => Some(format!("{got:?}")),
        };
        if let Some(found) = found {
            return wrong(format!("{want} as number {i} after the error"), found);
        }
    }
    Ok(None)
}

/// True for groups whose errors fill what was recorded.
fn repeats(json: &Value) -> bool {
    let groups = |step: &Value| matches!(step["op"].as_str(), Some("bucket" | "group_by_window"));
    let after = json["error"]["after_error"].as_array().map_or(&[][..], Vec::as_slice);
    json["steps"].as_array().into_iter().flatten().any(groups)
        && after.len() == 4
        && after[1..].iter().all(|item| item.get("error").is_some())
}

fn resume(data: &Dataset<AnyValue>, json: &Value, run: Run) -> Checked {
    let mut pass = data.iter();
    let count = |key: &str| json[key].as_u64().unwrap_or(0) as usize;
    let compared = |got: Vec<extype::Result<AnyValue>>, key: &str| -> Checked {
        let wanted = json[key].as_array().map_or(&[][..], Vec::as_slice);
        if got.len() != wanted.len() {
            return wrong(format!("{} elements {key}", wanted.len()), got.len().to_string());
        }
        for (got, want) in got.into_iter().zip(wanted) {
            if let Some(found) = value_difference(&got?, want)? {
                return wrong(format!("elements {key}"), found);
            }
        }
        Ok(None)
    };
    let before = pass.by_ref().take(count("save_after")).collect();
    if let Some(found) = compared(before, "before")? {
        return Ok(Some(found));
    }
    let state = pass.save()?;
    let lost = pass.by_ref().take(count("then_take")).collect();
    if let Some(found) = compared(lost, "lost")? {
        return Ok(Some(found));
    }
    // Another dataset of the same description, as another process has it.
    let again = pipeline(json, run)?;
    let rest = again.resume(&state)?;
    let limit = json["limit"].as_u64().map_or(usize::MAX, |n| n as usize);
    compared(rest.take(limit).collect(), "rest")
}
