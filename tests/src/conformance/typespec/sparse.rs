//! Specs and values of sparse tensors.

use extype::Tensor;
use extype::prelude::TypeSpec;
use extype::spec::AnySpec;
use extype_sparse::{SparseTensor, SparseTensorSpec};
use serde_json::Value;

use super::Outcome;
use crate::conformance::values::{Unreadable, arrays, dtype, shape};

/// A sparse spec from its inside.
///
/// # Errors
/// For an unknown dtype.
pub(super) fn spec(json: &Value) -> Result<AnySpec, Unreadable> {
    Ok(SparseTensorSpec::new(shape(&json["shape"]), dtype(&json["dtype"])?).to_any())
}

/// A recorded sparse value, or nothing for another one.
///
/// # Errors
/// For unknown dtypes, and what the library refuses.
pub(super) fn value(json: &Value) -> Result<Option<SparseTensor>, Outcome> {
    if json.get("sparse").is_none() {
        return Ok(None);
    }
    let parts: Vec<Tensor> = arrays(json)?.into_iter().map(Tensor::from).collect();
    let [values, indices, sizes] =
        <[Tensor; 3]>::try_from(parts).map_err(|_| Unreadable("no sparse value".to_owned()))?;
    Ok(Some(SparseTensor::new(indices, values, sizes)?))
}
