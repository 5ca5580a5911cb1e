//! Windows that taper a series towards its ends, and angles without jumps.

use std::f64::consts::PI;

use super::collected;
use super::series::part;
use crate::compounds;
use crate::ops::methods::*;
use crate::ops::options::{Sets, TakesInteger, sets};
use crate::ops::{add, as_float, concat, floor_mod, logical_and, rank_of, select, sub};
use crate::tensor::{Tensor, call_site};
use crate::types::{Result, normalize_axis};

/// A sum of cosines over `n` places: the coefficients of `cos(0)`, `cos(x)`, `cos(2x)`, ….
fn cosines(n: usize, coefficients: &[f64]) -> Result<Tensor> {
    // A single place is the middle of the window, where it is 1.
    let of = |i: usize| {
        let angle = 2.0 * PI * i as f64 / (n - 1) as f64;
        coefficients.iter().enumerate().map(|(k, c)| c * (k as f64 * angle).cos()).sum()
    };
    if n == 1 { collected([1.0].into_iter(), n) } else { collected((0..n).map(of), n) }
}

/// The Hann window of `n` places, float64: a raised cosine, zero at both ends.
///
/// NumPy: `hanning`; TensorFlow: `tf.signal.hann_window` with `periodic=False`.
///
/// # Errors
/// `ResourceExhausted` for more places than there is memory for.
///
/// ```
/// use extype::prelude::*;
/// let y = ops::hanning(3)?;
/// assert_eq!(y.as_slice::<f64>()?, &[0.0, 1.0, 0.0]);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "hann_window")]
#[track_caller]
pub fn hanning(n: usize) -> Result<Tensor> {
    let _site = call_site!();
    cosines(n, &[0.5, -0.5])
}

/// The Hamming window of `n` places, float64: a raised cosine, 0.08 at both ends.
///
/// NumPy: `hamming`; TensorFlow: `tf.signal.hamming_window` with `periodic=False`.
///
/// # Errors
/// As [`hanning`].
///
/// ```
/// use extype::prelude::*;
/// let y = ops::hamming(3)?;
/// assert!(y.allclose([0.08, 1.0, 0.08], ..)?.item::<bool>()?);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "hamming_window")]
#[track_caller]
pub fn hamming(n: usize) -> Result<Tensor> {
    let _site = call_site!();
    cosines(n, &[0.54, -0.46])
}

/// The Blackman window of `n` places, float64: a sum of two cosines, zero at both ends.
///
/// NumPy: `blackman`.
///
/// # Errors
/// As [`hanning`].
///
/// ```
/// use extype::prelude::*;
/// let y = ops::blackman(3)?;
/// assert!(y.allclose([0.0, 1.0, 0.0], ..)?.item::<bool>()?);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn blackman(n: usize) -> Result<Tensor> {
    let _site = call_site!();
    cosines(n, &[0.42, -0.5, 0.08])
}

/// The Bartlett window of `n` places, float64: a triangle, zero at both ends.
///
/// NumPy: `bartlett`.
///
/// # Errors
/// As [`hanning`].
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::bartlett(5)?.as_slice::<f64>()?, &[0.0, 0.5, 1.0, 0.5, 0.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn bartlett(n: usize) -> Result<Tensor> {
    let _site = call_site!();
    let height = |i: usize| 2.0 * i.min(n - 1 - i) as f64 / (n - 1) as f64;
    if n == 1 { collected([1.0].into_iter(), n) } else { collected((0..n).map(height), n) }
}

/// Options of [`unwrap`]: an axis (the last for `..`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turning {
    /// The axis.
    pub axis: i64,
}

impl Default for Turning {
    fn default() -> Self {
        Self { axis: -1 }
    }
}

impl TakesInteger for Turning {
    fn set_integer(&mut self, n: i64) {
        self.axis = n;
    }
}

sets! { Turning => Turning |o, all| *o = all; }

compounds! {
    /// Adds multiples of 2π to angles in radians along an axis, so that none is more than π from the
    /// one before it.
    ///
    /// NumPy: `unwrap`. Real floats; integers become float64. Option: an axis (the last for `..`).
    ///
    /// # Errors
    /// `InvalidArgument` for a scalar, and an axis out of range.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::unwrap([3.0, -3.0], ..)?;
    /// assert!(y.allclose([3.0, 2.0 * std::f64::consts::PI - 3.0], ..)?.item::<bool>()?);
    /// # Ok::<(), Error>(())
    /// ```
    fn unwrap(x => options: impl Sets<Turning> as Turning) -> Tensor {
        let x = as_float(x)?;
        let place = normalize_axis(options.axis, rank_of(&x)?)?;
        let axis = place as i64;
        let step = x.diff(axis)?;
        let near = sub(floor_mod(add(&step, PI)?, 2.0 * PI)?, PI)?;
        // A step of exactly half a turn keeps its direction.
        let half = logical_and(near.equal(-PI)?, step.greater(0.0)?)?;
        let near = select(half, PI, near)?;
        let turns = select(step.abs()?.less(PI)?, 0.0, sub(near, &step)?)?.cumsum(axis)?;
        let first = part(&x, place, 0, 1)?.zeros_like()?;
        add(&x, concat(&[first, turns], axis)?.stop_gradient()?)
    }
}
