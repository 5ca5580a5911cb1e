//! Windows, by which frames are multiplied.

use std::f64::consts::PI;

use super::frames::up_to;
use super::options::Tapering;
use super::spectra::inverse_of;
use crate::ops::options::{Sets, chosen};
use crate::ops::{self, Index, Integer, IntegerLike, methods::*};
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, Result};

/// What each frame of a signal is multiplied by.
///
/// ```
/// use extype::prelude::*;
/// use extype::signal::{self, Window};
/// let y = signal::stft([1.0f32, 1.0, 1.0, 1.0], 4, 2, Window::None)?;
/// assert_eq!(y.index((0, 0))?.cast(f32)?.item::<f32>()?, 4.0);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Window {
    /// Nothing. In modified cosine transforms each sample is divided by the root of two instead.
    None,
    /// See [`hann_window`].
    Hann,
    /// See [`hamming_window`].
    Hamming,
    /// See [`vorbis_window`].
    Vorbis,
    /// See [`kaiser_window`], with this `beta`.
    Kaiser(f64),
    /// See [`kaiser_bessel_derived_window`], with this `beta`.
    KaiserBesselDerived(f64),
    /// See [`inverse_stft_window`](super::inverse_stft_window), for Hann windows at this step.
    Inverse(Integer),
    /// These numbers, as many as a frame has samples.
    Of(Tensor),
}

impl Window {
    /// The window of a length, in float64; `None` for no window.
    pub(super) fn of_length(&self, n: &Integer) -> Result<Option<Tensor>> {
        n.check_at_least("the length of a window", 0)?;
        Ok(Some(match self {
            Window::None => return Ok(None),
            Window::Hann => raised_cosine(n, 0.5, true)?,
            Window::Hamming => raised_cosine(n, 0.54, true)?,
            Window::Vorbis => vorbis(n)?,
            Window::Kaiser(beta) => kaiser(n, *beta)?,
            Window::KaiserBesselDerived(beta) => kaiser_bessel_derived(n, *beta)?,
            Window::Inverse(step) => inverse_of(&Window::Hann, n, step)?,
            Window::Of(numbers) => numbers.clone(),
        }))
    }

    /// The frames, multiplied by the window.
    pub(super) fn apply(&self, frames: Tensor, n: &Integer) -> Result<Tensor> {
        match self.of_length(n)? {
            Some(window) => ops::mul(&frames, &window.cast(frames.dtype())?),
            None => Ok(frames),
        }
    }
}

/// The places `0, 1, …` of a window, as float64.
fn places(n: &Integer) -> Result<Tensor> {
    up_to(n)?.cast(DType::F64)
}

/// A cosine between `2a - 1` and 1. A window that is periodic is the symmetric one of a place more, without the last.
fn raised_cosine(n: &Integer, a: f64, periodic: bool) -> Result<Tensor> {
    // A window of odd length is symmetric either way; one of a single place is 1.
    let odd = n.minus(n.over(2)?.times(2)?)?;
    let width = if periodic { n.minus(odd)? } else { n.minus(1)? };
    let width = width.at_least(1)?.to_i64()?.cast(DType::F64)?;
    let cosine = ops::div(&(places(n)? * (2.0 * PI)), &width)?.cos()?;
    let window = a - cosine * (1.0 - a);
    ops::select(n.to_i64()?.equal(1)?, 1.0, window)
}

fn vorbis(n: &Integer) -> Result<Tensor> {
    let length = n.to_i64()?.cast(DType::F64)?;
    let inner = ops::div(&((places(n)? + 0.5) * PI), &length)?.sin()?.square()?;
    (inner * (PI / 2.0)).sin()
}

fn kaiser(n: &Integer, beta: f64) -> Result<Tensor> {
    let half = n.minus(1)?.to_i64()?.cast(DType::F64)? / 2.0;
    // A single place is the middle.
    let place = ops::div_no_nan(&ops::sub(&places(n)?, &half)?, &half)?;
    let root = (1.0 - place.square()?).maximum(0.0)?.sqrt()?;
    // Both are scaled by exp(-x), so that they do not overflow.
    let beta = Tensor::scalar(beta.abs());
    let ratio = ops::div(&ops::bessel_i0e(&root * &beta)?, &ops::bessel_i0e(&beta)?)?;
    ops::mul(&ratio, &((root - 1.0) * &beta).exp()?)
}

fn kaiser_bessel_derived(n: &Integer, beta: f64) -> Result<Tensor> {
    let half = n.over(2)?;
    let sums = kaiser(&half.plus(1)?, beta)?.cumsum(0)?;
    let rising = ops::div(&sums.index(..-1)?, &sums.index(Index::from(-1))?)?.sqrt()?;
    ops::concat(&[&rising, &rising.reverse(0)?], 0)
}

/// The Hann window of `length` places: a cosine between 0 and 1.
///
/// TensorFlow: `tf.signal.hann_window`. Options: [`Periodic`](super::Periodic) (true for `..`) and a float dtype.
///
/// # Errors
/// `InvalidArgument` for a negative length.
///
/// ```
/// use extype::prelude::*;
/// use extype::signal::{self, Periodic};
/// let y = signal::hann_window(4, ..)?;
/// assert!(y.allclose([0.0f32, 0.5, 1.0, 0.5], ..)?.item::<bool>()?);
/// assert!(signal::hann_window(3, Periodic(false))?.allclose([0.0f32, 1.0, 0.0], ..)?.item::<bool>()?);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn hann_window(length: impl IntegerLike, options: impl Sets<Tapering>) -> Result<Tensor> {
    let _site = call_site!();
    of_cosine(&length.into(), 0.5, chosen(options)?)
}

/// The Hamming window of `length` places: a cosine between 0.08 and 1.
///
/// TensorFlow: `tf.signal.hamming_window`. Options: [`Periodic`](super::Periodic) (true for `..`) and a float dtype.
///
/// # Errors
/// `InvalidArgument` for a negative length.
///
/// ```
/// use extype::prelude::*;
/// use extype::signal;
/// let y = signal::hamming_window(4, f64)?;
/// assert!(y.allclose([0.08, 0.54, 1.0, 0.54], ..)?.item::<bool>()?);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn hamming_window(length: impl IntegerLike, options: impl Sets<Tapering>) -> Result<Tensor> {
    let _site = call_site!();
    of_cosine(&length.into(), 0.54, chosen(options)?)
}

fn of_cosine(n: &Integer, a: f64, options: Tapering) -> Result<Tensor> {
    n.check_at_least("the length of a window", 0)?;
    raised_cosine(n, a, options.periodic)?.cast(options.dtype)
}

/// A window by its kind, in a dtype.
fn of_kind(window: &Window, n: &Integer, dtype: DType) -> Result<Tensor> {
    window.apply(Tensor::scalar(1.0f64).cast(dtype)?, n)
}

/// The Kaiser window of `length` places; a large `beta` makes it narrow.
///
/// TensorFlow: `tf.signal.kaiser_window` (whose `beta` is 12 if not given). NumPy: `kaiser`.
///
/// # Errors
/// `InvalidArgument` for a negative length.
///
/// ```
/// use extype::prelude::*;
/// use extype::signal;
/// assert_eq!(signal::kaiser_window(3, 0.0, f32)?.as_slice::<f32>()?, &[1.0, 1.0, 1.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn kaiser_window(length: impl IntegerLike, beta: f64, dtype: DType) -> Result<Tensor> {
    let _site = call_site!();
    of_kind(&Window::Kaiser(beta), &length.into(), dtype)
}

/// The window for modified cosine transforms that is derived from Kaiser's, of an even `length`.
///
/// TensorFlow: `tf.signal.kaiser_bessel_derived_window` (whose `beta` is 12 if not given).
///
/// # Errors
/// `InvalidArgument` for a negative length.
///
/// ```
/// use extype::prelude::*;
/// use extype::signal;
/// let y = signal::kaiser_bessel_derived_window(2, 12.0, f64)?;
/// assert!(y.allclose([0.5f64.sqrt(); 2], ..)?.item::<bool>()?);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn kaiser_bessel_derived_window(
    length: impl IntegerLike,
    beta: f64,
    dtype: DType,
) -> Result<Tensor> {
    let _site = call_site!();
    of_kind(&Window::KaiserBesselDerived(beta), &length.into(), dtype)
}

/// The window of the codec Vorbis, of an even `length`.
///
/// TensorFlow: `tf.signal.vorbis_window`.
///
/// # Errors
/// `InvalidArgument` for a negative length.
///
/// ```
/// use extype::prelude::*;
/// use extype::signal;
/// let y = signal::vorbis_window(2, f64)?;
/// assert!(y.allclose([0.5f64.sqrt(); 2], ..)?.item::<bool>()?);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn vorbis_window(length: impl IntegerLike, dtype: DType) -> Result<Tensor> {
    let _site = call_site!();
    of_kind(&Window::Vorbis, &length.into(), dtype)
}
