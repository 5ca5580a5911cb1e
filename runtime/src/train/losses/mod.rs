//! Losses: how wrong predictions are, as one number.

mod binary;
mod categorical;
mod overlap;
mod regression;

use std::fmt::Debug;

pub use binary::*;
pub use categorical::*;
pub use overlap::*;
pub use regression::*;

use super::rule::{as_dtype, precise, within};
use super::state::is_float;
use super::visit_settings;
use crate::ops::{self, methods::*};
use crate::spec::{Module, ModuleVisitor, VariableCopies};
use crate::tensor::{Tensor, call_site};
use crate::types::{Dim, Result, Shape, bail};

/// Keeps the arguments of logarithms and divisors away from zero.
const EPSILON: f64 = 1e-7;

/// How the losses of the rows are combined.
///
/// Keras: the argument `reduction`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduction {
    /// The sum divided by the number of losses, whatever their weights are; zero if there are none.
    #[default]
    SumOverBatchSize,
    /// The same as [`SumOverBatchSize`](Self::SumOverBatchSize).
    Mean,
    /// The sum divided by the sum of the weights.
    MeanWithSampleWeight,
    /// The sum.
    Sum,
    /// A loss for each row.
    None,
}

/// Measures how wrong predictions are. See [`Reduced`] for the losses of this library, and [`LossFunction`] for how to
/// write one.
pub trait Loss: Debug + Send + Sync {
    /// The loss of predictions: a scalar, or a loss for each row with [`Reduction::None`].
    ///
    /// `y_pred` is a float tensor; `y_true` may hold any numbers. The loss is computed and returned in float64 for float64
    /// predictions and in float32 for all others: in float16 `1 - 1e-7` would be 1, with a logarithm of zero. Labels are
    /// cast to that dtype, class numbers to int64.
    ///
    /// # Errors
    /// `InvalidArgument` for predictions that are not floats, for shapes that don't fit, and for invalid settings.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Loss, MeanAbsoluteError};
    /// let (y, p) = (tensor![[0, 0], [1, 1]], tensor![[2.0f32, 4.0], [1.0, 1.0]]);
    /// let loss = MeanAbsoluteError::new().call(&y, &p)?;
    /// assert_eq!(loss.item::<f32>()?, 1.5);
    /// # Ok::<(), Error>(())
    /// ```
    fn call(&self, y_true: &Tensor, y_pred: &Tensor) -> Result<Tensor>;

    /// [`call`](Self::call) with the losses of the rows multiplied by weights.
    ///
    /// The weights broadcast against the losses. If one of them has an extra axis of size 1 at its end, both get the same
    /// rank first: a vector gains that axis, anything else makes the other tensor lose it.
    ///
    /// # Errors
    /// As [`call`](Self::call), and `InvalidArgument` for weights that don't fit.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Loss, MeanAbsoluteError};
    /// let (y, p) = (tensor![[0.0f32], [0.0]], tensor![[1.0f32], [3.0]]);
    /// let loss = MeanAbsoluteError::new().weighted(&y, &p, &tensor![2.0f32, 4.0])?;
    /// assert_eq!(loss.item::<f32>()?, 7.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn weighted(&self, y_true: &Tensor, y_pred: &Tensor, weights: &Tensor) -> Result<Tensor>;
}

/// Computes the losses of the rows; [`Reduced`] makes a [`Loss`] of it.
///
/// `Debug` must show all settings: if the loss is a field of a module, its `Debug` text is part of the key of a trace.
///
/// ```
/// use extype::prelude::*;
/// use extype::train::{Loss, LossFunction, Reduced, Reduction};
///
/// /// The largest error of a row.
/// #[derive(Clone, Debug, Default)]
/// struct Largest;
///
/// impl LossFunction for Largest {
///     fn name(&self) -> &'static str {
///         "largest"
///     }
///     fn values(&self, y_true: &Tensor, y_pred: &Tensor) -> Result<Tensor> {
///         ops::sub(y_true.cast(y_pred.dtype())?, y_pred)?.abs()?.reduce_max(-1, false)
///     }
/// }
///
/// let loss = Reduced::<Largest>::new().reduction(Reduction::Sum);
/// let (y, p) = (tensor![[1.0f32, 2.0], [0.0, 0.0]], tensor![[1.5f32, 1.0], [3.0, 0.0]]);
/// assert_eq!(loss.call(&y, &p)?.item::<f32>()?, 4.0);
/// assert_eq!(loss.weighted(&y, &p, &tensor![2.0f32, 0.0])?.item::<f32>()?, 2.0);
/// # Ok::<(), Error>(())
/// ```
pub trait LossFunction: Debug + Send + Sync {
    /// Its name, for messages.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{LossFunction, SquaredError};
    /// assert_eq!(SquaredError.name(), "mean_squared_error");
    /// # Ok::<(), Error>(())
    /// ```
    fn name(&self) -> &'static str;

    /// The loss of each row. `y_pred` is a float32 or float64 tensor; `y_true` is passed on as given.
    ///
    /// # Errors
    /// `InvalidArgument` for shapes that don't fit.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{LossFunction, SquaredError};
    /// let (y, p) = (tensor![[0.0f32, 0.0], [1.0, 1.0]], tensor![[1.0f32, 3.0], [1.0, 1.0]]);
    /// let rows = SquaredError.values(&y, &p)?;
    /// assert_eq!(rows.as_slice::<f32>()?, &[5.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn values(&self, y_true: &Tensor, y_pred: &Tensor) -> Result<Tensor>;

    /// The rows that count, as bools of the shape of the losses; by default all.
    ///
    /// # Errors
    /// What an op fails with.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{LossFunction, Reduced};
    /// /// Errors of what was measured: labels that are NaN don't count.
    /// #[derive(Debug)]
    /// struct Measured;
    ///
    /// impl LossFunction for Measured {
    ///     fn name(&self) -> &'static str {
    ///         "measured"
    ///     }
    ///     fn values(&self, y_true: &Tensor, y_pred: &Tensor) -> Result<Tensor> {
    ///         let error = ops::sub(y_true, y_pred)?.abs()?;
    ///         ops::select(&error.is_nan()?, 0.0, &error)
    ///     }
    ///     fn mask(&self, y_true: &Tensor, _: &Tensor) -> Result<Option<Tensor>> {
    ///         y_true.is_nan()?.logical_not().map(Some)
    ///     }
    /// }
    ///
    /// let loss = Reduced::of(Measured).call(&tensor![1.0f32, f32::NAN], &tensor![3.0f32, 9.0])?;
    /// assert_eq!(loss.item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn mask(&self, y_true: &Tensor, y_pred: &Tensor) -> Result<Option<Tensor>> {
        let _ = (y_true, y_pred);
        Ok(None)
    }

    /// Refuses invalid settings.
    ///
    /// # Errors
    /// `InvalidArgument`, with the setting.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Huber;
    /// let refused = Huber::new().delta(-1.0).call(&tensor![0.0f32], &tensor![1.0f32]).unwrap_err();
    /// assert_eq!(refused.message(), "`delta` is -1; it must be a number from 0 upwards");
    /// # Ok::<(), Error>(())
    /// ```
    fn check(&self) -> Result<()> {
        Ok(())
    }
}

/// A [`Loss`] made of a [`LossFunction`] and a [`Reduction`].
///
/// ```
/// use extype::prelude::*;
/// use extype::train::{CategoricalCrossentropy, Loss, MeanSquaredError, Reduction};
///
/// let (y, p) = (tensor![[0.0f32, 1.0], [0.0, 0.0]], tensor![[1.0f32, 1.0], [1.0, 0.0]]);
/// assert_eq!(MeanSquaredError::new().call(&y, &p)?.item::<f32>()?, 0.5);
/// let rows = MeanSquaredError::new().reduction(Reduction::None).call(&y, &p)?;
/// assert_eq!(rows.as_slice::<f32>()?, &[0.5, 0.5]);
/// let loss = CategoricalCrossentropy::new().from_logits().label_smoothing(0.1);
/// assert!(loss.call(&y, &p)?.item::<f32>()? > 0.0);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Reduced<F> {
    function: F,
    reduction: Reduction,
}

impl<F: LossFunction> Reduced<F> {
    /// The loss with its defaults.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::MeanSquaredError;
    /// let loss = MeanSquaredError::new().call(&tensor![[0.0f32, 0.0]], &tensor![[1.0f32, 3.0]])?;
    /// assert_eq!(loss.item::<f32>()?, 5.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new() -> Self
    where
        F: Default,
    {
        Self::default()
    }

    /// A loss that uses this function.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Reduced, SquaredError};
    /// let loss = Reduced::of(SquaredError).call(&tensor![[0.0f32, 0.0]], &tensor![[1.0f32, 3.0]])?;
    /// assert_eq!(loss.item::<f32>()?, 5.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn of(function: F) -> Self {
        Self { function, reduction: Reduction::default() }
    }

    /// How the losses of the rows are combined; by default their sum is divided by their number.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{MeanSquaredError, Reduction};
    /// let loss = MeanSquaredError::new().reduction(Reduction::None);
    /// let y = loss.call(&tensor![[0.0f32], [0.0]], &tensor![[1.0f32], [3.0]])?;
    /// assert_eq!(y.as_slice::<f32>()?, &[1.0, 9.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn reduction(mut self, reduction: Reduction) -> Self {
        self.reduction = reduction;
        self
    }

    fn loss(&self, y_true: &Tensor, y_pred: &Tensor, weights: Option<&Tensor>) -> Result<Tensor> {
        self.function.check()?;
        if !is_float(y_pred.dtype()) {
            bail!("`y_pred` is {}; predictions are floats, cast them", y_pred.tensor_type());
        }
        let dtype = precise(y_pred.dtype());
        let y_pred = &as_dtype(y_pred, dtype)?;
        let values = self.function.values(y_true, y_pred)?;
        let mut weights = weights.map(|w| w.cast(dtype)).transpose()?;
        if let Some(mask) = self.function.mask(y_true, y_pred)? {
            let shares = self.shares(&mask, &values)?;
            weights = Some(match weights {
                None => shares,
                Some(weights) => {
                    let (shares, weights) = same_rank(&shares, &weights)?;
                    ops::mul(&weights, &shares)?
                }
            });
        }
        let Some(weights) = weights else { return self.reduce(&values, None) };
        let (values, weights) = same_rank(&values, &weights)?;
        if let Err(e) = values.shape().broadcast(&weights.shape()) {
            return Err(e.prefixed(format!(
                "weights of shape {} for losses of shape {}",
                weights.shape(),
                values.shape()
            )));
        }
        self.reduce(&ops::mul(&values, &weights)?, Some(&weights))
    }

    /// The weight of each row under a mask.
    fn shares(&self, mask: &Tensor, values: &Tensor) -> Result<Tensor> {
        let mask = mask.cast(values.dtype())?;
        match self.reduction {
            Reduction::Mean | Reduction::SumOverBatchSize => {
                let share = ops::div_no_nan(&count(&mask)?, &mask.reduce_sum(.., false)?)?;
                ops::mul(&mask, &share)
            }
            _ => Ok(mask),
        }
    }

    fn reduce(&self, values: &Tensor, weights: Option<&Tensor>) -> Result<Tensor> {
        if self.reduction == Reduction::None || values.rank() == Some(0) {
            return Ok(values.clone());
        }
        let sum = values.reduce_sum(.., false)?;
        match (self.reduction, weights) {
            (Reduction::Sum | Reduction::None, _) => Ok(sum),
            (Reduction::MeanWithSampleWeight, Some(weights)) => {
                ops::div_no_nan(&sum, &weights.reduce_sum(.., false)?)
            }
            _ => ops::div_no_nan(&sum, &count(values)?),
        }
    }
}

impl<F: LossFunction + Clone + 'static> Module for Reduced<F> {
    fn visit(&self, visitor: &mut dyn ModuleVisitor) {
        visit_settings(self, visitor);
    }

    fn copied(&self, _: &VariableCopies) -> Result<Self> {
        Ok(self.clone())
    }
}

impl<F: LossFunction> Loss for Reduced<F> {
    #[track_caller]
    fn call(&self, y_true: &Tensor, y_pred: &Tensor) -> Result<Tensor> {
        let _site = call_site!();
        self.loss(y_true, y_pred, None).map_err(|e| e.in_context(self.function.name()))
    }

    #[track_caller]
    fn weighted(&self, y_true: &Tensor, y_pred: &Tensor, weights: &Tensor) -> Result<Tensor> {
        let _site = call_site!();
        self.loss(y_true, y_pred, Some(weights)).map_err(|e| e.in_context(self.function.name()))
    }
}

/// The number of elements, in the dtype of the tensor.
fn count(x: &Tensor) -> Result<Tensor> {
    match x.shape().num_elements() {
        Some(n) => Tensor::scalar(n as f64).cast(x.dtype()),
        None => ops::size(x)?.cast(x.dtype()),
    }
}

/// `x` if its last axis has size 1. A size that is unknown in a trace is checked when the graph runs: otherwise
/// broadcasting could silently compare every row with every other.
fn ending_with_one(x: &Tensor) -> Result<Option<Tensor>> {
    match (x.rank(), x.shape().dim(-1).map(Dim::size)) {
        (Some(_), Ok(Some(1))) => Ok(Some(x.clone())),
        (Some(rank @ 2..), Ok(None)) => {
            let shape = Shape::of_rank(rank - 1).concatenate(&Shape::from([1]));
            x.ensure_shape(shape).map(Some)
        }
        _ => Ok(None),
    }
}

/// Gives both tensors one rank if one has an extra axis of size 1 at its end. A vector gains the axis; anything else
/// makes the other tensor lose it.
fn same_rank(a: &Tensor, b: &Tensor) -> Result<(Tensor, Tensor)> {
    match (a.rank(), b.rank()) {
        (Some(n), Some(m)) if n == m + 1 => without_last(a, b),
        (Some(n), Some(m)) if m == n + 1 => {
            let (b, a) = without_last(b, a)?;
            Ok((a, b))
        }
        _ => Ok((a.clone(), b.clone())),
    }
}

/// [`same_rank`] where `long` has one axis more.
fn without_last(long: &Tensor, short: &Tensor) -> Result<(Tensor, Tensor)> {
    match ending_with_one(long)? {
        None => Ok((long.clone(), short.clone())),
        Some(long) if short.rank() == Some(1) => Ok((long, short.expand_dims(-1)?)),
        Some(long) => Ok((long.squeeze([-1])?, short.clone())),
    }
}

/// The labels in the dtype of the predictions, and the predictions, with one rank. Refuses shapes that don't broadcast.
fn aligned(y_true: &Tensor, y_pred: &Tensor) -> Result<(Tensor, Tensor)> {
    let (y_true, y_pred) = same_rank(&y_true.cast(y_pred.dtype())?, y_pred)?;
    match y_true.shape().broadcast(&y_pred.shape()) {
        Ok(_) => Ok((y_true, y_pred)),
        Err(_) => bail!(
            "`y_true` of shape {} and `y_pred` of shape {} don't broadcast",
            y_true.shape(),
            y_pred.shape()
        ),
    }
}

/// Like [`aligned`], but both must have the same shape.
fn alike(y_true: &Tensor, y_pred: &Tensor) -> Result<(Tensor, Tensor)> {
    let (y_true, y_pred) = same_rank(&y_true.cast(y_pred.dtype())?, y_pred)?;
    let message = || "the shapes of `y_true` and `y_pred` must be one".to_owned();
    ops::check_same_shape(&y_true, &y_pred, message)?;
    Ok((y_true, y_pred))
}

/// Probabilities, clipped away from zero and one.
fn inside(p: &Tensor) -> Result<Tensor> {
    ops::clip_by_value(p, EPSILON, 1.0 - EPSILON)
}

/// Refuses a smoothing outside `[0, 1]`.
fn check_smoothing(smoothing: f64) -> Result<()> {
    within("label_smoothing", smoothing, 0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_that_differ_by_an_axis_of_one_are_made_the_same() -> Result<()> {
        let of = |sizes: &[usize]| Tensor::from_slice(&vec![0.0f32; sizes.iter().product()], sizes);
        let shapes = |a: &[usize], b: &[usize]| -> Result<String> {
            let (a, b) = same_rank(&of(a)?, &of(b)?)?;
            Ok(format!("{} {}", a.shape(), b.shape()))
        };
        assert_eq!(shapes(&[3], &[3])?, "[3] [3]");
        assert_eq!(shapes(&[3], &[3, 1])?, "[3, 1] [3, 1]");
        assert_eq!(shapes(&[3, 1], &[3])?, "[3, 1] [3, 1]");
        assert_eq!(shapes(&[2, 3, 1], &[2, 3])?, "[2, 3] [2, 3]");
        assert_eq!(shapes(&[2, 3], &[2, 3, 1])?, "[2, 3] [2, 3]");
        assert_eq!(shapes(&[3], &[3, 4])?, "[3] [3, 4]");
        Ok(())
    }
}
