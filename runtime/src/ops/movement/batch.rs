//! Batches of ops that move elements and change shapes.

use crate::ops::methods::*;
use crate::ops::rules::batch::{Batch, Batched, Lane, one};
use crate::ops::{self, Integers, Pairs, Squeeze, StaticInput};
use crate::tensor::Tensor;
use crate::types::{DType, Dim, Result, Shape, normalize_axis};

/// The shape that operand `i` gives, if it is the same in all calls.
pub(in crate::ops) fn asked(b: &Batch<'_>, i: usize) -> Result<Option<Integers>> {
    // The traced result of one call resolves -1, even if there are no calls.
    if let Some(known) = b.outputs.first().and_then(|ty| Integers::of_shape(&ty.shape)) {
        return Ok(b.same(i).map(|_| known));
    }
    b.same(i).map(|shape| Integers::from_input(Some(shape))).transpose()
}

pub(in crate::ops) fn reshape(b: &Batch<'_>) -> Result<Batched> {
    let (Some(x), Some(shape)) = (b.each(0), asked(b, 1)?) else { return Ok(None) };
    let elements = b.types[0].shape.num_elements();
    match shape.known() {
        // If the number of calls is unknown, -1 stands for it: this tells inference more than a computed shape.
        // The elements of one call must fill the other sizes, otherwise -1 would take up elements of other calls.
        Some(sizes)
            if b.count.dim.size().is_none()
                && elements.is_some_and(|n| n > 0 && product(&sizes) == Some(n)) =>
        {
            let all: Vec<i64> = std::iter::once(-1).chain(sizes).collect();
            one(x.reshape(all)?)
        }
        known => {
            let y = x.reshape(b.count.stacked(&inferred(b, x, shape)?)?)?;
            let Some(sizes) = known else { return one(y) };
            // Inference can't read known sizes from a computed shape.
            let size = |n: &i64| usize::try_from(*n).map_or(Dim::UNKNOWN, Dim::from);
            let shape: Shape = std::iter::once(b.count.dim).chain(sizes.iter().map(size)).collect();
            one(if y.shape().is_subtype_of(&shape) { y } else { y.ensure_shape(shape)? })
        }
    }
}

/// The number of elements of these sizes, if all are known and it fits.
fn product(sizes: &[i64]) -> Option<usize> {
    let sizes = sizes.iter().map(|n| usize::try_from(*n).ok());
    sizes.collect::<Option<Vec<_>>>().and_then(|sizes| Shape::from(&sizes[..]).num_elements())
}

/// Resolves -1 from the elements of one call, since a stack without calls cannot determine it.
fn inferred(b: &Batch<'_>, x: &Tensor, shape: Integers) -> Result<Integers> {
    let told = b.count.dim.size().is_some_and(|n| n > 0);
    if told || shape.known().is_some_and(|sizes| !sizes.contains(&-1)) {
        return Ok(shape);
    }
    let asked = shape.to_tensor()?.cast(DType::I64)?;
    let open = asked.equal(-1i64)?;
    let others = ops::select(&open, 1i64, &asked)?.reduce_prod(.., false)?;
    let all = ops::shape_of(x)?.slice([1i64], [-1i64])?.reduce_prod(.., false)?;
    // Next to a size of zero, -1 can't be resolved, even if there are calls.
    let size = ops::floor_div(&all, ops::maximum(&others, 1i64)?)?;
    let size = ops::select(others.equal(0i64)?, -1i64, &size)?;
    Ok(Integers::Tensor(ops::select(&open, &size, &asked)?))
}

pub(in crate::ops) fn transpose(b: &Batch<'_>) -> Result<Batched> {
    let (Some(x), Some(perm)) = (b.each(0), b.integers(1)) else { return Ok(None) };
    let rank = perm.len();
    let mut all = vec![0];
    for axis in perm {
        all.push(normalize_axis(axis, rank)? as i64 + 1);
    }
    one(x.transpose(all)?)
}

pub(in crate::ops) fn squeeze(b: &Batch<'_>) -> Result<Batched> {
    let (Some(x), Some(_)) = (b.each(0), b.rank(0)) else { return Ok(None) };
    let mut axes: Vec<i64> = b.get(Squeeze::SQUEEZE_DIMS)?;
    if axes.is_empty() {
        // All axes of size 1, but never the batch axis.
        let Some(sizes) = b.types[0].shape.sizes() else { return Ok(None) };
        axes = (0..).zip(&sizes).filter(|(_, n)| **n == 1).map(|(i, _)| i).collect();
        if axes.is_empty() {
            return one(x.clone());
        }
    }
    let axes: Vec<i64> = axes.into_iter().map(ops::rules::batch::moved).collect();
    one(x.squeeze(axes)?)
}

pub(in crate::ops) fn broadcast_to(b: &Batch<'_>) -> Result<Batched> {
    let (Some(_), Some(shape)) = (b.each(0), asked(b, 1)?) else { return Ok(None) };
    broadcast(b, 0, &shape)
}

/// Repeats operand `i` to a shape that is the same in all calls.
pub(in crate::ops) fn broadcast(b: &Batch<'_>, i: usize, shape: &Integers) -> Result<Batched> {
    let rank = match shape {
        Integers::Known(sizes) => Some(sizes.len()),
        Integers::Tensor(t) => t.shape().num_elements(),
        Integers::Unknown => None,
    };
    let Some(rank) = rank else { return Ok(None) };
    let Some(x) = b.aligned(i, rank)? else { return Ok(None) };
    one(x.broadcast_to(b.count.stacked(shape)?)?)
}

/// Pads the stack, with no padding along the batch axis.
pub(in crate::ops) fn pad(b: &Batch<'_>) -> Result<Batched> {
    let (Some(x), Some(paddings)) = (b.each(0), b.same(1)) else { return Ok(None) };
    let paddings = match Pairs::from_input(Some(paddings))?.known() {
        Some(mut pairs) => {
            pairs.insert(0, [0, 0]);
            Tensor::from_slice(pairs.as_flattened(), &[pairs.len(), 2])?
        }
        None => {
            let none = Tensor::from_slice(&[0i64, 0], &[1, 2])?;
            ops::concat(&[&none, &paddings.cast(none.dtype())?], 0)?
        }
    };
    let mut inputs = vec![x.clone(), paddings];
    match b.inputs.get(2) {
        Some(Lane::Same(value)) => inputs.push(value.clone()),
        Some(Lane::Each(_)) => return Ok(None),
        None => {}
    }
    b.run(&inputs)
}
