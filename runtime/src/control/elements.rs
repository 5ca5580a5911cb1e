//! What a function over the first axis goes over.

use std::marker::PhantomData;

use super::state::Site;
use crate::ops;
use crate::ops::methods::*;
use crate::spec::{AnySpec, AnyValue, LeafIter, Stacking, Structure, TypeSpec};
use crate::tensor::Tensor;
use crate::types::{DType, Dim, Error, Result, err};

/// A part of a structure that stands in stacks by itself.
pub(super) enum Part {
    /// A tensor, which has an axis more in stacks.
    Tensor(Tensor),
    /// A value of a type whose stacks are of a form of their own.
    Value(AnyValue, Stacking),
}

impl Part {
    /// The parts of a value, in the order of its tensors.
    pub(super) fn all(spec: &AnySpec, leaves: Vec<Tensor>) -> Result<Vec<Part>> {
        let mut out = Vec::new();
        let mut leaves = LeafIter::new(leaves);
        Self::split(spec, &mut leaves, &mut out)?;
        leaves.finish()?;
        Ok(out)
    }

    fn split(spec: &AnySpec, leaves: &mut LeafIter, out: &mut Vec<Part>) -> Result<()> {
        match spec {
            AnySpec::Tensor(_) | AnySpec::Variable(_) => out.push(Part::Tensor(leaves.take()?)),
            AnySpec::Composite(c) if let Some(stacking) = (c.class.hooks.stacking)() => {
                let own = spec.leaves().iter().map(|_| leaves.take()).collect::<Result<_>>()?;
                out.push(Part::Value(AnyValue::from_parts(spec.clone(), own)?, stacking));
            }
            _ => {
                for part in spec.component_specs() {
                    Self::split(&part, leaves, out)?;
                }
            }
        }
        Ok(())
    }

    /// How many elements it has: the number if it is known, and as a tensor.
    fn count(&self) -> Result<(Dim, Option<Tensor>)> {
        match self {
            Part::Tensor(t) => {
                let first = t.shape().dims().and_then(|d| d.first().copied());
                Ok((first.unwrap_or(Dim::UNKNOWN), None))
            }
            Part::Value(value, stacking) => {
                let count = (stacking.count)(value)?.cast(DType::I64)?;
                let known = count.item::<i64>().ok().and_then(|n| usize::try_from(n).ok());
                Ok((Dim::from(known), Some(count)))
            }
        }
    }
}

/// True if the tensors of an element are those of the stack with an axis less, but for types that say otherwise.
fn comes_apart(spec: &AnySpec) -> Result<bool> {
    if let AnySpec::Composite(c) = spec {
        if (c.class.hooks.stacking)().is_some() {
            return Ok(true);
        }
        let (own, by_fields) = (spec.unstacked()?, spec.default_unstacked()?);
        if own.component_specs().len() != by_fields.component_specs().len() {
            return Ok(false);
        }
        if c.class.hooks.own_laws && own.leaves() != by_fields.leaves() {
            return Ok(false);
        }
    }
    spec.component_specs().iter().try_fold(true, |all, part| Ok(all && comes_apart(part)?))
}

/// A structure that is taken apart along its first axis.
pub(super) struct Elements<A: Structure> {
    parts: Vec<Part>,
    /// The spec of one element.
    pub(super) spec: A::Spec,
    /// Their number.
    pub(super) count: Dim,
    len: Option<Tensor>,
    elements: PhantomData<fn() -> A>,
}

impl<A: Structure> Elements<A> {
    pub(super) fn of(site: &Site, elements: &A) -> Result<Self> {
        let whole = elements.type_spec();
        let (spec, any) = (whole.unstacked()?, whole.to_any());
        if !comes_apart(&any)? {
            return Err(err!("{site}: {any} can't be taken apart tensor by tensor"));
        }
        let parts = Part::all(&any, crate::spec::nest::flatten(elements))?;
        let mut found: Option<(Dim, Option<Tensor>)> = None;
        for part in &parts {
            let (n, len) = part.count()?;
            found = Some(match found {
                None => (n, len),
                Some((known, own)) => match (known.size(), n.size()) {
                    (Some(a), Some(b)) if a != b => {
                        return Err(err!(
                            "{site}: first axes of {a} and {b} elements; give all one size"
                        ));
                    }
                    (Some(_), _) => (known, own),
                    (None, _) => (n, len.or(own)),
                },
            });
        }
        let (count, len) = found.ok_or_else(|| err!("{site}: there is no tensor to go over"))?;
        Ok(Self { parts, spec, count, len, elements: PhantomData })
    }

    /// The tensors, if all elements are taken apart tensor by tensor.
    pub(super) fn tensors(&self) -> Option<Vec<Tensor>> {
        let tensor = |part: &Part| match part {
            Part::Tensor(t) => Some(t.clone()),
            Part::Value(..) => None,
        };
        self.parts.iter().map(tensor).collect()
    }

    /// How many elements there are.
    pub(super) fn len(&self) -> Result<Tensor> {
        match (self.count.size(), &self.len, self.parts.first()) {
            (Some(n), ..) => Ok(Tensor::scalar(n as i64)),
            (None, Some(n), _) => n.cast(DType::I64),
            (None, None, Some(Part::Tensor(t))) => ops::shape_of(t)?.gather(0, 0),
            _ => Err(Error::internal("no tensor to go over")),
        }
    }

    /// The element of this number.
    pub(super) fn at(&self, i: &Tensor) -> Result<A> {
        let mut leaves = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            match part {
                Part::Tensor(t) => leaves.push(t.gather(i, 0)?),
                Part::Value(stack, stacking) => {
                    leaves.extend_from_slice((stacking.nth)(stack, i)?.leaves());
                }
            }
        }
        let mut leaves = LeafIter::new(leaves);
        let element = A::from_leaves(&self.spec, &mut leaves)?;
        leaves.finish()?;
        Ok(element)
    }
}

/// The spec of a value and its tensors.
pub(super) fn parts<S: Structure>(value: S) -> (S::Spec, Vec<Tensor>) {
    let spec = value.type_spec();
    let mut leaves = Vec::new();
    value.into_leaves(&mut leaves);
    (spec, leaves)
}
