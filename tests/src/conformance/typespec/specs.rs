//! The laws of specs and of trace types.

use extype::spec::{AnySpec, AnyValue, Literal};
use extype::{Dim, Error, Tensor};
use serde_json::Value;

use super::parse::{entry, spec};
use super::{Answer, Outcome, ragged, sparse};
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
        "type_spec_from_value" => return Ok(value(&args[0])?.spec().to_string()),
        "RaggedTensorSpec" => return ragged::made(args),
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
    let mut specs: Vec<AnySpec> = args.iter().map(spec).collect::<Result<_, _>>()?;
    if method == "is_compatible_with"
        && let [this, other] = &mut specs[..]
    {
        *other = ragged::plain_spec(this, other);
    }
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

fn value(json: &Value) -> Result<AnyValue, Outcome> {
    let ("value", json) = entry(json)? else {
        return Err(Outcome::Unsupported(entry(json)?.0.to_owned()));
    };
    Ok(match (ragged::value(json)?, sparse::value(json)?) {
        (Some(ragged), _) => AnyValue::new(ragged),
        (_, Some(sparse)) => AnyValue::new(sparse),
        _ => AnyValue::new(Tensor::from(array(json)?)),
    })
}

fn is_compatible_with_value(args: &[Value]) -> Answer {
    let spec = spec(&args[0])?;
    let value = ragged::plain_value(&spec, value(&args[1])?)?;
    Ok(spec.is_compatible_with_value(&value).to_string())
}
