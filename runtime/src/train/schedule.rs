//! Learning rates as functions of the step.

use std::f64::consts::PI;
use std::fmt::Debug;

use super::rule::within;
use crate::ops::{self, methods::*};
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail};

/// A learning rate as a function of the step. Write it with ops, so that a traced function takes
/// it in.
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

    /// Refuses settings that make no sense; asked when an optimizer uses the schedule.
    ///
    /// # Errors
    /// `InvalidArgument`, with the setting.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{ExponentialDecay, Schedule};
    /// let refused = ExponentialDecay::new(0.1, 0.0, 0.5).check().unwrap_err();
    /// assert_eq!(refused.message(), "`decay_steps` is 0; it must be a positive number");
    /// # Ok::<(), Error>(())
    /// ```
    fn check(&self) -> Result<()> {
        Ok(())
    }
}

/// The step over `steps`; rounded down for a decay in stairs.
fn part(step: &Tensor, steps: f64, staircase: bool) -> Result<Tensor> {
    let part = ops::div(&step.cast(DType::F32)?, steps)?;
    if staircase { part.floor() } else { Ok(part) }
}

/// `from + (to - from) * part`.
fn between(from: f64, to: f64, part: &Tensor) -> Result<Tensor> {
    ops::add(&ops::mul(part, to - from)?, from)
}

/// Half a wave of the cosine, from 1 at 0 to `alpha` at 1.
fn half_wave(part: &Tensor, alpha: f64, height: &Tensor) -> Result<Tensor> {
    let wave = ops::add(&ops::mul(part, PI)?.cos()?, 1.0)?;
    between(alpha, 1.0, &ops::mul(&ops::mul(&wave, 0.5)?, height)?)
}

fn check_start(rate: f64, what: &str, steps: f64) -> Result<()> {
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

    /// Decays every `decay_steps` steps only.
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

    /// Decays every `decay_steps` steps only.
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

/// `values[i]` up to and with step `boundaries[i]`, and the last value after the last boundary.
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
    /// Steps in growing order, and one value more than there are steps.
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
        if !self.boundaries.is_sorted() {
            bail!("the boundaries {:?} do not grow", self.boundaries);
        }
        self.values.iter().try_for_each(|v| within("values", *v, 0.0, f64::MAX))
    }
}

/// From the initial rate to `end_learning_rate` in `decay_steps` steps, by a power of the part that
/// is left.
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

    /// Begins anew at the end: with a rate that would end there after a multiple of `decay_steps`.
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
                // The first round, also for step 0.
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

/// Down half a wave of the cosine in `decay_steps` steps, after warming up along a line if asked
/// for.
///
/// Keras: `keras.optimizers.schedules.CosineDecay`. Loshchilov and Hutter, 2016 (arXiv:1608.03983).
///
/// ```
/// use extype::prelude::*;
/// use extype::train::{CosineDecay, Schedule};
/// let rate = CosineDecay::new(0.0, 100.0).warmup(10.0, 1.0);
/// for (step, wanted) in [(0i64, 0.0f32), (5, 0.5), (10, 1.0), (60, 0.5), (110, 0.0)] {
///     assert!((rate.rate(&scalar(step))?.item::<f32>()? - wanted).abs() < 1e-6);
/// }
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CosineDecay {
    initial: f64,
    steps: f64,
    alpha: f64,
    /// Steps to warm up, and the rate then.
    warmup: Option<(f64, f64)>,
}

impl CosineDecay {
    /// A decay to zero.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{CosineDecay, Schedule};
    /// let rate = CosineDecay::new(1.0, 10.0);
    /// assert!((rate.rate(&scalar(5i64))?.item::<f32>()? - 0.5).abs() < 1e-6);
    /// assert_eq!(rate.rate(&scalar(10i64))?.item::<f32>()?, 0.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(initial_learning_rate: f64, decay_steps: f64) -> Self {
        Self { initial: initial_learning_rate, steps: decay_steps, alpha: 0.0, warmup: None }
    }

    /// The part of the rate that stays at the end; 0 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{CosineDecay, Schedule};
    /// let rate = CosineDecay::new(2.0, 10.0).alpha(0.25);
    /// assert_eq!(rate.rate(&scalar(10i64))?.item::<f32>()?, 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> Self {
        self.alpha = alpha;
        self
    }

    /// Goes from the initial rate to `target` in so many steps first, and decays from there.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{CosineDecay, Schedule};
    /// let rate = CosineDecay::new(0.0, 100.0).warmup(10.0, 1.0);
    /// assert_eq!(rate.rate(&scalar(5i64))?.item::<f32>()?, 0.5);
    /// assert_eq!(rate.rate(&scalar(10i64))?.item::<f32>()?, 1.0);
    /// assert_eq!(rate.rate(&scalar(110i64))?.item::<f32>()?, 0.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn warmup(mut self, steps: f64, target: f64) -> Self {
        self.warmup = Some((steps, target));
        self
    }

    fn decay(&self, from: f64, step: &Tensor) -> Result<Tensor> {
        let part = ops::div(&step.minimum(self.steps)?, self.steps)?;
        ops::mul(&half_wave(&part, self.alpha, &Tensor::scalar(1.0f32))?, from)
    }
}

impl Schedule for CosineDecay {
    fn rate(&self, step: &Tensor) -> Result<Tensor> {
        self.check()?;
        let step = step.cast(DType::F32)?;
        match self.warmup {
            Some((steps, target)) if steps > 0.0 => {
                let warm = between(self.initial, target, &ops::div(&step, steps)?)?;
                let decayed = self.decay(target, &ops::sub(&step, steps)?)?;
                ops::select(&step.less(steps)?, &warm, &decayed)
            }
            Some((_, target)) => self.decay(target, &step),
            None => self.decay(self.initial, &step),
        }
    }

    fn check(&self) -> Result<()> {
        check_start(self.initial, "decay_steps", self.steps)?;
        within("alpha", self.alpha, 0.0, f64::MAX)?;
        let Some((steps, target)) = self.warmup else { return Ok(()) };
        within("warmup_steps", steps, 0.0, f64::MAX)?;
        within("warmup_target", target, 0.0, f64::MAX)
    }
}

/// Waves of the cosine one after the other, each `t_mul` times as long and `m_mul` times as high as
/// the last.
///
/// Keras: `keras.optimizers.schedules.CosineDecayRestarts`. Loshchilov and Hutter, 2016
/// (arXiv:1608.03983).
#[derive(Clone, Debug)]
pub struct CosineDecayRestarts {
    initial: f64,
    steps: f64,
    t_mul: f64,
    m_mul: f64,
    alpha: f64,
}

impl CosineDecayRestarts {
    /// Waves twice as long as the last and of one height.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{CosineDecayRestarts, Schedule};
    /// let rate = CosineDecayRestarts::new(1.0, 10.0);
    /// // Waves of 10, 20 and 40 steps.
    /// for (step, wanted) in [(0i64, 1.0f32), (5, 0.5), (10, 1.0), (20, 0.5), (30, 1.0)] {
    ///     assert!((rate.rate(&scalar(step))?.item::<f32>()? - wanted).abs() < 1e-5);
    /// }
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(initial_learning_rate: f64, first_decay_steps: f64) -> Self {
        Self {
            initial: initial_learning_rate,
            steps: first_decay_steps,
            t_mul: 2.0,
            m_mul: 1.0,
            alpha: 0.0,
        }
    }

    /// How much longer each wave is; 2 by default. Below 1 the waves get shorter and shorter: from step
    /// `first_decay_steps / (1 - t_mul)` on there is none, and the rate is NaN.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{CosineDecayRestarts, Schedule};
    /// let rate = CosineDecayRestarts::new(1.0, 10.0).t_mul(1.0);
    /// assert_eq!(rate.rate(&scalar(20i64))?.item::<f32>()?, 1.0);
    /// assert!((rate.rate(&scalar(25i64))?.item::<f32>()? - 0.5).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn t_mul(mut self, t_mul: f64) -> Self {
        self.t_mul = t_mul;
        self
    }

    /// How much higher each wave is; 1 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{CosineDecayRestarts, Schedule};
    /// let rate = CosineDecayRestarts::new(1.0, 10.0).m_mul(0.5);
    /// assert_eq!(rate.rate(&scalar(10i64))?.item::<f32>()?, 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn m_mul(mut self, m_mul: f64) -> Self {
        self.m_mul = m_mul;
        self
    }

    /// The part of the rate that stays at the end of a wave; 0 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{CosineDecayRestarts, Schedule};
    /// let rate = CosineDecayRestarts::new(1.0, 10.0).alpha(0.5);
    /// assert!((rate.rate(&scalar(5i64))?.item::<f32>()? - 0.75).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> Self {
        self.alpha = alpha;
        self
    }

    /// The number of the wave, and the part of it that is over.
    fn wave(&self, part: &Tensor) -> Result<(Tensor, Tensor)> {
        if self.t_mul == 1.0 {
            let wave = part.floor()?;
            let over = ops::sub(part, &wave)?;
            return Ok((wave, over));
        }
        // The lengths are a geometric series. In float32, as Keras: where a wave ends depends on it.
        let t_mul = Tensor::scalar(self.t_mul as f32);
        let grown = ops::sub(1.0, &ops::mul(part, 1.0 - self.t_mul)?)?.log()?;
        let wave = ops::div(&grown, &t_mul.log()?)?.floor()?;
        let length = ops::pow(&t_mul, &wave)?;
        let before = ops::div(&ops::sub(1.0, &length)?, 1.0 - self.t_mul)?;
        let over = ops::div(&ops::sub(part, &before)?, &length)?;
        Ok((wave, over))
    }
}

impl Schedule for CosineDecayRestarts {
    fn rate(&self, step: &Tensor) -> Result<Tensor> {
        self.check()?;
        let part = ops::div(&step.cast(DType::F32)?, self.steps)?;
        let (wave, over) = self.wave(&part)?;
        let height = ops::pow(self.m_mul, &wave)?;
        ops::mul(&half_wave(&over, self.alpha, &height)?, self.initial)
    }

    fn check(&self) -> Result<()> {
        check_start(self.initial, "first_decay_steps", self.steps)?;
        within("t_mul", self.t_mul, f64::MIN_POSITIVE, f64::MAX)?;
        within("m_mul", self.m_mul, 0.0, f64::MAX)?;
        within("alpha", self.alpha, 0.0, f64::MAX)
    }
}
