//! Recorded values as arrays, attributes, dtypes and shapes.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use extype::array::{Array, Dims};
use extype::ir::AttrValue;
use extype::{DType, Dim, Shape};
use serde_json::Value;

/// Why a recorded value can't be had in this library.
#[derive(Clone, Debug, PartialEq)]
pub struct Unreadable(pub String);

impl Unreadable {
    fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

/// The dtype of this name.
///
/// # Errors
/// If there is none.
pub fn dtype(json: &Value) -> Result<DType, Unreadable> {
    let name = json.as_str().ok_or_else(|| Unreadable::new(format!("no dtype: {json}")))?;
    DType::from_name(name).ok_or_else(|| Unreadable::new(format!("dtype {name}")))
}

/// A dense tensor.
///
/// # Errors
/// For sparse tensors, for ragged ones, which are several, and for unknown dtypes.
pub fn array(json: &Value) -> Result<Array, Unreadable> {
    if json.get("data").is_none() {
        let kind = json.as_object().and_then(|o| o.keys().next()).map_or("null", String::as_str);
        return Err(Unreadable::new(format!("a {kind} value")));
    }
    let sizes = json["shape"].as_array().ok_or_else(|| Unreadable::new("no shape"))?;
    let dims: Dims = sizes.iter().filter_map(|d| Some(d.as_u64()? as usize)).collect();
    let built = match (dtype(&json["dtype"])?, &json["data"]) {
        (DType::String, Value::Array(items)) => {
            let items = items.iter().map(bytes).collect::<Result<_, _>>()?;
            Array::from_strings(dims, items)
        }
        (dtype, data) => Array::from_bytes(dtype, dims, &bytes(data)?),
    };
    built.map_err(|e| Unreadable::new(e.to_string()))
}

/// The tensors of a value: itself, or of a ragged one its values, then its splits, outermost first, or of a sparse one
/// its values, its indices and its sizes.
///
/// # Errors
/// As [`array()`].
pub fn arrays(json: &Value) -> Result<Vec<Array>, Unreadable> {
    let (ragged, sparse) = (&json["ragged"], &json["sparse"]);
    if !sparse.is_null() {
        return ["values", "indices", "dense_shape"]
            .map(|part| array(&sparse[part]))
            .into_iter()
            .collect();
    }
    if ragged.is_null() {
        return array(json).map(|one| vec![one]);
    }
    let splits = ragged["row_splits"].as_array().map_or(&[][..], Vec::as_slice);
    std::iter::once(&ragged["flat_values"]).chain(splits).map(array).collect()
}

/// How many tensors a value has beside its first: the splits of a ragged one, two of a sparse one.
pub fn splits(json: &Value) -> usize {
    if !json["sparse"].is_null() {
        return 2;
    }
    json["ragged"]["row_splits"].as_array().map_or(0, Vec::len)
}

/// Bytes in base64.
///
/// # Errors
/// If they are no text in base64.
pub fn bytes(json: &Value) -> Result<Vec<u8>, Unreadable> {
    let text = json.as_str().ok_or_else(|| Unreadable::new("data that is no text"))?;
    STANDARD.decode(text).map_err(|e| Unreadable::new(format!("base64: {e}")))
}

/// A static shape: a list of sizes and nulls (or -1), or null.
pub fn shape(json: &Value) -> Shape {
    match json.as_array() {
        None => Shape::unknown(),
        Some(dims) => dims.iter().map(|d| Dim::from(d.as_u64().map(|n| n as usize))).collect(),
    }
}

/// Nested lists of integers as an array of this dtype.
///
/// # Errors
/// For other dtypes and for ragged lists.
pub fn integers(json: &Value, dtype: DType) -> Result<Array, Unreadable> {
    fn visit(json: &Value, depth: usize, dims: &mut Dims, out: &mut Vec<i64>) {
        if let Some(items) = json.as_array() {
            if dims.len() == depth {
                dims.push(items.len());
            }
            items.iter().for_each(|x| visit(x, depth + 1, dims, out));
        } else {
            out.extend(json.as_i64());
        }
    }
    let (mut dims, mut data) = (Dims::new(), Vec::new());
    visit(json, 0, &mut dims, &mut data);
    let built = match dtype {
        DType::I64 => Array::from_slice(dims, &data),
        DType::I32 => Array::from_slice(dims, &data.iter().map(|x| *x as i32).collect::<Vec<_>>()),
        other => return Err(Unreadable::new(format!("constant of {other}"))),
    };
    built.map_err(|e| Unreadable::new(e.to_string()))
}

/// The value of an attribute.
///
/// # Errors
/// For kinds that no op of this library has.
pub fn attribute(json: &Value) -> Result<AttrValue, Unreadable> {
    Ok(match json {
        Value::Bool(x) => AttrValue::Bool(*x),
        Value::Number(n) => match n.as_i64() {
            Some(x) => AttrValue::Int(x),
            None => AttrValue::Float(n.as_f64().unwrap_or(f64::NAN) as f32),
        },
        Value::String(x) => AttrValue::Str(x.as_bytes().into()),
        Value::Array(items) => {
            AttrValue::List(items.iter().map(attribute).collect::<Result<_, _>>()?)
        }
        Value::Object(o) if o.contains_key("type") => AttrValue::Type(dtype(&o["type"])?),
        Value::Object(o) if o.contains_key("shape") => {
            AttrValue::Shape(Box::new(shape(&o["shape"])))
        }
        Value::Object(o) if o.contains_key("bytes") => {
            AttrValue::Str(bytes(&o["bytes"])?.as_slice().into())
        }
        other => return Err(Unreadable::new(format!("attribute {other}"))),
    })
}
