//! Learning rates as functions of the step.

use std::fmt::Debug;

use super::rule::within;
use crate::ops::{self, methods::*};
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail};

/// A learning rate as a function of the step. Write it with ops, so that it can be traced.
///
/// Keras: `keras.optimizers.schedules.LearningRateSchedule`.
///
/// ```
/// use extype::prelude::*;
/// use extype::train::{SGD, Schedule};
///
/// /// The rate of the transformer paper.
/// #[derive(Debug)]
/// struct Warm {
///     steps: f64,
/// }
///
/// impl Schedule for Warm {
///     fn rate(&self, step: &Tensor) -> Result<Tensor> {
///         let step = step.cast(f32)? + 1.0;
///         ops::mul(&step, self.steps.powf(-1.5))?.minimum(step.rsqrt()?)
///     }
/// }
///
/// let optimizer = SGD::new(Warm { steps: 4.0 });
/// assert_eq!(optimizer.learning_rate()?.item::<f32>()?, 0.125);
/// # Ok::<(), Error>(())
/// ```
pub trait Schedule: Debug + Send + Sync + 'static {
    /// The learning rate at a step: a float scalar. `step` is an int64 scalar that counts from 0.
    ///
    /// # Errors
    /// What an op fails with.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{PolynomialDecay, Schedule};
    /// let rate = PolynomialDecay::new(1.0, 10.0).end_learning_rate(0.0).rate(&scalar(5i64))?;
    /// assert_eq!(rate.item::<f32>()?, 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    fn rate(&self, step: &Tensor) -> Result<Tensor>;

    /// Refuses invalid settings; called when an optimizer uses the schedule.
    ///
    /// # Errors
    /// `InvalidArgument`, with the setting.
    ///
    /// ```
    /// use extype::train::{ExponentialDecay, Schedule};
    /// let refused = ExponentialDecay::new(0.1, 0.0, 0.5).check().unwrap_err();
    /// assert_eq!(refused.message(), "`decay_steps` is 0; it must be a positive number");
    /// ```
    fn check(&self) -> Result<()> {
        Ok(())
    }
}

/// The step divided by `steps`; rounded down for a staircase.
fn part(step: &Tensor, steps: f64, staircase: bool) -> Result<Tensor> {
    let part = ops::div(&step.cast(DType::F32)?, steps)?;
    if staircase { part.floor() } else { Ok(part) }
}

/// `from + (to - from) * part`.
pub(super) fn between(from: f64, to: f64, part: &Tensor) -> Result<Tensor> {
    ops::add(&ops::mul(part, to - from)?, from)
}

/// Refuses an invalid initial rate, and a number of steps that is not positive.
pub(super) fn check_start(rate: f64, what: &str, steps: f64) -> Result<()> {
    within("initial_learning_rate", rate, 0.0, f64::MAX)?;
    if steps.is_nan() || steps <= 0.0 {
        bail!("`{what}` is {steps}; it must be a positive number");
    }
    Ok(())
}

/// `initial_learning_rate * decay_rate ^ (step / decay_steps)`.
///
/// Keras: `keras.optimizers.schedules.ExponentialDecay`.
///
/// ```
/// use extype::prelude::*;
/// use extype::train::{ExponentialDecay, Schedule};
/// let rate = ExponentialDecay::new(0.5, 10.0, 0.25);
/// assert_eq!(rate.rate(&scalar(5i64))?.item::<f32>()?, 0.25);
/// assert_eq!(rate.staircase().rate(&scalar(5i64))?.item::<f32>()?, 0.5);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExponentialDecay {
    initial: f64,
    steps: f64,
    decay: f64,
    staircase: bool,
}

impl ExponentialDecay {
    /// A decay by `decay_rate` every `decay_steps` steps.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{ExponentialDecay, Schedule};
    /// let rate = ExponentialDecay::new(1.0, 10.0, 0.5);
    /// assert_eq!(rate.rate(&scalar(20i64))?.item::<f32>()?, 0.25);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(initial_learning_rate: f64, decay_steps: f64, decay_rate: f64) -> Self {
        Self {
            initial: initial_learning_rate,
            steps: decay_steps,
            decay: decay_rate,
            staircase: false,
        }
    }

    /// Decays only every `decay_steps` steps.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{ExponentialDecay, Schedule};
    /// let rate = ExponentialDecay::new(1.0, 10.0, 0.5).staircase();
    /// assert_eq!(rate.rate(&scalar(19i64))?.item::<f32>()?, 0.5);
    /// assert_eq!(rate.rate(&scalar(20i64))?.item::<f32>()?, 0.25);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn staircase(mut self) -> Self {
        self.staircase = true;
        self
    }
}

impl Schedule for ExponentialDecay {
    fn rate(&self, step: &Tensor) -> Result<Tensor> {
        self.check()?;
        let part = part(step, self.steps, self.staircase)?;
        ops::mul(&ops::pow(self.decay, &part)?, self.initial)
    }

    fn check(&self) -> Result<()> {
        check_start(self.initial, "decay_steps", self.steps)?;
        within("decay_rate", self.decay, 0.0, f64::MAX)
    }
}

/// `initial_learning_rate / (1 + decay_rate * step / decay_steps)`.
///
/// Keras: `keras.optimizers.schedules.InverseTimeDecay`.
///
/// ```
/// use extype::prelude::*;
/// use extype::train::{InverseTimeDecay, Schedule};
/// let rate = InverseTimeDecay::new(1.0, 10.0, 1.0);
/// assert_eq!(rate.rate(&scalar(10i64))?.item::<f32>()?, 0.5);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct InverseTimeDecay {
    initial: f64,
    steps: f64,
    decay: f64,
    staircase: bool,
}

impl InverseTimeDecay {
    /// A decay that slows down.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{InverseTimeDecay, Schedule};
    /// let rate = InverseTimeDecay::new(1.0, 10.0, 3.0);
    /// assert_eq!(rate.rate(&scalar(10i64))?.item::<f32>()?, 0.25);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(initial_learning_rate: f64, decay_steps: f64, decay_rate: f64) -> Self {
        Self {
            initial: initial_learning_rate,
            steps: decay_steps,
            decay: decay_rate,
            staircase: false,
        }
    }

    /// Decays only every `decay_steps` steps.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{InverseTimeDecay, Schedule};
    /// let rate = InverseTimeDecay::new(1.0, 10.0, 3.0).staircase();
    /// assert_eq!(rate.rate(&scalar(9i64))?.item::<f32>()?, 1.0);
    /// assert_eq!(rate.rate(&scalar(19i64))?.item::<f32>()?, 0.25);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn staircase(mut self) -> Self {
        self.staircase = true;
        self
    }
}

impl Schedule for InverseTimeDecay {
    fn rate(&self, step: &Tensor) -> Result<Tensor> {
        self.check()?;
        let part = part(step, self.steps, self.staircase)?;
        ops::div(self.initial, &ops::add(&ops::mul(&part, self.decay)?, 1.0)?)
    }

    fn check(&self) -> Result<()> {
        check_start(self.initial, "decay_steps", self.steps)?;
        within("decay_rate", self.decay, 0.0, f64::MAX)
    }
}

/// `values[i]` up to and including step `boundaries[i]`, and the last value after the last boundary.
///
/// Keras: `keras.optimizers.schedules.PiecewiseConstantDecay`.
///
/// ```
/// use extype::prelude::*;
/// use extype::train::{PiecewiseConstantDecay, Schedule};
/// let rate = PiecewiseConstantDecay::new([100.0], [1.0, 0.5]);
/// assert_eq!(rate.rate(&scalar(100i64))?.item::<f32>()?, 1.0);
/// assert_eq!(rate.rate(&scalar(101i64))?.item::<f32>()?, 0.5);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PiecewiseConstantDecay {
    boundaries: Vec<f64>,
    values: Vec<f64>,
}

impl PiecewiseConstantDecay {
    /// A schedule with boundaries in growing order, and one value more than boundaries.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{PiecewiseConstantDecay, Schedule};
    /// let rate = PiecewiseConstantDecay::new([10.0, 20.0], [1.0, 0.5, 0.25]);
    /// assert_eq!(rate.rate(&scalar(15i64))?.item::<f32>()?, 0.5);
    /// assert_eq!(rate.rate(&scalar(21i64))?.item::<f32>()?, 0.25);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(
        boundaries: impl IntoIterator<Item = f64>,
        values: impl IntoIterator<Item = f64>,
    ) -> Self {
        let (boundaries, values) = (boundaries.into_iter(), values.into_iter());
        Self { boundaries: boundaries.collect(), values: values.collect() }
    }
}

impl Schedule for PiecewiseConstantDecay {
    fn rate(&self, step: &Tensor) -> Result<Tensor> {
        self.check()?;
        let step = step.cast(DType::F64)?;
        let value = |i: usize| Tensor::scalar(self.values[i] as f32);
        let mut rate = value(self.boundaries.len());
        for (i, boundary) in self.boundaries.iter().enumerate().rev() {
            rate = ops::select(&step.less_equal(*boundary)?, value(i), &rate)?;
        }
        Ok(rate)
    }

    fn check(&self) -> Result<()> {
        if self.values.len() != self.boundaries.len() + 1 {
            bail!(
                "{} values for {} boundaries; one more than there are boundaries is wanted",
                self.values.len(),
                self.boundaries.len()
            );
        }
        // `is_sorted` accepts a single NaN.
        if !self.boundaries.is_sorted() || self.boundaries.iter().any(|b| b.is_nan()) {
            bail!("the boundaries {:?} do not grow", self.boundaries);
        }
        self.values.iter().try_for_each(|v| within("values", *v, 0.0, f64::MAX))
    }
}

/// From the initial rate to `end_learning_rate` in `decay_steps` steps, by a power of the remaining fraction.
///
/// Keras: `keras.optimizers.schedules.PolynomialDecay`.
#[derive(Clone, Debug)]
pub struct PolynomialDecay {
    initial: f64,
    steps: f64,
    end: f64,
    power: f64,
    cycle: bool,
}

impl PolynomialDecay {
    /// A decay along a line, to 0.0001.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{PolynomialDecay, Schedule};
    /// let rate = PolynomialDecay::new(1.0, 10.0);
    /// assert!((rate.rate(&scalar(5i64))?.item::<f32>()? - 0.50005).abs() < 1e-6);
    /// assert_eq!(rate.rate(&scalar(99i64))?.item::<f32>()?, 1e-4);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(initial_learning_rate: f64, decay_steps: f64) -> Self {
        Self {
            initial: initial_learning_rate,
            steps: decay_steps,
            end: 1e-4,
            power: 1.0,
            cycle: false,
        }
    }

    /// The rate at the end; 0.0001 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{PolynomialDecay, Schedule};
    /// let rate = PolynomialDecay::new(1.0, 10.0).end_learning_rate(0.5);
    /// assert_eq!(rate.rate(&scalar(5i64))?.item::<f32>()?, 0.75);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn end_learning_rate(mut self, rate: f64) -> Self {
        self.end = rate;
        self
    }

    /// The power; 1 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{PolynomialDecay, Schedule};
    /// let rate = PolynomialDecay::new(1.0, 10.0).end_learning_rate(0.0).power(2.0);
    /// assert_eq!(rate.rate(&scalar(5i64))?.item::<f32>()?, 0.25);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn power(mut self, power: f64) -> Self {
        self.power = power;
        self
    }

    /// Starts again at the end: with a rate that would end there after a multiple of `decay_steps`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{PolynomialDecay, Schedule};
    /// let rate = PolynomialDecay::new(1.0, 10.0).end_learning_rate(0.0).cycle();
    /// assert_eq!(rate.rate(&scalar(15i64))?.item::<f32>()?, 0.25);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn cycle(mut self) -> Self {
        self.cycle = true;
        self
    }
}

impl Schedule for PolynomialDecay {
    fn rate(&self, step: &Tensor) -> Result<Tensor> {
        self.check()?;
        let step = step.cast(DType::F32)?;
        let part = match self.cycle {
            false => ops::div(&step.minimum(self.steps)?, self.steps)?,
            true => {
                // Step 0 belongs to the first round.
                let rounds = ops::div(&step, self.steps)?.ceil()?.maximum(1.0)?;
                ops::div(&step, &ops::mul(&rounds, self.steps)?)?
            }
        };
        let left = ops::pow(&ops::sub(1.0, &part)?, self.power)?;
        between(self.end, self.initial, &left)
    }

    fn check(&self) -> Result<()> {
        check_start(self.initial, "decay_steps", self.steps)?;
        within("end_learning_rate", self.end, 0.0, f64::MAX)?;
        within("power", self.power, 0.0, f64::MAX)
    }
}
