//! Strided slices, reversed, rolled, repeated, mirrored and split tensors, sums of many.

use super::super::broadcast::sizes;
use super::{Gradient, InputGradients, first, no_gradients};
use crate::ops::{self, Concat, Integers, Op, ShapeOf};
use crate::tensor::{Tensor, execute_one};
use crate::types::{DType, Result};

/// The sizes of a tensor in a dtype of indices.
fn sizes_as(x: &Tensor, dtype: DType) -> Result<Tensor> {
    match sizes(x)? {
        Integers::Known(n) => Integers::Known(n).to_tensor().cast(dtype),
        Integers::Tensor(_) => ShapeOf { out_type: dtype }.run(&[x]),
    }
}

crate::define_gradient!("StridedSlice", |g| {
    let shape = sizes_as(g.x(0), g.x(1).dtype())?;
    let def = crate::op::find_op("StridedSliceGrad")?;
    let inputs = [&shape, g.x(1), g.x(2), g.x(3), g.dy()?];
    Ok(first(g, execute_one(def, g.attrs.clone(), &inputs)?))
});

crate::define_gradient!("StridedSliceGrad", |g| {
    let def = crate::op::find_op("StridedSlice")?;
    let sliced = execute_one(def, g.attrs.clone(), &[g.dy()?, g.x(1), g.x(2), g.x(3)])?;
    Ok([None, None, None, None, Some(sliced)].into_iter().collect())
});

/// The same op with the same attributes and further inputs on the cotangent.
fn again(g: &Gradient<'_>) -> Result<InputGradients> {
    let inputs: Vec<&Tensor> = std::iter::once(g.dy()?).chain(&g.inputs[1..]).collect();
    Ok(first(g, execute_one(g.op, g.attrs.clone(), &inputs)?))
}

crate::define_gradient!("ReverseV2", again);
crate::define_gradient!("ReverseSequence", again);

crate::define_gradient!("Roll", |g| {
    let back = ops::neg(g.x(1))?;
    Ok(first(g, execute_one(g.op, g.attrs.clone(), &[g.dy()?, &back, g.x(2)])?))
});

crate::define_gradient!("Tile", |g| {
    // Seen as [multiple, size, multiple, size, …] the multiples are summed.
    let (multiples, sizes) = (g.x(1).cast(DType::I64)?, sizes_as(g.x(0), DType::I64)?);
    let pairs = ops::stack(&[&multiples, &sizes], 1)?.reshape([-1])?;
    let (zero, two) = (Tensor::scalar(0i64), Tensor::scalar(2i64));
    let axes = ops::range(&zero, &ops::size(&pairs)?, &two)?;
    let summed = g.dy()?.reshape(&pairs)?.reduce_sum(&axes, false)?;
    Ok(first(g, summed.reshape(&sizes)?))
});

/// The cotangent of each result; zeros where the target does not depend on it.
fn all_cotangents(g: &Gradient<'_>) -> Result<Vec<Tensor>> {
    let of = |(y, dy): (&Tensor, &Option<Tensor>)| match dy {
        Some(dy) => Ok(dy.clone()),
        None => y.zeros_like(),
    };
    g.outputs.iter().zip(g.cotangents).map(of).collect()
}

/// The cotangents one after the other along an axis that is a tensor.
fn joined(g: &Gradient<'_>, axis: &Tensor) -> Result<Tensor> {
    let parts = all_cotangents(g)?;
    let inputs: Vec<&Tensor> = parts.iter().chain([axis]).collect();
    let op = Concat { axis: ops::Axis(0) };
    execute_one(op.def(), op.attrs(), &inputs)
}

crate::define_gradient!("Split", |g| {
    Ok([None, Some(joined(g, g.x(0))?)].into_iter().collect())
});
crate::define_gradient!("SplitV", |g| Ok(first(g, joined(g, g.x(2))?)));
crate::define_gradient!("Unpack", |g| {
    Ok(first(g, ops::stack(&all_cotangents(g)?, g.attrs.get("axis")?)?))
});

crate::define_gradient!("PadV2", |g| {
    let paddings = g.x(1).cast(DType::I64)?;
    let before = paddings.slice([0, 0], [-1, 1])?.reshape([-1])?;
    Ok(first(g, g.dy()?.slice(&before, sizes(g.x(0))?)?))
});

/// The other one of mirroring edges and adding them up.
fn mirrored(g: &Gradient<'_>, op: &str) -> Result<InputGradients> {
    let def = crate::op::find_op(op)?;
    Ok(first(g, execute_one(def, g.attrs.clone(), &[g.dy()?, g.x(1)])?))
}

crate::define_gradient!("MirrorPad", |g| mirrored(g, "MirrorPadGrad"));
crate::define_gradient!("MirrorPadGrad", |g| mirrored(g, "MirrorPad"));

crate::define_gradient!("EnsureShape", |g| Ok(first(g, g.dy()?.clone())));
crate::define_gradient!("AddN", |g| {
    let dy = g.dy()?;
    Ok(g.inputs.iter().map(|_| Some(dy.clone())).collect())
});

no_gradients!("BroadcastArgs", "Bitcast");
