//! Why and how often a function is traced: counts, causes, and the warning about too many traces.

use std::collections::VecDeque;
use std::fmt;
use std::panic::Location;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::spec::{AnySpec, first_difference};
use crate::sync::Counter;
use crate::trace::{CallKey, TracedFor};

/// The window of calls in which traces are counted for the warning, as in TensorFlow.
const WINDOW: u64 = 10;
/// With so many traces in the window there is a warning.
const FREQUENT: usize = 5;
/// The most warnings of one function.
const MAX_WARNINGS: usize = 2;
/// The most records of traces that a function keeps.
const MAX_RECORDS: usize = 256;
/// The most earlier traces that a new one is compared with, the latest ones.
pub(super) const COMPARED: usize = 16;

/// Why a function was traced.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// It had no traces.
    First,
    /// An argument has a type that no trace serves.
    Argument {
        /// The parameter, and the place in it: `m.values`, `xs[2]`.
        path: String,
        /// The type there in the most similar trace.
        old: AnySpec,
        /// The type there in this call.
        new: AnySpec,
    },
    /// The device scope or another part of the context differs.
    Context,
    /// There was a trace for these types, which could not serve. State that it captured is gone, or state that it
    /// found missing exists now, or other arguments are the same variable.
    State,
}

impl Cause {
    /// The cause of a trace for `key`, for which there is none, given the latest traces, the latest first.
    pub(super) fn of<T>(key: &CallKey, latest: &[Arc<TracedFor<T>>], parameters: &[&str]) -> Cause {
        let keys = || latest.iter().map(|traced| &traced.key);
        if latest.is_empty() {
            return Cause::First;
        }
        if keys().any(|known| known.any == key.any) {
            return Cause::Context;
        }
        let differing = |known: &&CallKey| {
            known.any.iter().zip(&*key.any).filter(|(a, b)| a != b).count()
                + known.any.len().abs_diff(key.any.len())
        };
        // Of equally similar traces the latest.
        let nearest = keys().min_by_key(differing);
        let pairs = nearest.into_iter().flat_map(|known| known.any.iter().zip(&*key.any));
        let Some((i, (old, new))) = pairs.enumerate().find(|(_, (a, b))| a != b) else {
            return Cause::Context;
        };
        let mut path = parameters.get(i).map_or_else(|| format!("{i}"), |p| (*p).to_owned());
        let (old, new) = first_difference(old, new, &|a, b| a == b, &mut path);
        Cause::Argument { path, old, new }
    }

    /// What to write so that the next such call needs no trace.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor, by: &i64| ops::mul(x, *by));
    /// f.call(&scalar(1.0f32), &2)?;
    /// f.call(&scalar(1.0f32), &3)?;
    /// let cause = &f.stats().traces[1].cause;
    /// assert_eq!(cause.to_string(), "argument `b`: 2 → 3");
    /// assert!(cause.advice().starts_with("Plain data is part of the key"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn advice(&self) -> &'static str {
        let Cause::Argument { old, new, .. } = self else {
            return match self {
                Cause::Context => "Call it in one device scope, or one function for each.",
                Cause::State => {
                    "Keep the state that it uses in a struct that lives as long as the function is called."
                }
                _ => "",
            };
        };
        old.advice(new)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::First => f.write_str("the first call"),
            Cause::Context => f.write_str("another context, such as a device scope"),
            Cause::State => f.write_str("state that is gone, is new, or is passed in another way"),
            Cause::Argument { path, old, new } => {
                let (old, new) = old.contrast(new);
                write!(f, "argument `{path}`: {old} → {new}")
            }
        }
    }
}

/// One trace of a function.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TraceRecord {
    /// The types that it was made for, one for each argument.
    pub signature: AnySpec,
    /// Why it was made.
    pub cause: Cause,
    /// How long tracing took, with the functions that were traced meanwhile.
    pub time: Duration,
}

/// How often a function was called and traced.
///
/// It prints as a report.
///
/// ```
/// use extype::prelude::*;
/// let f = function(|x: &Tensor| x.square());
/// for n in [2, 3, 2] {
///     f.call(&ops::zeros([n], f32)?)?;
/// }
/// let stats = f.stats();
/// assert_eq!((stats.calls, stats.hits, stats.traced), (3, 1, 2));
/// assert_eq!(stats.traces[1].cause.to_string(), "argument `a`: shape [2] → [3]");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Stats {
    /// The calls. One that failed before or while it was traced counts too.
    pub calls: u64,
    /// The calls that an earlier call had prepared: they looked up a trace, and ran it.
    pub hits: u64,
    /// How many traces were made, also by `concrete`.
    pub traced: u64,
    /// How many traces were dropped because there were too many (`max_traces`).
    pub evicted: u64,
    /// The time spent in making traces.
    pub tracing: Duration,
    /// The last 256 traces that were made, in order.
    pub traces: Vec<TraceRecord>,
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stats { calls, hits, traced, evicted, tracing, .. } = self;
        write!(
            f,
            "{calls} calls, {hits} hits, {traced} traces in {tracing:.1?}, {evicted} dropped"
        )?;
        for TraceRecord { signature, cause, time } in &self.traces {
            write!(f, "\n  {time:>8.1?}  {signature}, for {cause}")?;
        }
        Ok(())
    }
}

/// A function is traced again and again.
///
/// It prints as the text that the default hook writes to stderr.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Retracing {
    /// The name of the function.
    pub function: String,
    /// The traces in the last calls.
    pub traces: usize,
    /// The number of these calls.
    pub calls: u64,
    /// Why the last trace was made.
    pub cause: Cause,
    /// Where the function was made, if each of these traces belongs to another function that was made there: a closure
    /// within a loop.
    pub made_anew_at: Option<&'static Location<'static>>,
}

impl fmt::Display for Retracing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Retracing { function, traces, calls, cause, made_anew_at } = self;
        write!(f, "`{function}` was traced {traces} times in {calls} calls; ")?;
        match made_anew_at {
            Some(at) => write!(
                f,
                "it is made anew at {}:{}.\n  Make it once, outside of the loop.",
                at.file(),
                at.line()
            ),
            None => write!(f, "the last retrace came from {cause}.\n  {}", cause.advice()),
        }
    }
}

type Hook = Arc<dyn Fn(&Retracing) + Send + Sync>;

static HOOK: Mutex<Option<Hook>> = Mutex::new(None);

/// Sets what happens when a function is traced too often: with five traces among its last ten calls. A function warns
/// at most twice. `None` brings back the default, which prints to stderr. Returns the hook before.
///
/// Calls within other traces, and `concrete`, do not count.
///
/// TensorFlow: the warning "… triggered tf.function retracing".
///
/// ```
/// use extype::function::set_retracing_hook;
/// use extype::prelude::*;
/// use std::sync::{Arc, Mutex};
///
/// let told = Arc::new(Mutex::new(Vec::new()));
/// let hook = told.clone();
/// set_retracing_hook(Some(Arc::new(move |e| hook.lock().unwrap().push(e.to_string()))));
/// let f = function(|x: &Tensor| x.square());
/// for n in 1..6 {
///     f.call(&ops::zeros([n], f32)?)?;
/// }
/// assert_eq!(
///     *told.lock().unwrap(),
///     ["`closure` was traced 5 times in 5 calls; the last retrace came from argument `a`: shape [4] → [5].
///   Give it a signature with `?` for sizes that change, or write `reduce_retracing`."]
/// );
/// set_retracing_hook(None);
/// # Ok::<(), Error>(())
/// ```
pub fn set_retracing_hook(
    hook: Option<Arc<dyn Fn(&Retracing) + Send + Sync>>,
) -> Option<Arc<dyn Fn(&Retracing) + Send + Sync>> {
    std::mem::replace(&mut *locked(&HOOK), hook)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The traces among the last calls.
#[derive(Default)]
struct Detector {
    /// For each trace in the window the number of calls from it to the next.
    calls_of_traces: VecDeque<u64>,
    warnings: usize,
}

impl Detector {
    fn hit(&mut self, calls: u64) {
        if let Some(last) = self.calls_of_traces.back_mut() {
            *last += calls;
        }
    }

    /// Counts a call that traced. Returns the traces and the calls in the window, if that is to be told.
    fn trace(&mut self) -> Option<(usize, u64)> {
        self.calls_of_traces.push_back(1);
        let mut calls: u64 = self.calls_of_traces.iter().sum();
        while let Some(first) = self.calls_of_traces.front()
            && calls - first > WINDOW
        {
            calls -= first;
            self.calls_of_traces.pop_front();
        }
        let traces = self.calls_of_traces.len();
        if traces < FREQUENT || self.warnings >= MAX_WARNINGS {
            return None;
        }
        self.warnings += 1;
        Some((traces, calls))
    }
}

/// The detectors of closures by where they are made: a closure that a loop makes anew is one function to its author.
static DETECTORS: Mutex<Option<FxHashMap<Location<'static>, Detector>>> = Mutex::new(None);

/// What a function knows of its calls and traces.
pub(super) struct History {
    hits: Counter,
    log: Mutex<Log>,
    /// Where a closure was made.
    made_at: Option<&'static Location<'static>>,
}

#[derive(Default)]
struct Log {
    misses: u64,
    traced: u64,
    tracing: Duration,
    records: VecDeque<TraceRecord>,
    /// The hits that the detector knows of.
    reported: u64,
    detector: Detector,
}

impl History {
    pub(super) fn new(made_at: Option<&'static Location<'static>>) -> Self {
        Self { hits: Counter::default(), log: Mutex::default(), made_at }
    }

    /// Counts a call that found its trace at once.
    #[inline]
    pub(super) fn hit(&self) {
        self.hits.add();
    }

    /// Counts a call that did not.
    pub(super) fn miss(&self) {
        locked(&self.log).misses += 1;
    }

    /// Notes a trace. `name` is that of the function, if the trace was made for a call outside of other traces.
    pub(super) fn trace(&self, record: TraceRecord, name: Option<&str>) {
        let mut log = locked(&self.log);
        let cause = name.map(|_| record.cause.clone());
        log.traced += 1;
        log.tracing += record.time;
        log.records.push_back(record);
        if log.records.len() > MAX_RECORDS {
            log.records.pop_front();
        }
        let (Some(function), Some(cause)) = (name, cause) else { return };
        let hits = self.hits.sum();
        let new = hits - std::mem::replace(&mut log.reported, hits);
        let told = self.detect(&mut log.detector, |detector| {
            detector.hit(new);
            detector.trace()
        });
        let own = log.traced;
        drop(log);
        if let Some((traces, calls)) = told {
            let made_anew_at = self.made_at.filter(|_| own == 1);
            let e = Retracing { function: function.to_owned(), traces, calls, cause, made_anew_at };
            let hook = locked(&HOOK).clone();
            match hook {
                Some(hook) => hook(&e),
                None => eprintln!("warning: {e}"),
            }
        }
    }

    fn detect<R>(&self, own: &mut Detector, f: impl FnOnce(&mut Detector) -> R) -> R {
        match self.made_at {
            None => f(own),
            Some(at) => f(locked(&DETECTORS).get_or_insert_default().entry(*at).or_default()),
        }
    }

    pub(super) fn stats(&self, evicted: u64) -> Stats {
        let hits = self.hits.sum();
        let log = locked(&self.log);
        Stats {
            calls: hits + log.misses,
            hits,
            traced: log.traced,
            evicted,
            tracing: log.tracing,
            traces: log.records.iter().cloned().collect(),
        }
    }
}

impl Drop for History {
    fn drop(&mut self) {
        let mut log = locked(&self.log);
        let new = self.hits.sum() - log.reported;
        if self.made_at.is_some() && new > 0 {
            self.detect(&mut log.detector, |detector| detector.hit(new));
        }
    }
}
