//! The mel scale, which is linear in how high tones sound.

use std::ops::Range;

use crate::ops::options::chosen;
use crate::ops::{self, collected, length, mel, methods::*};
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{DType, Result, bail, err};

/// The matrix that turns a spectrogram into one of mel frequencies: `spectrogram.matmul(&matrix)`.
///
/// TensorFlow: `tf.signal.linear_to_mel_weight_matrix`. Of shape `[num_spectrogram_bins, num_mel_bins]`. The bins of
/// the spectrogram go from 0 to half the sample rate; the mel bins are triangles that divide the band `hertz`.
///
/// # Errors
/// `InvalidArgument` for no bins, a sample rate that is not positive, and a band that does not ascend or is not
/// between 0 and half the sample rate.
///
/// ```
/// use extype::prelude::*;
/// use extype::signal;
/// let matrix = signal::linear_to_mel_weight_matrix(20, 129, 8000.0, 125.0..3800.0, f32)?;
/// assert_eq!(matrix.shape(), shape![129, 20]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn linear_to_mel_weight_matrix(
    num_mel_bins: usize,
    num_spectrogram_bins: usize,
    sample_rate: f64,
    hertz: Range<f64>,
    dtype: DType,
) -> Result<Tensor> {
    let _site = call_site!();
    let (rows, columns, nyquist) = (num_spectrogram_bins, num_mel_bins, sample_rate / 2.0);
    if rows == 0 || columns == 0 {
        bail!("{columns} mel bins of {rows} bins; one at least is wanted of both");
    }
    if !(nyquist > 0.0 && nyquist.is_finite()) {
        bail!("the sample rate is {sample_rate}; it must be positive");
    }
    if !(0.0 <= hertz.start && hertz.start < hertz.end && hertz.end <= nyquist) {
        bail!("the band {hertz:?} must ascend, between 0 and {nyquist}, half the sample rate");
    }
    let count = rows.checked_mul(columns);
    let count = count.ok_or_else(|| err!(ResourceExhausted, "{rows} times {columns} weights"))?;
    let (low, high) = (mel(hertz.start), mel(hertz.end));
    let edge = |i: usize| low + (high - low) * i as f64 / (columns + 1) as f64;
    let weight = |i: usize| {
        let (row, column) = (i / columns, i % columns);
        if row == 0 {
            // Frequency 0 is in no band.
            return 0.0;
        }
        let at = mel(nyquist * row as f64 / (rows - 1) as f64);
        let [from, middle, to] = [edge(column), edge(column + 1), edge(column + 2)];
        ((at - from) / (middle - from)).min((to - at) / (to - middle)).max(0.0)
    };
    collected((0..count).map(weight), count)?.reshape([rows, columns])?.cast(dtype)
}

/// The cepstral coefficients of logarithmic mel spectrograms.
///
/// TensorFlow: `tf.signal.mfccs_from_log_mel_spectrograms`. Float32 or float64 of shape `[…, num_mel_bins]`; the
/// result has the same shape. Often only the first 13 are used.
///
/// # Errors
/// As [`dct`](super::dct()).
///
/// ```
/// use extype::prelude::*;
/// use extype::signal;
/// let y = signal::mfccs_from_log_mel_spectrograms([[1.0f64, 1.0]])?;
/// assert!(y.allclose([[2.0, 0.0]], ..)?.item::<bool>()?);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn mfccs_from_log_mel_spectrograms(x: impl TensorLike) -> Result<Tensor> {
    let _site = call_site!();
    let y = super::cosine::of_options(&*x.lend()?, chosen(..)?)?;
    let bins = length(&y, -1)?.to_i64()?.cast(DType::F64)?;
    ops::mul(&y, &(bins * 2.0).rsqrt()?.cast(y.dtype())?)
}
