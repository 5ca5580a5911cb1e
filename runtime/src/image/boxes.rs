//! Boxes in images, and windows.

use super::resize::Method;
use crate::array::Array;
use crate::ir::Attrs;
use crate::ops::options::{Sets, chosen, sets};
use crate::ops::{
    CombinedNonMaxSuppression, CropAndResize, DrawBoundingBoxesV2, ExtractImagePatches, Int32s,
    Integer, IntegerLike, Integers, NamedOp as _, NonMaxSuppressionV5, Op as _, StaticInput as _,
    methods::*, whole_numbers,
};
use crate::tensor::{Tensor, TensorLike, call_site, execute};
use crate::types::{DType, Error, Result, bail};

/// Parts of images, all resized to one size.
///
/// TensorFlow: `tf.image.crop_and_resize`. Stacks of real numbers; `boxes` has the shape `[n, 4]`: `[y1, x1, y2, x2]`, where
/// 0 and 1 are the first and the last row or column; `images` has the number of the image of each box. The result is
/// float32 of shape `[n, height, width, channels]`, and `fill` beyond the image.
///
/// # Errors
/// `InvalidArgument` for other methods than bilinear and nearest; `OutOfRange` for an image that is not there.
///
/// ```
/// use extype::image::{self, Method};
/// use extype::prelude::*;
/// let x = tensor![[[[1.0f32], [2.0]]]];
/// let y = image::crop_and_resize(&x, [[0.0f32, 0.0, 0.0, 1.0]], [0], [1, 3], Method::Bilinear, 0.0)?;
/// assert_eq!(y.as_slice::<f32>()?, &[1.0, 1.5, 2.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn crop_and_resize<I: IntegerLike>(
    x: impl TensorLike,
    boxes: impl TensorLike,
    images: impl TensorLike,
    size: [I; 2],
    method: Method,
    fill: f32,
) -> Result<Tensor> {
    let _site = call_site!();
    let method = match method {
        Method::Bilinear => "bilinear",
        Method::Nearest => "nearest",
        other => bail!("parts are resized by the methods bilinear and nearest, not {other:?}"),
    };
    let (boxes, images) =
        (boxes.lend()?.cast(DType::F32)?, whole_numbers(&*images.lend()?, DType::I32)?);
    let op = CropAndResize { method: method.to_owned(), extrapolation_value: fill };
    let (x, size) = (x.lend()?, Integers::of(&size.map(Into::into))?);
    op.run(&[&*x, &boxes, &images, &Int32s::from(size).to_input(&x)?])
}

/// Images with the outlines of boxes.
///
/// TensorFlow: `tf.image.draw_bounding_boxes`. Stacks of float16 or float32 with 1, 3 or 4 channels; `boxes` has the shape
/// `[batch, n, 4]`: `[y1, x1, y2, x2]` in parts of the image. The rows of `colours` are used in turn.
///
/// # Errors
/// `InvalidArgument` for other shapes.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let x = ops::zeros([1, 3, 3, 1], f32)?;
/// let y = image::draw_bounding_boxes(&x, [[[0.0f32, 0.0, 1.0, 1.0]]], [[1.0f32]])?;
/// assert_eq!(y.sum(..)?.item::<f32>()?, 8.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn draw_bounding_boxes(
    x: impl TensorLike,
    boxes: impl TensorLike,
    colours: impl TensorLike,
) -> Result<Tensor> {
    let _site = call_site!();
    let (boxes, colours) = (boxes.lend()?.cast(DType::F32)?, colours.lend()?.cast(DType::F32)?);
    DrawBoundingBoxesV2 {}.run(&[&*x.lend()?, &boxes, &colours])
}

/// Options of [`extract_patches`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patching {
    /// The steps from window to window, of rows and columns.
    pub strides: [usize; 2],
    /// The steps from pixel to pixel in a window, of rows and columns.
    pub rates: [usize; 2],
    /// Whether windows may reach beyond the edges, where the image is zero.
    pub same: bool,
}

impl Default for Patching {
    fn default() -> Self {
        Self { strides: [1, 1], rates: [1, 1], same: false }
    }
}

sets! { Patching => Patching |o, all| *o = all; }

/// The windows of images as vectors, of shape `[batch, rows, columns, height · width · channels]`.
///
/// TensorFlow: `tf.image.extract_patches`. Stacks of numbers. Options: [`Patching`].
///
/// # Errors
/// `InvalidArgument` for another rank than 4; `OutOfRange` for a size, stride or rate of 0.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let y = image::extract_patches([[[[1], [2], [3]]]], [1, 2], ..)?;
/// assert_eq!(y.as_slice::<i32>()?, &[1, 2, 2, 3]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn extract_patches(
    x: impl TensorLike,
    size: [usize; 2],
    options: impl Sets<Patching>,
) -> Result<Tensor> {
    let _site = call_site!();
    let options = chosen::<Patching>(options)?;
    let of = |[h, w]: [usize; 2]| -> Result<Vec<i64>> {
        let n = |n: usize| i64::try_from(n).map_err(|_| Error::invalid("a window is too large"));
        Ok(vec![1, n(h)?, n(w)?, 1])
    };
    let padding = if options.same { "SAME" } else { "VALID" }.to_owned();
    let (strides, rates) = (of(options.strides)?, of(options.rates)?);
    ExtractImagePatches { ksizes: of(size)?, strides, rates, padding }.run(&[&*x.lend()?])
}

/// Options of [`non_max_suppression`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suppressing {
    /// Above which part of their common area boxes count as the same.
    pub overlap: f32,
    /// Above which score boxes are taken.
    pub score: f32,
    /// If above 0, overlaps lower scores by a bell of this deviation, and do not leave out boxes.
    pub sigma: f32,
    /// Whether the results are padded with zeros to as many places as were asked for.
    pub pad: bool,
}

impl Default for Suppressing {
    fn default() -> Self {
        Self { overlap: 0.5, score: f32::MIN, sigma: 0.0, pad: false }
    }
}

sets! { Suppressing => Suppressing |o, all| *o = all; }

/// The boxes that [`non_max_suppression`] takes.
#[derive(Clone, Debug)]
pub struct Suppressed {
    /// Their indices, int32, the best first.
    pub indices: Tensor,
    /// Their scores.
    pub scores: Tensor,
    /// How many there are, an int32 scalar.
    pub count: Tensor,
}

/// The boxes with the best scores: a box is left out if it overlaps a box with a better score.
///
/// TensorFlow: `tf.image.non_max_suppression`, `…_with_scores`, `…_padded`. `boxes` has the shape `[n, 4]`: two opposite
/// corners `[y1, x1, y2, x2]`; `scores` has the shape `[n]`. At most `most` boxes are taken. Options: [`Suppressing`].
///
/// # Errors
/// `InvalidArgument` for other shapes, and an overlap that is not in `[0, 1]`.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let boxes = tensor![[0.0f32, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.9], [2.0, 2.0, 3.0, 3.0]];
/// let best = image::non_max_suppression(&boxes, [0.5f32, 0.9, 0.3], 3, ..)?;
/// assert_eq!(best.indices.as_slice::<i32>()?, &[1, 2]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn non_max_suppression(
    boxes: impl TensorLike,
    scores: impl TensorLike,
    most: impl IntegerLike,
    options: impl Sets<Suppressing>,
) -> Result<Suppressed> {
    let _site = call_site!();
    let options = chosen::<Suppressing>(options)?;
    let (boxes, scores, most) = (boxes.lend()?, scores.lend()?, count(most.into())?);
    let number = |x: f32| Tensor::scalar(x).cast(boxes.dtype());
    let score = match boxes.dtype() {
        DType::F16 => options.score.max(-65504.0),
        _ => options.score,
    };
    let numbers = [number(options.overlap)?, number(score)?, number(options.sigma)?];
    let attrs = Attrs::new().with(NonMaxSuppressionV5::PAD_TO_MAX_OUTPUT_SIZE, &options.pad);
    let inputs = [&*boxes, &*scores, &most, &numbers[0], &numbers[1], &numbers[2]];
    let results = execute(NonMaxSuppressionV5::DEF, attrs, &inputs)?;
    let [indices, scores, count] = &results[..] else {
        return Err(Error::internal("three results are of boxes"));
    };
    Ok(Suppressed { indices: indices.clone(), scores: scores.clone(), count: count.clone() })
}

/// A count as the int32 scalar that ops take.
fn count(n: Integer) -> Result<Tensor> {
    whole_numbers(&n.to_i64()?, DType::I32)
}

/// The boxes with the best scores of each image, suppressed class by class: boxes `[batch, n, 4]`, scores and classes
/// `[batch, n]`, and how many boxes each image has, int32.
///
/// TensorFlow: `tf.image.combined_non_max_suppression`. `boxes` is float32 of shape `[batch, n, q, 4]`, where `q` is 1 or the
/// number of classes; `scores` has the shape `[batch, n, classes]`. `most` is the number of boxes of a class, and of an
/// image. Options: [`Suppressing`], whose `pad` makes the results no longer than all classes have boxes.
///
/// # Errors
/// `InvalidArgument` for other shapes, and an overlap that is not in `[0, 1]`.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let boxes = ops::ones([1, 2, 1, 4], f32)?;
/// let [_, scores, _, count] = image::combined_non_max_suppression(&boxes, [[[0.5f32], [0.9]]], [2, 2], ..)?;
/// assert_eq!(scores.as_slice::<f32>()?, &[0.9, 0.5]);
/// assert_eq!(count.as_slice::<i32>()?, &[2]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn combined_non_max_suppression<I: IntegerLike>(
    boxes: impl TensorLike,
    scores: impl TensorLike,
    most: [I; 2],
    options: impl Sets<Suppressing>,
) -> Result<[Tensor; 4]> {
    let _site = call_site!();
    let options = chosen::<Suppressing>(options)?;
    if options.sigma != 0.0 {
        bail!(
            "boxes of several classes are not suppressed softly: `sigma` is {}, not 0",
            options.sigma
        );
    }
    let [of_class, of_image] = most.map(Into::<Integer>::into);
    let (of_class, of_image) = (count(of_class)?, count(of_image)?);
    let (pad, clip) =
        (CombinedNonMaxSuppression::PAD_PER_CLASS, CombinedNonMaxSuppression::CLIP_BOXES);
    let attrs = Attrs::new().with(pad, &options.pad).with(clip, &true);
    let numbers = [options.overlap, options.score].map(|x| Tensor::Value(Array::scalar(x)));
    let inputs =
        [&*boxes.lend()?, &*scores.lend()?, &of_class, &of_image, &numbers[0], &numbers[1]];
    let results = execute(CombinedNonMaxSuppression::DEF, attrs, &inputs)?;
    let all: Vec<Tensor> = results.into_vec();
    all.try_into().map_err(|_| Error::internal("four results are of boxes"))
}
