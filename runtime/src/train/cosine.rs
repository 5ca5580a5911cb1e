//! Learning rates that follow a cosine.

use std::f64::consts::PI;

use super::rule::within;
use super::schedule::{Schedule, between, check_start};
use crate::ops::{self, methods::*};
use crate::tensor::Tensor;
use crate::types::{DType, Result};

/// Half a wave of the cosine, from 1 at 0 to `alpha` at 1.
fn half_wave(part: &Tensor, alpha: f64, height: &Tensor) -> Result<Tensor> {
    let wave = ops::add(&ops::mul(part, PI)?.cos()?, 1.0)?;
    between(alpha, 1.0, &ops::mul(&ops::mul(&wave, 0.5)?, height)?)
}

/// A rate that falls along half a cosine wave in `decay_steps` steps, after a linear warmup if there is one.
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
    /// The number of warmup steps, and the rate at their end.
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

    /// The fraction of the rate that remains at the end; 0 by default.
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

    /// Warms up first: the rate goes linearly from the initial rate to `target` in `steps` steps, and then decays.
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

/// Cosine waves one after the other, each `t_mul` times as long and `m_mul` times as high as the last.
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
    /// A schedule where each wave is twice as long as the last, and equally high.
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
    /// `first_decay_steps / (1 - t_mul)` on there are none, and the rate is NaN.
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

    /// The fraction of the rate that remains at the end of a wave; 0 by default.
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

    /// The number of the current wave, and the fraction of it that is over.
    fn wave(&self, part: &Tensor) -> Result<(Tensor, Tensor)> {
        if self.t_mul == 1.0 {
            let wave = part.floor()?;
            let over = ops::sub(part, &wave)?;
            return Ok((wave, over));
        }
        // The lengths form a geometric series. It is computed in float32 like in Keras, since that decides where a wave
        // ends.
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
