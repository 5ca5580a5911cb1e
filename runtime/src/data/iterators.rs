//! Elements from Rust's iterators and functions.

use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use super::Dataset;
use super::dataset::erased;
use super::rim::{Reader, Writer, run};
use super::sources::type_name_of;
use super::stage::{Cardinality, Cursor, Element, Failure, Next, Node, Stage};
use super::state::Saved;
use super::stop::Run;
use crate::spec::{AnySpec, Structure};
use crate::types::{Result, bail, err};

impl<S: Structure> Dataset<S> {
    /// The items of an iterator, which is made anew for each pass. A saved pass is resumed by skipping so many items.
    ///
    /// What the spec of the items is, is not known before they come: [`with_element_spec`](Self::with_element_spec)
    /// states it.
    ///
    /// TensorFlow: `tf.data.Dataset.from_generator`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data = Dataset::from_iter(|| (0..3i64).map(scalar));
    /// assert_eq!(data.collect_all()?.len(), 3);
    /// assert_eq!(data.collect_all()?.len(), 3);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    #[expect(clippy::should_implement_trait, reason = "its argument makes iterators")]
    pub fn from_iter<I>(make: impl Fn() -> I + Send + Sync + 'static) -> Self
    where
        I: IntoIterator<Item = S, IntoIter: Send + 'static>,
    {
        let function = type_name_of(&make);
        let make = Box::new(move || Ok(Box::new(make().into_iter().map(Ok)) as Yields<S>));
        Self::of(Node::new(Iterated { name: "from_iter", function, make, again: true }))
    }

    /// [`from_iter`](Self::from_iter) of items that may be errors. The first error ends the pass: it is the source's.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data = Dataset::try_from_iter(|| {
    ///     [Ok(scalar(1i64)), Err(Error::invalid("a broken file")), Ok(scalar(2i64))]
    /// });
    /// let mut iterator = data.iter();
    /// assert!(iterator.next().unwrap().is_ok() && iterator.next().unwrap().is_err());
    /// assert!(iterator.next().is_none());
    /// ```
    #[track_caller]
    pub fn try_from_iter<I>(make: impl Fn() -> I + Send + Sync + 'static) -> Self
    where
        I: IntoIterator<Item = Result<S>, IntoIter: Send + 'static>,
    {
        let function = type_name_of(&make);
        let make = Box::new(move || Ok(Box::new(make().into_iter()) as Yields<S>));
        Self::of(Node::new(Iterated { name: "try_from_iter", function, make, again: true }))
    }

    /// The items of this iterator, for one pass. A second pass is an error, and a saved one can't be resumed.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data = Dataset::from_iter_once((0..3i64).map(scalar));
    /// assert_eq!(data.collect_all()?.len(), 3);
    /// assert!(data.collect_all().is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn from_iter_once(items: impl IntoIterator<Item = S, IntoIter: Send + 'static>) -> Self {
        let items = Mutex::new(Some(Box::new(items.into_iter().map(Ok)) as Yields<S>));
        let make = move || {
            items.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or_else(|| {
                err!(
                    FailedPrecondition,
                    "the iterator is used up; `Dataset::from_iter` makes one for each pass"
                )
            })
        };
        let (name, make) = ("from_iter_once", Box::new(make));
        Self::of(Node::new(Iterated { name, function: "", make, again: false }))
    }

    /// What a function makes of a state, step by step: the element and the next state, or `None` at the end. The state
    /// is part of what [`save`](super::Elements::save) saves, so that a pass is resumed without going over the elements
    /// again. An error of the function ends the pass.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let powers = Dataset::unfold(scalar(1i64), |s: Tensor| {
    ///     Ok((s.item::<i64>()? < 20).then(|| (s.clone(), &s * 2)))
    /// });
    /// let all: Vec<i64> = powers.iter().map(|x| x?.item()).collect::<Result<_>>()?;
    /// assert_eq!(all, [1, 2, 4, 8, 16]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn unfold<T: Structure>(
        initial: T,
        step: impl Fn(T) -> Result<Option<(S, T)>> + Send + Sync + 'static,
    ) -> Self {
        let step = Arc::new(step);
        Self::of(Node::new(Unfold { initial: erased(initial), step, of: PhantomData }))
    }
}

type Yields<S> = Box<dyn Iterator<Item = Result<S>> + Send>;

/// The items of iterators.
struct Iterated<S> {
    name: &'static str,
    /// The type of the user's function.
    function: &'static str,
    make: Box<dyn Fn() -> Result<Yields<S>> + Send + Sync>,
    /// True if it can be made again.
    again: bool,
}

impl<S: Structure> Stage for Iterated<S> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn arguments(&self) -> String {
        self.function.to_owned()
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        Ok(None)
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Unknown
    }

    fn start(&self, _: &Run) -> Box<dyn Cursor> {
        // Without an iterator there is no pass, and no pass is no pass of few elements.
        let items = run(&self.make).map_err(|failure| Failure::last(failure.error));
        Box::new(IteratedCursor { items, again: self.again, writer: Writer::default(), taken: 0 })
    }
}

struct IteratedCursor<S: Structure> {
    items: Result<Yields<S>, Failure>,
    again: bool,
    writer: Writer<S>,
    taken: u64,
}

impl<S: Structure> IteratedCursor<S> {
    fn item(&mut self) -> Result<Option<S>, Failure> {
        let items = self.items.as_mut().map_err(|failure| failure.clone())?;
        let item = run(|| Ok(items.next()))?;
        self.taken += 1;
        item.transpose().map_err(Failure::of_source)
    }
}

impl<S: Structure> Cursor for IteratedCursor<S> {
    fn next(&mut self) -> Next {
        self.item().map(|item| item.map(|value| self.writer.write(value))).transpose()
    }

    fn save(&mut self) -> Result<Saved> {
        match self.again {
            true => Ok(self.taken.into()),
            false => bail!(
                "an iterator that can't be made again can't be resumed; `from_iter` takes a function \
                 that makes iterators"
            ),
        }
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let taken = saved.count()?;
        while self.taken < taken {
            match self.item() {
                Ok(Some(_)) => {}
                // The end, or the failure that was the last of the saved pass.
                _ if self.taken == taken => {}
                Ok(None) => bail!("there are fewer items than the saved pass has taken"),
                Err(failure) => return Err(failure.error),
            }
        }
        Ok(())
    }
}

/// Elements made of a state.
struct Unfold<S, T, F> {
    initial: Element,
    step: Arc<F>,
    of: PhantomData<fn(T) -> S>,
}

impl<S, T, F> Stage for Unfold<S, T, F>
where
    S: Structure,
    T: Structure,
    F: Fn(T) -> Result<Option<(S, T)>> + Send + Sync + 'static,
{
    fn name(&self) -> &'static str {
        "unfold"
    }

    fn arguments(&self) -> String {
        std::any::type_name::<F>().to_owned()
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        Ok(None)
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Unknown
    }

    fn start(&self, _: &Run) -> Box<dyn Cursor> {
        Box::new(UnfoldCursor {
            state: self.initial.clone(),
            step: self.step.clone(),
            states: (Reader::default(), Writer::default()),
            elements: Writer::default(),
        })
    }
}

struct UnfoldCursor<S: Structure, T: Structure, F> {
    state: Element,
    step: Arc<F>,
    states: (Reader<T>, Writer<T>),
    elements: Writer<S>,
}

impl<S, T, F> Cursor for UnfoldCursor<S, T, F>
where
    S: Structure,
    T: Structure,
    F: Fn(T) -> Result<Option<(S, T)>> + Send + Sync + 'static,
{
    fn next(&mut self) -> Next {
        let state = self.states.0.read(self.state.clone());
        match state.map_err(Failure::last).and_then(|s| run(|| (self.step)(s))) {
            Ok(Some((element, state))) => {
                self.state = self.states.1.write(state);
                Some(Ok(self.elements.write(element)))
            }
            Ok(None) => None,
            Err(failure) if failure.ends => Some(Err(failure)),
            Err(failure) => Some(Err(Failure::of_source(failure.error))),
        }
    }

    fn save(&mut self) -> Result<Saved> {
        Ok(Saved::Element(self.state.clone()))
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        self.state = saved.element()?;
        Ok(())
    }
}
