//! Seeds of shuffles and samples: TensorFlow's, bit for bit.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use extype_kernels::random::{Philox, Words};
use smallvec::SmallVec;

use super::stage::Node;
use super::state::Saved;
use super::stop::Run;
use crate::types::{Result, bail};

/// TensorFlow reduces the seeds of datasets modulo this number.
const MODULUS: i128 = (1 << 31) - 1;

/// TensorFlow's global seed where none is set.
const GLOBAL: u64 = 87_654_321;

/// A seed of a shuffle, a sample, or random numbers.
///
/// Numbers are seeds: `shuffle(100, 7)`. As in TensorFlow, seeds that differ by a multiple of 2³¹ - 1 are the same.
///
/// ```
/// use extype::data::{Dataset, Seed};
/// use extype::prelude::*;
/// let order = |seed: Seed| -> Result<Vec<i64>> {
///     Dataset::range(0..4).shuffle(4, seed).repeat_n(2).iter().map(|x| x?.item()).collect()
/// };
/// assert_eq!(order(7.into())?, [0, 2, 1, 3, 1, 0, 3, 2]);
/// let fixed = order(Seed::new(7).fixed())?;
/// assert_eq!(fixed[..4], fixed[4..]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed {
    seed: u64,
    global: u64,
    again: Option<bool>,
}

impl Seed {
    /// This seed.
    pub fn new(seed: impl Into<i128>) -> Self {
        Self { seed: seed.into().rem_euclid(MODULUS) as u64, global: GLOBAL, again: None }
    }

    /// The same numbers in each pass.
    #[must_use]
    pub fn fixed(self) -> Self {
        Self { again: Some(false), ..self }
    }

    /// Other numbers in each pass, which depend on the seed and on the number of the pass.
    #[must_use]
    pub fn reseeded(self) -> Self {
        Self { again: Some(true), ..self }
    }

    /// Combined with a global seed, as TensorFlow does after `tf.random.set_seed`.
    #[must_use]
    pub fn with_global(self, global: i64) -> Self {
        Self { global: global as u64, ..self }
    }

    /// With this choice where none is made.
    pub(super) fn or_again(self, again: bool) -> Self {
        Self { again: Some(self.again.unwrap_or(again)), ..self }
    }
}

macro_rules! from_numbers {
    ($($number:ty)*) => { $(
        impl From<$number> for Seed {
            fn from(seed: $number) -> Self {
                Self::new(seed)
            }
        }
    )* };
}

from_numbers! { i32 u32 i64 u64 }

/// The seeds of one step of one dataset, which counts the passes.
pub(crate) struct Seeds {
    seed: Seed,
    passes: AtomicU64,
}

impl Seeds {
    pub(crate) fn new(seed: Seed) -> Self {
        Self { seed, passes: AtomicU64::new(0) }
    }

    /// The numbers of the next pass.
    pub(crate) fn start(self: &Arc<Self>, run: &Run) -> Draws {
        Draws::new(self.clone(), Begun::begin(run.begun(), self, 1))
    }

    /// The number of the next pass.
    pub(crate) fn pass(&self) -> u64 {
        self.passes.load(Ordering::Relaxed)
    }

    /// The next pass is this one.
    pub(crate) fn set_pass(&self, pass: u64) {
        self.passes.store(pass, Ordering::Relaxed);
    }

    fn generator(&self, pass: u64) -> Philox {
        let (first, second) = match (self.seed.global, self.seed.seed) {
            (0, 0) => (0, MODULUS as u64),
            seeds => seeds,
        };
        let own = Philox::new(first, [0, second]);
        match self.seed.again {
            Some(true) => {
                let block = own.block(pass / 2);
                let at = (pass % 2 * 2) as usize;
                Philox::new(block[at].into(), [0, block[at + 1].into()])
            }
            _ => own,
        }
    }
}

impl fmt::Display for Seeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seed {}", self.seed.seed)?;
        if self.seed.global != GLOBAL {
            write!(f, " of {}", self.seed.global)?;
        }
        f.write_str(if self.seed.again == Some(true) { ", reseeded" } else { "" })
    }
}

/// How many passes there were over each of several steps.
#[derive(Clone, Default)]
pub(crate) struct Passes(SmallVec<[u64; 2]>);

impl Passes {
    pub(crate) fn of(seeds: &[Arc<Seeds>]) -> Self {
        Self(seeds.iter().map(|seeds| seeds.pass()).collect())
    }

    pub(crate) fn set(&self, seeds: &[Arc<Seeds>]) {
        seeds.iter().zip(&self.0).for_each(|(seeds, pass)| seeds.set_pass(*pass));
    }

    pub(crate) fn save(&self) -> Saved {
        Saved::List(self.0.iter().map(|pass| (*pass).into()).collect())
    }

    pub(crate) fn restored(saved: &Saved) -> Result<Self> {
        Ok(Self(saved.items()?.iter().map(Saved::count).collect::<Result<_>>()?))
    }
}

/// The passes that a step with threads begins ahead of its reader. Outside the step a pass counts when the reader comes to
/// its first element, so that no number of a pass depends on how far the step is.
pub(crate) struct Begun {
    seeds: Vec<Arc<Seeds>>,
    /// Of the nearest step above that works ahead too, if there is one.
    outer: Option<Arc<Self>>,
    counts: Mutex<Counts>,
}

/// How many passes were begun, and how many of them a reader has come to.
struct Counts {
    made: Passes,
    read: Passes,
}

impl Begun {
    /// For a step that reads `node` ahead of its reader.
    pub(crate) fn of(node: &Node, outer: Option<Arc<Self>>) -> Arc<Self> {
        let seeds = node.each_seeds();
        let none = Passes(seeds.iter().map(|_| 0).collect());
        Arc::new(Self {
            seeds,
            outer,
            counts: Mutex::new(Counts { made: none.clone(), read: none }),
        })
    }

    /// Begins `n` passes; the number of the first.
    fn begin(begun: Option<&Arc<Self>>, seeds: &Arc<Seeds>, n: u64) -> u64 {
        let Some(begun) = begun else { return seeds.passes.fetch_add(n, Ordering::Relaxed) };
        let outer = begun.outer.as_ref();
        match begun.seeds.iter().position(|own| Arc::ptr_eq(own, seeds)) {
            Some(i) => {
                let Counts { made, read } = &mut *begun.counts();
                // Saved states of strangers may hold any numbers.
                let ahead = made.0[i].wrapping_sub(read.0[i]);
                made.0[i] = made.0[i].wrapping_add(n);
                Self::begin(outer, seeds, 0).wrapping_add(ahead)
            }
            None => Self::begin(outer, seeds, n),
        }
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An element was made. It is [`read`](Self::read) with this.
    pub(crate) fn made(&self) -> Passes {
        self.counts().made.clone()
    }

    pub(crate) fn read(&self, passes: Passes) {
        let mut counts = self.counts();
        for ((seeds, new), old) in self.seeds.iter().zip(&passes.0).zip(&counts.read.0) {
            if new != old {
                Self::begin(self.outer.as_ref(), seeds, new.wrapping_sub(*old));
            }
        }
        counts.read = passes;
    }

    /// All that was made is read.
    pub(crate) fn read_all(&self) {
        self.read(self.made());
    }

    pub(crate) fn save(&self) -> Saved {
        let counts = self.counts();
        [counts.made.save(), counts.read.save()].into()
    }

    /// Restore the input of the step first: that begins passes, which do not count.
    pub(crate) fn restore(&self, saved: &Saved) -> Result<()> {
        let [made, read] = saved.list()?;
        let counts = Counts { made: self.restored(made)?, read: self.restored(read)? };
        *self.counts() = counts;
        Ok(())
    }

    /// The passes that an element was made with.
    pub(crate) fn restored(&self, saved: &Saved) -> Result<Passes> {
        let passes = Passes::restored(saved)?;
        match passes.0.len() == self.seeds.len() {
            true => Ok(passes),
            false => bail!("{} steps count passes, not {}", self.seeds.len(), passes.0.len()),
        }
    }
}

/// The numbers of one pass.
pub(crate) struct Draws {
    seeds: Arc<Seeds>,
    pass: u64,
    words: Words,
    drawn: u64,
}

impl Draws {
    fn new(seeds: Arc<Seeds>, pass: u64) -> Self {
        let words = Words::new(seeds.generator(pass), 0);
        Self { seeds, pass, words, drawn: 0 }
    }

    pub(crate) fn next(&mut self) -> u32 {
        self.drawn += 1;
        self.words.next()
    }

    pub(crate) fn save(&self) -> Saved {
        [self.pass.into(), self.drawn.into()].into()
    }

    /// Goes on from there.
    pub(crate) fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [pass, drawn] = saved.list()?;
        (self.pass, self.drawn) = (pass.count()?, drawn.count()?);
        self.words = Words::new(self.seeds.generator(self.pass), self.drawn / 4);
        for _ in 0..self.drawn % 4 {
            self.words.next();
        }
        Ok(())
    }
}
