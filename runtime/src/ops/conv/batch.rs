//! Batches of convolutions. Calls with the same filters become examples of one call; calls with filters of their own become
//! groups of channels.

use super::Family;
use crate::ops;
use crate::ops::Conv2d;
use crate::ops::methods::*;
use crate::ops::rules::batch::{Batch, Batched, Count, Lane, one};
use crate::ops::rules::folded::{Fold, folded};
use crate::tensor::Tensor;
use crate::types::{Dim, Result};

pub(in crate::ops) fn forward<F: Family>(b: &Batch<'_>) -> Result<Batched> {
    if b.same(1).is_some() {
        return folded(b, &[Fold::Axis(0), Fold::Shared], 0);
    }
    let (images, filters) = channels::<F>();
    grouped::<F>(b, [(0, false), (1, false)], &[Fold::Axis(images), Fold::Axis(filters)], images)
}

pub(in crate::ops) fn input<F: Family>(b: &Batch<'_>) -> Result<Batched> {
    if b.same(1).is_some() {
        return folded(b, &[Fold::Sizes(0), Fold::Shared, Fold::Axis(0)], 0);
    }
    let (images, filters) = channels::<F>();
    let Some(sizes) = full_sizes::<F>(b)? else { return Ok(None) };
    let inputs = [Lane::Same(sizes), b.inputs[1].clone(), b.inputs[2].clone()];
    let folds = [Fold::Sizes(images), Fold::Axis(filters), Fold::Axis(images)];
    grouped::<F>(&Batch { inputs: &inputs, ..*b }, [(0, true), (1, false)], &folds, images)
}

pub(in crate::ops) fn filter<F: Family>(b: &Batch<'_>) -> Result<Batched> {
    let (images, filters) = channels::<F>();
    let folds = [Fold::Axis(images), Fold::Sizes(filters), Fold::Axis(images)];
    grouped::<F>(b, [(0, false), (0, true)], &folds, filters)
}

/// The axes of images and of filters along which groups lie.
fn channels<F: Family>() -> (usize, usize) {
    let last = F::SPATIAL + 1;
    (last, if F::DEPTHWISE { last - 1 } else { last })
}

/// The sizes of the images in all axes, if they are the same in all calls. Where only the spatial ones are given, the
/// others are those of the gradient and of the filters.
fn full_sizes<F: Family>(b: &Batch<'_>) -> Result<Option<Tensor>> {
    let Some(sizes) = b.same(0) else { return Ok(None) };
    let size = |i: usize, axis: usize| {
        let (Lane::Same(x) | Lane::Each(x)) = &b.inputs[i];
        let axis = axis + usize::from(b.each(i).is_some());
        ops::shape_of(x)?.index((axis..axis + 1,))?.cast(sizes.dtype())
    };
    match sizes.shape().num_elements() {
        Some(n) if n == F::SPATIAL => {
            ops::concat(&[&size(2, 0)?, sizes, &size(1, F::SPATIAL)?], 0).map(Some)
        }
        Some(_) => Ok(Some(sizes.clone())),
        None => Ok(None),
    }
}

/// [`folded`], with channels in the last axis. `images` and `filters` are operands, or results.
fn grouped<F: Family>(
    b: &Batch<'_>,
    [images, filters]: [(usize, bool); 2],
    folds: &[Fold],
    result: usize,
) -> Result<Batched> {
    let format: String = b.get(Conv2d::DATA_FORMAT)?;
    let known = |(i, is_result): (usize, bool), axis: usize| -> Result<bool> {
        let ty = if is_result { &b.outputs[i] } else { &b.types[i] };
        Ok(ty.shape.dim(axis as i64)?.size().is_some())
    };
    // Channels that don't fit those of the filters may do so together with those of other calls.
    let fit = F::DEPTHWISE || known(images, F::SPATIAL + 1)? && known(filters, F::SPATIAL)?;
    // Groups are not empty.
    if !fit || !format.ends_with('C') || b.count.dim == Dim::from(0) {
        return Ok(None);
    }
    if b.count.dim.size().is_some() {
        return folded(b, folds, result);
    }
    // Without calls there is one of zeros, which is left out at the end.
    let count = b.count.tensor.reshape([1i64])?;
    let some = ops::maximum(&count, 1i64)?;
    let missing = ops::sub(&some, &count)?;
    let lane = |lane: &Lane| match lane {
        Lane::Each(x) if x.rank().is_some() => {
            let rank = x.rank().unwrap_or(0);
            let none = Tensor::from_slice(&vec![0i64; 2 * rank], &[2 * rank])?;
            let pairs = ops::concat(&[&none.index((..1,))?, &missing, &none.index((2..,))?], 0)?;
            Ok(Lane::Each(x.pad(&pairs.reshape([rank as i64, 2])?)?))
        }
        lane => Ok(lane.clone()),
    };
    let inputs = b.inputs.iter().map(lane).collect::<Result<Vec<_>>>()?;
    let padded = Count { dim: Dim::UNKNOWN, tensor: some.reshape([0i64; 0])? };
    let found = folded(&Batch { inputs: &inputs, count: &padded, ..*b }, folds, result)?;
    let Some([Lane::Each(y)]) = found.as_deref() else { return Ok(None) };
    let others = Tensor::from_slice(&[-1i64; 5][..F::SPATIAL + 2], &[F::SPATIAL + 2])?;
    let sizes = ops::concat(&[&count, &others], 0)?;
    one(y.slice(vec![0i64; F::SPATIAL + 3], &sizes)?)
}
