//! Several datasets as one: side by side, one after the other, chosen by numbers.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::seeds::{Draws, Seeds};
use super::stage::{Cardinality, Cursor, Element, Failure, Feed, Next, Node, Stage};
use super::state::Saved;
use super::stop::Run;
use super::{Dataset, Seed};
use crate::spec::{AnySpec, Structure};
use crate::tensor::{Tensor, Tensors};
use crate::types::{DType, Result, bail, err};

impl<S: Structure> Dataset<S> {
    /// All elements of this dataset, then all of another. Their specs become one that fits both.
    ///
    /// TensorFlow: `Dataset.concatenate`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// let both = Dataset::range(0..3).concatenate(&Dataset::range(7..9));
    /// assert_eq!(both.cardinality().exact(), Some(5));
    /// ```
    #[track_caller]
    pub fn concatenate(&self, other: &Self) -> Self {
        Self::of(Node::new(Concatenated([self.node.clone(), other.node.clone()])))
    }

    /// Pairs of the elements of this dataset and of another, until one ends.
    ///
    /// TensorFlow: `Dataset.zip`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let pairs = Dataset::range(0..3).zip(&Dataset::range(7..9));
    /// let (a, b) = &pairs.collect_all()?[1];
    /// assert_eq!((a.item::<i64>()?, b.item::<i64>()?), (1, 8));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn zip<R: Structure>(&self, other: &Dataset<R>) -> Dataset<(S, R)> {
        let inputs = vec![self.node.clone(), other.node.clone()];
        Dataset::of(Node::new(Zipped::tuple("zip", inputs)))
    }

    /// Lists of the elements of several datasets, until one ends.
    ///
    /// # Errors
    /// `InvalidArgument` for no datasets.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let lists = Dataset::zip_all(&[Dataset::range(0..3), Dataset::range(7..9)])?;
    /// assert_eq!(lists.collect_all()?[1][1].item::<i64>()?, 8);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn zip_all(datasets: &[Self]) -> Result<Dataset<Vec<S>>> {
        check_some(datasets.len())?;
        let inputs = datasets.iter().map(|d| d.node.clone()).collect();
        Ok(Dataset::of(Node::new(Zipped { name: "zip_all", inputs, form: Form::List })))
    }

    /// Maps of the elements of datasets with names, until one ends.
    ///
    /// # Errors
    /// `InvalidArgument` for no datasets.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let named = BTreeMap::from([("x".to_string(), Dataset::range(0..3))]);
    /// assert_eq!(Dataset::zip_map(&named)?.collect_all()?[2]["x"].item::<i64>()?, 2);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn zip_map(datasets: &BTreeMap<String, Self>) -> Result<Dataset<BTreeMap<String, S>>> {
        check_some(datasets.len())?;
        let inputs = datasets.values().map(|d| d.node.clone()).collect();
        let form = Form::Map(datasets.keys().cloned().collect());
        Ok(Dataset::of(Node::new(Zipped { name: "zip_map", inputs, form })))
    }

    /// For each number of `choice`, an int64 scalar, the next element of the dataset with this number. A dataset that
    /// has ended is passed over; the pass ends when all have, or `choice` has.
    /// [`choose_while_all`](Self::choose_while_all) ends with the first.
    ///
    /// TensorFlow: `Dataset.choose_from_datasets` with `stop_on_empty_dataset=False`.
    ///
    /// # Errors
    /// `InvalidArgument` for no datasets. A number that no dataset has is the error of an element.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let sets = [Dataset::range(0..1), Dataset::range(10..13)];
    /// let choice = Dataset::range(0..6).map(|i| i.floor_mod(2));
    /// assert_eq!(Dataset::choose_from(&sets, &choice)?.collect_all()?.len(), 4);
    /// assert_eq!(Dataset::choose_while_all(&sets, &choice)?.collect_all()?.len(), 2);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn choose_from(datasets: &[Self], choice: &Dataset<Tensor>) -> Result<Self> {
        Self::chosen(datasets, Chooser::Given(choice.node.clone()), false)
    }

    /// [`choose_from`](Self::choose_from) until the chosen dataset has ended.
    ///
    /// # Errors
    /// As there.
    #[track_caller]
    pub fn choose_while_all(datasets: &[Self], choice: &Dataset<Tensor>) -> Result<Self> {
        Self::chosen(datasets, Chooser::Given(choice.node.clone()), true)
    }

    /// The elements of several datasets, which are drawn with these weights (all the same if there are none) until all have
    /// ended. The draws are TensorFlow's.
    ///
    /// TensorFlow: `Dataset.sample_from_datasets`.
    ///
    /// # Errors
    /// `InvalidArgument` for no datasets, and for weights that are negative, not finite, or of another number.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let sets = [Dataset::range(0..5), Dataset::range(10..15)];
    /// assert_eq!(Dataset::sample_from(&sets, &[3.0, 1.0], 5)?.collect_all()?.len(), 10);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn sample_from(datasets: &[Self], weights: &[f64], seed: impl Into<Seed>) -> Result<Self> {
        Self::sampled(datasets, weights, seed.into(), false)
    }

    /// [`sample_from`](Self::sample_from) until the drawn dataset has ended.
    ///
    /// # Errors
    /// As there.
    #[track_caller]
    pub fn sample_while_all(
        datasets: &[Self],
        weights: &[f64],
        seed: impl Into<Seed>,
    ) -> Result<Self> {
        Self::sampled(datasets, weights, seed.into(), true)
    }

    #[track_caller]
    fn sampled(all: &[Self], weights: &[f64], seed: Seed, whole: bool) -> Result<Self> {
        check_some(all.len())?;
        if !weights.is_empty() && weights.len() != all.len() {
            bail!("{} weights are given for {} datasets", weights.len(), all.len());
        }
        if let Some(wrong) = weights.iter().find(|w| !w.is_finite() || **w < 0.0) {
            bail!("a weight of {wrong}; weights are finite numbers from 0 on");
        }
        let kept: Vec<usize> =
            (0..all.len()).filter(|i| weights.get(*i).is_none_or(|w| *w as f32 > 0.0)).collect();
        let datasets: Vec<Self> = kept.iter().map(|i| all[*i].clone()).collect();
        match &datasets[..] {
            [] => return Ok(all[0].take(0)),
            [one] => return Ok(one.clone()),
            _ => {}
        }
        let logits: Vec<f32> = match weights.is_empty() {
            true => vec![1.0; datasets.len()],
            false => kept.iter().map(|i| (weights[*i] as f32).ln()).collect(),
        };
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let weights = logits.iter().map(|l| f64::from(l - most).exp()).collect();
        let seeds = Arc::new(Seeds::new(seed));
        Self::chosen(&datasets, Chooser::Drawn { seeds, weights }, whole)
    }

    #[track_caller]
    fn chosen(datasets: &[Self], chooser: Chooser, whole: bool) -> Result<Self> {
        check_some(datasets.len())?;
        let inputs = datasets.iter().map(|d| d.node.clone()).collect();
        Ok(Self::of(Node::new(Chosen { inputs, chooser: Arc::new(chooser), whole })))
    }
}

impl<A: Structure, B: Structure> Dataset<(A, B)> {
    /// The first parts, and the second parts, as two datasets. Each makes passes of its own.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let (numbers, items) = Dataset::range(5..8).enumerate(0).unzip();
    /// assert_eq!(numbers.collect_all()?[1].item::<i64>()?, 1);
    /// assert_eq!(items.collect_all()?[1].item::<i64>()?, 6);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn unzip(&self) -> (Dataset<A>, Dataset<B>) {
        (self.map(|(a, _)| Ok(a)), self.map(|(_, b)| Ok(b)))
    }
}

fn check_some(datasets: usize) -> Result<()> {
    match datasets {
        0 => bail!("no datasets are given"),
        _ => Ok(()),
    }
}

/// The specs of several steps as one that fits all; `None` if one is not known.
pub(super) fn common_spec(inputs: &[Arc<Node>]) -> Result<Option<AnySpec>> {
    let mut common: Option<AnySpec> = None;
    for input in inputs {
        let Some(spec) = input.spec()? else { return Ok(None) };
        common = Some(match common {
            Some(common) => common.try_common_supertype(&spec)?,
            None => spec,
        });
    }
    Ok(common)
}

struct Concatenated([Arc<Node>; 2]);

impl Stage for Concatenated {
    fn name(&self) -> &'static str {
        "concatenate"
    }

    fn inputs(&self) -> Vec<&Arc<Node>> {
        self.0.iter().collect()
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        common_spec(&self.0)
    }

    fn cardinality(&self) -> Cardinality {
        self.0[0].cardinality().plus(self.0[1].cardinality())
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        // The second starts when the first has ended.
        let (second, run) = (self.0[1].clone(), run.clone());
        Box::new(ConcatenateCursor { input: self.0[0].start(&run), at: 0, second, run })
    }
}

struct ConcatenateCursor {
    input: Feed,
    at: u64,
    second: Arc<Node>,
    run: Run,
}

impl Cursor for ConcatenateCursor {
    fn next(&mut self) -> Next {
        match self.input.next() {
            None if self.at == 0 => {
                self.at = 1;
                self.input = self.second.start(&self.run);
                self.input.next()
            }
            next => next,
        }
    }

    fn save(&mut self) -> Result<Saved> {
        Ok([self.at.into(), self.input.save()?].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [at, input] = saved.list()?;
        self.at = at.count()?;
        if self.at > 0 {
            self.input = self.second.start(&self.run);
        }
        self.input.restore(input)
    }
}

/// What the elements of several steps become.
#[derive(Clone)]
pub(super) enum Form {
    Tuple,
    List,
    Map(Vec<String>),
}

impl Form {
    fn of(&self, specs: Vec<AnySpec>) -> AnySpec {
        match self {
            Self::Tuple => AnySpec::Tuple(specs.into()),
            Self::List => AnySpec::List(specs.into()),
            Self::Map(names) => AnySpec::Map(names.iter().cloned().zip(specs).collect()),
        }
    }
}

pub(super) struct Zipped {
    name: &'static str,
    inputs: Vec<Arc<Node>>,
    form: Form,
}

impl Zipped {
    pub(super) fn tuple(name: &'static str, inputs: Vec<Arc<Node>>) -> Self {
        Self { name, inputs, form: Form::Tuple }
    }
}

impl Stage for Zipped {
    fn name(&self) -> &'static str {
        self.name
    }

    fn arguments(&self) -> String {
        match &self.form {
            Form::Map(names) => names.join(", "),
            _ => String::new(),
        }
    }

    fn inputs(&self) -> Vec<&Arc<Node>> {
        self.inputs.iter().collect()
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        let specs: Option<Vec<AnySpec>> =
            self.inputs.iter().map(|input| input.spec()).collect::<Result<_>>()?;
        Ok(specs.map(|specs| self.form.of(specs)))
    }

    fn cardinality(&self) -> Cardinality {
        let all = self.inputs.iter().map(|input| input.cardinality());
        all.reduce(Cardinality::least).unwrap_or(Cardinality::Exact(0))
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        let inputs = self.inputs.iter().map(|input| input.start(run)).collect();
        Box::new(ZipCursor { inputs, form: self.form.clone(), last: None })
    }
}

struct ZipCursor {
    inputs: Vec<Feed>,
    form: Form,
    /// The specs of the last parts, and that of the whole.
    last: Option<(Vec<Arc<AnySpec>>, Arc<AnySpec>)>,
}

impl Cursor for ZipCursor {
    fn next(&mut self) -> Next {
        let (mut specs, mut leaves) = (Vec::with_capacity(self.inputs.len()), Tensors::new());
        let mut failed = None;
        for input in &mut self.inputs {
            match input.next()? {
                Ok(element) => {
                    specs.push(element.spec);
                    leaves.extend(element.leaves);
                }
                // The partners of a failed element are lost with it.
                Err(failure) => failed = failed.or(Some(failure)),
            }
        }
        if let Some(failure) = failed {
            return Some(Err(failure));
        }
        let same = |(last, _): &(Vec<Arc<AnySpec>>, _)| {
            last.iter().zip(&specs).all(|(a, b)| Arc::ptr_eq(a, b))
        };
        let (_, spec) = match self.last.take().filter(same) {
            Some(last) => self.last.insert(last),
            None => {
                let whole = self.form.of(specs.iter().map(|s| (**s).clone()).collect());
                self.last.insert((specs, Arc::new(whole)))
            }
        };
        Some(Ok(Element { spec: spec.clone(), leaves }))
    }

    fn save(&mut self) -> Result<Saved> {
        Ok(Saved::List(self.inputs.iter_mut().map(Feed::save).collect::<Result<_>>()?))
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let items = saved.items()?;
        if items.len() != self.inputs.len() {
            bail!("the saved state is damaged: it has {} inputs", items.len());
        }
        self.inputs.iter_mut().zip(items).try_for_each(|(input, saved)| input.restore(saved))
    }
}

/// What says which dataset is next.
enum Chooser {
    Given(Arc<Node>),
    Drawn { seeds: Arc<Seeds>, weights: Vec<f64> },
}

struct Chosen {
    inputs: Vec<Arc<Node>>,
    chooser: Arc<Chooser>,
    /// True if the pass ends with the first dataset that does.
    whole: bool,
}

impl Stage for Chosen {
    fn name(&self) -> &'static str {
        match (&*self.chooser, self.whole) {
            (Chooser::Given(_), false) => "choose_from",
            (Chooser::Given(_), true) => "choose_while_all",
            (Chooser::Drawn { .. }, false) => "sample_from",
            (Chooser::Drawn { .. }, true) => "sample_while_all",
        }
    }

    fn arguments(&self) -> String {
        match &*self.chooser {
            Chooser::Given(_) => String::new(),
            Chooser::Drawn { seeds, weights } => format!("{weights:?}, {seeds}"),
        }
    }

    fn inputs(&self) -> Vec<&Arc<Node>> {
        let choice = match &*self.chooser {
            Chooser::Given(choice) => Some(choice),
            Chooser::Drawn { .. } => None,
        };
        self.inputs.iter().chain(choice).collect()
    }

    fn seeds(&self) -> Option<&Arc<Seeds>> {
        match &*self.chooser {
            Chooser::Given(_) => None,
            Chooser::Drawn { seeds, .. } => Some(seeds),
        }
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        if let Chooser::Given(choice) = &*self.chooser
            && let Some(spec) = choice.spec()?
            && !matches!(&spec, AnySpec::Tensor(t) if t.dtype == DType::I64 && t.shape.rank().is_none_or(|r| r == 0))
        {
            bail!("numbers of datasets are int64 scalars, not {spec}");
        }
        common_spec(&self.inputs)
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Unknown
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        let choice = match &*self.chooser {
            Chooser::Given(choice) => Choice::Given(choice.start(run)),
            Chooser::Drawn { seeds, .. } => Choice::Drawn(seeds.start(run), self.chooser.clone()),
        };
        let inputs = self.inputs.iter().map(|input| input.start(run)).collect();
        Box::new(ChooseCursor { inputs, choice, whole: self.whole })
    }
}

enum Choice {
    Given(Feed),
    Drawn(Draws, Arc<Chooser>),
}

impl Choice {
    fn next(&mut self) -> Option<Result<usize, Failure>> {
        let element = match self {
            Self::Given(feed) => feed.next()?,
            Self::Drawn(draws, chooser) => {
                let Chooser::Drawn { weights, .. } = &**chooser else { return None };
                return Some(Ok(drawn(draws, weights)));
            }
        };
        Some(element.and_then(|element| {
            let [leaf] = &element.leaves[..] else {
                return Err(err!("the number of a dataset is one tensor").into());
            };
            let number = leaf.item::<i64>()?;
            usize::try_from(number).map_err(|_| err!("there is no dataset {number}").into())
        }))
    }
}

/// TensorFlow's stateless draw of one of several, with a seed of two draws.
fn drawn(draws: &mut Draws, weights: &[f64]) -> usize {
    use extype_kernels::random::Philox;
    let seed = [draws.next(), draws.next()].map(u64::from);
    let (key, counter) = Philox::key_counter(seed);
    let [low, high, ..] = Philox::new(key, counter).block(0);
    let mantissa = u64::from(low & ((1 << 20) - 1)) << 32 | u64::from(high);
    let unit = f64::from_bits(1023 << 52 | mantissa) - 1.0;
    let at = unit * weights.iter().sum::<f64>();
    let mut sum = 0.0;
    let found = weights.iter().position(|w| {
        sum += w;
        at < sum
    });
    found.unwrap_or(weights.len().saturating_sub(1))
}

struct ChooseCursor {
    inputs: Vec<Feed>,
    choice: Choice,
    whole: bool,
}

impl Cursor for ChooseCursor {
    fn next(&mut self) -> Next {
        loop {
            let mut left = self.inputs.iter_mut().filter(|input| !input.is_done());
            let one = left.next()?;
            // The only one that is left comes next, whatever is drawn, and however seldom it would be.
            if left.next().is_none() && !self.whole && matches!(self.choice, Choice::Drawn(..)) {
                return one.next();
            }
            let i = match self.choice.next()? {
                Ok(i) => i,
                Err(failure) => return Some(Err(failure)),
            };
            let count = self.inputs.len();
            let Some(input) = self.inputs.get_mut(i) else {
                return Some(Err(err!("there is no dataset {i} among {count}").into()));
            };
            match input.next() {
                None if self.whole => return None,
                None => {}
                next => return next,
            }
        }
    }

    fn save(&mut self) -> Result<Saved> {
        let choice = match &mut self.choice {
            Choice::Given(feed) => feed.save()?,
            Choice::Drawn(draws, _) => draws.save(),
        };
        let inputs = self.inputs.iter_mut().map(Feed::save).collect::<Result<_>>()?;
        Ok([choice, Saved::List(inputs)].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [choice, inputs] = saved.list()?;
        match &mut self.choice {
            Choice::Given(feed) => feed.restore(choice)?,
            Choice::Drawn(draws, _) => draws.restore(choice)?,
        }
        let all = self.inputs.iter_mut().zip(inputs.items()?);
        all.into_iter().try_for_each(|(input, saved)| input.restore(saved))
    }
}
