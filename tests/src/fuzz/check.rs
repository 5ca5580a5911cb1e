//! What must hold of a call.

use extype::ir::Effect;
use extype::tensor::execute;
use extype::{Error, ErrorKind, Tensor};

use super::call::Call;
use super::gradient::{self, Outcome};
use super::report::Kind;
use super::rng::Rng;
use super::traced::{self, Knowing, Refused};
use crate::conformance::modes::guarded;

/// What was found of a call.
pub(super) struct Checked {
    /// True if the op took it.
    pub(super) taken: bool,
    /// The message of the refusal.
    pub(super) refusal: Option<String>,
    /// What could be said of its gradients.
    pub(super) gradients: Vec<String>,
    pub(super) findings: Vec<(Kind, String)>,
}

/// Checks the call that `make` makes: anew for every run, for state is changed by it.
///
/// `stage` is told what begins, so that it is known what did not end.
pub(super) fn check(
    make: &dyn Fn() -> Call,
    rng: &mut Rng,
    stage: &mut dyn FnMut(&str),
) -> Checked {
    let mut findings = Vec::new();
    stage("eager");
    let call = make();
    // A program drops what has neither effect nor result, with its refusal.
    let dropped =
        |traced: &traced::Traced| call.op.effect == Effect::Pure && traced.outputs.is_empty();
    let eager = guarded(|| run(&call)).unwrap_or_else(|panic| {
        findings.push((Kind::Panics, format!("eager: {panic}")));
        Err((ErrorKind::Internal, panic))
    });
    // A kernel's panic is an error of its call; nothing is refused with that kind.
    if let Err((ErrorKind::Internal, text)) = &eager
        && findings.is_empty()
    {
        findings.push((Kind::Panics, format!("eager: {text}")));
    }
    let panics = !findings.is_empty();
    for knowing in Knowing::ALL {
        stage(knowing.name());
        match guarded(|| traced::run(&make(), knowing)) {
            Err(panic) if !panics => {
                findings.push((Kind::Panics, format!("{}: {panic}", knowing.name())));
            }
            // What differs in several ways of tracing is one finding.
            Ok(Ok(traced)) if dropped(&traced) => {}
            Ok(traced) if !panics => findings.extend(
                compare(&eager, traced, knowing, call.draws_anew())
                    .filter(|(kind, _)| findings.iter().all(|(k, _)| k != kind)),
            ),
            _ => {}
        }
    }
    let mut gradient = Outcome::NoFloats;
    if eager.is_ok() {
        stage("gradient");
        match guarded(|| gradient::check(&make(), rng)) {
            Err(panic) => findings.push((Kind::Panics, format!("gradient: {panic}"))),
            Ok((outcome, found)) => {
                gradient = outcome;
                findings.extend(found);
            }
        }
    }
    let taken = eager.is_ok();
    let refusal = eager.err().map(|(kind, text)| format!("{kind:?}: {text}"));
    Checked { taken, refusal, gradients: vec![gradient.name().to_owned()], findings }
}

type Eager = Result<Vec<Tensor>, (ErrorKind, String)>;

fn run(call: &Call) -> Eager {
    let inputs = call.tensors();
    match execute(call.op, call.attrs(), &inputs.iter().collect::<Vec<_>>()) {
        Ok(outputs) => Ok(outputs.into_vec()),
        Err(e) => Err((e.kind(), brief(&e))),
    }
}

/// The message without the place, which is this crate.
fn brief(e: &Error) -> String {
    e.to_string().lines().next().unwrap_or_default().to_owned()
}

fn compare(
    eager: &Eager,
    traced: Result<traced::Traced, Refused>,
    knowing: Knowing,
    draws_anew: bool,
) -> Option<(Kind, String)> {
    let name = knowing.name();
    match (eager, traced) {
        (_, Err(Refused::Tracing(e) | Refused::Running(e))) if e.kind() == ErrorKind::Internal => {
            Some((Kind::Panics, format!("{name}: {}", brief(&e))))
        }
        (Ok(_), Err(Refused::Tracing(e))) => {
            Some((Kind::TraceRefuses, format!("{name}, while tracing: {}", brief(&e))))
        }
        // Memory may be there or not.
        (Ok(_), Err(Refused::Running(e))) if e.kind() == ErrorKind::ResourceExhausted => None,
        (Ok(_), Err(Refused::Running(e))) => {
            Some((Kind::TraceRefuses, format!("{name}, while running: {}", brief(&e))))
        }
        (Err((ErrorKind::ResourceExhausted, _)), Ok(_)) | (Err(_), Err(_)) => None,
        (Err((_, eager)), Ok(traced)) => {
            let types = traced.outputs.iter().map(|y| y.tensor_type().to_string());
            let types: Vec<String> = types.collect();
            Some((Kind::TraceTakes, format!("{name} answers {}; eager: {eager}", types.join(", "))))
        }
        (Ok(eager), Ok(traced)) => {
            if eager.len() != traced.outputs.len() {
                let text =
                    format!("{name}: {} results, eager {}", traced.outputs.len(), eager.len());
                return Some((Kind::Differs, text));
            }
            for (i, (a, b)) in eager.iter().zip(&traced.outputs).enumerate() {
                if !draws_anew && let Some(text) = difference(a, b) {
                    return Some((Kind::Differs, format!("{name}, result {i}: {text}")));
                }
                let inferred = &traced.inferred[i];
                if inferred.dtype != a.dtype() || !a.shape().is_subtype_of(&inferred.shape) {
                    let text =
                        format!("{name}, result {i}: inferred {inferred}, is {}", a.tensor_type());
                    return Some((Kind::InferredType, text));
                }
            }
            None
        }
    }
}

/// How two results differ; the elements bit for bit.
fn difference(eager: &Tensor, traced: &Tensor) -> Option<String> {
    let (a, b) = (eager.value().ok()?, traced.value().ok()?);
    if a.dtype() != b.dtype() || a.dims() != b.dims() {
        return Some(format!("{}, eager {}", b.tensor_type(), a.tensor_type()));
    }
    let boxed = a.as_bytes().is_none() && a.as_strings().is_err();
    if boxed || a.identical(b) {
        return None;
    }
    let (a, b) = (a.as_bytes().unwrap_or_default(), b.as_bytes().unwrap_or_default());
    let at = a.iter().zip(b).position(|(a, b)| a != b).unwrap_or(0);
    let size = eager.dtype().size().unwrap_or(1);
    let hex =
        |bytes: &[u8]| format!("{:02x?}", bytes.get(at / size * size..(at / size + 1) * size));
    Some(format!("element {} is {}, eager {}", at / size, hex(b), hex(a)))
}
