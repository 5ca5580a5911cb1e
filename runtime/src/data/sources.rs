//! Where elements come from.

use std::ops::Range;
use std::sync::Arc;

use super::handle::Described;
use super::rim::Writer;
use super::seeds::Seeds;
use super::slices::{Rows, Slices, row_spec};
use super::stage::{Cardinality, Cursor, Element, Next, Node, Stage};
use super::state::Saved;
use super::stop::Run;
use super::{Dataset, dataset::erased};
use crate::ops::methods::*;
use crate::spec::{AnySpec, Structure, TensorSpec, TypeSpec};
use crate::tensor::{Tensor, Tensors};
use crate::types::{DType, Result, Shape, bail};

impl<S: Structure> Dataset<S> {
    /// A dataset of one element.
    ///
    /// TensorFlow: `tf.data.Dataset.from_tensors`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data = Dataset::from_tensors(tensor![1i64, 2]);
    /// assert_eq!(data.collect_all()?[0].shape(), shape![2]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn from_tensors(value: S) -> Self {
        Self::of(Node::new(Fixed { name: "from_tensors", elements: [erased(value)].into() }))
    }

    /// The slices of a value along the first axes of its tensors.
    ///
    /// Slices of a type that is not stacked tensor by tensor are taken by its [`Stackable`](crate::spec::Stackable).
    ///
    /// TensorFlow: `tf.data.Dataset.from_tensor_slices`.
    ///
    /// # Errors
    /// `InvalidArgument` for a scalar, for first axes of differing sizes, and for types without slices.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data = Dataset::from_tensor_slices((tensor![[1i64, 2], [3, 4]], tensor![5.0f32, 6.0]))?;
    /// let (x, y) = &data.collect_all()?[1];
    /// assert_eq!((x.to_vec::<i64>()?, y.item::<f32>()?), (vec![3, 4], 6.0));
    /// assert!(Dataset::from_tensor_slices(scalar(1i64)).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn from_tensor_slices(value: S) -> Result<Self> {
        let stack = erased(value);
        let (one, _) = row_spec(&stack.spec)?;
        if stack.leaves.iter().any(|leaf| matches!(leaf, Tensor::Symbol(_))) {
            return Ok(Self::of(Node::new(Described(Some(one)))));
        }
        let rows = Rows::new(&stack, Arc::new(one))?;
        Ok(Self::of(Node::new(Slices(Arc::new(rows)))))
    }

    /// These values, one after the other. Their specs may differ as far as one spec fits all.
    ///
    /// # Errors
    /// `InvalidArgument` for no values, and for values without a common type.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data = Dataset::from_values(vec![tensor![1i64], tensor![2i64, 3]])?;
    /// assert_eq!(data.element_spec()?, TensorSpec::of::<i64>(shape![?]));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn from_values(values: Vec<S>) -> Result<Self> {
        let mut writer = Writer::default();
        let elements: Arc<[Element]> = values.into_iter().map(|v| writer.write(v)).collect();
        let Some(first) = elements.first() else {
            bail!("of no values no spec is known; `Dataset::empty` takes one")
        };
        let mut common = (*first.spec).clone();
        for other in &elements[1..] {
            common = common.try_common_supertype(&other.spec)?;
        }
        let fixed = Node::new(Fixed { name: "from_values", elements });
        Ok(Self::of(fixed).with_any_spec(common))
    }

    /// No elements, of this spec.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data: Dataset<Tensor> = Dataset::empty(&TensorSpec::of::<f32>([2]));
    /// assert!(data.iter().next().is_none());
    /// ```
    #[track_caller]
    pub fn empty(spec: &S::Spec) -> Self {
        let fixed = Node::new(Fixed { name: "empty", elements: [].into() });
        Self::of(fixed).with_any_spec(spec.to_any())
    }
}

impl Dataset<Tensor> {
    /// The int64 scalars of a range.
    ///
    /// TensorFlow: `tf.data.Dataset.range`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let all: Vec<i64> = Dataset::range(3..6).iter().map(|x| x?.item()).collect::<Result<_>>()?;
    /// assert_eq!(all, [3, 4, 5]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn range(range: Range<i64>) -> Self {
        Self::of(Node::new(Numbers::new(range.start, Some(range.end), 1, DType::I64)))
    }

    /// Scalars of this dtype from `start` on, `step` by `step`, up to but without `stop`.
    ///
    /// # Errors
    /// `InvalidArgument` for a step of 0, or a dtype that is no number.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data = Dataset::range_by(10, 0, -3, f32)?;
    /// assert_eq!(data.cardinality().exact(), Some(4));
    /// assert!(Dataset::range_by(0, 5, 0, i64).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn range_by(start: i64, stop: i64, step: i64, dtype: DType) -> Result<Self> {
        if step == 0 {
            bail!("a range with a step of 0");
        }
        check_number(dtype)?;
        Ok(Self::of(Node::new(Numbers::new(start, Some(stop), step, dtype))))
    }

    /// Scalars from `start` on, `step` by `step`, without end; they wrap.
    ///
    /// TensorFlow: `tf.data.Dataset.counter`.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is no number.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let all = Dataset::counter(5, -2, i64)?.take(3).collect_all()?;
    /// assert_eq!(all[2].item::<i64>()?, 1);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn counter(start: i64, step: i64, dtype: DType) -> Result<Self> {
        check_number(dtype)?;
        Ok(Self::of(Node::new(Numbers::new(start, None, step, dtype))))
    }

    /// Random int64 scalars in `[0, 2³²)`, the same in each pass; [`reseeded`](super::Seed::reseeded) seeds give others
    /// in each. They are TensorFlow's, bit for bit.
    ///
    /// TensorFlow: `tf.data.Dataset.random`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let all = || Dataset::random(7).take(2).collect_all();
    /// assert_eq!(all()?[1].item::<i64>()?, all()?[1].item::<i64>()?);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn random(seed: impl Into<super::Seed>) -> Self {
        Self::of(Node::new(Random::new(seed.into(), false)))
    }
}

/// The name of a function's type, by which pipelines are compared.
pub(super) fn type_name_of<F>(_: &F) -> &'static str {
    std::any::type_name::<F>()
}

fn check_number(dtype: DType) -> Result<()> {
    match dtype.is_integer() || dtype.is_float() {
        true => Ok(()),
        false => bail!("a range of {dtype}; it takes a dtype of numbers"),
    }
}

/// Elements that are there.
pub(super) struct Fixed {
    pub(super) name: &'static str,
    pub(super) elements: Arc<[Element]>,
}

impl Stage for Fixed {
    fn name(&self) -> &'static str {
        self.name
    }

    fn arguments(&self) -> String {
        format!("{}", self.elements.len())
    }

    fn elements(&self) -> Option<&[Element]> {
        Some(&self.elements)
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        match self.elements.is_empty() {
            true => Ok(None),
            false => Ok(super::batching::merged(&self.elements).ok().map(|spec| (*spec).clone())),
        }
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Exact(self.elements.len() as u64)
    }

    fn start(&self, _: &Run) -> Box<dyn Cursor> {
        Box::new(FixedCursor { elements: self.elements.clone(), at: 0 })
    }
}

struct FixedCursor {
    elements: Arc<[Element]>,
    at: usize,
}

impl Cursor for FixedCursor {
    fn next(&mut self) -> Next {
        let element = self.elements.get(self.at)?.clone();
        self.at += 1;
        Some(Ok(element))
    }

    fn save(&mut self) -> Result<Saved> {
        Ok(self.at.into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        self.at = saved.size()?;
        Ok(())
    }
}

/// What stands where a running step was.
pub(super) struct NoCursor;

impl Cursor for NoCursor {
    fn next(&mut self) -> Next {
        None
    }

    fn save(&mut self) -> Result<Saved> {
        Ok(Saved::List(Vec::new()))
    }

    fn restore(&mut self, _: &Saved) -> Result<()> {
        Ok(())
    }
}

/// What stands where a step was.
pub(super) struct Nothing;

impl Stage for Nothing {
    fn name(&self) -> &'static str {
        "nothing"
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        Ok(None)
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Exact(0)
    }

    fn start(&self, _: &Run) -> Box<dyn Cursor> {
        Box::new(NoCursor)
    }
}

/// A range, or all numbers from one on.
pub(super) struct Numbers {
    start: i64,
    stop: Option<i64>,
    step: i64,
    dtype: DType,
    spec: Arc<AnySpec>,
}

impl Numbers {
    pub(super) fn new(start: i64, stop: Option<i64>, step: i64, dtype: DType) -> Self {
        let spec = Arc::new(AnySpec::Tensor(TensorSpec::new(Shape::scalar(), dtype)));
        Self { start, stop, step, dtype, spec }
    }

    fn len(&self) -> Option<u64> {
        let stop = self.stop?;
        let (from, to) = (i128::from(self.start), i128::from(stop));
        let step = i128::from(self.step);
        let way = if step > 0 { to - from } else { from - to };
        let count = if way <= 0 { 0 } else { (way - 1) / step.abs() + 1 };
        Some(u64::try_from(count).unwrap_or(u64::MAX))
    }
}

impl Stage for Numbers {
    fn name(&self) -> &'static str {
        if self.stop.is_some() { "range" } else { "counter" }
    }

    fn arguments(&self) -> String {
        match self.stop {
            Some(stop) => format!("{}, {stop}, {}, {}", self.start, self.step, self.dtype),
            None => format!("{}, {}, {}", self.start, self.step, self.dtype),
        }
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        Ok(Some((*self.spec).clone()))
    }

    fn cardinality(&self) -> Cardinality {
        self.len().map_or(Cardinality::Infinite, Cardinality::Exact)
    }

    fn start(&self, _: &Run) -> Box<dyn Cursor> {
        Box::new(NumbersCursor {
            len: self.len(),
            start: self.start,
            step: self.step,
            dtype: self.dtype,
            spec: self.spec.clone(),
            at: 0,
        })
    }
}

pub(super) struct NumbersCursor {
    len: Option<u64>,
    start: i64,
    step: i64,
    dtype: DType,
    spec: Arc<AnySpec>,
    at: u64,
}

impl Cursor for NumbersCursor {
    fn next(&mut self) -> Next {
        if self.len.is_some_and(|len| self.at >= len) {
            return None;
        }
        let value = self.start.wrapping_add(self.step.wrapping_mul(self.at as i64));
        self.at = self.at.wrapping_add(1);
        let scalar = Tensor::scalar(value);
        let scalar = if self.dtype == DType::I64 { Ok(scalar) } else { scalar.cast(self.dtype) };
        let element = |leaf| Element { spec: self.spec.clone(), leaves: Tensors::from_buf([leaf]) };
        Some(scalar.map(element).map_err(Into::into))
    }

    fn save(&mut self) -> Result<Saved> {
        Ok(self.at.into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        self.at = saved.count()?;
        Ok(())
    }
}

/// Random numbers, or pairs of them: seeds.
pub(super) struct Random {
    seeds: Arc<Seeds>,
    pairs: bool,
    spec: Arc<AnySpec>,
}

impl Random {
    pub(super) fn new(seed: super::Seed, pairs: bool) -> Self {
        let shape = if pairs { Shape::from([2]) } else { Shape::scalar() };
        let spec = Arc::new(AnySpec::Tensor(TensorSpec::of::<i64>(shape)));
        Self { seeds: Arc::new(Seeds::new(seed)), pairs, spec }
    }
}

impl Stage for Random {
    fn name(&self) -> &'static str {
        if self.pairs { "seeds" } else { "random" }
    }

    fn arguments(&self) -> String {
        self.seeds.to_string()
    }

    fn seeds(&self) -> Option<&Arc<Seeds>> {
        Some(&self.seeds)
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        Ok(Some((*self.spec).clone()))
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Infinite
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        let (draws, pairs, spec) = (self.seeds.start(run), self.pairs, self.spec.clone());
        Box::new(RandomCursor { draws, pairs, spec })
    }
}

struct RandomCursor {
    draws: super::seeds::Draws,
    pairs: bool,
    spec: Arc<AnySpec>,
}

impl Cursor for RandomCursor {
    fn next(&mut self) -> Next {
        let mut draw = || i64::from(self.draws.next());
        let leaf = match self.pairs {
            true => Tensor::from_vec(vec![draw(), draw()]),
            false => Tensor::scalar(draw()),
        };
        Some(Ok(Element { spec: self.spec.clone(), leaves: Tensors::from_buf([leaf]) }))
    }

    fn save(&mut self) -> Result<Saved> {
        Ok(self.draws.save())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        self.draws.restore(saved)
    }
}
