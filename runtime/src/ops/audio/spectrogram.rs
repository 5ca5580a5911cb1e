//! Spectrograms of sound.

use std::f64::consts::TAU;

use extype_kernels as k;

use crate::array::vec_for;
use crate::define_op;
use crate::ir::{InferContext, KernelContext, Outputs, Types};
use crate::ops::rules::infer::one;
use crate::types::{DType, Dim, Result, Shape, bail, err};

define_op! {
    /// The magnitudes of the frequencies in windows of sound, float32 `[samples, channels]`: a spectrogram
    /// `[channels, windows, frequencies]`.
    ///
    /// TensorFlow: `AudioSpectrogram`. Windows are weighted by Hann's window and filled up to a power of two. For other
    /// windows and gradients there is the short-time transform of `extype::signal`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = ops::audio_spectrogram(ops::zeros([20, 2], f32)?, 8, 4, true)?;
    /// assert_eq!(x.shape(), shape![2, 4, 5]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op AudioSpectrogram = "AudioSpectrogram" {
        inputs: { input: {F32} }, outputs: { spectrogram: {F32} },
        attrs: { window_size: i64, stride: i64, magnitude_squared: bool = false },
        call: audio_spectrogram(input; window_size, stride, magnitude_squared),
        infer: infer, kernel: kernel,
    }
}

/// The length of a window, the stride, and the length that is transformed.
fn lengths(window: i64, stride: i64) -> Result<[usize; 3]> {
    if window < 2 || stride < 1 {
        bail!(
            "windows of {window} samples every {stride}; two at least, and a stride of one at least"
        );
    }
    let window = window as usize;
    let whole = window.checked_next_power_of_two();
    let whole = whole.ok_or_else(|| err!(ResourceExhausted, "windows of {window} samples"))?;
    Ok([window, stride as usize, whole])
}

/// How many windows there are.
fn windows(samples: usize, window: usize, stride: usize) -> usize {
    samples.checked_sub(window).map_or(0, |rest| 1 + rest / stride)
}

fn infer(c: &InferContext<'_>) -> Result<Types> {
    let x = c.shape(0).with_rank(2).map_err(|e| e.prefixed("`input`"))?;
    let (window, stride) =
        (c.get(AudioSpectrogram::WINDOW_SIZE)?, c.get(AudioSpectrogram::STRIDE)?);
    let [window, stride, whole] = lengths(window, stride)?;
    let n = Dim::from(x.dim(0)?.size().map(|samples| windows(samples, window, stride)));
    one(DType::F32, Shape::from_iter([x.dim(1)?, n, Dim::from(whole / 2 + 1)]))
}

fn kernel(c: &KernelContext<'_>) -> Result<Outputs> {
    let &[samples, channels] = c.input(0).dims() else { bail!("sound is a matrix") };
    let (window, stride) =
        (c.get(AudioSpectrogram::WINDOW_SIZE)?, c.get(AudioSpectrogram::STRIDE)?);
    let [window, stride, whole] = lengths(window, stride)?;
    let squared = c.get(AudioSpectrogram::MAGNITUDE_SQUARED)?;
    let (x, n) = (c.input(0).as_slice::<f32>()?, windows(samples, window, stride));
    let frequencies = whole / 2 + 1;
    let out = c.output_slice(&[channels, n, frequencies], |out: &mut [f32]| {
        if out.is_empty() {
            return Ok(());
        }
        let mut weights: Vec<f64> = vec_for(window)?;
        weights.extend((0..window).map(|i| 0.5 - 0.5 * (TAU * i as f64 / window as f64).cos()));
        let (mut frame, mut spectrum) = (vec_for::<f64>(whole)?, vec_for(frequencies)?);
        for (i, out) in out.chunks_exact_mut(frequencies).enumerate() {
            let (channel, first) = (i / n, i % n * stride);
            let sample = |j: usize| f64::from(x[(first + j) * channels + channel]);
            frame.clear();
            frame.extend(weights.iter().enumerate().map(|(j, weight)| weight * sample(j)));
            frame.resize(whole, 0.0);
            spectrum.clear();
            k::fourier::real_transform(&mut frame, &[whole], &mut spectrum);
            for (out, z) in out.iter_mut().zip(&spectrum) {
                let power = z.re * z.re + z.im * z.im;
                *out = if squared { power } else { power.sqrt() } as f32;
            }
        }
        Ok(())
    })?;
    Ok([out].into())
}
