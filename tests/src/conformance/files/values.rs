//! Structured values as they are recorded.

use extype::array::Array;
use extype::spec::{AnySpec, AnyValue, Literal, find_spec};
use extype::{StaticData as _, Tensor};
use extype_ragged::RaggedTensor;
use extype_sparse::SparseTensor;
use serde_json::Value;

use crate::conformance::compare::{Expected, Tolerance, difference};
use crate::conformance::values::{Unreadable, array};

fn told<T>(made: extype::Result<T>) -> Result<T, Unreadable> {
    made.map_err(|e| Unreadable(e.to_string()))
}

fn tensor(json: &Value) -> Result<Tensor, Unreadable> {
    array(json).map(Tensor::Value)
}

fn joined(values: &[AnyValue]) -> Vec<Tensor> {
    values.iter().flat_map(|v| v.leaves().to_vec()).collect()
}

/// The value that is recorded so.
pub(super) fn value(json: &Value) -> Result<AnyValue, Unreadable> {
    let all = |json: &Value| -> Result<Vec<AnyValue>, Unreadable> {
        json.as_array().map_or(&[][..], Vec::as_slice).iter().map(value).collect()
    };
    let specs = |values: &[AnyValue]| values.iter().map(|v| v.spec().clone()).collect();
    if let Some(python) = json.get("python") {
        let literal = AnySpec::Literal(literal(python));
        return told(AnyValue::from_parts(literal, Vec::new()));
    }
    if let Some(items) = json.get("tuple") {
        let items = all(items)?;
        return told(AnyValue::from_parts(AnySpec::Tuple(specs(&items)), joined(&items)));
    }
    if let Some(items) = json.get("list") {
        let items = all(items)?;
        return told(AnyValue::from_parts(AnySpec::List(specs(&items)), joined(&items)));
    }
    if let Some(dict) = json.get("dict").and_then(Value::as_object) {
        let mut pairs: Vec<(&String, AnyValue)> =
            dict.iter().map(|(k, v)| Ok((k, value(v)?))).collect::<Result<_, _>>()?;
        pairs.sort_by_key(|pair| pair.0);
        let specs = pairs.iter().map(|(k, v)| ((*k).clone(), v.spec().clone())).collect();
        let leaves = pairs.iter().flat_map(|(_, v)| v.leaves().to_vec()).collect();
        return told(AnyValue::from_parts(AnySpec::Map(specs), leaves));
    }
    if let Some(ragged) = json.get("ragged") {
        let splits = ragged["row_splits"].as_array().map_or(&[][..], Vec::as_slice);
        let splits = splits.iter().map(tensor).collect::<Result<Vec<_>, _>>()?;
        let flat = tensor(&ragged["flat_values"])?;
        return told(RaggedTensor::from_nested_row_splits(&flat, &splits).map(AnyValue::new));
    }
    if let Some(sparse) = json.get("sparse") {
        let [indices, values, sizes] =
            ["indices", "values", "dense_shape"].map(|part| tensor(&sparse[part]));
        return told(SparseTensor::new(indices?, values?, sizes?).map(AnyValue::new));
    }
    if let Some(extension) = json.get("extension") {
        let name = format!("conformance.{}", extension["name"].as_str().unwrap_or_default());
        let none = serde_json::Map::new();
        let fields = extension["fields"].as_object().unwrap_or(&none).iter();
        let field = |(name, json): (&String, &Value)| {
            let value = match json.get("static") {
                Some(data) => {
                    told(AnyValue::from_parts(AnySpec::Literal(literal(data)), Vec::new()))?
                }
                None => value(json)?,
            };
            Ok((name.clone(), value))
        };
        let fields: Vec<(String, AnyValue)> =
            fields.map(field).collect::<Result<_, Unreadable>>()?;
        let made = AnyValue::anonymous(fields);
        return told(made.and_then(|v| v.reinterpret(&find_spec(&name)?)));
    }
    match json {
        Value::Null => told(AnyValue::from_parts(AnySpec::Literal(Literal::None), Vec::new())),
        json => tensor(json).map(AnyValue::new),
    }
}

fn literal(json: &Value) -> Literal {
    match json {
        Value::Bool(x) => x.to_literal(),
        Value::Number(n) => match n.as_i64() {
            Some(x) => x.to_literal(),
            None => n.as_f64().unwrap_or(f64::NAN).to_literal(),
        },
        Value::String(x) => x.clone().to_literal(),
        Value::Array(items) => Literal::List(items.iter().map(literal).collect()),
        _ => Literal::None,
    }
}

/// How a value differs from the one that is recorded, if it does.
pub(super) fn differs(got: &AnyValue, want: &Value, tolerance: Tolerance) -> Option<String> {
    let parts = |wanted: Vec<(String, &Value)>| {
        let got = got.components();
        if got.len() != wanted.len() {
            return Some(format!("{} parts, not {}", got.len(), wanted.len()));
        }
        got.iter().zip(wanted).find_map(|(got, (name, want))| {
            differs(got, want, tolerance).map(|what| format!("{name}: {what}"))
        })
    };
    let leaves = |wanted: Vec<&Value>| {
        if got.leaves().len() != wanted.len() {
            return Some(format!("{} tensors, not {}", got.leaves().len(), wanted.len()));
        }
        got.leaves().iter().zip(wanted).find_map(|(got, want)| tensor_differs(got, want, tolerance))
    };
    let items = |json: &'_ Value| -> Vec<(String, Value)> {
        let items = json.as_array().cloned().unwrap_or_default();
        items.into_iter().enumerate().map(|(i, v)| (format!("[{i}]"), v)).collect()
    };
    let seq = |json: &Value| {
        let items = items(json);
        parts(items.iter().map(|(name, v)| (name.clone(), v)).collect())
    };
    match (got.spec(), want) {
        (AnySpec::Tuple(_), want) if want.get("tuple").is_some() => seq(&want["tuple"]),
        (AnySpec::List(_), want) if want.get("list").is_some() => seq(&want["list"]),
        (AnySpec::Map(names), want) if want.get("dict").is_some() => {
            let Some(dict) = want["dict"].as_object() else { return Some("no dict".into()) };
            let mut dict: Vec<(String, &Value)> =
                dict.iter().map(|(k, v)| (k.clone(), v)).collect();
            dict.sort_by(|a, b| a.0.cmp(&b.0));
            match names.keys().eq(dict.iter().map(|(k, _)| k)) {
                true => parts(dict),
                false => Some(format!("the names {:?}", names.keys().collect::<Vec<_>>())),
            }
        }
        (AnySpec::Composite(_), want) if want.get("ragged").is_some() => {
            let ragged = &want["ragged"];
            let splits = ragged["row_splits"].as_array().map_or(&[][..], Vec::as_slice);
            leaves(std::iter::once(&ragged["flat_values"]).chain(splits).collect())
        }
        (AnySpec::Composite(_), want) if want.get("sparse").is_some() => {
            leaves(["indices", "values", "dense_shape"].map(|part| &want["sparse"][part]).into())
        }
        // A named tuple.
        (AnySpec::Composite(c), want) if want.get("tuple").is_some() => {
            let items = items(&want["tuple"]);
            let pairs = c.fields.iter().zip(&items);
            let mut wrong = pairs.filter_map(|((name, _), (_, want))| match got.field(name) {
                Ok(got) => differs(&got, want, tolerance),
                Err(e) => Some(e.to_string()),
            });
            match c.fields.len() == items.len() {
                true => wrong.next(),
                false => Some(format!("{} parts, not {}", c.fields.len(), items.len())),
            }
        }
        (AnySpec::Composite(_), want) if want.get("extension").is_some() => {
            let none = serde_json::Map::new();
            let fields = want["extension"]["fields"].as_object().unwrap_or(&none);
            fields.iter().find_map(|(name, want)| match got.field(name) {
                Err(e) => Some(e.to_string()),
                Ok(got) => match want.get("static") {
                    Some(data) => (*got.spec() != AnySpec::Literal(literal(data)))
                        .then(|| format!("{name}: {}", got.spec())),
                    None => differs(&got, want, tolerance).map(|what| format!("{name}: {what}")),
                },
            })
        }
        (AnySpec::Literal(got), want) => {
            let want = want.get("python").map_or(Literal::None, literal);
            (*got != want).then(|| format!("{got}, not {want}"))
        }
        (AnySpec::Tensor(_), want) => tensor_differs(&got.leaves()[0], want, tolerance),
        (other, _) => Some(format!("a value of {other}")),
    }
}

fn tensor_differs(got: &Tensor, want: &Value, tolerance: Tolerance) -> Option<String> {
    let (got, value): (&Array, Array) = match (got.value(), array(want)) {
        (Ok(got), Ok(want)) => (got, want),
        (Err(e), _) => return Some(e.to_string()),
        (_, Err(Unreadable(what))) => return Some(what),
    };
    difference(got, &Expected { value, other: None }, tolerance).map(|wrong| wrong.text)
}
