//! Elements as stacks, and stacks as elements.

use std::marker::PhantomData;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::Dataset;
use super::rim::{Reader, Writer, run};
use super::slices::Rows;
use super::sources::type_name_of;
use super::stage::{Cardinality, Cursor, Element, Failure, Feed, Next, Node, Stage};
use super::state::Saved;
use super::stop::Run;
use crate::ops;
use crate::spec::{AnySpec, Boxes, Part, Structure, joined};
use crate::tensor::{Tensor, Tensors};
use crate::types::{Dim, Error, Result, bail};

/// What becomes of the elements at the end that are too few for a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remainder {
    /// They are a smaller batch.
    Keep,
    /// They are left out, so that all batches have one size, which specs know.
    Drop,
}

impl Remainder {
    pub(super) fn size(self, n: usize) -> Dim {
        match self {
            Self::Keep => Dim::UNKNOWN,
            Self::Drop => Dim::from(n),
        }
    }

    pub(super) fn batches(self, n: u64, size: usize) -> u64 {
        match self {
            Self::Keep => n.div_ceil(size as u64),
            Self::Drop => n / size as u64,
        }
    }
}

impl<S: Structure> Dataset<S> {
    /// Stacks of `size` elements.
    ///
    /// Elements of a type that is not stacked tensor by tensor are stacked by its
    /// [`Stackable`](crate::spec::Stackable). A batch with an element that failed is lost; the next one begins behind it.
    ///
    /// TensorFlow: `Dataset.batch`.
    ///
    /// # Errors
    /// `InvalidArgument` for a size of 0, for types that have no stacks, and, when the batch is made, for tensors of
    /// differing shapes.
    ///
    /// ```
    /// use extype::data::{Dataset, Remainder};
    /// use extype::prelude::*;
    /// let data = Dataset::range(0..5);
    /// let sizes = |data: Dataset<Tensor>| -> Result<Vec<usize>> {
    ///     data.iter().map(|batch| Ok(batch?.len())).collect()
    /// };
    /// assert_eq!(sizes(data.batch(2, Remainder::Keep))?, [2, 2, 1]);
    /// assert_eq!(sizes(data.batch(2, Remainder::Drop))?, [2, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn batch(&self, size: usize, remainder: Remainder) -> Self {
        self.step(checked_size(size), |input, size| Batched {
            input,
            size,
            remainder,
            how: Stacked,
        })
    }

    /// What a function makes of `size` elements each. Its spec is not known before the first comes:
    /// [`with_element_spec`](Self::with_element_spec) states it.
    ///
    /// ```
    /// use extype::data::{Dataset, Remainder};
    /// use extype::prelude::*;
    /// let joined = Dataset::range(0..5)
    ///     .map(|n| ops::fill([n.item::<i64>()?], n))
    ///     .batch_with(2, Remainder::Keep, |rows| ops::concat(&rows, 0));
    /// assert_eq!(joined.collect_all()?[1].to_vec::<i64>()?, [2, 2, 3, 3, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn batch_with<R: Structure>(
        &self,
        size: usize,
        remainder: Remainder,
        f: impl Fn(Vec<S>) -> Result<R> + Send + Sync + 'static,
    ) -> Dataset<R> {
        let how = Custom { function: type_name_of(&f), f: Arc::new(f), of: PhantomData };
        self.step(checked_size(size), |input, size| Batched { input, size, remainder, how })
    }
}

pub(super) fn checked_size(size: usize) -> Result<usize> {
    match size {
        0 => bail!("a batch has at least one element"),
        n => Ok(n),
    }
}

/// The stack of elements, of which there is at least one.
pub(super) fn stack(elements: &[Element]) -> Result<Element, Failure> {
    let one = merged(elements)?;
    // What can't be stacked can't be stacked the next time either.
    let whole = one.stacked(Dim::from(elements.len())).map_err(Failure::last)?;
    let leaves = if is_dense(&one) { columns(elements) } else { parts(&one, elements) };
    Ok(Element { spec: Arc::new(whole), leaves: leaves? })
}

/// The spec that all elements have.
pub(super) fn merged(elements: &[Element]) -> Result<Arc<AnySpec>> {
    let Some((first, rest)) = elements.split_first() else {
        bail!("there are no elements to stack")
    };
    let mut common = first.spec.clone();
    // Steps share specs, which costs less to see than to compare them.
    let mut seen = FxHashSet::from_iter([Arc::as_ptr(&first.spec)]);
    for Element { spec, .. } in rest {
        if seen.insert(Arc::as_ptr(spec)) && !spec.is_subtype_of(&common) {
            common = Arc::new(common.try_common_supertype(spec)?);
        }
    }
    Ok(common)
}

/// True if values are stacked tensor by tensor.
fn is_dense(spec: &AnySpec) -> bool {
    match spec {
        AnySpec::Tensor(_) => true,
        AnySpec::Composite(c) if (c.class.hooks.stacking)().is_some() => false,
        other => other.component_specs().iter().all(is_dense),
    }
}

fn columns(elements: &[Element]) -> Result<Tensors> {
    let column = |j: usize| {
        let tensors: Vec<&Tensor> = elements.iter().map(|e| &e.leaves[j]).collect();
        stacked_tensors(&tensors)
    };
    (0..elements[0].leaves.len()).map(column).collect()
}

fn stacked_tensors(tensors: &[&Tensor]) -> Result<Tensor> {
    let first = tensors[0].shape();
    if let Some(i) = tensors.iter().position(|t| t.shape() != first) {
        bail!(
            "element {i} of the batch has a tensor of shape {}, and element 0 one of {first}; `padded_batch` stacks \
             tensors of different sizes, and so does `batch` of a ragged type",
            tensors[i].shape()
        );
    }
    ops::stack(tensors, 0)
}

fn parts(one: &AnySpec, elements: &[Element]) -> Result<Tensors> {
    let parts = elements.iter().map(|e| Part::of(&e.spec, e.leaves.to_vec(), 0));
    let stacked = |tensors: &[Tensor]| stacked_tensors(&tensors.iter().collect::<Vec<_>>());
    joined(one, parts, stacked, Boxes::stack).map(Into::into)
}

/// How a batch is made of elements.
pub(super) trait Batching: Clone + Send + Sync + 'static {
    /// What makes the batches of one pass.
    type Maker: Send;

    fn name(&self) -> &'static str;

    fn arguments(&self) -> String {
        String::new()
    }

    fn spec(&self, one: &AnySpec, n: Dim) -> Result<Option<AnySpec>>;

    fn maker(&self) -> Self::Maker;

    fn make(&self, maker: &mut Self::Maker, elements: Vec<Element>) -> Result<Element, Failure>;

    /// True if rows are batched by taking them out of the whole at once.
    const TAKES_ROWS: bool = false;
}

/// As stacks.
#[derive(Clone)]
struct Stacked;

impl Batching for Stacked {
    type Maker = ();

    const TAKES_ROWS: bool = true;

    fn name(&self) -> &'static str {
        "batch"
    }

    fn spec(&self, one: &AnySpec, n: Dim) -> Result<Option<AnySpec>> {
        one.stacked(n).map(Some)
    }

    fn maker(&self) {}

    fn make(&self, (): &mut (), elements: Vec<Element>) -> Result<Element, Failure> {
        stack(&elements)
    }
}

/// By a user's function.
struct Custom<S, R, F> {
    function: &'static str,
    f: Arc<F>,
    of: PhantomData<fn(S) -> R>,
}

impl<S, R, F> Clone for Custom<S, R, F> {
    fn clone(&self) -> Self {
        Self { f: self.f.clone(), ..*self }
    }
}

impl<S, R, F> Batching for Custom<S, R, F>
where
    S: Structure,
    R: Structure,
    F: Fn(Vec<S>) -> Result<R> + Send + Sync + 'static,
{
    type Maker = (Reader<S>, Writer<R>);

    fn name(&self) -> &'static str {
        "batch_with"
    }

    fn arguments(&self) -> String {
        format!(", {}", self.function)
    }

    fn spec(&self, _: &AnySpec, _: Dim) -> Result<Option<AnySpec>> {
        Ok(None)
    }

    fn maker(&self) -> Self::Maker {
        Default::default()
    }

    fn make(
        &self,
        (reader, writer): &mut Self::Maker,
        elements: Vec<Element>,
    ) -> Result<Element, Failure> {
        run(|| {
            let values = elements.into_iter().map(|e| reader.read(e)).collect::<Result<_>>()?;
            Ok(writer.write((self.f)(values)?))
        })
    }
}

/// Elements in batches.
pub(super) struct Batched<B> {
    pub(super) input: Arc<Node>,
    pub(super) size: usize,
    pub(super) remainder: Remainder,
    pub(super) how: B,
}

impl<B: Batching> Batched<B> {
    /// The rows that batches are taken of at once.
    fn source(&self) -> Option<&Arc<Rows>> {
        self.input.stage.rows().filter(|_| B::TAKES_ROWS)
    }
}

impl<B: Batching> Stage for Batched<B> {
    fn name(&self) -> &'static str {
        self.how.name()
    }

    fn arguments(&self) -> String {
        format!("{}, {:?}{}", self.size, self.remainder, self.how.arguments())
    }

    fn input(&self) -> Option<&Arc<Node>> {
        Some(&self.input)
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        match self.input.spec()? {
            Some(one) => self.how.spec(&one, self.remainder.size(self.size)),
            None => Ok(None),
        }
    }

    fn cardinality(&self) -> Cardinality {
        self.input.cardinality().map(|n| self.remainder.batches(n, self.size))
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        let (size, remainder) = (self.size, self.remainder);
        let input = self.input.start(run);
        if let Some(rows) = self.source().cloned() {
            return Box::new(BatchRows { input, size, remainder, rows, specs: None });
        }
        let maker = self.how.maker();
        Box::new(BatchCursor { input, size, remainder, how: self.how.clone(), maker })
    }
}

struct BatchCursor<B: Batching> {
    input: Feed,
    size: usize,
    remainder: Remainder,
    how: B,
    maker: B::Maker,
}

/// The next `size` items, or fewer at the end; `None` if there are too few.
pub(super) fn collected<T>(
    size: usize,
    remainder: Remainder,
    mut next: impl FnMut() -> Option<Result<T, Failure>>,
) -> Option<Result<Vec<T>, Failure>> {
    let mut items = Vec::with_capacity(size.min(1024));
    while items.len() < size {
        match next() {
            Some(Ok(item)) => items.push(item),
            Some(Err(failure)) => {
                let lost = |e: Error| match items.len() {
                    0 => e,
                    1 => e.in_context("a batch, of which one good element is lost".to_owned()),
                    n => e.in_context(format!("a batch, of which {n} good elements are lost")),
                };
                return Some(Err(Failure { error: lost(failure.error), ..failure }));
            }
            None if items.is_empty() || remainder == Remainder::Drop => return None,
            None => break,
        }
    }
    Some(Ok(items))
}

impl<B: Batching> Cursor for BatchCursor<B> {
    fn next(&mut self) -> Next {
        let input = &mut self.input;
        let elements = collected(self.size, self.remainder, || input.next())?;
        Some(elements.and_then(|elements| self.how.make(&mut self.maker, elements)))
    }

    fn save(&mut self) -> Result<Saved> {
        self.input.save()
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        self.input.restore(saved)
    }
}

/// Batches that are taken out of one value.
struct BatchRows {
    input: Feed,
    size: usize,
    remainder: Remainder,
    rows: Arc<Rows>,
    /// The spec of the last batch, and its size.
    specs: Option<(usize, Arc<AnySpec>)>,
}

impl BatchRows {
    fn batch(&mut self, places: &[usize]) -> Result<Element> {
        let n = places.len();
        let spec = match &self.specs {
            Some((size, spec)) if *size == n => spec.clone(),
            _ => Arc::new(self.rows.spec().stacked(Dim::from(n))?),
        };
        self.specs = Some((n, spec.clone()));
        Ok(Element { spec, leaves: self.rows.stacked(places)? })
    }
}

impl Cursor for BatchRows {
    fn next(&mut self) -> Next {
        let input = &mut self.input;
        let places = collected(self.size, self.remainder, || input.next_row())?;
        Some(places.and_then(|places| self.batch(&places).map_err(Into::into)))
    }

    fn save(&mut self) -> Result<Saved> {
        self.input.save()
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        self.input.restore(saved)
    }
}
