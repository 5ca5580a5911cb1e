//! Results of a function over the first axis: those of all elements, as one value.

use super::state::Site;
use crate::array::Array;
use crate::function::flattened;
use crate::ops;
use crate::ops::methods::*;
use crate::spec::{AnySpec, Boxes, LeafIter, Part, Structure, TensorSpec, TypeSpec};
use crate::tensor::Tensor;
use crate::types::{Dim, Error, Result, Shape, TensorType, deep, err};

/// Results stacked along a new first axis.
pub(super) struct Results<R: Structure> {
    pub(super) spec: R::Spec,
    pub(super) leaves: Vec<Tensor>,
}

/// What the results of all elements seen so far have in common.
pub(super) struct Collected<R: Structure> {
    /// A spec that fits each result.
    spec: R::Spec,
    /// The shape of each part that is stacked as a tensor; `None` for boxes.
    shapes: Vec<Option<Shape>>,
}

impl<R: Structure> Collected<R> {
    /// Takes a result apart: the tensors to be stacked, and those in boxes, whose rows are joined.
    pub(super) fn of(result: R) -> Result<(Self, Vec<Tensor>, Vec<Tensor>)> {
        let (spec, leaves) = flattened(result)?;
        let (mut shapes, mut saved, mut listed) = (Vec::new(), Vec::new(), Vec::new());
        for part in Part::of(&spec.to_any(), leaves, 0)? {
            match part {
                Part::Tensor(t) => {
                    shapes.push(Some(t.shape()));
                    saved.push(t);
                }
                Part::Boxes(boxes) => {
                    shapes.push(None);
                    listed.push(boxes.values);
                }
            }
        }
        Ok((Self { spec, shapes }, saved, listed))
    }

    /// Joins the spec with that of the result of element `i`.
    ///
    /// # Errors
    /// `InvalidArgument` if tensors that are stacked differ in shape, or the types have no common type.
    pub(super) fn join(&mut self, other: Self, site: &Site, i: usize) -> Result<()> {
        let (before, now) = (self.spec.to_any(), other.spec.to_any());
        let differs =
            || err!("{site}: the result of element {i} is {now}, of those before {before}");
        if self.shapes != other.shapes {
            return Err(differs());
        }
        self.spec = R::Spec::from_any(&before.joined(&now)?.ok_or_else(differs)?)?;
        Ok(())
    }

    /// The results of all elements, from the stacks of their tensors and the rows of their boxes.
    pub(super) fn results(
        self,
        stacks: Vec<Tensor>,
        boxes: Vec<Boxes>,
        count: Dim,
    ) -> Result<Results<R>> {
        let (mut stacks, mut boxes) = (stacks.into_iter(), boxes.into_iter());
        let missing = || Error::internal("a part of the results is missing");
        let part = |shape: Option<Shape>| match shape {
            Some(shape) => {
                let stack = stacks.next().ok_or_else(missing)?;
                // The loop op does not know the number of iterations, but it may be known here.
                let shape = shape.insert(0, count);
                Ok(Part::Tensor(match ops::Integers::of_shape(&shape) {
                    Some(sizes) if stack.shape() != shape => stack.reshape(sizes)?,
                    _ => stack,
                }))
            }
            None => boxes.next().map(Part::Boxes).ok_or_else(missing),
        };
        let parts = self.shapes.into_iter().map(part).collect::<Result<_>>()?;
        let leaves = Part::leaves(&self.spec.to_any(), parts)?;
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
    Ok(TensorSpec::new(ops::rows_like(&t.shape())?, t.dtype()))
}

/// The rows of several tensors as boxes of rank 1.
pub(super) fn boxed(list: &[Tensor]) -> Result<Boxes> {
    Boxes::stack(&list.iter().cloned().map(Boxes::one).collect::<Result<Vec<_>>>()?)
}
