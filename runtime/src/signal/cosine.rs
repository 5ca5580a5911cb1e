//! Cosine transforms, by Fourier transforms.

use std::f64::consts::PI;

use super::frames::{added_up, framed, up_to};
use super::options::{Cosine, Framing, Warped};
use crate::fft::{of_frequencies, of_real_numbers};
use crate::ops::options::{Sets, chosen};
use crate::ops::{
    self, Ellipsis, Index, Integer, IntegerLike, fit, length, methods::*, rank_of, step,
};
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{DType, Result, bail};

/// A part of the last axis.
fn last(x: &Tensor, part: impl Into<Index>) -> Result<Tensor> {
    x.index(vec![Index::from(Ellipsis), part.into()])
}

fn reversed(x: &Tensor) -> Result<Tensor> {
    x.reverse(-1)
}

/// An integer as a float scalar.
fn float(n: &Integer) -> Result<Tensor> {
    n.to_i64()?.cast(DType::F64)
}

/// The factors that give a transform of size `n` the norm 1: another one at place 0.
fn orthonormal(n: &Integer, kind: i64) -> Result<Tensor> {
    let root = float(n)?.sqrt()?;
    let (others, first) = match kind {
        2 => (ops::div(0.5f64.sqrt(), &root)?, ops::div(0.5, &root)?),
        _ => (&root * 0.5f64.sqrt(), root),
    };
    ops::select(up_to(n)?.equal(0)?, first, others)
}

/// The cosine transform of the last axis, without a factor or with norm 1.
fn transformed(x: &Tensor, kind: i64, ortho: bool) -> Result<Tensor> {
    let n = length(x, -1)?;
    let twice = n.times(2)?;
    // Twice the cosines and sines of half steps, in the dtype of the signal.
    let turns = || -> Result<[Tensor; 2]> {
        let angles = ops::div(&(up_to(&n)?.cast(DType::F64)? * (PI / 2.0)), &float(&n)?)?;
        Ok([(angles.cos()? * 2.0).cast(x.dtype())?, (angles.sin()? * 2.0).cast(x.dtype())?])
    };
    let scaled = |y: &Tensor, factors: &Tensor| ops::mul(y, &factors.cast(x.dtype())?);
    match kind {
        1 if ortho => bail!("a cosine transform of type 1 has no orthonormal form"),
        1 => {
            n.check_at_least("the length of a cosine transform of type 1", 2)?;
            // The signal, and the inner samples backwards.
            let whole =
                ops::concat(&[x, &reversed(&last(x, Integer::from(1)..Integer::from(-1))?)?], -1)?;
            ops::real(&of_real_numbers(&whole, &twice.minus(2)?)?)
        }
        2 => {
            let y = of_real_numbers(x, &twice)?;
            let (y, [cosines, sines]) = (last(&y, ..n.clone())?, turns()?);
            let y = ops::add(
                &ops::mul(&ops::real(&y)?, &cosines)?,
                &ops::mul(&ops::imag(&y)?, &sines)?,
            )?;
            if ortho { scaled(&y, &orthonormal(&n, 2)?) } else { Ok(y) }
        }
        3 => {
            let factors = if ortho { orthonormal(&n, 3)? } else { float(&n)? };
            let (x, [cosines, sines]) = (scaled(x, &factors)?, turns()?);
            let y = ops::complex(&ops::mul(&x, &cosines)?, &ops::mul(&x, &sines)?)?;
            last(&of_frequencies(&y, &twice)?, ..n)
        }
        4 => {
            let double = transformed(&fit(x, &[twice])?, 2, false)?;
            let y = last(&double, step(1.., 2))?;
            if ortho { scaled(&y, &ops::div(0.5f64.sqrt(), &float(&n)?.sqrt()?)?) } else { Ok(y) }
        }
        _ => bail!("there are cosine transforms of the types 1 to 4, not {kind}"),
    }
}

pub(super) fn of_options(x: &Tensor, options: Cosine) -> Result<Tensor> {
    if rank_of(x)? == 0 {
        bail!("a signal has an axis of samples, a scalar has none");
    }
    if ![DType::F32, DType::F64].contains(&x.dtype()) {
        bail!("float32 or float64 is wanted, not {}; cast it", x.dtype());
    }
    match options.length {
        Some(0) => bail!("a transform has one place at least, not 0"),
        Some(n) => transformed(&fit(x, &[n.into()])?, options.kind, options.ortho),
        None => transformed(x, options.kind, options.ortho),
    }
}

/// The discrete cosine transform of the last axis.
///
/// TensorFlow: `tf.signal.dct`. Float32 or float64 of rank 1 at least; the result has the same shape. Options: the
/// type, 1 to 4 (2 for `..`); [`Length`](crate::fft::Length), to which the axis is cropped or padded with zeros;
/// [`Ortho`](crate::fft::Ortho).
///
/// # Errors
/// `InvalidArgument` for another type or dtype, a length of 0, type 1 with `Ortho` or less than two samples.
///
/// ```
/// use extype::prelude::*;
/// use extype::signal;
/// assert_eq!(signal::dct([1.0f64, 1.0, 1.0], 1)?.as_slice::<f64>()?, &[4.0, 0.0, 0.0]);
/// assert_eq!(signal::dct([1.0f64, 1.0], ..)?.index(0)?.item::<f64>()?, 4.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn dct(x: impl TensorLike, options: impl Sets<Cosine>) -> Result<Tensor> {
    let _site = call_site!();
    of_options(&*x.lend()?, chosen(options)?)
}

/// The inverse of [`dct`] with the same type and norm, up to a factor: `2 (n - 1)` for type 1, `2 n` for others, 1 with
/// [`Ortho`](crate::fft::Ortho).
///
/// TensorFlow: `tf.signal.idct`. Arguments as for [`dct`].
///
/// # Errors
/// As [`dct`].
///
/// ```
/// use extype::fft::Ortho;
/// use extype::prelude::*;
/// use extype::signal;
/// let x = tensor![1.0f64, 2.0, -3.0];
/// let back = signal::idct(signal::dct(&x, Ortho)?, Ortho)?;
/// assert!(back.allclose(&x, ..)?.item::<bool>()?);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn idct(x: impl TensorLike, options: impl Sets<Cosine>) -> Result<Tensor> {
    let _site = call_site!();
    let mut options = chosen::<Cosine>(options)?;
    options.kind = match options.kind {
        2 => 3,
        3 => 2,
        kind => kind,
    };
    of_options(&*x.lend()?, options)
}

/// The modified discrete cosine transform: cosine transforms of frames that overlap by half.
///
/// TensorFlow: `tf.signal.mdct`. Float32 or float64 of shape `[…, samples]`; the result has the shape
/// `[…, frames, frame_length / 2]`. Options: a [`Window`](super::Window), Vorbis for `..`; [`PadEnd`](super::PadEnd);
/// [`Ortho`](crate::fft::Ortho).
///
/// # Errors
/// `InvalidArgument` for a length that is no multiple of 4, and what [`frame`](super::frame()) refuses.
///
/// ```
/// use extype::fft::Ortho;
/// use extype::prelude::*;
/// use extype::signal;
/// let x = tensor![0.0f64, 0.0, 1.0, 2.0, 3.0, 4.0, 0.0, 0.0];
/// let y = signal::mdct(&x, 4, Ortho)?;
/// assert_eq!(y.shape(), shape![3, 2]);
/// assert!(signal::inverse_mdct(&y, Ortho)?.allclose(&x, ..)?.item::<bool>()?);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn mdct(
    x: impl TensorLike,
    frame_length: impl IntegerLike,
    options: impl Sets<Warped>,
) -> Result<Tensor> {
    let _site = call_site!();
    let (x, size, options) = (x.lend()?, frame_length.into(), chosen::<Warped>(options)?);
    let quarter = size.over(4)?;
    if size.known().is_some_and(|n| n % 4 != 0) {
        bail!("the frame length is a multiple of 4");
    }
    let framing = Framing { axis: -1, pad: options.pad_end.then_some(0.0) };
    let frames = framed(&x, &size, &quarter.times(2)?, framing)?;
    let frames = windowed(&options, frames, &size)?;
    let [a, b, c] = [quarter.clone(), quarter.times(2)?, quarter.times(3)?];
    let first = -reversed(&last(&frames, b.clone()..c.clone())?)? - last(&frames, c..)?;
    let second = last(&frames, ..a.clone())? - reversed(&last(&frames, a..b)?)?;
    transformed(&ops::concat(&[first, second], -1)?, 4, options.ortho)
}

fn windowed(options: &Warped, frames: Tensor, size: &Integer) -> Result<Tensor> {
    match options.window {
        super::Window::None => Ok(frames * 0.5f64.sqrt()),
        _ => options.window.apply(frames, size),
    }
}

/// The signal of a modified discrete cosine transform: the inverse of [`mdct`] with the same window and norm.
///
/// TensorFlow: `tf.signal.inverse_mdct`. Float32 or float64 of shape `[…, frames, n]`; the result has the shape
/// `[…, (frames + 1) · n]`. Options as for [`mdct`].
///
/// # Errors
/// `InvalidArgument` for a rank below 2 or an unknown rank.
///
/// ```
/// use extype::prelude::*;
/// use extype::signal;
/// let x = signal::inverse_mdct([[0.0f32, 0.0], [0.0, 0.0]], ..)?;
/// assert_eq!(x.shape(), shape![6]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn inverse_mdct(x: impl TensorLike, options: impl Sets<Warped>) -> Result<Tensor> {
    let _site = call_site!();
    let (x, options) = (x.lend()?, chosen::<Warped>(options)?);
    if rank_of(&x)? < 2 {
        bail!("coefficients have shape […, frames, n], not {}", x.shape());
    }
    let n = length(&x, -1)?;
    let mut y = transformed(&x, 4, options.ortho)?;
    if !options.ortho {
        y = ops::mul(&y, &ops::div(0.5, &float(&n)?)?.cast(x.dtype())?)?;
    }
    let half = n.over(2)?;
    let (first, second) = (last(&y, ..half.clone())?, last(&y, half..)?);
    let parts = [second.clone(), -reversed(&second)?, -reversed(&first)?, -first];
    let frames = windowed(&options, ops::concat(&parts, -1)?, &n.times(2)?)?;
    added_up(&frames, &n)
}
