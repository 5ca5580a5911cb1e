//! The ways in which a case runs.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, Once, PoisonError};

use extype::{Result, Shape, Tensor, TensorSpec, function};

use super::Case;
use super::compare::difference;
use super::report::Verdict;

/// A function of flat tensors, as a case asks for it.
pub type Computation = Arc<dyn Fn(&[Tensor]) -> Result<Vec<Tensor>> + Send + Sync>;

/// How a case runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Op by op.
    #[default]
    Eager,
    /// Inside a traced function that is called with the inputs.
    Traced,
    /// Traced for inputs of which only the ranks are known, then called with the inputs.
    Dynamic,
}

impl Mode {
    /// All modes.
    pub const ALL: [Mode; 3] = [Mode::Eager, Mode::Traced, Mode::Dynamic];

    /// The mode of this name.
    pub fn from_name(name: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|m| m.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Eager => "eager",
            Mode::Traced => "traced",
            Mode::Dynamic => "dynamic",
        }
    }
}

/// Runs a computation; in the modes that trace also checks what inference said of the results.
///
/// # Errors
/// What the computation fails with, while tracing or later, and a static shape that is wrong.
pub fn run(mode: Mode, computation: &Computation, inputs: &[Tensor]) -> Result<Vec<Tensor>> {
    if mode == Mode::Eager {
        return computation(inputs);
    }
    let inferred = Arc::new(Mutex::new(Vec::new()));
    let (computation, kept) = (computation.clone(), inferred.clone());
    let traced = function(move |x: &Vec<Tensor>| {
        let outputs = computation(x)?;
        let shapes = outputs.iter().map(Tensor::shape).collect();
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = shapes;
        Ok(outputs)
    });
    let inputs = inputs.to_vec();
    let outputs = match mode {
        Mode::Dynamic => traced.concrete(&rank_only(&inputs))?.call_flat(&inputs)?,
        _ => traced.call(&inputs)?,
    };
    let inferred = inferred.lock().unwrap_or_else(PoisonError::into_inner);
    check_static_shapes(&inferred, &outputs).map(|()| outputs)
}

/// The specs of the inputs with every size unknown.
pub fn rank_only(inputs: &[Tensor]) -> Vec<TensorSpec> {
    let spec = |t: &Tensor| {
        let shape = t.rank().map_or_else(Shape::unknown, Shape::of_rank);
        TensorSpec::new(shape, t.dtype())
    };
    inputs.iter().map(spec).collect()
}

fn check_static_shapes(inferred: &[Shape], outputs: &[Tensor]) -> Result<()> {
    for (i, (shape, output)) in inferred.iter().zip(outputs).enumerate() {
        if !output.shape().is_subtype_of(shape) {
            let text = format!("output {i}: inferred {shape}, computed {}", output.shape());
            return Err(extype::Error::internal(text));
        }
    }
    Ok(())
}

/// Runs a case and compares its outputs.
pub fn check(case: &Case, mode: Mode, computation: &Computation, inputs: &[Tensor]) -> Verdict {
    let expected = match case.expected() {
        Ok(expected) => expected,
        Err(e) => return Verdict::Unsupported(format!("an output that is {}", e.0)),
    };
    let outputs = match run(mode, computation, inputs) {
        Err(_) if case.is_refused() => return Verdict::Passed,
        Err(e) => return Verdict::failed("outputs", format!("{:?}: {e}", e.kind())),
        Ok(outputs) if case.is_refused() => {
            let recorded = case.text("error_message").unwrap_or_default();
            return Verdict::failed(format!("a refusal ({recorded})"), format!("{outputs:?}"));
        }
        Ok(outputs) => outputs,
    };
    let outputs = match case.text("compare") {
        Some(_) => {
            match super::signs::aligned(case.text("op").unwrap_or_default(), &outputs, &expected) {
                Ok(outputs) => outputs,
                Err(e) => return Verdict::failed("outputs", e.to_string()),
            }
        }
        None => outputs,
    };
    if outputs.len() != expected.len() {
        return Verdict::failed(
            format!("{} outputs", expected.len()),
            format!("{} outputs", outputs.len()),
        );
    }
    for (i, (got, want)) in outputs.iter().zip(&expected).enumerate() {
        let Some(want) = want else { continue };
        let wrong = match got.value() {
            Ok(got) => difference(got, want, case.tolerance()),
            Err(e) => Some(e.to_string().into()),
        };
        if let Some(wrong) = wrong {
            let verdict = Verdict::failed(format!("output {i} as recorded"), wrong.text);
            return if wrong.flushed { verdict.exempted() } else { verdict };
        }
    }
    Verdict::Passed
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f`; a panic prints nothing and is returned as its message.
///
/// # Errors
/// The message of the panic.
pub fn guarded<R>(f: impl FnOnce() -> R) -> Result<R, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                loud(info);
            }
        }));
    });
    let before = QUIET.replace(true);
    let result = catch_unwind(AssertUnwindSafe(f));
    QUIET.set(before);
    result.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        format!("panicked: {}", text.unwrap_or("with no message"))
    })
}
