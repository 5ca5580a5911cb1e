//! Methods of `TensorShape`.

use extype::{Error, Shape};
use serde_json::Value;

use super::{Answer, Outcome};
use crate::conformance::Case;
use crate::conformance::values::shape;

/// What this library says, and what was recorded.
pub(super) fn answer(case: &Case, kind: &str) -> (Answer, Result<String, String>) {
    (got(kind, case.list("args")), Ok(recorded(&case.json["result"])))
}

fn recorded(json: &Value) -> String {
    match json.get("shape") {
        Some(s) => shape(s).to_string(),
        None => json.to_string(),
    }
}

fn got(kind: &str, args: &[Value]) -> Answer {
    let s = |i: usize| shape(&args[i]["shape"]);
    let int = |i: usize| args[i]["int"].as_i64();
    let size = |i: usize| int(i).unwrap_or(0) as usize;
    let show = |s: Shape| Ok(s.to_string());
    match kind {
        "TensorShape.is_compatible_with" => Ok(s(0).is_compatible_with(&s(1)).to_string()),
        "TensorShape.is_subtype_of" => Ok(s(0).is_subtype_of(&s(1)).to_string()),
        "TensorShape.__eq__" => Ok((s(0) == s(1)).to_string()),
        "TensorShape.merge_with" => show(s(0).merge(&s(1))?),
        "TensorShape.most_specific_compatible_shape"
        | "TensorShape.most_specific_common_supertype" => {
            show(s(0).most_specific_common_supertype(&s(1)))
        }
        "TensorShape.concatenate" => show(s(0).concatenate(&s(1))),
        "tf.broadcast_static_shape" => show(s(0).broadcast(&s(1))?),
        "TensorShape.is_fully_defined" => Ok(s(0).is_fully_defined().to_string()),
        "TensorShape.num_elements" => Ok(number(s(0).num_elements())),
        "TensorShape.rank" => Ok(number(s(0).rank())),
        "TensorShape.with_rank" => show(s(0).with_rank(size(1))?),
        "TensorShape.with_rank_at_least" => show(s(0).with_rank_at_least(size(1))?),
        "TensorShape.with_rank_at_most" => show(s(0).with_rank_at_most(size(1))?),
        "TensorShape.__getitem__" if args.len() == 3 => show(s(0).slice(int(1), int(2))),
        "TensorShape.__getitem__" => {
            let axis = int(1).ok_or_else(|| Error::invalid("no index"))?;
            Ok(number(s(0).dim(axis)?.size()))
        }
        other => Err(Outcome::Unsupported(other.to_owned())),
    }
}

fn number(n: Option<usize>) -> String {
    n.map_or("null".to_owned(), |n| n.to_string())
}
