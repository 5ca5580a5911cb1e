//! Shape inference from partly known shapes.

use extype::array::Array;
use extype::ir::{InferContext, find_op};
use extype::types::TensorType;
use serde_json::Value;

use super::{Answer, Outcome};
use crate::conformance::Case;
use crate::conformance::ops::attributes;
use crate::conformance::values::{Unreadable, dtype, integers, shape};

/// What this library infers, and what was recorded.
pub(super) fn answer(case: &Case) -> (Answer, Result<String, String>) {
    let pairs = case.list("output_shapes").iter().zip(case.list("output_dtypes"));
    let types = pairs.map(|(s, d)| Ok(TensorType::new(dtype(d)?, shape(s))));
    let recorded = types.collect::<Result<Vec<_>, Unreadable>>();
    (got(case), recorded.map(|t| shown(&t)).map_err(|e| e.0))
}

fn shown(types: &[TensorType]) -> String {
    types.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn got(case: &Case) -> Answer {
    let name = case.text("op").unwrap_or_default();
    let op = find_op(name).map_err(|_| Outcome::Unsupported(name.to_owned()))?;
    let attrs = attributes(case, op).map_err(Outcome::Unsupported)?;
    let inputs: Vec<(TensorType, Option<Array>)> =
        case.list("inputs").iter().map(input).collect::<Result<_, _>>()?;
    let types: Vec<TensorType> = inputs.iter().map(|(t, _)| t.clone()).collect();
    let constant = |i: usize| inputs.get(i).and_then(|(_, c)| c.clone());
    let context = InferContext::new(&types, &attrs, &constant);
    Ok(shown(&op.infer(&context)?))
}

fn input(json: &Value) -> Result<(TensorType, Option<Array>), Unreadable> {
    let dtype = dtype(&json["dtype"])?;
    match json.get("const") {
        Some(value) => {
            let array = integers(value, dtype)?;
            Ok((array.tensor_type(), Some(array)))
        }
        None => Ok((TensorType::new(dtype, shape(&json["shape"])), None)),
    }
}
