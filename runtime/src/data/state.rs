//! Where an iterator stands, as plain data.

use super::stage::{Element, Failure};
use crate::types::{Result, bail, deep};

/// Where an iterator stands: positions, seeds, and elements that steps have read ahead or collected.
///
/// It belongs to one pipeline, whose steps it lists: an iterator of another pipeline refuses it. It can be turned into
/// [bytes](Self::to_bytes), and with the feature `serde` it is serialized as these.
///
/// ```
/// use extype::data::{Dataset, Remainder};
/// use extype::prelude::*;
/// let data = Dataset::range(0..100).shuffle(10, 7).batch(4, Remainder::Keep);
/// let mut first = data.iter();
/// first.nth(2).unwrap()?;
/// let state = first.save()?;
/// let mut second = data.resume(&state)?;
/// for batch in first {
///     assert_eq!(second.next().unwrap()?.to_vec::<i64>()?, batch?.to_vec::<i64>()?);
/// }
/// assert!(second.next().is_none());
/// assert!(Dataset::range(0..100).batch(4, Remainder::Keep).resume(&state).is_err());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct IteratorState {
    pub(super) version: u32,
    /// The steps, one line each.
    pub(super) pipeline: Vec<String>,
    pub(super) root: Saved,
}

/// The version of what is saved.
pub(super) const VERSION: u32 = 1;

impl IteratorState {
    /// Checks that the state is one of a pipeline with these steps.
    pub(super) fn check(&self, pipeline: &[String]) -> Result<()> {
        if self.version != VERSION {
            bail!("a state of version {} can't be read; this is version {VERSION}", self.version);
        }
        let longer = self.pipeline.len().max(pipeline.len());
        for i in 0..longer {
            match (self.pipeline.get(i), pipeline.get(i)) {
                (Some(saved), Some(own)) if saved == own => {}
                (Some(saved), Some(own)) => {
                    bail!(
                        "the state is one of another pipeline: its step {i} is {saved}, not {own}"
                    )
                }
                (Some(saved), None) => {
                    bail!("the state is one of another pipeline, which goes on with {saved}")
                }
                (None, own) => bail!(
                    "the state is one of another pipeline, which has no step {}",
                    own.map_or("", String::as_str)
                ),
            }
        }
        Ok(())
    }
}

/// Where one step stands, and within it those that it reads: as deep as the pipeline is long.
#[derive(Debug)]
pub(crate) enum Saved {
    Count(u64),
    List(Vec<Saved>),
    Element(Element),
    Failure(Failure),
}

impl Clone for Saved {
    fn clone(&self) -> Self {
        match self {
            Self::Count(n) => Self::Count(*n),
            Self::List(items) => deep(|| Self::List(items.clone())),
            Self::Element(e) => Self::Element(e.clone()),
            Self::Failure(f) => Self::Failure(f.clone()),
        }
    }
}

impl Drop for Saved {
    fn drop(&mut self) {
        if let Self::List(items) = self {
            deep(|| items.clear());
        }
    }
}

impl Saved {
    pub(crate) fn count(&self) -> Result<u64> {
        match self {
            Self::Count(n) => Ok(*n),
            _ => bail!("the saved state is damaged: a count is missing"),
        }
    }

    pub(crate) fn flag(&self) -> Result<bool> {
        Ok(self.count()? != 0)
    }

    pub(crate) fn size(&self) -> Result<usize> {
        Ok(usize::try_from(self.count()?).unwrap_or(usize::MAX))
    }

    pub(crate) fn items(&self) -> Result<&[Saved]> {
        match self {
            Self::List(items) => Ok(items),
            _ => bail!("the saved state is damaged: a list is missing"),
        }
    }

    pub(crate) fn list<const N: usize>(&self) -> Result<&[Saved; N]> {
        match self.items()?.try_into() {
            Ok(items) => Ok(items),
            Err(_) => bail!("the saved state is damaged: a list has not {N} items"),
        }
    }

    pub(crate) fn element(&self) -> Result<Element> {
        match self {
            Self::Element(e) => Ok(e.clone()),
            _ => bail!("the saved state is damaged: an element is missing"),
        }
    }

    pub(crate) fn result(&self) -> Result<Result<Element, Failure>> {
        match self {
            Self::Failure(f) => Ok(Err(f.clone())),
            other => other.element().map(Ok),
        }
    }

    pub(crate) fn elements<C: FromIterator<Element>>(&self) -> Result<C> {
        self.items()?.iter().map(Self::element).collect()
    }

    pub(crate) fn of_elements<'a>(elements: impl IntoIterator<Item = &'a Element>) -> Self {
        Self::List(elements.into_iter().cloned().map(Self::Element).collect())
    }

    pub(crate) fn of_result(result: &Result<Element, Failure>) -> Self {
        match result {
            Ok(e) => Self::Element(e.clone()),
            Err(f) => Self::Failure(f.clone()),
        }
    }

    /// An element that may be missing.
    pub(crate) fn of_option(element: Option<&Element>) -> Self {
        Self::of_elements(element)
    }

    pub(crate) fn option(&self) -> Result<Option<Element>> {
        self.items()?.first().map(Self::element).transpose()
    }
}

impl From<u64> for Saved {
    fn from(n: u64) -> Self {
        Self::Count(n)
    }
}

impl From<usize> for Saved {
    fn from(n: usize) -> Self {
        Self::Count(n as u64)
    }
}

impl From<bool> for Saved {
    fn from(flag: bool) -> Self {
        Self::Count(flag.into())
    }
}

impl<const N: usize> From<[Saved; N]> for Saved {
    fn from(items: [Saved; N]) -> Self {
        Self::List(items.into())
    }
}
