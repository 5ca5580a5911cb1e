//! The context of a call on this thread: open traces, tapes, and the user's line.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::panic::Location;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use super::initialization::Initialization;
use super::mark::set_open_traces;
use super::node_scope::NodeScopes;
use super::presence::Missed;
use super::scope::foreign_device;
use super::{Frame, Holder, Identity, Tensor, Tensors};
use crate::ir::{Attrs, Forward, Graph, GraphId, OpDef, Symbol};
use crate::types::{Caller, Error, Result, caller, err, set_caller};

/// Is notified of every op that runs or is recorded at the level where it was attached: a gradient tape.
pub trait Recorder {
    /// Called before an op runs; may return an op to run in its place, which returns additional results.
    fn prepare(&self, op: &'static OpDef, attrs: &Attrs, inputs: &[&Tensor]) -> Option<Forward> {
        let _ = (op, attrs, inputs);
        None
    }

    /// Called after an op with its operands and results.
    fn record(&self, op: &'static OpDef, attrs: &Attrs, inputs: &[&Tensor], outputs: &[Tensor]);

    /// True if it needs the ops that are computed from the tensor.
    fn follows(&self, t: &Tensor) -> bool {
        let _ = t;
        false
    }

    /// False if users must not read the tensor's elements, true if they may regardless of outer recorders, `None` to leave
    /// the decision to those.
    fn lets_read(&self, t: &Tensor) -> Option<bool> {
        let _ = t;
        None
    }
}

/// Refuses to let a user read elements of a tensor that is being differentiated.
#[cold]
pub(super) fn check_read(t: &Tensor) -> Result<()> {
    if !t.dtype().is_differentiable() {
        return Ok(());
    }
    match recorders().iter().rev().find_map(|r| r.lets_read(t)) {
        Some(false) => Err(err!(
            FailedPrecondition,
            "the elements are computed from what is differentiated, and no gradient would flow through what is read: \
             compute with the tensor itself; if the number is to be a constant, read that of `x.stop_gradient()?`"
        )),
        _ => Ok(()),
    }
}

struct Attached {
    /// Kept alive by its guard.
    recorder: Weak<dyn Recorder>,
    /// The number of traces that were open when it was attached.
    depth: usize,
    /// The innermost of these traces.
    graph: Option<GraphId>,
}

#[derive(Default)]
struct Context {
    frames: Vec<Frame>,
    recorders: Vec<Attached>,
    /// State that was looked up and did not exist yet, in an [`init_scope`] within a trace.
    missed: Option<Vec<Missed>>,
    /// The scopes around all traces.
    scopes: NodeScopes,
    /// The initializer of state that runs.
    initialization: Option<Rc<Initialization>>,
    /// The context that it was called in.
    around: Option<Box<Context>>,
}

impl Context {
    /// True for a symbol of a trace that the running initializer was called in, which records ops on it.
    fn is_set_aside(&self, symbol: &Symbol) -> bool {
        let is_traced = |frame: &Frame| frame.graph_id() == symbol.graph();
        let mut context = self;
        while !context.frames.iter().any(is_traced) {
            match (&context.initialization, &context.around) {
                (Some(_), Some(around)) => context = around,
                _ => return false,
            }
        }
        // What owns state orders its effects itself.
        let owns = context.frames.iter().any(Frame::owns_state);
        !owns && !std::ptr::eq(context, self)
    }

    /// The level at which ops run now: the number of open traces, and the innermost one.
    fn level(&self) -> (usize, Option<GraphId>) {
        (self.frames.len(), self.frames.last().map(Frame::graph_id))
    }

    /// The number of open traces around the conditional arms in which ops run now.
    fn around_arms(&self) -> usize {
        let arms = self.frames.iter().rev().take_while(|frame| frame.is_arm);
        self.frames.len() - arms.count()
    }

    /// The scopes of the innermost trace.
    fn scopes(&self) -> &NodeScopes {
        self.frames.last().map_or(&self.scopes, |frame| &frame.scopes)
    }
}

thread_local! {
    static CONTEXT: RefCell<Context> = RefCell::new(Context::default());
    /// True if a trace, a recorder or the scope of a foreign device is active. Plain eager calls only need to read this flag.
    static ACTIVE: Cell<bool> = const { Cell::new(false) };
    /// The graphs of traces that an [`init_scope`] has set aside.
    static ASIDE: RefCell<Vec<GraphId>> = const { RefCell::new(Vec::new()) };
}

/// True if ops on this thread must check the context.
#[inline]
pub(crate) fn is_active() -> bool {
    ACTIVE.get()
}

fn change<R>(f: impl FnOnce(&mut Context) -> R) -> R {
    CONTEXT.with_borrow_mut(|c| {
        let result = f(c);
        let recorded = !c.frames.is_empty() || !c.recorders.is_empty();
        ACTIVE.set(recorded || c.initialization.is_some() || foreign_device().is_some());
        set_open_traces(c.frames.len());
        result
    })
}

/// Notes that the device scope of this thread changed. A thread that ends has no context any more.
pub(super) fn scope_changed() {
    if CONTEXT.try_with(|_| ()).is_ok() {
        change(|_| {});
    }
}

/// True while a traced function is being recorded on this thread.
///
/// ```
/// use extype::prelude::*;
/// use extype::tensor::is_tracing;
/// let f = function(|x: &Tensor| {
///     assert!(is_tracing());
///     ops::neg(x)
/// });
/// f.call(&scalar(1.0f32))?;
/// assert!(!is_tracing());
/// # Ok::<(), Error>(())
/// ```
pub fn is_tracing() -> bool {
    ACTIVE.get() && CONTEXT.with_borrow(|c| !c.frames.is_empty())
}

/// Calls `f` with the open traces, innermost last.
pub(super) fn with_frames<R>(f: impl FnOnce(&mut Vec<Frame>) -> R) -> R {
    CONTEXT.with_borrow_mut(|c| f(&mut c.frames))
}

/// Calls `f` with the scopes and the graph of the innermost trace, or with the scopes around all traces.
pub(super) fn with_scopes<R>(f: impl FnOnce(&mut NodeScopes, Option<&Graph>) -> R) -> R {
    CONTEXT.with_borrow_mut(|c| match c.frames.last_mut() {
        Some(frame) => f(&mut frame.scopes, Some(&frame.graph)),
        None => f(&mut c.scopes, None),
    })
}

/// The graphs of the open traces, innermost last.
pub(crate) fn open_graphs() -> smallvec::SmallVec<[GraphId; 4]> {
    CONTEXT.with_borrow(|c| c.frames.iter().map(Frame::graph_id).collect())
}

/// True while the graph is being traced on this thread.
pub(crate) fn is_open(graph: GraphId) -> bool {
    CONTEXT.with_borrow(|c| c.frames.iter().any(|f| f.graph_id() == graph))
}

/// True if the trace of this graph has ended, or belongs to another thread.
pub(super) fn is_over(graph: GraphId) -> bool {
    !is_open(graph) && !is_aside(graph)
}

/// Opens a trace until the guard is closed or dropped. Meanwhile the line of the call that led here is set
/// aside.
pub(crate) fn push_frame(mut frame: Frame) -> OpenTrace {
    frame.outer_caller = caller();
    set_caller(None);
    change(|c| {
        frame.depth = c.frames.len() as u32 + 1;
        let graph = frame.graph_id();
        c.frames.push(frame);
        OpenTrace { depth: c.frames.len(), graph, of_thread: PhantomData }
    })
}

/// An open trace. However it ends, the traces opened within it end too.
#[must_use]
pub(crate) struct OpenTrace {
    depth: usize,
    graph: GraphId,
    of_thread: PhantomData<Rc<()>>,
}

impl OpenTrace {
    /// Closes the trace.
    pub(crate) fn close(self) -> Result<Frame> {
        self.leave().ok_or_else(|| Error::internal("the trace is gone"))
    }

    fn leave(&self) -> Option<Frame> {
        let frame = change(|c| {
            // If another trace is open at this depth now, it belongs to someone else.
            let own = c.frames.get(self.depth - 1).is_some_and(|f| f.graph_id() == self.graph);
            c.frames.truncate(if own { self.depth } else { c.frames.len() });
            if own { c.frames.pop() } else { None }
        })?;
        set_caller(frame.outer_caller);
        Some(frame)
    }
}

impl Drop for OpenTrace {
    fn drop(&mut self) {
        // After `close` this does nothing, since the trace is no longer open.
        self.leave();
    }
}

/// The identity of a resource in the open traces: a resource passed as an argument is its placeholder.
pub(crate) fn resolved(identity: Identity) -> Identity {
    if !ACTIVE.get() {
        return identity;
    }
    CONTEXT.with_borrow_mut(|c| Frame::resolved_in(&mut c.frames, identity))
}

/// Attaches a recorder to the current level until the guard is dropped.
pub(crate) fn attach(recorder: Rc<dyn Recorder>) -> RecorderGuard {
    let held = Rc::downgrade(&recorder);
    change(|c| {
        let (depth, graph) = c.level();
        c.recorders.push(Attached { recorder: held, depth, graph });
    });
    RecorderGuard(recorder)
}

/// Detaches its recorder when dropped.
pub(crate) struct RecorderGuard(Rc<dyn Recorder>);

impl Drop for RecorderGuard {
    fn drop(&mut self) {
        change(|c| {
            // Also remove recorders whose guards were dropped while this context was set aside.
            let own = Rc::downgrade(&self.0);
            c.recorders.retain(|a| !a.recorder.ptr_eq(&own) && a.recorder.strong_count() > 0);
        });
    }
}

/// The recorders of the current level. Recorders around a conditional also see the ops in its arms.
pub(crate) fn recorders() -> smallvec::SmallVec<[Rc<dyn Recorder>; 2]> {
    CONTEXT.with_borrow(|c| {
        if c.frames.is_empty() {
            let here = c.recorders.iter().filter(|a| a.depth == 0);
            return here.filter_map(|a| a.recorder.upgrade()).collect();
        }
        let levels = c.around_arms()..=c.frames.len();
        // A recorder of a trace that has ended must not see the next trace at the same depth.
        let graph = |depth: usize| Some(c.frames.get(depth.checked_sub(1)?)?.graph_id());
        let sees = |a: &&Attached| levels.contains(&a.depth) && a.graph == graph(a.depth);
        c.recorders.iter().filter(sees).filter_map(|a| a.recorder.upgrade()).collect()
    })
}

/// Calls ops on the values that stand-ins stand for. Stand-ins are the symbols of a trace: the body of a compound sees
/// their dtypes and shapes, and each op on them is called on the values.
pub(crate) trait Interpreter {
    /// Calls `op`. `on_stand_ins` calls it on the stand-ins themselves, which gives stand-ins for its results. `None` if
    /// no type has a meaning for `op`, a compound: its body can then be run.
    fn call(
        &self,
        op: Called<'_>,
        inputs: &[&Tensor],
        on_stand_ins: &mut dyn FnMut() -> Result<Tensors>,
    ) -> Result<Option<Tensors>>;
}

/// An op that is called on stand-ins.
#[derive(Clone, Copy)]
pub(crate) struct Called<'a> {
    pub(crate) def: &'static OpDef,
    pub(crate) attrs: &'a Attrs,
    /// The op as its type, for compounds with arguments that are no attributes.
    pub(crate) op: Option<&'a dyn Any>,
}

/// Runs the body of a compound in a trace whose symbols are stand-ins.
pub(crate) fn interpreted<R>(
    mut frame: Frame,
    interpreter: Rc<dyn Interpreter>,
    body: impl FnOnce() -> Result<R>,
) -> Result<R> {
    frame.interpreter = Some(interpreter);
    let caller = caller();
    let open = push_frame(frame);
    // Errors in the body point at the line of the call.
    set_caller(caller);
    let result = body();
    open.close()?;
    result
}

/// How an op runs that is neither recorded in the innermost trace nor run at once.
pub(crate) enum Interpretation<'a> {
    /// On the values that some of its inputs stand for.
    By(Rc<dyn Interpreter>),
    /// Outside of the interpreter's trace: no input is a stand-in.
    Outside,
    /// Around the running initializer: the symbol is of a trace there.
    Around(&'a Symbol),
}

/// How an op with these inputs runs, if the innermost trace is that of an interpreter, or an initializer runs.
pub(crate) fn interpretation<'a>(inputs: &[&'a Tensor]) -> Option<Interpretation<'a>> {
    let symbols = || {
        inputs.iter().filter_map(|t| match t {
            Tensor::Symbol(symbol) => Some(symbol),
            Tensor::Value(_) => None,
        })
    };
    CONTEXT.with_borrow(|c| {
        if c.initialization.is_some()
            && let Some(symbol) = symbols().find(|symbol| c.is_set_aside(symbol))
        {
            return Some(Interpretation::Around(symbol));
        }
        let frame = c.frames.last()?;
        let interpreter = frame.interpreter.as_ref()?;
        let graph = frame.graph_id();
        Some(match symbols().any(|s| s.graph() == graph) {
            true => Interpretation::By(interpreter.clone()),
            false => Interpretation::Outside,
        })
    })
}

/// Runs `f` as if the trace of the running body were not open.
pub(crate) fn outside<R>(f: impl FnOnce() -> R) -> R {
    struct Restore(Option<Frame>);
    impl Drop for Restore {
        fn drop(&mut self) {
            change(|c| c.frames.extend(self.0.take()));
        }
    }
    let _restore = Restore(change(|c| c.frames.pop()));
    f()
}

/// Runs `f` with the innermost trace as an ordinary one.
pub(crate) fn uninterpreted<R>(f: impl FnOnce() -> R) -> R {
    struct Restore(Option<Rc<dyn Interpreter>>);
    impl Drop for Restore {
        fn drop(&mut self) {
            change(|c| c.frames.last_mut().map(|frame| frame.interpreter = self.0.take()));
        }
    }
    let _restore =
        Restore(change(|c| c.frames.last_mut().and_then(|frame| frame.interpreter.take())));
    f()
}

/// Marks the innermost trace as an arm of a conditional, so that recorders around the conditional see its ops.
pub(crate) fn mark_arm() {
    with_frames(|frames| frames.last_mut().map(|frame| frame.is_arm = true));
}

/// Lets the body of the innermost trace own the state that it makes.
pub(crate) fn own_state(owner: Arc<Holder>) {
    with_frames(|frames| frames.last_mut().map(|frame| frame.owner = Some(owner)));
}

/// Who owns the state that is made now: the traced body, of which arms of conditionals are a part.
pub(crate) fn owner() -> Option<Arc<Holder>> {
    if !ACTIVE.get() {
        return None;
    }
    with_frames(|frames| frames.iter().rev().find(|frame| !frame.is_arm)?.owner.clone())
}

/// True if the graph is that of an open arm of a conditional.
pub(crate) fn is_arm(graph: GraphId) -> bool {
    CONTEXT.with_borrow(|c| c.frames.iter().any(|f| f.is_arm && f.graph_id() == graph))
}

/// Runs `f` outside of every trace and tape of this thread: ops in it run at once, and variables
/// can be created. A tape made in it only records the ops in it.
///
/// ```
/// use extype::init_scope;
/// use extype::prelude::*;
/// let f = function(|x: &Tensor| {
///     let two = init_scope(|| ops::add(&scalar(1.0f32), &scalar(1.0f32)))?;
///     assert_eq!(two.item::<f32>()?, 2.0);
///     ops::mul(x, &two)
/// });
/// assert_eq!(f.call(&scalar(3.0f32))?.item::<f32>()?, 6.0);
/// # Ok::<(), Error>(())
/// ```
pub fn init_scope<R>(f: impl FnOnce() -> R) -> R {
    // State that `f` finds missing may change what the traced body does.
    set_aside(|c| (!c.frames.is_empty() || c.missed.is_some()).then(Vec::new), f)
}

/// [`init_scope`] for code that does not affect what the traced body does: an initializer of state, or an unrelated task.
pub(crate) fn aside<R>(f: impl FnOnce() -> R) -> R {
    set_aside(|_| None, f)
}

fn set_aside<R>(missed: impl FnOnce(&Context) -> Option<Vec<Missed>>, f: impl FnOnce() -> R) -> R {
    struct Restore(Context);
    impl Drop for Restore {
        fn drop(&mut self) {
            let Self(other) = self;
            let frames = other.frames.len();
            if frames > 0 {
                ASIDE.with_borrow_mut(|aside| aside.truncate(aside.len() - frames));
            }
            change(|c| std::mem::swap(c, other));
            other.missed.iter().flatten().for_each(miss);
        }
    }
    let outer = change(|c| {
        let inner =
            Context { missed: missed(c), scopes: c.scopes().outside(), ..Context::default() };
        std::mem::replace(c, inner)
    });
    if !outer.frames.is_empty() {
        ASIDE.with_borrow_mut(|aside| aside.extend(outer.frames.iter().map(Frame::graph_id)));
    }
    let _restore = Restore(outer);
    f()
}

/// Runs an initializer of state outside of every trace and tape of this thread.
pub(super) fn initializing<R>(initialization: Rc<Initialization>, f: impl FnOnce() -> R) -> R {
    struct Leave(usize);
    impl Drop for Leave {
        fn drop(&mut self) {
            ASIDE.with_borrow_mut(|aside| aside.truncate(aside.len().saturating_sub(self.0)));
            // Dropped when the context is not borrowed any more.
            drop(change(|c| c.around.take().map(|around| std::mem::replace(c, *around))));
        }
    }
    let graphs = open_graphs();
    let _leave = Leave(graphs.len());
    ASIDE.with_borrow_mut(|aside| aside.extend(graphs));
    change(|c| {
        let scopes = c.scopes().outside();
        let around = Some(Box::new(std::mem::take(c)));
        *c = Context { initialization: Some(initialization), around, scopes, ..Context::default() };
    });
    f()
}

/// The initializer that runs now, if no trace was opened in it.
pub(super) fn initialization() -> Option<Rc<Initialization>> {
    if !ACTIVE.get() {
        return None;
    }
    CONTEXT.with_borrow(|c| c.initialization.clone().filter(|_| c.frames.is_empty()))
}

/// Runs `f` in the context that the running initializer was called in.
pub(super) fn around<R>(f: impl FnOnce() -> R) -> R {
    struct Return(Option<Context>);
    impl Drop for Return {
        fn drop(&mut self) {
            change(|c| {
                if let Some(inner) = self.0.take() {
                    let around = std::mem::replace(c, inner);
                    c.around = Some(Box::new(around));
                }
            });
        }
    }
    let inner = change(|c| c.around.take().map(|around| std::mem::replace(c, *around)));
    let _return = Return(inner);
    f()
}

/// True for a symbol of a trace that the running initializer was called in.
pub(super) fn is_set_aside(symbol: &Symbol) -> bool {
    CONTEXT.with_borrow(|c| c.is_set_aside(symbol))
}

/// True if the graph is being traced on this thread, outside of the running [`init_scope`].
pub(super) fn is_aside(graph: GraphId) -> bool {
    ASIDE.with_borrow(|aside| aside.contains(&graph))
}

/// Notes in all open traces that some state did not exist yet.
pub(super) fn miss(missed: &Missed) {
    CONTEXT.with_borrow_mut(|c| {
        c.frames.iter_mut().for_each(|frame| frame.miss(missed));
        if let Some(all) = &mut c.missed {
            all.push(missed.clone());
        }
    });
}

/// Marks the caller's line as the one that errors and nodes of the calls within point at.
/// The outermost mark wins, so that an error inside an extension type's handler points at the
/// user's line and not at the handler's.
///
/// ```
/// use extype::prelude::*;
/// use extype::tensor::call_site;
/// #[track_caller]
/// fn squared(x: &Tensor) -> Result<Tensor> {
///     let _site = call_site();
///     ops::matmul(x, x)
/// }
/// let e = squared(&scalar(1.0f32)).unwrap_err();
/// assert_eq!(e.location().map(|l| l.line()), Some(line!() - 1));
/// ```
#[track_caller]
#[inline]
pub fn call_site() -> CallSite {
    mark(Location::caller(), None)
}

/// [`call_site`] with a function name, which errors show if they come from no op.
///
/// ```
/// use extype::prelude::*;
/// use extype::tensor::call_site_of;
/// #[track_caller]
/// fn half(n: i32) -> Result<i32> {
///     let _site = call_site_of(Some("half"));
///     if n % 2 == 0 { Ok(n / 2) } else { Err(Error::invalid("an odd number")) }
/// }
/// assert!(half(3).unwrap_err().to_string().contains("half"));
/// ```
#[track_caller]
#[inline]
pub fn call_site_of(function: Option<&'static str>) -> CallSite {
    mark(Location::caller(), function)
}

/// [`call_site_of`] with the name of the enclosing function.
macro_rules! site {
    () => {{
        fn here() {}
        $crate::tensor::call_site_of(Some($crate::types::path_of(&here)))
    }};
}
pub(crate) use site as call_site;

#[inline]
fn mark(location: &'static Location<'static>, function: Option<&'static str>) -> CallSite {
    let outermost = caller().is_none();
    if outermost {
        set_caller(Some(Caller::new(location, function)));
    }
    CallSite { outermost }
}

/// [`call_site`] for a recorded line, such as that of a node which is called again.
pub(crate) fn call_site_at(location: Option<&'static Location<'static>>) -> CallSite {
    location.map_or(CallSite { outermost: false }, |location| mark(location, None))
}

/// The scope of a [`call_site`].
#[must_use]
pub struct CallSite {
    outermost: bool,
}

impl Drop for CallSite {
    #[inline]
    fn drop(&mut self) {
        if self.outermost {
            set_caller(None);
        }
    }
}
