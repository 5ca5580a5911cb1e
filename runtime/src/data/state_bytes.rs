//! Saved states as bytes.

use std::panic::Location;
use std::sync::Arc;

use super::coded::{Coded, Source, put_array, take_array};
use super::handle::{held, holding};
use super::sources::Fixed;
use super::stage::{Element, Failure, Node};
use super::state::{IteratorState, Saved};
use crate::spec::{AnySpec, AnyValue, SpecValue};
use crate::tensor::Tensor;
use crate::types::{Error, ErrorKind, Result, bail, deep};

/// What the bytes begin with: the kind, and the version of how they are written.
const MAGIC: &[u8] = b"extype iterator 1";

/// Deeper than windows of windows are.
const MAX_WINDOWS: u32 = 100;

/// More than the stages of a pipeline are. Lists are dropped by recursion.
const MAX_DEPTH: usize = 10_000;

const COUNT: u8 = 0;
const LIST: u8 = 1;
/// An element with its spec.
const ELEMENT: u8 = 2;
/// An element of the spec of the last one.
const SAME: u8 = 3;
const FAILURE: u8 = 4;

const ARRAY: u8 = 0;
const WINDOW: u8 = 1;

impl IteratorState {
    /// The state as bytes, for a file.
    ///
    /// # Errors
    /// `InvalidArgument` if elements that were read ahead can't be written: variables, datasets, and types without a name.
    ///
    /// ```
    /// use extype::data::{Dataset, IteratorState};
    /// use extype::prelude::*;
    /// let data = Dataset::range(0..100).shuffle(10, 7);
    /// let mut first = data.iter();
    /// first.nth(40).unwrap()?;
    /// let bytes = first.save()?.to_bytes()?;
    /// let mut second = data.resume(&IteratorState::from_bytes(&bytes)?)?;
    /// assert_eq!(second.next().unwrap()?.item::<i64>()?, first.next().unwrap()?.item::<i64>()?);
    /// assert!(IteratorState::from_bytes(&bytes[..40]).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = MAGIC.to_vec();
        self.version.put(&mut bytes);
        self.pipeline.put(&mut bytes);
        Putter::default().saved(&self.root, &mut bytes)?;
        Ok(bytes)
    }

    /// The state that [`to_bytes`](Self::to_bytes) gave.
    ///
    /// # Errors
    /// `DataLoss` for other bytes, `NotFound` for types that the program has not.
    ///
    /// ```
    /// use extype::data::IteratorState;
    /// use extype::prelude::*;
    /// let e = IteratorState::from_bytes(b"something").unwrap_err();
    /// assert_eq!(e.kind(), ErrorKind::DataLoss);
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            bail!(DataLoss, "these bytes are no state of an iterator of this version")
        };
        let mut from = Source::new(rest);
        let (version, pipeline) = (u32::take(&mut from)?, Vec::take(&mut from)?);
        let root = Taker::default().saved(&mut from)?;
        if !from.is_empty() {
            bail!(DataLoss, "the state of an iterator is followed by other bytes");
        }
        Ok(Self { version, pipeline, root })
    }
}

/// Elements of one step mostly share their spec, which is written once.
#[derive(Default)]
struct Putter {
    last: Option<Arc<AnySpec>>,
}

impl Putter {
    /// Lists tell how many of the parts behind them are theirs, so that nothing nests.
    fn saved(&mut self, root: &Saved, to: &mut Vec<u8>) -> Result<()> {
        let mut next = vec![root];
        while let Some(saved) = next.pop() {
            match saved {
                Saved::Count(n) => {
                    to.push(COUNT);
                    n.put(to);
                }
                Saved::List(items) => {
                    to.push(LIST);
                    (items.len() as u64).put(to);
                    next.extend(items.iter().rev());
                }
                Saved::Element(element) => self.element(element, to)?,
                Saved::Failure(failure) => {
                    to.push(FAILURE);
                    (failure.error.kind().code() as u64).put(to);
                    failure.error.message().to_owned().put(to);
                    failure.error.context().to_vec().put(to);
                    failure.ends.put(to);
                    failure.source.put(to);
                }
            }
        }
        Ok(())
    }

    fn element(&mut self, element: &Element, to: &mut Vec<u8>) -> Result<()> {
        let spec = &element.spec;
        if self.last.as_ref().is_some_and(|last| Arc::ptr_eq(last, spec) || last == spec) {
            to.push(SAME);
        } else {
            to.push(ELEMENT);
            spec.serialize()?.put(to);
            self.last = Some(spec.clone());
        }
        (element.leaves.len() as u64).put(to);
        for leaf in &element.leaves {
            let Tensor::Value(array) = leaf else { bail!("a tensor of a trace can't be saved") };
            match held(array).as_ref().and_then(|node| node.stage.elements()) {
                None => {
                    to.push(ARRAY);
                    put_array(array, to)?;
                }
                Some(elements) => {
                    to.push(WINDOW);
                    (elements.len() as u64).put(to);
                    // `SAME` does not reach into a window or out of it.
                    let last = self.last.take();
                    elements.iter().try_for_each(|e| deep(|| self.element(e, to)))?;
                    self.last = last;
                }
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Taker {
    /// The spec as it was written, and as it is.
    last: Option<(SpecValue, Arc<AnySpec>)>,
    windows: u32,
}

impl Taker {
    fn saved(&mut self, from: &mut Source<'_>) -> Result<Saved> {
        // Lists that lack items, with how many they have in the end.
        let mut open: Vec<(u64, Vec<Saved>)> = Vec::new();
        loop {
            let mut next = match from.tag()? {
                COUNT => Some(Saved::Count(u64::take(from)?)),
                LIST if open.len() == MAX_DEPTH => {
                    bail!(DataLoss, "a saved state is nested more than {MAX_DEPTH} times")
                }
                LIST => {
                    open.push((u64::take(from)?, Vec::new()));
                    None
                }
                FAILURE => Some(Saved::Failure(failure(from)?)),
                tag => Some(Saved::Element(self.element(tag, from)?)),
            };
            loop {
                match (next.take(), open.last_mut()) {
                    (Some(whole), None) => return Ok(whole),
                    (Some(item), Some((_, items))) => items.push(item),
                    (None, _) => {}
                }
                match open.pop_if(|(n, items)| items.len() as u64 == *n) {
                    Some((_, items)) => next = Some(Saved::List(items)),
                    None => break,
                }
            }
        }
    }

    fn element(&mut self, tag: u8, from: &mut Source<'_>) -> Result<Element> {
        let last = self.last.take().filter(|_| tag == SAME);
        let (written, known) = match (tag, last) {
            (SAME, Some((written, known))) => (written, Some(known)),
            (ELEMENT, _) => (SpecValue::take(from)?, None),
            _ => bail!(DataLoss, "no part of a saved state has number {tag}"),
        };
        let leaves = (0..u64::take(from)?).map(|_| self.leaf(from)).collect::<Result<Vec<_>>>()?;
        // Checks that the tensors fit.
        let value = AnyValue::deserialize(&written, leaves)?;
        let spec = known.filter(|known| **known == *value.spec());
        let spec = spec.unwrap_or_else(|| Arc::new(value.spec().clone()));
        self.last = Some((written, spec.clone()));
        Ok(Element { spec, leaves: value.leaves().iter().cloned().collect() })
    }

    fn leaf(&mut self, from: &mut Source<'_>) -> Result<Tensor> {
        match from.tag()? {
            ARRAY => take_array(from).map(Tensor::Value),
            WINDOW if self.windows < MAX_WINDOWS => {
                self.windows += 1;
                let count = u64::take(from)?;
                let mut elements = Vec::new();
                for _ in 0..count {
                    let tag = from.tag()?;
                    elements.push(deep(|| self.element(tag, from))?);
                }
                self.last = None;
                self.windows -= 1;
                let fixed = Fixed { name: "window", elements: elements.into() };
                Ok(Tensor::Value(holding(&Node::at(Location::caller(), fixed))))
            }
            tag => bail!(DataLoss, "no tensor of a saved state has number {tag}"),
        }
    }
}

fn failure(from: &mut Source<'_>) -> Result<Failure> {
    let kind = ErrorKind::of_code(u64::take(from)? as i64);
    let error = Error::new(kind, String::take(from)?);
    let error = Vec::<String>::take(from)?.into_iter().fold(error, Error::in_context);
    let (ends, source) = (bool::take(from)?, bool::take(from)?);
    Ok(Failure { error, ends, source, stopped: false, placed: true })
}

#[cfg(feature = "serde")]
impl serde::Serialize for IteratorState {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.to_bytes().map_err(serde::ser::Error::custom)?.serialize(to)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for IteratorState {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let bytes = Vec::<u8>::deserialize(from)?;
        Self::from_bytes(&bytes).map_err(serde::de::Error::custom)
    }
}
