//! Datasets as elements: windows and groups.

use std::collections::{BTreeMap, VecDeque};
use std::marker::PhantomData;
use std::sync::Arc;

use super::Dataset;
use super::batching::{Batching as _, Remainder};
use super::handle::dataset_element;
use super::padded::{Padded, Padding, tensors_of};
use super::rim::{Answer, Reader, run, traced_result};
use super::sources::{Fixed, type_name_of};
use super::stage::{Cardinality, Cursor, Element, Failure, Feed, Next, Node, Stage};
use super::state::Saved;
use super::stop::Run;
use crate::spec::{AnySpec, Structure};
use crate::types::{Dim, Result, Shape, bail, err};

/// Which elements windows hold: `Window::of(3)`, `Window::of(3).shift(1).stride(2)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    size: usize,
    shift: Option<usize>,
    stride: usize,
    remainder: Remainder,
}

impl Window {
    /// Windows of so many elements, one after the other.
    pub fn of(size: usize) -> Self {
        Self { size, shift: None, stride: 1, remainder: Remainder::Keep }
    }

    /// By how many elements the next window begins later.
    #[must_use]
    pub fn shift(self, shift: usize) -> Self {
        Self { shift: Some(shift), ..self }
    }

    /// Each how many elements one is in the window.
    #[must_use]
    pub fn stride(self, stride: usize) -> Self {
        Self { stride, ..self }
    }

    /// Without the windows at the end that are smaller.
    #[must_use]
    pub fn drop_remainder(self) -> Self {
        Self { remainder: Remainder::Drop, ..self }
    }

    fn checked(self) -> Result<Self> {
        let shift = self.shift.unwrap_or(self.size);
        if self.size == 0 || shift == 0 || self.stride == 0 {
            bail!("size, shift and stride of a window are at least 1");
        }
        if (self.size - 1).checked_mul(self.stride).is_none() {
            bail!("a window of {} elements with a stride of {}", self.size, self.stride);
        }
        Ok(Self { shift: Some(shift), ..self })
    }

    /// How many elements a window reaches over, and by how many the next begins later.
    fn reach(&self) -> (usize, usize) {
        ((self.size - 1) * self.stride + 1, self.shift.unwrap_or(self.size))
    }
}

impl<S: Structure> Dataset<S> {
    /// Windows over the elements: datasets of them. Elements are shared, not copied.
    ///
    /// TensorFlow: `Dataset.window`, which has windows over each part of an element ([`unzip`](Dataset::unzip)).
    ///
    /// # Errors
    /// `InvalidArgument` for a size, a shift or a stride of 0.
    ///
    /// ```
    /// use extype::data::{Dataset, Remainder, Window};
    /// use extype::prelude::*;
    /// let windows = Dataset::range(0..5).window(Window::of(3).shift(1).drop_remainder());
    /// let stacks = windows.flat_map(|w| Ok(w.batch(3, Remainder::Drop)));
    /// assert_eq!(stacks.collect_all()?[2].to_vec::<i64>()?, [2, 3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn window(&self, window: Window) -> Dataset<Dataset<S>> {
        self.step(window.checked(), |input, window| Windowed { input, window })
    }

    /// Groups of `size` elements with one key, each of which a function makes a dataset of. Groups that are not full at
    /// the end follow in the order of their keys.
    ///
    /// TensorFlow: `Dataset.group_by_window`.
    ///
    /// # Errors
    /// `InvalidArgument` for a size of 0.
    ///
    /// ```
    /// use extype::data::{Dataset, Remainder};
    /// use extype::prelude::*;
    /// let data = Dataset::range(0..7).group_by_window(
    ///     2,
    ///     |x| x.floor_mod(2),
    ///     |_, group| Ok(group.batch(2, Remainder::Keep)),
    /// );
    /// let all = data.collect_all()?;
    /// assert_eq!(all[1].to_vec::<i64>()?, [1, 3]);
    /// assert_eq!(all[3].to_vec::<i64>()?, [5]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn group_by_window<K: Answer<i64>, R: Structure>(
        &self,
        size: usize,
        key: impl Fn(&S) -> Result<K> + Send + Sync + 'static,
        reduce: impl Fn(i64, Dataset<S>) -> Result<Dataset<R>> + Send + Sync + 'static,
    ) -> Dataset<R> {
        let size = super::batching::checked_size(size);
        self.step(size, |input, size| {
            let function = type_name_of(&reduce);
            Grouped::new("group_by_window", input, function, move |_| size, key, reduce)
        })
    }

    /// Padded batches of elements of like length. `length` of an element is below `boundaries[0]` in the first bucket,
    /// below `boundaries[1]` in the next, and so on; `sizes` has the size of the batches of each bucket, one more than there
    /// are boundaries.
    ///
    /// TensorFlow: `Dataset.bucket_by_sequence_length`.
    ///
    /// # Errors
    /// `InvalidArgument` for another number of sizes, a size of 0, and boundaries that do not ascend.
    ///
    /// ```
    /// use extype::data::{Dataset, Padding, Remainder};
    /// use extype::prelude::*;
    /// let data = Dataset::range(1..6).map(|n| ops::fill([n.item::<i64>()?], n)).bucket_by_length(
    ///     |x| Ok(x.len() as i64),
    ///     &[3],
    ///     &[2, 2],
    ///     Padding::default(),
    ///     Remainder::Keep,
    /// );
    /// assert_eq!(data.collect_all()?[1].shape(), shape![2, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "bucket_by_sequence_length")]
    #[track_caller]
    pub fn bucket_by_length<K: Answer<i64>>(
        &self,
        length: impl Fn(&S) -> Result<K> + Send + Sync + 'static,
        boundaries: &[i64],
        sizes: &[usize],
        padding: Padding,
        remainder: Remainder,
    ) -> Self {
        let checked = match (boundaries, sizes) {
            (b, s) if s.len() != b.len() + 1 => {
                Err(err!("{} buckets need as many sizes, not {}", b.len() + 1, s.len()))
            }
            (_, s) if s.contains(&0) => Err(err!("a batch has at least one element")),
            (b, _) if !b.is_sorted_by(|a, b| a < b) => Err(err!("boundaries ascend: {b:?}")),
            (b, s) => Ok((Arc::<[i64]>::from(b), Arc::<[usize]>::from(s))),
        };
        self.step(checked, |input, (boundaries, sizes)| {
            let function = type_name_of(&length);
            let padded = Padded::new(padding.clone());
            let (of_key, whole, limits) = (sizes.clone(), input.clone(), boundaries.clone());
            let key = move |x: &S| {
                let length = length(x)?.answer()?;
                Ok(boundaries.partition_point(|b| *b <= length) as i64)
            };
            let reduce = move |key: i64, group: Dataset<S>| {
                let bucket = key as usize;
                let mut padding = padding.clone();
                if padding.to_boundary {
                    let Some(limit) = limits.get(bucket) else {
                        bail!("an element is too long for the last boundary, {limits:?}")
                    };
                    padding.shapes = up_to(*limit - 1, &padding.shapes, &whole)?;
                }
                Ok(group.padded_batch(sizes[bucket], remainder, padding))
            };
            let size = move |key: i64| of_key[key as usize];
            // Batches of all buckets: of any size.
            let known = move |one: &AnySpec| padded.spec(one, Dim::UNKNOWN);
            let grouped = Grouped::new("bucket_by_length", input, function, size, key, reduce);
            Grouped { known: Some(Box::new(known)), ..grouped }
        })
    }
}

/// The shapes, or those of the elements, with this size for those that are not known.
fn up_to(size: i64, shapes: &[Shape], data: &Node) -> Result<Vec<Shape>> {
    let shapes = match (shapes, data.spec()?) {
        ([], Some(spec)) => tensors_of(&spec)?.into_iter().map(|t| t.shape).collect(),
        ([], None) => bail!("the shapes of the elements are not known; give them with `shapes`"),
        (shapes, _) => shapes.to_vec(),
    };
    let known =
        |dim: &Dim| if dim.size().is_some() { *dim } else { Dim::from(size.max(0) as usize) };
    let shape = |shape: &Shape| match shape.dims() {
        Some(dims) => dims.iter().map(known).collect(),
        None => shape.clone(),
    };
    Ok(shapes.iter().map(shape).collect())
}

struct Windowed {
    input: Arc<Node>,
    window: Window,
}

impl Stage for Windowed {
    fn name(&self) -> &'static str {
        "window"
    }

    fn arguments(&self) -> String {
        let Window { size, stride, remainder, .. } = self.window;
        format!("{size}, {}, {stride}, {remainder:?}", self.window.reach().1)
    }

    fn input(&self) -> Option<&Arc<Node>> {
        Some(&self.input)
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        Ok(self.input.spec()?.map(|one| super::handle::dataset_spec(Some(one))))
    }

    fn cardinality(&self) -> Cardinality {
        let (reach, shift) = self.window.reach();
        let (reach, shift) = (reach as u64, shift as u64);
        self.input.cardinality().map(|n| match self.window.remainder {
            Remainder::Keep => n.div_ceil(shift),
            Remainder::Drop if n < reach => 0,
            Remainder::Drop => (n - reach) / shift + 1,
        })
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        let input = self.input.start(run);
        Box::new(WindowCursor { input, window: self.window, held: VecDeque::new(), skip: 0 })
    }
}

struct WindowCursor {
    input: Feed,
    window: Window,
    /// The elements from the beginning of the next window on.
    held: VecDeque<Result<Element, Failure>>,
    /// How many elements come before the next window.
    skip: usize,
}

/// A dataset of these elements, as an element.
fn group(name: &'static str, at: &Node, elements: Vec<Element>) -> (Element, Arc<Node>) {
    let node = Node::at(at.at, Fixed { name, elements: elements.into() });
    (dataset_element(&node), node)
}

impl Cursor for WindowCursor {
    fn next(&mut self) -> Next {
        let Window { size, stride, remainder, .. } = self.window;
        let (reach, shift) = self.window.reach();
        while self.held.len() < reach {
            match self.input.next() {
                Some(Err(failure)) if failure.ends => return Some(Err(failure)),
                Some(_) if self.skip > 0 => self.skip -= 1,
                Some(next) => self.held.push_back(next),
                None => break,
            }
        }
        if self.held.is_empty() || (self.held.len() < reach && remainder == Remainder::Drop) {
            return None;
        }
        let elements: Result<Vec<Element>, Failure> =
            self.held.iter().step_by(stride).take(size).cloned().collect();
        let next = elements.map(|elements| group("window", self.input.node(), elements).0);
        self.skip = shift.saturating_sub(self.held.len());
        self.held.drain(..shift.min(self.held.len()));
        Some(next)
    }

    fn save(&mut self) -> Result<Saved> {
        let held = Saved::List(self.held.iter().map(Saved::of_result).collect());
        Ok([self.input.save()?, held, self.skip.into()].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [input, held, skip] = saved.list()?;
        self.held = held.items()?.iter().map(Saved::result).collect::<Result<_>>()?;
        self.skip = skip.size()?;
        self.input.restore(input)
    }
}

struct Grouped<S, K, R, F, G> {
    name: &'static str,
    input: Arc<Node>,
    function: &'static str,
    size: Arc<dyn Fn(i64) -> usize + Send + Sync>,
    key: Arc<F>,
    reduce: Arc<G>,
    /// The spec of the results for one of the elements, if it does not follow from `reduce`.
    known: Option<Box<dyn Fn(&AnySpec) -> Result<Option<AnySpec>> + Send + Sync>>,
    of: PhantomData<fn(S, K) -> R>,
}

impl<S, K, R, F, G> Grouped<S, K, R, F, G> {
    fn new(
        name: &'static str,
        input: Arc<Node>,
        function: &'static str,
        size: impl Fn(i64) -> usize + Send + Sync + 'static,
        key: F,
        reduce: G,
    ) -> Self {
        Self {
            name,
            input,
            function,
            size: Arc::new(size),
            key: Arc::new(key),
            reduce: Arc::new(reduce),
            known: None,
            of: PhantomData,
        }
    }
}

impl<S, K, R, F, G> Stage for Grouped<S, K, R, F, G>
where
    S: Structure,
    K: Answer<i64>,
    R: Structure,
    F: Fn(&S) -> Result<K> + Send + Sync + 'static,
    G: Fn(i64, Dataset<S>) -> Result<Dataset<R>> + Send + Sync + 'static,
{
    fn name(&self) -> &'static str {
        self.name
    }

    fn arguments(&self) -> String {
        self.function.to_owned()
    }

    fn input(&self) -> Option<&Arc<Node>> {
        Some(&self.input)
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        let key = |x: S| (self.key)(&x);
        traced_result(&self.input, key, |key| key.check().map(|()| None))?;
        if let Some(known) = &self.known {
            return self.input.spec()?.map_or(Ok(None), |one| known(&one));
        }
        // The group is a dataset that is described, not read.
        traced_result(
            &self.input,
            |_: S| {
                let group = Node::at(self.input.at, super::handle::Described(self.input.spec()?));
                (self.reduce)(0, Dataset::of(group))
            },
            |data| data.node.spec(),
        )
    }

    fn cardinality(&self) -> Cardinality {
        match self.input.cardinality() {
            Cardinality::Exact(0) => Cardinality::Exact(0),
            _ => Cardinality::Unknown,
        }
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        Box::new(GroupCursor {
            input: self.input.start(run),
            size: self.size.clone(),
            key: self.key.clone(),
            reduce: self.reduce.clone(),
            reader: Reader::default(),
            groups: BTreeMap::new(),
            current: None,
            run: run.clone(),
            of: PhantomData::<fn(K) -> R>,
        })
    }
}

/// The group whose dataset is read.
struct Current {
    key: i64,
    elements: Vec<Element>,
    feed: Feed,
}

struct GroupCursor<S: Structure, K, R, F, G> {
    input: Feed,
    size: Arc<dyn Fn(i64) -> usize + Send + Sync>,
    key: Arc<F>,
    reduce: Arc<G>,
    reader: Reader<S>,
    groups: BTreeMap<i64, Vec<Element>>,
    current: Option<Current>,
    run: Run,
    of: PhantomData<fn(K) -> R>,
}

impl<S, K, R, F, G> GroupCursor<S, K, R, F, G>
where
    S: Structure,
    K: Answer<i64>,
    R: Structure,
    F: Fn(&S) -> Result<K> + Send + Sync + 'static,
    G: Fn(i64, Dataset<S>) -> Result<Dataset<R>> + Send + Sync + 'static,
{
    fn open(&mut self, key: i64, elements: Vec<Element>) -> Result<(), Failure> {
        let (_, node) = group("group", self.input.node(), elements.clone());
        let data = run(|| (self.reduce)(key, Dataset::of(node)))?;
        self.current = Some(Current { key, elements, feed: data.node.start(&self.run) });
        Ok(())
    }

    /// Puts an element into its group, and opens the group if it is full.
    fn put(&mut self, element: Element) -> Result<(), Failure> {
        let reader = &mut self.reader;
        let key = run(|| (self.key)(&reader.read(element.clone())?)?.answer())?;
        let group = self.groups.entry(key).or_default();
        group.push(element);
        if group.len() < (self.size)(key) {
            return Ok(());
        }
        let group = self.groups.remove(&key).unwrap_or_default();
        self.open(key, group)
    }
}

impl<S, K, R, F, G> Cursor for GroupCursor<S, K, R, F, G>
where
    S: Structure,
    K: Answer<i64>,
    R: Structure,
    F: Fn(&S) -> Result<K> + Send + Sync + 'static,
    G: Fn(i64, Dataset<S>) -> Result<Dataset<R>> + Send + Sync + 'static,
{
    fn next(&mut self) -> Next {
        loop {
            if let Some(current) = &mut self.current {
                match current.feed.next() {
                    Some(next) => return Some(next),
                    None => self.current = None,
                }
            }
            let opened = match self.input.next() {
                Some(element) => element.and_then(|element| self.put(element)),
                None => match self.groups.pop_first() {
                    Some((key, group)) => self.open(key, group),
                    None => return None,
                },
            };
            if let Err(failure) = opened {
                return Some(Err(failure));
            }
        }
    }

    fn save(&mut self) -> Result<Saved> {
        let saved = |key: i64, elements: &[Element]| {
            Saved::List(vec![(key as u64).into(), Saved::of_elements(elements)])
        };
        let groups = self.groups.iter().map(|(key, group)| saved(*key, group)).collect();
        let current = match &mut self.current {
            Some(current) => {
                vec![saved(current.key, &current.elements), current.feed.save_whole()?]
            }
            None => Vec::new(),
        };
        Ok([self.input.save()?, Saved::List(groups), Saved::List(current)].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [input, groups, current] = saved.list()?;
        let read = |saved: &Saved| -> Result<(i64, Vec<Element>)> {
            let [key, elements] = saved.list()?;
            Ok((key.count()? as i64, elements.elements()?))
        };
        self.groups = groups.items()?.iter().map(read).collect::<Result<_>>()?;
        if let [group, feed] = current.items()? {
            let (key, elements) = read(group)?;
            self.open(key, elements).map_err(|f| f.error)?;
            if let Some(current) = &mut self.current {
                current.feed.restore_whole(feed)?;
            }
        }
        self.input.restore(input)
    }
}
