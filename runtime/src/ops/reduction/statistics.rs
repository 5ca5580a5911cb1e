//! Variance, norms and other functions made of several reductions.

use crate::compounds;
use crate::ops::options::{Over, Reduces, Sets, sets};
use crate::ops::*;
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail, err};

compounds! {
    methods of StatisticsMethods;

    /// How many elements over axes are not zero, int64.
    ///
    /// NumPy: `count_nonzero`; TensorFlow: `tf.math.count_nonzero`. Numbers, bools or strings of any
    /// shape. Options: axes (`..` for all), `KeepDims`.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range or given twice.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let n = tensor![[0.0f32, 1.0], [2.0, 3.0]].count_nonzero(1)?;
    /// assert_eq!(n.as_slice::<i64>()?, &[1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn count_nonzero(x => options: impl Sets<Over> as Over) -> Tensor {
        let is_counted = match x.dtype() {
            DType::Bool => x.clone(),
            DType::String => x.not_equal(&Tensor::from_strings(&[""], &[])?)?,
            _ => x.not_equal(&x.zeros_like()?)?,
        };
        is_counted.cast(DType::I64)?.reduce_sum(options.axes, options.keep_dims)
    }
    /// The norm of vectors along one axis (or of everything, for `..`), or of matrices that lie in two
    /// axes, rows first. Options: the order (a float, or [`NormOrder`]), axes, [`KeepDims`].
    ///
    /// TensorFlow: `tf.norm`. NumPy: `np.linalg.norm`. Floats, and complex numbers for the Euclidean
    /// norm, which is then complex too. The result drops the axes, or keeps them with size 1. Norms of
    /// singular values need the feature `linalg`, and take float32 and float64.
    ///
    /// # Errors
    /// `InvalidArgument` for more than two axes, for an axis given twice, and for matrices if the order
    /// is not Euclidean, nuclear, 1, 2, infinity or the negative of one.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[3.0f32, -4.0], [1.0, 1.0]];
    /// assert_eq!(x.norm(1)?.as_slice::<f32>()?[0], 5.0);
    /// assert_eq!(x.norm((1.0, [0, 1]))?.item::<f32>()?, 5.0);
    /// assert_eq!(x.norm((f64::INFINITY, [0, 1]))?.item::<f32>()?, 7.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn norm(x => options: impl Sets<Normed> as Normed) -> Tensor {
        let (order, Over { axes, keep_dims }) = (options.order.unwrap_or_default(), options.over);
        let list = match &axes {
            Axes::All => None,
            Axes::List(list) => {
                let known = list.known();
                Some(known.ok_or_else(|| err!("the axes of a norm must be known while tracing"))?)
            }
        };
        match list.as_deref() {
            None | Some([_]) => vector_norm(x, order, &axes, keep_dims),
            Some([rows, columns]) => {
                let two = match x.rank() {
                    Some(_) => axes.of(x)?.iter().map(|axis| *axis as i64).collect(),
                    None => vec![*rows, *columns],
                };
                matrix_norm(x, order, [two[0], two[1]], keep_dims)
            }
            Some(more) => bail!("a norm is over one axis or two, or over all (`..`), not {more:?}"),
        }
    }
    /// Divides `x` by its [`norm`](norm()); returns the quotient and the norm, with the axes kept.
    /// Options: the order, axes.
    ///
    /// TensorFlow: `tf.linalg.normalize`. Dtypes as for [`norm`](norm()); the first result has the
    /// shape of `x`.
    ///
    /// # Errors
    /// As [`norm`](norm()).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (y, norm) = ops::normalize([1.0f32, 3.0], (1.0, 0))?;
    /// assert_eq!(y.as_slice::<f32>()?, &[0.25, 0.75]);
    /// assert_eq!(norm.as_slice::<f32>()?, &[4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn normalize(x => options: impl Sets<Normed> as Normed) -> (Tensor, Tensor) {
        let norm = norm(x, (options.order.unwrap_or_default(), Over { keep_dims: true, ..options.over }))?;
        let scale = if x.dtype() == norm.dtype() { norm.clone() } else { norm.cast(x.dtype())? };
        Ok((div(x, &scale)?, norm))
    }
}

compounds! {
    /// The fraction of elements that are zero, a float32 scalar.
    ///
    /// TensorFlow: `tf.math.zero_fraction`. Numbers, bools or strings of any shape.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that has no zero.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::zero_fraction(&tensor![0, 1, 0, 2])?.item::<f32>()?, 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    fn zero_fraction(x) -> Tensor {
        x.equal(&x.zeros_like()?)?.cast(DType::F32)?.reduce_mean(.., false)
    }

    /// The mean of the squared distances to the mean over `axes`.
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

    /// The square root of [`reduce_variance`].
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

    /// The logarithm of the sum of exponentials over `axes`, safe against overflow.
    ///
    /// TensorFlow: `tf.math.reduce_logsumexp`. Floats of any shape; the result drops the axes, or keeps
    /// them with size 1.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is no float, and for wrong axes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::reduce_logsumexp(&tensor![1000.0f64, 1000.0], .., false)?;
    /// assert!((y.item::<f64>()? - 1000.0 - 2f64.ln()).abs() < 1e-9);
    /// # Ok::<(), Error>(())
    /// ```
    fn reduce_logsumexp(x; axes: impl AxesLike as Axes, keep_dims: impl KeepDimsArg as bool) -> Tensor {
        let largest = x.reduce_max(&axes, KeepDims)?;
        let shift = select(largest.is_finite()?, &largest, 0.0)?.stop_gradient()?;
        let sum = sub(x, &shift)?.exp()?.reduce_sum(&axes, keep_dims)?;
        // Drops the axes, which have size 1 by now, from the shift.
        let shift = if keep_dims { shift } else { shift.reduce_max(&axes, false)? };
        add(sum.log()?, shift)
    }

    /// Mean and variance over `axes`; halves are computed in float32.
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

    /// Divides `x` by its Euclidean norm over `axes`, or by the square root of `epsilon` where the norm is
    /// less.
    ///
    /// TensorFlow: `tf.math.l2_normalize`, whose default `epsilon` is 1e-12. Floats or complex numbers of
    /// any shape; the result has the same.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is no float, and for wrong axes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::l2_normalize(&tensor![3.0f64, 4.0], 0, 1e-12)?;
    /// assert!((y.as_slice::<f64>()?[0] - 0.6).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    fn l2_normalize(x; axes: impl AxesLike as Axes, epsilon: f64) -> Tensor {
        let wide = without_halves(x)?;
        let inverse = square_size(&wide)?.reduce_sum(axes, KeepDims)?.maximum(epsilon)?.rsqrt()?;
        mul(&wide, inverse.cast(wide.dtype())?)?.cast(x.dtype())
    }
}

/// The squares of the absolute values, which are real.
fn square_size(x: &Tensor) -> Result<Tensor> {
    if x.dtype().is_complex() { mul(x, x.conj()?)?.cast(x.dtype().real_part()) } else { x.square() }
}

/// Float16 and bfloat16 as float32, in which sums are computed; other dtypes unchanged.
pub(in crate::ops) fn without_halves(x: &Tensor) -> Result<Tensor> {
    let is_half = matches!(x.dtype(), DType::F16 | DType::BF16);
    if is_half { x.cast(DType::F32) } else { Ok(x.clone()) }
}

/// The kind of a norm; a number converts to the norm of that order.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![3.0f32, -4.0];
/// assert_eq!(ops::norm(&x, ..)?.item::<f32>()?, 5.0);
/// assert_eq!(ops::norm(&x, ops::NormOrder::P(1.0))?.item::<f32>()?, 7.0);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum NormOrder {
    /// The root of the sum of squares: of vectors, and of matrices (Frobenius).
    #[default]
    Euclidean,
    /// The norm of an order. For vectors it is the order-th root of the sum of the absolute values to
    /// that power: the largest for infinity, the smallest for -infinity, and the number of nonzero
    /// elements for 0. For matrices, 1 is the largest column sum, infinity the largest row sum, and 2
    /// the largest singular value; -1, -infinity and -2 give the smallest.
    P(f64),
    /// The sum of the singular values, for matrices.
    Nuclear,
}

impl From<f64> for NormOrder {
    fn from(order: f64) -> Self {
        NormOrder::P(order)
    }
}

impl From<i32> for NormOrder {
    fn from(order: i32) -> Self {
        NormOrder::P(order.into())
    }
}

/// Options of a norm: its order (a float, or [`NormOrder`]), axes (`..` for all), [`KeepDims`].
#[derive(Clone, Debug, Default)]
pub struct Normed {
    /// The kind of norm; Euclidean by default.
    pub order: Option<NormOrder>,
    /// Axes, and whether they are kept.
    pub over: Over,
}

impl Reduces for Normed {
    fn over(&mut self) -> &mut Over {
        &mut self.over
    }
}

sets! {
    NormOrder => Normed |o, order| o.order = Some(order);
    Normed => Normed |o, all| *o = all;
    f64 => Normed |o, order| o.order = Some(order.into());
}

fn vector_norm(x: &Tensor, order: NormOrder, axes: &Axes, keep: bool) -> Result<Tensor> {
    match order {
        NormOrder::Euclidean | NormOrder::P(2.0) => {
            let square = if x.dtype().is_complex() { mul(x, x.conj()?)? } else { x.square()? };
            // The square root has no slope at zero; there the sum of squares gives a zero gradient.
            let sum = square.reduce_sum(axes, keep)?;
            let is_zero = sum.equal(sum.zeros_like()?)?;
            select(&is_zero, &sum, select(&is_zero, sum.ones_like()?, &sum)?.sqrt()?)
        }
        NormOrder::P(1.0) => x.abs()?.reduce_sum(axes, keep),
        // The norm of no elements is zero.
        NormOrder::P(f64::INFINITY) => x.abs()?.reduce_max(axes, keep)?.maximum(0),
        NormOrder::P(f64::NEG_INFINITY) => x.abs()?.reduce_min(axes, keep),
        NormOrder::P(0.0) => x.not_equal(&x.zeros_like()?)?.cast(x.dtype())?.reduce_sum(axes, keep),
        NormOrder::P(p) if p.is_nan() => bail!("the order of a norm is NaN"),
        NormOrder::P(p) => x.abs()?.pow(p)?.reduce_sum(axes, keep)?.pow(1.0 / p),
        NormOrder::Nuclear => {
            bail!("the nuclear norm is one of matrices; name their two axes, rows first")
        }
    }
}

fn matrix_norm(x: &Tensor, order: NormOrder, axes: [i64; 2], keep: bool) -> Result<Tensor> {
    let [rows, columns] = axes;
    let kept = |x: Tensor| if keep { Ok(x) } else { x.squeeze(vec![rows, columns]) };
    let sums = |summed: i64| x.abs()?.reduce_sum(summed, KeepDims);
    match order {
        NormOrder::Euclidean => vector_norm(x, order, &Axes::from(axes), keep),
        NormOrder::P(1.0) => kept(sums(rows)?.reduce_max(columns, KeepDims)?),
        NormOrder::P(-1.0) => kept(sums(rows)?.reduce_min(columns, KeepDims)?),
        NormOrder::P(f64::INFINITY) => kept(sums(columns)?.reduce_max(rows, KeepDims)?),
        NormOrder::P(f64::NEG_INFINITY) => kept(sums(columns)?.reduce_min(rows, KeepDims)?),
        NormOrder::P(2.0) => spectral(x, axes, keep, |s| s.reduce_max(-1, false)),
        NormOrder::P(-2.0) => spectral(x, axes, keep, |s| s.reduce_min(-1, false)),
        NormOrder::Nuclear => spectral(x, axes, keep, |s| s.reduce_sum(-1, false)),
        NormOrder::P(p) => bail!(
            "norms of matrices are Euclidean, nuclear or of order 1, 2, infinity, -1, -2 or \
             -infinity, not {p}"
        ),
    }
}

/// Applies `of_values` to the singular values of the matrices that lie in two axes.
fn spectral(
    x: &Tensor,
    axes: [i64; 2],
    keep: bool,
    of_values: fn(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    let rank = x.rank().ok_or_else(|| {
        err!("a norm of singular values needs a rank that is known while tracing")
    })?;
    let [rows, columns] = axes;
    let others = (0..rank as i64).filter(|axis| ![rows, columns].contains(axis));
    let order: Vec<i64> = others.chain([rows, columns]).collect();
    let norms = of_values(&singular_values(&x.transpose(order)?)?)?;
    match keep {
        // The smaller axis comes first, so that the other finds its place.
        true => norms.expand_dims(rows.min(columns))?.expand_dims(rows.max(columns)),
        false => Ok(norms),
    }
}

#[cfg(feature = "linalg")]
fn singular_values(x: &Tensor) -> Result<Tensor> {
    let (s, _, _): (Tensor, Tensor, Tensor) =
        Svd { compute_uv: false, full_matrices: false }.run_as(&[x])?;
    Ok(s)
}

#[cfg(not(feature = "linalg"))]
fn singular_values(_: &Tensor) -> Result<Tensor> {
    bail!(Unimplemented, "a norm of singular values needs the feature `linalg` of extype")
}
