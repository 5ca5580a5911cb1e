//! Cases that are one node of a `GraphDef`.

use std::sync::Arc;

use extype::Tensor;
use extype::ir::{AttrKind, AttrValue, Attrs, OpDef, find_op};
use extype::tensor::execute;
use serde_json::Value;

use super::Case;
use super::modes::Computation;
use super::values::{attribute, shape};

/// Attributes whose default is not zero, false or empty, and that no result here depends on.
const DEFAULTS: [(&str, &str, i64); 1] = [("StringFormat", "summarize", 3)];

/// The call of an op with the attributes of a case, and its inputs.
///
/// # Errors
/// With the name of what is unsupported.
pub fn computation(case: &Case, op: &str) -> Result<(Computation, Vec<Tensor>), String> {
    let def = find_op(op).map_err(|_| op.to_owned())?;
    let attrs = attributes(case, def).map_err(|why| format!("{op}: {why}"))?;
    let inputs = case.inputs().map_err(|e| format!("{op}: {}", e.0))?;
    let call = move |x: &[Tensor]| {
        let borrowed: Vec<&Tensor> = x.iter().collect();
        Ok(execute(def, attrs.clone(), &borrowed)?.into_vec())
    };
    Ok((Arc::new(call), inputs.into_iter().map(Tensor::from).collect()))
}

/// The attributes that the op of this library has.
///
/// # Errors
/// With the name of an attribute that it does not have and that matters.
pub fn attributes(case: &Case, def: &'static OpDef) -> Result<Attrs, String> {
    let mut attrs = Attrs::new();
    let Some(given) = case.json["attrs"].as_object() else { return Ok(attrs) };
    for (name, json) in given {
        // Made by hand for refused nodes, where the generator has the name of the Python argument.
        let name = if def.name == "Squeeze" && name == "axis" { "squeeze_dims" } else { name };
        match def.attrs.iter().find(|a| a.name == name) {
            Some(a) if !a.told => {
                let value = match (a.kind, json) {
                    (AttrKind::Shape, Value::Array(_) | Value::Null) => {
                        AttrValue::Shape(Box::new(shape(json)))
                    }
                    _ => attribute(json).map_err(|e| e.0)?,
                };
                attrs.set(a.name, value);
            }
            Some(_) => {}
            None if is_told_by_inputs(def, name, json) || is_default(def, name, json) => {}
            None => return Err(format!("attribute {name} = {json}")),
        }
    }
    for a in def.attrs.iter().filter(|a| !a.told) {
        if attrs.value(a.name).is_none() {
            attrs.set(a.name, a.default.map_or(AttrValue::Bool(false), |default| default()));
        }
    }
    Ok(attrs)
}

/// Dtypes, and the length of a list argument.
fn is_told_by_inputs(def: &OpDef, name: &str, json: &Value) -> bool {
    let is_type = |v: &Value| v.get("type").is_some();
    is_type(json)
        || json.as_array().is_some_and(|l| !l.is_empty() && l.iter().all(is_type))
        || (name == "N" && def.inputs.iter().any(|a| a.list))
}

fn is_default(def: &OpDef, name: &str, json: &Value) -> bool {
    match json {
        Value::Bool(x) => !x,
        Value::Number(n) => {
            n.as_f64() == Some(0.0)
                || DEFAULTS.iter().any(|(op, attr, value)| {
                    *op == def.name && *attr == name && n.as_i64() == Some(*value)
                })
        }
        Value::String(s) => s.is_empty(),
        Value::Array(a) => a.is_empty(),
        _ => false,
    }
}
