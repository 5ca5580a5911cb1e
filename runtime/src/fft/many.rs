//! Transforms over several axes.

use super::one::{as_complex, fft, ifft, irfft, rfft};
use crate::tensor::{Tensor, call_site};
use crate::types::{Result, bail, err};

/// The axes of a transform with the sizes asked for: those named, or as many as there are sizes
/// from the end, or all.
fn places(
    x: &Tensor,
    sizes: Option<&[usize]>,
    axes: Option<&[i64]>,
) -> Result<Vec<(i64, Option<usize>)>> {
    let axes: Vec<i64> = match (axes, sizes) {
        (Some(axes), _) => axes.to_vec(),
        (None, Some(sizes)) => (1..=sizes.len() as i64).rev().map(|i| -i).collect(),
        (None, None) => {
            let rank = x.rank().ok_or_else(|| {
                err!("the axes must be known while tracing; name them, or give the tensor a shape")
            })?;
            (0..rank as i64).collect()
        }
    };
    match sizes {
        Some(sizes) if sizes.len() != axes.len() => {
            bail!("sizes {sizes:?} for axes {axes:?}: as many are wanted")
        }
        Some(sizes) => Ok(axes.into_iter().zip(sizes.iter().map(|n| Some(*n))).collect()),
        None => Ok(axes.into_iter().map(|axis| (axis, None)).collect()),
    }
}

/// One transform after the other, the last axis first.
fn each(
    x: &Tensor,
    places: &[(i64, Option<usize>)],
    f: fn(&Tensor, Option<usize>, i64) -> Result<Tensor>,
) -> Result<Tensor> {
    places.iter().rev().try_fold(as_complex(x)?, |x, (axis, n)| f(&x, *n, *axis))
}

/// The frequencies of numbers over axes, or over all. `sizes` says their sizes; without axes it is
/// those of the last ones.
///
/// NumPy: `np.fft.fftn`. TensorFlow: `tf.signal.fftnd`. Dtypes as of [`fft()`].
///
/// # Errors
/// As [`fft()`], and `InvalidArgument` for another number of sizes than axes.
///
/// ```
/// use extype::fft;
/// use extype::prelude::*;
/// let y = fft::fftn(&tensor![[1.0f64, 0.0], [0.0, 0.0]], None, None)?;
/// assert_eq!(y.cast(f64)?.as_slice::<f64>()?, &[1.0, 1.0, 1.0, 1.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn fftn(x: &Tensor, sizes: Option<&[usize]>, axes: Option<&[i64]>) -> Result<Tensor> {
    let _site = call_site!();
    each(x, &places(x, sizes, axes).map_err(|e| e.with_op("fftn"))?, fft)
}

/// The numbers with these frequencies over axes: what undoes [`fftn`].
///
/// NumPy: `np.fft.ifftn`. TensorFlow: `tf.signal.ifftnd`.
///
/// # Errors
/// As [`fftn`].
///
/// ```
/// use extype::fft;
/// use extype::prelude::*;
/// let y = fft::ifftn(&tensor![[4.0f64, 0.0], [0.0, 0.0]], None, None)?;
/// assert_eq!(y.cast(f64)?.as_slice::<f64>()?, &[1.0, 1.0, 1.0, 1.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn ifftn(x: &Tensor, sizes: Option<&[usize]>, axes: Option<&[i64]>) -> Result<Tensor> {
    let _site = call_site!();
    each(x, &places(x, sizes, axes).map_err(|e| e.with_op("ifftn"))?, ifft)
}

/// The frequencies of real numbers over axes, or over all; along the last of them up to the half.
///
/// NumPy: `np.fft.rfftn`. TensorFlow: `tf.signal.rfftnd`. Dtypes as of [`rfft()`].
///
/// # Errors
/// As [`rfft()`] and [`fftn`], and `InvalidArgument` for no axis.
///
/// ```
/// use extype::fft;
/// use extype::prelude::*;
/// let y = fft::rfftn(&tensor![[1.0f64, 0.0, 0.0, 0.0]], None, None)?;
/// assert_eq!(y.shape(), shape![1, 3]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn rfftn(x: &Tensor, sizes: Option<&[usize]>, axes: Option<&[i64]>) -> Result<Tensor> {
    let _site = call_site!();
    let places = places(x, sizes, axes).map_err(|e| e.with_op("rfftn"))?;
    let Some(((axis, n), rest)) = places.split_last() else {
        bail!("rfftn: one axis at least is wanted")
    };
    each(&rfft(x, *n, *axis)?, rest, fft)
}

/// The real numbers over axes with these frequencies, of which those of the last axis are up to the
/// half: what undoes [`rfftn`].
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
/// let y = fft::irfftn(&fft::rfftn(&x, None, None)?, None, None)?;
/// assert_eq!(y.as_slice::<f64>()?, x.as_slice::<f64>()?);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn irfftn(x: &Tensor, sizes: Option<&[usize]>, axes: Option<&[i64]>) -> Result<Tensor> {
    let _site = call_site!();
    let places = places(x, sizes, axes).map_err(|e| e.with_op("irfftn"))?;
    let Some(((axis, n), rest)) = places.split_last() else {
        bail!("irfftn: one axis at least is wanted")
    };
    irfft(&each(x, rest, ifft)?, *n, *axis)
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
/// let y = fft::fft2(&tensor![[1.0f64, 2.0, 3.0]], None)?;
/// assert_eq!(y.shape(), shape![1, 3]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn fft2(x: &Tensor, sizes: Option<[usize; 2]>) -> Result<Tensor> {
    let _site = call_site!();
    fftn(x, sizes.as_ref().map(|sizes| &sizes[..]), Some(&[-2, -1]))
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
/// let y = fft::ifft2(&tensor![[1.0f64, 2.0, 3.0]], None)?;
/// assert_eq!(y.shape(), shape![1, 3]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn ifft2(x: &Tensor, sizes: Option<[usize; 2]>) -> Result<Tensor> {
    let _site = call_site!();
    ifftn(x, sizes.as_ref().map(|sizes| &sizes[..]), Some(&[-2, -1]))
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
/// let y = fft::rfft2(&tensor![[1.0f64, 2.0, 3.0]], None)?;
/// assert_eq!(y.shape(), shape![1, 2]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn rfft2(x: &Tensor, sizes: Option<[usize; 2]>) -> Result<Tensor> {
    let _site = call_site!();
    rfftn(x, sizes.as_ref().map(|sizes| &sizes[..]), Some(&[-2, -1]))
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
/// let y = fft::irfft2(&tensor![[1.0f64, 2.0, 3.0]], None)?;
/// assert_eq!(y.shape(), shape![1, 4]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn irfft2(x: &Tensor, sizes: Option<[usize; 2]>) -> Result<Tensor> {
    let _site = call_site!();
    irfftn(x, sizes.as_ref().map(|sizes| &sizes[..]), Some(&[-2, -1]))
}
