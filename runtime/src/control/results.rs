//! Results of a function over the first axis: those of all elements, as one value.

use super::elements::Part;
use super::state::Site;
use crate::array::Array;
use crate::function::flattened;
use crate::ops;
use crate::ops::methods::*;
use crate::spec::{AnySpec, Joined, LeafIter, Stacking, Structure, TensorSpec, TypeSpec};
use crate::tensor::Tensor;
use crate::types::{Dim, Error, Result, Shape, TensorType, deep, err};

/// Results stacked along a new first axis.
pub(super) struct Results<R: Structure> {
    pub(super) spec: R::Spec,
    pub(super) leaves: Vec<Tensor>,
}

/// The parts of one result, and how the same parts of all results are combined.
pub(super) struct Collected<R: Structure> {
    spec: R::Spec,
    plan: Vec<Way>,
}

/// How a part of all results is combined.
enum Way {
    /// A stack of tensors of this shape.
    Stack(Shape),
    /// A value made of this number of lists.
    Lists(AnySpec, Stacking, usize),
}

impl<R: Structure> Collected<R> {
    /// Splits one result into the tensors that are stacked and those that are collected in lists.
    pub(super) fn of(result: R) -> Result<(Self, Vec<Tensor>, Vec<Tensor>)> {
        let (spec, leaves) = flattened(result)?;
        let (mut plan, mut saved, mut listed) = (Vec::new(), Vec::new(), Vec::new());
        for part in Part::all(&spec.to_any(), leaves)? {
            plan.push(match part {
                Part::Tensor(t) => {
                    let shape = t.shape();
                    saved.push(t);
                    Way::Stack(shape)
                }
                Part::Value(value, stacking) => {
                    let spec = value.spec().clone();
                    let parts = (stacking.parts)(value)?;
                    let count = parts.len();
                    listed.extend(parts);
                    Way::Lists(spec, stacking, count)
                }
            });
        }
        Ok((Self { spec, plan }, saved, listed))
    }

    /// Widens the spec so that it also covers the result of element `i`.
    pub(super) fn join(&mut self, other: Self, site: &Site, i: usize) -> Result<()> {
        let (before, now) = (self.spec.to_any(), other.spec.to_any());
        let differs =
            || err!("{site}: the result of element {i} is {now}, of those before {before}");
        let same = |(a, b): (&Way, &Way)| match (a, b) {
            (Way::Stack(a), Way::Stack(b)) => a == b,
            (Way::Lists(_, _, a), Way::Lists(_, _, b)) => a == b,
            _ => false,
        };
        if self.plan.len() != other.plan.len() || !self.plan.iter().zip(&other.plan).all(same) {
            return Err(differs());
        }
        let joined = before.joined(&now)?.ok_or_else(differs)?;
        self.spec = R::Spec::from_any(&joined)?;
        for (way, other) in self.plan.iter_mut().zip(other.plan) {
            if let (Way::Lists(spec, ..), Way::Lists(other, ..)) = (way, other) {
                *spec = spec.joined(&other)?.ok_or_else(differs)?;
            }
        }
        Ok(())
    }

    /// All results, from the stacks and the lists.
    pub(super) fn results(
        self,
        stacks: Vec<Tensor>,
        joined: Vec<Joined>,
        count: Dim,
    ) -> Result<Results<R>> {
        let (mut stacks, mut joined) = (stacks.into_iter(), joined.into_iter());
        let mut leaves = Vec::new();
        for way in self.plan {
            match way {
                Way::Stack(shape) => {
                    let stack = stacks.next().ok_or_else(|| Error::internal("no stack"))?;
                    // The loop op does not know the number of iterations, but it may be known here.
                    let shape = shape.insert(0, count);
                    leaves.push(match ops::Integers::of_shape(&shape) {
                        Some(sizes) if stack.shape() != shape => stack.reshape(sizes)?,
                        _ => stack,
                    });
                }
                Way::Lists(spec, stacking, count) => {
                    let own = joined.by_ref().take(count).collect();
                    leaves.extend_from_slice((stacking.of_parts)(&spec, own)?.leaves());
                }
            }
        }
        Ok(Results { spec: self.spec.stacked(count)?, leaves })
    }
}

/// True if stacks of this type are made tensor by tensor.
pub(super) fn stacks_by_tensors(spec: &AnySpec) -> bool {
    deep(|| {
        let own = matches!(spec, AnySpec::Composite(c) if (c.class.hooks.stacking)().is_some());
        !own && spec.component_specs().iter().all(stacks_by_tensors)
    })
}

/// An empty stack of results of this type, if its stacks are made tensor by tensor. Unknown sizes are zero.
pub(super) fn no_results<S: TypeSpec>(spec: &S) -> Result<Option<S::Value>> {
    if !stacks_by_tensors(&spec.to_any()) {
        return Ok(None);
    }
    let stack = spec.stacked(Dim::from(0))?;
    let leaf = |leaf: &AnySpec| match leaf {
        AnySpec::Tensor(t) => {
            let ty = TensorType::new(t.dtype, t.shape.clone());
            Array::zeros_of(&ty).map(Tensor::Value)
        }
        other => Err(err!("{other} can't be stacked")),
    };
    let leaves = stack.to_any().leaves().iter().map(leaf).collect::<Result<Vec<_>>>()?;
    S::Value::from_leaves(&stack, &mut LeafIter::new(leaves)).map(Some)
}

/// The specs of lists for these tensors, whose first axes may differ in size.
pub(super) fn lists_of(tensors: &[Tensor]) -> Result<Vec<TensorSpec>> {
    tensors.iter().map(list_of).collect()
}

fn list_of(t: &Tensor) -> Result<TensorSpec> {
    let shape = match t.shape().dims() {
        Some([]) => return Err(err!("a scalar is no part of a stack; give it an axis")),
        Some([_, rest @ ..]) => [Dim::UNKNOWN].iter().chain(rest).copied().collect(),
        None => Shape::unknown(),
    };
    Ok(TensorSpec::new(shape, t.dtype()))
}

/// The parts of all results, concatenated.
pub(super) fn joined(list: &[Tensor]) -> Result<Joined> {
    let size = |t: &Tensor| Ok(t.shape().dim(0)?.size().unwrap_or_default() as i64);
    let sizes = list.iter().map(size).collect::<Result<Vec<i64>>>()?;
    Ok(Joined { values: ops::concat(list, 0)?, sizes: Tensor::from_vec(sizes) })
}
