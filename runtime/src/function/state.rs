//! The polymorphic function: its traces, and how a call finds or makes one.

use std::any::Any;
use std::panic::Location;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use super::concrete::{ConcreteFunction, Trace, captures_of, signatures_of, typed_output};
use super::options::FunctionOptions;
use super::retracing::{COMPARED, Cause, History, Stats, TraceRecord};
use super::returned::Returned;
use super::tracing::{Flat, flat, taken, trace};
use crate::ir::GraphId;
use crate::ops::{EnsureShape, Op};
use crate::spec::{AnySpec, LeafIter, Leaves, Structure, TypeSpec};
use crate::sync::{Flight, Turn, WAITS};
use crate::tensor::scope::idle;
use crate::tensor::{ContextKey, Tensor, Tensors, context};
use crate::trace::{
    Arguments, CallKey, CastAll, Kept, Lookup, Served, TraceTable, TracedFor, View,
};
use crate::types::{Error, Result, Shape, bail, caught};

/// How deep traces of one function for the same key may be nested, by a task that a waiting thread
/// took over, or outside of the trace. Beyond this the recursion would never end.
const MAX_NESTED: usize = 32;

/// The state behind one traced function: its options and its traces.
pub struct FunctionState {
    pub(super) options: FunctionOptions,
    traces: OnceLock<Traces>,
}

pub(super) struct Traces {
    pub(super) table: TraceTable<Trace>,
    /// The traces that are being made.
    going: Flight<Going>,
    history: History,
}

/// A trace that serves a call, or the key of one that would.
enum Found {
    Trace(Arc<TracedFor<Trace>>),
    Nothing(CallKey),
}

/// Makes the result of a body for the specs of a key and their leaves. It runs once.
type ErasedBody<'a> = &'a mut dyn FnMut(&CallKey, &mut LeafIter) -> Result<Flat>;

/// A call that no trace is known for.
struct Missed<'a> {
    lookup: Lookup,
    leaves: &'a [&'a Tensor],
    /// The types of the arguments, asked for twice.
    any: [Vec<AnySpec>; 2],
    /// The types that the arguments state of themselves.
    stated: Vec<AnySpec>,
    /// The typed specs.
    specs: Box<dyn Any + Send + Sync>,
    here: &'static Location<'static>,
}

/// A trace that is being made.
struct Going {
    name: &'static str,
    key: CallKey,
    graph: OnceLock<GraphId>,
}

impl std::fmt::Display for Going {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the trace of `{}`", self.name)
    }
}

impl PartialEq for Going {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl FunctionState {
    /// A function without traces.
    ///
    /// ```
    /// use extype::function::{FunctionOptions, FunctionState};
    /// let state = FunctionState::new(FunctionOptions::new("sum", &["x", "y"]));
    /// assert_eq!(state.trace_count(), 0);
    /// ```
    pub const fn new(options: FunctionOptions) -> Self {
        Self { options, traces: OnceLock::new() }
    }

    #[inline]
    pub(super) fn traces(&self) -> &Traces {
        let FunctionOptions { max_traces, made_at, .. } = self.options;
        self.traces.get_or_init(|| Traces {
            table: TraceTable::new(max_traces),
            going: Flight::new(&WAITS),
            history: History::new(made_at),
        })
    }

    /// Plain values as the arguments of the function: numbers become tensors of the dtypes of the signature.
    ///
    /// # Errors
    /// As [`CastTo::cast_to`](crate::trace::CastTo::cast_to).
    #[doc(hidden)]
    #[track_caller]
    pub fn cast<T>(&self, values: impl CastAll<T>) -> Result<T> {
        let FunctionOptions { name, parameters, signature, .. } = self.options;
        let signature = signature.map_or_else(Vec::new, |signature| signature());
        let (here, mut path) = (Location::caller(), String::new());
        let what = || format!("casting the arguments of `{name}`");
        let cast = caught(what, || values.cast_all(&signature, parameters, &mut path));
        cast.map_err(|e| e.prefixed(format!("`{name}`: argument `{path}`")).with_location(here))
    }

    /// Calls the function: finds the trace for the arguments, or makes it by running the body on
    /// placeholders, and runs it.
    ///
    /// # Errors
    /// What the body fails with while it is traced, and what an op fails with when it runs.
    ///
    /// ```
    /// use extype::function::{FunctionOptions, FunctionState};
    /// use extype::prelude::*;
    /// let state = FunctionState::new(FunctionOptions::new("sum", &["x", "y"]));
    /// let (x, y) = (scalar(1.0f32), scalar(2.0f32));
    /// for _ in 0..3 {
    ///     let sum = state.call((&x, &y), |(x, y)| ops::add(&*x, &*y))?;
    ///     assert_eq!(sum.item::<f32>()?, 3.0);
    /// }
    /// assert_eq!(state.trace_count(), 1);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn call<'a, A: Arguments<'a>, O: Returned<Value: Structure>>(
        &self,
        args: A,
        body: impl FnOnce(A::Bound) -> O,
    ) -> O {
        O::from_result(self.call_with(args, |bound| body(bound).into_result(), Trace::call))
    }

    /// Like [`call`](Self::call), but `run` calls the trace with the leaves.
    #[inline]
    #[track_caller]
    pub(crate) fn call_with<'a, A: Arguments<'a>, R: Structure>(
        &self,
        args: A,
        body: impl FnOnce(A::Bound) -> Result<R>,
        run: impl FnOnce(&Trace, &[&Tensor]) -> Result<Tensors>,
    ) -> Result<R> {
        let here = Location::caller();
        let mut leaves = Leaves::new();
        let Traces { table, history, .. } = self.traces();
        let view = table.view();
        let what = || format!("finding a trace of `{}`", self.options.name);
        let (lookup, found) = caught(what, || {
            args.leaves(&mut leaves);
            let lookup = Lookup::of(&args);
            let found = view.find(lookup.fingerprint, |call| {
                lookup.matches(&args, call) && call.traced.trace.is_usable(&leaves)
            });
            Ok((lookup, found))
        })?;
        let made;
        let call = match found {
            Some(call) => {
                history.hit();
                call
            }
            None if lookup.context.runs_eagerly() => {
                return caught(what, || self.eagerly(&args, &leaves, body));
            }
            None => {
                history.miss();
                made = caught(what, || self.miss(&args, lookup, &leaves, here, body))?;
                &made
            }
        };
        let trace = &call.traced.trace;
        let outputs = match call.kept.narrowed.is_empty() {
            true => run(trace, &leaves)?,
            false => {
                let narrowed = narrowed(&leaves, &call.kept.narrowed)?;
                run(trace, &narrowed.iter().collect::<Leaves<'_>>())?
            }
        };
        let result = R::from_leaves(typed_output(trace)?, &mut LeafIter::new(outputs))?;
        result.check_fields()?;
        Ok(result)
    }

    /// Runs the body on the arguments, without a trace.
    #[cold]
    fn eagerly<'a, A: Arguments<'a>, R: Structure>(
        &self,
        args: &A,
        leaves: &[&Tensor],
        body: impl FnOnce(A::Bound) -> Result<R>,
    ) -> Result<R> {
        let within = |e: Error| e.in_context(format!("`{}`, run eagerly", self.options.name));
        args.check().map_err(within)?;
        let leaves: Tensors = leaves.iter().map(|t| (*t).clone()).collect();
        let bound = args.bind(&args.specs(), &mut LeafIter::new(leaves))?;
        let result = body(bound).map_err(within)?;
        result.check_fields()?;
        Ok(result)
    }

    /// Handles a cache miss: finds a more general trace, or makes one.
    #[cold]
    fn miss<'a, A: Arguments<'a>, R: Structure>(
        &self,
        args: &A,
        lookup: Lookup,
        leaves: &[&Tensor],
        here: &'static Location<'static>,
        body: impl FnOnce(A::Bound) -> Result<R>,
    ) -> Result<Arc<Served<Trace>>> {
        args.check()
            .map_err(|e| e.in_context(format!("the arguments of `{}`", self.options.name)))?;
        let specs = args.specs();
        let any = [A::to_any(&specs), A::to_any(&args.specs())];
        let stated = A::to_any(&A::stated(&specs));
        let mut body = Some(body);
        let missed = Missed { lookup, leaves, any, stated, specs: Box::new(specs), here };
        self.serve(missed, &mut |wanted, leaves| {
            flat(taken(&mut body)?(args.bind(&A::from_any(&wanted.any)?, leaves)?)?)
        })
    }

    /// [`miss`](Self::miss), without the Rust types.
    fn serve(&self, missed: Missed<'_>, body: ErasedBody<'_>) -> Result<Arc<Served<Trace>>> {
        let Missed { lookup, leaves, any: [any, again], stated, specs, here } = missed;
        let request = CallKey { context: lookup.context, any: any.into() };
        self.check_laws(&request.any, &again)?;
        let (fitted, signature) = self.fit(&request, &stated).map_err(|e| e.with_location(here))?;
        let usable = |trace: &Trace| trace.is_usable(leaves);
        let look = |view: &View<CallKey, Kept, Trace>| {
            Ok(match view.best(&fitted, usable) {
                Some(traced) => Found::Trace(traced.clone()),
                None => Found::Nothing(match &signature {
                    Some(signature) => signature.clone(),
                    None => self.generalize(&fitted)?,
                }),
            })
        };
        let (traced, asked) = self.find_or_trace(&look, leaves, &usable, true, body)?;
        // Stored under the call's own key, so that the next call like this hits the cache.
        let kept = Kept::new(specs, &request, &fitted);
        let call = (lookup.fingerprint, request, kept);
        Ok(self.traces().table.remember(call, &traced, asked, Trace::is_live))
    }

    /// The trace that `look` finds. Otherwise it makes one for the key that `look` returns, for a call with the leaves
    /// `given`. It also returns the number up to which traces were searched. Threads that need the same trace at the same
    /// time make it only once.
    fn find_or_trace(
        &self,
        look: &dyn Fn(&View<CallKey, Kept, Trace>) -> Result<Found>,
        given: &[&Tensor],
        usable: &dyn Fn(&Trace) -> bool,
        for_call: bool,
        body: ErasedBody<'_>,
    ) -> Result<(Arc<TracedFor<Trace>>, u64)> {
        let Traces { table, going, history } = self.traces();
        let (landing, next) = loop {
            let (wanted, next) = {
                let view = table.view();
                match look(&view)? {
                    Found::Trace(found) => return Ok((found, view.next())),
                    Found::Nothing(wanted) => (wanted, view.next()),
                }
            };
            let wanted = Going { name: self.options.name, key: wanted, graph: OnceLock::new() };
            self.refuse_recursion(&wanted)?;
            if let Turn::Mine(landing) = going.turn(wanted, idle)
                && table.view().next() == next
            {
                break (landing, next);
            }
        };
        let FunctionOptions { name, parameters, .. } = self.options;
        let key = &landing.key().key;
        let (start, eager) = (Instant::now(), !context::is_tracing());
        let traced = trace(name, parameters, &key.any, given, &mut |leaves| {
            if let Some(graph) = context::open_graphs().last() {
                let _ = landing.key().graph.set(*graph);
            }
            body(key, leaves)
        });
        let traced = traced.map_err(|e| e.in_context(self.describe(&key.any)))?;
        let traced = Trace::new(traced, key.any.to_vec(), parameters);
        traced.check_lasting().map_err(|e| e.in_context(self.describe(&key.any)))?;
        let time = start.elapsed();
        let cause = match table.view().exact(key, |_| true) {
            Some(_) => Cause::State,
            None => Cause::of(key, &table.latest(COMPARED), parameters),
        };
        let traced = table.insert(key.clone(), traced, usable, Trace::is_live);
        let signature = AnySpec::Tuple(key.any.to_vec().into());
        let told = (for_call && eager).then_some(name);
        history.trace(TraceRecord { signature, cause, time }, told);
        let now = table.view().next();
        Ok((traced, if now == next + 1 { now } else { next }))
    }

    /// An error if this thread is already tracing the function for the same key, which would never end.
    fn refuse_recursion(&self, wanted: &Going) -> Result<()> {
        let is_open = |going: &Going| going.graph.get().is_some_and(|g| context::is_open(*g));
        let (nested, open) = self.traces().going.mine(wanted, is_open);
        if open || nested >= MAX_NESTED {
            bail!(
                "`{}` calls itself with arguments of the same types, so tracing never ends; \
                 recursion works on plain values that change",
                self.options.name
            );
        }
        Ok(())
    }

    /// The trace for arguments of these types (a tuple of specs), made if there is none yet. With a
    /// signature it is the trace that calls with such arguments use.
    ///
    /// # Errors
    /// `InvalidArgument` for types that are not subtypes of the signature's; what the body fails
    /// with while it is traced.
    ///
    /// ```
    /// use extype::function::{FunctionOptions, FunctionState};
    /// use extype::prelude::*;
    /// let state = FunctionState::new(FunctionOptions::new("f", &["x"]));
    /// let specs = (TensorSpec::of::<f32>([2]),);
    /// let f = state.concrete(specs, |(x,): (Tensor,)| x.reduce_sum(.., false))?;
    /// assert_eq!(f.output_spec().to_string(), "TensorSpec([], float32)");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn concrete<T: Structure, O: Returned<Value: Structure>>(
        &self,
        specs: T::Spec,
        body: impl FnOnce(T) -> O,
    ) -> Result<ConcreteFunction> {
        self.concrete_of((), specs, |(), args| body(args))
    }

    /// Like [`concrete`](Self::concrete), but for a method: it takes a receiver, `(&model,)`, and the types of the other
    /// arguments.
    ///
    /// # Errors
    /// As `concrete`.
    ///
    /// ```
    /// use extype::function::{FunctionOptions, FunctionState};
    /// use extype::prelude::*;
    /// let state = FunctionState::new(FunctionOptions::new("f", &["x"]));
    /// let (factor, specs) = (Variable::new(2.0f32)?, (TensorSpec::of::<f32>([3]),));
    /// let f = state.concrete_of((&factor,), specs, |(factor,), (x,): (Tensor,)| ops::mul(&x, &*factor))?;
    /// assert_eq!(f.output_spec().to_string(), "TensorSpec([3], float32)");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn concrete_of<'a, P: Arguments<'a>, T: Structure, O: Returned<Value: Structure>>(
        &self,
        receiver: P,
        specs: T::Spec,
        body: impl FnOnce(P::Bound, T) -> O,
    ) -> Result<ConcreteFunction> {
        let of_receiver = P::to_any(&receiver.specs());
        let own = of_receiver.len();
        let mut given = Leaves::new();
        receiver.leaves(&mut given);
        let any = [specs.to_any(), specs.stated().to_any()];
        let mut body = Some(body);
        self.trace_of(of_receiver, any, &given, &mut |key, leaves| {
            let (own, rest) = key.any.split_at(own);
            let receiver = receiver.bind(&P::from_any(own)?, leaves)?;
            let arguments = match rest.is_empty() {
                true => T::from_leaves(&specs, leaves)?,
                false => {
                    let specs = T::Spec::from_any(&AnySpec::Tuple(rest.to_vec().into()))?;
                    T::from_leaves(&specs, leaves)?
                }
            };
            flat(taken(&mut body)?(receiver, arguments).into_result()?)
        })
    }

    /// [`concrete_of`](Self::concrete_of), without the Rust types.
    fn trace_of(
        &self,
        of_receiver: Vec<AnySpec>,
        [specs, stated]: [AnySpec; 2],
        given: &[&Tensor],
        body: ErasedBody<'_>,
    ) -> Result<ConcreteFunction> {
        let all = |specs: AnySpec| -> Result<Arc<[AnySpec]>> {
            let mut any = of_receiver.clone();
            match specs {
                AnySpec::Tuple(specs) => any.extend(specs.iter().cloned()),
                none if none.leaves().is_empty() => {}
                one => {
                    bail!("the types of the arguments are a tuple, such as `({one},)`, not {one}")
                }
            }
            Ok(AnySpec::told_apart(any).into())
        };
        let any = all(specs)?;
        if let Some(gone) = any.iter().find(|spec| spec.is_dead()) {
            let name = self.options.name;
            bail!(FailedPrecondition, "`{name}`: a trace is wanted for {gone}, which was dropped");
        }
        let request = CallKey { context: ContextKey::present().traced(), any };
        let what = || format!("finding a trace of `{}`", self.options.name);
        let stated = all(stated)?;
        let wanted = match caught(what, || self.fit(&request, &stated))? {
            (_, None) => request,
            (fitted, Some(signature)) => {
                let mut pairs = request.any.iter().zip(&*fitted.any).enumerate();
                if let Some((i, (given, _))) = pairs.find(|(_, (given, fitted))| given != fitted) {
                    return self.misfit(i, given, &signature.any[i]);
                }
                signature
            }
        };
        let look = |view: &View<CallKey, Kept, Trace>| {
            Ok(match view.exact(&wanted, Trace::is_plain) {
                Some(traced) => Found::Trace(traced.clone()),
                None => Found::Nothing(wanted.clone()),
            })
        };
        let (traced, _) = self.find_or_trace(&look, given, &Trace::is_plain, false, body)?;
        Ok(ConcreteFunction(traced.trace.clone()))
    }

    /// The traces, in the order they were made.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x));
    /// f.call(&scalar(1.0f32))?;
    /// f.call(&scalar(1i64))?;
    /// let traces = f.state().concrete_functions();
    /// assert_eq!(traces[1].output_spec().to_string(), "TensorSpec([], int64)");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn concrete_functions(&self) -> Vec<ConcreteFunction> {
        self.concrete_functions_where(|_| true)
    }

    /// The traces whose argument types `wanted` accepts.
    pub(super) fn concrete_functions_where(
        &self,
        wanted: impl Fn(&[AnySpec]) -> bool,
    ) -> Vec<ConcreteFunction> {
        let traces = self.traces().table.traces();
        let traces = traces.iter().filter(|t| wanted(&t.key.any));
        traces.map(|t| ConcreteFunction(t.trace.clone())).collect()
    }

    /// The number of traces that were made and kept.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x));
    /// f.call(&tensor![1.0f32])?;
    /// f.call(&tensor![1.0f32, 2.0])?;
    /// f.call(&tensor![3.0f32])?;
    /// assert_eq!(f.state().trace_count(), 2);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn trace_count(&self) -> usize {
        self.traces().table.len()
    }

    /// The number of traces whose argument types `wanted` accepts.
    pub(super) fn count_where(&self, wanted: impl Fn(&[AnySpec]) -> bool) -> usize {
        self.traces().table.traces().iter().filter(|t| wanted(&t.key.any)).count()
    }

    /// The argument types of the traces, one tuple for each trace.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor, n: &i64| ops::mul(x, *n));
    /// f.call(&scalar(1.0f32), &3)?;
    /// assert_eq!(f.state().signatures()[0].to_string(), "(TensorSpec([], float32), 3)");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn signatures(&self) -> Vec<AnySpec> {
        signatures_of(&self.concrete_functions())
    }

    /// Descriptions of the captures of all traces.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (v, factor) = (Variable::new(1.0f32)?, scalar(2.0f32));
    /// let f = function(move |x: &Tensor| ops::mul(ops::add(x, &v)?, &factor));
    /// f.call(&scalar(1.0f32))?;
    /// let captures = f.state().captures();
    /// assert!(captures[0] == "tensor: float32[]" && captures[1].starts_with("variable "));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn captures(&self) -> Vec<String> {
        captures_of(&self.concrete_functions())
    }

    /// How often the function was called and traced, and why. Closures have the same method; for a function `f` it is
    /// `f::stats()`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x));
    /// f.call(&scalar(1.0f32))?;
    /// f.call(&scalar(2.0f32))?;
    /// assert_eq!((f.state().stats().calls, f.state().stats().traced), (2, 1));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn stats(&self) -> Stats {
        let Traces { table, history, .. } = self.traces();
        history.stats(table.evicted())
    }

    /// Drops the traces for these types: a tuple of specs, such as one of [`signatures`](Self::signatures). Returns their
    /// number, which is above one if there are traces for several contexts.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x));
    /// f.call(&tensor![1.0f32])?;
    /// f.call(&tensor![1.0f32, 2.0])?;
    /// assert_eq!(f.state().remove(&f.state().signatures()[0]), 1);
    /// assert_eq!(f.state().signatures()[0].to_string(), "(TensorSpec([2], float32),)");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn remove(&self, signature: &AnySpec) -> usize {
        let wanted = |key: &CallKey| match signature {
            AnySpec::Tuple(specs) => specs[..] == key.any[..],
            _ => false,
        };
        self.traces().table.remove(wanted)
    }

    /// Drops all traces; the next call traces anew.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x));
    /// f.call(&scalar(1.0f32))?;
    /// f.state().clear();
    /// assert_eq!(f.trace_count(), 0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn clear(&self) {
        self.traces().table.clear();
    }
}

/// The tensors, with ops in the open trace that check the shapes not known yet.
#[cold]
fn narrowed(leaves: &[&Tensor], shapes: &[(usize, Shape)]) -> Result<Vec<Tensor>> {
    let mut leaves: Vec<Tensor> = leaves.iter().map(|t| (*t).clone()).collect();
    for (i, shape) in shapes {
        leaves[*i] = EnsureShape { shape: shape.clone() }.run(&[&leaves[*i]])?;
    }
    Ok(leaves)
}

impl std::fmt::Debug for FunctionState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<traced function `{}` with {} traces>", self.options.name, self.trace_count())
    }
}
