//! The typed shell of pipelines.

use std::fmt::{self, Write as _};
use std::marker::PhantomData;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::rim::{Reader, Writer};
use super::stage::{Cardinality, Element, Feed, Node};
use super::state::{IteratorState, VERSION};
use super::stop::Run;
use crate::spec::{AnyValue, Structure, TypeSpec};
use crate::tensor::Tensor;
use crate::types::{Result, bail, err};

/// A sequence of values of one type, described as a pipeline: sources and steps.
///
/// The description doesn't change. Each pass ([`iter`](Self::iter), `for x in &data`) starts it anew: functions run again.
/// Passes share only what is in caches, and the number of the pass, by which shuffles differ.
///
/// # Errors
/// Items are `Result`s. After the error of an element the pass may go on, with the element after it:
/// `for x in &data { let x = x?; … }` stops there, [`ignore_errors`](Self::ignore_errors) goes on. An error of a
/// source, and a panic in a function, come once, and then the pass is over. Methods that take sizes return datasets, not
/// `Result`s: with a wrong size the first item is the error, and [`checked`](Self::checked) gives it at once.
///
/// # Functions
/// Functions are closures or traced functions on values. A pass calls them with the elements only. To find the spec of
/// what they return ([`element_spec`](Self::element_spec)), they are traced, once and only if somebody asks.
///
/// TensorFlow: `tf.data.Dataset`.
///
/// ```
/// use extype::data::{Dataset, Remainder};
/// use extype::prelude::*;
/// let (features, labels) = (tensor![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]], tensor![0i64, 1, 1]);
/// let data = Dataset::from_tensor_slices((features, labels))?
///     .shuffle(10, 1)
///     .map(|(x, y)| Ok((&x * 2.0, y)))
///     .batch(2, Remainder::Keep)
///     .prefetch(1);
/// let mut rows = 0;
/// for batch in &data {
///     let (x, y) = batch?;
///     assert_eq!(x.shape().dims().unwrap()[0], y.shape().dims().unwrap()[0]);
///     rows += y.len();
/// }
/// assert_eq!(rows, 3);
/// # Ok::<(), Error>(())
/// ```
#[must_use = "a dataset is a description; iterate it"]
pub struct Dataset<S: Structure> {
    pub(super) node: Arc<Node>,
    /// As a tensor: an element of another dataset.
    pub(super) handle: OnceLock<Tensor>,
    of: PhantomData<fn() -> S>,
}

impl<S: Structure> Clone for Dataset<S> {
    fn clone(&self) -> Self {
        Self { node: self.node.clone(), handle: self.handle.clone(), of: PhantomData }
    }
}

/// A value as an element.
pub(super) fn erased<S: Structure>(value: S) -> Element {
    Writer::default().write(value)
}

impl<S: Structure> Dataset<S> {
    pub(crate) fn of(node: Arc<Node>) -> Self {
        Self { node, handle: OnceLock::new(), of: PhantomData }
    }

    /// Starts a pass.
    pub fn iter(&self) -> Elements<S> {
        let run = Run::default();
        Elements { feed: self.node.start(&run), reader: Reader::default(), node: self.node.clone() }
    }

    /// The pass of this number: the order of shuffles is that of a dataset that was iterated so often before.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data = || Dataset::range(0..5).shuffle(5, 3);
    /// let numbers = |pass: extype::data::Elements<Tensor>| -> Result<Vec<i64>> {
    ///     pass.map(|x| x?.item()).collect()
    /// };
    /// let passes = data();
    /// let (_, _, third) = (passes.iter(), passes.iter(), passes.iter());
    /// assert_eq!(numbers(data().pass(2))?, numbers(third)?);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn pass(&self, number: u64) -> Elements<S> {
        self.node.walk(&mut |_, node, _| {
            if let Some(seeds) = node.stage.seeds() {
                seeds.set_pass(number);
            }
        });
        self.iter()
    }

    /// A pass that goes on where another one was saved, also of another process.
    ///
    /// # Errors
    /// `InvalidArgument` if the state is one of another pipeline, with the first step that differs.
    pub fn resume(&self, state: &IteratorState) -> Result<Elements<S>> {
        state.check(&self.node.lines())?;
        let mut elements = self.iter();
        elements.feed.restore_whole(&state.root)?;
        Ok(elements)
    }

    /// The type of the elements. Sizes may be unknown. Functions are traced for it.
    ///
    /// # Errors
    /// `FailedPrecondition` if only a pass can tell, because a function looks into tensors:
    /// [`with_element_spec`](Self::with_element_spec) states it. `InvalidArgument` if a step can't take the elements of
    /// the step before.
    ///
    /// ```
    /// use extype::data::{Dataset, Remainder};
    /// use extype::prelude::*;
    /// let data = Dataset::range(0..10).map(|x| x.cast(f32)).batch(4, Remainder::Keep);
    /// assert_eq!(data.element_spec()?, TensorSpec::of::<f32>(shape![?]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn element_spec(&self) -> Result<S::Spec> {
        match self.node.spec()? {
            Some(spec) => S::Spec::from_any(&spec),
            None => bail_unknown(),
        }
    }

    /// How many elements there are, as far as it is known without running anything.
    pub fn cardinality(&self) -> Cardinality {
        self.node.cardinality()
    }

    /// The dataset, if no step has an argument that it can't have, and can't take the elements of the step before.
    ///
    /// # Errors
    /// `InvalidArgument`, with the step.
    ///
    /// ```
    /// use extype::data::{Dataset, Remainder};
    /// use extype::prelude::*;
    /// assert!(Dataset::range(0..10).batch(2, Remainder::Keep).checked().is_ok());
    /// assert!(Dataset::range(0..10).batch(0, Remainder::Keep).checked().is_err());
    /// assert!(Dataset::range(0..10).unbatch().checked().is_err());
    /// ```
    pub fn checked(self) -> Result<Self> {
        self.node.spec()?;
        Ok(self)
    }

    /// All elements.
    ///
    /// # Errors
    /// The first error.
    pub fn collect_all(&self) -> Result<Vec<S>> {
        if self.cardinality() == Cardinality::Infinite {
            bail!("the dataset never ends; `take` some of it");
        }
        self.iter().collect()
    }

    /// The one element.
    ///
    /// # Errors
    /// `InvalidArgument` for none, or for several; the error of the element.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// assert_eq!(Dataset::range(4..5).single_element()?.item::<i64>()?, 4);
    /// assert!(Dataset::range(4..6).single_element().is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "get_single_element")]
    pub fn single_element(&self) -> Result<S> {
        let mut elements = self.iter();
        let Some(one) = elements.next() else {
            bail!("a dataset of no elements has no single one")
        };
        let one = one?;
        match elements.next() {
            None => Ok(one),
            Some(Ok(_)) => bail!("a dataset of several elements has no single one"),
            Some(Err(e)) => Err(e),
        }
    }

    /// The last state: `f` makes the next one of the state and an element. `initial` if there are no elements.
    ///
    /// # Errors
    /// The first error, of an element or of `f`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let sum = Dataset::range(0..5).reduce(scalar(0i64), |s, x| Ok(&s + &x))?;
    /// assert_eq!(sum.item::<i64>()?, 10);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn reduce<T>(&self, initial: T, mut f: impl FnMut(T, S) -> Result<T>) -> Result<T> {
        self.iter().try_fold(initial, |state, x| f(state, x?))
    }

    /// The same elements, known by their specs only.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data = Dataset::range(0..2).to_any();
    /// assert_eq!(data.collect_all()?[1].as_tensor().unwrap().item::<i64>()?, 1);
    /// assert!(data.downcast::<Tensor>().collect_all().is_ok());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_any(&self) -> Dataset<AnyValue> {
        Dataset::of(self.node.clone())
    }

    /// The pipeline as a table: for each step how many elements it gave, and how long that took, with and without the
    /// steps that it reads. Times are of all passes so far that have ended or were dropped; quick steps are timed in samples.
    ///
    /// ```
    /// use extype::data::{Dataset, Remainder};
    /// use extype::prelude::*;
    /// let data = Dataset::range(0..10).batch(3, Remainder::Keep);
    /// data.collect_all()?;
    /// let report = data.report();
    /// assert_eq!(report.steps[1].elements, 4);
    /// println!("{report}");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn report(&self) -> Report {
        let (mut steps, mut inputs) = (Vec::new(), Vec::<Duration>::new());
        self.node.walk(&mut |depth, node, again| {
            let total = Duration::from_nanos(node.nanos.load(Ordering::Relaxed));
            // The times of what is read, by its depth.
            inputs.resize(inputs.len().max(depth + 2), Duration::ZERO);
            let before = std::mem::take(&mut inputs[depth + 1]);
            inputs[depth] += total;
            if again {
                return;
            }
            steps.push(StepReport {
                step: node.line(),
                at: format!("{}:{}", node.at.file(), node.at.line()),
                elements: node.elements.load(Ordering::Relaxed),
                failures: node.failures.load(Ordering::Relaxed),
                total,
                own: total.saturating_sub(before),
                depth,
            });
        });
        Report { steps }
    }
}

impl Dataset<AnyValue> {
    /// The same elements as values of a Rust type. One that is no such value is an error.
    pub fn downcast<S: Structure>(&self) -> Dataset<S> {
        Dataset::of(self.node.clone())
    }
}

#[cold]
fn bail_unknown<T>() -> Result<T> {
    Err(err!(
        FailedPrecondition,
        "the spec of the elements is not known before they come; `with_element_spec` states it"
    ))
}

/// By how much a step is indented: long pipelines stay readable.
fn indent(depth: usize) -> usize {
    2 * depth.min(20)
}

/// The steps of the pipeline, sources first; a step is indented less than what it reads. A step that several others read
/// is shown with what it reads the first time only.
impl<S: Structure> fmt::Display for Dataset<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for (depth, line) in self.node.lines_at_depth() {
            let _ = writeln!(text, "{:indent$}{line}", "", indent = indent(depth));
        }
        f.write_str(text.trim_end())
    }
}

impl<S: Structure> fmt::Debug for Dataset<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dataset<{}>:\n{self}", std::any::type_name::<S>())
    }
}

impl<S: Structure> IntoIterator for &Dataset<S> {
    type Item = Result<S>;
    type IntoIter = Elements<S>;

    fn into_iter(self) -> Elements<S> {
        self.iter()
    }
}

impl<S: Structure> IntoIterator for Dataset<S> {
    type Item = Result<S>;
    type IntoIter = Elements<S>;

    fn into_iter(self) -> Elements<S> {
        self.iter()
    }
}

/// One pass over a dataset. Dropping it stops its threads and waits for them.
#[must_use = "iterators are lazy"]
pub struct Elements<S: Structure> {
    pub(super) feed: Feed,
    reader: Reader<S>,
    node: Arc<Node>,
}

impl<S: Structure> Elements<S> {
    /// Where this pass stands. It goes on as if nothing had been saved, and so does a pass that is
    /// [resumed](Dataset::resume) from the state, in this process or in another, and the passes after it.
    ///
    /// What caches hold is part of the state, except for caches that only functions know.
    ///
    /// # Errors
    /// `InvalidArgument` if a source can't go on from a position.
    pub fn save(&mut self) -> Result<IteratorState> {
        let root = self.feed.save_whole()?;
        Ok(IteratorState { version: VERSION, pipeline: self.node.lines(), root })
    }

    /// What this is a pass over.
    pub(super) fn dataset(&self) -> Dataset<S> {
        Dataset::of(self.node.clone())
    }
}

impl<S: Structure> Iterator for Elements<S> {
    type Item = Result<S>;

    #[inline]
    fn next(&mut self) -> Option<Result<S>> {
        match self.feed.next()? {
            Ok(element) => Some(self.reader.read(element)),
            Err(failure) => Some(Err(failure.error)),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self.node.cardinality() {
            _ if self.feed.is_done() => (0, Some(0)),
            Cardinality::Infinite => (usize::MAX, None),
            Cardinality::Exact(n) => {
                let left = n.saturating_sub(self.feed.asked());
                let left = usize::try_from(left).unwrap_or(usize::MAX);
                (left, Some(left))
            }
            Cardinality::Unknown => (0, None),
        }
    }
}

impl<S: Structure> std::iter::FusedIterator for Elements<S> {}

/// What the steps of a pipeline have done.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The steps, sources first.
    pub steps: Vec<StepReport>,
}

/// What a step has done.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StepReport {
    /// The step with its arguments.
    pub step: String,
    /// The line of the user's code that made it.
    pub at: String,
    /// How many elements, failures included, it gave.
    pub elements: u64,
    /// How many failures began in it.
    pub failures: u64,
    /// How long the step and all that it reads took.
    pub total: Duration,
    /// How long the step took alone.
    pub own: Duration,
    depth: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>10} {:>8} {:>12} {:>12}  step", "elements", "failures", "total", "own")?;
        for step in &self.steps {
            writeln!(
                f,
                "{:>10} {:>8} {:>12} {:>12}  {:indent$}{}",
                step.elements,
                step.failures,
                format!("{:.1?}", step.total),
                format!("{:.1?}", step.own),
                "",
                step.step,
                indent = indent(step.depth)
            )?;
        }
        Ok(())
    }
}
