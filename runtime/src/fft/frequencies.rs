//! Frequencies in their order.

use super::options::Sampled;
use crate::compounds;
use crate::ops::Axes;
use crate::ops::options::{Among, Sets, chosen};
use crate::ops::{self, Integers, length, methods::*};
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, Result, bail};

/// The numbers divided by the width `n d`. Fails if `n` is 0, or if `d` is 0, subnormal, NaN or infinite.
fn frequencies(numbers: impl Iterator<Item = i64>, n: usize, d: f64) -> Result<Tensor> {
    if n == 0 || !d.is_normal() {
        bail!("{n} places at a distance of {d}; both must be above 0");
    }
    let width = n as f64 * d;
    ops::collected(numbers.map(|k| k as f64 / width), n)
}

/// The frequencies of [`fft`](super::fft()) for `n` samples at a distance of `d`: `0, 1, …`, then the
/// negative ones, divided by `n d`. The result is float64.
///
/// NumPy: `np.fft.fftfreq`.
///
/// # Errors
/// `InvalidArgument` for 0 samples, and a distance that is 0 or not finite.
///
/// ```
/// use extype::fft;
/// use extype::prelude::*;
/// assert_eq!(fft::fftfreq(4, 0.25)?.as_slice::<f64>()?, &[0.0, 1.0, -2.0, -1.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn fftfreq(n: usize, options: impl Sets<Sampled>) -> Result<Tensor> {
    let _site = call_site!();
    let options = chosen::<Sampled>(options)?;
    let (size, positive) = (n as i64, n.div_ceil(2) as i64);
    frequencies((0..positive).chain(positive - size..0), n, options.distance)
}

/// The frequencies of [`rfft`](super::rfft()) for `n` samples at a distance of `d`: `0, 1, …, n / 2`
/// divided by `n d`. The result is float64.
///
/// NumPy: `np.fft.rfftfreq`.
///
/// # Errors
/// As [`fftfreq`].
///
/// ```
/// use extype::fft;
/// use extype::prelude::*;
/// assert_eq!(fft::rfftfreq(4, 0.25)?.as_slice::<f64>()?, &[0.0, 1.0, 2.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn rfftfreq(n: usize, options: impl Sets<Sampled>) -> Result<Tensor> {
    let _site = call_site!();
    let options = chosen::<Sampled>(options)?;
    frequencies(0..=(n / 2) as i64, n, options.distance)
}

/// Rolls `x` along axes, or all axes, by half of their sizes, forwards or backwards.
fn shifted(x: &Tensor, axes: &Axes, sign: i64) -> Result<Tensor> {
    let axes: Vec<i64> = axes.of(x)?.into_iter().map(|axis| axis as i64).collect();
    if axes.is_empty() {
        return Ok(x.clone());
    }
    let shift = |axis: &i64| -> Result<Tensor> {
        let half = match length(x, *axis)?.either()? {
            Ok(n) => Tensor::scalar(*n / 2),
            Err(n) => ops::floor_div(&n.cast(DType::I64)?, 2)?,
        };
        Ok(half * sign)
    };
    let shifts = axes.iter().map(shift).collect::<Result<Vec<_>>>()?;
    let shifts = ops::stack(&shifts.iter().collect::<Vec<_>>(), 0)?;
    x.roll(&shifts, Integers::from(axes))
}

compounds! {
    /// Moves the frequency 0 to the middle of the given axes, or of all axes.
    ///
    /// TensorFlow: `tf.signal.fftshift`. NumPy: `np.fft.fftshift`. Any shape and dtype is allowed; the result
    /// has the same.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range.
    ///
    /// ```
    /// use extype::fft;
    /// use extype::prelude::*;
    /// assert_eq!(fft::fftshift(&tensor![0, 1, -2, -1], ..)?.as_slice::<i32>()?, &[-2, -1, 0, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    fn fftshift(x => options: impl Sets<Among> as Among) -> Tensor {
        shifted(x, &options.axes, 1)
    }

    /// Moves the middle of axes to their beginning: the inverse of [`fftshift`].
    ///
    /// TensorFlow: `tf.signal.ifftshift`. NumPy: `np.fft.ifftshift`.
    ///
    /// # Errors
    /// As [`fftshift`].
    ///
    /// ```
    /// use extype::fft;
    /// use extype::prelude::*;
    /// assert_eq!(fft::ifftshift(&tensor![-1, 0, 1], ..)?.as_slice::<i32>()?, &[0, 1, -1]);
    /// # Ok::<(), Error>(())
    /// ```
    fn ifftshift(x => options: impl Sets<Among> as Among) -> Tensor {
        shifted(x, &options.axes, -1)
    }
}
