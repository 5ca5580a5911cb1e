//! Series along an axis: differences, slopes, integrals, interpolation.

use super::check_along;
use crate::compounds;
use crate::ops::args::{Ellipsis, Index};
use crate::ops::checks::check_same_shape;
use crate::ops::methods::*;
use crate::ops::options::{Sets, TakesInteger, sets};
use crate::ops::protocol::number::agree;
use crate::ops::{
    Side, add, as_float, concat, div, equal, held, length_of, minimum, mul, mul_no_nan, rank_of,
    select, shape_of, size, stack, sub,
};
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{DType, Result, bail, normalize_axis};

/// Options of [`diff`]: an axis (the last for `..`), [`Times`], [`Prepend`], [`Append`].
#[derive(Clone, Debug)]
pub struct Differences {
    /// The axis.
    pub axis: i64,
    /// How often differences are taken.
    pub times: usize,
    /// The elements before the others along the axis.
    pub before: Option<Result<Tensor>>,
    /// The elements behind the others along the axis.
    pub behind: Option<Result<Tensor>>,
}

impl Default for Differences {
    fn default() -> Self {
        Self { axis: -1, times: 1, before: None, behind: None }
    }
}

impl TakesInteger for Differences {
    fn set_integer(&mut self, n: i64) {
        self.axis = n;
    }
}

/// Options of [`trapezoid`]: an axis (the last for `..`), [`Spaced`] or [`At`].
#[derive(Clone, Debug)]
pub struct Sampling {
    /// The axis.
    pub axis: i64,
    /// The distance between samples; 1 by default.
    pub spacing: Option<f64>,
    /// The position of each sample, in place of a spacing.
    pub places: Option<Result<Tensor>>,
}

/// Options of [`slope`]: those of [`trapezoid`], [`EdgeOrder`].
#[derive(Clone, Debug)]
pub struct Sloping {
    /// The axis and the samples.
    pub sampling: Sampling,
    /// The accuracy at the ends: exact for straight lines (1) or for parabolas (2).
    pub edge_order: u8,
}

impl Default for Sloping {
    fn default() -> Self {
        Self { sampling: Sampling::default(), edge_order: 1 }
    }
}

impl TakesInteger for Sloping {
    fn set_integer(&mut self, n: i64) {
        self.sampling.axis = n;
    }
}

impl Default for Sampling {
    fn default() -> Self {
        Self { axis: -1, spacing: None, places: None }
    }
}

impl TakesInteger for Sampling {
    fn set_integer(&mut self, n: i64) {
        self.axis = n;
    }
}

/// How often differences are taken.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(tensor![1, 4, 9].diff(ops::Times(2))?.as_slice::<i32>()?, &[2]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times(pub usize);

/// Elements put before the others along the axis: one number, or a tensor of the same rank.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(tensor![1, 4, 9].diff(ops::Prepend(0))?.as_slice::<i32>()?, &[1, 3, 5]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Prepend<T>(pub T);

/// Elements put behind the others along the axis: one number, or a tensor of the same rank.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(tensor![1, 4, 9].diff(ops::Append(10))?.as_slice::<i32>()?, &[3, 5, 1]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Append<T>(pub T);

/// The distance between samples.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(tensor![1.0f32, 2.0].trapezoid(ops::Spaced(2.0))?.item::<f32>()?, 3.0);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spaced(pub f64);

/// The accuracy of slopes at the ends: 1 is exact for straight lines, 2 for parabolas.
///
/// ```
/// use extype::prelude::*;
/// let squares = tensor![0.0f32, 1.0, 4.0];
/// assert_eq!(squares.slope(..)?.as_slice::<f32>()?, &[1.0, 2.0, 3.0]);
/// assert_eq!(squares.slope(ops::EdgeOrder(2))?.as_slice::<f32>()?, &[0.0, 2.0, 4.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeOrder(pub u8);

/// The position of each sample along the axis: a vector.
///
/// ```
/// use extype::prelude::*;
/// let area = tensor![1.0f32, 1.0, 1.0].trapezoid(ops::At([0.0, 1.0, 5.0]))?;
/// assert_eq!(area.item::<f32>()?, 5.0);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct At<T>(pub T);

sets! {
    Times => Differences |o, Times(n)| o.times = n;
    Spaced => Sampling |o, Spaced(step)| o.spacing = Some(step);
    Spaced => Sloping |o, Spaced(step)| o.sampling.spacing = Some(step);
    EdgeOrder => Sloping |o, EdgeOrder(order)| o.edge_order = order;
    Differences => Differences |o, all| *o = all;
    Sampling => Sampling |o, all| *o = all;
    Sloping => Sloping |o, all| *o = all;
}

sets! {
    for[T: TensorLike] At<T> => Sampling |o, At(x)| o.places = Some(x.to_tensor());
    for[T: TensorLike] At<T> => Sloping |o, At(x)| o.sampling.places = Some(x.to_tensor());
    for[T: TensorLike] Prepend<T> => Differences |o, Prepend(x)| o.before = Some(held(&x));
    for[T: TensorLike] Append<T> => Differences |o, Append(x)| o.behind = Some(held(&x));
}

/// Repeats a scalar as a slice of `x` that has size 1 along an axis; other tensors are unchanged.
fn as_slice_of(x: &Tensor, more: &Tensor, axis: usize) -> Result<Tensor> {
    let (_, more) = agree(x, more)?;
    if more.rank() != Some(0) {
        return Ok(more);
    }
    let mut sizes = shape_of(x)?.unstack(rank_of(x)?, 0)?;
    sizes[axis] = Tensor::scalar(1i64);
    more.broadcast_to(&stack(&sizes, 0)?)
}

/// Slices an axis from `from` to `until`, or to its end if `until` is 0.
pub(super) fn part(x: &Tensor, axis: usize, from: i64, until: i64) -> Result<Tensor> {
    let mut at = vec![everything(); rank_of(x)?];
    at[axis] = if until == 0 { (from..).into() } else { (from..until).into() };
    x.index(&at[..])
}

fn everything() -> Index {
    (..).into()
}

/// The differences of neighbours along an axis.
fn steps(x: &Tensor, axis: usize) -> Result<Tensor> {
    sub(part(x, axis, 1, 0)?, part(x, axis, 0, -1)?)
}

/// The distances between samples, in a shape that broadcasts along the axis.
fn distances(x: &Tensor, axis: usize, options: &Sampling) -> Result<Tensor> {
    let rank = rank_of(x)?;
    let mut sizes = vec![1i64; rank];
    match &options.places {
        None => Tensor::scalar(options.spacing.unwrap_or(1.0)).cast(x.dtype())?.reshape(sizes),
        Some(_) if options.spacing.is_some() => {
            bail!("`Spaced` and `At` both say where samples are; one is taken")
        }
        Some(places) => {
            let places = places.as_ref().map_err(Clone::clone)?;
            check_along(places, x, axis, "places")?;
            sizes[axis] = -1;
            steps(&as_float(places)?, 0)?.cast(x.dtype())?.reshape(sizes)
        }
    }
}

fn slopes(x: &Tensor, edge_order: u8, options: &Sampling) -> Result<Tensor> {
    let x = as_float(x)?;
    let axis = normalize_axis(options.axis, rank_of(&x)?)?;
    let n = length_of(&x, axis as i64)?;
    if !(1..=2).contains(&edge_order) {
        bail!("`EdgeOrder` is {edge_order}; it is 1 or 2");
    }
    let least = usize::from(edge_order) + 1;
    if n < least {
        bail!("a slope needs {least} samples, not {n} of axis {axis}");
    }
    // The slopes over the first steps and over the last ones.
    let (head, tail, inner) = match &options.places {
        None => {
            let step = distances(&x, axis, options)?;
            let few = n.min(3) as i64;
            let slopes = |x: &Tensor| div(steps(x, axis)?, &step);
            let (head, tail) =
                (slopes(&part(&x, axis, 0, few)?)?, slopes(&part(&x, axis, -few, 0)?)?);
            let rise = sub(part(&x, axis, 2, 0)?, part(&x, axis, 0, -2)?)?;
            (head, tail, div(rise, mul(step, 2)?)?)
        }
        Some(_) => {
            let step = distances(&x, axis, options)?;
            let between = div(steps(&x, axis)?, &step)?;
            let (before, after) = (part(&between, axis, 0, -1)?, part(&between, axis, 1, 0)?);
            // The slope over the shorter step weighs more.
            let (left, right) = (part(&step, axis, 0, -1)?, part(&step, axis, 1, 0)?);
            let weighted = add(mul(before, &right)?, mul(after, &left)?)?;
            (between.clone(), between, div(weighted, add(left, right)?)?)
        }
    };
    let (first, last) = (part(&head, axis, 0, 1)?, part(&tail, axis, -1, 0)?);
    if edge_order == 1 {
        return concat(&[first, inner, last], axis);
    }
    // The slope of the parabola through three points changes linearly, so it can be extrapolated to the
    // end.
    let (second, before_last) = (part(&head, axis, 1, 2)?, part(&tail, axis, -2, -1)?);
    let (near_first, near_last) = match &options.places {
        None => (Tensor::scalar(0.5).cast(x.dtype())?, Tensor::scalar(0.5).cast(x.dtype())?),
        Some(_) => {
            let step = distances(&x, axis, options)?;
            let share = |near: Tensor, far: Tensor| div(&near, add(&near, far)?);
            let at = |from: i64, until: i64| part(&step, axis, from, until);
            (share(at(0, 2 - n as i64)?, at(1, 3 - n as i64)?)?, share(at(-1, 0)?, at(-2, -1)?)?)
        }
    };
    let beyond =
        |edge: &Tensor, next: Tensor, share: Tensor| add(edge, mul(sub(edge, next)?, share)?);
    let first = beyond(&first, second, near_first)?;
    let last = beyond(&last, before_last, near_last)?;
    concat(&[first, inner, last], axis)
}

compounds! {
    /// Methods: differences, slopes, integrals, interpolation.
    methods of SeriesMethods;

    /// The differences of neighbours along an axis: each element less the one before it.
    ///
    /// NumPy: `diff`. Numbers; the result is one shorter. Options: an axis (the last for `..`),
    /// `Times(n)` for differences of differences. `Prepend(x)` and `Append(x)` put elements before and
    /// behind the others along the axis: one number, or a tensor of the same rank.
    ///
    /// # Errors
    /// `InvalidArgument` for a scalar, an axis out of range, and for `Prepend` or `Append` that don't
    /// fit.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 4, 9].diff(..)?.as_slice::<i32>()?, &[3, 5]);
    /// assert_eq!(tensor![1, 4, 9].diff(ops::Times(2))?.as_slice::<i32>()?, &[2]);
    /// assert_eq!(tensor![1, 4, 9].diff(ops::Prepend(0))?.as_slice::<i32>()?, &[1, 3, 5]);
    /// # Ok::<(), Error>(())
    /// ```
    fn diff(x => options: impl Sets<Differences> as Differences) -> Tensor {
        let axis = normalize_axis(options.axis, rank_of(x)?)?;
        let mut whole = x.clone();
        if let Some(more) = options.before {
            whole = concat(&[as_slice_of(x, &more?, axis)?, whole], axis)?;
        }
        if let Some(more) = options.behind {
            whole = concat(&[whole, as_slice_of(x, &more?, axis)?], axis)?;
        }
        (0..options.times).try_fold(whole, |x, _| steps(&x, axis))
    }

    /// The differences of neighbours in the flattened tensor.
    ///
    /// NumPy: `ediff1d`.
    ///
    /// # Errors
    /// As [`diff`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 4], [9, 7]].ediff1d()?.as_slice::<i32>()?, &[3, 5, -2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn ediff1d(x) -> Tensor {
        steps(&x.reshape([-1])?, 0)
    }

    /// The slope of samples along an axis: half the difference of both neighbours, and at the ends the
    /// difference to the only neighbour.
    ///
    /// NumPy: `gradient` (a name that means the derivative by a tape here). Floats; integers become
    /// float64. Options: an axis (the last for `..`), `ops::Spaced(0.1)`, `At(places)` for samples that are
    /// not evenly spaced, `EdgeOrder(2)` for the slopes of parabolas at the ends.
    ///
    /// # Errors
    /// `InvalidArgument` for fewer than two samples (three for `EdgeOrder(2)`), places that are no vector
    /// as long as the axis, and a size that is unknown while tracing.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![1.0f32, 2.0, 4.0].slope(..)?;
    /// assert_eq!(y.as_slice::<f32>()?, &[1.0, 1.5, 2.0]);
    /// let y = tensor![1.0f32, 2.0, 4.0].slope(ops::At([0.0, 1.0, 5.0]))?;
    /// assert_eq!(y.as_slice::<f32>()?, &[1.0, 0.9, 0.5]);
    /// # Ok::<(), Error>(())
    /// ```
    fn slope(x => options: impl Sets<Sloping> as Sloping) -> Tensor {
        slopes(x, options.edge_order, &options.sampling)
    }

    /// The integral along an axis by the trapezoidal rule.
    ///
    /// NumPy: `trapezoid`. Floats; integers become float64. Options as for [`slope`], without
    /// `EdgeOrder`.
    ///
    /// # Errors
    /// `InvalidArgument` for a scalar, an axis out of range, and places that are no vector as long as
    /// the axis.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, 2.0, 3.0].trapezoid(..)?.item::<f32>()?, 4.0);
    /// assert_eq!(tensor![1.0f32, 2.0].trapezoid(ops::Spaced(2.0))?.item::<f32>()?, 3.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "trapz")]
    fn trapezoid(x => options: impl Sets<Sampling> as Sampling) -> Tensor {
        let x = as_float(x)?;
        let axis = normalize_axis(options.axis, rank_of(&x)?)?;
        let heights = mul(add(part(&x, axis, 1, 0)?, part(&x, axis, 0, -1)?)?, 0.5)?;
        mul(heights, distances(&x, axis, &options)?)?.reduce_sum(axis as i64, false)
    }

    /// Interpolates linearly at `x` between points whose places increase; constant before the first
    /// point and after the last.
    ///
    /// NumPy: `interp`. Floats of one dtype (integers become float64): `x` of any shape, places and
    /// values as vectors of one length.
    ///
    /// # Errors
    /// `InvalidArgument` for places and values that are no vectors of one length, or empty.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::interp([0.0, 1.5, 9.0], [1.0, 2.0], [10.0, 20.0])?;
    /// assert_eq!(y.as_slice::<f64>()?, &[10.0, 15.0, 20.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn interp(x, places, values) -> Tensor {
        let (x, places) = agree(x, places)?;
        let (x, places, values) = (as_float(&x)?, as_float(&places)?, as_float(values)?);
        if places.rank() != Some(1) || !places.shape().is_compatible_with(&values.shape()) {
            bail!(
                "places and values are vectors of one length, not of shapes {} and {}",
                places.shape(),
                values.shape()
            );
        }
        check_same_shape(&places, &values, || "places and values are of one length".into())?;
        let n = size(&places)?;
        let next = places.searchsorted(&x, (Side::Right, crate::types::DType::I64))?;
        let last = sub(&n, 1)?;
        let (low, high) = (sub(&next, 1)?.clip(0, &last)?, minimum(&next, &last)?);
        let (from, to) = (places.gather(&low, 0)?, places.gather(&high, 0)?);
        let (start, end) = (values.gather(&low, 0)?, values.gather(&high, 0)?);
        let share = sub(&x, &from)?.div_no_nan(sub(to, &from)?)?.cast(values.dtype())?;
        let rise = sub(&end, &start)?;
        let line = add(&start, mul_no_nan(&rise, &share)?)?;
        // If the first end is infinite, the line can only be computed from the other end.
        let back = sub(&end, mul_no_nan(rise, sub(1.0, share)?)?)?;
        let line = select(line.is_nan()?, select(equal(&start, &end)?, start, back)?, line)?;
        select(x.is_nan()?, f64::NAN, line)
    }
}

/// Interpolates linearly in several dimensions between points of a grid; constant outside of it.
///
/// SciPy: `interpn`; in one dimension it is [`interp()`]. A vector of increasing places for each axis of the grid, the
/// values at its points `[n1, …, nd, …]`, and coordinates `[…, d]`, floats of one dtype. The result has the first axes of
/// the coordinates and the last ones of the values. NaN among coordinates gives NaN.
///
/// # Errors
/// `InvalidArgument` for coordinates of another number than there are axes, or no axes, and for a rank that is unknown.
///
/// ```
/// use extype::prelude::*;
/// let (rows, columns) = (tensor![0.0f64, 2.0], tensor![0.0f64, 1.0]);
/// let values = tensor![[0.0f64, 1.0], [20.0, 21.0]];
/// let y = ops::interpn(&[&rows, &columns], &values, &tensor![[1.0f64, 0.5], [9.0, 0.0]])?;
/// assert_eq!(y.as_slice::<f64>()?, &[10.5, 20.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn interpn(places: &[&Tensor], values: &Tensor, x: &Tensor) -> Result<Tensor> {
    let _site = call_site!();
    let axes = places.len();
    if axes == 0
        || axes > 16
        || x.shape().with_rank_at_least(1)?.dim(-1)?.size().is_none_or(|d| d != axes)
    {
        bail!("coordinates of shape {} for a grid of {axes} axes", x.shape());
    }
    // For each axis the points below and above, and the share of the one above.
    let mut sides = Vec::new();
    for (axis, places) in places.iter().enumerate() {
        let x = x.index((Ellipsis, axis as i64))?;
        let last = sub(&size(places)?.cast(DType::I64)?, 1i64)?;
        let next = places.searchsorted(&x, (Side::Right, DType::I64))?;
        let (low, high) = (sub(&next, 1i64)?.clip(0i64, &last)?, minimum(&next, &last)?);
        let from = places.gather(&low, 0)?;
        let share = sub(&x, &from)?.div_no_nan(sub(places.gather(&high, 0)?, &from)?)?;
        sides.push([(low, sub(1.0, &share)?), (high, share)]);
    }
    let behind = rank_of(values)?.saturating_sub(axes);
    let mut sum = None;
    for corner in 0..1usize << axes {
        let chosen = sides.iter().enumerate().map(|(axis, sides)| &sides[corner >> axis & 1]);
        let chosen: Vec<&(Tensor, Tensor)> = chosen.collect();
        let at = stack(&chosen.iter().map(|(at, _)| at).collect::<Vec<_>>(), -1)?;
        let mut weight = chosen[0].1.clone();
        for (_, share) in &chosen[1..] {
            weight = mul(weight, share)?;
        }
        for _ in 0..behind {
            weight = weight.expand_dims(-1)?;
        }
        let part = mul(values.gather_nd(&at)?, weight)?;
        sum = Some(match sum {
            Some(sum) => add(sum, part)?,
            None => part,
        });
    }
    sum.ok_or_else(|| crate::types::err!(Internal, "a grid has corners"))
}
