//! Batches of convolutions. Calls with the same filters become examples of one call; calls with filters of their own become
//! groups of channels.

use super::Family;
use crate::ops::Conv2d;
use crate::ops::rules::batch::{Batch, Batched};
use crate::ops::rules::folded::{Fold, folded};
use crate::types::Result;

pub(in crate::ops) fn forward<F: Family>(b: &Batch<'_>) -> Result<Batched> {
    if b.same(1).is_some() {
        return folded(b, &[Fold::Axis(0), Fold::Shared], 0);
    }
    let (images, filters) = channels::<F>();
    grouped(b, &[Fold::Axis(images), Fold::Axis(filters)], images)
}

pub(in crate::ops) fn input<F: Family>(b: &Batch<'_>) -> Result<Batched> {
    if b.same(1).is_some() {
        return folded(b, &[Fold::Sizes(0), Fold::Shared, Fold::Axis(0)], 0);
    }
    let (images, filters) = channels::<F>();
    grouped(b, &[Fold::Sizes(images), Fold::Axis(filters), Fold::Axis(images)], images)
}

pub(in crate::ops) fn filter<F: Family>(b: &Batch<'_>) -> Result<Batched> {
    let (images, filters) = channels::<F>();
    grouped(b, &[Fold::Axis(images), Fold::Sizes(filters), Fold::Axis(images)], filters)
}

/// The axes of images and of filters along which groups lie.
fn channels<F: Family>() -> (usize, usize) {
    let last = F::SPATIAL + 1;
    (last, if F::DEPTHWISE { last - 1 } else { last })
}

/// [`folded`], with channels in the last axis.
fn grouped(b: &Batch<'_>, folds: &[Fold], result: usize) -> Result<Batched> {
    let format: String = b.get(Conv2d::DATA_FORMAT)?;
    if format.ends_with('C') { folded(b, folds, result) } else { Ok(None) }
}
