//! Loops whose test and body are closures.

use smallvec::SmallVec;

use super::arm::{condition, here};
use super::looped::{Looped, Options};
use super::state::{Site, changed};
use crate::ir::{decision, in_iteration};
use crate::ops::whole_numbers;
use crate::spec::{Structure, TypeSpec};
use crate::tensor::{Tensor, TensorLike, is_tracing};
use crate::types::{DType, Error, Result, bail, err};

/// Runs `body` on `vars` while `test` returns true, and returns the final `vars`.
///
/// Eagerly this is a plain Rust loop. In a traced function test and body are traced once, and the loop is one op
/// of the graph. Each tensor then keeps its dtype and rank in all iterations, unless [`WhileLoop::invariants`] allows
/// more, and plain data stays the same. If the body changes a size, that size is unknown in the loop and after it;
/// then test and body are traced again. Tensors that the closures capture are the same in all iterations. Variables
/// are captured by reference, and variables in `vars` must stay the same ones.
///
/// The test returns a bool tensor with one element, of any rank.
///
/// TensorFlow: `tf.while_loop`.
///
/// # Errors
/// `InvalidArgument` for another test, and if a part of `vars` changes its type in an iteration (the message names
/// the part); what the closures fail with.
///
/// ```
/// use extype::prelude::*;
/// let f = function(|n: &Tensor| {
///     let start = (scalar(0i32), scalar(1.0f32));
///     let (_, x) = while_loop(start, |(i, _)| i.less(n), |(i, x)| Ok((i + 1, x * 2.0)))?;
///     Ok(x)
/// });
/// assert_eq!(f.call(&scalar(5i32))?.item::<f32>()?, 32.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn while_loop<S: Structure>(
    vars: S,
    test: impl FnMut(&S) -> Result<Tensor>,
    body: impl FnMut(S) -> Result<S>,
) -> Result<S> {
    WhileLoop::new(vars).run(test, body)
}

/// A [`while_loop`] with options.
///
/// ```
/// use extype::control::WhileLoop;
/// use extype::prelude::*;
/// let f = function(|x: &Tensor| {
///     let grows = TensorSpec::new(shape![?], DType::F32);
///     WhileLoop::new(x.clone())
///         .invariants(grows)
///         .maximum_iterations(3)
///         .run(|_| Ok(scalar(true)), |x| ops::concat(&[&x, &x], 0))
/// });
/// assert_eq!(f.call(&tensor![1.0f32, 2.0])?.shape(), shape![16]);
/// # Ok::<(), Error>(())
/// ```
#[must_use = "a loop runs when `run` is called"]
pub struct WhileLoop<S: Structure> {
    site: Site,
    vars: S,
    options: Options<S>,
    /// The error of the first invalid option.
    wrong: Option<Error>,
}

impl<S: Structure> std::fmt::Debug for WhileLoop<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.site, self.vars.type_spec().to_any())
    }
}

impl<S: Structure> WhileLoop<S> {
    /// A loop with this initial state.
    ///
    /// ```
    /// use extype::control::WhileLoop;
    /// use extype::prelude::*;
    /// let x = WhileLoop::new(scalar(1.0f32)).run(|x| x.less(100.0), |x| ops::mul(&x, 3.0))?;
    /// assert_eq!(x.item::<f32>()?, 243.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn new(vars: S) -> Self {
        Self { site: here("while_loop"), vars, options: Options::default(), wrong: None }
    }

    /// Sets the spec of the state in every iteration: the body gets it, and may return any value that fits it. Without it
    /// the spec is that of the initial state, with the sizes that the body changes unknown.
    ///
    /// It is not used outside of traces.
    ///
    /// ```
    /// use extype::control::WhileLoop;
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| {
    ///     let any = TensorSpec::of::<f32>(shape![?]);
    ///     let short = |x: &Tensor| ops::less(ops::size(x)?, 5);
    ///     WhileLoop::new(x.clone()).invariants(any).run(short, |x| ops::concat(&[&x, &x], 0))
    /// });
    /// assert_eq!(f.call(&tensor![1.0f32, 2.0])?.shape(), shape![8]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn invariants(mut self, spec: S::Spec) -> Self {
        self.options.invariants = Some(spec);
        self.options.settled = true;
        self
    }

    /// Ends the loop after at most `n` iterations; `n` is a number or an integer tensor.
    ///
    /// ```
    /// use extype::control::WhileLoop;
    /// use extype::prelude::*;
    /// let doubled = |n: i64| {
    ///     let steps = WhileLoop::new(scalar(1.0f32)).maximum_iterations(n);
    ///     steps.run(|x| x.less(100.0), |x| ops::mul(&x, 2.0))?.item::<f32>()
    /// };
    /// assert_eq!((doubled(3)?, doubled(30)?), (8.0, 128.0));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn maximum_iterations(mut self, n: impl TensorLike) -> Self {
        match n.to_tensor() {
            Ok(n) => self.options.maximum = Some(n),
            Err(e) => self.wrong = self.wrong.or(Some(e)),
        }
        self
    }

    /// How many independent iterations may run at a time; the default is 10. This crate runs one iteration at a time; the
    /// number is only written into graphs.
    ///
    /// ```
    /// use extype::control::WhileLoop;
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| {
    ///     let steps = WhileLoop::new(x.clone()).parallel_iterations(1);
    ///     steps.run(|x| x.less(100.0), |x| ops::mul(&x, 2.0))
    /// });
    /// let traced = f.concrete(&TensorSpec::of::<f32>([]))?;
    /// assert!(traced.graph().to_string().contains("parallel_iterations: 1"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn parallel_iterations(mut self, n: i64) -> Self {
        if n < 1 && self.wrong.is_none() {
            self.wrong = Some(err!("{n} iterations at a time; at least 1 must run"));
        }
        self.options.parallel = n;
        self
    }

    /// Runs the loop; in a trace it adds the loop op.
    ///
    /// # Errors
    /// As [`while_loop`], and `InvalidArgument` for invalid options.
    ///
    /// ```
    /// use extype::control::WhileLoop;
    /// use extype::prelude::*;
    /// // The powers of two that are less than 50, added up.
    /// let start = (scalar(1i64), scalar(0i64));
    /// let step = |(x, sum): (Tensor, Tensor)| Ok((ops::mul(&x, 2)?, ops::add(&sum, &x)?));
    /// let (_, sum) = WhileLoop::new(start).run(|(x, _)| x.less(50), step)?;
    /// assert_eq!(sum.item::<i64>()?, 63);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn run(
        self,
        test: impl FnMut(&S) -> Result<Tensor>,
        body: impl FnMut(S) -> Result<S>,
    ) -> Result<S> {
        let site = self.site;
        if let Some(e) = self.wrong {
            return Err(site.locate(e));
        }
        match is_tracing() {
            true => site.located(traced(site, self.vars, self.options, test, body)),
            false => eager(site, self.vars, self.options, test, body),
        }
    }
}

#[track_caller]
fn traced<S: Structure>(
    site: Site,
    vars: S,
    options: Options<S>,
    mut test: impl FnMut(&S) -> Result<Tensor>,
    mut body: impl FnMut(S) -> Result<S>,
) -> Result<S> {
    let looped = Looped::new(site, vars, options)?;
    let last = looped.trace(
        |vars| test(vars).map_err(|e| e.in_context(format!("the test of {site}"))),
        |vars| {
            let next = body(vars).map_err(|e| e.in_context(format!("the body of {site}")))?;
            Ok(Some((next, Vec::new())))
        },
    )?;
    last.map(|(state, _)| state).ok_or_else(|| Error::internal("a loop was given up"))
}

/// The elements of a tensor of any integer dtype.
fn integers(n: &Tensor) -> Result<SmallVec<[i64; 4]>> {
    if !n.dtype().is_integer() {
        bail!("the number of iterations is {}, not an integer", n.dtype());
    }
    whole_numbers(n, DType::I64)?.data()?.to_i64s()
}

fn eager<S: Structure>(
    site: Site,
    mut vars: S,
    options: Options<S>,
    mut test: impl FnMut(&S) -> Result<Tensor>,
    mut body: impl FnMut(S) -> Result<S>,
) -> Result<S> {
    let most = match options.maximum {
        None => u64::MAX,
        Some(n) => match site.located(integers(&n))?[..] {
            [n] => u64::try_from(n).unwrap_or(0),
            _ => {
                let e = err!("the number of iterations is {}, not one integer", n.tensor_type());
                return Err(site.locate(e));
            }
        },
    };
    site.located(vars.check_fields())?;
    let first = vars.type_spec();
    let within =
        |e: Error, what: &str, i: u64| in_iteration(e, what, i).in_context(site.to_string());
    for i in 0..most {
        let goes_on = test(&vars).and_then(|t| condition(&site, &t)?.data().and_then(decision));
        if !goes_on.map_err(|e| within(e, "the test of iteration", i))? {
            break;
        }
        vars = body(vars).map_err(|e| within(e, "iteration", i))?;
        if !vars.has_spec(&first, &mut crate::spec::SpecContext::new()) {
            let (before, now) = (first.to_any(), vars.type_spec().to_any());
            if before.joined(&now)?.is_none() {
                return Err(site.locate(changed(&site, &before, &now, "after an iteration")));
            }
        }
    }
    Ok(vars)
}
