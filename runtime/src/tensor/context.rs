//! What surrounds a call on this thread: traces being recorded, tapes, the user's line.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::panic::Location;
use std::rc::{Rc, Weak};

use super::mark::set_open_traces;
use super::presence::Missed;
use super::{Frame, Identity, Tensor};
use crate::graph::GraphId;
use crate::op::{Attrs, Forward, OpDef};
use crate::types::{Caller, Error, Result, caller, err, set_caller};

/// Sees every op that runs or is recorded at the level where it was attached: a gradient tape.
pub trait Recorder {
    /// Asked before an op runs: what to run in its place, to keep more than its results.
    fn prepare(&self, op: &'static OpDef, attrs: &Attrs, inputs: &[&Tensor]) -> Option<Forward> {
        let _ = (op, attrs, inputs);
        None
    }

    /// Called after an op with its operands and results.
    fn record(&self, op: &'static OpDef, attrs: &Attrs, inputs: &[&Tensor], outputs: &[Tensor]);

    /// True if what is computed from the tensor matters to it.
    fn follows(&self, t: &Tensor) -> bool {
        let _ = t;
        false
    }

    /// False if users must not read the tensor's elements, true if they may whatever recorders around say.
    fn lets_read(&self, t: &Tensor) -> Option<bool> {
        let _ = t;
        None
    }
}

/// Refuses a user's read of elements that a derivative goes through.
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
    /// Held by its guard.
    recorder: Weak<dyn Recorder>,
    /// The number of traces that were open when it was attached.
    depth: usize,
    /// The innermost of them.
    graph: Option<GraphId>,
}

#[derive(Default)]
struct Context {
    frames: Vec<Frame>,
    recorders: Vec<Attached>,
    /// What was not there yet when somebody looked, in an [`init_scope`] within a trace.
    missed: Option<Vec<Missed>>,
}

impl Context {
    /// Where ops run at present: how many traces are open, and which is the innermost.
    fn level(&self) -> (usize, Option<GraphId>) {
        (self.frames.len(), self.frames.last().map(Frame::graph_id))
    }

    /// How many traces are open around the arms of conditionals that ops run in at present.
    fn around_arms(&self) -> usize {
        let arms = self.frames.iter().rev().take_while(|frame| frame.is_arm);
        self.frames.len() - arms.count()
    }
}

thread_local! {
    static CONTEXT: RefCell<Context> = RefCell::new(Context::default());
    /// True if some trace or recorder is active, so that plain eager calls pay one read.
    static ACTIVE: Cell<bool> = const { Cell::new(false) };
    /// The graphs of traces that an [`init_scope`] has set aside.
    static ASIDE: RefCell<Vec<GraphId>> = const { RefCell::new(Vec::new()) };
}

/// True if ops on this thread must look at the context.
#[inline]
pub(crate) fn is_active() -> bool {
    ACTIVE.get()
}

fn change<R>(f: impl FnOnce(&mut Context) -> R) -> R {
    CONTEXT.with_borrow_mut(|c| {
        let result = f(c);
        ACTIVE.set(!c.frames.is_empty() || !c.recorders.is_empty());
        set_open_traces(c.frames.len());
        result
    })
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

/// Runs `f` on the open traces, innermost last.
pub(super) fn with_frames<R>(f: impl FnOnce(&mut Vec<Frame>) -> R) -> R {
    CONTEXT.with_borrow_mut(|c| f(&mut c.frames))
}

/// The graphs of the open traces, innermost last.
pub(crate) fn open_graphs() -> smallvec::SmallVec<[GraphId; 4]> {
    CONTEXT.with_borrow(|c| c.frames.iter().map(Frame::graph_id).collect())
}

/// True while the graph is being traced on this thread.
pub(crate) fn is_open(graph: GraphId) -> bool {
    CONTEXT.with_borrow(|c| c.frames.iter().any(|f| f.graph_id() == graph))
}

/// True if the trace of this graph has ended, or is one of another thread.
pub(super) fn is_over(graph: GraphId) -> bool {
    !is_open(graph) && !is_aside(graph)
}

/// Opens a trace until the guard is closed or dropped. The line of the call that led here is set
/// aside meanwhile.
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

/// A trace that is open. Whichever way it is left, those opened within it end with it.
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
            // A trace that was opened at this depth since is somebody else's.
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
        // Nothing is left to do after `close`: the trace that is open then lies further out.
        self.leave();
    }
}

/// The identity of a resource as the open traces have it: one that was passed is its placeholder.
pub(crate) fn resolved(identity: Identity) -> Identity {
    if !ACTIVE.get() {
        return identity;
    }
    CONTEXT.with_borrow_mut(|c| Frame::resolved_in(&mut c.frames, identity))
}

/// Attaches a recorder to the present level until the guard is dropped.
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
            // Those that ended where this context was set aside go too.
            let own = Rc::downgrade(&self.0);
            c.recorders.retain(|a| !a.recorder.ptr_eq(&own) && a.recorder.strong_count() > 0);
        });
    }
}

/// The recorders of the present level. Those around a conditional see what goes on in its arms.
pub(crate) fn recorders() -> smallvec::SmallVec<[Rc<dyn Recorder>; 2]> {
    CONTEXT.with_borrow(|c| {
        if c.frames.is_empty() {
            let here = c.recorders.iter().filter(|a| a.depth == 0);
            return here.filter_map(|a| a.recorder.upgrade()).collect();
        }
        let levels = c.around_arms()..=c.frames.len();
        // One of a trace that is over sees nothing of the next.
        let graph = |depth: usize| Some(c.frames.get(depth.checked_sub(1)?)?.graph_id());
        let sees = |a: &&Attached| levels.contains(&a.depth) && a.graph == graph(a.depth);
        c.recorders.iter().filter(sees).filter_map(|a| a.recorder.upgrade()).collect()
    })
}

/// Says that the innermost trace is an arm of a conditional: what goes on in it goes on around it.
pub(crate) fn mark_arm() {
    with_frames(|frames| frames.last_mut().map(|frame| frame.is_arm = true));
}

/// True if the graph is that of an open arm of a conditional.
pub(crate) fn is_arm(graph: GraphId) -> bool {
    CONTEXT.with_borrow(|c| c.frames.iter().any(|f| f.is_arm && f.graph_id() == graph))
}

/// Runs `f` outside every trace and tape of this thread: ops in it run at once, and variables
/// can be created. A tape made in it records in it only.
///
/// ```
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
    // What it finds may decide what the body does.
    set_aside(|c| (!c.frames.is_empty() || c.missed.is_some()).then(Vec::new), f)
}

/// [`init_scope`] for what does not decide what the body does: the initializer of state, a task of somebody else.
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
        let inner = Context { missed: missed(c), ..Context::default() };
        std::mem::replace(c, inner)
    });
    if !outer.frames.is_empty() {
        ASIDE.with_borrow_mut(|aside| aside.extend(outer.frames.iter().map(Frame::graph_id)));
    }
    let _restore = Restore(outer);
    f()
}

/// True if the graph is being traced on this thread, but outside of the [`init_scope`] that runs.
pub(super) fn is_aside(graph: GraphId) -> bool {
    ASIDE.with_borrow(|aside| aside.contains(&graph))
}

/// Notes in all traces that are open that something was not there yet.
pub(super) fn miss(missed: &Missed) {
    CONTEXT.with_borrow_mut(|c| {
        c.frames.iter_mut().for_each(|frame| frame.miss(missed));
        if let Some(all) = &mut c.missed {
            all.push(missed.clone());
        }
    });
}

/// Marks the line of the caller as the one that errors and nodes of the calls within point at.
/// The outermost mark stays, so that an error inside an extension type's handler points at the
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

/// [`call_site`] of the function of this name, which errors tell where they know no op.
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

/// [`call_site`] of the function that it stands in.
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

/// [`call_site`] for a line that was recorded, as that of a node which is called again.
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
