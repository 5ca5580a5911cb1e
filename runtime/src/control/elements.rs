//! The elements that a function over the first axis is applied to.

use std::marker::PhantomData;

use super::state::Site;
use crate::ops::methods::*;
use crate::ops::{self, Count, check};
use crate::spec::{AnySpec, AnyValue, LeafIter, Stacking, Structure, TypeSpec};
use crate::tensor::Tensor;
use crate::tensor::context::call_site_at;
use crate::types::{DType, Dim, Result, deep, err};

/// A part of a structure that is stacked as a unit.
pub(super) enum Part {
    /// A tensor; a stack has one more axis at the front.
    Tensor(Tensor),
    /// A value of a type with its own form of stacks.
    Value(AnyValue, Stacking),
}

impl Part {
    /// The parts of a value, in the order of its leaves.
    pub(super) fn all(spec: &AnySpec, leaves: Vec<Tensor>) -> Result<Vec<Part>> {
        let mut out = Vec::new();
        let mut leaves = LeafIter::new(leaves);
        Self::split(spec, &mut leaves, &mut out)?;
        leaves.finish()?;
        Ok(out)
    }

    fn split(spec: &AnySpec, leaves: &mut LeafIter, out: &mut Vec<Part>) -> Result<()> {
        deep(|| {
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
        })
    }

    /// The number of elements, as a dimension if known, and as an int64 scalar.
    fn count(&self) -> Result<(Dim, Tensor)> {
        match self {
            Part::Tensor(t) => {
                let first = t.shape().dims().and_then(|d| d.first().copied());
                let len = match first.and_then(Dim::size) {
                    Some(n) => Tensor::scalar(n as i64),
                    None => ops::shape_of(t)?.gather(0, 0)?,
                };
                Ok((first.unwrap_or(Dim::UNKNOWN), len))
            }
            Part::Value(value, stacking) => {
                let count = ops::whole_numbers(&(stacking.count)(value)?, DType::I64)?;
                let known = count.item::<i64>().ok().and_then(|n| usize::try_from(n).ok());
                Ok((Dim::from(known), count))
            }
        }
    }
}

/// True if elements can be taken tensor by tensor along the first axis, or by a type's own `Stacking`.
fn comes_apart(spec: &AnySpec) -> Result<bool> {
    deep(|| {
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
    })
}

/// The parts of a structure, and the spec of one of its elements.
fn taken_apart<A: Structure>(site: &Site, elements: &A) -> Result<(Vec<Part>, A::Spec)> {
    let whole = elements.type_spec();
    let (spec, any) = (whole.unstacked()?, whole.to_any());
    if !comes_apart(&any)? {
        return Err(err!("{site}: {any} can't be taken apart tensor by tensor"));
    }
    Ok((Part::all(&any, crate::spec::nest::flatten(elements))?, spec))
}

/// A structure that is taken apart along its first axis.
pub(super) struct Elements<A: Structure> {
    parts: Vec<Part>,
    /// The spec of one element.
    pub(super) spec: A::Spec,
    /// The number of elements.
    pub(super) count: Count,
    elements: PhantomData<fn() -> A>,
}

impl<A: Structure> Elements<A> {
    pub(super) fn of(site: &Site, elements: &A) -> Result<Self> {
        let (parts, spec) = taken_apart(site, elements)?;
        let counts = parts.iter().map(Part::count).collect::<Result<Vec<_>>>()?;
        let known = |count: &(Dim, Tensor)| count.0.size();
        let first = counts.iter().position(|c| known(c).is_some()).unwrap_or(0);
        let Some((dim, tensor)) = counts.get(first).cloned() else {
            return Err(err!("{site}: there is no tensor to go over"));
        };
        for (_, own) in counts.iter().enumerate().filter(|(i, _)| *i != first) {
            match (dim.size(), known(own)) {
                (Some(a), Some(b)) if a == b => {}
                (Some(a), Some(b)) => {
                    return Err(err!(
                        "{site}: first axes of {a} and {b} elements; give all one size"
                    ));
                }
                // Not known yet: checked at run time.
                _ => {
                    let _site = call_site_at(Some(site.location));
                    let words = |text: &str| Tensor::from_strings(&[text], &[]);
                    check(
                        &ops::equal(&tensor, &own.1)?,
                        &format!("{site}: first axes of"),
                        &[&tensor, &words("and")?, &own.1, &words("elements; give all one size")?],
                    )?;
                }
            }
        }
        Ok(Self { parts, spec, count: Count { dim, tensor }, elements: PhantomData })
    }

    /// Elements of a structure whose number is already known.
    pub(super) fn counted(site: &Site, elements: &A, count: &Count) -> Result<Self> {
        let (parts, spec) = taken_apart(site, elements)?;
        Ok(Self { parts, spec, count: count.clone(), elements: PhantomData })
    }

    /// The tensors, if no part has its own form of stacks.
    pub(super) fn tensors(&self) -> Option<Vec<Tensor>> {
        let tensor = |part: &Part| match part {
            Part::Tensor(t) => Some(t.clone()),
            Part::Value(..) => None,
        };
        self.parts.iter().map(tensor).collect()
    }

    /// The element at index `i`.
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
