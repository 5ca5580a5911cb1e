//! Elements that are kept.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;

use super::Dataset;
use super::rim::run;
use super::stage::{Cardinality, Cursor, Element, Failure, Feed, Next, Node, Run, Stage};
use super::state::Saved;
use crate::spec::{AnySpec, Structure};
use crate::types::{Result, err};

impl<S: Structure> Dataset<S> {
    /// The same elements, which are made once: passes share them, also passes at one time. What a pass that ended early
    /// has made is kept. Failures are kept as well.
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

#[derive(Default)]
struct Store {
    kept: Mutex<Kept>,
    changed: Condvar,
}

#[derive(Default)]
struct Kept {
    items: Vec<Result<Element, Failure>>,
    /// True if there are no more.
    whole: bool,
    /// The pass over the input, between its elements.
    input: Option<Feed>,
    /// The thread that makes the next element.
    maker: Option<ThreadId>,
}

impl Store {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stage for Cached {
    fn name(&self) -> &'static str {
        "cache"
    }

    fn inputs(&self) -> Vec<&Arc<Node>> {
        vec![&self.input]
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        self.input.spec()
    }

    fn cardinality(&self) -> Cardinality {
        self.input.cardinality()
    }

    fn start(&self, _: &Run) -> Box<dyn Cursor> {
        Box::new(CacheCursor { node: self.input.clone(), store: self.store.clone(), at: 0 })
    }
}

struct CacheCursor {
    node: Arc<Node>,
    store: Arc<Store>,
    at: usize,
}

impl Cursor for CacheCursor {
    fn next(&mut self) -> Next {
        let own = std::thread::current().id();
        let mut kept = self.store.lock();
        loop {
            if let Some(item) = kept.items.get(self.at) {
                self.at += 1;
                return Some(item.clone());
            }
            if kept.whole {
                return None;
            }
            match kept.maker {
                None => break,
                Some(maker) if maker == own => {
                    let text = "a cache is read by a function that makes its elements";
                    return Some(Err(Failure::last(err!(FailedPrecondition, "{text}"))));
                }
                Some(_) => {
                    kept = self.store.changed.wait(kept).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
        kept.maker = Some(own);
        let input = kept.input.take();
        drop(kept);
        // The pass belongs to all that read the cache, and so is not stopped with one of them.
        let mut input = input.unwrap_or_else(|| self.node.start(&Run::default()));
        let next = run(|| Ok(input.next())).unwrap_or_else(|failure| Some(Err(failure)));
        let mut kept = self.store.lock();
        kept.maker = None;
        kept.whole = next.is_none() || matches!(&next, Some(Err(failure)) if failure.ends);
        kept.input = Some(input).filter(|_| !kept.whole);
        kept.items.extend(next.clone());
        self.at += usize::from(next.is_some());
        self.store.changed.notify_all();
        next
    }

    fn save(&mut self) -> Result<Saved> {
        let mut kept = self.store.lock();
        while kept.maker.is_some() {
            kept = self.store.changed.wait(kept).unwrap_or_else(PoisonError::into_inner);
        }
        let input = kept.input.as_mut().map(Feed::save).transpose()?;
        let items = Saved::List(kept.items.iter().map(Saved::of_result).collect());
        let input = Saved::List(input.into_iter().collect());
        Ok([self.at.into(), kept.whole.into(), items, input].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [at, whole, items, input] = saved.list()?;
        self.at = at.size()?;
        let mut kept = self.store.lock();
        if !kept.items.is_empty() || kept.maker.is_some() {
            // What is there was made by this pipeline too.
            return Ok(());
        }
        kept.items = items.items()?.iter().map(Saved::result).collect::<Result<_>>()?;
        kept.whole = whole.flag()?;
        if let [input] = input.items()? {
            let mut feed = self.node.start(&Run::default());
            feed.restore(input)?;
            kept.input = Some(feed);
        }
        Ok(())
    }
}
