//! Clipping: of one tensor, of several tensors together, of gradients.

use super::rule::{as_dtype, precise};
use super::state::is_float;
use crate::gradient::Gradients;
use crate::ops::{self, AxesLike, KeepDims, methods::*};
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, Result, bail, err};

/// Refuses a limit that is not a positive number.
pub(super) fn positive(what: &str, limit: f64) -> Result<()> {
    if !limit.is_finite() || limit <= 0.0 {
        bail!("`{what}` is {limit}; it must be a positive, finite number");
    }
    Ok(())
}

/// Scales a tensor down so that its norm along some axes (`..` for all) is `norm` at most.
///
/// TensorFlow: `tf.clip_by_norm`. Floats or complex numbers of any shape; the result has the same. Where the norm is
/// infinite, finite elements become zero and infinite ones NaN.
///
/// # Errors
/// `InvalidArgument` for a norm that is not positive, and for other dtypes.
///
/// ```
/// use extype::prelude::*;
/// use extype::train::clip_by_norm;
/// let x = tensor![[3.0f32, 4.0], [0.3, 0.4]];
/// assert_eq!(clip_by_norm(&x, 1.0, 1)?.as_slice::<f32>()?, &[0.6, 0.8, 0.3, 0.4]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn clip_by_norm(x: &Tensor, norm: f64, axes: impl AxesLike) -> Result<Tensor> {
    let _site = call_site!();
    positive("clip norm", norm)?;
    let size = squares(x, axes)?.sqrt()?;
    let scale = ops::div(norm, &size.maximum(norm)?)?;
    ops::mul(x, &as_dtype(&scale, x.dtype())?)
}

/// The sums of squares along axes, which are kept; at least float32.
fn squares(x: &Tensor, axes: impl AxesLike) -> Result<Tensor> {
    let real = match x.dtype() {
        dtype if dtype.is_complex() => x.abs()?,
        dtype if is_float(dtype) => x.clone(),
        _ => bail!("norms are of floats or complex numbers, not of {}", x.tensor_type()),
    };
    as_dtype(&real, precise(real.dtype()))?.square()?.reduce_sum(axes, KeepDims)
}

/// The norm of several tensors together: the root of the sum of the squares of all elements.
///
/// TensorFlow: `tf.linalg.global_norm`. Floats or complex numbers of any shapes; the result is a scalar,
/// float64 if one of them has that precision and float32 otherwise.
///
/// # Errors
/// `InvalidArgument` for no tensors, and for a dtype that is neither float nor complex.
///
/// ```
/// use extype::prelude::*;
/// use extype::train::global_norm;
/// let norm = global_norm(&[&tensor![3.0f32], &scalar(4.0f32)])?;
/// assert_eq!(norm.item::<f32>()?, 5.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn global_norm(tensors: &[&Tensor]) -> Result<Tensor> {
    let _site = call_site!();
    let wide = tensors.iter().any(|t| matches!(t.dtype(), DType::F64 | DType::Complex128));
    let dtype = if wide { DType::F64 } else { DType::F32 };
    let sum = |t: &&Tensor| as_dtype(&squares(t, ..)?.reshape([0i64; 0])?, dtype);
    let sums: Vec<Tensor> = tensors.iter().map(sum).collect::<Result<_>>()?;
    let sums: Vec<&Tensor> = sums.iter().collect();
    match &sums[..] {
        [] => bail!("the norm of no tensors; give one at least"),
        [one] => one.sqrt(),
        all => ops::add_n(all)?.sqrt(),
    }
}

/// Scales tensors down together so that their common norm is at most `norm`; also returns their norm before. If that is
/// not finite the results are NaN.
///
/// TensorFlow: `tf.clip_by_global_norm`. Floats or complex numbers of any shapes; the results have the same.
///
/// # Errors
/// `InvalidArgument` for a norm that is not positive, for no tensors, and for other dtypes.
///
/// ```
/// use extype::prelude::*;
/// use extype::train::clip_by_global_norm;
/// let (x, y) = (tensor![3.0f32], scalar(4.0f32));
/// let (clipped, norm) = clip_by_global_norm(&[&x, &y], 1.0)?;
/// assert_eq!(norm.item::<f32>()?, 5.0);
/// assert!((clipped[1].item::<f32>()? - 0.8).abs() < 1e-6);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn clip_by_global_norm(tensors: &[&Tensor], norm: f64) -> Result<(Vec<Tensor>, Tensor)> {
    let _site = call_site!();
    positive("clip norm", norm)?;
    let size = global_norm(tensors)?;
    let scale = ops::mul(&size.reciprocal()?.minimum(1.0 / norm)?, norm)?;
    // Adds zero for a finite norm, NaN otherwise.
    let scale = ops::add(&scale, &ops::sub(&size, &size)?)?;
    let clipped = tensors.iter().map(|t| ops::mul(*t, &as_dtype(&scale, t.dtype())?));
    Ok((clipped.collect::<Result<_>>()?, size))
}

/// Clips every element to the range from `low` to `high`.
///
/// TensorFlow: `tf.clip_by_value`; [`ops::clip_by_value`](crate::ops::clip_by_value) takes tensors
/// as bounds. A float tensor of any shape; the result has the same.
///
/// # Errors
/// `InvalidArgument` if `low` is above `high`, or if one of them is NaN.
///
/// ```
/// use extype::prelude::*;
/// use extype::train::clip_by_value;
/// let x = clip_by_value(&tensor![-3.0f32, 0.5, 2.0], -1.0, 1.0)?;
/// assert_eq!(x.as_slice::<f32>()?, &[-1.0, 0.5, 1.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn clip_by_value(x: &Tensor, low: f64, high: f64) -> Result<Tensor> {
    let _site = call_site!();
    if low.is_nan() || high.is_nan() || low > high {
        bail!("nothing is between the bounds {low} and {high}");
    }
    ops::clip_by_value(x, low, high)
}

impl<S> Gradients<S> {
    /// The square root of the sum of the squares of all elements (for complex ones, of their absolute values):
    /// [`global_norm`](crate::train::global_norm).
    ///
    /// # Errors
    /// `InvalidArgument` if nothing is connected.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = (scalar(1.5f32), scalar(2.0f32));
    /// let tape = GradientTape::new();
    /// let (_, g) = tape.value_and_gradient(&x, || ops::add(&x.0.square()?, &x.1.square()?))?;
    /// assert_eq!(g.norm()?.item::<f32>()?, 5.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn norm(&self) -> Result<Tensor> {
        let _site = call_site!();
        let leaves = self.leaves()?;
        let there: Vec<&Tensor> = leaves.iter().flatten().collect();
        if there.is_empty() {
            bail!("no source is connected to the target");
        }
        global_norm(&there)
    }

    /// The gradients, each scaled down to a norm: [`clip_by_norm`](crate::train::clip_by_norm).
    ///
    /// # Errors
    /// As the function.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = (tensor![1.5f32, 2.0], scalar(0.25f32));
    /// let tape = GradientTape::new();
    /// let (_, g) = tape.value_and_gradient(&x, || ops::add(&x.0.square()?, &x.1.square()?))?;
    /// let clipped = g.clip_by_norm(1.0)?;
    /// assert_eq!(clipped.leaf(0)?.unwrap().as_slice::<f32>()?, &[0.6, 0.8]);
    /// assert_eq!(clipped.leaf(1)?.unwrap().item::<f32>()?, 1.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn clip_by_norm(&self, norm: f64) -> Result<Self> {
        let _site = call_site!();
        self.map(|g| clip_by_norm(g, norm, ..))
    }

    /// The gradients with every element clipped to a range: [`clip_by_value`](crate::train::clip_by_value).
    ///
    /// # Errors
    /// As the function.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![-3.0f32, 0.25];
    /// let (_, g) = GradientTape::new().value_and_gradient(&x, || x.square())?;
    /// assert_eq!(g.clip_by_value(-1.0, 1.0)?.into_structure()?.as_slice::<f32>()?, &[-1.0, 0.5]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn clip_by_value(&self, low: f64, high: f64) -> Result<Self> {
        let _site = call_site!();
        self.map(|g| clip_by_value(g, low, high))
    }

    /// The gradients, scaled down together, and their norm before:
    /// [`clip_by_global_norm`](crate::train::clip_by_global_norm).
    ///
    /// # Errors
    /// As the function.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = (scalar(1.5f32), scalar(2.0f32));
    /// let tape = GradientTape::new();
    /// let (_, g) = tape.value_and_gradient(&x, || ops::add(&x.0.square()?, &x.1.square()?))?;
    /// let (clipped, norm) = g.clip_by_global_norm(1.0)?;
    /// assert_eq!(norm.item::<f32>()?, 5.0);
    /// assert!((clipped.leaf(1)?.unwrap().item::<f32>()? - 0.8).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn clip_by_global_norm(&self, norm: f64) -> Result<(Self, Tensor)> {
        let _site = call_site!();
        let leaves = self.leaves()?;
        let there: Vec<&Tensor> = leaves.iter().flatten().collect();
        let (clipped, size) = clip_by_global_norm(&there, norm)?;
        let mut clipped = clipped.into_iter();
        let mut next = || clipped.next().ok_or_else(|| err!(Internal, "a gradient was lost"));
        Ok((self.map(|_| next())?, size))
    }
}
