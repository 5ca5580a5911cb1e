//! Which elements, and how often.

use std::collections::HashSet;
use std::num::NonZeroU64;
use std::sync::Arc;

use super::Dataset;
use super::stage::{Cardinality, Cursor, Element, Failure, Feed, Next, Node, Stage};
use super::state::Saved;
use super::stop::Run;
use crate::array::Array;
use crate::spec::{AnySpec, Structure, TensorSpec};
use crate::tensor::{Tensor, Tensors};
use crate::types::{Result, Shape, bail, err};

impl<S: Structure> Dataset<S> {
    /// The first `n` elements.
    ///
    /// TensorFlow: `Dataset.take`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// assert_eq!(Dataset::range(0..10).take(3).cardinality().exact(), Some(3));
    /// ```
    #[track_caller]
    pub fn take(&self, n: u64) -> Self {
        self.picked("take", Ok(Pick { first: 0, step: NonZeroU64::MIN, most: Some(n) }))
    }

    /// The elements after the first `n`.
    ///
    /// TensorFlow: `Dataset.skip`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// assert_eq!(Dataset::range(0..10).skip(3).cardinality().exact(), Some(7));
    /// ```
    #[track_caller]
    pub fn skip(&self, n: u64) -> Self {
        self.picked("skip", Ok(Pick { first: n, step: NonZeroU64::MIN, most: None }))
    }

    /// Of `shards` parts the one with this number: the elements `index`, `index + shards`, and so on.
    ///
    /// TensorFlow: `Dataset.shard`.
    ///
    /// # Errors
    /// `InvalidArgument` unless `index` is below `shards`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let third = Dataset::range(0..10).shard(3, 2);
    /// assert_eq!(third.collect_all()?[1].item::<i64>()?, 5);
    /// assert!(Dataset::range(0..10).shard(3, 3).checked().is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn shard(&self, shards: u64, index: u64) -> Self {
        let pick = match NonZeroU64::new(shards) {
            Some(step) if index < shards => Ok(Pick { first: index, step, most: None }),
            _ => Err(err!("there is no shard {index} of {shards}")),
        };
        self.picked("shard", pick)
    }

    #[track_caller]
    fn picked(&self, name: &'static str, pick: Result<Pick>) -> Self {
        self.step(pick, |input, pick| Picked { name, input, pick })
    }

    /// A step of this dataset, or one that fails if its arguments are wrong.
    #[track_caller]
    pub(super) fn step<A, T: Stage, R: Structure>(
        &self,
        arguments: Result<A>,
        make: impl FnOnce(Arc<Node>, A) -> T,
    ) -> Dataset<R> {
        Dataset::of(match arguments {
            Ok(arguments) => Node::new(make(self.node.clone(), arguments)),
            Err(error) => {
                Node::new(Wrong { input: self.node.clone(), failure: Failure::last(error) })
            }
        })
    }

    /// The elements again and again, without end. Ends if a pass gives nothing.
    ///
    /// TensorFlow: `Dataset.repeat`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// assert_eq!(Dataset::range(0..2).repeat().take(5).collect_all()?[4].item::<i64>()?, 0);
    /// assert!(Dataset::range(0..0).repeat().iter().next().is_none());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn repeat(&self) -> Self {
        Self::of(Node::new(Repeated { input: self.node.clone(), times: None }))
    }

    /// The elements `times` times.
    ///
    /// TensorFlow: `Dataset.repeat` with a count.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// assert_eq!(Dataset::range(0..2).repeat_n(3).cardinality().exact(), Some(6));
    /// ```
    #[track_caller]
    pub fn repeat_n(&self, times: u64) -> Self {
        Self::of(Node::new(Repeated { input: self.node.clone(), times: Some(times) }))
    }

    /// The elements without those that came before in this pass.
    ///
    /// Elements are the same if all their tensors are, bit for bit. All that came are remembered.
    ///
    /// TensorFlow: `Dataset.unique`, for int32, int64 and string.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data = Dataset::range(0..10).map(|x| x.floor_mod(3)).unique();
    /// assert_eq!(data.collect_all()?.len(), 3);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn unique(&self) -> Self {
        Self::of(Node::new(Unique(self.node.clone())))
    }
}

/// A step with arguments that it can't have.
struct Wrong {
    input: Arc<Node>,
    failure: Failure,
}

impl Stage for Wrong {
    fn name(&self) -> &'static str {
        "wrong arguments"
    }

    fn input(&self) -> Option<&Arc<Node>> {
        Some(&self.input)
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        Err(self.failure.error.clone())
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Unknown
    }

    fn start(&self, _: &Run) -> Box<dyn Cursor> {
        Box::new(WrongCursor(self.failure.clone()))
    }
}

struct WrongCursor(Failure);

impl Cursor for WrongCursor {
    fn next(&mut self) -> Next {
        Some(Err(self.0.clone()))
    }

    fn save(&mut self) -> Result<Saved> {
        Ok(Saved::List(Vec::new()))
    }

    fn restore(&mut self, _: &Saved) -> Result<()> {
        Ok(())
    }
}

/// The elements from the place `first` on, each `step`-th.
#[derive(Clone, Copy)]
struct Pick {
    first: u64,
    step: NonZeroU64,
    most: Option<u64>,
}

struct Picked {
    name: &'static str,
    input: Arc<Node>,
    pick: Pick,
}

impl Stage for Picked {
    fn name(&self) -> &'static str {
        self.name
    }

    fn arguments(&self) -> String {
        match self.pick {
            Pick { most: Some(n), .. } => n.to_string(),
            Pick { first, step, .. } if step.get() > 1 => format!("{step}, {first}"),
            Pick { first, .. } => first.to_string(),
        }
    }

    fn input(&self) -> Option<&Arc<Node>> {
        Some(&self.input)
    }

    fn cardinality(&self) -> Cardinality {
        let Pick { first, step, most } = self.pick;
        match (self.input.cardinality(), most) {
            (_, Some(0)) => Cardinality::Exact(0),
            (Cardinality::Infinite, Some(n)) => Cardinality::Exact(n),
            (n, most) => n.map(|n| {
                n.saturating_sub(first).div_ceil(step.get()).min(most.unwrap_or(u64::MAX))
            }),
        }
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        let Pick { first, step, most } = self.pick;
        Box::new(PickCursor {
            input: self.input.start(run),
            ahead: first,
            step: step.get(),
            left: most.unwrap_or(u64::MAX),
        })
    }
}

struct PickCursor {
    input: Feed,
    /// How many are passed over before the next.
    ahead: u64,
    step: u64,
    left: u64,
}

impl Cursor for PickCursor {
    fn next(&mut self) -> Next {
        if self.left == 0 {
            return None;
        }
        loop {
            let next = self.input.next()?;
            if self.ahead > 0 {
                self.ahead -= 1;
                match next {
                    Ok(_) => continue,
                    failed => return Some(failed),
                }
            }
            self.ahead = self.step - 1;
            self.left -= u64::from(next.is_ok());
            return Some(next);
        }
    }

    fn save(&mut self) -> Result<Saved> {
        Ok([self.input.save()?, self.ahead.into(), self.left.into()].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [input, ahead, left] = saved.list()?;
        (self.ahead, self.left) = (ahead.count()?, left.count()?);
        self.input.restore(input)
    }
}

struct Repeated {
    input: Arc<Node>,
    times: Option<u64>,
}

impl Stage for Repeated {
    fn name(&self) -> &'static str {
        if self.times.is_some() { "repeat_n" } else { "repeat" }
    }

    fn arguments(&self) -> String {
        self.times.map_or_else(String::new, |n| n.to_string())
    }

    fn input(&self) -> Option<&Arc<Node>> {
        Some(&self.input)
    }

    fn cardinality(&self) -> Cardinality {
        match (self.times, self.input.cardinality()) {
            (Some(0), _) | (_, Cardinality::Exact(0)) => Cardinality::Exact(0),
            (Some(k), n) => n.map(|n| n.saturating_mul(k)),
            (None, _) => Cardinality::Infinite,
        }
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        Box::new(RepeatCursor {
            node: self.input.clone(),
            input: None,
            passes: 0,
            times: self.times,
            run: run.clone(),
        })
    }
}

struct RepeatCursor {
    node: Arc<Node>,
    input: Option<Feed>,
    /// How many have been started.
    passes: u64,
    times: Option<u64>,
    run: Run,
}

impl Cursor for RepeatCursor {
    fn next(&mut self) -> Next {
        loop {
            let input = match &mut self.input {
                Some(input) => input,
                None if self.times.is_some_and(|times| self.passes >= times) => return None,
                None => {
                    self.passes += 1;
                    self.input.insert(self.node.start(&self.run))
                }
            };
            if let Some(next) = input.next() {
                return Some(next);
            }
            // A pass that gave nothing: those that follow give nothing either, or there is no end of them.
            let never = self.node.cardinality() == Cardinality::Exact(0);
            if input.asked() == 0 && (self.times.is_none() || never) {
                return None;
            }
            self.input = None;
        }
    }

    fn save(&mut self) -> Result<Saved> {
        let input = self.input.as_mut().map(Feed::save).transpose()?;
        Ok([self.passes.into(), Saved::List(input.into_iter().collect())].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [passes, input] = saved.list()?;
        self.passes = passes.count()?;
        if let [input] = input.items()? {
            self.input.insert(self.node.start(&self.run)).restore(input)?;
        }
        Ok(())
    }
}

struct Unique(Arc<Node>);

impl Stage for Unique {
    fn name(&self) -> &'static str {
        "unique"
    }

    fn inputs(&self) -> Vec<&Arc<Node>> {
        vec![&self.0]
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        self.0.spec()
    }

    fn cardinality(&self) -> Cardinality {
        match self.0.cardinality() {
            Cardinality::Exact(n @ (0 | 1)) => Cardinality::Exact(n),
            _ => Cardinality::Unknown,
        }
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        Box::new(UniqueCursor { input: self.0.start(run), seen: HashSet::new() })
    }
}

struct UniqueCursor {
    input: Feed,
    seen: HashSet<Vec<u8>>,
}

/// The bytes by which elements are compared.
fn key(element: &Element) -> Result<Vec<u8>> {
    let mut key = Vec::new();
    for leaf in &element.leaves {
        let Tensor::Value(array) = leaf else { bail!("a tensor of a trace has no elements") };
        let number = |n: usize| (n as u64).to_le_bytes();
        key.extend(number(array.rank()));
        array.dims().iter().for_each(|d| key.extend(number(*d)));
        match array.as_bytes() {
            Some(bytes) => key.extend(bytes),
            None => {
                for text in array.as_strings()? {
                    key.extend(number(text.len()));
                    key.extend(text);
                }
            }
        }
    }
    Ok(key)
}

impl Cursor for UniqueCursor {
    fn next(&mut self) -> Next {
        loop {
            let element = match self.input.next()? {
                Ok(element) => element,
                failed => return Some(failed),
            };
            match key(&element) {
                Ok(key) => {
                    if self.seen.insert(key) {
                        return Some(Ok(element));
                    }
                }
                Err(e) => return Some(Err(e.into())),
            }
        }
    }

    fn save(&mut self) -> Result<Saved> {
        let keys = self.seen.iter().cloned().collect();
        let keys = Tensor::Value(Array::from_strings([self.seen.len()], keys)?);
        let spec = AnySpec::Tensor(TensorSpec::new(Shape::of_rank(1), keys.dtype()));
        let keys = Element { spec: Arc::new(spec), leaves: Tensors::from_buf([keys]) };
        Ok([self.input.save()?, Saved::Element(keys)].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [input, keys] = saved.list()?;
        let keys = keys.element()?;
        let Some(Tensor::Value(keys)) = keys.leaves.first() else { bail!("damaged keys") };
        self.seen = keys.as_strings()?.iter().cloned().collect();
        self.input.restore(input)
    }
}
