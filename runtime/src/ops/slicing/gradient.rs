//! Gradients: slices, reversed, rolled, repeated, mirrored and split tensors, and sums of many.

use crate::ir::OpDef;
use crate::ops;
use crate::ops::methods::*;
use crate::ops::movement::gradient::size_vector;
use crate::ops::rules::gradient::{Gradient, InputGradients, first, sizes, sum_to};
use crate::ops::{
    Concat, Integers, MirrorPad, MirrorPadGrad, NamedOp as _, Op as _, ShapeOf, StridedSlice,
    StridedSliceGrad, Unstack,
};
use crate::tensor::{Tensor, execute_one};
use crate::types::{DType, Result};

/// The sizes of a tensor in a dtype of indices.
fn sizes_as(x: &Tensor, dtype: DType) -> Result<Tensor> {
    match sizes(x)? {
        Integers::Known(n) => Integers::Known(n).to_tensor()?.cast(dtype),
        _ => ShapeOf { out_type: dtype }.run(&[x]),
    }
}

pub(in crate::ops) fn strided_slice(g: &Gradient<'_>) -> Result<InputGradients> {
    let shape = sizes_as(g.x(0), g.x(1).dtype())?;
    let def = StridedSliceGrad::DEF;
    let inputs = [&shape, g.x(1), g.x(2), g.x(3), g.dy()?];
    Ok(first(g, execute_one(def, g.attrs.clone(), &inputs)?))
}

pub(in crate::ops) fn strided_slice_grad(g: &Gradient<'_>) -> Result<InputGradients> {
    let def = StridedSlice::DEF;
    let sliced = execute_one(def, g.attrs.clone(), &[g.dy()?, g.x(1), g.x(2), g.x(3)])?;
    Ok([None, None, None, None, Some(sliced)].into_iter().collect())
}

/// The part of the cotangent goes to the value, summed over what it was repeated to; the rest to the tensor.
pub(in crate::ops) fn strided_slice_update(g: &Gradient<'_>) -> Result<InputGradients> {
    let (dy, zero) = (g.dy()?, g.x(4).zeros_like()?);
    let at = [g.x(1), g.x(2), g.x(3)];
    let kept = execute_one(g.op, g.attrs.clone(), &[dy, at[0], at[1], at[2], &zero])?;
    let part = execute_one(StridedSlice::DEF, g.attrs.clone(), &[dy, at[0], at[1], at[2]])?;
    let value = sum_to(part.clone(), g.x(4), &part)?;
    Ok([Some(kept), None, None, None, value].into_iter().collect())
}

pub(in crate::ops) fn slice(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, begin, dy) = (g.x(0), g.x(1), g.dy()?);
    let before = begin.cast(DType::I64)?;
    let after = ops::sub(&ops::sub(&size_vector(x)?, &before)?, &size_vector(dy)?)?;
    let paddings = ops::stack(&[&before, &after], 1)?;
    Ok(first(g, dy.pad(&paddings)?))
}

/// A bitcast to the same dtype passes the gradient; one to another dtype has none.
pub(in crate::ops) fn bitcast(g: &Gradient<'_>) -> Result<InputGradients> {
    let same = g.x(0).dtype() == g.y().dtype();
    Ok([if same { Some(g.dy()?.clone()) } else { None }].into_iter().collect())
}

/// Applies the op to the cotangent, with the same attributes and further inputs.
pub(in crate::ops) fn again(g: &Gradient<'_>) -> Result<InputGradients> {
    let inputs: Vec<&Tensor> = std::iter::once(g.dy()?).chain(&g.inputs[1..]).collect();
    Ok(first(g, execute_one(g.op, g.attrs.clone(), &inputs)?))
}

pub(in crate::ops) fn roll(g: &Gradient<'_>) -> Result<InputGradients> {
    // Taken modulo the number of elements, which every size divides: the smallest integer can't be
    // negated.
    let elements = ops::maximum(&ops::size(g.x(0))?, 1)?;
    let back = ops::neg(&ops::floor_mod(&g.x(1).cast(DType::I64)?, &elements)?)?;
    Ok(first(g, execute_one(g.op, g.attrs.clone(), &[g.dy()?, &back, g.x(2)])?))
}

pub(in crate::ops) fn tile(g: &Gradient<'_>) -> Result<InputGradients> {
    // Reshaped to [multiple, size, multiple, size, …] and summed over the multiples.
    let (multiples, sizes) = (g.x(1).cast(DType::I64)?, sizes_as(g.x(0), DType::I64)?);
    let pairs = ops::stack(&[&multiples, &sizes], 1)?.reshape([-1])?;
    let (zero, two) = (Tensor::scalar(0i64), Tensor::scalar(2i64));
    let axes = ops::range(&zero, &ops::size(&pairs)?, &two)?;
    let summed = g.dy()?.reshape(&pairs)?.reduce_sum(&axes, false)?;
    Ok(first(g, summed.reshape(&sizes)?))
}

/// The cotangent of each result; zeros where the target does not depend on it.
fn all_cotangents(g: &Gradient<'_>) -> Result<Vec<Tensor>> {
    let of = |(y, dy): (&Tensor, &Option<Tensor>)| match dy {
        Some(dy) => Ok(dy.clone()),
        None => y.zeros_like(),
    };
    g.outputs.iter().zip(g.cotangents).map(of).collect()
}

/// Joins the cotangents along an axis that is given as a tensor.
fn joined(g: &Gradient<'_>, axis: &Tensor) -> Result<Tensor> {
    let parts = all_cotangents(g)?;
    let inputs: Vec<&Tensor> = parts.iter().chain([axis]).collect();
    let op = Concat { axis: ops::Axis(0) };
    execute_one(op.def(), op.attrs(), &inputs)
}

pub(in crate::ops) fn split(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok([None, Some(joined(g, g.x(0))?)].into_iter().collect())
}

pub(in crate::ops) fn split_sizes(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok(first(g, joined(g, g.x(2))?))
}

pub(in crate::ops) fn unstack(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok(first(g, ops::stack(&all_cotangents(g)?, g.get(Unstack::AXIS)?)?))
}

pub(in crate::ops) fn pad_with(g: &Gradient<'_>) -> Result<InputGradients> {
    let paddings = g.x(1).cast(DType::I64)?;
    let before = paddings.slice([0, 0], [-1, 1])?.reshape([-1])?;
    let inner = g.dy()?.slice(&before, sizes(g.x(0))?)?;
    Ok([Some(inner), None, g.missing(2)?].into_iter().collect())
}

/// Applies `def` to the cotangent: mirroring edges and adding them up are each other's gradients.
fn mirrored(g: &Gradient<'_>, def: &'static OpDef) -> Result<InputGradients> {
    Ok(first(g, execute_one(def, g.attrs.clone(), &[g.dy()?, g.x(1)])?))
}

pub(in crate::ops) fn mirror_pad(g: &Gradient<'_>) -> Result<InputGradients> {
    mirrored(g, MirrorPadGrad::DEF)
}

pub(in crate::ops) fn mirror_pad_grad(g: &Gradient<'_>) -> Result<InputGradients> {
    mirrored(g, MirrorPad::DEF)
}

pub(in crate::ops) fn ensure_shape(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok(first(g, g.dy()?.clone()))
}

pub(in crate::ops) fn add_n(g: &Gradient<'_>) -> Result<InputGradients> {
    let dy = g.dy()?;
    Ok(g.inputs.iter().map(|_| Some(dy.clone())).collect())
}
