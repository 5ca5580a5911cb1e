//! Colours: dtypes, colour spaces, brightness and contrast.

use crate::array::Array;
use crate::ops::{
    self, AdjustContrast, AdjustHue, AdjustSaturation, HsvToRgb, Op as _, RgbToHsv, methods::*,
};
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{DType, Result, bail, err};

/// The largest number of an integer dtype.
fn largest(dtype: DType) -> Result<i128> {
    Ok(match dtype {
        DType::I8 => i8::MAX.into(),
        DType::I16 => i16::MAX.into(),
        DType::I32 => i32::MAX.into(),
        DType::I64 => i64::MAX.into(),
        DType::U8 => u8::MAX.into(),
        DType::U16 => u16::MAX.into(),
        DType::U32 => u32::MAX.into(),
        DType::U64 => u64::MAX.into(),
        _ => bail!("images are of integers or floats, not {dtype}"),
    })
}

/// A cast to integers; numbers beyond their range become the nearest ones.
fn saturated(x: &Tensor, dtype: DType) -> Result<Tensor> {
    let most = largest(dtype)?;
    const SIGNED: [DType; 4] = [DType::I8, DType::I16, DType::I32, DType::I64];
    let signed = SIGNED.contains(&dtype);
    let least = if signed { -most - 1 } else { 0 };
    if x.dtype().is_integer() {
        let (own, own_signed) = (largest(x.dtype())?, SIGNED.contains(&x.dtype()));
        let low = least.max(if own_signed { -own - 1 } else { 0 });
        let bound = |n: i128| Tensor::scalar(n.min(i64::MAX.into()) as i64).cast(x.dtype());
        return x.maximum(&bound(low)?)?.minimum(&bound(most.min(own))?)?.cast(dtype);
    }
    // The largest float in the range of the integers; that of halves is smaller still.
    let digits = match x.dtype() {
        DType::F16 => 11,
        DType::BF16 => 8,
        DType::F32 => 24,
        _ => 53,
    };
    let beyond = (128 - most.leading_zeros()).saturating_sub(digits);
    let mut most = (most >> beyond << beyond) as f64;
    let mut least = least as f64;
    if x.dtype() == DType::F16 {
        (least, most) = (least.max(-65504.0), most.min(65504.0));
    }
    let bound = |n: f64| Tensor::scalar(n).cast(x.dtype());
    x.maximum(&bound(least)?)?.minimum(&bound(most)?)?.cast(dtype)
}

/// Images of another dtype. Floats in `[0, 1]` become integers in the whole range of their dtype, and the other way.
pub(super) fn converted(x: &Tensor, dtype: DType, saturate: bool) -> Result<Tensor> {
    let from = x.dtype();
    let cast = |x: &Tensor| if saturate { saturated(x, dtype) } else { x.cast(dtype) };
    match (from.is_integer(), dtype.is_integer()) {
        _ if from == dtype => Ok(x.clone()),
        (true, true) => {
            let (own, other) = (largest(from)?, largest(dtype)?);
            let number = |n: i128, dtype: DType| {
                let n =
                    i64::try_from(n).map_err(|_| err!("images of {from} do not become {dtype}"))?;
                Tensor::scalar(n).cast(dtype)
            };
            if own > other {
                cast(&x.floor_div(&number((own + 1) / (other + 1), from)?)?)
            } else {
                ops::mul(&cast(x)?, &number((other + 1) / (own + 1), dtype)?)
            }
        }
        (false, false) => x.cast(dtype),
        (true, false) => {
            let scale = Tensor::scalar(1.0 / largest(from)? as f64).cast(dtype)?;
            ops::mul(&x.cast(dtype)?, &scale)
        }
        (false, true) => {
            // A half more, so that 1 becomes the largest integer.
            let scale = Tensor::scalar(largest(dtype)? as f64 + 0.5).cast(from)?;
            cast(&ops::mul(x, &scale)?)
        }
    }
}

/// Images of another dtype: floats in `[0, 1]` become integers in the whole range of their dtype, and the other way.
///
/// TensorFlow: `tf.image.convert_image_dtype`. Of any shape. `saturate` keeps numbers beyond the range at its ends;
/// otherwise they overflow.
///
/// # Errors
/// `InvalidArgument` for bools, complex numbers and text.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let y = image::convert_image_dtype([0.0f32, 0.5, 1.0], u8, false)?;
/// assert_eq!(y.as_slice::<u8>()?, &[0, 127, 255]);
/// assert_eq!(image::convert_image_dtype(y, f32, false)?.index(2)?.item::<f32>()?, 1.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn convert_image_dtype(x: impl TensorLike, dtype: DType, saturate: bool) -> Result<Tensor> {
    let _site = call_site!();
    converted(&*x.lend()?, dtype, saturate)
}

/// Calls a function on images as float16 or float32, and gives the result the dtype of the images.
fn as_single(
    x: &Tensor,
    saturate: bool,
    f: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    let own = [DType::F16, DType::F32].contains(&x.dtype());
    let single = if own { x.clone() } else { converted(x, DType::F32, false)? };
    converted(&f(&single)?, x.dtype(), saturate)
}

/// A number, which may be a tensor, as a scalar of a dtype.
fn scalar_of(x: impl TensorLike, dtype: DType) -> Result<Tensor> {
    x.lend()?.cast(dtype)
}

/// Each pixel, a vector of three, multiplied by a matrix.
fn times(x: &Tensor, matrix: &[[f64; 3]; 3]) -> Result<Tensor> {
    let matrix = Tensor::Value(Array::from_slice([3, 3], matrix.as_flattened())?);
    ops::tensordot(x, &matrix.cast(x.dtype())?, ([-1], [0]))
}

/// Functions of colours that have the last axis of size 3.
macro_rules! matrices {
    ($($(#[doc = $doc:literal])+ $name:ident $matrix:expr;)+) => {
        $(
            $(#[doc = $doc])+
            ///
            /// Floats whose last axis has size 3; the result has the same shape.
            ///
            /// # Errors
            /// `InvalidArgument` for another size of the last axis and for dtypes that are no floats.
            ///
            /// ```
            /// use extype::image;
            /// use extype::prelude::*;
            #[doc = concat!("let y = image::", stringify!($name), "([[0.0f32, 0.0, 0.0]])?;")]
            /// assert_eq!(y.as_slice::<f32>()?, &[0.0, 0.0, 0.0]);
            /// # Ok::<(), Error>(())
            /// ```
            #[track_caller]
            pub fn $name(x: impl TensorLike) -> Result<Tensor> {
                let _site = call_site!();
                times(&*x.lend()?, &$matrix)
            }
        )+
    };
}
matrices! {
    /// Luminance and two chrominances (YIQ, of NTSC) of red, green and blue.
    ///
    /// TensorFlow: `tf.image.rgb_to_yiq`.
    rgb_to_yiq [
        [0.299, 0.59590059, 0.2115],
        [0.587, -0.27455667, -0.52273617],
        [0.114, -0.32134392, 0.31119955],
    ];

    /// Red, green and blue of YIQ.
    ///
    /// TensorFlow: `tf.image.yiq_to_rgb`.
    yiq_to_rgb [
        [1.0, 1.0, 1.0],
        [0.95598634, -0.27201283, -1.10674021],
        [0.6208248, -0.64720424, 1.70423049],
    ];

    /// Luminance and two chrominances (YUV, of PAL) of red, green and blue.
    ///
    /// TensorFlow: `tf.image.rgb_to_yuv`.
    rgb_to_yuv [
        [0.299, -0.14714119, 0.61497538],
        [0.587, -0.28886916, -0.51496512],
        [0.114, 0.43601035, -0.10001026],
    ];

    /// Red, green and blue of YUV.
    ///
    /// TensorFlow: `tf.image.yuv_to_rgb`.
    yuv_to_rgb [
        [1.0, 1.0, 1.0],
        [0.0, -0.394642334, 2.03206185],
        [1.13988303, -0.58062185, 0.0],
    ];
}

/// Hue, saturation and value of red, green and blue, all in `[0, 1]`.
///
/// TensorFlow: `tf.image.rgb_to_hsv`. Floats whose last axis has size 3; the result has the same shape.
///
/// # Errors
/// `InvalidArgument` for another size of the last axis.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// assert_eq!(image::rgb_to_hsv([0.0f32, 0.5, 0.0])?.as_slice::<f32>()?, &[1.0 / 3.0, 1.0, 0.5]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn rgb_to_hsv(x: impl TensorLike) -> Result<Tensor> {
    let _site = call_site!();
    RgbToHsv {}.run(&[&*x.lend()?])
}

/// Red, green and blue of hue, saturation and value. It has no gradient, as in TensorFlow.
///
/// TensorFlow: `tf.image.hsv_to_rgb`. Floats whose last axis has size 3; the result has the same shape.
///
/// # Errors
/// `InvalidArgument` for another size of the last axis.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// assert_eq!(image::hsv_to_rgb([0.0f32, 1.0, 0.5])?.as_slice::<f32>()?, &[0.5, 0.0, 0.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn hsv_to_rgb(x: impl TensorLike) -> Result<Tensor> {
    let _site = call_site!();
    HsvToRgb {}.run(&[&*x.lend()?])
}

/// The brightness of colours: a weighted sum of red, green and blue.
///
/// TensorFlow: `tf.image.rgb_to_grayscale`. Images of any rank from 1, whose last axis has size 3; that of the result has
/// size 1. It is computed in float32.
///
/// # Errors
/// `InvalidArgument` for another size of the last axis.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// assert_eq!(image::rgb_to_grayscale([[255u8, 255, 255]])?.as_slice::<u8>()?, &[255]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn rgb_to_grayscale(x: impl TensorLike) -> Result<Tensor> {
    let _site = call_site!();
    let x = x.lend()?;
    let single = converted(&x, DType::F32, false)?;
    let weights = Tensor::Value(Array::from_slice([3], &[0.2989f32, 0.5870, 0.1140])?);
    let grey = ops::tensordot(&single, &weights, ([-1], [-1]))?.expand_dims(-1)?;
    converted(&grey, x.dtype(), false)
}

/// Grey images with three equal channels.
///
/// TensorFlow: `tf.image.grayscale_to_rgb`. Images of any rank from 1, whose last axis has size 1.
///
/// # Errors
/// `InvalidArgument` for another size of the last axis.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// assert_eq!(image::grayscale_to_rgb([[7]])?.as_slice::<i32>()?, &[7, 7, 7]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn grayscale_to_rgb(x: impl TensorLike) -> Result<Tensor> {
    let _site = call_site!();
    let x = x.lend()?;
    let channels = ops::length(&x, -1)?;
    match channels.known() {
        Some(1) => {}
        Some(n) => bail!("grey images have one channel, not {n}"),
        None => {
            let is_one = channels.to_i64()?.equal(1)?;
            ops::check(&is_one, "grey images have one channel, not", &[&channels.to_i64()?])?;
        }
    }
    ops::concat(&[&*x, &*x, &*x], -1)
}

/// Images with a number added to each channel.
///
/// TensorFlow: `tf.image.adjust_brightness`. Of any shape; the number is a part of the range, `[0, 1]` for floats.
/// Integers saturate.
///
/// # Errors
/// As [`convert_image_dtype`].
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// assert_eq!(image::adjust_brightness([0u8, 250], 0.1)?.as_slice::<u8>()?, &[25, 255]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn adjust_brightness(x: impl TensorLike, delta: impl TensorLike) -> Result<Tensor> {
    let _site = call_site!();
    as_single(&*x.lend()?, true, |x| ops::add(x, &scalar_of(delta, x.dtype())?))
}

/// Images whose differences from the mean of each channel are multiplied.
///
/// TensorFlow: `tf.image.adjust_contrast`. Images or stacks; the factor is a number. Integers saturate.
///
/// # Errors
/// `InvalidArgument` for a rank below 3.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let y = image::adjust_contrast([[[1.0f32], [3.0]]], 2.0)?;
/// assert_eq!(y.as_slice::<f32>()?, &[0.0, 4.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn adjust_contrast(x: impl TensorLike, factor: impl TensorLike) -> Result<Tensor> {
    let _site = call_site!();
    let factor = scalar_of(factor, DType::F32)?;
    as_single(&*x.lend()?, true, |x| AdjustContrast {}.run(&[x, &factor]))
}

/// Images whose numbers are raised to the power of `gamma`, and multiplied by `gain`.
///
/// TensorFlow: `tf.image.adjust_gamma`. Of any shape. Integers saturate.
///
/// # Errors
/// `InvalidArgument` for a negative gamma.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// assert_eq!(image::adjust_gamma([0.5f32], 2.0, 1.0)?.as_slice::<f32>()?, &[0.25]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn adjust_gamma(x: impl TensorLike, gamma: f64, gain: f64) -> Result<Tensor> {
    let _site = call_site!();
    if gamma.is_nan() || gamma < 0.0 {
        bail!("gamma is {gamma}; it must not be negative");
    }
    as_single(&*x.lend()?, true, |x| Ok(x.pow(gamma)? * gain))
}

/// Images whose hues are moved on by a part of the circle, in `[-1, 1]`.
///
/// TensorFlow: `tf.image.adjust_hue`. Images or stacks with three channels. It has no gradient, as in TensorFlow.
///
/// # Errors
/// `InvalidArgument` for a rank below 3 and another number of channels.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let y = image::adjust_hue([[[1.0f32, 0.0, 0.0]]], 0.5)?;
/// assert_eq!(y.as_slice::<f32>()?, &[0.0, 1.0, 1.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn adjust_hue(x: impl TensorLike, delta: impl TensorLike) -> Result<Tensor> {
    let _site = call_site!();
    let delta = scalar_of(delta, DType::F32)?;
    if let Tensor::Value(known) = &delta
        && known.as_slice::<f32>()?.iter().any(|x| !(-1.0..=1.0).contains(x))
    {
        bail!("the hue is moved by {known}; that must be in [-1, 1]");
    }
    as_single(&*x.lend()?, false, |x| AdjustHue {}.run(&[x, &delta]))
}

/// Images whose saturations are multiplied.
///
/// TensorFlow: `tf.image.adjust_saturation`. Images or stacks with three channels. It has no gradient, as in TensorFlow.
///
/// # Errors
/// `InvalidArgument` for a rank below 3 and another number of channels.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let y = image::adjust_saturation([[[1.0f32, 0.5, 0.5]]], 0.0)?;
/// assert_eq!(y.as_slice::<f32>()?, &[1.0, 1.0, 1.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn adjust_saturation(x: impl TensorLike, factor: impl TensorLike) -> Result<Tensor> {
    let _site = call_site!();
    let factor = scalar_of(factor, DType::F32)?;
    as_single(&*x.lend()?, false, |x| AdjustSaturation {}.run(&[x, &factor]))
}

/// Images with mean 0 and deviation 1, float32. An image of one colour becomes zeros.
///
/// TensorFlow: `tf.image.per_image_standardization`. Images or stacks of real numbers; the result has the same shape.
///
/// # Errors
/// `InvalidArgument` for a rank below 3.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let y = image::per_image_standardization([[[1.0f32], [3.0]]])?;
/// assert_eq!(y.as_slice::<f32>()?, &[-1.0, 1.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn per_image_standardization(x: impl TensorLike) -> Result<Tensor> {
    let _site = call_site!();
    let x = x.lend()?.cast(DType::F32)?;
    let axes = || ops::Axes::from([-1i64, -2, -3]);
    let places = ops::length(&x, -1)?.times(ops::length(&x, -2)?)?.times(ops::length(&x, -3)?)?;
    let apart = ops::sub(&x, &x.reduce_mean(axes(), true)?)?;
    let least = places.to_i64()?.cast(DType::F32)?.rsqrt()?;
    ops::div(&apart, &ops::reduce_std(&x, axes(), true)?.maximum(&least)?)
}
