//! Elements and failures of saved states, as serde writes them.

use std::panic::Location;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use super::handle::{held, holding};
use super::sources::Fixed;
use super::stage::{Element, Failure, Node};
use super::state::Saved;
use crate::array::Array;
use crate::spec::AnySpec;
use crate::tensor::Tensor;
use crate::types::{DType, Error, ErrorKind, Result, bail};

#[derive(Serialize, Deserialize)]
struct Written {
    spec: AnySpec,
    leaves: Vec<Leaf>,
}

#[derive(Serialize, Deserialize)]
enum Leaf {
    Bytes {
        dtype: DType,
        dims: Vec<usize>,
        bytes: Vec<u8>,
    },
    Strings {
        dims: Vec<usize>,
        strings: Vec<Vec<u8>>,
    },
    /// A window or a group.
    Elements(Vec<Element>),
}

impl Leaf {
    fn of(leaf: &Tensor) -> Result<Self> {
        let Tensor::Value(array) = leaf else { bail!("a tensor of a trace can't be saved") };
        let dims = array.dims().to_vec();
        if let Some(bytes) = array.as_bytes() {
            return Ok(Self::Bytes { dtype: array.dtype(), dims, bytes: bytes.to_vec() });
        }
        if array.dtype() == DType::String {
            return Ok(Self::Strings { dims, strings: array.as_strings()?.to_vec() });
        }
        let node = held(array);
        match node.as_ref().and_then(|node| node.stage.elements()) {
            Some(elements) => Ok(Self::Elements(elements.to_vec())),
            None => bail!("a tensor of {} can't be written", array.tensor_type()),
        }
    }

    fn tensor(self) -> Result<Tensor> {
        Ok(Tensor::Value(match self {
            Self::Bytes { dtype, dims, bytes } => Array::from_bytes(dtype, &dims[..], &bytes)?,
            Self::Strings { dims, strings } => Array::from_strings(&dims[..], strings)?,
            Self::Elements(elements) => {
                let fixed = Fixed { name: "window", elements: elements.into() };
                holding(&Node::at(Location::caller(), fixed))
            }
        }))
    }
}

impl Serialize for Element {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let leaves = self.leaves.iter().map(Leaf::of).collect::<Result<_>>();
        let leaves = leaves.map_err(ser::Error::custom)?;
        Written { spec: (*self.spec).clone(), leaves }.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Written { spec, leaves } = Written::deserialize(from)?;
        let leaves = leaves.into_iter().map(Leaf::tensor).collect::<Result<Vec<_>>>();
        let leaves = leaves.map_err(de::Error::custom)?;
        // Checks that the tensors fit.
        let value = crate::spec::AnyValue::from_parts(spec, leaves).map_err(de::Error::custom)?;
        let leaves = value.leaves().iter().cloned().collect();
        Ok(Self { spec: Arc::new(value.spec().clone()), leaves })
    }
}

#[derive(Serialize, Deserialize)]
struct WrittenFailure {
    kind: i64,
    message: String,
    context: Vec<String>,
    ends: bool,
    source: bool,
}

impl Serialize for Failure {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        WrittenFailure {
            kind: self.error.kind().code(),
            message: self.error.message().to_owned(),
            context: self.error.context().to_vec(),
            ends: self.ends,
            source: self.source,
        }
        .serialize(to)
    }
}

impl<'de> Deserialize<'de> for Failure {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let written = WrittenFailure::deserialize(from)?;
        let error = Error::new(ErrorKind::of_code(written.kind), written.message);
        let error = written.context.into_iter().fold(error, Error::in_context);
        Ok(Self { error, ends: written.ends, source: written.source, stopped: false, placed: true })
    }
}

/// A part of a state. Lists tell how many of the parts behind them are theirs, so that formats that limit how deep
/// things nest take long pipelines.
#[derive(Serialize)]
#[serde(rename = "Token")]
enum Told<'a> {
    Count(u64),
    List(usize),
    Element(&'a Element),
    Failure(&'a Failure),
}

/// [`Told`] as it is read.
#[derive(Deserialize)]
enum Token {
    Count(u64),
    List(usize),
    Element(Element),
    Failure(Failure),
}

impl Serialize for Saved {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (mut told, mut next) = (Vec::new(), vec![self]);
        while let Some(saved) = next.pop() {
            told.push(match saved {
                Self::Count(n) => Told::Count(*n),
                Self::List(items) => {
                    next.extend(items.iter().rev());
                    Told::List(items.len())
                }
                Self::Element(element) => Told::Element(element),
                Self::Failure(failure) => Told::Failure(failure),
            });
        }
        told.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Saved {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let damaged = || de::Error::custom("the saved state is damaged: lists are not complete");
        // From the end, what a list holds is there before it.
        let mut all = Vec::new();
        for token in Vec::<Token>::deserialize(from)?.into_iter().rev() {
            let saved = match token {
                Token::Count(n) => Self::Count(n),
                Token::List(n) => {
                    let first = all.len().checked_sub(n).ok_or_else(damaged)?;
                    let mut items = all.split_off(first);
                    items.reverse();
                    Self::List(items)
                }
                Token::Element(element) => Self::Element(element),
                Token::Failure(failure) => Self::Failure(failure),
            };
            all.push(saved);
        }
        let whole = all.pop().ok_or_else(damaged)?;
        if all.is_empty() { Ok(whole) } else { Err(damaged()) }
    }
}
