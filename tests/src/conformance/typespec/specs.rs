//! The laws of specs and of trace types.

use extype::prelude::{Structure, TypeSpec};
use extype::spec::{AnySpec, AnyValue, Literal};
use extype::{Dim, Error, Tensor};
use serde_json::Value;

use super::parse::{entry, spec};
use super::{Answer, Outcome};
use crate::conformance::Case;
use crate::conformance::values::{Unreadable, array};

/// What this library says, and what was recorded.
pub(super) fn answer(case: &Case, kind: &str) -> (Answer, Result<String, String>) {
    (got(kind, case.list("args")), recorded(&case.json["result"]).map_err(|e| e.0))
}

fn recorded(json: &Value) -> Result<String, Unreadable> {
    match json {
        Value::Object(o) if o.contains_key("list") && json["list"].is_array() => {
            spec(json).map(|s| s.to_string()).or_else(|_| Ok(json.to_string()))
        }
        Value::Object(_) => Ok(spec(json)?.to_string()),
        other => Ok(other.to_string()),
    }
}

fn got(kind: &str, args: &[Value]) -> Answer {
    match kind {
        "is_compatible_with_value" => return is_compatible_with_value(args),
        "type_spec_from_value" => return Ok(tensor(&args[0])?.type_spec().to_any().to_string()),
        _ => {}
    }
    let method = kind.strip_prefix("trace_type.").unwrap_or(kind);
    if !METHODS.contains(&method) {
        return Err(Outcome::Unsupported("not in this library".to_owned()));
    }
    if method == "batch" {
        let n = args[1]["int"].as_u64().map(|n| n as usize);
        return Ok(spec(&args[0])?.stacked(Dim::from(n))?.to_string());
    }
    let specs: Vec<AnySpec> = args.iter().map(spec).collect::<Result<_, _>>()?;
    let this = &specs[0];
    let other = || specs.get(1).ok_or_else(|| Error::invalid("two specs are wanted"));
    match method {
        "is_compatible_with" => Ok(this.is_compatible_with(other()?).to_string()),
        "is_subtype_of" => Ok(this.is_subtype_of(other()?).to_string()),
        "spec_eq" => Ok((this == other()?).to_string()),
        "most_specific_common_supertype" => {
            Ok(AnySpec::common_supertype_of(&specs).map_or_else(null, shown))
        }
        "most_specific_compatible_type" => Ok(shown(this.try_common_supertype(other()?)?)),
        "unbatch" => Ok(this.unstacked()?.to_string()),
        "component_specs" => Ok(list(components(this))),
        _ => Ok(list(this.leaves())),
    }
}

const METHODS: [&str; 9] = [
    "batch",
    "unbatch",
    "is_compatible_with",
    "is_subtype_of",
    "spec_eq",
    "most_specific_common_supertype",
    "most_specific_compatible_type",
    "component_specs",
    "flatten",
];

/// Python's `None` as a static value and as the lack of a supertype look the same.
fn shown(spec: AnySpec) -> String {
    match spec {
        AnySpec::Literal(Literal::None) => null(),
        spec => spec.to_string(),
    }
}

fn null() -> String {
    "null".to_owned()
}

fn list(specs: Vec<AnySpec>) -> String {
    AnySpec::List(specs.into()).to_string()
}

/// The generator takes a tensor spec for its own only component.
fn components(spec: &AnySpec) -> Vec<AnySpec> {
    match spec {
        AnySpec::Tensor(_) => vec![spec.clone()],
        _ => spec.component_specs(),
    }
}

fn tensor(json: &Value) -> Result<Tensor, Outcome> {
    match entry(json)? {
        ("value", v) => Ok(Tensor::from(array(v)?)),
        (other, _) => Err(Outcome::Unsupported(other.to_owned())),
    }
}

fn is_compatible_with_value(args: &[Value]) -> Answer {
    let spec = spec(&args[0])?;
    Ok(spec.is_compatible_with_value(&AnyValue::new(tensor(&args[1])?)).to_string())
}
