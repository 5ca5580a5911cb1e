//! The tape.

use std::cell::RefCell;
use std::panic::Location;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::backward::{Sums, TapeEntry, walk};
use super::check;
use super::gradients::Gradients;
use super::order::Order;
use crate::array::HostScalar as _;
use crate::ir::{Attrs, Forward, GraphId, OpDef};
use crate::ops::methods::*;
use crate::ops::{InputGradient, forward_of, passes_no_gradient};
use crate::spec::{AnySpec, Leaves, Structure, TypeSpec as _};
use crate::tensor::context::{self, RecorderGuard, attach, call_site_at, resolved};
use crate::tensor::{Identity, Recorder, Tensor, VariableState, call_site};
use crate::types::{DType, Result, bail};

/// The identity of a source. In a trace, a variable that was passed as an argument has the identity of its placeholder.
pub(super) fn key(t: &Tensor) -> Identity {
    match t.dtype() {
        DType::Resource => resolved(t.id()),
        _ => t.id(),
    }
}

/// True if both are the same tensor or the same resource.
pub(super) fn same(a: &Tensor, b: &Tensor) -> bool {
    key(a) == key(b)
}

#[derive(Default)]
struct Recorded {
    watched: FxHashSet<Identity>,
    kept: Vec<Tensor>,
    entries: Vec<Rc<TapeEntry>>,
    /// Gradients that the tape returned without recording them, and tensors computed from those.
    given: FxHashSet<Identity>,
    /// The depth of nested `stop_recording` closures.
    stopped: usize,
    order: Order,
}

impl Recorded {
    fn watch(&mut self, t: &Tensor) {
        self.kept.push(t.clone());
        let id = key(t);
        if self.watched.insert(id) {
            self.order.watch(id);
        }
    }

    /// Notes tensors computed from returned gradients.
    fn follow_given(&mut self, inputs: &[&Tensor], outputs: &[Tensor]) {
        if inputs.iter().any(|t| self.given.contains(&key(t))) {
            self.give(outputs);
        }
    }

    fn give(&mut self, tensors: &[Tensor]) {
        let tensors = tensors.iter().filter(|t| t.dtype().passes_gradient());
        for t in tensors {
            self.given.insert(key(t));
            self.kept.push(t.clone());
        }
    }
}

struct Tape(RefCell<Recorded>);

impl Recorder for Tape {
    fn prepare(&self, op: &'static OpDef, attrs: &Attrs, inputs: &[&Tensor]) -> Option<Forward> {
        // While the tape computes a gradient it records nothing, so no intermediates need be kept for it.
        if self.0.try_borrow_mut().map_or(true, |t| t.stopped > 0) || !self.watches(inputs) {
            return None;
        }
        // An op that can't be differentiated runs unchanged; asking for its gradient fails.
        forward_of(op, attrs)?.ok()
    }

    fn record(&self, op: &'static OpDef, attrs: &Attrs, inputs: &[&Tensor], outputs: &[Tensor]) {
        let Ok(mut tape) = self.0.try_borrow_mut() else { return };
        if tape.stopped > 0 {
            return;
        }
        if passes_no_gradient(op) {
            return;
        }
        if !tape.given.is_empty() {
            tape.follow_given(inputs, outputs);
        }
        let watched = |t: &&Tensor| tape.watched.contains(&key(t)) || is_trainable(t);
        if !inputs.iter().any(watched) {
            tape.order.note_unwatched(inputs);
            return;
        }
        tape.order.follow_argument(inputs, outputs);
        tape.watched.extend(outputs.iter().filter(|t| flows(t)).map(key));
        tape.entries.push(Rc::new(TapeEntry {
            op,
            attrs: attrs.clone(),
            inputs: inputs.iter().map(|t| (*t).clone()).collect(),
            outputs: outputs.to_vec(),
        }));
    }

    fn follows(&self, t: &Tensor) -> bool {
        self.watches(&[t])
    }

    fn lets_read(&self, t: &Tensor) -> Option<bool> {
        let tape = self.0.try_borrow().ok().filter(|tape| tape.stopped == 0)?;
        tape.order.forbids_reading(t).then_some(false)
    }
}

impl Tape {
    fn watches(&self, inputs: &[&Tensor]) -> bool {
        let tape = self.0.try_borrow();
        tape.is_ok_and(|t| inputs.iter().any(|x| t.watched.contains(&key(x)) || is_trainable(x)))
    }
}

/// True for a trainable variable, which tapes watch automatically.
pub(super) fn is_trainable(t: &Tensor) -> bool {
    match t {
        Tensor::Value(a) => a
            .as_resource()
            .is_ok_and(|r| r.as_any().downcast_ref().is_some_and(VariableState::is_trainable)),
        // The variable behind a placeholder is not known; recording too much is only wasteful.
        Tensor::Symbol(s) => s.dtype() == DType::Resource,
    }
}

/// True if a gradient can pass through the tensor.
pub(super) fn flows(t: &Tensor) -> bool {
    flows_as(t.dtype())
}

pub(super) fn flows_as(dtype: DType) -> bool {
    dtype.passes_gradient() || dtype == DType::Resource
}

/// Records ops from its creation until it is dropped, to compute gradients from them.
///
/// It watches trainable variables, and the tensors given to [`watch`](Self::watch). A tape records the ops
/// of the trace it was made in. Outside a traced function it records the call; inside, the ops of the body.
/// Around a loop in a traced function it records the loop; inside the loop body, one iteration. Ops in the arms of a
/// conditional are recorded too. Tapes can be nested for gradients of higher order.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![1.0f32, 2.0];
/// let tape = GradientTape::new();
/// let (y, g) = tape.value_and_gradient(&x, || x.square()?.reduce_sum(.., false))?;
/// assert_eq!(g.wrt(&x)?.unwrap().as_slice::<f32>()?, &[2.0, 4.0]);
/// # Ok::<(), Error>(())
/// ```
///
/// A tape can't be used after the end of the trace it was made in.
pub struct GradientTape {
    tape: Rc<Tape>,
    attached: Option<RecorderGuard>,
    /// The trace it was made in.
    trace: Option<GraphId>,
    /// True if it also records the ops that compute its gradients.
    persistent: bool,
}

impl Default for GradientTape {
    fn default() -> Self {
        Self::new()
    }
}

impl GradientTape {
    /// Starts recording.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(scalar(3.0f32))?;
    /// let tape = GradientTape::new();
    /// let y = v.read()?.square()?;
    /// assert_eq!(tape.gradient(&y, &v)?.of(&v)?.unwrap().item::<f32>()?, 6.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new() -> Self {
        let tape = Rc::new(Tape(RefCell::default()));
        let trace = context::open_graphs().last().copied();
        Self { attached: Some(attach(tape.clone())), tape, trace, persistent: false }
    }

    /// Starts recording, including the computation of the gradients that the tape itself returns. These can then be
    /// differentiated by the same tape. Recording them costs time and memory; a nested tape, or [`grad`] of [`grad`], is
    /// cheaper.
    ///
    /// TensorFlow: `tf.GradientTape(persistent=True)`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = scalar(3.0f32);
    /// let tape = GradientTape::persistent();
    /// tape.watch(&x);
    /// let y = ops::mul(&x.square()?, &x)?;
    /// let slope = tape.gradient(&y, &x)?.leaf(0)?.unwrap().clone();
    /// assert_eq!(slope.item::<f32>()?, 27.0);
    /// assert_eq!(tape.gradient(&slope, &x)?.leaf(0)?.unwrap().item::<f32>()?, 18.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn persistent() -> Self {
        Self { persistent: true, ..Self::new() }
    }

    /// The tape for the derivative of a function with respect to its argument. Values computed from the argument are not
    /// constants, so reading them is refused.
    pub(crate) fn of_argument(x: &impl Structure) -> Self {
        let tape = Self::new();
        tape.tape.0.borrow_mut().order = Order::of_argument();
        tape.watch(x);
        tape
    }

    /// Stops recording; recorded ops stay.
    pub(crate) fn finish(&mut self) {
        self.attached = None;
    }

    /// Runs `f` without recording it on this tape, so its results are constants for this tape. Other tapes record it.
    ///
    /// This saves the memory of intermediates for ops that need no gradient, such as metrics or an optimizer
    /// step. The tape records again afterwards, even if `f` fails or panics.
    ///
    /// TensorFlow: `tf.GradientTape.stop_recording`.
    ///
    /// # Errors
    /// What `f` fails with.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = scalar(3.0f32);
    /// let tape = GradientTape::new();
    /// tape.watch(&x);
    /// let scale = tape.stop_recording(|| x.square())?;
    /// let y = ops::mul(&x, &scale)?;
    /// assert_eq!(tape.gradient(&y, &x)?.leaf(0)?.unwrap().item::<f32>()?, 9.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn stop_recording<R>(&self, f: impl FnOnce() -> Result<R>) -> Result<R> {
        struct Restore<'a>(&'a Tape);
        impl Drop for Restore<'_> {
            fn drop(&mut self) {
                self.0.0.borrow_mut().stopped -= 1;
            }
        }
        self.tape.0.borrow_mut().stopped += 1;
        let _restore = Restore(&self.tape);
        f()
    }

    /// Watches every tensor of a structure. Call it before ops use the tensors: ops that ran earlier are missing in the
    /// gradient, so asking for the gradient of a tensor that was used first and watched later is an error.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = scalar(3.0f32);
    /// let tape = GradientTape::new();
    /// tape.watch(&x);
    /// let y = x.square()?;
    /// assert_eq!(tape.gradient(&y, &x)?.wrt(&x)?.unwrap().item::<f32>()?, 6.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn watch<S: Structure>(&self, source: &S) {
        let mut leaves = Leaves::new();
        source.leaves(&mut leaves);
        let mut tape = self.tape.0.borrow_mut();
        for t in leaves.into_iter().filter(|t| flows(t)) {
            tape.watch(t);
        }
    }

    /// Watches `sources`, runs `f`, and returns its result with the gradient of the sum of all
    /// elements of the result.
    ///
    /// # Errors
    /// What `f` fails with; as [`gradient`](Self::gradient).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1.0f32, 2.0];
    /// let (y, g) = GradientTape::new().value_and_gradient(&x, || x.square()?.reduce_sum(.., false))?;
    /// assert_eq!(y.item::<f32>()?, 5.0);
    /// assert_eq!(g.into_structure()?.as_slice::<f32>()?, &[2.0, 4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn value_and_gradient<S: Structure, R: Structure>(
        &self,
        sources: &S,
        f: impl FnOnce() -> Result<R>,
    ) -> Result<(R, Gradients<S>)> {
        self.watch(sources);
        let value = f()?;
        let gradients = self.gradient(&value, sources)?;
        Ok((value, gradients))
    }

    /// The gradient of the sum of all elements of `target` with respect to `sources`. Tensors of the
    /// target that can't be differentiated, such as counts, are ignored.
    ///
    /// # Errors
    /// `InvalidArgument` if no tensor of the target can be differentiated, for a source that is an integer tensor outside of
    /// extension types, and for a source that the tape never watched. `FailedPrecondition` for a source that an op used
    /// before the tape watched it, and after the end of the trace that the tape was made in. `Unimplemented` if an op between source
    /// and target has no gradient.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1.0f32, 2.0];
    /// let tape = GradientTape::new();
    /// tape.watch(&x);
    /// let y = ops::mul(&x.square()?, &x)?;
    /// assert_eq!(tape.gradient(&y, &x)?.into_structure()?.as_slice::<f32>()?, &[3.0, 12.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn gradient<T: Structure, S: Structure>(
        &self,
        target: &T,
        sources: &S,
    ) -> Result<Gradients<S>> {
        let _site = call_site();
        self.check_open()?;
        let mut leaves = Leaves::new();
        target.leaves(&mut leaves);
        check::target(target, &leaves)?;
        let ones = |t: &&Tensor| t.dtype().is_differentiable().then(|| ones(t)).transpose();
        let cotangents = leaves.iter().map(ones).collect::<Result<_>>()?;
        self.gradient_with(target, sources, cotangents)
    }

    /// The gradient of `sum(target * cotangents)` with respect to `sources`; one cotangent for
    /// each tensor of the target, `None` for none.
    ///
    /// # Errors
    /// As [`gradient`](Self::gradient); `InvalidArgument` for another number of cotangents, and for one of
    /// another dtype or shape than its tensor.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1.0f32, 2.0];
    /// let tape = GradientTape::new();
    /// tape.watch(&x);
    /// let y = x.square()?;
    /// let g = tape.gradient_with(&y, &x, vec![Some(tensor![10.0f32, 1.0])])?;
    /// assert_eq!(g.into_structure()?.as_slice::<f32>()?, &[20.0, 4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn gradient_with<T: Structure, S: Structure>(
        &self,
        target: &T,
        sources: &S,
        cotangents: Vec<Option<Tensor>>,
    ) -> Result<Gradients<S>> {
        let _site = call_site();
        let mut targets = Leaves::new();
        target.leaves(&mut targets);
        check::cotangents(target, &targets, &cotangents)?;
        let mut leaves = Leaves::new();
        sources.leaves(&mut leaves);
        sources.check_fields()?;
        check::sources(sources, &leaves, |t| self.tape.watches(&[t]))?;
        let leaves = leaves.into_iter().cloned().collect();
        self.gradient_of(&targets, cotangents, sources.type_spec(), leaves)
    }

    /// Refuses a tape whose trace is over.
    fn check_open(&self) -> Result<()> {
        if self.trace.is_some_and(|graph| !context::is_open(graph)) {
            bail!(
                FailedPrecondition,
                "the tape is used after the trace that it was made in: what it recorded there has no values; \
                 ask it for gradients in that function, or make it outside and call the function"
            );
        }
        Ok(())
    }

    /// Refuses targets inside a function or loop body that was opened after the tape was made: the tape did not record there.
    fn check_level(&self, targets: &[&Tensor]) -> Result<()> {
        let open = context::open_graphs();
        let place = |graph: GraphId| open.iter().position(|g| *g == graph);
        let own = self.trace.map_or(0, |graph| place(graph).map_or(0, |at| at + 1));
        // A tape around a conditional also records the ops in its arms.
        let unseen = |at: usize| open[own..=at].iter().any(|g| !context::is_arm(*g));
        let within = |t: &&Tensor| match t.id() {
            Identity::Symbol(graph, _) => place(graph).is_some_and(|at| at >= own && unseen(at)),
            _ => false,
        };
        if targets.iter().any(within) {
            bail!(
                FailedPrecondition,
                "the target is of the body of a loop or of a function, which the tape does not see, since it was made \
                 around it: make a tape within, or ask outside"
            );
        }
        Ok(())
    }

    /// [`gradient_with`](Self::gradient_with) for tensors that are already checked.
    pub(crate) fn gradient_of<S: Structure>(
        &self,
        targets: &[&Tensor],
        cotangents: Vec<Option<Tensor>>,
        spec: S::Spec,
        sources: Vec<Tensor>,
    ) -> Result<Gradients<S>> {
        self.check_open()?;
        self.check_level(targets)?;
        self.tape.0.borrow().order.check_sources(&sources)?;
        let mut sums = Sums::default();
        for (t, c) in targets.iter().zip(cotangents) {
            if let Some(c) = c {
                sums.add(key(t), c.into());
            }
        }
        if targets.iter().any(|t| self.tape.0.borrow().given.contains(&key(t))) {
            bail!(
                FailedPrecondition,
                "the target depends on a gradient that this tape gave, which it did not record: for a derivative of \
                 second order make it with `GradientTape::persistent()`, or take the first one with a tape within \
                 this one; if it is to be a constant, use its `stop_gradient()`"
            );
        }
        self.backward(&mut sums, &sources)?;
        let frozen = frozen(&spec.to_any(), &sources);
        // A source that was not watched has no gradient, even if cotangents were summed up for it.
        let watched = |s: &Tensor, frozen: bool| match frozen {
            true => self.tape.0.borrow().watched.contains(&key(s)),
            false => self.tape.watches(&[s]),
        };
        let gradient = |(i, s)| match watched(s, frozen.contains(&i)) {
            true => sums.get(key(s)),
            false => Ok(None),
        };
        let gradients: Vec<Option<InputGradient>> =
            sources.iter().enumerate().map(gradient).collect::<Result<_>>()?;
        if !self.persistent && self.attached.is_some() {
            let mut tape = self.tape.0.borrow_mut();
            for g in gradients.iter().flatten() {
                match g {
                    InputGradient::Dense(g) => tape.give(std::slice::from_ref(g)),
                    InputGradient::Slices(g) => tape.give(std::slice::from_ref(g.values())),
                }
            }
        }
        Ok(Gradients::new(spec, sources, gradients))
    }

    /// Walks the tape backwards and sums up the cotangents.
    fn backward(&self, sums: &mut Sums, sources: &[Tensor]) -> Result<()> {
        let kept: FxHashSet<Identity> = sources.iter().map(key).collect();
        if self.persistent {
            // Gradient rules append entries to the tape, so walk a copy of the entries that exist now.
            let entries = self.tape.0.borrow().entries.clone();
            return walk(&entries, sums, &kept);
        }
        // This tape stays borrowed, so it does not record the ops of gradient rules; outer tapes do.
        walk(&self.tape.0.borrow().entries, sums, &kept)
    }
}

/// The indices of the variables among the leaves that are not trainable; for a placeholder only the spec knows that.
fn frozen(spec: &AnySpec, leaves: &[Tensor]) -> Vec<usize> {
    if !leaves.iter().any(|t| t.dtype() == DType::Resource && t.is_symbolic()) {
        return Vec::new();
    }
    let is_frozen = |spec: &AnySpec| matches!(spec, AnySpec::Variable(v) if !v.trainable);
    let all = spec.leaves().into_iter().enumerate();
    all.filter(|(_, spec)| is_frozen(spec)).map(|(i, _)| i).collect()
}

/// The cotangent of a tensor whose elements are summed: ones. For a scalar it is a constant, so programs can compute with it.
fn ones(t: &Tensor) -> Result<Tensor> {
    match t.shape().rank() {
        Some(0) => 1i64.to_scalar().to_array(t.dtype()).map(Tensor::Value),
        _ => t.ones_like(),
    }
}

/// A function that computes the gradient of the sum of all elements of `f`'s result.
///
/// # Errors
/// The returned closure fails with what `f` fails with, and as [`GradientTape::gradient`]: for integer tensors,
/// and ops without a gradient. `FailedPrecondition` if `f` reads a value computed from its argument (`item`, `to_vec`):
/// the gradient would treat it as a constant. Use `y.stop_gradient()?.item()` if that is wanted. Tensors that the result
/// does not depend on get zeros.
///
/// ```
/// use extype::prelude::*;
/// let cube = |x: &Tensor| x * x * x;
/// let d2 = grad(grad(move |x: &Tensor| Ok(cube(x))));
/// assert_eq!(d2(&scalar(2.0f32))?.item::<f32>()?, 12.0);
/// # fn cube_of(x: &Tensor) -> Tensor { x * x * x }
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn grad<S: Structure, R: Structure>(f: impl Fn(&S) -> Result<R>) -> impl Fn(&S) -> Result<S> {
    let both = value_and_grad(f);
    move |x: &S| both(x).map(|(_, g)| g)
}

/// The function that computes the value of `f` and its gradient.
///
/// # Errors
/// As [`grad`].
///
/// ```
/// use extype::prelude::*;
/// let f = value_and_grad(|x: &Tensor| ops::mul(x, x)?.reduce_sum(.., false));
/// let (y, dx) = f(&tensor![1.0f32, 3.0])?;
/// assert_eq!(y.item::<f32>()?, 10.0);
/// assert_eq!(dx.as_slice::<f32>()?, &[2.0, 6.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn value_and_grad<S: Structure, R: Structure>(
    f: impl Fn(&S) -> Result<R>,
) -> impl Fn(&S) -> Result<(R, S)> {
    let here = Some(Location::caller());
    move |x: &S| {
        let site = call_site_at(here);
        let x = &check::apart(x)?;
        let mut tape = GradientTape::of_argument(x);
        // Errors inside `f` have their own locations.
        drop(site);
        let value = f(x)?;
        tape.finish();
        let _site = call_site_at(here);
        let gradients = tape.gradient(&value, x)?.into_structure()?;
        Ok((value, gradients))
    }
}
