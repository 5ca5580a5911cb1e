//! Images turned, mirrored, cropped and padded.

use super::rank_of_images;
use crate::ops::{self, Ellipsis, Index, Integer, IntegerLike, Pairs, length, methods::*};
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{DType, Result, bail};

pub(super) const ROWS: i64 = -3;
pub(super) const COLUMNS: i64 = -2;

/// The image with rows and columns exchanged.
fn exchanged(x: &Tensor) -> Result<Tensor> {
    match rank_of_images(x)? {
        3 => x.transpose([1i64, 0, 2]),
        _ => x.transpose([0i64, 2, 1, 3]),
    }
}

pub(super) fn flipped(x: &Tensor, axis: i64) -> Result<Tensor> {
    rank_of_images(x)?;
    x.reverse(axis)
}

/// Images with rows and columns exchanged.
///
/// TensorFlow: `tf.image.transpose`. Images or stacks of any dtype.
///
/// # Errors
/// `InvalidArgument` for other ranks than 3 and 4.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// assert_eq!(image::transpose([[[1], [2]]])?.shape(), shape![2, 1, 1]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn transpose(x: impl TensorLike) -> Result<Tensor> {
    let _site = call_site!();
    exchanged(&*x.lend()?)
}

/// Images turned by `k` times 90 degrees, against the clock.
///
/// TensorFlow: `tf.image.rot90`. Images or stacks of any dtype.
///
/// # Errors
/// `InvalidArgument` for other ranks than 3 and 4.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let y = image::rot90([[[1], [2]]], 1)?;
/// assert_eq!((y.shape(), y.as_slice::<i32>()?), (shape![2, 1, 1], &[2, 1][..]));
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn rot90(x: impl TensorLike, k: i64) -> Result<Tensor> {
    let _site = call_site!();
    let x = x.lend()?;
    match k.rem_euclid(4) {
        0 => rank_of_images(&x).map(|_| x.clone()),
        1 => exchanged(&flipped(&x, COLUMNS)?),
        2 => flipped(&flipped(&x, ROWS)?, COLUMNS),
        _ => flipped(&exchanged(&x)?, COLUMNS),
    }
}

/// The part of images in the middle: this part of their height and width.
///
/// TensorFlow: `tf.image.central_crop`. Images or stacks of any dtype.
///
/// # Errors
/// `InvalidArgument` for a fraction that is not in `(0, 1]`, and other ranks than 3 and 4.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// assert_eq!(image::central_crop(ops::ones([8, 6, 1], f32)?, 0.5)?.shape(), shape![4, 4, 1]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn central_crop(x: impl TensorLike, fraction: f64) -> Result<Tensor> {
    let _site = call_site!();
    let x = x.lend()?;
    rank_of_images(&x)?;
    if !(fraction > 0.0 && fraction <= 1.0) {
        bail!("a fraction of {fraction} is cropped; it must be above 0 and at most 1");
    }
    let of = |axis: i64| -> Result<[Integer; 2]> {
        let n = length(&x, axis)?;
        let start = match n.either()? {
            Ok(n) => Integer::Known(((*n as f64 - *n as f64 * fraction) / 2.0) as i64),
            Err(n) => {
                let n = n.cast(DType::F64)?;
                let start = ops::sub(&n, &(&n * fraction))? / 2.0;
                Integer::Tensor(start.cast(DType::I64)?)
            }
        };
        Ok([start.clone(), n.minus(start.times(2)?)?])
    };
    let ([top, height], [left, width]) = (of(ROWS)?, of(COLUMNS)?);
    cropped(&x, [top, left], [height, width])
}

/// A part of images: `size` from `offset` on, both of rows and columns.
pub(super) fn cropped(
    x: &Tensor,
    [top, left]: [Integer; 2],
    [height, width]: [Integer; 2],
) -> Result<Tensor> {
    rank_of_images(x)?;
    let part = |from: Integer, size: Integer, axis: i64| -> Result<Index> {
        from.check_at_least("an offset", 0)?;
        size.check_at_least("a size", 1)?;
        let end = from.plus(size)?;
        length(x, axis)?.minus(end.clone())?.check_at_least("what is left behind the part", 0)?;
        Ok(Index::from(from..end))
    };
    let (rows, columns) = (part(top, height, ROWS)?, part(left, width, COLUMNS)?);
    x.index(vec![Index::from(Ellipsis), rows, columns, Index::from(..)])
}

/// Images on a larger ground of zeros.
pub(super) fn padded(
    x: &Tensor,
    [top, left]: [Integer; 2],
    [height, width]: [Integer; 2],
) -> Result<Tensor> {
    let rank = rank_of_images(x)?;
    let on_axis = |x: &Tensor, before: Integer, size: Integer, axis: i64| -> Result<Tensor> {
        before.check_at_least("an offset", 0)?;
        let after = size.minus(before.clone())?.minus(length(x, axis)?)?;
        after.check_at_least("the room behind the image", 0)?;
        x.pad(Pairs::of_axis(rank, rank - axis.unsigned_abs() as usize, [&before, &after])?)
    };
    on_axis(&on_axis(x, top, height, ROWS)?, left, width, COLUMNS)
}

/// A part of images: `size` from `offset` on, `[height, width]` and `[rows, columns]`.
///
/// TensorFlow: `tf.image.crop_to_bounding_box`. Images or stacks of any dtype.
///
/// # Errors
/// `InvalidArgument` for a part that does not lie in the image, and other ranks than 3 and 4.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let y = image::crop_to_bounding_box([[[1], [2], [3]]], [0, 1], [1, 2])?;
/// assert_eq!(y.as_slice::<i32>()?, &[2, 3]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn crop_to_bounding_box<I: IntegerLike>(
    x: impl TensorLike,
    offset: [I; 2],
    size: [I; 2],
) -> Result<Tensor> {
    let _site = call_site!();
    cropped(&*x.lend()?, offset.map(Into::into), size.map(Into::into))
}

/// Images on a ground of zeros of the size `[height, width]`, at an offset `[rows, columns]`.
///
/// TensorFlow: `tf.image.pad_to_bounding_box`. Images or stacks of numbers.
///
/// # Errors
/// `InvalidArgument` for a size that is too small, and other ranks than 3 and 4.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let y = image::pad_to_bounding_box([[[1], [2]]], [0, 1], [1, 4])?;
/// assert_eq!(y.as_slice::<i32>()?, &[0, 1, 2, 0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn pad_to_bounding_box<I: IntegerLike>(
    x: impl TensorLike,
    offset: [I; 2],
    size: [I; 2],
) -> Result<Tensor> {
    let _site = call_site!();
    padded(&*x.lend()?, offset.map(Into::into), size.map(Into::into))
}

/// Images of the size `[height, width]`: the middle is cut out where they are larger, and zeros surround them where they
/// are smaller.
///
/// TensorFlow: `tf.image.resize_with_crop_or_pad`. Images or stacks of numbers.
///
/// # Errors
/// `InvalidArgument` for a size below 1, and other ranks than 3 and 4.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let y = image::resize_with_crop_or_pad([[[1], [2], [3]]], [3, 1])?;
/// assert_eq!(y.as_slice::<i32>()?, &[0, 2, 0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn resize_with_crop_or_pad<I: IntegerLike>(x: impl TensorLike, size: [I; 2]) -> Result<Tensor> {
    let _site = call_site!();
    let x = x.lend()?;
    rank_of_images(&x)?;
    let [height, width] = size.map(Into::<Integer>::into);
    // What is cut off in front, how much is left, and what is put in front.
    let of = |axis: i64, size: &Integer| -> Result<[Integer; 3]> {
        size.check_at_least("a size", 1)?;
        let n = length(&x, axis)?;
        let cut = n.minus(size.clone())?.over(2)?.at_least(0)?;
        Ok([cut, n.at_most(size.clone())?, size.minus(n)?.over(2)?.at_least(0)?])
    };
    let ([cut, rows, top], [off, columns, left]) = (of(ROWS, &height)?, of(COLUMNS, &width)?);
    padded(&cropped(&x, [cut, off], [rows, columns])?, [top, left], [height, width])
}
