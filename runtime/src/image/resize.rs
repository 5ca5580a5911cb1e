//! Images of other sizes.

use super::{arrange::padded, on_stack, rank_of_images};
use crate::array::Array;
use crate::ops::options::{Sets, chosen, sets};
use crate::ops::{
    self, Int32s, Integer, Integers, IntegersLike, Op as _, ResizeArea, ResizeBicubic,
    ResizeBilinear, ResizeNearestNeighbor, ScaleAndTranslate, StaticInput as _, length, methods::*,
};
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{DType, Result, bail};

/// How pixels between those of an image are found.
///
/// ```
/// use extype::image::{self, Method};
/// use extype::prelude::*;
/// let y = image::resize([[[0.0f32], [3.0]]], [1, 4], Method::Nearest)?;
/// assert_eq!(y.as_slice::<f32>()?, &[0.0, 0.0, 3.0, 3.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// By linear interpolation.
    #[default]
    Bilinear,
    /// The nearest pixel; the dtype stays.
    Nearest,
    /// By cubics.
    Bicubic,
    /// The mean of the area that a pixel covers. It has no gradient.
    Area,
    /// By Lanczos' filter of radius 3, which is sharp.
    Lanczos3,
    /// By Lanczos' filter of radius 5.
    Lanczos5,
    /// By a bell, which is soft.
    Gaussian,
    /// By the cubics of Mitchell and Netravali, which are soft and hardly ring.
    MitchellCubic,
}

/// Options of resizing: a [`Method`] (bilinear for `..`), [`AntiAlias`], [`PreserveAspectRatio`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resizing {
    /// How pixels are found.
    pub method: Method,
    /// Whether a pixel of a smaller image stands for all that it covers.
    pub antialias: bool,
    /// Whether the image fits into the size, with its own ratio of height to width.
    pub preserve_aspect_ratio: bool,
}

/// A pixel of a smaller image stands for all that it covers; otherwise for the pixels at its middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AntiAlias;

/// The image keeps its ratio of height to width, and fits into the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreserveAspectRatio;

sets! {
    Method => Resizing |o, method| o.method = method;
    AntiAlias => Resizing |o, _| o.antialias = true;
    PreserveAspectRatio => Resizing |o, _| o.preserve_aspect_ratio = true;
    Resizing => Resizing |o, all| *o = all;
}

/// A stack of images of another size.
fn stack_of_size(x: &Tensor, size: &[Integer; 2], options: Resizing) -> Result<Tensor> {
    let to = Int32s::from(Integers::of(size)?).to_input(x)?;
    let filtered = |kernel_type: &str| {
        let scale = |axis: i64, n: &Integer| -> Result<Tensor> {
            ops::div(&n.to_i64()?.cast(DType::F32)?, &length(x, axis)?.to_i64()?.cast(DType::F32)?)
        };
        let scales = ops::stack(&[scale(1, &size[0])?, scale(2, &size[1])?], 0)?;
        let origin = Tensor::Value(Array::from_slice([2], &[0f32, 0.0])?);
        let op =
            ScaleAndTranslate { kernel_type: kernel_type.to_owned(), antialias: options.antialias };
        op.run(&[x, &to, &scales, &origin])
    };
    let (align_corners, half_pixel_centers) = (false, true);
    match options.method {
        Method::Bilinear if options.antialias => filtered("triangle"),
        Method::Bilinear => ResizeBilinear { align_corners, half_pixel_centers }.run(&[x, &to]),
        Method::Nearest => {
            ResizeNearestNeighbor { align_corners, half_pixel_centers }.run(&[x, &to])
        }
        Method::Bicubic if options.antialias => filtered("keyscubic"),
        Method::Bicubic => ResizeBicubic { align_corners, half_pixel_centers }.run(&[x, &to]),
        Method::Area => ResizeArea { align_corners }.run(&[x, &to]),
        Method::Lanczos3 => filtered("lanczos3"),
        Method::Lanczos5 => filtered("lanczos5"),
        Method::Gaussian => filtered("gaussian"),
        Method::MitchellCubic => filtered("mitchellcubic"),
    }
}

/// The two numbers of a size.
fn two(size: &Integers) -> Result<[Integer; 2]> {
    match size.either()? {
        Ok(known) => match known[..] {
            [h, w] => Ok([h.into(), w.into()]),
            _ => bail!("a size is [height, width], not {known:?}"),
        },
        Err(size) => Ok([Integer::Tensor(size.index(0)?), Integer::Tensor(size.index(1)?)]),
    }
}

/// The largest size with the ratio of an image that fits into `size`.
fn fitting(x: &Tensor, size: [Integer; 2]) -> Result<[Integer; 2]> {
    let float = |n: &Integer| n.to_i64()?.cast(DType::F32);
    let own = [length(x, 1)?, length(x, 2)?];
    let scale = |i: usize| ops::div(&float(&size[i])?, &float(&own[i])?);
    let least = ops::minimum(scale(0)?, scale(1)?)?;
    let scaled = |i: usize| -> Result<Integer> {
        let n = ops::mul(&least, &float(&own[i])?)?.round()?.cast(DType::I64)?;
        Ok(Integer::from(n))
    };
    Ok([scaled(0)?, scaled(1)?])
}

/// Images of another size, `[height, width]`.
///
/// TensorFlow: `tf.image.resize`. Images or stacks of real numbers; the result is float32, or has the same dtype for
/// [`Method::Nearest`]. Options: a [`Method`] (bilinear for `..`), [`AntiAlias`], [`PreserveAspectRatio`].
///
/// # Errors
/// `InvalidArgument` for a size below 1, an empty image, and other ranks than 3 and 4.
///
/// ```
/// use extype::image::{self, AntiAlias, Method};
/// use extype::prelude::*;
/// let x = tensor![[[0.0f32], [4.0]]];
/// assert_eq!(image::resize(&x, [1, 4], ..)?.as_slice::<f32>()?, &[0.0, 1.0, 3.0, 4.0]);
/// assert_eq!(image::resize(&x, [1, 1], AntiAlias)?.as_slice::<f32>()?, &[2.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn resize(
    x: impl TensorLike,
    size: impl IntegersLike,
    options: impl Sets<Resizing>,
) -> Result<Tensor> {
    let _site = call_site!();
    let (size, options) = (two(&size.into())?, chosen::<Resizing>(options)?);
    on_stack(&*x.lend()?, |x| {
        let size = if options.preserve_aspect_ratio { fitting(x, size)? } else { size };
        stack_of_size(x, &size, options)
    })
}

/// Images of the size `[height, width]` with their own ratio, on a ground of zeros.
///
/// TensorFlow: `tf.image.resize_with_pad`. Images or stacks of real numbers; dtypes and options as for [`resize`].
///
/// # Errors
/// As [`resize`].
///
/// ```
/// use extype::image::{self, Method};
/// use extype::prelude::*;
/// let y = image::resize_with_pad([[[1.0f32], [2.0]]], [4, 2], Method::Nearest)?;
/// assert_eq!(y.as_slice::<f32>()?, &[0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn resize_with_pad(
    x: impl TensorLike,
    size: impl IntegersLike,
    options: impl Sets<Resizing>,
) -> Result<Tensor> {
    let _site = call_site!();
    let (x, [height, width], options) =
        (x.lend()?, two(&size.into())?, chosen::<Resizing>(options)?);
    rank_of_images(&x)?;
    on_stack(&x, |x| {
        let float = |n: &Integer| n.to_i64()?.cast(DType::F64);
        let (own, to) = ([length(x, 1)?, length(x, 2)?], [height.clone(), width.clone()]);
        for n in &to {
            n.check_at_least("a size", 1)?;
        }
        let ratio = |i: usize| ops::div(&float(&own[i])?, &float(&to[i])?);
        let ratio = ops::maximum(ratio(0)?, ratio(1)?)?;
        let resized = |i: usize| ops::div(&float(&own[i])?, &ratio);
        let whole = |n: Tensor| -> Result<Integer> { Ok(n.floor()?.cast(DType::I64)?.into()) };
        let before = |i: usize| -> Result<Integer> {
            whole(ops::sub(&float(&to[i])?, &resized(i)?)? / 2.0)?.at_least(0)
        };
        let inner = stack_of_size(x, &[whole(resized(0)?)?, whole(resized(1)?)?], options)?;
        padded(&inner, [before(0)?, before(1)?], to.clone())
    })
}
