//! What a random pipeline consists of.

use extype::data::{Dataset, Remainder, Window};
use extype::prelude::*;

use crate::fuzz::Rng;

/// A source and steps.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    source: Source,
    pub(super) steps: Vec<Step>,
}

#[derive(Clone, Debug)]
enum Source {
    Slices(Vec<i64>),
    Iterator(i64),
    Range(i64),
    Random(i64),
    Unfold(i64),
}

/// A step; numbers are at least 1.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Map(i64),
    /// Fails for elements with this remainder by 7.
    Fail(i64),
    Filter(i64),
    Take(u64),
    TakeWhile(i64),
    Skip(u64),
    Shard(u64, u64),
    Repeat(u64),
    Shuffle(usize, i64),
    /// And again.
    ShuffleAll(i64),
    Seeded(i64),
    /// Batches, and again rows.
    Batch(usize),
    /// Batches without the last, in other batches, and again rows.
    Rebatch(usize),
    FlatMap(i64),
    Interleave(usize, u64),
    Scan,
    Window(usize, usize, usize),
    Group(usize, i64),
    Prefetch(usize),
    /// And again.
    Cache,
    Concatenate(i64),
    Enumerate(i64),
    Unique,
    Ignore,
    MaxErrors(u64),
    /// Sums with the elements that come later, from another pass.
    Zip(u64),
    Sample(i64),
    Choose,
}

impl Plan {
    pub(super) fn of_seed(seed: u64) -> Self {
        let rng = &mut Rng::of_case("pipeline", seed);
        let n = |rng: &mut Rng| rng.below(12) as i64;
        let source = match rng.below(5) {
            0 => Source::Slices((0..n(rng)).map(|_| rng.below(30) as i64).collect()),
            1 => Source::Iterator(n(rng)),
            2 => Source::Range(n(rng)),
            3 => Source::Random(n(rng)),
            _ => Source::Unfold(n(rng)),
        };
        let mut steps: Vec<Step> = Vec::new();
        for _ in 0..1 + rng.below(7) {
            let step = step(rng);
            let long = step.grows() && steps.iter().filter(|s| s.grows()).count() == 3;
            // Which of two passes at one time begins the next pass of a shuffle, is no promise.
            let tangled = matches!(step, Step::Zip(_)) && steps.iter().any(Step::counts);
            if !long && !tangled {
                steps.push(step);
            }
        }
        Self { source, steps }
    }

    /// The plans with one step less.
    pub(super) fn smaller(&self) -> Vec<Self> {
        let without = |i| {
            let mut plan = self.clone();
            plan.steps.remove(i);
            plan
        };
        (0..self.steps.len()).map(without).collect()
    }

    /// True if each pass of the whole is one pass of each step whose passes differ, so that a pass can be asked for by
    /// its number.
    pub(super) fn passes_count(&self) -> bool {
        let again = |step: &Step| {
            matches!(step, Step::Repeat(_) | Step::Cache | Step::ShuffleAll(_) | Step::Zip(_))
        };
        let first = self.steps.iter().position(Step::counts);
        first.is_none_or(|i| !self.steps[i..].iter().any(again))
    }

    /// The dataset; functions of maps run on so many threads.
    pub(super) fn build(&self, threads: usize) -> Dataset<Tensor> {
        let data = self.steps.iter().fold(self.source.build(), |data, s| s.build(&data, threads));
        // Repeated ones may be long.
        data.take(80)
    }

    pub(super) fn source(&self) -> Dataset<Tensor> {
        self.source.build()
    }
}

impl Source {
    fn build(&self) -> Dataset<Tensor> {
        match self.clone() {
            Self::Slices(rows) => {
                Dataset::from_tensor_slices(Tensor::from_vec(rows)).expect("a vector has rows")
            }
            Self::Iterator(n) => Dataset::from_iter(move || (0..n).map(scalar)),
            Self::Range(n) => Dataset::range(n..14),
            Self::Random(n) => Dataset::random(n).map(|x| x.floor_mod(50)).take(9),
            Self::Unfold(n) => Dataset::unfold(scalar(n), |s: Tensor| {
                let more = s.item::<i64>()? < 12;
                Ok(more.then(|| (&s * 3, &s + 1)))
            }),
        }
    }
}

fn step(rng: &mut Rng) -> Step {
    let mut to = |n: usize| 1 + rng.below(n);
    let (a, b, c) = (to(4), to(4), to(2));
    let (n, m, k) = (a as u64, b as u64, a as i64);
    match rng.below(28) {
        0 => Step::Map(k),
        1 | 2 => Step::Fail(k),
        3 => Step::Filter(k + 1),
        4 => Step::Take(3 * n),
        5 => Step::TakeWhile(3 * k + 2),
        6 => Step::Skip(n),
        7 => Step::Shard(n, m % n),
        8 => Step::Repeat(n),
        9 => Step::Shuffle(a, b as i64),
        10 => Step::ShuffleAll(k),
        11 => Step::Seeded(k),
        12 => Step::Batch(a),
        13 => Step::Rebatch(a + 1),
        14 => Step::FlatMap(k),
        15 => Step::Interleave(a, m),
        16 => Step::Scan,
        17 => Step::Window(a, b, c),
        18 => Step::Group(a, b as i64 + 1),
        19 => Step::Prefetch(a),
        20 => Step::Cache,
        21 => Step::Concatenate(k),
        22 => Step::Enumerate(k),
        23 => Step::Unique,
        24 => {
            if b > 2 {
                Step::Ignore
            } else {
                Step::MaxErrors(n - 1)
            }
        }
        25 => Step::Zip(n),
        26 => Step::Sample(k),
        _ => Step::Choose,
    }
}

/// Where flat maps begin for an element.
pub(super) fn start(x: i64) -> i64 {
    x.rem_euclid(9)
}

impl Step {
    /// True if each pass has another order.
    fn counts(&self) -> bool {
        matches!(self, Self::Shuffle(..) | Self::ShuffleAll(_) | Self::Seeded(_))
    }

    fn grows(&self) -> bool {
        matches!(
            self,
            Self::Repeat(_)
                | Self::ShuffleAll(_)
                | Self::Cache
                | Self::FlatMap(_)
                | Self::Window(..)
        )
    }

    fn build(&self, data: &Dataset<Tensor>, threads: usize) -> Dataset<Tensor> {
        match *self {
            Self::Map(k) if threads > 1 => data.map_parallel(threads, affine(k)),
            Self::Map(k) => data.map(affine(k)),
            Self::Fail(k) if threads > 1 => data.map_parallel(threads, failing(k)),
            Self::Fail(k) => data.map(failing(k)),
            Self::Filter(k) => data.filter(move |x| x.floor_mod(k)?.not_equal(0)),
            Self::Take(n) => data.take(n),
            Self::TakeWhile(k) => data.take_while(move |x| x.floor_mod(k)?.not_equal(k - 1)),
            Self::Skip(n) => data.skip(n),
            Self::Shard(n, i) => data.shard(n, i),
            Self::Repeat(n) => data.repeat_n(n),
            Self::Shuffle(buffer, seed) => data.shuffle(buffer, seed),
            Self::ShuffleAll(seed) => data.shuffle_all(seed).repeat_n(2),
            Self::Seeded(seed) => data.map_seeded(seed, |seed, x| {
                let draw = seed.to_vec::<i64>()?[0] % 40;
                Ok(&x + draw)
            }),
            Self::Batch(n) => data.batch(n, Remainder::Keep).unbatch(),
            Self::Rebatch(n) => {
                data.batch(n, Remainder::Drop).rebatch(&[1, 3], Remainder::Keep).unbatch()
            }
            Self::FlatMap(k) => data.flat_map(move |x| {
                let x = start(x.item()?);
                Ok(Dataset::range(x..x + k))
            }),
            Self::Interleave(cycle, block) => data.interleave(cycle, block, move |x| {
                let x = start(x.item()?);
                let part = Dataset::range(10 * x..10 * x + x % 4);
                Ok(if threads > 1 { part.prefetch(1) } else { part })
            }),
            Self::Scan => data.scan(scalar(0i64), |s, x| {
                let sum = (&s + &x).floor_mod(1000)?;
                Ok((sum.clone(), sum))
            }),
            Self::Window(size, shift, stride) => {
                data.window(Window::of(size).shift(shift).stride(stride)).flat_map(Ok)
            }
            Self::Group(size, k) => data
                .group_by_window(
                    size,
                    move |x| x.floor_mod(k),
                    |_, group| Ok(group.batch(2, Remainder::Keep)),
                )
                .unbatch(),
            Self::Prefetch(n) if threads > 1 => data.prefetch(n),
            // The steps are the same, on this thread.
            Self::Prefetch(_) => data.clone(),
            Self::Cache => data.cache().repeat_n(2),
            Self::Concatenate(k) => data.concatenate(&Dataset::range(0..k)),
            Self::Enumerate(k) => data.enumerate(k).map(|(i, x)| Ok(&i + &x)),
            Self::Unique => data.unique(),
            Self::Ignore => data.ignore_errors(),
            Self::MaxErrors(n) => data.max_errors(n),
            Self::Zip(n) => data.zip(&data.skip(n)).map(|(a, b)| Ok(&a + &b)),
            Self::Sample(seed) => {
                let others = [data.clone(), Dataset::range(100..105)];
                Dataset::sample_from(&others, &[2.0, 1.0], seed).expect("two datasets and weights")
            }
            Self::Choose => {
                let others = [Dataset::range(0..4), Dataset::range(10..13)];
                let choice = data.map(|x| x.floor_mod(3));
                Dataset::choose_from(&others, &choice).expect("two datasets")
            }
        }
    }
}

fn affine(k: i64) -> impl Fn(Tensor) -> Result<Tensor> + Send + Sync + 'static {
    move |x| (&x * k + 1).floor_mod(1000)
}

fn failing(k: i64) -> impl Fn(Tensor) -> Result<Tensor> + Send + Sync + 'static {
    move |x| match x.item::<i64>()? % 7 == k {
        true => Err(Error::invalid(format!("refused {}", x.item::<i64>()?))),
        false => Ok(x),
    }
}
