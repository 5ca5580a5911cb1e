//! Edges, as Canny (1986) finds them.

use extype::image;
use extype::ops::{Index, Integer, Padding, Strides};
use extype::prelude::*;

/// The weights of a bell of 5 pixels.
const BELL: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];

/// How fast a picture `[height, width, channels]` changes at each pixel: downwards, and to the right. Float32 of shape
/// `[height, width]`.
fn slopes(picture: &Tensor) -> Result<(Tensor, Tensor)> {
    let colours = picture.shape().with_rank(3)?.dim(2)? == Dim::from(3);
    let grey = if colours { image::rgb_to_grayscale(picture)? } else { picture.clone() };
    // Soft first, since noise has edges everywhere; mirrored, since the end of the picture is none.
    let wide = grey
        .expand_dims(0)?
        .mirror_pad([[0i64, 0], [2, 2], [2, 2], [0, 0]], ops::MirrorMode::Reflect)?;
    let bell = BELL.to_tensor()?;
    let soft =
        wide.conv2d(bell.reshape([5, 1, 1, 1])?, ..)?.conv2d(bell.reshape([1, 5, 1, 1])?, ..)?;
    let both = image::sobel_edges(&soft)?;
    Ok((both.index((0, .., .., 0, 0))?, both.index((0, .., .., 0, 1))?))
}

/// The pixels of `x` beside each pixel, zero beyond the ends: so many rows below, so many columns to the right.
fn beside(x: &Tensor, down: i64, right: i64) -> Result<Tensor> {
    let part = |n: i64| match n {
        -1 => Index::from(..-2),
        0 => Index::from(Integer::from(1)..Integer::from(-1)),
        _ => Index::from(2..),
    };
    x.pad([[1i64, 1], [1, 1]])?.index((part(down), part(right)))
}

/// The strength of edges where it is larger than on both sides across the edge, zero elsewhere: lines of one pixel.
fn thinned(strength: &Tensor, down: &Tensor, right: &Tensor) -> Result<Tensor> {
    let (high, wide) = (down.abs()?, right.abs()?);
    // One of four directions: the tangent of an eighth of a right angle and its inverse divide them.
    let is_steep = high.greater(&wide * 2.4142)?;
    let is_flat = wide.greater(&high * 2.4142)?;
    let falls = ops::mul(down, right)?.greater(0)?;
    let across = |before: (i64, i64), behind: (i64, i64)| -> Result<Tensor> {
        // On a plateau only the last pixel counts.
        let first = ops::greater_equal(strength, beside(strength, before.0, before.1)?)?;
        let last = ops::greater(strength, beside(strength, behind.0, behind.1)?)?;
        Ok(first & last)
    };
    let slanted = ops::select(&falls, across((-1, -1), (1, 1))?, across((1, -1), (-1, 1))?)?;
    let straight = ops::select(&is_flat, across((0, -1), (0, 1))?, slanted)?;
    let largest = ops::select(&is_steep, across((-1, 0), (1, 0))?, straight)?;
    ops::select(&largest, strength, 0.0)
}

/// The edges of a picture `[height, width, channels]` of float32 in `[0, 1]`: bool of shape `[height, width]`.
///
/// An edge is stronger than `high` somewhere, as a part of the strongest one. From there it goes on as long as it is
/// stronger than `low`.
///
/// # Errors
/// `InvalidArgument` for another rank, and pictures of less than 3 rows or columns.
#[tf_function]
pub(crate) fn edges(picture: &Tensor, low: &Tensor, high: &Tensor) -> Result<Tensor> {
    let (down, right) = slopes(picture)?;
    let strength = ops::hypot(&down, &right)?;
    let strongest = strength.max(..)?;
    let lines = thinned(&ops::div_no_nan(&strength, &strongest)?, &down, &right)?;
    let weak = ops::greater(&lines, low)?;
    let mut found = ops::greater(&lines, high)?;
    loop {
        // All eight neighbours of what is found.
        let near = found
            .cast(f32)?
            .expand_dims(0)?
            .expand_dims(-1)?
            .max_pool2d(3, (Padding::Same, Strides(1)))?
            .squeeze([0, 3])?
            .greater(0)?;
        let grown = near & &weak;
        if grown.equal(&found)?.all(..)? {
            break;
        }
        found = grown;
    }
    Ok(found)
}
