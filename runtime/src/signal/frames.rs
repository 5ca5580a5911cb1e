//! Frames of signals, and signals from frames.

use super::options::Framing;
use crate::ops::options::{Sets, chosen};
use crate::ops::{
    self, Ellipsis, Index, Integer, IntegerLike, Integers, Pairs, length, methods::*, rank_of,
};
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{Result, bail, normalize_axis};

/// Cuts a signal into frames of `frame_length` samples, each `frame_step` samples after the one before.
///
/// TensorFlow: `tf.signal.frame`. NumPy: `sliding_window_view`. Any dtype of rank 1 at least; the axis of samples
/// becomes two, `[frames, frame_length]`. Frames that reach beyond the end are left out, or filled with
/// [`PadEnd`](super::PadEnd) or [`PadEndWith`](super::PadEndWith). Other option: the axis, the last for `..`.
///
/// # Errors
/// `InvalidArgument` for a length or a step below 1, an axis out of range, an unknown rank.
///
/// ```
/// use extype::prelude::*;
/// use extype::signal::{self, PadEnd};
/// let frames = signal::frame([1, 2, 3, 4, 5], 3, 2, ..)?;
/// assert_eq!(frames.as_slice::<i32>()?, &[1, 2, 3, 3, 4, 5]);
/// assert_eq!(signal::frame([1, 2, 3], 2, 2, PadEnd)?.as_slice::<i32>()?, &[1, 2, 3, 0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn frame(
    x: impl TensorLike,
    frame_length: impl IntegerLike,
    frame_step: impl IntegerLike,
    options: impl Sets<Framing>,
) -> Result<Tensor> {
    let _site = call_site!();
    framed(&*x.lend()?, &frame_length.into(), &frame_step.into(), chosen(options)?)
}

pub(super) fn framed(
    x: &Tensor,
    size: &Integer,
    step: &Integer,
    options: Framing,
) -> Result<Tensor> {
    let rank = rank_of(x)?;
    if rank == 0 {
        bail!("a signal has an axis of samples, a scalar has none");
    }
    let axis = normalize_axis(options.axis, rank)?;
    size.check_at_least("the frame length", 1)?;
    step.check_at_least("the frame step", 1)?;
    let samples = length(x, axis as i64)?;
    let (frames, x) = match options.pad {
        None => (samples.minus(size)?.plus(step)?.over(step)?.at_least(0)?, x.clone()),
        Some(value) => {
            let frames = samples.over_up(step)?;
            let end = frames.minus(1)?.times(step)?.plus(size)?;
            let missing = end.minus(&samples)?.at_least(0)?;
            let paddings = Pairs::of_axis(rank, axis, [&0.into(), &missing])?;
            let value = Tensor::scalar(value).cast(x.dtype())?;
            (frames, x.pad_with(&value, paddings)?)
        }
    };
    let starts = ops::mul(&up_to(&frames)?, step.to_i64()?)?;
    let places = ops::add(&starts.expand_dims(1)?, &up_to(size)?)?;
    x.gather(&places, axis as i64)
}

/// The integers `0, 1, …, n - 1` as int64.
pub(super) fn up_to(n: &Integer) -> Result<Tensor> {
    ops::range(Tensor::scalar(0i64), &n.to_i64()?, Tensor::scalar(1i64))
}

/// Adds up frames that overlap to a signal: each begins `frame_step` samples after the one before.
///
/// TensorFlow: `tf.signal.overlap_and_add`. Numbers of shape `[…, frames, frame_length]`; the result has the shape
/// `[…, (frames - 1) · frame_step + frame_length]`.
///
/// # Errors
/// `InvalidArgument` for a rank below 2, an unknown rank, a step below 1.
///
/// ```
/// use extype::prelude::*;
/// use extype::signal;
/// let x = signal::overlap_and_add([[1, 1, 1], [5, 5, 5]], 2)?;
/// assert_eq!(x.as_slice::<i32>()?, &[1, 1, 6, 5, 5]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn overlap_and_add(frames: impl TensorLike, frame_step: impl IntegerLike) -> Result<Tensor> {
    let _site = call_site!();
    added_up(&*frames.lend()?, &frame_step.into())
}

pub(super) fn added_up(x: &Tensor, step: &Integer) -> Result<Tensor> {
    let rank = rank_of(x)?;
    if rank < 2 {
        bail!("frames have shape […, frames, frame_length], not {}", x.shape());
    }
    step.check_at_least("the frame step", 1)?;
    let outer = (0..rank as i64 - 2).map(|i| length(x, i)).collect::<Result<Vec<_>>>()?;
    let shape = |last: &[&Integer]| -> Result<Integers> {
        let last = last.iter().map(|n| (*n).clone());
        Integers::of(&outer.iter().cloned().chain(last).collect::<Vec<_>>())
    };
    let (frames, size) = (length(x, -2)?, length(x, -1)?);
    let total = frames.minus(1)?.times(step)?.plus(&size)?.at_least(0)?;
    // Each frame is cut into segments of one step. Segment i of frame j is added to segment i + j of the result: with
    // as many empty frames behind as there are segments, a row of segments one shorter puts each at its place.
    let segments = size.over_up(step)?;
    let (zero, behind) = (Integer::Known(0), segments.times(step)?.minus(&size)?);
    let x = x.pad(Pairs::of_axis(rank, rank - 1, [&zero, &behind])?)?;
    let x = x.reshape(shape(&[&frames, &segments, step])?)?;
    let mut exchanged: Vec<i64> = (0..=rank as i64).collect();
    exchanged.swap(rank - 2, rank - 1);
    let x = x.transpose(&exchanged[..])?;
    let x = x.pad(Pairs::of_axis(rank + 1, rank - 1, [&zero, &segments])?)?;
    let rows = frames.plus(&segments)?;
    let x = x.reshape(shape(&[&segments.times(&rows)?, step])?)?;
    let shorter = rows.minus(1)?;
    let kept = [Index::from(Ellipsis), Index::from(..segments.times(&shorter)?), Index::from(..)];
    let x = x.index(kept.to_vec())?.reshape(shape(&[&segments, &shorter, step])?)?;
    let x = x.reduce_sum(rank as i64 - 2, false)?.reshape(shape(&[&shorter.times(step)?])?)?;
    x.index(vec![Index::from(Ellipsis), Index::from(..total)])
}
