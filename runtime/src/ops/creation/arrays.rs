//! Tensors filled with one number, and evenly spaced numbers.

use crate::compounds;
use crate::ops::args::{Integers, IntegersLike};
use crate::ops::methods::*;
use crate::ops::options::{LogSpacing, Sets, Spacing};
use crate::ops::protocol::number::agree;
use crate::ops::{
    add, concat, equal, fill, maximum, minimum, mul, pow, range, rank_of, select, shape_of, size,
};
use crate::tensor::{Lent, Tensor, TensorLike, call_site, host_number_of, init_scope};
use crate::types::{DType, DTypeSet, Result, bail, normalize_axis};

/// Refuses a dtype without numbers; bool has them.
pub(super) fn check_numbers(dtype: DType) -> Result<()> {
    if !DTypeSet::NUMERIC.or(DTypeSet::BOOL).or(DTypeSet::FLOAT8).contains(dtype) {
        bail!("{dtype} has no numbers; a dtype of numbers, or bool, is wanted");
    }
    Ok(())
}

fn filled(shape: &Integers, number: i32, dtype: DType) -> Result<Tensor> {
    if !DTypeSet::QUANTIZED.contains(dtype) {
        check_numbers(dtype)?;
    }
    fill(shape, Tensor::scalar(number).cast(dtype)?)
}

/// Makes a tensor of zeros of a shape and dtype; false for bools, level zero for quantized dtypes.
///
/// NumPy: `zeros`. The shape is a number, an array of numbers, or an integer tensor.
///
/// # Errors
/// `InvalidArgument` for a negative size, and for dtypes that numbers can't be cast to.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::zeros([2, 3], f32)?.shape(), shape![2, 3]);
/// assert_eq!(ops::zeros(2, i32)?.as_slice::<i32>()?, &[0, 0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn zeros(shape: impl IntegersLike, dtype: DType) -> Result<Tensor> {
    let _site = call_site!();
    filled(&shape.into(), 0, dtype)
}

/// Makes a tensor of ones of a shape and dtype; true for bools.
///
/// NumPy: `ones`. The shape as of [`zeros`].
///
/// # Errors
/// As [`zeros`].
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::ones([1, 2], f64)?.as_slice::<f64>()?, &[1.0, 1.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn ones(shape: impl IntegersLike, dtype: DType) -> Result<Tensor> {
    let _site = call_site!();
    filled(&shape.into(), 1, dtype)
}

/// Makes a tensor of a shape with one value in every place, of the value's dtype.
///
/// NumPy: `full`; TensorFlow: `Fill` ([`fill`]).
///
/// # Errors
/// `InvalidArgument` for a negative size, and for a value that is no scalar.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::full([2], 7.0f32)?.as_slice::<f32>()?, &[7.0, 7.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn full(shape: impl IntegersLike, value: impl TensorLike) -> Result<Tensor> {
    let _site = call_site!();
    fill(shape.into(), &*value.lend()?)
}

/// The begin, exclusive end and step of [`arange`]: an end, `begin..end`, or a tuple of begin, end
/// and step.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::arange(3)?.as_slice::<i32>()?, &[0, 1, 2]);
/// assert_eq!(ops::arange(1.0..2.5)?.as_slice::<f64>()?, &[1.0, 2.0]);
/// assert_eq!(ops::arange((6, 0, -2))?.as_slice::<i32>()?, &[6, 4, 2]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say from where to where `arange` goes",
    label = "write an end, `begin..end`, or `(begin, end, step)`"
)]
pub trait Steps {
    /// Begin, end and step.
    ///
    /// # Errors
    /// What the conversion of the numbers refuses.
    ///
    /// ```
    /// use extype::ops::Steps;
    /// use extype::prelude::*;
    /// let [begin, end, step] = (1..4).steps()?;
    /// assert_eq!((begin.item::<i32>()?, end.item::<i32>()?, step.item::<i32>()?), (1, 4, 1));
    /// # Ok::<(), Error>(())
    /// ```
    fn steps(&self) -> Result<[Tensor; 3]>;
}

impl<T: TensorLike> Steps for T {
    fn steps(&self) -> Result<[Tensor; 3]> {
        let end = self.to_tensor()?;
        Ok([end.zeros_like()?, end.clone(), end.ones_like()?])
    }
}

impl<T: TensorLike> Steps for std::ops::Range<T> {
    fn steps(&self) -> Result<[Tensor; 3]> {
        let (begin, end) = agree(&*self.start.lend()?, &*self.end.lend()?)?;
        let step = begin.ones_like()?;
        Ok([begin, end, step])
    }
}

impl<A: TensorLike, B: TensorLike> Steps for (A, B) {
    fn steps(&self) -> Result<[Tensor; 3]> {
        let (begin, end) = agree(&*self.0.lend()?, &*self.1.lend()?)?;
        let step = begin.ones_like()?;
        Ok([begin, end, step])
    }
}

impl<A: TensorLike, B: TensorLike, C: TensorLike> Steps for (A, B, C) {
    fn steps(&self) -> Result<[Tensor; 3]> {
        let all = [self.0.lend()?, self.1.lend()?, self.2.lend()?];
        // Plain numbers take the dtype of a tensor operand; if there is none, integers take that of
        // a float.
        let is_float = |t: &&Lent<'_, Tensor>| t.dtype().is_differentiable();
        let tensor = all.iter().find(|t| host_number_of(t).is_none());
        let lead = tensor.or_else(|| all.iter().find(is_float)).unwrap_or(&all[0]);
        let of = |t: &Tensor| agree(t, lead).map(|(t, _)| t);
        Ok([of(&all[0])?, of(&all[1])?, of(&all[2])?])
    }
}

/// Makes a vector of the numbers `0, 1, …` before an end, of `begin..end`, or from a begin in steps. The
/// end is not included.
///
/// NumPy: `arange`; TensorFlow: `Range` ([`range()`]). Integers and floats; a plain number has the dtype of its Rust
/// type, so `arange(5)` is int32. Each float is computed from the begin (`Range` adds up the step, and its errors).
/// Gradients reach begin and step. The result is empty if the step leads away from the end (`Range` refuses it).
///
/// # Errors
/// `InvalidArgument` for a step of zero.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::arange(3)?.as_slice::<i32>()?, &[0, 1, 2]);
/// assert_eq!(ops::arange(2..4)?.as_slice::<i32>()?, &[2, 3]);
/// assert_eq!(ops::arange((2, 10, 3))?.as_slice::<i32>()?, &[2, 5, 8]);
/// assert!(ops::arange(5..0)?.is_empty());
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn arange(steps: impl Steps) -> Result<Tensor> {
    let _site = call_site!();
    let [begin, end, step] = steps.steps()?;
    let counted = range(&begin, &ahead(&begin, &end, &step)?, &step)?;
    let dtype = counted.dtype();
    if dtype.is_integer() {
        return Ok(counted);
    }
    let n = match counted.shape().num_elements() {
        Some(n) => Tensor::scalar(n as i64),
        None => size(&counted)?,
    };
    let wide = |x: &Tensor| x.cast(DType::F64);
    let steps = mul(wide(&range(0i64, n, 1i64)?)?, wide(&step)?)?;
    add(wide(&begin)?, steps)?.cast(dtype)
}

/// The end of a range, or its begin where the step leads away from the end.
fn ahead(begin: &Tensor, end: &Tensor, step: &Tensor) -> Result<Tensor> {
    // The op itself gives the error for invalid bounds.
    let scalars =
        [begin, end, step].iter().all(|t| t.rank() == Some(0) && t.dtype() == begin.dtype());
    if !scalars || !DTypeSet::REAL.contains(begin.dtype()) {
        return Ok(end.clone());
    }
    let ahead = || select(step.greater(0)?, maximum(begin, end)?, minimum(begin, end)?);
    match [begin, end, step].iter().all(|t| matches!(t, Tensor::Value(_))) {
        true => init_scope(ahead),
        false => ahead(),
    }
}

/// Evenly spaced numbers by the options.
fn spaced(start: &Tensor, stop: &Tensor, num: i64, options: Spacing) -> Result<Tensor> {
    if num < 1 {
        bail!("{num} numbers; one at least is wanted");
    }
    let (start, stop) = agree(start, stop)?;
    if options.endpoint {
        return super::grid::between(&start, &stop, num, options.axis);
    }
    // Computes one number more and drops it.
    let all = super::grid::between(&start, &stop, num.saturating_add(1), options.axis)?;
    all.gather(&range(0i64, num, 1i64)?, options.axis)
}

/// Bounds as floats.
fn floats(start: &Tensor, stop: &Tensor) -> Result<(Tensor, Tensor)> {
    let (start, stop) = agree(start, stop)?;
    if start.dtype().is_integer() {
        return Ok((start.cast(DType::F64)?, stop.cast(DType::F64)?));
    }
    Ok((start, stop))
}

fn powers(start: &Tensor, stop: &Tensor, num: i64, options: LogSpacing) -> Result<Tensor> {
    let (start, stop) = floats(start, stop)?;
    let exponents = spaced(&start, &stop, num, options.exponents)?;
    pow(fill([0i64; 0], options.base)?.cast(exponents.dtype())?, exponents)
}

fn geometric(start: &Tensor, stop: &Tensor, num: i64, options: Spacing) -> Result<Tensor> {
    let (start, stop) = floats(start, stop)?;
    // Both ends must have the same sign, otherwise the result is NaN.
    let sign = select(equal(start.sign()?, stop.sign()?)?, start.sign()?, f64::NAN)?;
    let by_tens = LogSpacing { exponents: options, base: 10.0 };
    let size = powers(&start.abs()?.log10()?, &stop.abs()?.log10()?, num, by_tens)?;
    let all = mul(&sign.expand_dims(normalize_axis(options.axis, rank_of(&sign)? + 1)?)?, size)?;
    // The ends are the given numbers, not powers of their logarithms.
    let axis = normalize_axis(options.axis, rank_of(&all)?)?;
    let end = |x: &Tensor| mul(x.abs()?, &sign)?.expand_dims(axis);
    let (first, last) = (end(&start)?, end(&stop)?);
    let inner = |until: i64| all.gather(&range(1i64, until, 1i64)?, axis as i64);
    match num {
        1 => Ok(first),
        _ if options.endpoint => concat(&[first, inner(num - 1)?, last], axis),
        _ => concat(&[first, inner(num)?], axis),
    }
}

compounds! {
    /// Methods: tensors filled with one value.
    methods of ArraysMethods;

    /// Makes a tensor of the shape and dtype of another one with one value in every place.
    ///
    /// NumPy: `full_like`.
    ///
    /// # Errors
    /// `InvalidArgument` for a value that is no scalar, or a number that the dtype can't hold.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![[1.0f32, 2.0]].full_like(5)?;
    /// assert_eq!(y.as_slice::<f32>()?, &[5.0, 5.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn full_like(x, value) -> Tensor {
        let (_, value) = agree(x, value)?;
        if value.rank() != Some(0) {
            bail!("the value is a scalar, not of shape {}", value.shape());
        }
        fill(&shape_of(x)?, value.cast(x.dtype())?)
    }
}

compounds! {
    /// Makes `num` evenly spaced numbers from `start` to `stop`, both included. Gradients reach both,
    /// and integers become float64.
    ///
    /// NumPy: `linspace`; TensorFlow: `tf.linspace`. The bounds have one dtype and broadcast; the
    /// result has a new first axis of size `num`. [`linspace_with`] takes options.
    ///
    /// # Errors
    /// `InvalidArgument` for `num` below 1, and dtypes that are no numbers.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::linspace(0.0, 1.0, 5)?;
    /// assert_eq!(y.as_slice::<f64>()?, &[0.0, 0.25, 0.5, 0.75, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn linspace(start, stop; num: i64) -> Tensor {
        spaced(start, stop, num, Spacing::default())
    }

    /// Makes evenly spaced numbers as [`linspace()`] does, with options: the axis of the result along
    /// which they lie, `Endpoint(false)` to leave `stop` out.
    ///
    /// # Errors
    /// As [`linspace`], and for an axis out of range.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::linspace_with(0.0, 1.0, 4, ops::Endpoint(false))?;
    /// assert_eq!(y.as_slice::<f64>()?, &[0.0, 0.25, 0.5, 0.75]);
    /// # Ok::<(), Error>(())
    /// ```
    fn linspace_with(start, stop; num: i64 => options: impl Sets<Spacing> as Spacing) -> Tensor {
        spaced(start, stop, num, options)
    }

    /// Makes `num` numbers from `10^start` to `10^stop`, evenly spaced on a logarithmic scale.
    ///
    /// NumPy: `logspace`. Dtypes and shape as of [`linspace`]; [`logspace_with`] takes options.
    ///
    /// # Errors
    /// As [`linspace`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::logspace(0.0, 2.0, 3)?;
    /// assert_eq!(y.as_slice::<f64>()?, &[1.0, 10.0, 100.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn logspace(start, stop; num: i64) -> Tensor {
        powers(start, stop, num, LogSpacing::default())
    }

    /// Makes numbers as [`logspace()`] does, with options: an axis, `ops::Endpoint(false)`,
    /// `ops::Base(2.0)`.
    ///
    /// # Errors
    /// As [`linspace_with`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::logspace_with(0.0, 3.0, 4, ops::Base(2.0))?;
    /// assert_eq!(y.as_slice::<f64>()?, &[1.0, 2.0, 4.0, 8.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn logspace_with(start, stop; num: i64 => options: impl Sets<LogSpacing> as LogSpacing) -> Tensor {
        powers(start, stop, num, options)
    }

    /// Makes `num` numbers from `start` to `stop`, each the same multiple of the one before.
    ///
    /// NumPy: `geomspace`. Real numbers of one sign, which are not zero; others give NaN. Both ends are
    /// exact. Dtypes and shape as of [`linspace`]; [`geomspace_with`] takes options.
    ///
    /// # Errors
    /// As [`linspace`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::geomspace(1.0, 8.0, 4)?;
    /// assert_eq!((y.as_slice::<f64>()?[0], y.as_slice::<f64>()?[3]), (1.0, 8.0));
    /// # Ok::<(), Error>(())
    /// ```
    fn geomspace(start, stop; num: i64) -> Tensor {
        geometric(start, stop, num, Spacing::default())
    }

    /// Makes numbers as [`geomspace()`] does, with options: an axis, `ops::Endpoint(false)`.
    ///
    /// # Errors
    /// As [`linspace_with`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::geomspace_with(1.0, 8.0, 3, ops::Endpoint(false))?;
    /// assert!((y.as_slice::<f64>()?[1] - 2.0).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    fn geomspace_with(start, stop; num: i64 => options: impl Sets<Spacing> as Spacing) -> Tensor {
        geometric(start, stop, num, options)
    }
}
