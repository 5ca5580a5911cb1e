//! Gradients of ops on images.

use crate::ir::{Attrs, OpDef};
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, first, no_gradients, sizes};
use crate::ops::{
    self, CropAndResize, CropAndResizeGradBoxes, CropAndResizeGradImage, Ellipsis, Index, Integer,
    Integers, NamedOp as _, ResizeBilinear, ScaleAndTranslate, ScaleAndTranslateGrad, length,
};
use crate::tensor::{Tensor, execute_one};
use crate::types::{DType, Result};

/// The height and width of images, as int32.
fn spatial(x: &Tensor) -> Result<Tensor> {
    let sizes = Integers::of(&[length(x, 1)?, length(x, 2)?])?;
    sizes.to_tensor()?.cast(DType::I32)
}

/// The attributes that say how pixels lie.
fn corners(g: &Gradient<'_>) -> Result<Attrs> {
    let (align, half) = (ResizeBilinear::ALIGN_CORNERS, ResizeBilinear::HALF_PIXEL_CENTERS);
    Ok(Attrs::new().with(align, &g.get(align)?).with(half, &g.get(half)?))
}

pub(in crate::ops) fn resized(g: &Gradient<'_>, back: &'static OpDef) -> Result<InputGradients> {
    Ok(first(g, execute_one(back, corners(g)?, &[g.dy()?, g.x(0)])?))
}

/// The map is linear: the gradient of its transpose is the map.
pub(in crate::ops) fn unresized(g: &Gradient<'_>, forth: &'static OpDef) -> Result<InputGradients> {
    Ok(first(g, execute_one(forth, corners(g)?, &[g.dy()?, &spatial(g.x(0))?])?))
}

pub(in crate::ops) fn nearest(g: &Gradient<'_>, back: &'static OpDef) -> Result<InputGradients> {
    Ok(first(g, execute_one(back, corners(g)?, &[g.dy()?, &spatial(g.x(0))?])?))
}

/// The attributes of a filter.
fn filter(g: &Gradient<'_>) -> Result<Attrs> {
    let (kind, antialias) = (ScaleAndTranslate::KERNEL_TYPE, ScaleAndTranslate::ANTIALIAS);
    Ok(Attrs::new().with(kind, &g.get(kind)?).with(antialias, &g.get(antialias)?))
}

pub(in crate::ops) fn scaled(g: &Gradient<'_>) -> Result<[Option<Tensor>; 4]> {
    let x = g.x(0).cast(DType::F32)?;
    let inputs = [g.dy()?, &x, g.x(2), g.x(3)];
    let dx = execute_one(ScaleAndTranslateGrad::DEF, filter(g)?, &inputs)?;
    Ok([Some(dx.cast(g.x(0).dtype())?), None, g.missing(2)?, g.missing(3)?])
}

pub(in crate::ops) fn unscaled(g: &Gradient<'_>) -> Result<[Option<Tensor>; 4]> {
    let inputs = [g.dy()?, &spatial(g.x(0))?, g.x(2), g.x(3)];
    let back = execute_one(ScaleAndTranslate::DEF, filter(g)?, &inputs)?;
    Ok([Some(back), None, g.missing(2)?, g.missing(3)?])
}

pub(in crate::ops) fn crops(g: &Gradient<'_>) -> Result<[Option<Tensor>; 4]> {
    let (x, dy) = (g.x(0), g.dy()?);
    let method: String = g.get(CropAndResize::METHOD)?;
    let by_image = || -> Result<Tensor> {
        let known = [DType::F16, DType::F32, DType::F64].contains(&x.dtype());
        let dtype = if known { x.dtype() } else { DType::F32 };
        let (t, m) = (CropAndResizeGradImage::T, CropAndResize::METHOD);
        let attrs = Attrs::new().with(t, &dtype).with(m, &method);
        let shape = sizes(x)?.to_tensor()?.cast(DType::I32)?;
        let inputs = [dy, g.x(1), g.x(2), &shape];
        execute_one(CropAndResizeGradImage::DEF, attrs, &inputs)?.cast(x.dtype())
    };
    let by_boxes = || {
        let attrs = Attrs::new().with(CropAndResize::METHOD, &"bilinear".to_owned());
        execute_one(CropAndResizeGradBoxes::DEF, attrs, &[dy, x, g.x(1), g.x(2)])
    };
    let image = g.wants(0) && x.dtype().is_differentiable();
    // The nearest pixels do not change with small moves of a box.
    let boxes = g.wants(1) && method == "bilinear";
    Ok([image.then(by_image).transpose()?, boxes.then(by_boxes).transpose()?, None, None])
}

pub(in crate::ops) fn uncropped(g: &Gradient<'_>) -> Result<[Option<Tensor>; 4]> {
    let method = CropAndResize::METHOD;
    let attrs =
        Attrs::new().with(method, &g.get(method)?).with(CropAndResize::EXTRAPOLATION_VALUE, &0.0);
    let inputs = [g.dy()?, g.x(1), g.x(2), &spatial(g.x(0))?];
    let back = execute_one(CropAndResize::DEF, attrs, &inputs)?;
    Ok([Some(back), g.missing(1)?, None, None])
}

/// One channel of pixels, with its axis.
fn channel(x: &Tensor, i: i64) -> Result<Tensor> {
    x.index(vec![Index::from(Ellipsis), Index::from(i..i + 1)])
}

pub(in crate::ops) fn rgb_to_hsv(g: &Gradient<'_>) -> Result<Tensor> {
    let (x, dy) = (g.x(0), g.dy()?);
    let [r, green, b] = [channel(x, 0)?, channel(x, 1)?, channel(x, 2)?];
    let value = ops::maximum(&ops::maximum(&r, &green)?, &b)?;
    let least = ops::minimum(&ops::minimum(&r, &green)?, &b)?;
    let range = ops::sub(&value, &least)?;
    let [dh, ds, dv] = [channel(dy, 0)?, channel(dy, 1)?, channel(dy, 2)?];
    // Below black, where colours have no meaning, the saturation stays zero.
    let ds = ops::select(&value.greater(0.0)?, &ds, &ds.zeros_like()?)?;
    // The largest and the smallest channel, of which equal ones share the gradient.
    let share = |of: &Tensor| -> Result<Tensor> {
        let is = x.equal(of)?.cast(x.dtype())?;
        ops::div(&is, &is.reduce_sum(-1, true)?)
    };
    let (largest, smallest) = (share(&value)?, share(&least)?);
    // s = range / value: 1 - least / value.
    let square = value.square()?;
    let up = ops::add(&dv, &ops::mul(&ds, &ops::div_no_nan(&least, &square)?)?)?;
    let down = ops::neg(&ops::mul(&ds, &ops::div_no_nan(1.0, &value)?)?)?;
    // h = (a - b) / (6 range) and a constant, where a and b are the two other channels behind the largest one.
    let turn = ops::div_no_nan(&dh, &(&range * 6.0))?;
    let (is_r, is_g) = (r.equal(&value)?, green.equal(&value)?);
    let part = |of_r: f64, of_g: f64, of_b: f64| -> Result<Tensor> {
        let rest = ops::select(&is_g, of_g, of_b)?;
        ops::select(&is_r, of_r, rest)?.cast(x.dtype())
    };
    let ahead =
        ops::concat(&[part(0.0, -1.0, 1.0)?, part(1.0, 0.0, -1.0)?, part(-1.0, 1.0, 0.0)?], -1)?;
    let difference = ops::mul(&ahead, x)?.reduce_sum(-1, true)?;
    let by_range = ops::mul(&turn, &ops::div_no_nan(&difference, &range)?)?;
    let up = ops::sub(&up, &by_range)?;
    let down = ops::add(&down, &by_range)?;
    let all = ops::add(&ops::mul(&largest, &up)?, &ops::mul(&smallest, &down)?)?;
    ops::add(&all, &ops::mul(&ahead, &turn)?)
}

pub(in crate::ops) fn contrast(g: &Gradient<'_>) -> Result<[Option<Tensor>; 2]> {
    let (x, dy, factor) = (g.x(0), g.dy()?, g.x(1).cast(g.x(0).dtype())?);
    let axes = || ops::Axes::from([-3i64, -2]);
    let mean = |x: &Tensor| x.reduce_mean(axes(), true);
    let rest = ops::mul(&mean(dy)?, &(1.0 - &factor))?;
    let dx = ops::add(&ops::mul(dy, &factor)?, &rest)?;
    let apart = ops::sub(x, &mean(x)?)?;
    let by_factor = ops::mul(dy, &apart)?.reduce_sum(.., false)?.cast(g.x(1).dtype())?;
    Ok([Some(dx), Some(by_factor)])
}

/// Each number of a window goes back to the pixel that it came from.
pub(in crate::ops) fn patches(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, dy) = (g.x(0), g.dy()?);
    let rank = g.get(ops::ExtractVolumePatches::KSIZES)?.len();
    let space = (1..rank as i64 - 1).map(|axis| length(x, axis)).collect::<Result<Vec<_>>>()?;
    let one = Integer::Known(1);
    let pixels = space.iter().try_fold(one.clone(), |n, m| n.times(m.clone()))?;
    // The windows of an image of numbers from 1 tell the pixels; outside there is 0.
    let mut shape = vec![one.clone()];
    shape.extend(space);
    shape.push(one);
    let upper = pixels.plus(1)?.to_i64()?;
    let numbers = ops::range(Tensor::scalar(1i64), &upper, Tensor::scalar(1i64))?;
    let numbers = numbers.cast(DType::F64)?.reshape(Integers::of(&shape)?)?;
    let ids =
        execute_one(g.op, g.attrs.clone(), &[&numbers])?.cast(DType::I64)?.reshape([-1i64])? - 1;
    let (batch, channels) = (length(x, 0)?, length(x, -1)?);
    let count = Integer::Tensor(ops::shape_of(&ids)?.index(0)?);
    let rows = Integers::of(&[batch.clone(), count, channels.clone()])?;
    let rows = dy.reshape(rows)?.transpose([1i64, 0, 2])?;
    let sums = ops::unsorted_segment_sum(&rows, &ids, &pixels.to_i64()?)?;
    Ok(first(g, sums.transpose([1i64, 0, 2])?.reshape(sizes(x)?)?))
}

/// The cotangents of a map are read through its inverse, which is exact where the map keeps areas.
pub(in crate::ops) fn warped(g: &Gradient<'_>) -> Result<InputGradients> {
    let mut all: Vec<Option<Tensor>> = g.inputs.iter().map(|_| None).collect();
    if !g.wants(0) {
        return Ok(no_gradients(g));
    }
    let maps = ops::pad_with(g.x(1), 1.0f32, [[0i64, 0], [0, 1]])?.reshape([-1i64, 3, 3])?;
    // The adjugate is the inverse up to a factor, and the last number of a map is 1.
    let row = |i: i64| maps.index((.., i));
    let [a, b, c] = [row(0)?, row(1)?, row(2)?];
    let columns = [ops::cross(&b, &c)?, ops::cross(&c, &a)?, ops::cross(&a, &b)?];
    let adjugate = ops::stack(&columns, 2)?.reshape([-1i64, 9])?;
    let inverse = ops::div(&adjugate, &adjugate.index((.., 8..9))?)?.index((.., 0..8))?;
    let mut inputs = vec![g.dy()?.clone(), inverse, spatial(g.x(0))?];
    if g.inputs.len() > 3 {
        inputs.push(Tensor::scalar(0f32));
    }
    all[0] = Some(execute_one(g.op, g.attrs.clone(), &inputs.iter().collect::<Vec<_>>())?);
    Ok(all.into_iter().collect())
}
