//! Functions that carry a state from element to element.

use std::marker::PhantomData;
use std::sync::Arc;

use super::Dataset;
use super::dataset::erased;
use super::rim::{Reader, Writer, run, traced_as};
use super::sources::type_name_of;
use super::stage::{Cursor, Element, Feed, Next, Node, Stage};
use super::state::Saved;
use super::stop::Run;
use crate::function::trace_body;
use crate::spec::{AnySpec, Structure, TypeSpec};
use crate::types::{Result, bail};

impl<S: Structure> Dataset<S> {
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
            of: PhantomData::<fn(S, T) -> R>,
        }))
    }
}

struct Scanned<S, T, R, F> {
    input: Arc<Node>,
    initial: Element,
    function: &'static str,
    f: Arc<F>,
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
            let body = trace_body("scan", &pair, f)?;
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

    fn input(&self) -> Option<&Arc<Node>> {
        Some(&self.input)
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        traced_as(&self.input, |spec: &S::Spec| self.traced_spec(&spec.to_any()).map(Some))
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
