//! Datasets made of elements, one after the other or in turn.

use std::marker::PhantomData;
use std::sync::Arc;

use super::Dataset;
use super::rim::{self, Reader};
use super::sources::type_name_of;
use super::stage::{Cardinality, Cursor, Element, Failure, Feed, Next, Node, Stage};
use super::state::Saved;
use super::stop::Run;
use crate::spec::{AnySpec, Structure};
use crate::types::{Result, bail, err};

impl<S: Structure> Dataset<S> {
    /// The elements of the datasets that a function makes of the elements, one dataset after the other.
    ///
    /// TensorFlow: `Dataset.flat_map`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data = Dataset::range(0..4).flat_map(|n| Ok(Dataset::range(0..n.item()?)));
    /// let all: Vec<i64> = data.iter().map(|x| x?.item()).collect::<Result<_>>()?;
    /// assert_eq!(all, [0, 0, 1, 0, 1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn flat_map<R: Structure>(
        &self,
        f: impl Fn(S) -> Result<Dataset<R>> + Send + Sync + 'static,
    ) -> Dataset<R> {
        Dataset::of(Node::new(self.flattened(f, None)))
    }

    /// The elements of the datasets that a function makes of `cycle` elements at a time, `block` of each in turn. Where
    /// a dataset has ended, that of the next element takes its place when its turn comes.
    ///
    /// The order never depends on threads. Datasets that work on threads, such as those that end in
    /// [`prefetch`](Self::prefetch), work at the same time.
    ///
    /// TensorFlow: `Dataset.interleave`.
    ///
    /// # Errors
    /// `InvalidArgument` for a cycle or a block of 0.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let tens = |n: Tensor| {
    ///     let first = 10 * n.item::<i64>()?;
    ///     Ok(Dataset::range(first..first + 3))
    /// };
    /// let data = Dataset::range(1..4).interleave(2, 2, tens);
    /// let all: Vec<i64> = data.iter().map(|x| x?.item()).collect::<Result<_>>()?;
    /// assert_eq!(all, [10, 11, 20, 21, 12, 22, 30, 31, 32]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn interleave<R: Structure>(
        &self,
        cycle: usize,
        block: u64,
        f: impl Fn(S) -> Result<Dataset<R>> + Send + Sync + 'static,
    ) -> Dataset<R> {
        let checked = match (cycle, block) {
            (0, _) | (_, 0) => Err(err!("a cycle and a block have at least one element")),
            turns => Ok(turns),
        };
        self.step(checked, |_, turns| self.flattened(f, Some(turns)))
    }

    fn flattened<R: Structure, F: Fn(S) -> Result<Dataset<R>> + Send + Sync + 'static>(
        &self,
        f: F,
        turns: Option<(usize, u64)>,
    ) -> Flattened<S, R, F> {
        Flattened {
            input: self.node.clone(),
            function: type_name_of(&f),
            f: Arc::new(f),
            turns,
            of: PhantomData,
        }
    }
}

struct Flattened<S, R, F> {
    input: Arc<Node>,
    function: &'static str,
    f: Arc<F>,
    /// Cycle and block of `interleave`.
    turns: Option<(usize, u64)>,
    of: PhantomData<fn(S) -> R>,
}

impl<S, R, F> Stage for Flattened<S, R, F>
where
    S: Structure,
    R: Structure,
    F: Fn(S) -> Result<Dataset<R>> + Send + Sync + 'static,
{
    fn name(&self) -> &'static str {
        if self.turns.is_some() { "interleave" } else { "flat_map" }
    }

    fn arguments(&self) -> String {
        match self.turns {
            Some((cycle, block)) => format!("{cycle}, {block}, {}", self.function),
            None => self.function.to_owned(),
        }
    }

    fn input(&self) -> Option<&Arc<Node>> {
        Some(&self.input)
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        rim::traced_result(&self.input, &*self.f, |data| data.node.spec())
    }

    fn cardinality(&self) -> Cardinality {
        match self.input.cardinality() {
            Cardinality::Exact(0) => Cardinality::Exact(0),
            _ => Cardinality::Unknown,
        }
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        let (cycle, block) = self.turns.unwrap_or((1, 1));
        let f = self.f.clone();
        let open = Opener {
            input: self.input.start(run),
            make: Box::new(move |reader: &mut Reader<S>, element| {
                rim::run(|| Ok(f(reader.read(element)?)?.node))
            }),
            reader: Reader::default(),
            run: run.clone(),
        };
        Box::new(FlatCursor { open, slots: Vec::new(), cycle, block, at: 0, count: 0 })
    }
}

type Make<S> = dyn Fn(&mut Reader<S>, Element) -> Result<Arc<Node>, Failure> + Send;

/// Makes the datasets.
struct Opener<S: Structure> {
    input: Feed,
    make: Box<Make<S>>,
    reader: Reader<S>,
    run: Run,
}

/// A dataset that is read, and the element that it was made of.
struct Inner {
    element: Element,
    feed: Feed,
}

impl<S: Structure> Opener<S> {
    fn make(&mut self, element: Element) -> Result<Inner, Failure> {
        let node = (self.make)(&mut self.reader, element.clone())?;
        Ok(Inner { element, feed: node.start(&self.run) })
    }

    fn next(&mut self) -> Option<Result<Inner, Failure>> {
        let element = self.input.next()?;
        Some(element.and_then(|element| self.make(element)))
    }
}

struct FlatCursor<S: Structure> {
    open: Opener<S>,
    /// Those after the last are empty.
    slots: Vec<Option<Inner>>,
    cycle: usize,
    block: u64,
    /// The slot whose turn it is, and how many elements it gave in this turn.
    at: usize,
    count: u64,
}

impl<S: Structure> FlatCursor<S> {
    fn turn(&mut self) {
        (self.at, self.count) = ((self.at + 1) % self.cycle, 0);
        if self.at >= self.slots.len() && self.open.input.is_done() {
            self.at = 0;
        }
    }
}

impl<S: Structure> Cursor for FlatCursor<S> {
    fn next(&mut self) -> Next {
        loop {
            if let Some(Some(inner)) = self.slots.get_mut(self.at) {
                match inner.feed.next() {
                    Some(Ok(element)) => {
                        self.count += 1;
                        if self.count == self.block {
                            self.turn();
                        }
                        return Some(Ok(element));
                    }
                    Some(failed) => return Some(failed),
                    None => {
                        self.slots[self.at] = None;
                        self.turn();
                        continue;
                    }
                }
            }
            match self.open.next() {
                Some(Ok(inner)) => match self.slots.get_mut(self.at) {
                    Some(slot) => *slot = Some(inner),
                    None => self.slots.push(Some(inner)),
                },
                Some(Err(failure)) => return Some(Err(failure)),
                None if self.slots.iter().all(Option::is_none) => return None,
                None => self.turn(),
            }
        }
    }

    fn save(&mut self) -> Result<Saved> {
        let slot = |slot: &mut Option<Inner>| match slot {
            Some(inner) => Ok(Saved::List(vec![
                Saved::Element(inner.element.clone()),
                inner.feed.save_whole()?,
            ])),
            None => Ok(Saved::List(Vec::new())),
        };
        let slots = self.slots.iter_mut().map(slot).collect::<Result<_>>()?;
        let input = self.open.input.save()?;
        Ok([input, Saved::List(slots), self.at.into(), self.count.into()].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [input, slots, at, count] = saved.list()?;
        (self.at, self.count) = (at.size()?, count.count()?);
        for slot in slots.items()? {
            let inner = match slot.items()? {
                [] => None,
                [element, state] => {
                    let mut inner = self.open.make(element.element()?).map_err(|f| f.error)?;
                    inner.feed.restore_whole(state)?;
                    Some(inner)
                }
                _ => bail!("the saved state is damaged: a slot holds no pair"),
            };
            self.slots.push(inner);
        }
        self.open.input.restore(input)
    }
}
