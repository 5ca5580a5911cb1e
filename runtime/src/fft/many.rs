//! Transforms over several axes.

use super::one::{as_complex, backward, backward_to_real, forward, forward_of_real};
use super::options::{OverMany, OverOne};
use crate::compounds;
use crate::ops::Axes;
use crate::ops::options::Sets;
use crate::tensor::Tensor;
use crate::types::{Result, bail};

/// The axes of a transform with their requested sizes. Without axes these are the last ones, one for each
/// size; without sizes too, all axes.
fn places(x: &Tensor, options: OverMany) -> Result<Vec<OverOne>> {
    let axes: Vec<i64> = match (&options.axes, &options.sizes) {
        (Axes::All, Some(sizes)) => (1..=sizes.len() as i64).rev().map(|i| -i).collect(),
        (axes, _) => axes.of(x)?.into_iter().map(|axis| axis as i64).collect(),
    };
    let norm = options.norm;
    match options.sizes {
        Some(sizes) if sizes.len() != axes.len() => {
            bail!("sizes {sizes:?} for axes {axes:?}: as many are wanted")
        }
        Some(sizes) => {
            let places = axes.into_iter().zip(sizes);
            Ok(places.map(|(axis, n)| OverOne { length: Some(n), axis, norm }).collect())
        }
        None => Ok(axes.into_iter().map(|axis| OverOne { length: None, axis, norm }).collect()),
    }
}

/// The last axis, and the ones before it.
fn last(places: &[OverOne]) -> Result<(OverOne, &[OverOne])> {
    match places.split_last() {
        Some((last, rest)) => Ok((*last, rest)),
        None => bail!("one axis at least is wanted"),
    }
}

/// The options, with the last two axes if none are given.
fn last_two(options: OverMany) -> OverMany {
    match options.axes {
        Axes::All => OverMany { axes: Axes::from([-2i64, -1]), ..options },
        Axes::List(_) => options,
    }
}

/// Applies the transform `f` along each axis, the last one first.
fn each(
    x: &Tensor,
    places: &[OverOne],
    f: fn(&Tensor, OverOne) -> Result<Tensor>,
) -> Result<Tensor> {
    places.iter().rev().try_fold(as_complex(x)?, |x, place| f(&x, *place))
}

compounds! {
    /// The discrete Fourier transform over the given axes, or over all. [`Sizes`](super::Sizes) sets their
    /// sizes; without axes it applies to the last ones. Other options are as for [`fft`](super::fft()), such
    /// as [`Ortho`](super::Ortho).
    ///
    /// NumPy: `np.fft.fftn`. TensorFlow: `tf.signal.fftnd`. Dtypes as for [`fft`](super::fft()).
    ///
    /// # Errors
    /// As [`fft`](super::fft()), and `InvalidArgument` for another number of sizes than axes.
    ///
    /// ```
    /// use extype::fft;
    /// use extype::prelude::*;
    /// let y = fft::fftn(&tensor![[1.0f64, 0.0], [0.0, 0.0]], ..)?;
    /// assert_eq!(y.cast(f64)?.as_slice::<f64>()?, &[1.0, 1.0, 1.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn fftn(x => options: impl Sets<OverMany> as OverMany) -> Tensor {
        each(x, &places(x, options)?, forward)
    }

    /// The inverse discrete Fourier transform over axes, which undoes [`fftn`].
    ///
    /// NumPy: `np.fft.ifftn`. TensorFlow: `tf.signal.ifftnd`.
    ///
    /// # Errors
    /// As [`fftn`].
    ///
    /// ```
    /// use extype::fft;
    /// use extype::prelude::*;
    /// let y = fft::ifftn(&tensor![[4.0f64, 0.0], [0.0, 0.0]], ..)?;
    /// assert_eq!(y.cast(f64)?.as_slice::<f64>()?, &[1.0, 1.0, 1.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn ifftn(x => options: impl Sets<OverMany> as OverMany) -> Tensor {
        each(x, &places(x, options)?, backward)
    }

    /// The discrete Fourier transform of real numbers over the given axes, or over all. The last of these
    /// axes has only the frequencies up to half its size.
    ///
    /// NumPy: `np.fft.rfftn`. TensorFlow: `tf.signal.rfftnd`. Dtypes as for [`rfft`](super::rfft()).
    ///
    /// # Errors
    /// As [`rfft`](super::rfft()) and [`fftn`], and `InvalidArgument` for no axis.
    ///
    /// ```
    /// use extype::fft;
    /// use extype::prelude::*;
    /// let y = fft::rfftn(&tensor![[1.0f64, 0.0, 0.0, 0.0]], ..)?;
    /// assert_eq!(y.shape(), shape![1, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn rfftn(x => options: impl Sets<OverMany> as OverMany) -> Tensor {
        let places = places(x, options)?;
        let (last, rest) = last(&places)?;
        each(&forward_of_real(x, last)?, rest, forward)
    }

    /// The inverse of [`rfftn`]: real numbers from frequencies over the given axes, or over all. Along the last
    /// of these axes the frequencies are given up to the half.
    ///
    /// NumPy: `np.fft.irfftn`. TensorFlow: `tf.signal.irfftnd`.
    ///
    /// # Errors
    /// As [`rfftn`].
    ///
    /// ```
    /// use extype::fft;
    /// use extype::prelude::*;
    /// let x = tensor![[1.0f64, 0.0], [0.0, 0.0]];
    /// let y = fft::irfftn(&fft::rfftn(&x, ..)?, ..)?;
    /// assert_eq!(y.as_slice::<f64>()?, x.as_slice::<f64>()?);
    /// # Ok::<(), Error>(())
    /// ```
    fn irfftn(x => options: impl Sets<OverMany> as OverMany) -> Tensor {
        let places = places(x, options)?;
        let (last, rest) = last(&places)?;
        backward_to_real(&each(x, rest, backward)?, last)
    }

    /// [`fftn`] over the last two axes.
    ///
    /// NumPy: `np.fft.fft2`. TensorFlow: `tf.signal.fft2d`.
    ///
    /// # Errors
    /// As [`fftn`].
    ///
    /// ```
    /// use extype::fft;
    /// use extype::prelude::*;
    /// let y = fft::fft2(&tensor![[1.0f64, 2.0, 3.0]], ..)?;
    /// assert_eq!(y.shape(), shape![1, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn fft2(x => options: impl Sets<OverMany> as OverMany) -> Tensor {
        fftn(x, last_two(options))
    }

    /// [`ifftn`] over the last two axes.
    ///
    /// NumPy: `np.fft.ifft2`. TensorFlow: `tf.signal.ifft2d`.
    ///
    /// # Errors
    /// As [`ifftn`].
    ///
    /// ```
    /// use extype::fft;
    /// use extype::prelude::*;
    /// let y = fft::ifft2(&tensor![[1.0f64, 2.0, 3.0]], ..)?;
    /// assert_eq!(y.shape(), shape![1, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn ifft2(x => options: impl Sets<OverMany> as OverMany) -> Tensor {
        ifftn(x, last_two(options))
    }

    /// [`rfftn`] over the last two axes.
    ///
    /// NumPy: `np.fft.rfft2`. TensorFlow: `tf.signal.rfft2d`.
    ///
    /// # Errors
    /// As [`rfftn`].
    ///
    /// ```
    /// use extype::fft;
    /// use extype::prelude::*;
    /// let y = fft::rfft2(&tensor![[1.0f64, 2.0, 3.0]], ..)?;
    /// assert_eq!(y.shape(), shape![1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn rfft2(x => options: impl Sets<OverMany> as OverMany) -> Tensor {
        rfftn(x, last_two(options))
    }

    /// [`irfftn`] over the last two axes.
    ///
    /// NumPy: `np.fft.irfft2`. TensorFlow: `tf.signal.irfft2d`.
    ///
    /// # Errors
    /// As [`irfftn`].
    ///
    /// ```
    /// use extype::fft;
    /// use extype::prelude::*;
    /// let y = fft::irfft2(&tensor![[1.0f64, 2.0, 3.0]], ..)?;
    /// assert_eq!(y.shape(), shape![1, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    fn irfft2(x => options: impl Sets<OverMany> as OverMany) -> Tensor {
        irfftn(x, last_two(options))
    }
}
