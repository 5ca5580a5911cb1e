//! The options of functions, and of calls.

use std::panic::Location;

use super::FunctionState;
use super::concrete::Trace;
use super::returned::Returned;
use crate::compile::{Bounds, Profile};
use crate::spec::{AnySpec, Structure};
use crate::tensor::Tensor;
use crate::trace::Arguments;
use crate::types::Result;

/// The options of `#[tf_function(…)]`.
///
/// ```
/// use extype::function::{FunctionOptions, FunctionState};
/// use extype::prelude::*;
/// static DOUBLED: FunctionState = FunctionState::new(
///     FunctionOptions::new("doubled", &["x"])
///         .signature(|| vec![Some(TensorSpec::of::<f32>(shape![?]).to_any())])
///         .max_traces(8),
/// );
/// let x = tensor![1.0f32, 2.0];
/// assert_eq!(DOUBLED.call((&x,), |(x,)| ops::add(&*x, &*x))?.as_slice::<f32>()?, &[2.0, 4.0]);
/// let e = DOUBLED.call((&scalar(1i64),), |(x,)| ops::add(&*x, &*x)).unwrap_err();
/// assert!(e.message().contains("argument `x` is TensorSpec([], int64)"));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FunctionOptions {
    pub(super) name: &'static str,
    pub(super) parameters: &'static [&'static str],
    pub(super) reduce_retracing: bool,
    pub(super) max_traces: usize,
    pub(super) signature: Option<fn() -> Vec<Option<AnySpec>>>,
    pub(super) made_at: Option<&'static Location<'static>>,
}

impl FunctionOptions {
    /// The options of a function with this name, and these names of its parameters.
    pub const fn new(name: &'static str, parameters: &'static [&'static str]) -> Self {
        Self {
            name,
            parameters,
            reduce_retracing: false,
            max_traces: 1024,
            signature: None,
            made_at: None,
        }
    }

    /// Traces for a more general type if a call differs from earlier ones in shapes.
    #[must_use]
    pub const fn reduce_retracing(self) -> Self {
        Self { reduce_retracing: true, ..self }
    }

    /// How many traces are kept, 1024 if not set. A further trace takes the place of the least recently used one.
    #[must_use]
    pub const fn max_traces(self, n: usize) -> Self {
        Self { max_traces: n, ..self }
    }

    /// The types that arguments must have; `None` for an argument that is not restricted.
    #[must_use]
    pub const fn signature(self, signature: fn() -> Vec<Option<AnySpec>>) -> Self {
        Self { signature: Some(signature), ..self }
    }

    /// For closures: where the function is made.
    pub(super) const fn made_at(self, at: &'static Location<'static>) -> Self {
        Self { made_at: Some(at), ..self }
    }

    pub(super) const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }
}

/// What a call returns beside its result (TensorFlow's `RunOptions`).
///
/// ```
/// use extype::function::{Bounds, RunOptions};
/// use extype::prelude::*;
/// let f = function(|x: &Tensor| x.matmul(x));
/// let x = ops::ones([64, 64], f32)?;
/// let bounds = Bounds { bytes_per_second: 1e10, flops_per_second: 1e11 };
/// let (y, profile) = f.run_with(&x, RunOptions::profile().with_bounds(bounds))?;
/// assert_eq!(y.index((0, 0))?.item::<f32>()?, 64.0);
/// assert_eq!(profile.steps[0].flops, Some(2 * 64 * 64 * 64));
/// assert!(profile.to_string().contains("of bound"));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct RunOptions {
    /// True for the times, bytes and arithmetic of the steps. Otherwise the profile is empty.
    pub profile: bool,
    /// What the machine can do, with which the profile compares the steps.
    pub bounds: Option<Bounds>,
}

impl RunOptions {
    /// A profile of the run.
    ///
    /// ```
    /// use extype::function::RunOptions;
    /// assert!(RunOptions::profile().profile && !RunOptions::default().profile);
    /// ```
    #[must_use]
    pub fn profile() -> Self {
        Self { profile: true, ..Self::default() }
    }

    /// The profile compares the steps with these bounds.
    ///
    /// ```
    /// use extype::function::{Bounds, RunOptions};
    /// let bounds = Bounds { bytes_per_second: 1e10, flops_per_second: 1e11 };
    /// assert_eq!(RunOptions::profile().with_bounds(bounds).bounds, Some(bounds));
    /// ```
    #[must_use]
    pub fn with_bounds(self, bounds: Bounds) -> Self {
        Self { bounds: Some(bounds), ..self }
    }
}

impl FunctionState {
    /// Like [`call`](Self::call), but returns also what the options ask for. Both are of the same run.
    ///
    /// # Errors
    /// As `call`; `FailedPrecondition` for a profile in a trace or under a tape.
    ///
    /// ```
    /// use extype::function::{FunctionOptions, FunctionState, RunOptions};
    /// use extype::prelude::*;
    /// let state = FunctionState::new(FunctionOptions::new("f", &["x"]));
    /// let x = ops::zeros([1000], f32)?;
    /// let (y, profile) = state.run_with((&x,), RunOptions::profile(), |(x,)| x.exp())?;
    /// assert_eq!(y.shape(), shape![1000]);
    /// assert_eq!(profile.steps[0].what, "Exp : float32[1000]");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn run_with<'a, A: Arguments<'a>, O: Returned<Value: Structure>>(
        &self,
        args: A,
        options: RunOptions,
        body: impl FnOnce(A::Bound) -> O,
    ) -> Result<(O::Value, Profile)> {
        let mut profile = Profile::default();
        let run = |trace: &Trace, leaves: &[&Tensor]| {
            let (outputs, measured) = trace.run_with(leaves, &options)?;
            profile = measured;
            Ok(outputs)
        };
        let result = self.call_with(args, |bound| body(bound).into_result(), run)?;
        Ok((result, profile))
    }
}
