//! The suite of types: shapes, specs and their laws, trace types, inference, retracing.

mod infer;
mod parse;
mod ragged;
mod retrace;
mod shapes;
mod sparse;
mod specs;

use extype::Error;

use super::Case;
use super::report::Verdict;

/// Why a case has no answer.
#[derive(Debug)]
pub(super) enum Outcome {
    /// The call was refused.
    Refused(Error),
    /// There is no such thing in this library.
    Unsupported(String),
}

impl From<Error> for Outcome {
    fn from(e: Error) -> Self {
        Outcome::Refused(e)
    }
}

impl From<super::values::Unreadable> for Outcome {
    fn from(e: super::values::Unreadable) -> Self {
        Outcome::Unsupported(e.0)
    }
}

/// An answer in the words of the recorded one, so that both can be compared and shown.
pub(super) type Answer = Result<String, Outcome>;

/// Runs a case of this suite.
pub fn judge(case: &Case) -> Verdict {
    let kind = case.text("kind").unwrap_or_default();
    let (got, want) = match kind {
        "infer_shape" => infer::answer(case),
        "retrace" => retrace::answer(case),
        _ if kind.starts_with("TensorShape.") || kind == "tf.broadcast_static_shape" => {
            shapes::answer(case, kind)
        }
        _ => specs::answer(case, kind),
    };
    let want = match want {
        Ok(want) => want,
        Err(what) => return Verdict::Unsupported(format!("{kind}: {what}")),
    };
    match got {
        Err(Outcome::Unsupported(what)) => Verdict::Unsupported(format!("{kind}: {what}")),
        Err(Outcome::Refused(_)) if case.is_refused() => Verdict::Passed,
        Err(Outcome::Refused(e)) => Verdict::failed(want, format!("{:?}: {e}", e.kind())),
        Ok(got) if case.is_refused() => {
            let message = case.text("error_message").unwrap_or_default();
            Verdict::failed(format!("a refusal ({message})"), got)
        }
        Ok(got) => Verdict::of_equal(&got, &want),
    }
}
