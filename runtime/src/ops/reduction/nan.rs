//! Reductions that ignore NaN.

use crate::compounds;
use crate::ops::methods::*;
use crate::ops::options::{Along, Over, Sets, Spread};
use crate::ops::{Extremum, as_inexact, div, equal, select, sub, var, without_halves};
use crate::tensor::Tensor;
use crate::types::{DType, Result};

/// True where an element is not NaN; `None` for dtypes without NaN.
fn numbers(x: &Tensor) -> Result<Option<Tensor>> {
    let has_nan = x.dtype().is_differentiable();
    Ok(if has_nan { Some(x.isnan()?.logical_not()?) } else { None })
}

/// `x` with NaN replaced by a number.
fn filled(x: &Tensor, with: f64) -> Result<Tensor> {
    Ok(match numbers(x)? {
        Some(numbers) => select(numbers, x, with)?,
        None => x.clone(),
    })
}

/// The number of elements over axes that are not NaN, in float64 since halves can't hold counts.
fn count(x: &Tensor, over: &Over) -> Result<Tensor> {
    let ones = match numbers(x)? {
        Some(numbers) => numbers,
        None => x.ones_like()?,
    };
    ones.cast(DType::F64)?.reduce_sum(&over.axes, over.keep_dims)
}

/// `y`, but NaN where all elements of `x` over the axes are NaN.
fn nan_if_none(y: &Tensor, x: &Tensor, over: &Over) -> Result<Tensor> {
    if !x.dtype().is_differentiable() {
        return Ok(y.clone());
    }
    select(count(x, over)?.equal(0.0)?, f64::NAN, y)
}

fn mean(x: &Tensor, over: &Over) -> Result<Tensor> {
    let x = as_inexact(x)?;
    let wide = without_halves(&x)?;
    let sum = filled(&wide, 0.0)?.reduce_sum(&over.axes, over.keep_dims)?;
    div(sum, count(&wide, over)?.cast(wide.dtype())?)?.cast(x.dtype())
}

fn variance(x: &Tensor, options: &Spread) -> Result<Tensor> {
    let Some(numbers) = numbers(x)? else { return var(x, options.clone()) };
    let wide = without_halves(x)?;
    let center = mean(&wide, &Over { keep_dims: true, ..options.over.clone() })?;
    // NaN becomes zero before it is squared, so that gradients have no NaN.
    let distance = select(numbers, sub(&wide, center)?, 0.0)?;
    let sum = distance.square()?.reduce_sum(&options.over.axes, options.over.keep_dims)?;
    let n = sub(count(x, &options.over)?, options.ddof)?;
    // The variance is NaN if there are at most `ddof` numbers.
    div(sum, select(n.greater(0.0)?, &n, f64::NAN)?.cast(wide.dtype())?)?.cast(x.dtype())
}

compounds! {
    /// Methods: reductions and running sums that ignore NaN.
    methods of NanMethods;

    /// The sum over axes, ignoring NaN; zero if there is nothing else.
    ///
    /// NumPy: `nansum`. Options: axes (`..` for all), `KeepDims`.
    ///
    /// # Errors
    /// As [`reduce_sum()`](crate::ops::reduce_sum()).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, f32::NAN, 2.0].nansum(..)?.item::<f32>()?, 3.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn nansum(x => options: impl Sets<Over> as Over) -> Tensor {
        filled(x, 0.0)?.sum(options)
    }

    /// The product over axes, ignoring NaN; one if there is nothing else.
    ///
    /// NumPy: `nanprod`. Options: axes (`..` for all), `KeepDims`.
    ///
    /// # Errors
    /// As [`reduce_prod()`](crate::ops::reduce_prod()).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![2.0f32, f32::NAN, 3.0].nanprod(..)?.item::<f32>()?, 6.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn nanprod(x => options: impl Sets<Over> as Over) -> Tensor {
        filled(x, 1.0)?.prod(options)
    }

    /// The mean over axes, ignoring NaN; NaN if there is nothing else.
    ///
    /// NumPy: `nanmean`. Integers and bools become float64. Options: axes (`..` for all), `KeepDims`.
    ///
    /// # Errors
    /// As [`reduce_mean()`](crate::ops::reduce_mean()).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, f32::NAN, 2.0].nanmean(..)?.item::<f32>()?, 1.5);
    /// # Ok::<(), Error>(())
    /// ```
    fn nanmean(x => options: impl Sets<Over> as Over) -> Tensor {
        mean(x, &options)
    }

    /// The variance over axes, ignoring NaN.
    ///
    /// NumPy: `nanvar`. Floats. Options: axes (`..` for all), `KeepDims`, `ops::Ddof(1)`.
    ///
    /// # Errors
    /// As [`var`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, f32::NAN, 3.0].nanvar(..)?.item::<f32>()?, 1.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn nanvar(x => options: impl Sets<Spread> as Spread) -> Tensor {
        variance(x, &options)
    }

    /// The standard deviation over axes, ignoring NaN: the square root of [`nanvar()`].
    ///
    /// NumPy: `nanstd`. Options as for [`nanvar`].
    ///
    /// # Errors
    /// As [`var`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, f32::NAN, 3.0].nanstd(ops::Ddof(0))?.item::<f32>()?, 1.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn nanstd(x => options: impl Sets<Spread> as Spread) -> Tensor {
        variance(x, &options)?.sqrt()
    }

    /// The largest element over axes, ignoring NaN; NaN if there is nothing else.
    ///
    /// NumPy: `nanmax`. Options: axes (`..` for all), `KeepDims`.
    ///
    /// # Errors
    /// As [`reduce_max()`](crate::ops::reduce_max()).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, f32::NAN, 2.0].nanmax(..)?.item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn nanmax(x => options: impl Sets<Over> as Over) -> Tensor {
        nan_if_none(&filled(x, f64::NEG_INFINITY)?.reduce_max(&options.axes, options.keep_dims)?, x, &options)
    }

    /// The smallest element over axes, ignoring NaN; NaN if there is nothing else.
    ///
    /// NumPy: `nanmin`. Options: axes (`..` for all), `KeepDims`.
    ///
    /// # Errors
    /// As [`reduce_min()`](crate::ops::reduce_min()).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, f32::NAN, 2.0].nanmin(..)?.item::<f32>()?, 1.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn nanmin(x => options: impl Sets<Over> as Over) -> Tensor {
        nan_if_none(&filled(x, f64::INFINITY)?.reduce_min(&options.axes, options.keep_dims)?, x, &options)
    }

    /// The int64 index of the largest element, ignoring NaN: along an axis, or in the flattened tensor
    /// (`..`). Option: `KeepDims`.
    ///
    /// NumPy: `nanargmax`, but 0 where all elements are NaN.
    ///
    /// # Errors
    /// As [`argmax()`](crate::ops::argmax()).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, f32::NAN, 2.0].nanargmax(..)?.item::<i64>()?, 2);
    /// # Ok::<(), Error>(())
    /// ```
    fn nanargmax(x => options: impl Sets<Extremum> as Extremum) -> Tensor {
        filled(x, f64::NEG_INFINITY)?.argmax(options)
    }

    /// The int64 index of the smallest element, ignoring NaN: along an axis, or in the flattened tensor
    /// (`..`). Option: `KeepDims`.
    ///
    /// NumPy: `nanargmin`, but 0 where all elements are NaN.
    ///
    /// # Errors
    /// As [`argmin()`](crate::ops::argmin()).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, f32::NAN, 2.0].nanargmin(..)?.item::<i64>()?, 0);
    /// # Ok::<(), Error>(())
    /// ```
    fn nanargmin(x => options: impl Sets<Extremum> as Extremum) -> Tensor {
        filled(x, f64::INFINITY)?.argmin(options)
    }

    /// The cumulative sums, with NaN as zero: along an axis, or of the flattened tensor (`..`).
    ///
    /// NumPy: `nancumsum`.
    ///
    /// # Errors
    /// As [`cumsum()`](crate::ops::cumsum()).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![1.0f32, f32::NAN, 2.0].nancumsum(..)?;
    /// assert_eq!(y.as_slice::<f32>()?, &[1.0, 1.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn nancumsum(x => options: impl Sets<Along> as Along) -> Tensor {
        filled(x, 0.0)?.cumsum(options)
    }

    /// The cumulative products, with NaN as one: along an axis, or of the flattened tensor (`..`).
    ///
    /// NumPy: `nancumprod`.
    ///
    /// # Errors
    /// As [`cumprod()`](crate::ops::cumprod()).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![2.0f32, f32::NAN, 2.0].nancumprod(..)?;
    /// assert_eq!(y.as_slice::<f32>()?, &[2.0, 2.0, 4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn nancumprod(x => options: impl Sets<Along> as Along) -> Tensor {
        filled(x, 1.0)?.cumprod(options)
    }
    /// Replaces NaN by zero, and infinities by the largest and smallest numbers of the dtype.
    ///
    /// NumPy: `nan_to_num`. Floats; other dtypes stay as they are. Options: `ops::NanAs`, `ops::PosInfAs`,
    /// `NegInfAs` for other numbers.
    ///
    /// # Errors
    /// `InvalidArgument` for complex numbers.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1.0f32, f32::NAN, f32::INFINITY];
    /// assert_eq!(x.nan_to_num(..)?.as_slice::<f32>()?, &[1.0, 0.0, f32::MAX]);
    /// assert_eq!(x.nan_to_num((ops::NanAs(7.0), ops::PosInfAs(9.0)))?.as_slice::<f32>()?, &[1.0, 7.0, 9.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn nan_to_num(x => options: impl Sets<Replacing> as Replacing) -> Tensor {
        let largest = match x.dtype() {
            DType::F16 => 65504.0,
            DType::BF16 => f64::from(half::bf16::MAX),
            DType::F32 => f64::from(f32::MAX),
            DType::F64 => f64::MAX,
            d if d.is_complex() => crate::types::bail!("{d} has two parts; take `real` and `imag`"),
            _ => return Ok(x.clone()),
        };
        let y = filled(x, options.nan)?;
        let y = select(equal(x, f64::INFINITY)?, options.pos_inf.unwrap_or(largest), y)?;
        select(equal(x, f64::NEG_INFINITY)?, options.neg_inf.unwrap_or(-largest), y)
    }
}

/// Options of [`nan_to_num`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Replacing {
    /// The replacement for NaN.
    pub nan: f64,
    /// The replacement for infinity; the largest number of the dtype by default.
    pub pos_inf: Option<f64>,
    /// The replacement for minus infinity; the smallest number of the dtype by default.
    pub neg_inf: Option<f64>,
}
