//! Norms of vectors and of matrices.

use super::variance::{square_size, without_halves};
use crate::compounds;
use crate::ops::args::{Axes, AxesLike, KeepDims};
use crate::ops::methods::*;
use crate::ops::options::{Over, Reduces, Sets, sets};
use crate::ops::protocol::compound::is_stand_in;
use crate::ops::{div, l2_loss, mul, select};
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail, err};

compounds! {
    /// Methods: norms, and tensors divided by them.
    methods of NormMethods;

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

/// The root of a sum of squares.
fn root(sum: &Tensor) -> Result<Tensor> {
    // The square root has no slope at zero; there the sum of squares gives a zero gradient.
    let is_zero = sum.equal(sum.zeros_like()?)?;
    select(&is_zero, sum, select(&is_zero, sum.ones_like()?, sum)?.sqrt()?)
}

fn vector_norm(x: &Tensor, order: NormOrder, axes: &Axes, keep: bool) -> Result<Tensor> {
    match order {
        NormOrder::Euclidean | NormOrder::P(2.0) => {
            // One pass, where no sum is rounded to a shorter float.
            if matches!(x.dtype(), DType::F32 | DType::F64)
                && *axes == Axes::All
                && !keep
                && !is_stand_in(x)
            {
                return root(&mul(l2_loss(x)?, 2)?);
            }
            let square = if x.dtype().is_complex() { mul(x, x.conj()?)? } else { x.square()? };
            root(&square.reduce_sum(axes, keep)?)
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
    use crate::ops::protocol::Op;
    let (s, _, _): (Tensor, Tensor, Tensor) =
        crate::ops::Svd { compute_uv: false, full_matrices: false }.run_as(&[x])?;
    Ok(s)
}

#[cfg(not(feature = "linalg"))]
fn singular_values(_: &Tensor) -> Result<Tensor> {
    bail!(Unimplemented, "a norm of singular values needs the feature `linalg` of extype")
}
