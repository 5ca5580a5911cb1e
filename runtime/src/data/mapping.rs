//! Functions on elements, one by one.

use std::marker::PhantomData;
use std::sync::Arc;

use super::Dataset;
use super::dataset::erased;
use super::parallel::{ParallelMap, checked_threads};
use super::rim::{Reader, Answer, Traced, Writer, run};
use super::sources::type_name_of;
use super::stage::{Cardinality, Cursor, Element, Feed, Next, Node, Run, Stage};
use super::state::Saved;
use crate::spec::{AnySpec, Structure, TypeSpec};
use crate::tensor::Tensor;
use crate::types::{Error, Result, bail};

impl<S: Structure> Dataset<S> {
    /// The results of a function, in order.
    ///
    /// [`map_parallel`](Self::map_parallel) calls it on several threads.
    ///
    /// TensorFlow: `Dataset.map`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// #[tf_function]
    /// fn squared(x: &Tensor) -> Result<Tensor> {
    ///     x.square()
    /// }
    /// let data = Dataset::range(0..4).map(|x| squared(&x)).map(|x| Ok((x.clone(), &x + 1)));
    /// let (x, y) = &data.collect_all()?[3];
    /// assert_eq!((x.item::<i64>()?, y.item::<i64>()?), (9, 10));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn map<R: Structure>(
        &self,
        f: impl Fn(S) -> Result<R> + Send + Sync + 'static,
    ) -> Dataset<R> {
        Dataset::of(Node::new(Mapped::new(self.node.clone(), f, None)))
    }

    /// [`map`](Self::map) on so many threads. The order stays.
    ///
    /// The threads work ahead, by at most two elements each. They end when the pass does, or is dropped.
    ///
    /// TensorFlow: `Dataset.map` with `num_parallel_calls`.
    ///
    /// # Errors
    /// `InvalidArgument` for no threads.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data = Dataset::range(0..100).map_parallel(4, |x| x.square());
    /// assert_eq!(data.collect_all()?[99].item::<i64>()?, 9801);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn map_parallel<R: Structure>(
        &self,
        threads: usize,
        f: impl Fn(S) -> Result<R> + Send + Sync + 'static,
    ) -> Dataset<R> {
        self.step(checked_threads(threads), |input, n| Mapped::new(input, f, Some(n)))
    }

    /// The results of a function of an element and of a seed that belongs to the element: it depends on `seed` and on
    /// the place of the element only, not on threads, or on where a pass was resumed. The seed is an int64 vector of two
    /// numbers, as the functions `stateless_…` take it.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data = Dataset::range(0..3)
    ///     .map_seeded(5, |seed, _| random::stateless_uniform([2], &seed, 0.0, 1.0, f32));
    /// let all = data.collect_all()?;
    /// assert_ne!(all[0].to_vec::<f32>()?, all[1].to_vec::<f32>()?);
    /// assert_eq!(all[2].to_vec::<f32>()?, data.skip(2).collect_all()?[0].to_vec::<f32>()?);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn map_seeded<R: Structure>(
        &self,
        seed: i64,
        f: impl Fn(Tensor, S) -> Result<R> + Send + Sync + 'static,
    ) -> Dataset<R> {
        self.enumerate(0).map(move |(i, x)| {
            let seed = crate::ops::stack(&[&Tensor::scalar(seed), &i], 0)?;
            f(seed, x)
        })
    }

    /// The elements for which a test is true. The test returns `bool`, or a `Tensor` that is one.
    ///
    /// TensorFlow: `Dataset.filter`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data = Dataset::range(0..10);
    /// let small = data.filter(|x| x.less(3)).filter(|x| Ok(x.item::<i64>()? != 1));
    /// assert_eq!(small.collect_all()?.len(), 2);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn filter<B: Answer<bool>>(
        &self,
        test: impl Fn(&S) -> Result<B> + Send + Sync + 'static,
    ) -> Self {
        Self::of(Node::new(Tested {
            input: self.node.clone(),
            function: type_name_of(&test),
            test: Arc::new(test),
            traced: Traced::default(),
            ends: false,
            of: PhantomData::<fn(S)>,
        }))
    }

    /// The elements before the first for which a test is false.
    ///
    /// TensorFlow: `Dataset.take_while`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// assert_eq!(Dataset::counter(0, 2, i64)?.take_while(|x| x.less(7)).collect_all()?.len(), 4);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn take_while<B: Answer<bool>>(
        &self,
        test: impl Fn(&S) -> Result<B> + Send + Sync + 'static,
    ) -> Self {
        Self::of(Node::new(Tested {
            input: self.node.clone(),
            function: type_name_of(&test),
            test: Arc::new(test),
            traced: Traced::default(),
            ends: true,
            of: PhantomData::<fn(S)>,
        }))
    }

    /// A function of a state and an element returns the next state and what comes out. Each pass begins with the
    /// initial state. After an error the state is what it was before.
    ///
    /// TensorFlow: `Dataset.scan`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let sums = Dataset::range(1..4).scan(scalar(0i64), |s, x| {
    ///     let sum = &s + &x;
    ///     Ok((sum.clone(), sum))
    /// });
    /// assert_eq!(sums.collect_all()?[2].item::<i64>()?, 6);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn scan<T: Structure, R: Structure>(
        &self,
        initial: T,
        f: impl Fn(T, S) -> Result<(T, R)> + Send + Sync + 'static,
    ) -> Dataset<R> {
        Dataset::of(Node::new(Scanned {
            input: self.node.clone(),
            initial: erased(initial),
            function: type_name_of(&f),
            f: Arc::new(f),
            traced: Traced::default(),
            of: PhantomData::<fn(S, T) -> R>,
        }))
    }

    /// The elements with their numbers: int64 scalars from `start` on.
    ///
    /// TensorFlow: `Dataset.enumerate`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let (i, x) = &Dataset::range(7..9).enumerate(1).collect_all()?[1];
    /// assert_eq!((i.item::<i64>()?, x.item::<i64>()?), (2, 8));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn enumerate(&self, start: i64) -> Dataset<(Tensor, S)> {
        let stop = None;
        let numbers = super::sources::Numbers::new(start, stop, 1, crate::types::DType::I64);
        Dataset::of(Node::new(super::joining::Zipped::tuple(
            "enumerate",
            vec![Node::new(numbers), self.node.clone()],
        )))
    }

    /// The elements without those that failed. Errors of a source, and panics, stay.
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
        Self::of(Node::new(super::selection::Counted { input: self.node.clone(), n }))
    }
}

struct Mapped<S, R, F> {
    input: Arc<Node>,
    function: &'static str,
    f: Arc<F>,
    /// The number of other threads that call the function.
    threads: Option<usize>,
    traced: Traced,
    of: PhantomData<fn(S) -> R>,
}

impl<S: Structure, R: Structure, F: Fn(S) -> Result<R>> Mapped<S, R, F> {
    fn new(input: Arc<Node>, f: F, threads: Option<usize>) -> Self {
        let function = type_name_of(&f);
        Self { input, function, f: Arc::new(f), threads, traced: Traced::default(), of: PhantomData }
    }
}

impl<S, R, F> Stage for Mapped<S, R, F>
where
    S: Structure,
    R: Structure,
    F: Fn(S) -> Result<R> + Send + Sync + 'static,
{
    fn name(&self) -> &'static str {
        if self.threads.is_some() { "map_parallel" } else { "map" }
    }

    fn arguments(&self) -> String {
        self.function.to_owned()
    }

    fn inputs(&self) -> Vec<&Arc<Node>> {
        vec![&self.input]
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        self.traced.map(&self.input, &*self.f)
    }

    fn cardinality(&self) -> Cardinality {
        self.input.cardinality()
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        let (input, f) = (self.input.start(run), self.f.clone());
        if let Some(threads) = self.threads {
            return Box::new(ParallelMap::new(input, f, threads));
        }
        Box::new(MapCursor {
            input,
            f,
            reader: Reader::default(),
            writer: Writer::default(),
        })
    }
}

struct MapCursor<S: Structure, R: Structure, F> {
    input: Feed,
    f: Arc<F>,
    reader: Reader<S>,
    writer: Writer<R>,
}

impl<S, R, F> Cursor for MapCursor<S, R, F>
where
    S: Structure,
    R: Structure,
    F: Fn(S) -> Result<R> + Send + Sync + 'static,
{
    fn next(&mut self) -> Next {
        let element = match self.input.next()? {
            Ok(element) => element,
            failed => return Some(failed),
        };
        let (reader, writer) = (&mut self.reader, &mut self.writer);
        Some(run(|| Ok(writer.write((self.f)(reader.read(element)?)?))))
    }

    fn save(&mut self) -> Result<Saved> {
        self.input.save()
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        self.input.restore(saved)
    }
}

/// `filter`, and `take_while`, which ends.
struct Tested<S, F> {
    input: Arc<Node>,
    function: &'static str,
    test: Arc<F>,
    traced: Traced,
    ends: bool,
    of: PhantomData<fn(S)>,
}

impl<S, B, F> Stage for Tested<S, F>
where
    S: Structure,
    B: Answer<bool>,
    F: Fn(&S) -> Result<B> + Send + Sync + 'static,
{
    fn name(&self) -> &'static str {
        if self.ends { "take_while" } else { "filter" }
    }

    fn arguments(&self) -> String {
        self.function.to_owned()
    }

    fn inputs(&self) -> Vec<&Arc<Node>> {
        vec![&self.input]
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        let spec = self.input.spec()?;
        self.traced.inspect(
            &self.input,
            |x: S| (self.test)(&x),
            |answer| answer.check().map(|()| None),
        )?;
        Ok(spec)
    }

    fn cardinality(&self) -> Cardinality {
        match self.input.cardinality() {
            Cardinality::Exact(0) => Cardinality::Exact(0),
            _ => Cardinality::Unknown,
        }
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        Box::new(TestCursor {
            input: self.input.start(run),
            test: self.test.clone(),
            reader: Reader::default(),
            ends: self.ends,
            run: run.clone(),
        })
    }
}

struct TestCursor<S: Structure, F> {
    input: Feed,
    test: Arc<F>,
    reader: Reader<S>,
    ends: bool,
    run: Run,
}

impl<S, B, F> Cursor for TestCursor<S, F>
where
    S: Structure,
    B: Answer<bool>,
    F: Fn(&S) -> Result<B> + Send + Sync + 'static,
{
    fn next(&mut self) -> Next {
        while !self.run.is_stopped() {
            let element = match self.input.next()? {
                Ok(element) => element,
                failed => return Some(failed),
            };
            let reader = &mut self.reader;
            let answer = run(|| (self.test)(&reader.read(element.clone())?)?.answer());
            match answer {
                Ok(true) => return Some(Ok(element)),
                Ok(false) if self.ends => return None,
                Ok(false) => {}
                Err(failure) => return Some(Err(failure)),
            }
        }
        None
    }

    fn save(&mut self) -> Result<Saved> {
        self.input.save()
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        self.input.restore(saved)
    }
}

struct Scanned<S, T, R, F> {
    input: Arc<Node>,
    initial: Element,
    function: &'static str,
    f: Arc<F>,
    traced: Traced,
    of: PhantomData<fn(S, T) -> R>,
}

impl<S, T, R, F> Scanned<S, T, R, F>
where
    S: Structure,
    T: Structure,
    R: Structure,
    F: Fn(T, S) -> Result<(T, R)> + Send + Sync + 'static,
{
    /// The spec of what comes out, when the spec of the state has become that of all states.
    fn traced_spec(&self, input: &AnySpec) -> Result<AnySpec> {
        let mut state = (*self.initial.spec).clone();
        // Each round makes sizes unknown, or ranks; nothing else can change.
        loop {
            let pair = (T::Spec::from_any(&state)?, S::Spec::from_any(input)?);
            let f = |(s, x): (T, S)| (self.f)(s, x);
            let body = crate::function::trace_body("scan", &pair, f)?;
            let (next, out) = body.output_spec();
            let next = next.to_any();
            if next.is_subtype_of(&state) {
                return Ok(out.to_any());
            }
            let Some(wider) = state.most_specific_common_supertype(&next) else {
                bail!("the state is {state} and then {next}; it keeps its dtypes and its structure")
            };
            state = wider;
        }
    }
}

impl<S, T, R, F> Stage for Scanned<S, T, R, F>
where
    S: Structure,
    T: Structure,
    R: Structure,
    F: Fn(T, S) -> Result<(T, R)> + Send + Sync + 'static,
{
    fn name(&self) -> &'static str {
        "scan"
    }

    fn arguments(&self) -> String {
        self.function.to_owned()
    }

    fn inputs(&self) -> Vec<&Arc<Node>> {
        vec![&self.input]
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        self.traced.of(&self.input, |spec: &S::Spec| self.traced_spec(&spec.to_any()).map(Some))
    }

    fn cardinality(&self) -> Cardinality {
        self.input.cardinality()
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        Box::new(ScanCursor {
            input: self.input.start(run),
            state: self.initial.clone(),
            f: self.f.clone(),
            readers: (Reader::default(), Reader::default()),
            writers: (Writer::default(), Writer::default()),
        })
    }
}

struct ScanCursor<S: Structure, T: Structure, R: Structure, F> {
    input: Feed,
    state: Element,
    f: Arc<F>,
    readers: (Reader<T>, Reader<S>),
    writers: (Writer<T>, Writer<R>),
}

impl<S, T, R, F> Cursor for ScanCursor<S, T, R, F>
where
    S: Structure,
    T: Structure,
    R: Structure,
    F: Fn(T, S) -> Result<(T, R)> + Send + Sync + 'static,
{
    fn next(&mut self) -> Next {
        let element = match self.input.next()? {
            Ok(element) => element,
            failed => return Some(failed),
        };
        let (readers, writers) = (&mut self.readers, &mut self.writers);
        let before = self.state.clone();
        let result = run(|| {
            let (state, out) = (self.f)(readers.0.read(before)?, readers.1.read(element)?)?;
            Ok((writers.0.write(state), writers.1.write(out)))
        });
        Some(result.map(|(state, out)| {
            self.state = state;
            out
        }))
    }

    fn save(&mut self) -> Result<Saved> {
        Ok([self.input.save()?, Saved::Element(self.state.clone())].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [input, state] = saved.list()?;
        self.state = state.element()?;
        self.input.restore(input)
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

    fn inputs(&self) -> Vec<&Arc<Node>> {
        vec![&self.input]
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        self.input.spec()
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Unknown
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        Box::new(IgnoreCursor {
            input: self.input.start(run),
            left: self.most,
            see: self.see.clone(),
            run: run.clone(),
        })
    }
}

struct IgnoreCursor {
    input: Feed,
    left: Option<u64>,
    see: Arc<dyn Fn(&Error) + Send + Sync>,
    run: Run,
}

impl Cursor for IgnoreCursor {
    fn next(&mut self) -> Next {
        while !self.run.is_stopped() {
            match self.input.next()? {
                Err(mut failure) if !failure.ends => {
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
                }
                other => return Some(other),
            }
        }
        None
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

    fn inputs(&self) -> Vec<&Arc<Node>> {
        vec![&self.input]
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        match self.input.spec()? {
            Some(input) if !input.is_compatible_with(&self.spec) => {
                bail!("elements of {input} are no elements of {}", self.spec)
            }
            _ => Ok(Some((*self.spec).clone())),
        }
    }

    fn cardinality(&self) -> Cardinality {
        self.input.cardinality()
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
