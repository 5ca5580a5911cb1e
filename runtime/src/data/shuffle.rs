//! Elements in a random order.

use std::collections::VecDeque;
use std::sync::Arc;

use super::seeds::{Draws, Seeds};
use super::slices::Rows;
use super::stage::{Cursor, Element, Failure, Feed, Next, Node, Stage};
use super::state::Saved;
use super::stop::Run;
use super::{Dataset, Seed};
use crate::spec::Structure;
use crate::types::{Result, err};

impl<S: Structure> Dataset<S> {
    /// The elements in a random order: each is drawn from a buffer of so many, which is filled again from the dataset. The
    /// whole is shuffled if the buffer holds the whole.
    ///
    /// The order depends on the seed, the buffer, the number of elements and the number of the pass only, and is
    /// TensorFlow's: its draws are those of Philox 4x32-10. Each pass has another order, also each pass of a `repeat`
    /// behind it; a [`fixed`](Seed::fixed) seed gives all the same. Of a dataset that comes from slices, places are
    /// shuffled, not elements.
    ///
    /// TensorFlow: `Dataset.shuffle`.
    ///
    /// # Errors
    /// `InvalidArgument` for a buffer of 0.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let data = Dataset::range(0..6).shuffle(3, 42);
    /// let pass = || -> Result<Vec<i64>> { data.iter().map(|x| x?.item()).collect() };
    /// assert_eq!(pass()?, [0, 3, 4, 2, 5, 1]);
    /// assert_eq!(pass()?, [0, 1, 4, 2, 3, 5]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn shuffle(&self, buffer: usize, seed: impl Into<Seed>) -> Self {
        let buffer = match buffer {
            0 => Err(err!("a shuffle has a buffer of at least one element")),
            n => Ok(n),
        };
        let seeds = Arc::new(Seeds::new(seed.into().or_again(true)));
        self.step(buffer, |input, buffer| Shuffled { input, buffer, seeds })
    }

    /// [`shuffle`](Self::shuffle) with a buffer that holds all elements.
    #[track_caller]
    pub fn shuffle_all(&self, seed: impl Into<Seed>) -> Self {
        self.shuffle(usize::MAX, seed)
    }
}

struct Shuffled {
    input: Arc<Node>,
    buffer: usize,
    seeds: Arc<Seeds>,
}

impl Stage for Shuffled {
    fn name(&self) -> &'static str {
        "shuffle"
    }

    fn arguments(&self) -> String {
        match self.buffer {
            usize::MAX => format!("all, {}", self.seeds),
            n => format!("{n}, {}", self.seeds),
        }
    }

    fn input(&self) -> Option<&Arc<Node>> {
        Some(&self.input)
    }

    fn seeds(&self) -> Option<&Arc<Seeds>> {
        Some(&self.seeds)
    }

    fn rows(&self) -> Option<&Arc<Rows>> {
        self.input.stage.rows()
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        let (input, draws, buffer) = (self.input.start(run), self.seeds.start(run), self.buffer);
        match self.rows().cloned() {
            Some(rows) => Box::new(RowsCursor {
                rows,
                pool: Pool { input, draws, buffer, held: VecDeque::new() },
            }),
            None => Box::new(ShuffleCursor(Pool { input, draws, buffer, held: VecDeque::new() })),
        }
    }
}

/// What is drawn from.
struct Pool<T> {
    input: Feed,
    draws: Draws,
    buffer: usize,
    held: VecDeque<T>,
}

impl<T> Pool<T> {
    fn draw(
        &mut self,
        mut next: impl FnMut(&mut Feed) -> Option<Result<T, Failure>>,
    ) -> Option<Result<T, Failure>> {
        while self.held.len() < self.buffer {
            match next(&mut self.input) {
                Some(Ok(item)) => self.held.push_back(item),
                Some(Err(failure)) => return Some(Err(failure)),
                None => break,
            }
        }
        if self.held.is_empty() {
            return None;
        }
        // TensorFlow's ring: the drawn item and the first change places, and the first goes.
        let drawn = self.draws.next() as usize % self.held.len();
        self.held.swap(0, drawn);
        self.held.pop_front().map(Ok)
    }

    fn save(&mut self, held: impl Fn(&T) -> Saved) -> Result<Saved> {
        let held = Saved::List(self.held.iter().map(held).collect());
        Ok([self.input.save()?, self.draws.save(), held].into())
    }

    fn restore(&mut self, saved: &Saved, held: impl Fn(&Saved) -> Result<T>) -> Result<()> {
        let [input, draws, items] = saved.list()?;
        self.held = items.items()?.iter().map(held).collect::<Result<_>>()?;
        self.draws.restore(draws)?;
        self.input.restore(input)
    }
}

struct ShuffleCursor(Pool<Element>);

impl Cursor for ShuffleCursor {
    fn next(&mut self) -> Next {
        self.0.draw(Feed::next)
    }

    fn save(&mut self) -> Result<Saved> {
        self.0.save(|e| Saved::Element(e.clone()))
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        self.0.restore(saved, Saved::element)
    }
}

/// Draws places of rows.
struct RowsCursor {
    rows: Arc<Rows>,
    pool: Pool<usize>,
}

impl Cursor for RowsCursor {
    fn next(&mut self) -> Next {
        let row = self.next_row()?;
        Some(row.and_then(|i| self.rows.row(i).map_err(Into::into)))
    }

    fn next_row(&mut self) -> Option<Result<usize, Failure>> {
        self.pool.draw(Feed::next_row)
    }

    fn save(&mut self) -> Result<Saved> {
        self.pool.save(|i| (*i).into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        self.pool.restore(saved, Saved::size)
    }
}
