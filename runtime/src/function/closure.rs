//! Closures as traced functions.

use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;

use super::{ConcreteFunction, FunctionOptions, FunctionState, Profile, RunOptions, Stats};
use crate::spec::{LiteralSpec, Structure};
use crate::types::Result;

/// A closure that is traced: `function(|x: &Tensor, y: &Tensor| x.matmul(y))`.
///
/// It owns the closure and its traces. Captured tensors keep their values for all calls; variables are
/// captured by reference.
///
/// ```
/// use extype::prelude::*;
/// let f = function(|x: &Tensor, y: &Tensor| x.maximum(y));
/// let (a, b) = (tensor![1.0f32, 5.0], tensor![3.0f32, 2.0]);
/// assert_eq!(f.call(&a, &b)?.as_slice::<f32>()?, &[3.0, 5.0]);
/// assert_eq!(f.call(&b, &a)?.as_slice::<f32>()?, &[3.0, 5.0]);
/// assert_eq!(f.trace_count(), 1);
/// # Ok::<(), Error>(())
/// ```
pub struct Function<F, M> {
    body: F,
    state: FunctionState,
    signature: PhantomData<fn(M)>,
}

/// Closures that take references to structures and return a `Result` of a structure.
#[diagnostic::on_unimplemented(
    message = "this closure can't be traced",
    label = "not a closure of up to six `&T` arguments that returns `Result<R>`",
    note = "write the types of the arguments: `function(|x: &Tensor| …)`"
)]
pub trait IntoFunction<M>: Sized {
    /// Wraps the closure.
    ///
    /// ```
    /// use extype::function::IntoFunction;
    /// use extype::prelude::*;
    /// let f = (|x: &Tensor, y: &Tensor| ops::sub(x, y)).into_function();
    /// assert_eq!(f.call(&scalar(5.0f32), &scalar(3.0f32))?.item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn into_function(self) -> Function<Self, M> {
        Function {
            body: self,
            state: FunctionState::new(
                FunctionOptions::new("closure", &["a", "b", "c", "d", "e", "f"])
                    .made_at(Location::caller()),
            ),
            signature: PhantomData,
        }
    }
}

/// Makes a traced function from a closure; see [`Function`].
///
/// ```
/// use extype::prelude::*;
/// let factor = scalar(3.0f32);
/// let f = function(move |x: &Tensor| ops::mul(x, &factor));
/// assert_eq!(f.call(&tensor![1.0f32, 2.0])?.as_slice::<f32>()?, &[3.0, 6.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn function<F: IntoFunction<M>, M>(body: F) -> Function<F, M> {
    body.into_function()
}

impl<F, M> Function<F, M> {
    fn with(self, options: impl FnOnce(FunctionOptions) -> FunctionOptions) -> Self {
        Self { state: FunctionState::new(options(self.state.options)), ..self }
    }

    /// Names the function, for errors and graphs.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x)).named("negated");
    /// assert!(f.concrete(&TensorSpec::of::<f32>([2]))?.graph().to_string().starts_with("fn negated("));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn named(self, name: &'static str) -> Self {
        self.with(|options| options.named(name))
    }

    /// Traces for a more general type if a call differs from earlier ones in shapes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x)).reduce_retracing();
    /// for n in 1..5 {
    ///     f.call(&ops::zeros([n], f32)?)?;
    /// }
    /// assert_eq!(f.state().signatures()[1].to_string(), "(TensorSpec([?], float32),)");
    /// assert_eq!(f.trace_count(), 2);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn reduce_retracing(self) -> Self {
        self.with(FunctionOptions::reduce_retracing)
    }

    /// How many traces are kept, 1024 if not set. A further trace takes the place of the least recently used one.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x)).max_traces(2);
    /// for n in 1..5 {
    ///     f.call(&ops::zeros([n], f32)?)?;
    /// }
    /// assert_eq!((f.trace_count(), f.stats().evicted), (2, 2));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn max_traces(self, n: usize) -> Self {
        self.with(|options| options.max_traces(n))
    }

    /// How often the function was called and traced, and why.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x));
    /// f.call(&scalar(1.0f32))?;
    /// f.call(&scalar(2i32))?;
    /// assert_eq!(f.stats().traces[1].cause.to_string(), "argument `a`: float32 → int32");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn stats(&self) -> Stats {
        self.state.stats()
    }

    /// How many times the body was traced.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x));
    /// f.call(&scalar(1.0f32))?;
    /// f.call(&scalar(2.0f32))?;
    /// assert_eq!(f.trace_count(), 1);
    /// f.call(&scalar(2i32))?;
    /// assert_eq!(f.trace_count(), 2);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn trace_count(&self) -> usize {
        self.state.trace_count()
    }

    /// The traces, in the order they were made.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x));
    /// f.call(&tensor![1.0f32, 2.0])?;
    /// assert_eq!(f.concrete_functions().len(), 1);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn concrete_functions(&self) -> Vec<ConcreteFunction> {
        self.state.concrete_functions()
    }

    /// The state: traces, captures, signatures.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x));
    /// f.call(&scalar(1.0f32))?;
    /// assert_eq!(f.state().signatures()[0].to_string(), "(TensorSpec([], float32),)");
    /// assert!(f.state().captures().is_empty());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn state(&self) -> &FunctionState {
        &self.state
    }
}

impl<F, M> fmt::Debug for Function<F, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.state, f)
    }
}

macro_rules! closures {
    ($($(#[$many:meta])? ($($t:ident $x:ident $s:ident $i:tt),*);)*) => {
        $(impl<Fun, Out, $($t),*> IntoFunction<fn($(&$t),*) -> Out> for Fun
        where
            Fun: Fn($(&$t),*) -> Result<Out>,
            Out: Structure,
            $($t: Structure,)*
        {}

        impl<Fun, Out, $($t),*> Function<Fun, fn($(&$t),*) -> Out>
        where
            Fun: Fn($(&$t),*) -> Result<Out>,
            Out: Structure,
            $($t: Structure,)*
        {
            /// Calls the function; it uses the cached trace if arguments of these types were traced before.
            ///
            /// # Errors
            /// What the body fails with while it is traced, and what an op fails with.
            ///
            /// ```
            /// use extype::prelude::*;
            /// let f = function(|x: &Tensor, y: &Tensor| ops::add(x, y));
            /// let sum = f.call(&tensor![1.0f32, 2.0], &scalar(3.0f32))?;
            /// assert_eq!(sum.as_slice::<f32>()?, &[4.0, 5.0]);
            /// # Ok::<(), Error>(())
            /// ```
            #[track_caller]
            pub fn call(&self, $($x: &$t),*) -> Result<Out> {
                self.state.call(($($x,)*), |_bound| (self.body)($(&_bound.$i),*))
            }

            /// Calls the function, and also returns what the options ask for, such as a profile of this run.
            ///
            /// # Errors
            /// As [`call`](Self::call); `FailedPrecondition` for a profile in a trace or under a tape.
            ///
            /// ```
            /// use extype::function::RunOptions;
            /// use extype::prelude::*;
            /// let f = function(|x: &Tensor| x.exp()?.sum(..));
            /// let (y, profile) = f.run_with(&ops::zeros([3000], f32)?, RunOptions::profile())?;
            /// assert_eq!((y.item::<f32>()?, profile.steps.len()), (3000.0, 1));
            /// # Ok::<(), Error>(())
            /// ```
            #[track_caller]
            $(#[$many])?
            pub fn run_with(&self, $($x: &$t,)* options: RunOptions) -> Result<(Out, Profile)> {
                self.state.run_with(($($x,)*), options, |_bound| (self.body)($(&_bound.$i),*))
            }

            /// The trace for arguments of these types, made if there is none yet.
            ///
            /// # Errors
            /// What the body fails with while it is traced.
            ///
            /// ```
            /// use extype::prelude::*;
            /// let f = function(|x: &Tensor, y: &Tensor| x.matmul(y));
            /// let (x, y) = (TensorSpec::of::<f32>([2, 3]), TensorSpec::of::<f32>(shape![3, ?]));
            /// let f = f.concrete(&x, &y)?;
            /// assert_eq!(f.output_spec().to_string(), "TensorSpec([2, ?], float32)");
            /// # Ok::<(), Error>(())
            /// ```
            pub fn concrete(&self, $($s: &$t::Spec),*) -> Result<ConcreteFunction> {
                self.state.concrete::<($($t,)*), Result<Out>>(($($s.clone(),)*), |_args| {
                    (self.body)($(&_args.$i),*)
                })
            }
        })*
    };
}
closures! {
    (A a sa 0);
    (A a sa 0, B b sb 1);
    (A a sa 0, B b sb 1, C c sc 2);
    (A a sa 0, B b sb 1, C c sc 2, D d sd 3);
    (A a sa 0, B b sb 1, C c sc 2, D d sd 3, E e se 4);
    #[expect(clippy::too_many_arguments, reason = "those of the closure and the options")]
    (A a sa 0, B b sb 1, C c sc 2, D d sd 3, E e se 4, F f sf 5);
}

impl<Fun, Out> IntoFunction<fn() -> Out> for Fun
where
    Fun: Fn() -> Result<Out>,
    Out: Structure,
{
}

impl<Fun, Out> Function<Fun, fn() -> Out>
where
    Fun: Fn() -> Result<Out>,
    Out: Structure,
{
    /// Calls the function; it uses the cached trace if it was traced before.
    ///
    /// # Errors
    /// What the body fails with while it is traced, and what an op fails with.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(2.0f32)?;
    /// let f = function({
    ///     let v = v.clone();
    ///     move || v.read()?.square()
    /// });
    /// assert_eq!(f.call()?.item::<f32>()?, 4.0);
    /// v.assign(&scalar(3.0f32))?;
    /// assert_eq!(f.call()?.item::<f32>()?, 9.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn call(&self) -> Result<Out> {
        self.state.call((), |()| (self.body)())
    }

    /// Calls the function, and also returns what the options ask for, such as a profile of this run.
    ///
    /// # Errors
    /// As [`call`](Self::call); `FailedPrecondition` for a profile in a trace or under a tape.
    ///
    /// ```
    /// use extype::function::RunOptions;
    /// use extype::prelude::*;
    /// let f = function(|| ops::zeros([2], f32));
    /// let (zeros, profile) = f.run_with(RunOptions::default())?;
    /// assert!(zeros.shape() == shape![2] && profile.steps.is_empty());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn run_with(&self, options: RunOptions) -> Result<(Out, Profile)> {
        self.state.run_with((), options, |()| (self.body)())
    }

    /// The trace, made if there is none yet.
    ///
    /// # Errors
    /// What the body fails with while it is traced.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|| ops::zeros([2, 3], f32));
    /// assert_eq!(f.concrete()?.output_spec().to_string(), "TensorSpec([2, 3], float32)");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn concrete(&self) -> Result<ConcreteFunction> {
        self.state.concrete::<(), Result<Out>>(LiteralSpec(()), |()| (self.body)())
    }
}
