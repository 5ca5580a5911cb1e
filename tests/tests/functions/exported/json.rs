//! Calls and their results as `check_export.py` reads them.

use std::io;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use extype::prelude::*;
use extype::spec::{AnySpec, AnyValue, Literal};
use serde_json::{Map, Value, json};

use super::models::Call;

fn tensor(t: &Tensor) -> Value {
    let array = t.value().unwrap();
    let data = match array.as_bytes() {
        Some(bytes) => json!(BASE64_STANDARD.encode(bytes)),
        None => array.as_strings().unwrap().iter().map(|s| BASE64_STANDARD.encode(s)).collect(),
    };
    json!({"dtype": array.dtype().name(), "shape": array.dims(), "data": data})
}

fn literal(data: &Literal) -> Value {
    match data {
        Literal::Bool(x) => json!(x),
        Literal::Int(x) => json!(*x as i64),
        Literal::Float(x) => json!(x),
        Literal::Str(x) => json!(&**x),
        Literal::List(items) | Literal::Tuple(items) => items.iter().map(literal).collect(),
        _ => Value::Null,
    }
}

fn value(value: &AnyValue) -> Value {
    let parts = || value.components().iter().map(self::value).collect::<Vec<_>>();
    match value.spec() {
        AnySpec::Tensor(_) => tensor(&value.leaves()[0]),
        AnySpec::Literal(Literal::None) => Value::Null,
        AnySpec::Literal(data) => json!({"python": literal(data)}),
        AnySpec::Tuple(items) if items.is_empty() => Value::Null,
        AnySpec::Tuple(_) => json!({"tuple": parts()}),
        AnySpec::List(_) => json!({"list": parts()}),
        AnySpec::Map(items) => {
            let named: Map<String, Value> = items.keys().cloned().zip(parts()).collect();
            json!({"dict": named})
        }
        AnySpec::Composite(c) => {
            let field = |(name, spec): &(std::borrow::Cow<'static, str>, AnySpec)| {
                let json = match spec {
                    AnySpec::Literal(data) => json!({"static": literal(data)}),
                    _ => self::value(&value.field(name).unwrap()),
                };
                (name.to_string(), json)
            };
            let fields: Map<String, Value> = c.fields.iter().map(field).collect();
            let name = c.class.registered_name().unwrap().trim_start_matches("conformance.");
            json!({"extension": {"name": name, "fields": fields}})
        }
        other => panic!("{other}"),
    }
}

fn named(tensors: &[(&'static str, Tensor)]) -> Map<String, Value> {
    tensors.iter().map(|(name, t)| ((*name).to_owned(), tensor(t))).collect()
}

/// Writes `inputs.json` and `outputs.json`.
pub(super) fn write(folder: &Path, calls: &[Call]) -> io::Result<()> {
    let input = |call: &Call| match call {
        Call::Function(name, args, _) => {
            let args: Vec<Value> = args.iter().map(value).collect();
            json!({"kind": "function", "name": name, "args": args, "kwargs": {}})
        }
        Call::Signature(name, inputs, _) => {
            json!({"kind": "signature", "name": name, "args": [], "kwargs": named(inputs)})
        }
    };
    let output = |call: &Call| match call {
        Call::Function(_, _, result) => json!({"outputs": value(result)}),
        Call::Signature(_, _, outputs) => json!({"outputs": {"dict": named(outputs)}}),
    };
    for (file, part) in
        [("inputs.json", &input as &dyn Fn(&Call) -> Value), ("outputs.json", &output)]
    {
        let calls: Vec<Value> = calls.iter().map(part).collect();
        std::fs::write(folder.join(file), json!({"calls": calls}).to_string())?;
    }
    Ok(())
}
