//! The steps of a pipeline without the Rust types of its elements.

use std::collections::HashSet;
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::rim::is_untraced;
use super::seeds::{Passes, Seeds};
use super::slices::Rows;
use super::state::Saved;
use super::stop::Run;
use crate::spec::AnySpec;
use crate::tensor::Tensors;
use crate::types::{Error, Result, caught, deep, err};

/// How many elements a dataset has, as far as it is known without running anything.
///
/// ```
/// use extype::data::{Cardinality, Dataset};
/// use extype::prelude::*;
/// let data = Dataset::range(0..10);
/// assert_eq!(data.cardinality(), Cardinality::Exact(10));
/// assert_eq!(data.repeat().cardinality(), Cardinality::Infinite);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cardinality {
    /// So many.
    Exact(u64),
    /// The dataset never ends.
    Infinite,
    /// Only a pass over it tells.
    Unknown,
}

impl Cardinality {
    /// The number of elements, where it is known.
    pub fn exact(self) -> Option<u64> {
        match self {
            Self::Exact(n) => Some(n),
            Self::Infinite | Self::Unknown => None,
        }
    }

    /// What becomes of a known number; the others stay.
    pub(super) fn map(self, f: impl FnOnce(u64) -> u64) -> Self {
        match self {
            Self::Exact(n) => Self::Exact(f(n)),
            other => other,
        }
    }

    /// The sum, as that of datasets one after the other.
    pub(super) fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Infinite, _) | (_, Self::Infinite) => Self::Infinite,
            (Self::Exact(a), Self::Exact(b)) => Self::Exact(a.saturating_add(b)),
            _ => Self::Unknown,
        }
    }

    /// The smaller one, as that of datasets side by side.
    pub(super) fn least(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Infinite, other) | (other, Self::Infinite) => other,
            (Self::Exact(a), Self::Exact(b)) => Self::Exact(a.min(b)),
        }
    }
}

impl std::fmt::Display for Cardinality {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exact(n) => write!(f, "{n}"),
            Self::Infinite => f.write_str("infinite"),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

/// An element: its tensors, and the spec that they are rebuilt by. Elements of one step mostly share their spec.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) spec: Arc<AnySpec>,
    pub(crate) leaves: Tensors,
}

/// Why there is no element.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) error: Error,
    /// True if nothing comes after it: it is no failure of one element.
    pub(crate) ends: bool,
    /// True for the failure of a source, which may be passed over: what came before it counts.
    pub(crate) source: bool,
    /// True if nobody waits for the element any more. It says nothing about the elements.
    pub(crate) stopped: bool,
    /// True once the error says which step it happened in.
    pub(crate) placed: bool,
}

impl Failure {
    /// The failure of a source, which ends with it.
    pub(crate) fn of_source(error: Error) -> Self {
        Self { source: true, ..Self::last(error) }
    }

    /// The failure of a whole step.
    pub(crate) fn last(error: Error) -> Self {
        Self { ends: true, ..Self::from(error) }
    }

    /// What steps give when nobody waits for elements any more. It is no end: whoever sees an end acts on it.
    #[cold]
    pub(crate) fn stopped() -> Self {
        let error = err!(Cancelled, "the pass was dropped");
        Self { stopped: true, placed: true, ..Self::last(error) }
    }
}

/// A failure of one element.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { error, ends: false, source: false, stopped: false, placed: false }
    }
}

/// What a step gives when it is asked.
pub(crate) type Next = Option<Result<Element, Failure>>;

/// A step of a pipeline: what it does, and how it is started.
pub(crate) trait Stage: Send + Sync + 'static {
    /// The name of the method that made it.
    fn name(&self) -> &'static str;

    /// Its arguments, as they are printed and compared with those of a saved state.
    fn arguments(&self) -> String {
        String::new()
    }

    /// The step that it reads, if it reads one.
    fn input(&self) -> Option<&Arc<Node>> {
        None
    }

    /// The steps that it reads.
    fn inputs(&self) -> Vec<&Arc<Node>> {
        Vec::from_iter(self.input())
    }

    /// The spec of the elements; `None` if it is not known before the pipeline runs. Most steps leave it as it is.
    fn spec(&self) -> Result<Option<AnySpec>> {
        self.input().map_or(Ok(None), |input| input.spec())
    }

    /// How many elements there are. Most steps of one to one leave it as it is.
    fn cardinality(&self) -> Cardinality {
        self.input().map_or(Cardinality::Unknown, |input| input.cardinality())
    }

    /// The first pass starts at the beginning, and so does each other one.
    fn start(&self, run: &Run) -> Box<dyn Cursor>;

    /// All elements, if they are there: those of a window.
    fn elements(&self) -> Option<&[Element]> {
        None
    }

    /// The seeds that change from pass to pass.
    fn seeds(&self) -> Option<&Arc<Seeds>> {
        None
    }

    /// What keeps elements of the steps that this one reads, if it does.
    fn keeper(&self) -> Option<&dyn Keeper> {
        None
    }

    /// The value whose rows this step gives one by one, if it is such a source.
    fn rows(&self) -> Option<&Arc<Rows>> {
        None
    }
}

/// A step that is running.
pub(crate) trait Cursor: Send {
    /// The next element. It is not called after the end.
    fn next(&mut self) -> Next;

    /// The place of the next element in the step's [`rows`](Stage::rows), instead of the element.
    fn next_row(&mut self) -> Option<Result<usize, Failure>> {
        Some(Err(Failure::last(err!(Internal, "the step has no rows"))))
    }

    /// Where it stands. Nothing changes by it.
    fn save(&mut self) -> Result<Saved>;

    /// Moves a step that has just been started there.
    fn restore(&mut self, saved: &Saved) -> Result<()>;
}

/// What passes share beside their numbers.
pub(crate) trait Keeper {
    /// All of it, with the numbers of the passes over what it keeps.
    fn save(&self) -> Result<Saved>;

    /// Takes it over, unless there is something already.
    fn restore(&self, saved: &Saved) -> Result<()>;
}

/// A step with its place in the user's code, and what it has done so far.
pub(crate) struct Node {
    pub(crate) stage: Box<dyn Stage>,
    pub(crate) at: &'static Location<'static>,
    pub(crate) elements: AtomicU64,
    pub(crate) failures: AtomicU64,
    pub(crate) nanos: AtomicU64,
    spec: OnceLock<Result<Option<AnySpec>>>,
    cardinality: OnceLock<Cardinality>,
}

impl Node {
    #[track_caller]
    pub(crate) fn new(stage: impl Stage) -> Arc<Self> {
        Self::at(Location::caller(), stage)
    }

    pub(crate) fn at(at: &'static Location<'static>, stage: impl Stage) -> Arc<Self> {
        let zero = || AtomicU64::new(0);
        Arc::new(Self {
            stage: Box::new(stage),
            at,
            elements: zero(),
            failures: zero(),
            nanos: zero(),
            spec: OnceLock::new(),
            cardinality: OnceLock::new(),
        })
    }

    pub(crate) fn spec(&self) -> Result<Option<AnySpec>> {
        if let Some(known) = self.spec.get() {
            return known.clone();
        }
        // Users' code runs while nothing is locked: find first, then keep.
        let what = || format!("the spec of `{}`", self.stage.name());
        let found = deep(|| caught(what, || self.stage.spec())).map_err(|e| self.place(e, None));
        match is_untraced() {
            true => found,
            false => self.spec.get_or_init(|| found).clone(),
        }
    }

    pub(crate) fn cardinality(&self) -> Cardinality {
        *self.cardinality.get_or_init(|| deep(|| self.stage.cardinality()))
    }

    pub(crate) fn start(self: &Arc<Self>, run: &Run) -> Feed {
        Feed {
            cursor: deep(|| self.stage.start(run)),
            node: self.clone(),
            run: run.clone(),
            asked: 0,
            done: false,
            slow: false,
        }
    }

    /// Visits the steps up to this one, sources first. `f` also gets whether the step was visited before; the inputs of
    /// such a step are not visited again.
    pub(crate) fn walk<'a>(&'a self, f: &mut dyn FnMut(usize, &'a Node, bool)) {
        self.walk_from(0, &mut HashSet::new(), f);
    }

    fn walk_from<'a>(
        &'a self,
        depth: usize,
        seen: &mut HashSet<*const Node>,
        f: &mut dyn FnMut(usize, &'a Node, bool),
    ) {
        let again = !seen.insert(std::ptr::from_ref(self));
        if !again {
            for input in self.stage.inputs() {
                deep(|| input.walk_from(depth + 1, seen, f));
            }
        }
        f(depth, self, again);
    }

    /// The steps up to this one as lines, and how deep each stands.
    pub(crate) fn lines_at_depth(&self) -> Vec<(usize, String)> {
        let mut lines = Vec::new();
        self.walk(&mut |depth, node, again| {
            let line = node.line();
            lines.push((depth, if again { format!("{line}, the one above") } else { line }));
        });
        lines
    }

    /// The same without the depths.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines_at_depth().into_iter().map(|(_, line)| line).collect()
    }

    /// The steps up to this one, each once; or those of them whose passes this one begins, and no keeper.
    fn each(&self, behind_keepers: bool) -> Vec<&Self> {
        let (mut next, mut seen, mut all) = (vec![self], HashSet::new(), Vec::new());
        while let Some(node) = next.pop() {
            if seen.insert(std::ptr::from_ref(node)) {
                all.push(node);
                if behind_keepers || node.stage.keeper().is_none() {
                    next.extend(node.stage.inputs().into_iter().map(|input| &**input));
                }
            }
        }
        all
    }

    /// The seeds of the steps up to this one whose passes this one begins.
    pub(crate) fn each_seeds(&self) -> Vec<Arc<Seeds>> {
        let all = self.each(false).into_iter();
        all.filter_map(|node| node.stage.seeds()).cloned().collect()
    }

    /// How many passes there were over each of them.
    pub(crate) fn passes(&self) -> Saved {
        Passes::of(&self.each_seeds()).save()
    }

    /// Sets them.
    pub(crate) fn set_passes(&self, passes: &Saved) -> Result<()> {
        Passes::restored(passes)?.set(&self.each_seeds());
        Ok(())
    }

    /// The step as one line.
    pub(crate) fn line(&self) -> String {
        format!("{}({})", self.stage.name(), self.stage.arguments())
    }

    #[cold]
    fn place(&self, error: Error, element: Option<u64>) -> Error {
        let name = self.stage.name();
        let (file, line) = (self.at.file(), self.at.line());
        match element {
            Some(i) => error.in_context(format!("element {i} of `{name}` at {file}:{line}")),
            None => error.in_context(format!("`{name}` at {file}:{line}")),
        }
    }
}

impl Drop for Node {
    /// Long pipelines are dropped step by step, without recursion that grows with them.
    fn drop(&mut self) {
        deep(|| self.stage = Box::new(super::sources::Nothing));
    }
}

/// Each so many elements the time of a quick step is taken.
const SAMPLED: u64 = 16;

/// A step is slow if it takes so long; then each time is taken.
const SLOW: Duration = Duration::from_micros(2);

/// A running step as others read it: it ends once, counts, says where failures happened, and stops when nobody waits.
pub(crate) struct Feed {
    cursor: Box<dyn Cursor>,
    node: Arc<Node>,
    run: Run,
    asked: u64,
    done: bool,
    slow: bool,
}

impl Feed {
    #[inline]
    pub(crate) fn next(&mut self) -> Next {
        self.ask(|cursor| cursor.next())
    }

    /// The place of the next element in the step's [`rows`](Stage::rows).
    #[inline]
    pub(crate) fn next_row(&mut self) -> Option<Result<usize, Failure>> {
        self.ask(|cursor| cursor.next_row())
    }

    #[inline]
    fn ask<T>(
        &mut self,
        next: impl FnOnce(&mut dyn Cursor) -> Option<Result<T, Failure>>,
    ) -> Option<Result<T, Failure>> {
        if self.done {
            return None;
        }
        // All loops of all steps read elements, and so end here.
        if self.run.is_stopped() {
            return Some(Err(Failure::stopped()));
        }
        let timed = self.slow || self.asked.is_multiple_of(SAMPLED);
        let start = timed.then(Instant::now);
        let next = deep(|| next(&mut *self.cursor));
        if let Some(start) = start {
            self.took(start.elapsed());
        }
        match next {
            Some(result) => {
                self.asked += 1;
                Some(result.map_err(|failure| self.failed(failure)))
            }
            None => {
                self.done = true;
                None
            }
        }
    }

    fn took(&mut self, time: Duration) {
        // The time of a quick step stands for those that are not taken.
        self.slow = time > SLOW;
        let weight = if self.slow { 1 } else { SAMPLED };
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.node.nanos.fetch_add(nanos.saturating_mul(weight), Ordering::Relaxed);
    }

    #[cold]
    fn failed(&mut self, failure: Failure) -> Failure {
        self.done |= failure.ends;
        if failure.placed {
            return failure;
        }
        self.node.failures.fetch_add(1, Ordering::Relaxed);
        let element = (!failure.ends).then(|| self.asked - 1);
        Failure { error: self.node.place(failure.error, element), placed: true, ..failure }
    }

    pub(crate) fn save(&mut self) -> Result<Saved> {
        let own = deep(|| self.cursor.save()).map_err(|e| self.node.place(e, None))?;
        Ok(Saved::List(vec![Saved::Count(self.asked), Saved::from(self.done), own]))
    }

    pub(crate) fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [asked, done, own] = saved.list()?;
        (self.asked, self.done) = (asked.count()?, done.flag()?);
        deep(|| self.cursor.restore(own)).map_err(|e| self.node.place(e, None))
    }

    /// Where the step stands, and what passes share, also of steps that are not read now.
    pub(crate) fn save_whole(&mut self) -> Result<Saved> {
        let own = self.save()?;
        let keepers = self.node.each(true).into_iter().filter_map(|node| node.stage.keeper());
        let kept = keepers.map(Keeper::save).collect::<Result<_>>()?;
        Ok([own, Saved::List(kept), self.node.passes()].into())
    }

    /// Goes on where [`save_whole`](Self::save_whole) was called.
    pub(crate) fn restore_whole(&mut self, saved: &Saved) -> Result<()> {
        let [own, kept, passes] = saved.list()?;
        self.restore(own)?;
        let keepers = self.node.each(true).into_iter().filter_map(|node| node.stage.keeper());
        keepers.zip(kept.items()?).try_for_each(|(keeper, kept)| keeper.restore(kept))?;
        // Restoring has started passes, which are none.
        self.node.set_passes(passes)
    }

    pub(crate) fn node(&self) -> &Node {
        &self.node
    }

    /// How many elements and failures it gave.
    pub(crate) fn asked(&self) -> u64 {
        self.asked
    }

    /// True if the step has ended.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.node.elements.fetch_add(self.asked, Ordering::Relaxed);
        deep(|| self.cursor = Box::new(super::sources::NoCursor));
    }
}
