//! Bodies traced for ops that have functions as attributes: branches, loops.

use std::marker::PhantomData;
use std::sync::Arc;

use super::tracing::{Traced, Tracing, flat, taken, trace};
use crate::ir::{Endpoint, FunctionGraph, LibraryFunction};
use crate::spec::{LeafIter, Structure, TypeSpec};
use crate::tensor::{Capture, Tensor};
use crate::types::{Result, TensorType};

/// A traced body that no op calls yet: a branch, the test or the step of a loop.
///
/// Its captures are the tensors and variables that the body used from outside. All bodies of one op must take the same
/// captures, so they are united ([`unite_captures`]) before functions are made of the bodies.
pub struct Body<R: Structure> {
    traced: Traced,
    result: PhantomData<fn() -> R>,
}

/// Traces a body that takes a structure of this spec.
///
/// # Errors
/// What the body fails with, including a panic.
///
/// ```
/// use extype::function::{call, trace_body};
/// use extype::prelude::*;
/// let y = tensor![1.0f32, 2.0];
/// let spec = TensorSpec::of::<f32>([2]);
/// let body = trace_body("plus", &spec, |x: Tensor| ops::add(&x, &y))?;
/// let captures = body.captures()?;
/// assert_eq!(captures[0].id(), y.id());
/// let f = body.into_function(&captures)?;
/// let sum = call(&f, &[&tensor![3.0f32, 4.0], &y])?;
/// assert_eq!(sum[0].as_slice::<f32>()?, &[4.0, 6.0]);
/// # Ok::<(), Error>(())
/// ```
pub fn trace_body<A: Structure, R: Structure>(
    name: &str,
    argument: &A::Spec,
    body: impl FnOnce(A) -> Result<R>,
) -> Result<Body<R>> {
    let specs = [argument.to_any()];
    let mut body = Some(body);
    let run = &mut |leaves: &mut _| flat(taken(&mut body)?(A::from_leaves(argument, leaves)?)?);
    Ok(Body { traced: trace(name, &["x"], &specs, &[], run)?, result: PhantomData })
}

impl Tracing {
    /// Opens a trace of a body that takes a structure of this spec, and returns it with a structure of
    /// placeholders.
    ///
    /// The code between `open` and [`close`](Self::close) is not a closure: it can return, break, and move outer
    /// variables. If it is left without `close`, the trace is discarded.
    ///
    /// # Errors
    /// `ResourceExhausted` if too many traces are open within each other.
    ///
    /// ```
    /// use extype::function::{Tracing, call};
    /// use extype::prelude::*;
    /// let (tracing, x) = Tracing::open::<Tensor>("double", &TensorSpec::of::<f32>([2]))?;
    /// let double = tracing.close(ops::add(&x, &x)?)?.into_function(&[])?;
    /// let y = call(&double, &[&tensor![3.0f32, 4.0]])?;
    /// assert_eq!(y[0].as_slice::<f32>()?, &[6.0, 8.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn open<A: Structure>(name: &str, argument: &A::Spec) -> Result<(Self, A)> {
        let tracing = Self::start(name, &["x"], &[argument.to_any()], &[])?;
        let argument = A::from_leaves(argument, &mut LeafIter::new(tracing.leaves().to_vec()))?;
        Ok((tracing, argument))
    }

    /// Closes the trace with the result of the body.
    ///
    /// # Errors
    /// `InvalidArgument` if the result holds a tensor of a trace that is not open.
    ///
    /// ```
    /// use extype::function::Tracing;
    /// use extype::prelude::*;
    /// let factor = scalar(3.0f32);
    /// let (tracing, x) = Tracing::open::<Tensor>("scaled", &TensorSpec::of::<f32>([2]))?;
    /// let body = tracing.close(ops::mul(&x, &factor)?)?;
    /// assert_eq!(body.captures()?[0].id(), factor.id());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn close<R: Structure>(self, result: R) -> Result<Body<R>> {
        Ok(Body { traced: self.finish(flat(result)?, &[])?, result: PhantomData })
    }
}

/// The union of the captures of several bodies, in the order of first use.
///
/// ```
/// use extype::function::unite_captures;
/// use extype::prelude::*;
/// let (a, b) = (scalar(1.0f32), scalar(2.0f32));
/// let all = unite_captures([vec![a.clone(), b.clone()], vec![b.clone(), a]]);
/// assert_eq!(all.len(), 2);
/// assert_eq!(all[1].id(), b.id());
/// ```
pub fn unite_captures(lists: impl IntoIterator<Item = Vec<Tensor>>) -> Vec<Tensor> {
    let mut all: Vec<Tensor> = Vec::new();
    for capture in lists.into_iter().flatten() {
        if all.iter().all(|known| known.id() != capture.id()) {
            all.push(capture);
        }
    }
    all
}

impl<R: Structure> Body<R> {
    /// The captures of the body, in the order of first use.
    ///
    /// # Errors
    /// `FailedPrecondition` if a captured variable no longer exists.
    ///
    /// ```
    /// use extype::function::trace_body;
    /// use extype::prelude::*;
    /// let (a, b) = (scalar(1.0f32), scalar(2.0f32));
    /// let body =
    ///     trace_body("line", &TensorSpec::of::<f32>([]), |x: Tensor| ops::add(&ops::mul(&x, &b)?, &a))?;
    /// let captures = body.captures()?;
    /// assert_eq!((captures.len(), captures[0].id()), (2, b.id()));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn captures(&self) -> Result<Vec<Tensor>> {
        self.traced.captures.iter().map(Capture::get).collect()
    }

    /// The spec of the result.
    ///
    /// ```
    /// use extype::function::trace_body;
    /// use extype::prelude::*;
    /// let twice = |x: Tensor| Ok(vec![x.clone(), ops::neg(&x)?]);
    /// let body = trace_body("twice", &TensorSpec::of::<f32>([2]), twice)?;
    /// assert_eq!(body.output_spec(), &vec![TensorSpec::of::<f32>([2]); 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn output_spec(&self) -> &R::Spec {
        let typed = self.traced.output.typed.downcast_ref();
        typed.unwrap_or_else(|| unreachable!("a body has the type of its result"))
    }

    /// The types of the result's leaves.
    ///
    /// ```
    /// use extype::function::trace_body;
    /// use extype::prelude::*;
    /// let body = trace_body("large", &TensorSpec::of::<f32>([2]), |x: Tensor| x.greater(1.0))?;
    /// assert_eq!(body.output_types()[0].to_string(), "bool[2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn output_types(&self) -> Vec<TensorType> {
        self.traced.graph.output_types()
    }

    /// A function that takes the leaves of the argument and then these captures. The body need not use all of them.
    ///
    /// # Errors
    /// `InvalidArgument` if a capture of the body is not among them.
    ///
    /// ```
    /// use extype::function::{call, trace_body};
    /// use extype::prelude::*;
    /// let factor = scalar(3.0f32);
    /// let spec = TensorSpec::of::<f32>([]);
    /// let trace = || trace_body("scaled", &spec, |x: Tensor| ops::mul(&x, &factor));
    /// let f = trace()?.into_function(&[factor.clone()])?;
    /// assert_eq!(call(&f, &[&scalar(2.0f32), &scalar(5.0f32)])?[0].item::<f32>()?, 10.0);
    /// assert!(trace()?.into_function(&[]).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn into_function(self, captures: &[Tensor]) -> Result<Arc<LibraryFunction>> {
        self.graph(captures).map(FunctionGraph::into_function)
    }

    /// Like [`into_function`](Self::into_function), but also returns the captures, after the first `state` results. The body
    /// of a loop has this form: its captures are passed from one iteration to the next.
    ///
    /// # Errors
    /// As [`into_function`](Self::into_function).
    ///
    /// ```
    /// use extype::function::{call, trace_body};
    /// use extype::prelude::*;
    /// let factor = scalar(3.0f32);
    /// let spec = TensorSpec::of::<f32>([]);
    /// let body = trace_body("scaled", &spec, |x: Tensor| ops::mul(&x, &factor))?;
    /// let step = body.into_step(&[factor.clone()], 1)?;
    /// let next = call(&step, &[&scalar(2.0f32), &factor])?;
    /// assert_eq!((next[0].item::<f32>()?, next[1].item::<f32>()?), (6.0, 3.0));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn into_step(self, captures: &[Tensor], state: usize) -> Result<Arc<LibraryFunction>> {
        let mut graph = self.graph(captures)?;
        let kept = graph.outputs.split_off(state.min(graph.outputs.len()));
        let captured = graph.inputs[graph.inputs.len() - captures.len()..].iter();
        graph.outputs.extend(captured.map(|node| Endpoint { node: *node, output: 0 }));
        graph.outputs.extend(kept);
        Ok(graph.into_function())
    }

    /// The graph, with a placeholder for each of these captures.
    pub(crate) fn graph(self, captures: &[Tensor]) -> Result<FunctionGraph> {
        let Traced { mut graph, captures: own, .. } = self.traced;
        let own: Vec<Tensor> = own.iter().map(Capture::get).collect::<Result<_>>()?;
        let placeholders = graph.inputs.split_off(graph.num_arguments);
        if let Some(missing) = own.iter().find(|c| captures.iter().all(|k| k.id() != c.id())) {
            crate::types::bail!("the body of `{}` uses {missing:?} too", graph.name);
        }
        for capture in captures {
            let known = own.iter().position(|c| c.id() == capture.id());
            let placeholder = match known {
                Some(i) => placeholders[i],
                None => graph.graph.add_placeholder(capture.tensor_type(), None),
            };
            graph.inputs.push(placeholder);
        }
        Ok(graph)
    }
}
