//! The tape.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::check;
use super::gradients::Gradients;
use crate::array::HostScalar as _;
use crate::graph::{Endpoint, FunctionGraph, GraphId, NodeId};
use crate::op::{Attrs, Forward, OpDef};
use crate::ops::methods::*;
use crate::ops::{
    self, Gradient, IndexedSlices, InputGradient, InputGradients, forward_of, gradient_rule,
    hands_on, is_empty, passes_no_gradient,
};
use crate::spec::{AnySpec, Leaves, Structure, TypeSpec as _};
use crate::tensor::context::{self, RecorderGuard, attach, resolved};
use crate::tensor::{Identity, Recorder, Tensor, VariableState};
use crate::types::{DType, Error, Result, bail, err};

/// What tells a source from every other: a variable that was passed to the trace is its placeholder.
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

struct Entry {
    op: &'static OpDef,
    attrs: Attrs,
    /// Kept alive, so that identities stay unique while the tape lives.
    inputs: Vec<Tensor>,
    outputs: Vec<Tensor>,
}

#[derive(Default)]
struct Recorded {
    watched: FxHashSet<Identity>,
    kept: Vec<Tensor>,
    entries: Vec<Rc<Entry>>,
    /// The gradients that were given and not recorded, and what was computed of them.
    given: FxHashSet<Identity>,
    /// How many closures of `stop_recording` run, one within the other.
    stopped: usize,
}

impl Recorded {
    /// Notes what is computed of gradients that were given.
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
        // While the tape is read, for a gradient, it records nothing, and nothing must be kept for it.
        if self.0.try_borrow_mut().map_or(true, |t| t.stopped > 0) || !self.watches(inputs) {
            return None;
        }
        // What can't be differentiated runs as it is; asking for its gradient fails.
        forward_of(op, attrs)?.ok()
    }

    fn record(&self, op: &'static OpDef, attrs: &Attrs, inputs: &[&Tensor], outputs: &[Tensor]) {
        let Ok(mut tape) = self.0.try_borrow_mut() else { return };
        if tape.stopped > 0 {
            return;
        }
        if !tape.given.is_empty() && !passes_no_gradient(op) {
            tape.follow_given(inputs, outputs);
        }
        let watched = |t: &&Tensor| tape.watched.contains(&key(t)) || is_trainable(t);
        if !inputs.iter().any(watched) || passes_no_gradient(op) {
            return;
        }
        tape.watched.extend(outputs.iter().filter(|t| flows(t)).map(key));
        tape.entries.push(Rc::new(Entry {
            op,
            attrs: attrs.clone(),
            inputs: inputs.iter().map(|t| (*t).clone()).collect(),
            outputs: outputs.to_vec(),
        }));
    }

    fn follows(&self, t: &Tensor) -> bool {
        self.watches(&[t])
    }
}

impl Tape {
    fn watches(&self, inputs: &[&Tensor]) -> bool {
        let tape = self.0.try_borrow();
        tape.is_ok_and(|t| inputs.iter().any(|x| t.watched.contains(&key(x)) || is_trainable(x)))
    }
}

/// Trainable variables are watched by themselves.
pub(super) fn is_trainable(t: &Tensor) -> bool {
    match t {
        Tensor::Value(a) => a
            .as_resource()
            .is_ok_and(|r| r.as_any().downcast_ref().is_some_and(VariableState::is_trainable)),
        // What a placeholder stands for is not known; recording too much is only wasteful.
        Tensor::Symbol(s) => s.dtype() == DType::Resource,
    }
}

/// True if a gradient can pass the tensor.
pub(super) fn flows(t: &Tensor) -> bool {
    flows_as(t.dtype())
}

fn flows_as(dtype: DType) -> bool {
    dtype.passes_gradient() || dtype == DType::Resource
}

/// Records ops from its creation until it is dropped, to compute gradients from them.
///
/// Watched are variables, and the tensors given to [`watch`](Self::watch). A tape sees the ops
/// of its own level: opened outside a traced function it sees the call, opened inside it sees the
/// body. Tapes nest, for gradients of higher order.
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
/// A tape belongs to the function whose trace it was made in: what it recorded is gone when that ends.
pub struct GradientTape {
    tape: Rc<Tape>,
    attached: Option<RecorderGuard>,
    /// The trace that it was made in.
    trace: Option<GraphId>,
    /// True if it records the gradients that it gives.
    persistent: bool,
}

impl Default for GradientTape {
    fn default() -> Self {
        Self::new()
    }
}

impl GradientTape {
    /// Starts recording.
    pub fn new() -> Self {
        let tape = Rc::new(Tape(RefCell::default()));
        let trace = context::open_graphs().last().copied();
        Self { attached: Some(attach(tape.clone())), tape, trace, persistent: false }
    }

    /// Starts recording, the gradients too that the tape is asked for while it records: what is computed of them
    /// can be differentiated by the same tape. That costs what recording them costs; a tape within another one, or
    /// [`grad`] of [`grad`], costs less.
    ///
    /// TensorFlow: `tf.GradientTape(persistent=True)`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor!(3.0f32);
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

    /// Records nothing any more; what was recorded stays.
    pub(super) fn finish(&mut self) {
        self.attached = None;
    }

    /// Runs `f` unseen by this tape: what is computed in it is a constant for it. Other tapes see it.
    ///
    /// Saves what the tape would keep of ops whose gradient nobody wants: metrics, or a step of an
    /// optimizer. Whichever way `f` ends, the tape records again afterwards.
    ///
    /// TensorFlow: `tf.GradientTape.stop_recording`.
    ///
    /// # Errors
    /// What `f` fails with.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor!(3.0f32);
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

    /// Watches every tensor of a structure.
    pub fn watch<S: Structure>(&self, source: &S) {
        let mut leaves = Leaves::new();
        source.leaves(&mut leaves);
        let mut tape = self.tape.0.borrow_mut();
        for t in leaves.into_iter().filter(|t| flows(t)) {
            tape.watched.insert(key(t));
            tape.kept.push(t.clone());
        }
    }

    /// Watches `sources`, runs `f`, and returns its result with the gradient of the sum of all
    /// elements of the result.
    ///
    /// # Errors
    /// What `f` fails with; as [`gradient`](Self::gradient).
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
    /// target that can't be differentiated, such as counts, don't matter.
    ///
    /// # Errors
    /// `InvalidArgument` if no tensor of the target can be differentiated, for a source that is an integer
    /// tensor by itself, and for one that the tape never watched; `FailedPrecondition` after the end of the
    /// trace that the tape was made in; `Unimplemented` if an op on the way has no gradient.
    pub fn gradient<T: Structure, S: Structure>(
        &self,
        target: &T,
        sources: &S,
    ) -> Result<Gradients<S>> {
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
    pub fn gradient_with<T: Structure, S: Structure>(
        &self,
        target: &T,
        sources: &S,
        cotangents: Vec<Option<Tensor>>,
    ) -> Result<Gradients<S>> {
        let mut targets = Leaves::new();
        target.leaves(&mut targets);
        check::cotangents(target, &targets, &cotangents)?;
        let mut leaves = Leaves::new();
        sources.leaves(&mut leaves);
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

    /// Refuses targets of an arm, a body or a function that was opened after the tape was made: it saw nothing of it.
    fn check_level(&self, targets: &[&Tensor]) -> Result<()> {
        let open = context::open_graphs();
        let place = |graph: GraphId| open.iter().position(|g| *g == graph);
        let own = self.trace.map_or(0, |graph| place(graph).map_or(0, |at| at + 1));
        let within = |t: &&Tensor| match t.id() {
            Identity::Symbol(graph, _) => place(graph).is_some_and(|at| at >= own),
            _ => false,
        };
        if targets.iter().any(within) {
            bail!(
                FailedPrecondition,
                "the target is of an arm, a body or a function that the tape does not see, since it was made around it: \
                 make a tape within, or ask outside"
            );
        }
        Ok(())
    }

    /// [`gradient_with`](Self::gradient_with) of tensors that need no check.
    pub(crate) fn gradient_of<S: Structure>(
        &self,
        targets: &[&Tensor],
        cotangents: Vec<Option<Tensor>>,
        spec: S::Spec,
        sources: Vec<Tensor>,
    ) -> Result<Gradients<S>> {
        self.check_open()?;
        self.check_level(targets)?;
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
        // What nobody watched has no gradient, whatever it met.
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
            // Rules run ops, which are recorded after what is read here.
            let entries = self.tape.0.borrow().entries.clone();
            return walk(&entries, sums, &kept);
        }
        // Rules run ops, which this tape must not record while it is read; outer tapes do.
        walk(&self.tape.0.borrow().entries, sums, &kept)
    }
}

/// The variables among the leaves that are not trained; of a placeholder only the spec tells.
fn frozen(spec: &AnySpec, leaves: &[Tensor]) -> Vec<usize> {
    if !leaves.iter().any(|t| t.dtype() == DType::Resource && t.is_symbolic()) {
        return Vec::new();
    }
    let is_frozen = |spec: &AnySpec| matches!(spec, AnySpec::Variable(v) if !v.trainable);
    let all = spec.leaves().into_iter().enumerate();
    all.filter(|(_, spec)| is_frozen(spec)).map(|(i, _)| i).collect()
}

/// Walks recorded ops backwards and sums up the cotangents of what depends on the sources.
fn walk(entries: &[Rc<Entry>], sums: &mut Sums, sources: &FxHashSet<Identity>) -> Result<()> {
    let mut depends = sources.clone();
    for entry in entries {
        if entry.inputs.iter().any(|x| depends.contains(&key(x))) {
            depends.extend(entry.outputs.iter().filter(|y| flows(y)).map(key));
        }
    }
    for entry in entries.iter().rev() {
        let wanted: SmallVec<[bool; 4]> =
            entry.inputs.iter().map(|x| depends.contains(&key(x))).collect();
        if !wanted.contains(&true) {
            continue;
        }
        if hands_on(entry.op) {
            if let Some(sum) = sums.take(key(&entry.outputs[0]), sources) {
                sums.merge(key(&entry.inputs[0]), sum);
            }
            continue;
        }
        // A handle that was given back is its input: its cotangent stays there.
        let cotangents = entry.outputs.iter().map(|t| match t.dtype() {
            DType::Resource => Ok(None),
            _ => sums.take(key(t), sources).map(Sum::into_dense).transpose(),
        });
        let cotangents = cotangents.collect::<Result<Vec<Option<Tensor>>>>()?;
        if cotangents.iter().all(Option::is_none) {
            continue;
        }
        let inputs = of_nothing(entry, &wanted);
        let inputs = inputs.unwrap_or_else(|| gradients_of(entry, &cotangents, &wanted))?;
        for (x, g) in entry.inputs.iter().zip(inputs) {
            if let Some(g) = g.filter(|_| flows(x)) {
                sums.add(key(x), g);
            }
        }
    }
    Ok(())
}

/// The gradient of a sum by what is summed; of a scalar a constant, which programs can compute with.
fn ones(t: &Tensor) -> Result<Tensor> {
    match t.shape().rank() {
        Some(0) => 1i64.to_scalar().to_array(t.dtype()).map(Tensor::Value),
        _ => t.ones_like(),
    }
}

/// The gradients of an op with empty results, or with empty operands alone that are wanted: zeros whatever its rule
/// says, which need not know what to do with sizes beyond all others.
fn of_nothing(entry: &Entry, wanted: &[bool]) -> Option<Result<InputGradients>> {
    let mut through = entry.inputs.iter().zip(wanted).filter(|(_, wanted)| **wanted);
    // The gradient of a variable has the type of its value, which only rules know.
    if through.clone().any(|(x, _)| x.dtype() == DType::Resource) {
        return None;
    }
    let is_nothing = entry.outputs.iter().all(is_empty) || through.all(|(x, _)| is_empty(x));
    let zeros = |(x, wanted): (&Tensor, &bool)| {
        (*wanted && x.dtype().is_differentiable()).then(|| x.zeros_like()).transpose()
    };
    is_nothing.then(|| entry.inputs.iter().zip(wanted).map(zeros).collect())
}

fn gradients_of(
    entry: &Entry,
    cotangents: &[Option<Tensor>],
    wanted: &[bool],
) -> Result<InputGradients> {
    let rule = gradient_rule(entry.op).ok_or_else(|| {
        err!(
            Unimplemented,
            "the op has no gradient rule; its row can give one, `gradient: …`, or say that none \
             passes, `gradient: none`"
        )
        .with_op(entry.op.rust_name)
    })?;
    let context = Gradient {
        op: entry.op,
        attrs: &entry.attrs,
        inputs: &entry.inputs,
        outputs: &entry.outputs,
        cotangents,
        wanted,
    };
    rule(&context).map_err(|e| e.in_context(format!("the gradient of {}", entry.op.rust_name)))
}

/// The cotangents of one tensor.
#[derive(Clone, Default)]
struct Sum {
    dense: SmallVec<[Tensor; 2]>,
    slices: SmallVec<[IndexedSlices; 1]>,
}

impl Sum {
    /// Their sum, as slices if all are.
    fn into_gradient(self) -> Result<InputGradient> {
        match self.dense.is_empty() {
            true => IndexedSlices::sum(&self.slices).map(InputGradient::Slices),
            false => self.into_dense().map(InputGradient::Dense),
        }
    }

    /// Their sum.
    fn into_dense(self) -> Result<Tensor> {
        let mut parts = self.dense;
        if !self.slices.is_empty() {
            parts.push(IndexedSlices::sum(&self.slices)?.to_dense()?);
        }
        let mut parts = parts.into_iter();
        let first = parts.next().ok_or_else(|| Error::internal("a sum of nothing"))?;
        parts.try_fold(first, |sum, g| match g.dtype() {
            DType::Variant => ops::add_n(&[&sum, &g]),
            _ => ops::add(&sum, &g),
        })
    }
}

/// Cotangents summed up so far.
#[derive(Default)]
struct Sums(FxHashMap<Identity, Sum>);

impl Sums {
    fn add(&mut self, key: Identity, g: InputGradient) {
        let sum = self.0.entry(key).or_default();
        match g {
            InputGradient::Dense(g) => sum.dense.push(g),
            InputGradient::Slices(g) => sum.slices.push(g),
        }
    }

    fn merge(&mut self, key: Identity, more: Sum) {
        let sum = self.0.entry(key).or_default();
        sum.dense.extend(more.dense);
        sum.slices.extend(more.slices);
    }

    fn get(&self, key: Identity) -> Result<Option<InputGradient>> {
        self.0.get(&key).map(|sum| sum.clone().into_gradient()).transpose()
    }

    /// The sum for a result; it stays if the result is a source itself.
    fn take(&mut self, key: Identity, kept: &FxHashSet<Identity>) -> Option<Sum> {
        if kept.contains(&key) { self.0.get(&key).cloned() } else { self.0.remove(&key) }
    }
}

/// The function that computes the gradient of `f`: of the sum of all elements of its result.
///
/// # Errors
/// The returned closure fails with what `f` fails with, and as [`GradientTape::gradient`]: for integer tensors,
/// and ops without a gradient. Of tensors that the result does not depend on the gradient is zeros.
///
/// ```
/// use extype::prelude::*;
/// let cube = |x: &Tensor| x * x * x;
/// let d2 = grad(grad(move |x: &Tensor| Ok(cube(x))));
/// assert_eq!(d2(&tensor!(2.0f32))?.item::<f32>()?, 12.0);
/// # fn cube_of(x: &Tensor) -> Tensor { x * x * x }
/// # Ok::<(), Error>(())
/// ```
pub fn grad<S: Structure, R: Structure>(f: impl Fn(&S) -> Result<R>) -> impl Fn(&S) -> Result<S> {
    let both = value_and_grad(f);
    move |x: &S| both(x).map(|(_, g)| g)
}

/// The function that computes the value of `f` and its gradient.
///
/// # Errors
/// As [`grad`].
pub fn value_and_grad<S: Structure, R: Structure>(
    f: impl Fn(&S) -> Result<R>,
) -> impl Fn(&S) -> Result<(R, S)> {
    move |x: &S| {
        let x = &check::apart(x)?;
        let tape = GradientTape::new();
        let (value, gradients) = tape.value_and_gradient(x, || f(x))?;
        Ok((value, gradients.into_structure()?))
    }
}

/// Which nodes of a graph depend on these of its inputs, as far as gradients pass.
pub(crate) fn depending(graph: &FunctionGraph, wanted: &[bool]) -> Vec<bool> {
    let wanted = graph.inputs.iter().zip(wanted).filter(|(_, wanted)| **wanted);
    let wanted: FxHashSet<NodeId> = wanted.map(|(n, _)| *n).collect();
    let mut depends: Vec<bool> = Vec::new();
    for id in graph.graph.node_ids() {
        let node = graph.graph.node(id);
        let flows = |e: &Endpoint| flows_as(graph.graph.output_type(*e).dtype);
        let passed = node.inputs.iter().any(|e| depends[e.node.index()] && flows(e));
        depends.push(wanted.contains(&id) || passed && !passes_no_gradient(node.op));
    }
    depends
}

/// The gradients of a recorded graph with respect to those of its inputs that are wanted, for functions;
/// to all for which there are rules, if it is not known which are.
pub(super) fn replay(
    graph: &FunctionGraph,
    cotangents: SmallVec<[Option<Tensor>; 4]>,
    wanted: Option<&[bool]>,
    symbol: impl Fn(Endpoint) -> Tensor,
) -> Result<Vec<Option<InputGradient>>> {
    let mut sums = Sums::default();
    let at = |e: Endpoint| Identity::Symbol(graph.graph.id(), e);
    let inputs: FxHashSet<NodeId> = graph.inputs.iter().copied().collect();
    for (e, c) in graph.outputs.iter().zip(cotangents) {
        if let Some(c) = c {
            sums.add(at(*e), c.into());
        }
    }
    let none = FxHashSet::default();
    let depends = wanted.map(|wanted| depending(graph, wanted));
    let is_wanted = |e: &Endpoint| depends.as_ref().is_none_or(|depends| depends[e.node.index()]);
    for id in graph.graph.node_ids().rev() {
        let node = graph.graph.node(id);
        // Inputs keep their sums; constants have none to hand on.
        if inputs.contains(&id) || node.inputs.is_empty() {
            continue;
        }
        let endpoint = |output: usize| Endpoint { node: id, output: output as u32 };
        if !is_wanted(&endpoint(0)) {
            continue;
        }
        if hands_on(node.op) {
            if let Some(sum) = sums.take(at(endpoint(0)), &none) {
                sums.merge(at(node.inputs[0]), sum);
            }
            continue;
        }
        let cotangents = (0..node.outputs.len())
            .map(|o| sums.take(at(endpoint(o)), &none).map(Sum::into_dense).transpose())
            .collect::<Result<Vec<Option<Tensor>>>>()?;
        if cotangents.iter().all(Option::is_none) {
            continue;
        }
        let entry = Entry {
            op: node.op,
            attrs: node.attrs.clone(),
            inputs: node.inputs.iter().map(|e| symbol(*e)).collect(),
            outputs: (0..node.outputs.len()).map(|o| symbol(endpoint(o))).collect(),
        };
        let wanted: SmallVec<[bool; 4]> = match &depends {
            Some(_) => node.inputs.iter().map(is_wanted).collect(),
            None => SmallVec::new(),
        };
        let found = gradients_of(&entry, &cotangents, &wanted)?;
        for ((x, e), g) in entry.inputs.iter().zip(&node.inputs).zip(found) {
            if let Some(g) = g.filter(|_| flows(x)) {
                sums.add(at(*e), g);
            }
        }
    }
    let input = |n: &NodeId| {
        let e = Endpoint { node: *n, output: 0 };
        if is_wanted(&e) { sums.get(at(e)) } else { Ok(None) }
    };
    graph.inputs.iter().map(input).collect()
}
