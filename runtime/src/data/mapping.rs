//! Functions on elements, one by one.

use std::marker::PhantomData;
use std::sync::Arc;

use super::joining::Zipped;
use super::parallel::{ParallelMap, checked_threads};
use super::rim::{Answer, Reader, Writer, run, traced, traced_result};
use super::sources::{Numbers, Random, type_name_of};
use super::stage::{Cardinality, Cursor, Feed, Next, Node, Stage};
use super::state::Saved;
use super::stop::Run;
use super::{Dataset, Seed};
use crate::spec::{AnySpec, Structure};
use crate::tensor::Tensor;
use crate::types::{DType, Result};

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
    /// The threads work ahead, by at most two elements each. They end when the pass is dropped, as soon as the calls that
    /// they are in return.
    ///
    /// TensorFlow: `Dataset.map` with `num_parallel_calls`.
    ///
    /// # Errors
    /// `InvalidArgument` for no threads, and for more than 1024.
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

    /// The results of a function of an element and of a seed that belongs to the element: it depends on `seed`, the
    /// number of the pass and the place of the element only, not on threads, or on where a pass was resumed. With a
    /// [`fixed`](Seed::fixed) seed it is the same in each pass. It is an int64 vector of two numbers, as the functions
    /// `stateless_…` take it.
    ///
    /// ```
    /// use extype::data::{Dataset, Seed};
    /// use extype::prelude::*;
    /// let noise = |seed| {
    ///     Dataset::range(0..3)
    ///         .map_seeded(seed, |seed, _| random::stateless_uniform(Shape::scalar(), &seed, .., f32))
    /// };
    /// let pass = |data: &Dataset<Tensor>| -> Result<Vec<f32>> {
    ///     data.iter().map(|x| x?.item()).collect()
    /// };
    /// let (data, fixed) = (noise(Seed::new(5)), noise(Seed::new(5).fixed()));
    /// assert_ne!(pass(&data)?, pass(&data)?);
    /// assert_eq!(pass(&fixed)?, pass(&fixed)?);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn map_seeded<R: Structure>(
        &self,
        seed: impl Into<Seed>,
        f: impl Fn(Tensor, S) -> Result<R> + Send + Sync + 'static,
    ) -> Dataset<R> {
        let seeds = Node::new(Random::new(seed.into().or_again(true), true));
        let seeded = Node::new(Zipped::tuple("zip", vec![seeds, self.node.clone()]));
        Dataset::of(Node::new(Mapped::new(seeded, move |(seed, x)| f(seed, x), None)))
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
        self.tested(test, false)
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
        self.tested(test, true)
    }

    /// The elements for which a test is true, or with `ends` those before the first that fails it.
    #[track_caller]
    fn tested<B: Answer<bool>>(
        &self,
        test: impl Fn(&S) -> Result<B> + Send + Sync + 'static,
        ends: bool,
    ) -> Self {
        Self::of(Node::new(Tested {
            input: self.node.clone(),
            function: type_name_of(&test),
            test: Arc::new(test),
            ends,
            of: PhantomData::<fn(S)>,
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
        let numbers = Node::new(Numbers::new(start, None, 1, DType::I64));
        Dataset::of(Node::new(Zipped::tuple("enumerate", vec![numbers, self.node.clone()])))
    }
}

struct Mapped<S, R, F> {
    input: Arc<Node>,
    function: &'static str,
    f: Arc<F>,
    /// The number of other threads that call the function.
    threads: Option<usize>,
    of: PhantomData<fn(S) -> R>,
}

impl<S: Structure, R: Structure, F: Fn(S) -> Result<R>> Mapped<S, R, F> {
    fn new(input: Arc<Node>, f: F, threads: Option<usize>) -> Self {
        let function = type_name_of(&f);
        Self { input, function, f: Arc::new(f), threads, of: PhantomData }
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

    fn input(&self) -> Option<&Arc<Node>> {
        Some(&self.input)
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        traced(&self.input, &*self.f)
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        let f = self.f.clone();
        if let Some(threads) = self.threads {
            return Box::new(ParallelMap::new(&self.input, run, f, threads));
        }
        let input = self.input.start(run);
        Box::new(MapCursor { input, f, reader: Reader::default(), writer: Writer::default() })
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

    fn input(&self) -> Option<&Arc<Node>> {
        Some(&self.input)
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        let spec = self.input.spec()?;
        let test = |x: S| (self.test)(&x);
        traced_result(&self.input, test, |answer| answer.check().map(|()| None))?;
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
        })
    }
}

struct TestCursor<S: Structure, F> {
    input: Feed,
    test: Arc<F>,
    reader: Reader<S>,
    ends: bool,
}

impl<S, B, F> Cursor for TestCursor<S, F>
where
    S: Structure,
    B: Answer<bool>,
    F: Fn(&S) -> Result<B> + Send + Sync + 'static,
{
    fn next(&mut self) -> Next {
        loop {
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
    }

    fn save(&mut self) -> Result<Saved> {
        self.input.save()
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        self.input.restore(saved)
    }
}
