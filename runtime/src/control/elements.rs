//! The elements that a function over the first axis is applied to.

use std::marker::PhantomData;

use super::state::Site;
use crate::ops::{self, Count, check};
use crate::spec::{Part, PartReader, Structure, TypeSpec, typed};
use crate::tensor::Tensor;
use crate::tensor::context::call_site_at;
use crate::types::{Dim, Result, err};

/// The parts of a structure, and the spec of one of its elements.
fn taken_apart<A: Structure>(site: &Site, elements: &A) -> Result<(Vec<Part>, A::Spec)> {
    let whole = elements.type_spec();
    let (spec, any) = (whole.unstacked()?, whole.to_any());
    any.check_comes_apart().map_err(|e| e.prefixed(site))?;
    Ok((Part::of(&any, crate::spec::nest::flatten(elements), 1)?, spec))
}

/// A structure that is taken apart along its first axis.
pub(super) struct Elements<A: Structure> {
    parts: Vec<PartReader>,
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
        Self::read(parts, spec, Count { dim, tensor })
    }

    /// Elements of a structure whose number is already known.
    pub(super) fn counted(site: &Site, elements: &A, count: &Count) -> Result<Self> {
        let (parts, spec) = taken_apart(site, elements)?;
        Self::read(parts, spec, count.clone())
    }

    fn read(parts: Vec<Part>, spec: A::Spec, count: Count) -> Result<Self> {
        let parts = parts.into_iter().map(PartReader::new).collect::<Result<_>>()?;
        Ok(Self { parts, spec, count, elements: PhantomData })
    }

    /// The tensors, if no part has its own form of stacks.
    pub(super) fn tensors(&self) -> Option<Vec<Tensor>> {
        let tensor = |part: &PartReader| match part {
            PartReader::Tensor(t) => Some(t.clone()),
            PartReader::Boxes(_) => None,
        };
        self.parts.iter().map(tensor).collect()
    }

    /// The element at index `i`.
    pub(super) fn at(&self, i: &Tensor) -> Result<A> {
        let parts = self.parts.iter().map(|part| part.at(i)).collect::<Result<_>>()?;
        typed(&self.spec, Part::leaves(&self.spec.to_any(), parts)?)
    }
}
