//! Elements that are kept.

use std::cell::RefCell;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Dataset;
use super::rim::run;
use super::stage::{Cursor, Element, Failure, Feed, Keeper, Next, Node, Stage};
use super::state::Saved;
use super::stop::Run;
use crate::spec::Structure;
use crate::types::{Result, bail};

impl<S: Structure> Dataset<S> {
    /// The same elements, which are made once: passes share them, also passes at one time. What a pass that ended early
    /// has made is kept. Failures are kept as well. They are freed with the dataset.
    ///
    /// A pass that is dropped while another thread makes it an element, waits a moment for it. If it takes longer, it is
    /// lost, and the functions before the cache run anew up to there, for the next pass that goes so far.
    ///
    /// # Errors
    /// `FailedPrecondition` for a function that makes the elements of a cache and reads it.
    ///
    /// TensorFlow: `Dataset.cache`.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    ///
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let calls = Arc::new(AtomicUsize::new(0));
    /// let count = calls.clone();
    /// let counted = move |x: Tensor| {
    ///     count.fetch_add(1, Ordering::Relaxed);
    ///     x.square()
    /// };
    /// let data = Dataset::range(0..10).map(counted).cache();
    /// data.take(4).collect_all()?;
    /// data.collect_all()?;
    /// data.collect_all()?;
    /// assert_eq!(calls.load(Ordering::Relaxed), 10);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn cache(&self) -> Self {
        Self::of(Node::new(Cached { input: self.node.clone(), store: Arc::default() }))
    }
}

struct Cached {
    input: Arc<Node>,
    store: Arc<Store>,
}

struct Store {
    kept: Mutex<Kept>,
    changed: Condvar,
    /// The pass over the input belongs to all that read the cache, and is stopped with the one that it serves.
    run: Run,
}

impl Default for Store {
    fn default() -> Self {
        Self { kept: Mutex::default(), changed: Condvar::new(), run: Run::shared() }
    }
}

#[derive(Default)]
struct Kept {
    items: Vec<Result<Element, Failure>>,
    /// True if there are no more.
    whole: bool,
    /// The pass over the input, between its elements.
    input: Option<Feed>,
    /// How many passes there were before it.
    passes: Option<Saved>,
    /// True while a thread makes the next element.
    making: bool,
}

thread_local! {
    static MAKES: RefCell<Makes> = RefCell::default();
}

/// The caches whose elements a thread makes. A worker thread inherits them from the thread that starts it.
#[derive(Clone, Default)]
pub(super) struct Makes(Vec<usize>);

impl Makes {
    pub(super) fn of_thread() -> Self {
        MAKES.with_borrow(Clone::clone)
    }

    /// Runs `f` in a thread that makes the elements of these.
    pub(super) fn within<R>(self, f: impl FnOnce() -> R) -> R {
        let before = MAKES.replace(self);
        let result = f();
        MAKES.set(before);
        result
    }
}

impl Store {
    /// Its address tells it from others.
    fn address(self: &Arc<Self>) -> usize {
        Arc::as_ptr(self).addr()
    }

    /// Runs `f`, which works on its elements.
    fn making<R>(self: &Arc<Self>, f: impl FnOnce() -> R) -> R {
        let mut makes = Makes::of_thread();
        makes.0.push(self.address());
        makes.within(f)
    }

    /// Refuses a reader that makes the elements: it would wait for itself.
    fn check_reader(self: &Arc<Self>) -> Result<()> {
        match MAKES.with_borrow(|makes| makes.0.contains(&self.address())) {
            true => {
                bail!(FailedPrecondition, "a cache is read by a function that makes its elements")
            }
            false => Ok(()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something has changed, or some time.
    fn wait<'a>(&self, kept: MutexGuard<'a, Kept>) -> MutexGuard<'a, Kept> {
        let waited = self.changed.wait_timeout(kept, Duration::from_millis(20));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

impl Stage for Cached {
    fn name(&self) -> &'static str {
        "cache"
    }

    fn input(&self) -> Option<&Arc<Node>> {
        Some(&self.input)
    }

    fn keeper(&self) -> Option<&dyn Keeper> {
        Some(self)
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        let (node, store) = (self.input.clone(), self.store.clone());
        Box::new(CacheCursor { node, store, run: run.clone(), at: 0 })
    }
}

struct CacheCursor {
    node: Arc<Node>,
    store: Arc<Store>,
    run: Run,
    at: usize,
}

impl CacheCursor {
    /// The pass over the input with these numbers, after the elements that are kept.
    fn open(&self, passes: &Saved, kept: usize) -> Result<Feed, Failure> {
        self.node.set_passes(passes)?;
        let mut input = self.node.start(&self.store.run);
        for _ in 0..kept {
            if let Some(Err(failure)) = input.next()
                && failure.ends
            {
                return Err(failure);
            }
        }
        Ok(input)
    }

    fn make(&mut self) -> Next {
        if let Err(error) = self.store.check_reader() {
            return Some(Err(Failure::last(error)));
        }
        let mut kept = self.store.lock();
        loop {
            if let Some(item) = kept.items.get(self.at) {
                self.at += 1;
                return Some(item.clone());
            }
            if kept.whole {
                return None;
            }
            match kept.making {
                false => break,
                true if self.run.is_stopped() => return Some(Err(Failure::stopped())),
                true => kept = self.store.wait(kept),
            }
        }
        kept.making = true;
        let begin = match kept.input.take() {
            Some(input) => Ok(input),
            None => {
                let passes = kept.passes.get_or_insert_with(|| self.node.passes());
                Err((passes.clone(), kept.items.len()))
            }
        };
        drop(kept);
        self.store.run.serve(&self.run);
        let (input, next) = self.store.making(|| {
            let opened = run(|| Ok(begin.or_else(|(passes, count)| self.open(&passes, count))));
            let mut input = opened.and_then(|input| input);
            let next = match &mut input {
                Ok(input) => run(|| Ok(input.next())).unwrap_or_else(|failure| Some(Err(failure))),
                Err(failure) => Some(Err(failure.clone())),
            };
            (input, next)
        });
        self.store.run.serve(&Run::default());
        let (ends, stopped) = match &next {
            Some(Err(failure)) => (failure.ends, failure.stopped),
            next => (next.is_none(), false),
        };
        // An ended or stopped pass is of no use. It is dropped while nothing is locked.
        let input = input.ok().filter(|_| !ends);
        let mut kept = self.store.lock();
        kept.making = false;
        kept.input = input;
        if !stopped {
            kept.whole = ends;
            kept.items.extend(next.clone());
            self.at += usize::from(next.is_some());
        }
        self.store.changed.notify_all();
        next
    }
}

impl Cursor for CacheCursor {
    fn next(&mut self) -> Next {
        loop {
            match self.make() {
                // It was stopped with the pass that it served before.
                Some(Err(failure)) if failure.stopped && !self.run.is_stopped() => {}
                next => return next,
            }
        }
    }

    fn save(&mut self) -> Result<Saved> {
        Ok(self.at.into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        self.at = saved.size()?;
        Ok(())
    }
}

impl Keeper for Cached {
    fn save(&self) -> Result<Saved> {
        self.store.check_reader()?;
        let mut kept = self.store.lock();
        while kept.making {
            kept = self.store.wait(kept);
        }
        let items = Saved::List(kept.items.iter().map(Saved::of_result).collect());
        let begun = Saved::List(kept.passes.iter().cloned().collect());
        let input = match &mut kept.input {
            Some(input) => vec![input.save()?, self.input.passes()],
            None => Vec::new(),
        };
        Ok([items, kept.whole.into(), begun, Saved::List(input)].into())
    }

    fn restore(&self, saved: &Saved) -> Result<()> {
        let [items, whole, begun, input] = saved.list()?;
        // What is there was made by this pipeline too.
        let is_new = |kept: &Kept| kept.items.is_empty() && !kept.making;
        if !is_new(&self.store.lock()) {
            return Ok(());
        }
        // Users' code runs while nothing is locked.
        let input = match input.items()? {
            [input, passes] => {
                let mut feed = self.input.start(&self.store.run);
                self.store.making(|| feed.restore(input))?;
                self.input.set_passes(passes)?;
                Some(feed)
            }
            _ => None,
        };
        let items = items.items()?.iter().map(Saved::result).collect::<Result<_>>()?;
        let (whole, passes) = (whole.flag()?, begun.items()?.first().cloned());
        let mut kept = self.store.lock();
        if is_new(&kept) {
            *kept = Kept { items, whole, input, passes, making: false };
        }
        Ok(())
    }
}
