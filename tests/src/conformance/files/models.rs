//! SavedModels: their calls in order, and their variables.

use std::path::Path;

use anyhow::Result;
use extype::Tensor;
use extype::saved::{SavedModel, load};
use extype::spec::AnyValue;
use serde_json::Value;

use super::values::{differs, value};
use super::{add, json};
use crate::conformance::compare::{Expected, Tolerance, difference};
use crate::conformance::modes::guarded;
use crate::conformance::report::{Report, Verdict};
use crate::conformance::values::{Unreadable, array};

pub(super) fn run(folder: &Path, report: &mut Report) -> Result<()> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (inputs, outputs) =
        (json(&folder.join("inputs.json"))?, json(&folder.join("outputs.json"))?);
    let loaded = guarded(|| load(folder.join("model")).map_err(|e| format!("{e:?}")));
    let model = match loaded.unwrap_or_else(Err) {
        Ok(model) => model,
        Err(e) => {
            add(report, format!("{name}: load"), Verdict::failed("a model", e));
            return Ok(());
        }
    };
    add(
        report,
        format!("{name}: variables"),
        variables(&model, &json(&folder.join("variables.json"))?),
    );
    let tolerance = Tolerance::read(&outputs["tol"]);
    let none = Vec::new();
    let list = |json: &Value| json["calls"].as_array().unwrap_or(&none).clone();
    for (i, (call, wanted)) in list(&inputs).iter().zip(&list(&outputs)).enumerate() {
        let verdict = guarded(|| judge(&model, call, wanted, tolerance));
        let verdict = verdict.unwrap_or_else(|panic| Verdict::failed("no panic", panic));
        add(report, format!("{name}: call {i}, {} {}", call["kind"], call["name"]), verdict);
    }
    Ok(())
}

/// The variables after loading, in the order of the recorded keys.
fn variables(model: &SavedModel, recorded: &Value) -> Verdict {
    let none = serde_json::Map::new();
    for (key, wanted) in recorded["tensors"].as_object().unwrap_or(&none) {
        let Some(path) = key.strip_suffix("/.ATTRIBUTES/VARIABLE_VALUE") else { continue };
        let read = model.variable(&path.replace('/', ".")).and_then(|v| v.read());
        let got = match read {
            Ok(got) => got,
            Err(e) => return Verdict::failed(key, e.to_string()),
        };
        let value = match array(wanted) {
            Ok(value) => value,
            Err(Unreadable(what)) => return Verdict::Unsupported(what),
        };
        let wanted = Expected { value, other: None };
        let Ok(got) = got.value() else { return Verdict::failed(key, "a symbol") };
        if let Some(wrong) = difference(got, &wanted, Tolerance::default()) {
            return Verdict::failed(key, wrong.text);
        }
    }
    Verdict::Passed
}

fn judge(model: &SavedModel, call: &Value, wanted: &Value, tolerance: Tolerance) -> Verdict {
    match (run_call(model, call), wanted.get("error")) {
        (Err(Unreadable(what)), _) => Verdict::Unsupported(what),
        (Ok(Err(_)), Some(_)) => Verdict::Passed,
        (Ok(Err(e)), None) => Verdict::failed("a result", e.to_string()),
        (Ok(Ok(got)), Some(error)) => {
            Verdict::failed(format!("an error: {error}"), format!("{got:?}"))
        }
        (Ok(Ok(got)), None) => match differs(&got, &wanted["outputs"], tolerance) {
            None => Verdict::Passed,
            Some(what) => Verdict::failed("the recorded result", what),
        },
    }
}

fn run_call(model: &SavedModel, call: &Value) -> Result<extype::Result<AnyValue>, Unreadable> {
    let (name, none) = (call["name"].as_str().unwrap_or_default(), serde_json::Map::new());
    let named = call["kwargs"].as_object().unwrap_or(&none);
    let named: Vec<(&str, AnyValue)> =
        named.iter().map(|(k, v)| Ok((k.as_str(), value(v)?))).collect::<Result<_, _>>()?;
    let args = call["args"].as_array().map_or(&[][..], Vec::as_slice);
    let args: Vec<AnyValue> = args.iter().map(value).collect::<Result<_, _>>()?;
    if call["kind"] == "function" {
        return Ok(model.function(name).and_then(|f| f.call_values(&args, &named)));
    }
    let tensors: Vec<(&str, &Tensor)> =
        named.iter().filter_map(|(name, v)| Some((*name, v.as_tensor()?))).collect();
    Ok(model.signature(name).and_then(|s| s.call(&tensors)).map(AnyValue::new))
}
