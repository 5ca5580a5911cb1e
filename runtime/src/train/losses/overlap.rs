//! Losses for the overlap of regions.

use super::super::rule::within;
use super::{EPSILON, LossFunction, Reduced, alike};
use crate::ops::{self, Axes, AxesLike, methods::*};
use crate::tensor::Tensor;
use crate::types::Result;

/// One minus twice the overlap of labels and predictions divided by their sum, along axes or (by default) over all
/// elements.
///
/// Keras: `keras.losses.Dice`.
///
/// ```
/// use extype::prelude::*;
/// use extype::train::{Dice, Loss};
/// let (y, p) = (tensor![[1.0f32, 1.0], [0.0, 0.0]], tensor![[1.0f32, 0.0], [1.0, 0.0]]);
/// assert!((Dice::new().call(&y, &p)?.item::<f32>()? - 0.5).abs() < 1e-6);
/// # Ok::<(), Error>(())
/// ```
pub type Dice = Reduced<DiceOverlap>;

/// The function of [`Dice`].
#[derive(Clone, Debug, Default)]
pub struct DiceOverlap {
    axes: Axes,
}

impl Dice {
    /// The axes of the regions; all by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Dice, Reduction};
    /// let (y, p) = (tensor![[1.0f32, 1.0], [1.0, 0.0]], tensor![[1.0f32, 1.0], [0.0, 1.0]]);
    /// let rows = Dice::new().axis(1).reduction(Reduction::None).call(&y, &p)?;
    /// assert_eq!(rows.as_slice::<f32>()?, &[0.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn axis(mut self, axes: impl AxesLike) -> Self {
        self.function.axes = axes.into();
        self
    }
}

impl LossFunction for DiceOverlap {
    fn name(&self) -> &'static str {
        "dice"
    }

    fn values(&self, y_true: &Tensor, y_pred: &Tensor) -> Result<Tensor> {
        let (y, p) = alike(y_true, y_pred)?;
        let sum = |x: &Tensor| x.reduce_sum(self.axes.clone(), false);
        let both = ops::add(&ops::add(&sum(&y)?, &sum(&p)?)?, EPSILON)?;
        let overlap = ops::mul(&sum(&ops::mul(&y, &p)?)?, 2.0)?;
        ops::sub(1.0, &ops::div(&overlap, &both)?)
    }
}

/// One minus the overlap of labels and predictions divided by the overlap plus errors: `alpha` weighs what is missed,
/// `beta` what is predicted in vain. It is taken along axes or (by default) over all elements.
///
/// The weights have the same roles as in the code of Keras; its documentation, like the paper, swaps them.
///
/// Keras: `keras.losses.Tversky`. Salehi and others, 2017 (arXiv:1706.05721).
///
/// ```
/// use extype::prelude::*;
/// use extype::train::Tversky;
/// let loss = Tversky::new().call(&tensor![1.0f32, 1.0], &tensor![1.0f32, 0.0])?;
/// assert!((loss.item::<f32>()? - 1.0 / 3.0).abs() < 1e-6);
/// # Ok::<(), Error>(())
/// ```
pub type Tversky = Reduced<TverskyOverlap>;

/// The function of [`Tversky`].
#[derive(Clone, Debug)]
pub struct TverskyOverlap {
    alpha: f64,
    beta: f64,
    axes: Axes,
}

impl Default for TverskyOverlap {
    fn default() -> Self {
        Self { alpha: 0.5, beta: 0.5, axes: Axes::All }
    }
}

impl Tversky {
    /// The weight of labelled parts that are not predicted; 0.5 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Tversky;
    /// let loss = Tversky::new().alpha(3.0).call(&tensor![1.0f32, 1.0], &tensor![1.0f32, 0.0])?;
    /// assert_eq!(loss.item::<f32>()?, 0.75);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> Self {
        self.function.alpha = alpha;
        self
    }

    /// The weight of predicted parts that are not labelled; 0.5 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Tversky;
    /// let loss = Tversky::new().beta(3.0).call(&tensor![1.0f32, 0.0], &tensor![1.0f32, 1.0])?;
    /// assert_eq!(loss.item::<f32>()?, 0.75);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn beta(mut self, beta: f64) -> Self {
        self.function.beta = beta;
        self
    }

    /// The axes of the regions; all by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Reduction, Tversky};
    /// let (y, p) = (tensor![[1.0f32, 1.0], [1.0, 0.0]], tensor![[1.0f32, 1.0], [0.0, 1.0]]);
    /// let rows = Tversky::new().axis(1).reduction(Reduction::None).call(&y, &p)?;
    /// assert_eq!(rows.as_slice::<f32>()?, &[0.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn axis(mut self, axes: impl AxesLike) -> Self {
        self.function.axes = axes.into();
        self
    }
}

impl LossFunction for TverskyOverlap {
    fn name(&self) -> &'static str {
        "tversky"
    }

    fn check(&self) -> Result<()> {
        within("alpha", self.alpha, 0.0, f64::MAX)?;
        within("beta", self.beta, 0.0, f64::MAX)
    }

    fn values(&self, y_true: &Tensor, y_pred: &Tensor) -> Result<Tensor> {
        let (y, p) = alike(y_true, y_pred)?;
        let sum = |x: &Tensor, y: &Tensor| ops::mul(x, y)?.reduce_sum(self.axes.clone(), false);
        let overlap = sum(&y, &p)?;
        let missed = ops::mul(&sum(&y, &ops::sub(1.0, &p)?)?, self.alpha)?;
        let in_vain = ops::mul(&sum(&ops::sub(1.0, &y)?, &p)?, self.beta)?;
        let all = ops::add(&ops::add(&overlap, &in_vain)?, &ops::add(&missed, EPSILON)?)?;
        ops::sub(1.0, &ops::div(&overlap, &all)?)
    }
}
