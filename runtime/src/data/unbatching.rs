//! Stacks as elements, row by row.

use std::sync::Arc;

use super::Dataset;
use super::batching::{Remainder, collected, stack};
use super::rim::untraced;
use super::slices::{Rows, row_spec};
use super::stage::{Cardinality, Cursor, Element, Feed, Next, Node, Stage};
use super::state::Saved;
use super::stop::Run;
use crate::spec::{AnySpec, Structure};
use crate::types::{Dim, Result, err};

impl<S: Structure> Dataset<S> {
    /// The rows of stacks, one by one.
    ///
    /// TensorFlow: `Dataset.unbatch`.
    ///
    /// # Errors
    /// `InvalidArgument` for scalars, and for first axes of differing sizes.
    ///
    /// ```
    /// use extype::data::{Dataset, Remainder};
    /// let data = Dataset::range(0..6).batch(2, Remainder::Drop).unbatch();
    /// assert_eq!(data.cardinality().exact(), Some(6));
    /// ```
    #[track_caller]
    pub fn unbatch(&self) -> Self {
        Self::of(Node::new(Unbatched(self.node.clone())))
    }

    /// The rows of stacks in stacks of other sizes, which come in turn.
    ///
    /// TensorFlow: `Dataset.rebatch`.
    ///
    /// # Errors
    /// `InvalidArgument` for no sizes or a size of 0, and for scalars.
    ///
    /// ```
    /// use extype::data::{Dataset, Remainder};
    /// use extype::prelude::*;
    /// let data = Dataset::range(0..7).batch(4, Remainder::Keep).rebatch(&[1, 2], Remainder::Keep);
    /// let all = data.collect_all()?;
    /// assert_eq!(all[1].to_vec::<i64>()?, [1, 2]);
    /// assert_eq!(all[4].to_vec::<i64>()?, [6]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn rebatch(&self, sizes: &[usize], remainder: Remainder) -> Self {
        let checked = match sizes {
            [] => Err(err!("sizes of batches are missing")),
            sizes if sizes.contains(&0) => Err(err!("a batch has at least one element")),
            sizes => Ok(Arc::<[usize]>::from(sizes)),
        };
        self.step(checked, |input, sizes| Rebatched { input, sizes, remainder })
    }
}

struct Unbatched(Arc<Node>);

impl Stage for Unbatched {
    fn name(&self) -> &'static str {
        "unbatch"
    }

    fn inputs(&self) -> Vec<&Arc<Node>> {
        vec![&self.0]
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        Ok(match self.0.spec()? {
            Some(spec) => Some(row_spec(&spec)?.0),
            None => None,
        })
    }

    fn cardinality(&self) -> Cardinality {
        // Asking how many there are calls no functions.
        let spec = || untraced(|| self.0.spec()).ok().flatten();
        let rows = || Some(row_spec(&spec()?).ok()?.1.size()? as u64);
        match self.0.cardinality() {
            Cardinality::Exact(0) => Cardinality::Exact(0),
            n => rows().map_or(Cardinality::Unknown, |rows| n.map(|n| n.saturating_mul(rows))),
        }
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        Box::new(UnbatchCursor(RowFeed::new(self.0.start(run))))
    }
}

/// Reads a step of stacks row by row.
struct RowFeed {
    input: Feed,
    stack: Option<(Element, Rows)>,
    at: usize,
    /// The spec of the last stack, and that of its rows.
    specs: Option<(Arc<AnySpec>, Arc<AnySpec>)>,
}

impl RowFeed {
    fn new(input: Feed) -> Self {
        Self { input, stack: None, at: 0, specs: None }
    }

    fn open(&mut self, stack: Element) -> Result<()> {
        let one = match &self.specs {
            Some((last, one)) if Arc::ptr_eq(last, &stack.spec) => one.clone(),
            _ => Arc::new(row_spec(&stack.spec)?.0),
        };
        self.specs = Some((stack.spec.clone(), one.clone()));
        let rows = Rows::new(&stack, one)?;
        (self.stack, self.at) = (Some((stack, rows)), 0);
        Ok(())
    }

    fn next(&mut self) -> Next {
        loop {
            if let Some((_, rows)) = &self.stack
                && self.at < rows.len()
            {
                self.at += 1;
                return Some(rows.row(self.at - 1).map_err(Into::into));
            }
            self.stack = None;
            let opened = self.input.next()?.and_then(|stack| Ok(self.open(stack)?));
            if let Err(failure) = opened {
                return Some(Err(failure));
            }
        }
    }

    fn save(&mut self) -> Result<Saved> {
        let stack = Saved::of_option(self.stack.as_ref().map(|(stack, _)| stack));
        Ok([self.input.save()?, stack, self.at.into()].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [input, stack, at] = saved.list()?;
        if let Some(stack) = stack.option()? {
            self.open(stack)?;
        }
        self.at = at.size()?;
        self.input.restore(input)
    }
}

struct UnbatchCursor(RowFeed);

impl Cursor for UnbatchCursor {
    fn next(&mut self) -> Next {
        self.0.next()
    }

    fn save(&mut self) -> Result<Saved> {
        self.0.save()
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        self.0.restore(saved)
    }
}

struct Rebatched {
    input: Arc<Node>,
    sizes: Arc<[usize]>,
    remainder: Remainder,
}

impl Stage for Rebatched {
    fn name(&self) -> &'static str {
        "rebatch"
    }

    fn arguments(&self) -> String {
        format!("{:?}, {:?}", self.sizes, self.remainder)
    }

    fn input(&self) -> Option<&Arc<Node>> {
        Some(&self.input)
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        let Some(spec) = self.input.spec()? else { return Ok(None) };
        let size = match &self.sizes[..] {
            [size] => self.remainder.size(*size),
            _ => Dim::UNKNOWN,
        };
        row_spec(&spec)?.0.stacked(size).map(Some)
    }

    fn cardinality(&self) -> Cardinality {
        match self.input.cardinality() {
            Cardinality::Exact(0) => Cardinality::Exact(0),
            _ => Cardinality::Unknown,
        }
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        Box::new(RebatchCursor {
            rows: RowFeed::new(self.input.start(run)),
            sizes: self.sizes.clone(),
            at: 0,
            remainder: self.remainder,
        })
    }
}

struct RebatchCursor {
    rows: RowFeed,
    sizes: Arc<[usize]>,
    at: usize,
    remainder: Remainder,
}

impl Cursor for RebatchCursor {
    fn next(&mut self) -> Next {
        let size = self.sizes[self.at % self.sizes.len()];
        let rows = &mut self.rows;
        let elements = collected(size, self.remainder, || rows.next())?;
        self.at += 1;
        Some(elements.and_then(|elements| stack(&elements)))
    }

    fn save(&mut self) -> Result<Saved> {
        Ok([self.rows.save()?, self.at.into()].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [rows, at] = saved.list()?;
        self.at = at.size()?;
        self.rows.restore(rows)
    }
}
