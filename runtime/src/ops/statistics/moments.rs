//! Weighted averages, covariances and correlations.

use super::check_along;
use crate::compounds;
use crate::ops::args::{Axes, KeepDims};
use crate::ops::checks::check_same_shape;
use crate::ops::methods::*;
use crate::ops::options::{Ddof, Over, Reduces, Sets, Weights, sets};
use crate::ops::protocol::compound::is_stand_in;
use crate::ops::{
    as_float, div, known_axes, matmul, maximum, mul, rank_of, shape_of, sub, without_halves,
};
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail};

/// Options of [`average`]: axes (`..` for all), `KeepDims`, `ops::Weights(&w)`.
#[derive(Clone, Debug, Default)]
pub struct Averaging {
    /// Axes, and whether they are kept.
    pub over: Over,
    /// The weight of each element; all equal by default.
    pub weights: Option<Tensor>,
}

impl Reduces for Averaging {
    fn over(&mut self) -> &mut Over {
        &mut self.over
    }
}

/// Options of [`cov`]: `ops::Ddof` (1), [`ByColumns`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Covariance {
    /// The number subtracted from the number of observations in the divisor.
    pub ddof: f64,
    /// True if variables are columns, not rows.
    pub by_columns: bool,
}

impl Default for Covariance {
    fn default() -> Self {
        Self { ddof: 1.0, by_columns: false }
    }
}

/// Options of [`corrcoef`]: [`ByColumns`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Correlating {
    /// True if variables are columns, not rows.
    pub by_columns: bool,
}

/// Variables are columns and observations rows, not the other way round: NumPy's `rowvar=False`.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![[1.0, 2.0], [3.0, 6.0], [5.0, 10.0]];
/// assert_eq!(x.cov(..)?.shape(), shape![3, 3]);
/// assert_eq!(x.cov(ops::ByColumns)?.as_slice::<f64>()?, &[4.0, 8.0, 8.0, 16.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByColumns;

sets! {
    Weights<'_> => Averaging |o, Weights(w)| o.weights = Some(w.clone());
    Ddof => Covariance |o, Ddof(n)| o.ddof = n as f64;
    ByColumns => Covariance |o, _| o.by_columns = true;
    Covariance => Covariance |o, all| *o = all;
    Averaging => Averaging |o, all| *o = all;
    ByColumns => Correlating |o, _| o.by_columns = true;
    Correlating => Correlating |o, all| *o = all;
}

/// Weights that broadcast against `x`; a vector of weights is laid along the one axis.
fn spread(weights: &Tensor, x: &Tensor, over: &Over) -> Result<Tensor> {
    let (Some(own), Some(rank)) = (weights.rank(), x.rank()) else { return Ok(weights.clone()) };
    if own == rank {
        check_same_shape(weights, x, || "weights of another shape than the tensor".into())?;
        return Ok(weights.clone());
    }
    let Axes::List(axes) = &over.axes else {
        bail!("weights of shape {} for all of shape {}", weights.shape(), x.shape())
    };
    match (own, &known_axes(axes, rank)?[..]) {
        (1, [axis]) => {
            check_along(weights, x, *axis, "weights")?;
            let mut sizes = vec![1i64; rank];
            sizes[*axis] = -1;
            weights.reshape(sizes)
        }
        _ => bail!(
            "weights of shape {} for a tensor of shape {}: those of one axis are a vector",
            weights.shape(),
            x.shape()
        ),
    }
}

fn covariance(x: &Tensor, options: Covariance) -> Result<Tensor> {
    let given = as_float(x)?;
    let x = without_halves(&given)?;
    let rank = rank_of(&x)?;
    let x = match rank {
        1 => x.expand_dims(0)?,
        2 if options.by_columns => x.t()?,
        2 => x,
        _ => bail!("a vector or a matrix is wanted, not {}", x.tensor_type()),
    };
    let n = match x.shape().dim(1)?.size() {
        Some(n) => Tensor::scalar(n as f64),
        None => shape_of(&x)?.index(1)?.cast(DType::F64)?,
    };
    let free = maximum(sub(n, options.ddof)?, 0.0)?.cast(x.dtype())?;
    let distance = sub(&x, x.reduce_mean(1, KeepDims)?)?;
    let turned = distance.t()?;
    let turned = if x.dtype().is_complex() { turned.conj()? } else { turned };
    let c = div(matmul(&distance, turned)?, free)?.cast(given.dtype())?;
    if rank == 1 { c.reshape([0i64; 0]) } else { Ok(c) }
}

compounds! {
    /// Methods: weighted means, covariances, correlations.
    methods of MomentsMethods;

    /// The mean over axes, weighted if weights are given.
    ///
    /// NumPy: `average`. Floats; integers become float64. Options: axes (`..` for all), `KeepDims`,
    /// `Weights(&w)` of the same shape, or a vector for one axis.
    ///
    /// # Errors
    /// `InvalidArgument` for weights of another shape or dtype, for weights whose sum is known to be
    /// zero, and for wrong axes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1.0f32, 4.0];
    /// assert_eq!(x.average(ops::Weights(&tensor![2.0f32, 1.0]))?.item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn average(x => options: impl Sets<Averaging> as Averaging) -> Tensor {
        let x = as_float(x)?;
        let Some(weights) = &options.weights else {
            return x.reduce_mean(&options.over.axes, options.over.keep_dims);
        };
        let weights = spread(weights, &x, &options.over)?;
        let weights = if weights.dtype().is_integer() { weights.cast(x.dtype())? } else { weights };
        let sum = mul(&x, &weights)?.reduce_sum(&options.over.axes, options.over.keep_dims)?;
        let weights = match is_stand_in(&x) {
            // Only the elements that the type counts have weights.
            true => mul(x.ones_like()?, &weights)?,
            false => weights.broadcast_to(&shape_of(&x)?)?,
        };
        let total = weights.reduce_sum(&options.over.axes, options.over.keep_dims)?;
        if let Tensor::Value(_) = total
            && total.equal(0)?.reduce_any(.., false)?.item::<bool>()?
        {
            bail!("the weights sum to zero: {total}");
        }
        div(sum, total)
    }

    /// The covariances of variables: each row is a variable, each column an observation.
    ///
    /// NumPy: `cov`. Floats; integers become float64; a vector is one variable, whose variance is a
    /// scalar. Options: `ops::Ddof(0)` to divide by the number of observations and not by one less,
    /// `ByColumns` where variables are columns.
    ///
    /// # Errors
    /// `InvalidArgument` for ranks other than 1 and 2.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1.0f32, 3.0], [2.0, 0.0]];
    /// assert_eq!(x.cov(..)?.as_slice::<f32>()?, &[2.0, -2.0, -2.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "covariance")]
    fn cov(x => options: impl Sets<Covariance> as Covariance) -> Tensor {
        covariance(x, options)
    }

    /// The correlation coefficients of variables: [`cov`] divided by the deviations of both.
    ///
    /// NumPy: `corrcoef`. Real floats; integers become float64. Option: `ops::ByColumns`.
    ///
    /// # Errors
    /// As [`cov`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1.0f64, 3.0], [2.0, 0.0]];
    /// assert!(x.corrcoef(..)?.allclose([[1.0, -1.0], [-1.0, 1.0]], ..)?.item::<bool>()?);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "correlation")]
    fn corrcoef(x => options: impl Sets<Correlating> as Correlating) -> Tensor {
        let c = covariance(x, Covariance { by_columns: options.by_columns, ..Covariance::default() })?;
        if c.rank() == Some(0) {
            return div(&c, &c);
        }
        let deviation = c.diag(..)?.sqrt()?;
        let scaled = div(div(&c, &deviation)?, deviation.expand_dims(1)?)?;
        if scaled.dtype().is_complex() { Ok(scaled) } else { scaled.clip(-1.0, 1.0) }
    }
}
