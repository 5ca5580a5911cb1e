//! Specs and values of ragged tensors.

use extype::prelude::TypeSpec;
use extype::spec::{AnySpec, AnyValue};
use extype::{DType, Error, Tensor};
use extype_ragged::{RaggedTensor, RaggedTensorSpec};
use serde_json::Value;

use super::{Answer, Outcome};
use crate::conformance::values::{Unreadable, arrays, dtype, shape};

/// A ragged spec from its inside.
///
/// # Errors
/// For an unknown dtype, and what the library refuses.
pub(super) fn spec(json: &Value) -> Result<AnySpec, Unreadable> {
    let rank = json["ragged_rank"].as_i64().ok_or_else(|| Unreadable("no ragged rank".into()))?;
    let made =
        RaggedTensorSpec::with_ragged_rank(shape(&json["shape"]), dtype(&json["dtype"])?, rank)
            .and_then(|made| {
                let splits = json["row_splits_dtype"].as_str().and_then(DType::from_name);
                made.with_row_splits_dtype(splits.unwrap_or(DType::I64))
            });
    made.map(|s| s.to_any()).map_err(|e| Unreadable(e.to_string()))
}

/// `tf.RaggedTensorSpec(shape, dtype, ragged_rank)`.
pub(super) fn made(args: &[Value]) -> Answer {
    let (shape, dtype) = (shape(&args[0]["shape"]), dtype(&args[1]["dtype"])?);
    let made = match args[2]["int"].as_i64() {
        Some(rank) => RaggedTensorSpec::with_ragged_rank(shape, dtype, rank)?,
        None => RaggedTensorSpec::new(shape, dtype)?,
    };
    Ok(made.to_string())
}

/// A recorded ragged value, or nothing for another one.
///
/// # Errors
/// For unknown dtypes, and what the library refuses.
pub(super) fn value(json: &Value) -> Result<Option<RaggedTensor>, Outcome> {
    if json.get("ragged").is_none() {
        return Ok(None);
    }
    let parts: Vec<Tensor> = arrays(json)?.into_iter().map(Tensor::from).collect();
    let (values, splits) = parts.split_first().ok_or_else(|| Error::invalid("no values"))?;
    Ok(Some(RaggedTensor::from_nested_row_splits(values, splits)?))
}

/// The ragged rank of a ragged spec without ragged axes. What TensorFlow has for its values are plain tensors; here they
/// are ragged tensors without ragged axes.
fn plain_rank(spec: &AnySpec) -> Option<i64> {
    let spec = RaggedTensorSpec::from_any(spec).ok()?;
    (spec.ragged_rank <= 0).then_some(spec.ragged_rank)
}

/// A tensor spec beside a ragged spec without ragged axes as one of these; others as they are.
pub(super) fn plain_spec(this: &AnySpec, other: &AnySpec) -> AnySpec {
    match (plain_rank(this), other) {
        (Some(ragged_rank), AnySpec::Tensor(t)) => {
            let (shape, dtype) = (t.shape.clone(), t.dtype);
            let row_splits_dtype = DType::I64;
            RaggedTensorSpec { shape, dtype, ragged_rank, row_splits_dtype }.to_any()
        }
        _ => other.clone(),
    }
}

/// A tensor as a value of a ragged spec without ragged axes; others as they are.
pub(super) fn plain_value(spec: &AnySpec, value: AnyValue) -> Result<AnyValue, Outcome> {
    match (plain_rank(spec), value.as_tensor()) {
        (Some(_), Some(tensor)) => Ok(AnyValue::new(RaggedTensor::from_dense(tensor)?)),
        _ => Ok(value),
    }
}
