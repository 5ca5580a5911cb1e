//! Losses for numbers.

use super::super::rule::within;
use super::{EPSILON, LossFunction, Reduced, aligned};
use crate::ops::{self, methods::*};
use crate::tensor::Tensor;
use crate::types::Result;

/// A loss without settings: its name, and the losses of the rows.
macro_rules! plain {
    ($($(#[doc = $doc:literal])* $loss:ident = $function:ident, $name:literal, $values:expr;)*) => {$(
        $(#[doc = $doc])*
        pub type $loss = Reduced<$function>;

        #[doc = concat!("The function of [`", stringify!($loss), "`].")]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $function;

        impl LossFunction for $function {
            fn name(&self) -> &'static str {
                $name
            }

            fn values(&self, y_true: &Tensor, y_pred: &Tensor) -> Result<Tensor> {
                let (y_true, y_pred) = aligned(y_true, y_pred)?;
                let values: fn(&Tensor, &Tensor) -> Result<Tensor> = $values;
                values(&y_true, &y_pred)
            }
        }
    )*};
}
pub(super) use plain;

plain! {
    /// The mean of `(y_true - y_pred)²` along the last axis.
    ///
    /// Keras: `keras.losses.MeanSquaredError`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::MeanSquaredError;
    /// let (y, p) = (tensor![[0.0f32, 0.0]], tensor![[1.0f32, 3.0]]);
    /// assert_eq!(MeanSquaredError::new().call(&y, &p)?.item::<f32>()?, 5.0);
    /// # Ok::<(), Error>(())
    /// ```
    MeanSquaredError = SquaredError, "mean_squared_error", |y, p| {
        y.squared_difference(p)?.reduce_mean(-1, false)
    };
    /// The mean of `|y_true - y_pred|` along the last axis.
    ///
    /// Keras: `keras.losses.MeanAbsoluteError`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::MeanAbsoluteError;
    /// let (y, p) = (tensor![[0.0f32, 0.0]], tensor![[1.0f32, -3.0]]);
    /// assert_eq!(MeanAbsoluteError::new().call(&y, &p)?.item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    MeanAbsoluteError = AbsoluteError, "mean_absolute_error", |y, p| {
        ops::sub(y, p)?.abs()?.reduce_mean(-1, false)
    };
    /// The mean of `100 * |y_true - y_pred| / |y_true|` along the last axis.
    ///
    /// Keras: `keras.losses.MeanAbsolutePercentageError`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::MeanAbsolutePercentageError;
    /// let (y, p) = (tensor![[2.0f32, 4.0]], tensor![[1.0f32, 5.0]]);
    /// assert_eq!(MeanAbsolutePercentageError::new().call(&y, &p)?.item::<f32>()?, 37.5);
    /// # Ok::<(), Error>(())
    /// ```
    MeanAbsolutePercentageError = PercentageError, "mean_absolute_percentage_error", |y, p| {
        let part = ops::div(&ops::sub(y, p)?, &y.abs()?.maximum(EPSILON)?)?;
        ops::mul(&part.abs()?.reduce_mean(-1, false)?, 100.0)
    };
    /// The mean of `(log(1 + y_true) - log(1 + y_pred))²` along the last axis; negative numbers
    /// count as zero.
    ///
    /// Keras: `keras.losses.MeanSquaredLogarithmicError`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::MeanSquaredLogarithmicError;
    /// let (y, p) = (tensor![[0.0f32]], tensor![[1.0f32]]);
    /// let loss = MeanSquaredLogarithmicError::new().call(&y, &p)?;
    /// assert!((loss.item::<f32>()? - 2f32.ln().powi(2)).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    MeanSquaredLogarithmicError = LogarithmicError, "mean_squared_logarithmic_error", |y, p| {
        let log = |x: &Tensor| ops::add(&x.maximum(EPSILON)?, 1.0)?.log();
        log(p)?.squared_difference(&log(y)?)?.reduce_mean(-1, false)
    };
    /// The mean of the logarithm of the hyperbolic cosine of the error along the last axis: about
    /// half the square of small errors, and the absolute value of large ones.
    ///
    /// Keras: `keras.losses.LogCosh`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::LogCosh;
    /// let loss = LogCosh::new().call(&tensor![[0.0f32]], &tensor![[100.0f32]])?;
    /// assert!((loss.item::<f32>()? - (100.0 - 2f32.ln())).abs() < 1e-4);
    /// # Ok::<(), Error>(())
    /// ```
    LogCosh = LogCoshError, "log_cosh", |y, p| {
        let error = ops::sub(p, y)?;
        // Does not overflow where the hyperbolic cosine would.
        let soft = ops::add(&error, &ops::mul(&error, -2.0)?.softplus()?)?;
        ops::sub(&soft, std::f64::consts::LN_2)?.reduce_mean(-1, false)
    };
    /// The mean of `y_pred - y_true * log(y_pred)` along the last axis: counts, and predicted rates.
    ///
    /// Keras: `keras.losses.Poisson`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Poisson;
    /// let loss = Poisson::new().call(&tensor![[2.0f32]], &tensor![[4.0f32]])?;
    /// assert!((loss.item::<f32>()? - (4.0 - 2.0 * 4f32.ln())).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    Poisson = PoissonLikelihood, "poisson", |y, p| {
        let log = ops::add(p, EPSILON)?.log()?;
        ops::sub(p, &ops::mul(y, &log)?)?.reduce_mean(-1, false)
    };
}

/// The mean along the last axis of half the squared error up to `delta`, and of a straight line beyond it.
///
/// Keras: `keras.losses.Huber`.
///
/// ```
/// use extype::prelude::*;
/// use extype::train::{Huber, Loss};
/// let loss = Huber::new().delta(2.0);
/// let y = tensor![[0.0f32]];
/// assert_eq!(loss.call(&y, &tensor![[1.0f32]])?.item::<f32>()?, 0.5);
/// assert_eq!(loss.call(&y, &tensor![[4.0f32]])?.item::<f32>()?, 6.0);
/// # Ok::<(), Error>(())
/// ```
pub type Huber = Reduced<HuberError>;

/// The function of [`Huber`].
#[derive(Clone, Copy, Debug)]
pub struct HuberError {
    delta: f64,
}

impl Default for HuberError {
    fn default() -> Self {
        Self { delta: 1.0 }
    }
}

impl Huber {
    /// The error at which the line begins; 1 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Huber;
    /// let (y, p) = (tensor![[0.0f32]], tensor![[4.0f32]]);
    /// assert_eq!(Huber::new().call(&y, &p)?.item::<f32>()?, 3.5);
    /// assert_eq!(Huber::new().delta(2.0).call(&y, &p)?.item::<f32>()?, 6.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn delta(mut self, delta: f64) -> Self {
        self.function.delta = delta;
        self
    }
}

impl LossFunction for HuberError {
    fn name(&self) -> &'static str {
        "huber"
    }

    fn check(&self) -> Result<()> {
        within("delta", self.delta, 0.0, f64::MAX)
    }

    fn values(&self, y_true: &Tensor, y_pred: &Tensor) -> Result<Tensor> {
        let (y_true, y_pred) = aligned(y_true, y_pred)?;
        let error = ops::sub(&y_pred, &y_true)?;
        let size = error.abs()?;
        let curve = ops::mul(&error.square()?, 0.5)?;
        let line = ops::sub(&ops::mul(&size, self.delta)?, 0.5 * self.delta * self.delta)?;
        ops::select(&size.less_equal(self.delta)?, &curve, &line)?.reduce_mean(-1, false)
    }
}

/// The negative cosine of the angle between labels and predictions along an axis: -1 for the same direction.
///
/// Keras: `keras.losses.CosineSimilarity`.
///
/// ```
/// use extype::prelude::*;
/// use extype::train::CosineSimilarity;
/// let loss = CosineSimilarity::new().call(&tensor![[3.0f32, 4.0]], &tensor![[4.0f32, 3.0]])?;
/// assert!((loss.item::<f32>()? + 0.96).abs() < 1e-6);
/// # Ok::<(), Error>(())
/// ```
pub type CosineSimilarity = Reduced<Cosine>;

/// The function of [`CosineSimilarity`].
#[derive(Clone, Copy, Debug)]
pub struct Cosine {
    axis: i64,
}

impl Default for Cosine {
    fn default() -> Self {
        Self { axis: -1 }
    }
}

impl CosineSimilarity {
    /// The axis along which the vectors lie; the last one by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{CosineSimilarity, Reduction};
    /// let (y, p) = (tensor![[2.0f32, 0.0], [0.0, 1.0]], tensor![[1.0f32, 1.0], [0.0, 0.0]]);
    /// let columns = CosineSimilarity::new().axis(0).reduction(Reduction::None).call(&y, &p)?;
    /// assert_eq!(columns.as_slice::<f32>()?, &[-1.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn axis(mut self, axis: i64) -> Self {
        self.function.axis = axis;
        self
    }
}

impl LossFunction for Cosine {
    fn name(&self) -> &'static str {
        "cosine_similarity"
    }

    fn values(&self, y_true: &Tensor, y_pred: &Tensor) -> Result<Tensor> {
        let (y_true, y_pred) = aligned(y_true, y_pred)?;
        let unit = |x: &Tensor| ops::l2_normalize(x, self.axis, EPSILON * EPSILON);
        let product = ops::mul(&unit(&y_true)?, &unit(&y_pred)?)?;
        ops::neg(&product.reduce_sum(self.axis, false)?)
    }
}
