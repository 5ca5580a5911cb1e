//! Losses for labels of two values.

use super::super::rule::within;
use super::regression::plain;
use super::{LossFunction, Reduced, aligned, alike, check_smoothing, inside};
use crate::ops::{self, methods::*};
use crate::tensor::Tensor;
use crate::types::Result;

plain! {
    /// The mean of `max(1 - y_true * y_pred, 0)` along the last axis. Labels are -1 and 1, or 0
    /// and 1.
    ///
    /// Keras: `keras.losses.Hinge`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Hinge;
    /// let (y, p) = (tensor![[1.0f32, -1.0]], tensor![[0.5f32, 0.5]]);
    /// assert_eq!(Hinge::new().call(&y, &p)?.item::<f32>()?, 1.0);
    /// # Ok::<(), Error>(())
    /// ```
    Hinge = HingeDistance, "hinge", |y, p| distance(y, p)?.reduce_mean(-1, false);
    /// The mean of `max(1 - y_true * y_pred, 0)²` along the last axis. Labels are -1 and 1, or 0
    /// and 1.
    ///
    /// Keras: `keras.losses.SquaredHinge`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SquaredHinge;
    /// let (y, p) = (tensor![[1.0f32, -1.0]], tensor![[0.5f32, 0.5]]);
    /// assert_eq!(SquaredHinge::new().call(&y, &p)?.item::<f32>()?, 1.25);
    /// # Ok::<(), Error>(())
    /// ```
    SquaredHinge = SquaredHingeDistance, "squared_hinge", |y, p| {
        distance(y, p)?.square()?.reduce_mean(-1, false)
    };
    /// `max(1 + m - s, 0)` along the last axis. `s` is the sum of the predictions for labels that are 1, and `m` is the
    /// largest prediction for the others. Labels are 0 and 1.
    ///
    /// Keras: `keras.losses.CategoricalHinge`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::CategoricalHinge;
    /// let (y, p) = (tensor![[0.0f32, 1.0, 0.0]], tensor![[0.25f32, 0.5, 0.0]]);
    /// assert_eq!(CategoricalHinge::new().call(&y, &p)?.item::<f32>()?, 0.75);
    /// # Ok::<(), Error>(())
    /// ```
    CategoricalHinge = CategoricalHingeDistance, "categorical_hinge", |y, p| {
        let right = ops::mul(y, p)?.reduce_sum(-1, false)?;
        let wrong = ops::mul(&ops::sub(1.0, y)?, p)?.reduce_max(-1, false)?;
        ops::add(&ops::sub(&wrong, &right)?, 1.0)?.maximum(0.0)
    };
}

/// `max(1 - y * p, 0)`. If all labels are 0 or 1, they are mapped to -1 and 1.
fn distance(y: &Tensor, p: &Tensor) -> Result<Tensor> {
    let is_binary = y.equal(0.0)?.logical_or(&y.equal(1.0)?)?.reduce_all(.., false)?;
    let signs = ops::sub(&ops::mul(y, 2.0)?, 1.0)?;
    let y = ops::select(&is_binary, &signs, y)?;
    ops::sub(1.0, &ops::mul(&y, p)?)?.maximum(0.0)
}

/// Labels moved towards one half.
fn smoothed(y: Tensor, smoothing: f64) -> Result<Tensor> {
    match smoothing {
        0.0 => Ok(y),
        s => ops::add(&ops::mul(&y, 1.0 - s)?, 0.5 * s),
    }
}

/// The cross entropy of labels with probabilities, per element.
fn entropy(y: &Tensor, p: &Tensor) -> Result<Tensor> {
    let p = inside(p)?;
    let yes = ops::mul(y, &p.log()?)?;
    let no = ops::mul(&ops::sub(1.0, y)?, &ops::sub(1.0, &p)?.log()?)?;
    ops::neg(&ops::add(&yes, &no)?)
}

/// The mean of `-y_true * log(y_pred) - (1 - y_true) * log(1 - y_pred)` along an axis, of
/// probabilities or logits.
///
/// Keras: `keras.losses.BinaryCrossentropy`.
///
/// ```
/// use extype::prelude::*;
/// use extype::train::{BinaryCrossentropy, Loss};
/// let (y, logits) = (tensor![[1.0f32, 0.0]], tensor![[0.0f32, 0.0]]);
/// let loss = BinaryCrossentropy::new().from_logits().call(&y, &logits)?;
/// assert!((loss.item::<f32>()? - 2f32.ln()).abs() < 1e-6);
/// # Ok::<(), Error>(())
/// ```
pub type BinaryCrossentropy = Reduced<BinaryEntropy>;

/// The function of [`BinaryCrossentropy`].
#[derive(Clone, Copy, Debug)]
pub struct BinaryEntropy {
    from_logits: bool,
    smoothing: f64,
    axis: i64,
}

impl Default for BinaryEntropy {
    fn default() -> Self {
        Self { from_logits: false, smoothing: 0.0, axis: -1 }
    }
}

impl BinaryCrossentropy {
    /// Treats predictions as logits instead of probabilities; safe against overflow.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::BinaryCrossentropy;
    /// let loss = BinaryCrossentropy::new().from_logits();
    /// let y = loss.call(&tensor![[1.0f32]], &tensor![[-1000.0f32]])?;
    /// assert_eq!(y.item::<f32>()?, 1000.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn from_logits(mut self) -> Self {
        self.function.from_logits = true;
        self
    }

    /// Moves labels this fraction of the way to one half.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::BinaryCrossentropy;
    /// let loss = BinaryCrossentropy::new().from_logits();
    /// let (y, logits) = (tensor![[1.0f32]], tensor![[1000.0f32]]);
    /// assert_eq!(loss.call(&y, &logits)?.item::<f32>()?, 0.0);
    /// // The label is 0.75.
    /// assert_eq!(loss.label_smoothing(0.5).call(&y, &logits)?.item::<f32>()?, 250.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn label_smoothing(mut self, smoothing: f64) -> Self {
        self.function.smoothing = smoothing;
        self
    }

    /// The axis of the mean; the last one by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{BinaryCrossentropy, Reduction};
    /// let loss = BinaryCrossentropy::new().from_logits().axis(0).reduction(Reduction::None);
    /// let logits = tensor![[-100.0f32, -200.0], [-300.0, -400.0]];
    /// let columns = loss.call(&logits.ones_like()?, &logits)?;
    /// assert_eq!(columns.as_slice::<f32>()?, &[200.0, 300.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn axis(mut self, axis: i64) -> Self {
        self.function.axis = axis;
        self
    }
}

impl LossFunction for BinaryEntropy {
    fn name(&self) -> &'static str {
        "binary_crossentropy"
    }

    fn check(&self) -> Result<()> {
        check_smoothing(self.smoothing)
    }

    fn values(&self, y_true: &Tensor, y_pred: &Tensor) -> Result<Tensor> {
        let (_, _, entropy) = self.parts(y_true, y_pred)?;
        entropy.reduce_mean(self.axis, false)
    }
}

impl BinaryEntropy {
    /// The labels, the predictions, and the entropy of each element.
    fn parts(&self, y_true: &Tensor, y_pred: &Tensor) -> Result<(Tensor, Tensor, Tensor)> {
        let (y, p) = alike(y_true, y_pred)?;
        let y = smoothed(y, self.smoothing)?;
        let entropy = match self.from_logits {
            true => ops::sigmoid_cross_entropy_with_logits(&y, &p)?,
            false => entropy(&y, &p)?,
        };
        Ok((y, p, entropy))
    }
}

/// [`BinaryCrossentropy`] times `(1 - p)^gamma`, where `p` is the predicted probability of the label: correct
/// predictions count less.
///
/// Keras: `keras.losses.BinaryFocalCrossentropy`. Lin and others, 2017 (arXiv:1708.02002).
///
/// ```
/// use extype::prelude::*;
/// use extype::train::BinaryFocalCrossentropy;
/// let loss = BinaryFocalCrossentropy::new().call(&tensor![[1.0f32]], &tensor![[0.5f32]])?;
/// assert!((loss.item::<f32>()? - 0.25 * 2f32.ln()).abs() < 1e-6);
/// # Ok::<(), Error>(())
/// ```
pub type BinaryFocalCrossentropy = Reduced<BinaryFocalEntropy>;

/// The function of [`BinaryFocalCrossentropy`].
#[derive(Clone, Copy, Debug)]
pub struct BinaryFocalEntropy {
    entropy: BinaryEntropy,
    balancing: bool,
    alpha: f64,
    gamma: f64,
}

impl Default for BinaryFocalEntropy {
    fn default() -> Self {
        Self { entropy: BinaryEntropy::default(), balancing: false, alpha: 0.25, gamma: 2.0 }
    }
}

impl BinaryFocalCrossentropy {
    /// Weighs positive labels by `alpha` and negative ones by `1 - alpha`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{BinaryFocalCrossentropy, Reduction};
    /// let loss = BinaryFocalCrossentropy::new().apply_class_balancing().reduction(Reduction::None);
    /// let rows = loss.call(&tensor![[1.0f32], [0.0]], &tensor![[0.5f32], [0.5]])?;
    /// let rows = rows.as_slice::<f32>()?;
    /// assert_eq!(rows[1], 3.0 * rows[0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn apply_class_balancing(mut self) -> Self {
        self.function.balancing = true;
        self
    }

    /// The weight of positive labels [if classes are balanced](Self::apply_class_balancing); 0.25
    /// by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::BinaryFocalCrossentropy;
    /// let loss = BinaryFocalCrossentropy::new().gamma(0.0).apply_class_balancing().alpha(0.75);
    /// let y = loss.call(&tensor![[1.0f32]], &tensor![[0.5f32]])?;
    /// assert!((y.item::<f32>()? - 0.75 * 2f32.ln()).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> Self {
        self.function.alpha = alpha;
        self
    }

    /// The power `gamma`, which reduces the weight of correct predictions; 2 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::BinaryFocalCrossentropy;
    /// let (y, p) = (tensor![[1.0f32]], tensor![[0.5f32]]);
    /// let loss = |gamma| BinaryFocalCrossentropy::new().gamma(gamma).call(&y, &p)?.item::<f32>();
    /// assert!((loss(0.0)? - 2f32.ln()).abs() < 1e-6);
    /// assert!((loss(1.0)? - 2f32.ln() / 2.0).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn gamma(mut self, gamma: f64) -> Self {
        self.function.gamma = gamma;
        self
    }

    /// Treats predictions as logits instead of probabilities; safe against overflow.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::BinaryFocalCrossentropy;
    /// let loss = BinaryFocalCrossentropy::new().from_logits();
    /// let y = loss.call(&tensor![[1.0f32]], &tensor![[-1000.0f32]])?;
    /// assert_eq!(y.item::<f32>()?, 1000.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn from_logits(mut self) -> Self {
        self.function.entropy.from_logits = true;
        self
    }

    /// Moves labels this fraction of the way to one half.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::BinaryFocalCrossentropy;
    /// let loss = BinaryFocalCrossentropy::new().from_logits().gamma(1.0).label_smoothing(0.5);
    /// // The label is 0.75: a quarter of the logit, a quarter of it wrong.
    /// let y = loss.call(&tensor![[1.0f32]], &tensor![[1000.0f32]])?;
    /// assert_eq!(y.item::<f32>()?, 62.5);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn label_smoothing(mut self, smoothing: f64) -> Self {
        self.function.entropy.smoothing = smoothing;
        self
    }

    /// The axis of the mean; the last one by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{BinaryFocalCrossentropy, Reduction};
    /// let loss = BinaryFocalCrossentropy::new().from_logits().axis(0).reduction(Reduction::None);
    /// let logits = tensor![[-100.0f32, -200.0], [-300.0, -400.0]];
    /// let columns = loss.call(&logits.ones_like()?, &logits)?;
    /// assert_eq!(columns.as_slice::<f32>()?, &[200.0, 300.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn axis(mut self, axis: i64) -> Self {
        self.function.entropy.axis = axis;
        self
    }
}

impl LossFunction for BinaryFocalEntropy {
    fn name(&self) -> &'static str {
        "binary_focal_crossentropy"
    }

    fn check(&self) -> Result<()> {
        self.entropy.check()?;
        within("alpha", self.alpha, 0.0, 1.0)?;
        within("gamma", self.gamma, 0.0, f64::MAX)
    }

    fn values(&self, y_true: &Tensor, y_pred: &Tensor) -> Result<Tensor> {
        let (y, p, entropy) = self.entropy.parts(y_true, y_pred)?;
        let p = if self.entropy.from_logits { p.sigmoid()? } else { p };
        let no = ops::sub(1.0, &y)?;
        let right = ops::add(&ops::mul(&y, &p)?, &ops::mul(&no, &ops::sub(1.0, &p)?)?)?;
        let focus = ops::pow(&ops::sub(1.0, &right)?, self.gamma)?;
        let mut loss = ops::mul(&focus, &entropy)?;
        if self.balancing {
            let weight = ops::add(&ops::mul(&y, self.alpha)?, &ops::mul(&no, 1.0 - self.alpha)?)?;
            loss = ops::mul(&weight, &loss)?;
        }
        loss.reduce_mean(self.entropy.axis, false)
    }
}
