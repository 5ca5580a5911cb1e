//! Steps that watch elements: failures, specs, numbers.

use std::sync::Arc;

use super::Dataset;
use super::rim::run;
use super::stage::{Cardinality, Cursor, Failure, Feed, Next, Node, Stage};
use super::state::Saved;
use super::stop::Run;
use crate::spec::{AnySpec, Structure, TypeSpec};
use crate::types::{Error, Result, bail, err};

impl<S: Structure> Dataset<S> {
    /// The elements without those that failed. The error of a source, which ends it, is left out too; panics stay.
    ///
    /// TensorFlow: `Dataset.ignore_errors`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data = Dataset::range(0..4).map(|x| match x.item::<i64>()? {
    ///     2 => Err(Error::invalid("two")),
    ///     _ => Ok(x),
    /// });
    /// assert!(data.collect_all().is_err());
    /// assert_eq!(data.ignore_errors().collect_all()?.len(), 3);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn ignore_errors(&self) -> Self {
        self.at_errors("ignore_errors", None, |_| {})
    }

    /// [`ignore_errors`](Self::ignore_errors) with a function that sees each error.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    ///
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let dropped = Arc::new(AtomicUsize::new(0));
    /// let count = dropped.clone();
    /// let odd = Dataset::range(0..4).map(|x| match x.item::<i64>()? % 2 {
    ///     0 => Err(Error::invalid("even")),
    ///     _ => Ok(x),
    /// });
    /// odd.on_error(move |_| _ = count.fetch_add(1, Ordering::Relaxed)).collect_all()?;
    /// assert_eq!(dropped.load(Ordering::Relaxed), 2);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn on_error(&self, f: impl Fn(&Error) + Send + Sync + 'static) -> Self {
        self.at_errors("on_error", None, f)
    }

    /// [`ignore_errors`](Self::ignore_errors) for at most `n` errors in a pass. The next one comes through, and the pass
    /// is over.
    #[track_caller]
    pub fn max_errors(&self, n: u64) -> Self {
        self.at_errors("max_errors", Some(n), |_| {})
    }

    #[track_caller]
    fn at_errors(
        &self,
        name: &'static str,
        most: Option<u64>,
        see: impl Fn(&Error) + Send + Sync + 'static,
    ) -> Self {
        Self::of(Node::new(Ignored { name, input: self.node.clone(), most, see: Arc::new(see) }))
    }

    /// States the spec of the elements. One that doesn't fit is an error.
    ///
    /// TensorFlow: `tf.data.experimental.assert_element_shape`, for any type.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data = Dataset::from_iter(|| [tensor![1i64], tensor![1i64, 2]])
    ///     .with_element_spec(&TensorSpec::of::<i64>([2]));
    /// let mut elements = data.iter();
    /// assert!(elements.next().unwrap().is_err() && elements.next().unwrap().is_ok());
    /// ```
    #[track_caller]
    pub fn with_element_spec(&self, spec: &S::Spec) -> Self {
        self.clone().with_any_spec(spec.to_any())
    }

    #[track_caller]
    pub(super) fn with_any_spec(self, spec: AnySpec) -> Self {
        Self::of(Node::new(Stated { input: self.node, spec: Arc::new(spec) }))
    }

    /// States the number of elements. A pass with fewer ends in an error, and so does one with more.
    ///
    /// TensorFlow: `tf.data.experimental.assert_cardinality`.
    ///
    /// ```
    /// use extype::data::{Cardinality, Dataset};
    /// use extype::prelude::*;
    /// let even = Dataset::range(0..10).filter(|x| x.floor_mod(2)?.equal(0));
    /// assert_eq!(even.assert_cardinality(5).cardinality(), Cardinality::Exact(5));
    /// assert!(even.assert_cardinality(5).collect_all().is_ok());
    /// assert!(even.assert_cardinality(6).collect_all().is_err());
    /// assert!(even.assert_cardinality(4).collect_all().is_err());
    /// ```
    #[track_caller]
    pub fn assert_cardinality(&self, n: u64) -> Self {
        Self::of(Node::new(Counted { input: self.node.clone(), n }))
    }
}

struct Ignored {
    name: &'static str,
    input: Arc<Node>,
    most: Option<u64>,
    see: Arc<dyn Fn(&Error) + Send + Sync>,
}

impl Stage for Ignored {
    fn name(&self) -> &'static str {
        self.name
    }

    fn arguments(&self) -> String {
        self.most.map_or_else(String::new, |n| n.to_string())
    }

    fn input(&self) -> Option<&Arc<Node>> {
        Some(&self.input)
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Unknown
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        Box::new(IgnoreCursor {
            input: self.input.start(run),
            left: self.most,
            see: self.see.clone(),
        })
    }
}

struct IgnoreCursor {
    input: Feed,
    left: Option<u64>,
    see: Arc<dyn Fn(&Error) + Send + Sync>,
}

impl Cursor for IgnoreCursor {
    fn next(&mut self) -> Next {
        loop {
            match self.input.next()? {
                Err(mut failure) if !failure.ends || failure.source => {
                    if let Err(panic) = run(|| {
                        (self.see)(&failure.error);
                        Ok(())
                    }) {
                        return Some(Err(panic));
                    }
                    if self.left == Some(0) {
                        failure.ends = true;
                        return Some(Err(failure));
                    }
                    self.left = self.left.map(|n| n - 1);
                    if failure.ends {
                        return None;
                    }
                }
                other => return Some(other),
            }
        }
    }

    fn save(&mut self) -> Result<Saved> {
        Ok([self.input.save()?, self.left.unwrap_or(0).into()].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [input, left] = saved.list()?;
        let count = left.count()?;
        self.left = self.left.map(|_| count);
        self.input.restore(input)
    }
}

struct Stated {
    input: Arc<Node>,
    spec: Arc<AnySpec>,
}

impl Stage for Stated {
    fn name(&self) -> &'static str {
        "with_element_spec"
    }

    fn arguments(&self) -> String {
        self.spec.to_string()
    }

    fn input(&self) -> Option<&Arc<Node>> {
        Some(&self.input)
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        match self.input.spec()? {
            Some(input) if !input.is_compatible_with(&self.spec) => {
                bail!("elements of {input} are no elements of {}", self.spec)
            }
            _ => Ok(Some((*self.spec).clone())),
        }
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        Box::new(StatedCursor { input: self.input.start(run), spec: self.spec.clone(), last: None })
    }
}

struct StatedCursor {
    input: Feed,
    spec: Arc<AnySpec>,
    /// The last spec that was found to fit.
    last: Option<Arc<AnySpec>>,
}

impl Cursor for StatedCursor {
    fn next(&mut self) -> Next {
        let element = match self.input.next()? {
            Ok(element) => element,
            failed => return Some(failed),
        };
        if self.last.as_ref().is_none_or(|last| !Arc::ptr_eq(last, &element.spec)) {
            if !element.spec.is_compatible_with(&self.spec) {
                let text = format!("an element of {} is no {}", element.spec, self.spec);
                return Some(Err(Error::invalid(text).into()));
            }
            self.last = Some(element.spec.clone());
        }
        Some(Ok(element))
    }

    fn save(&mut self) -> Result<Saved> {
        self.input.save()
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        self.input.restore(saved)
    }
}

/// A step that knows how many elements come.
struct Counted {
    input: Arc<Node>,
    n: u64,
}

impl Stage for Counted {
    fn name(&self) -> &'static str {
        "assert_cardinality"
    }

    fn arguments(&self) -> String {
        self.n.to_string()
    }

    fn input(&self) -> Option<&Arc<Node>> {
        Some(&self.input)
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Exact(self.n)
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        Box::new(CountedCursor { input: self.input.start(run), n: self.n })
    }
}

struct CountedCursor {
    input: Feed,
    n: u64,
}

impl Cursor for CountedCursor {
    fn next(&mut self) -> Next {
        let (next, n) = (self.input.next(), self.n);
        let error = match &next {
            Some(Ok(_)) if self.input.asked() > n => {
                err!(FailedPrecondition, "there are more than the {n} elements stated")
            }
            None if self.input.asked() < n => err!(
                FailedPrecondition,
                "there are {} elements, not the {n} stated",
                self.input.asked()
            ),
            _ => return next,
        };
        Some(Err(Failure::last(error)))
    }

    fn save(&mut self) -> Result<Saved> {
        self.input.save()
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        self.input.restore(saved)
    }
}
