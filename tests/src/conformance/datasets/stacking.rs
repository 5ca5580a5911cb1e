//! The laws of stacking single types.

use extype::ops::methods::*;
use extype::spec::{AnySpec, AnyValue, concat_values, stack_values, unstack_values};
use extype::types::{Dim, Error};
use extype::{Structure, TypeSpec, ops};
use serde_json::Value;

use super::values::{spec, spec_difference, value, value_difference};
use super::{Checked, Outcome, wrong};

/// Checks one case.
pub(super) fn check(json: &Value) -> Checked {
    match answer(json) {
        Err(Outcome::Refused(_)) if json.get("error").is_some() => Ok(None),
        Ok(None) if json.get("error").is_some() => wrong("a refusal", "a result"),
        other => other,
    }
}

fn named(what: &str, found: Option<String>) -> Option<(String, String)> {
    found.map(|found| (what.to_owned(), found))
}

fn answer(json: &Value) -> Checked {
    let values = || -> Result<Vec<AnyValue>, Outcome> {
        json["values"].as_array().into_iter().flatten().map(value).collect()
    };
    match json["kind"].as_str().unwrap_or_default() {
        "spec" => {
            let one = spec(&json["spec"])?;
            let three = one.stacked(3)?;
            let unknown = one.stacked(Dim::UNKNOWN)?;
            for (key, got) in [
                ("stacked_3", &three),
                ("stacked_unknown", &unknown),
                ("stacked_twice", &unknown.stacked(2)?),
                ("unstacked_of_stacked", &three.unstacked()?),
            ] {
                if let Some(found) = spec_difference(got, &json[key])? {
                    return wrong(key, found);
                }
            }
            Ok(None)
        }
        "unstacked_spec" => {
            let got = spec(&json["spec"])?.unstacked()?;
            Ok(named("unstacked", spec_difference(&got, &json["unstacked"])?))
        }
        "box" => {
            let (spec, value) = (spec(&json["spec"])?, value(&json["value"])?);
            let rank = json["minimum_rank"].as_u64().unwrap_or(0) as usize;
            let boxed = match spec.to_boxed_tensors(&value, rank) {
                Err(e) if json.get("error").is_none() && e.message().contains("not the rank") => {
                    let text = "TensorFlow boxes scalars for any rank; the RFC wants a refusal";
                    return Err(Outcome::Unsupported(text.to_owned()));
                }
                boxed => boxed?,
            };
            let back = spec.from_boxed_tensors(boxed)?;
            Ok(named("round_trip", value_difference(&back, &json["round_trip"])?))
        }
        "stack" => {
            let values = values()?;
            let stack = stack_values(&values)?;
            let found = value_difference(&stack, &json["result"])?;
            if found.is_some() {
                return Ok(named("result", found));
            }
            // The boxes of each value, stacked and taken apart.
            let specs: Vec<AnySpec> = values.iter().map(|v| v.spec().clone()).collect();
            let one = AnySpec::common_supertype_of(&specs)
                .ok_or_else(|| Error::invalid("no common type"))?;
            let boxes = values.iter().map(|v| one.to_boxed_tensors(v, 0));
            let boxes = boxes.collect::<extype::Result<Vec<_>>>()?;
            let part = |j: usize| ops::stack(&boxes.iter().map(|b| &b[j]).collect::<Vec<_>>(), 0);
            let stacked = (0..boxes[0].len()).map(part).collect::<extype::Result<Vec<_>>>()?;
            let wanted = json["unstacked_again"].as_array().into_iter().flatten();
            for (i, want) in wanted.enumerate() {
                let boxes = stacked.iter().map(|t| t.index(i)).collect::<extype::Result<_>>()?;
                let got = one.from_boxed_tensors(boxes)?;
                if let Some(found) = value_difference(&got, want)? {
                    return wrong("unstacked again", found);
                }
            }
            Ok(named("stacked_spec", spec_difference(&stack.type_spec(), &json["stacked_spec"])?))
        }
        "unstack" => {
            let (spec, value) = (spec(&json["spec"])?, value(&json["value"])?);
            let found = spec_difference(&spec.unstacked()?, &json["unstacked_spec"])?;
            if found.is_some() {
                return Ok(named("unstacked_spec", found));
            }
            let got = unstack_values(&value)?;
            let wanted = json["result"].as_array().map_or(&[][..], Vec::as_slice);
            if got.len() != wanted.len() {
                return wrong(wanted.len().to_string(), got.len().to_string());
            }
            for (got, want) in got.iter().zip(wanted) {
                if let Some(found) = value_difference(got, want)? {
                    return wrong("result", found);
                }
            }
            Ok(None)
        }
        "concat" => {
            let got = concat_values(&values()?)?;
            Ok(named("result", value_difference(&got, &json["result"])?))
        }
        "reshape" => {
            let (spec, value) = (spec(&json["spec"])?, value(&json["value"])?);
            let size = json["batch_size"].as_i64().unwrap_or(1);
            let reshaped = |t: extype::Tensor| {
                let inner = t.shape();
                let inner = inner.dims().unwrap_or_default()[1..].iter();
                let dims =
                    [-1, size].into_iter().chain(inner.map(|d| d.size().unwrap_or(0) as i64));
                t.reshape(dims.collect::<Vec<_>>())
            };
            let boxed = spec.to_boxed_tensors(&value, 1)?;
            let boxed = boxed.into_iter().map(reshaped).collect::<extype::Result<Vec<_>>>()?;
            let batched = spec.unstacked()?.stacked(size as usize)?.stacked(Dim::UNKNOWN)?;
            let got = batched.from_boxed_tensors(boxed)?;
            Ok(named("result", value_difference(&got, &json["result"])?))
        }
        other => Err(Outcome::Unsupported(other.to_owned())),
    }
}
