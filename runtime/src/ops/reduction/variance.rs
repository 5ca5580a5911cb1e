//! Variances and standard deviations.

use crate::compounds;
use crate::ops::args::{Axes, AxesLike, KeepDims, KeepDimsArg};
use crate::ops::methods::*;
use crate::ops::options::{Over, Sets, Spread};
use crate::ops::protocol::compound::is_stand_in;
use crate::ops::{as_inexact, div, maximum, mul, sub};
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail};

compounds! {
    /// Methods: variances and standard deviations.
    methods of SpreadMethods;

    /// The variance over axes: the mean of the squared distances to the mean.
    ///
    /// NumPy: `var`. Floats or complex numbers of any shape; integers and bools become float64.
    /// Options: axes (`..` for all), `KeepDims`, `ops::Ddof(1)` to divide by one less than the number of
    /// elements.
    ///
    /// # Errors
    /// As [`reduce_variance`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1.0f32, 3.0], [2.0, 8.0]];
    /// assert_eq!(x.var(1)?.as_slice::<f32>()?, &[1.0, 9.0]);
    /// assert_eq!(x.var((1, ops::Ddof(1)))?.as_slice::<f32>()?, &[2.0, 18.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "variance")]
    fn var(x => options: impl Sets<Spread> as Spread) -> Tensor {
        variance(x, &options)
    }

    /// The standard deviation over axes: the square root of [`var()`].
    ///
    /// NumPy: `std`. Dtypes and options as for [`var`].
    ///
    /// # Errors
    /// As [`var`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1.0f32, 3.0], [2.0, 8.0]].std(1)?.as_slice::<f32>()?, &[1.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn std as std_(x => options: impl Sets<Spread> as Spread) -> Tensor {
        var(x, options)?.sqrt()
    }
}

compounds! {
    /// The variance over `axes`: the mean of the squared distances to the mean.
    ///
    /// TensorFlow: `tf.math.reduce_variance`. Floats or complex numbers of any shape; the variance is real.
    /// The result drops the axes, or keeps them with size 1.
    ///
    /// # Errors
    /// `InvalidArgument` for integers, which have no such mean, and for wrong axes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::reduce_variance(&tensor![[1.0f32, 3.0], [2.0, 8.0]], 1, false)?;
    /// assert_eq!(y.as_slice::<f32>()?, &[1.0, 9.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn reduce_variance(x; axes: impl AxesLike as Axes, keep_dims: impl KeepDimsArg as bool) -> Tensor {
        if !x.dtype().is_differentiable() {
            bail!("a variance is of floats or complex numbers, not of {}; cast them", x.dtype());
        }
        let wide = without_halves(x)?;
        let distance = sub(&wide, wide.reduce_mean(&axes, KeepDims)?)?;
        let variance = square_size(&distance)?.reduce_mean(&axes, keep_dims)?;
        if x.dtype() == wide.dtype() { Ok(variance) } else { variance.cast(x.dtype()) }
    }

    /// The standard deviation over `axes`: the square root of [`reduce_variance()`].
    ///
    /// TensorFlow: `tf.math.reduce_std`. Dtypes and shapes as for [`reduce_variance`].
    ///
    /// # Errors
    /// As [`reduce_variance`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::reduce_std(&tensor![[1.0f32, 3.0], [2.0, 8.0]], 1, false)?;
    /// assert_eq!(y.as_slice::<f32>()?, &[1.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn reduce_std(x; axes: impl AxesLike as Axes, keep_dims: impl KeepDimsArg as bool) -> Tensor {
        reduce_variance(x, axes, keep_dims)?.sqrt()
    }

    /// Returns the mean and the variance over `axes`; float16 and bfloat16 are computed in float32.
    ///
    /// TensorFlow: `tf.nn.moments`. Dtypes and shapes as for [`reduce_variance`].
    ///
    /// # Errors
    /// As [`reduce_variance`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (mean, variance) = ops::moments(&tensor![[1.0f32, 3.0], [2.0, 8.0]], 1, false)?;
    /// assert_eq!(mean.as_slice::<f32>()?, &[2.0, 5.0]);
    /// assert_eq!(variance.as_slice::<f32>()?, &[1.0, 9.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn moments(x; axes: impl AxesLike as Axes, keep_dims: impl KeepDimsArg as bool) -> (Tensor, Tensor) {
        if !x.dtype().is_differentiable() {
            bail!("moments are of floats or complex numbers, not of {}; cast them", x.dtype());
        }
        let wide = without_halves(x)?;
        let center = wide.reduce_mean(&axes, KeepDims)?;
        let mean = wide.reduce_mean(&axes, keep_dims)?;
        let variance = square_size(&sub(&wide, &center)?)?.reduce_mean(&axes, keep_dims)?;
        if x.dtype() != wide.dtype() {
            return Ok((mean.cast(x.dtype())?, variance.cast(x.dtype())?));
        }
        Ok((mean, variance))
    }
}

/// The number of elements over the axes in float64, since halves can't hold counts. A type may count fewer than there
/// are, and others for each result.
fn count_over(x: &Tensor, over: &Over) -> Result<Tensor> {
    if let Some(sizes) = x.shape().sizes().filter(|_| !is_stand_in(x))
        && let Ok(axes) = over.axes.of(x)
    {
        let n: usize = axes.iter().map(|axis| sizes[*axis]).product();
        return Ok(Tensor::scalar(n as f64));
    }
    x.ones_like()?.cast(DType::F64)?.reduce_sum(&over.axes, over.keep_dims)
}

/// The variance, with `ddof` subtracted from the divisor.
pub(in crate::ops) fn variance(x: &Tensor, options: &Spread) -> Result<Tensor> {
    let x = &as_inexact(x)?;
    let plain = reduce_variance(x, &options.over.axes, options.over.keep_dims)?;
    if options.ddof == 0.0 {
        return Ok(plain);
    }
    // With too few elements the scale is infinite, not negative.
    let n = count_over(x, &options.over)?;
    let scale = div(&n, maximum(sub(&n, options.ddof)?, 0.0)?)?.cast(plain.dtype())?;
    mul(plain, scale)
}

/// The squares of the absolute values, which are real.
pub(super) fn square_size(x: &Tensor) -> Result<Tensor> {
    if x.dtype().is_complex() { mul(x, x.conj()?)?.cast(x.dtype().real_part()) } else { x.square() }
}

/// Float16 and bfloat16 as float32, in which sums are computed; other dtypes unchanged.
pub(in crate::ops) fn without_halves(x: &Tensor) -> Result<Tensor> {
    let is_half = matches!(x.dtype(), DType::F16 | DType::BF16);
    if is_half { x.cast(DType::F32) } else { Ok(x.clone()) }
}
