//! Short-time Fourier transforms.

use super::Window;
use super::frames::{added_up, framed};
use super::options::{Framing, Spectrum};
use crate::fft::{of_frequencies, of_real_numbers};
use crate::ops::options::{Sets, chosen};
use crate::ops::{self, Index, Integer, IntegerLike, Integers, Pairs, fit, methods::*};
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{DType, Result};

/// The size of transforms: as asked for, or the next power of two.
fn transform_size(options: &Spectrum, frame: &Integer) -> Result<Integer> {
    if let Some(length) = &options.length {
        return Ok(length.clone());
    }
    match frame.either()? {
        Ok(n) => {
            Ok((usize::try_from(*n).unwrap_or(0).checked_next_power_of_two().unwrap_or(0)).into())
        }
        Err(n) => {
            let exponent = n.cast(DType::F64)?.log2()?.ceil()?;
            exponent.exp2()?.cast(DType::I64).map(Integer::Tensor)
        }
    }
}

/// The frequencies in each frame of a signal.
///
/// TensorFlow: `tf.signal.stft`. Real numbers (float32 or float64) of shape `[…, samples]`; the result is complex of
/// shape `[…, frames, n / 2 + 1]`, where `n` is the size of the transforms. Options: [`Length`](crate::fft::Length),
/// the next power of two from `frame_length` for `..`; a [`Window`], Hann for `..`; [`PadEnd`](super::PadEnd).
///
/// # Errors
/// As [`frame`](super::frame()) and [`rfft`](crate::fft::rfft()).
///
/// ```
/// use extype::prelude::*;
/// use extype::signal::{self, PadEnd, Window};
/// let y = signal::stft([1.0f32, 1.0, 1.0, 1.0, 1.0], 2, 2, (Window::None, PadEnd))?;
/// assert_eq!(y.cast(f32)?.as_slice::<f32>()?, &[2.0, 0.0, 2.0, 0.0, 1.0, 1.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn stft(
    x: impl TensorLike,
    frame_length: impl IntegerLike,
    frame_step: impl IntegerLike,
    options: impl Sets<Spectrum>,
) -> Result<Tensor> {
    let _site = call_site!();
    let (x, size, options) = (x.lend()?, frame_length.into(), chosen::<Spectrum>(options)?);
    let framing = Framing { axis: -1, pad: options.pad_end.then_some(0.0) };
    let frames = framed(&x, &size, &frame_step.into(), framing)?;
    of_real_numbers(&options.window.apply(frames, &size)?, &transform_size(&options, &size)?)
}

/// A signal from the frequencies in its frames.
///
/// TensorFlow: `tf.signal.inverse_stft`. Complex numbers of shape `[…, frames, n / 2 + 1]`; the result is real, with
/// the last axes `[(frames - 1) · frame_step + frame_length]`. Options: [`Length`](crate::fft::Length), which is `n`,
/// and a [`Window`], as for [`stft`]. [`Window::Inverse`] undoes Hann windows.
///
/// # Errors
/// As [`overlap_and_add`](super::overlap_and_add()) and [`irfft`](crate::fft::irfft()).
///
/// ```
/// use extype::prelude::*;
/// use extype::signal::{self, Window};
/// let y = signal::stft([1.0f32, 2.0, 3.0, 4.0], 2, 2, Window::None)?;
/// let x = signal::inverse_stft(&y, 2, 2, Window::None)?;
/// assert_eq!(x.as_slice::<f32>()?, &[1.0, 2.0, 3.0, 4.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn inverse_stft(
    x: impl TensorLike,
    frame_length: impl IntegerLike,
    frame_step: impl IntegerLike,
    options: impl Sets<Spectrum>,
) -> Result<Tensor> {
    let _site = call_site!();
    let (x, size, options) = (x.lend()?, frame_length.into(), chosen::<Spectrum>(options)?);
    let frames = of_frequencies(&x, &transform_size(&options, &size)?)?;
    let frames = options.window.apply(fit(&frames, std::slice::from_ref(&size))?, &size)?;
    added_up(&frames, &frame_step.into())
}

/// The window for [`inverse_stft`] that undoes `window`, by which [`stft`] multiplied frames at this step.
///
/// TensorFlow: `tf.signal.inverse_stft_window_fn`. The result has the shape `[frame_length]`.
///
/// # Errors
/// `InvalidArgument` for a step below 1 and a negative length.
///
/// ```
/// use extype::prelude::*;
/// use extype::signal::{self, Window};
/// let y = signal::inverse_stft_window(4, 2, Window::None, f32)?;
/// assert_eq!(y.as_slice::<f32>()?, &[0.5, 0.5, 0.5, 0.5]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn inverse_stft_window(
    frame_length: impl IntegerLike,
    frame_step: impl IntegerLike,
    window: Window,
    dtype: DType,
) -> Result<Tensor> {
    let _site = call_site!();
    inverse_of(&window, &frame_length.into(), &frame_step.into())?.cast(dtype)
}

/// The window divided by the sum of the squares of all windows that overlap at a place.
pub(super) fn inverse_of(window: &Window, size: &Integer, step: &Integer) -> Result<Tensor> {
    step.check_at_least("the frame step", 1)?;
    let ones = || ops::fill(Integers::of(std::slice::from_ref(size))?, 1.0f64);
    let window = window.of_length(size)?.map_or_else(ones, Ok)?.cast(DType::F64)?;
    let overlaps = size.over_up(step)?;
    let missing = overlaps.times(step)?.minus(size)?;
    let squares = window.square()?.pad(Pairs::of_axis(1, 0, [&0.into(), &missing])?)?;
    let rows = squares.reshape(Integers::of(&[overlaps.clone(), step.clone()])?)?;
    let sums = rows.reduce_sum(0, false)?.tile(Integers::of(&[overlaps])?)?;
    // Where all windows are zero nothing can be restored.
    ops::div_no_nan(&window, &sums.index(Index::from(..size.clone()))?)
}
