//! Medians and quantiles.

use super::{keeping, rows_over};
use crate::compounds;
use crate::ops::args::KeepDims;
use crate::ops::checks::check;
use crate::ops::methods::*;
use crate::ops::options::{Over, Reduces, Sets, sets};
use crate::ops::{
    add, as_float, div, length_of, logical_and, maximum, mul, rank_of, select, stack, sub,
    without_halves,
};
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail};

/// How to compute a quantile that lies between two elements.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![1.0f32, 2.0, 3.0, 4.0];
/// assert_eq!(x.quantile(0.5, ..)?.item::<f32>()?, 2.5);
/// assert_eq!(x.quantile(0.5, ops::QuantileMethod::Lower)?.item::<f32>()?, 2.0);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QuantileMethod {
    /// Linear interpolation between them.
    #[default]
    Linear,
    /// The lower element.
    Lower,
    /// The higher element.
    Higher,
    /// The nearer element; of two equally near, the one at the even index.
    Nearest,
    /// The middle between them.
    Midpoint,
    /// The first element such that a fraction `q` of all elements is not above it; no interpolation.
    InvertedCdf,
    /// Linear interpolation, with each element in the middle of its share.
    Hazen,
    /// Linear interpolation, with shares of equal size between the elements and beyond them.
    Weibull,
    /// Linear interpolation, with positions that are unbiased for medians, whatever the distribution
    /// is.
    MedianUnbiased,
    /// Linear interpolation, with positions that are unbiased for normally distributed elements.
    NormalUnbiased,
}

impl QuantileMethod {
    /// The parameter of the positions (`alpha = beta` in NumPy), for the methods that have one.
    fn beyond(self) -> Option<f64> {
        match self {
            Self::Hazen => Some(0.5),
            Self::Weibull => Some(0.0),
            Self::MedianUnbiased => Some(1.0 / 3.0),
            Self::NormalUnbiased => Some(3.0 / 8.0),
            _ => None,
        }
    }

    /// The positions of quantiles among `count` sorted elements, from 0 to the last; they may lie
    /// between two.
    fn places(self, count: &Tensor, q: &Tensor) -> Result<Tensor> {
        let last = maximum(sub(count, 1.0)?, 0.0)?;
        let places = match (self, self.beyond()) {
            (Self::InvertedCdf, _) => sub(mul(count, q)?.ceil()?, 1.0)?,
            (_, Some(a)) => {
                let shift = add(mul(q, 1.0 - 2.0 * a)?, a)?;
                sub(add(mul(count, q)?, shift)?, 1.0)?
            }
            (_, None) => return mul(last, q),
        };
        places.clip(0.0, last)
    }
}

/// Options of a quantile: axes (`..` for all), `KeepDims`, a [`QuantileMethod`].
#[derive(Clone, Debug, Default)]
pub struct Quantiles {
    /// Axes, and whether they are kept.
    pub over: Over,
    /// How to compute a quantile that lies between two elements.
    pub method: QuantileMethod,
}

impl Reduces for Quantiles {
    fn over(&mut self) -> &mut Over {
        &mut self.over
    }
}

sets! {
    QuantileMethod => Quantiles |o, method| o.method = method;
    Quantiles => Quantiles |o, all| *o = all;
}

/// The quantiles at positions along sorted rows; the positions are `[…, m]`, and may lie between two
/// elements.
fn at(sorted: &Tensor, places: &Tensor, method: QuantileMethod) -> Result<Tensor> {
    let whole = |places: &Tensor| sorted.take_along_axis(places.cast(DType::I64)?, -1);
    let wide = |places: &Tensor| without_halves(&whole(places)?);
    let (low, high) = (places.floor()?, places.ceil()?);
    let between = |share: &Tensor| {
        let (from, to) = (wide(&low)?, wide(&high)?);
        let part = share.cast(from.dtype())?;
        let way = sub(&to, &from)?;
        // Interpolate from the nearer element. In the middle avoid the difference, which may overflow.
        let middle = add(mul(&from, 0.5)?, mul(&to, 0.5)?)?;
        let far = select(part.equal(0.5)?, middle, sub(&to, mul(&way, sub(1.0, &part)?)?)?)?;
        let between = select(part.less(0.5)?, add(&from, mul(&way, &part)?)?, far)?;
        // Between equal elements, also infinite ones, the result is the element.
        select(from.equal(&to)?, &from, between)?.cast(sorted.dtype())
    };
    match method {
        QuantileMethod::Lower | QuantileMethod::InvertedCdf => whole(&low),
        QuantileMethod::Higher => whole(&high),
        QuantileMethod::Nearest => whole(&places.round()?),
        QuantileMethod::Midpoint => between(&sub(&high, &low)?.mul_no_nan(0.5)?),
        _ => between(&sub(places, &low)?),
    }
}

/// `q`, a number or a vector, as a fraction of `whole`; an error if it is out of range.
fn parts_of(whole: f64, q: &Tensor) -> Result<Tensor> {
    if rank_of(q)? > 1 {
        bail!("quantiles are a number or a vector of them, not of shape {}", q.shape());
    }
    let q = q.cast(DType::F64)?;
    let hint = if whole == 1.0 { "; percentages are for `percentile`" } else { "" };
    match &q {
        Tensor::Value(known) => {
            let is_in = |q: &&f64| (0.0..=whole).contains(*q);
            if let Some(q) = known.as_slice::<f64>()?.iter().find(|q| !is_in(q)) {
                bail!("a quantile is from 0 to {whole}, not {q}{hint}");
            }
        }
        Tensor::Symbol(_) => {
            let fits = logical_and(q.greater_equal(0.0)?, q.less_equal(whole)?)?;
            let message = format!("a quantile is from 0 to {whole}{hint}:");
            check(&fits.reduce_all(.., false)?, &message, &[&q])?;
        }
    }
    div(q, whole)
}

/// Quantiles over axes: the axis of `q`, if it has one, comes first in the result.
fn quantiles(x: &Tensor, q: &Tensor, options: &Quantiles, passes_nan: bool) -> Result<Tensor> {
    let data = as_float(x)?;
    let q_rank = rank_of(q)?;
    let sorted = rows_over(&data, &options.over.axes)?.sort(-1)?;
    if sorted.shape().dim(-1)?.size() == Some(0) {
        bail!("of no elements there is no quantile; the shape is {}", x.shape());
    }
    let is_nan = sorted.is_nan()?;
    // The number of elements that count in each row; NaN is sorted behind them.
    let ones = sorted.ones_like()?.cast(DType::F64)?;
    let count = match passes_nan {
        true => select(&is_nan, 0.0, ones)?.reduce_sum(-1, KeepDims)?,
        false => ones.reduce_sum(-1, KeepDims)?,
    };
    let q = q.reshape([-1])?;
    let places = options.method.places(&count, &q)?.stop_gradient()?;
    let mut found = at(&sorted, &places, options.method)?;
    if !passes_nan {
        found = select(is_nan.reduce_any(-1, KeepDims)?, f64::NAN, found)?;
    }
    // Move the axis of the quantiles to the front, and drop it if `q` is a scalar.
    let found = found.move_axis(-1, 0)?;
    if q_rank == 0 {
        return keeping(found.squeeze(0)?, x, &options.over);
    }
    let each = Over { keep_dims: options.over.keep_dims, axes: options.over.axes.clone() };
    if q_rank == 1 && !each.keep_dims {
        return Ok(found);
    }
    let rows = found.unstack(length_of(&found, 0)?, 0)?;
    let rows: Vec<Tensor> =
        rows.into_iter().map(|row| keeping(row, x, &each)).collect::<Result<_>>()?;
    stack(&rows, 0)
}

fn half() -> Tensor {
    Tensor::scalar(0.5f64)
}

compounds! {
    /// Methods: medians, quantiles, percentiles.
    methods of QuantilesMethods;

    /// The median over axes: the middle element, or the middle between two; NaN if an element is NaN.
    ///
    /// NumPy: `median`. Real numbers; integers become float64. Options: axes (`..` for all),
    /// `KeepDims`. Gradients go to the elements that are selected.
    ///
    /// # Errors
    /// `InvalidArgument` for no elements, for dtypes without order, and for wrong axes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1.0f32, 9.0], [3.0, 5.0]];
    /// assert_eq!(x.median(..)?.item::<f32>()?, 4.0);
    /// assert_eq!(x.median(0)?.as_slice::<f32>()?, &[2.0, 7.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn median(x => options: impl Sets<Over> as Over) -> Tensor {
        quantiles(x, &half(), &Quantiles { over: options, ..Quantiles::default() }, false)
    }

    /// The median over axes, ignoring NaN; NaN if there is nothing else.
    ///
    /// NumPy: `nanmedian`. As [`median`].
    ///
    /// # Errors
    /// As [`median`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, f32::NAN, 3.0].nanmedian(..)?.item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn nanmedian(x => options: impl Sets<Over> as Over) -> Tensor {
        quantiles(x, &half(), &Quantiles { over: options, ..Quantiles::default() }, true)
    }

    /// The value below which a fraction `q` of the elements over axes lies; NaN if an element is NaN.
    ///
    /// NumPy: `quantile`. Real numbers; integers become float64. `q` is a number from 0 to 1, or a
    /// vector of them, whose axis then comes first. Options: axes (`..` for all), `KeepDims`, a
    /// [`QuantileMethod`] (`Linear`).
    ///
    /// # Errors
    /// As [`median`], and for `q` out of range.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![0.0f32, 10.0, 20.0];
    /// assert_eq!(x.quantile(0.25, ..)?.item::<f32>()?, 5.0);
    /// assert_eq!(x.quantile([0.0, 1.0], 0)?.as_slice::<f32>()?, &[0.0, 20.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn quantile(x, q => options: impl Sets<Quantiles> as Quantiles) -> Tensor {
        quantiles(x, &parts_of(1.0, q)?, &options, false)
    }

    /// The value below which `q` percent of the elements over axes lie; NaN if an element is NaN.
    ///
    /// NumPy: `percentile`. As [`quantile`], with `q` from 0 to 100.
    ///
    /// # Errors
    /// As [`quantile`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0.0f32, 10.0, 20.0].percentile(25, ..)?.item::<f32>()?, 5.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn percentile(x, q => options: impl Sets<Quantiles> as Quantiles) -> Tensor {
        quantiles(x, &parts_of(100.0, q)?, &options, false)
    }

    /// The [`quantile()`] over axes, ignoring NaN; NaN if there is nothing else.
    ///
    /// NumPy: `nanquantile`.
    ///
    /// # Errors
    /// As [`quantile`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0.0f32, f32::NAN, 10.0].nanquantile(0.5, ..)?.item::<f32>()?, 5.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn nanquantile(x, q => options: impl Sets<Quantiles> as Quantiles) -> Tensor {
        quantiles(x, &parts_of(1.0, q)?, &options, true)
    }

    /// The [`percentile()`] over axes, ignoring NaN; NaN if there is nothing else.
    ///
    /// NumPy: `nanpercentile`.
    ///
    /// # Errors
    /// As [`quantile`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0.0f32, f32::NAN, 10.0].nanpercentile(50, ..)?.item::<f32>()?, 5.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn nanpercentile(x, q => options: impl Sets<Quantiles> as Quantiles) -> Tensor {
        quantiles(x, &parts_of(100.0, q)?, &options, true)
    }
}
