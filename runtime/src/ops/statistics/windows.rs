//! Convolution and correlation: sums of products of two series, one moved along the other.

use crate::compounds;
use crate::ops::methods::*;
use crate::ops::options::{Sets, sets};
use crate::ops::protocol::number::agree;
use crate::ops::{Op as _, SlidingSums, length_of, reverse};
use crate::tensor::Tensor;
use crate::types::{Result, bail};

/// Which of the sums [`convolve`] and [`correlate`] return.
///
/// ```
/// use extype::prelude::*;
/// let sums = |overlap: ops::Overlap| ops::convolve([1.0, 2.0, 3.0], [1.0, 1.0], overlap);
/// assert_eq!(sums(ops::Overlap::Full)?.as_slice::<f64>()?, &[1.0, 3.0, 5.0, 3.0]);
/// assert_eq!(sums(ops::Overlap::Valid)?.as_slice::<f64>()?, &[3.0, 5.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// All positions at which the two overlap: `n + m - 1`.
    Full,
    /// The middle positions, as many as the longer vector has elements.
    Same,
    /// The positions at which the shorter vector lies inside the longer one.
    Valid,
}

/// Options of [`convolve`]: an [`Overlap`], `Full` for `..`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convolution {
    /// Which sums are returned.
    pub overlap: Overlap,
}

impl Default for Convolution {
    fn default() -> Self {
        Self { overlap: Overlap::Full }
    }
}

/// Options of [`correlate`]: an [`Overlap`], `Valid` for `..`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Correlation {
    /// Which sums are returned.
    pub overlap: Overlap,
}

impl Default for Correlation {
    fn default() -> Self {
        Self { overlap: Overlap::Valid }
    }
}

sets! {
    Overlap => Convolution |o, overlap| o.overlap = overlap;
    Overlap => Correlation |o, overlap| o.overlap = overlap;
    Convolution => Convolution |o, all| *o = all;
    Correlation => Correlation |o, all| *o = all;
}

/// The sums of products of `x` with `y` moved along it, at the positions that `overlap` selects.
fn sums(x: &Tensor, y: &Tensor, overlap: Overlap) -> Result<Tensor> {
    if x.rank() != Some(1) || y.rank() != Some(1) {
        bail!("vectors are wanted, not of shapes {} and {}", x.shape(), y.shape());
    }
    let (n, m) = (length_of(x, 0)? as i64, length_of(y, 0)? as i64);
    if n == 0 || m == 0 {
        bail!("a vector is empty: {} and {}", x.shape(), y.shape());
    }
    let (short, long) = (n.min(m), n.max(m));
    // As in NumPy: for an even length the middle is rounded up if `x` is the shorter one, else down.
    let middle = if n < m { short / 2 } else { (short - 1) / 2 };
    let (from, count) = match overlap {
        Overlap::Full => (0, n + m - 1),
        Overlap::Same => (middle, long),
        Overlap::Valid => (short - 1, long - short + 1),
    };
    SlidingSums { before: m - 1 - from, after: from + count - n, turned: false }.run(&[x, y])
}

compounds! {
    /// Methods: convolutions and correlations of vectors.
    methods of WindowsMethods;

    /// The convolution of two vectors: the coefficients of the product of two polynomials.
    ///
    /// NumPy: `convolve`. Numbers of one dtype. Option: an [`Overlap`], `Full` for `..`.
    ///
    /// # Errors
    /// `InvalidArgument` for other ranks than 1, empty vectors, sizes that are unknown while tracing.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![1.0f32, 2.0].convolve(&tensor![1.0f32, 10.0], ..)?;
    /// assert_eq!(y.as_slice::<f32>()?, &[1.0, 12.0, 20.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn convolve(x, y => options: impl Sets<Convolution> as Convolution) -> Tensor {
        let (x, y) = agree(x, y)?;
        let is_longer = y.shape().num_elements() > x.shape().num_elements();
        let (x, y) = if is_longer { (y, x) } else { (x, y) };
        sums(&x, &reverse(y, 0)?, options.overlap)
    }

    /// The correlation of two vectors: the sums of products of the first with the conjugate of the
    /// second, moved along it.
    ///
    /// NumPy: `correlate`. Numbers of one dtype. Option: an [`Overlap`], `Valid` for `..`.
    ///
    /// # Errors
    /// As [`convolve`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::correlate([1.0, 2.0, 3.0], [0.0, 1.0], ops::Overlap::Full)?;
    /// assert_eq!(y.as_slice::<f64>()?, &[1.0, 2.0, 3.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn correlate(x, y => options: impl Sets<Correlation> as Correlation) -> Tensor {
        let (x, y) = agree(x, y)?;
        let y = if y.dtype().is_complex() { y.conj()? } else { y };
        sums(&x, &y, options.overlap)
    }
}
