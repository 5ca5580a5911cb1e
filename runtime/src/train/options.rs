//! The options of all optimizers.

use super::Optimizer;
use super::rule::{Rule, within};
use crate::types::{Result, bail};

/// How gradients are clipped before they are used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Clip {
    Norm(f64),
    GlobalNorm(f64),
    Value(f64),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    pub(super) weight_decay: Option<f64>,
    /// Texts that occur in the names of variables without decay.
    pub(super) without_decay: Vec<String>,
    pub(super) clips: Vec<Clip>,
    pub(super) ema: Option<Ema>,
    pub(super) accumulation: Option<i64>,
}

/// A moving average of the values of variables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ema {
    pub(super) momentum: f64,
    pub(super) overwrite_every: Option<i64>,
}

impl Default for Ema {
    fn default() -> Self {
        Self { momentum: 0.99, overwrite_every: None }
    }
}

impl Options {
    pub(super) fn check(&self) -> Result<()> {
        if let Some(decay) = self.weight_decay {
            within("weight_decay", decay, 0.0, f64::MAX)?;
        }
        for clip in &self.clips {
            let (what, limit) = match clip {
                Clip::Norm(limit) => ("clipnorm", limit),
                Clip::GlobalNorm(limit) => ("global_clipnorm", limit),
                Clip::Value(limit) => ("clipvalue", limit),
            };
            super::clip::positive(what, *limit)?;
        }
        if self.clips.len() > 1 {
            bail!("give one of `clipnorm`, `global_clipnorm` and `clipvalue`: {:?}", self.clips);
        }
        if let Some(ema) = &self.ema {
            within("ema_momentum", ema.momentum, 0.0, 1.0)?;
            if ema.overwrite_every.is_some_and(|n| n < 1) {
                bail!("`ema_overwrite_frequency` is a number of steps, 1 at least");
            }
        }
        if let Some(n) = self.accumulation
            && n < 2
        {
            bail!("`gradient_accumulation_steps` is {n}; it must be 2 at least");
        }
        Ok(())
    }
}

/// The options of all optimizers. Setting one starts a new set of traces in the functions that use the optimizer.
/// Invalid values are refused when the optimizer is first used.
impl<R: Rule> Optimizer<R> {
    /// Subtracts `weight_decay * learning rate` of each value before each step (decoupled weight decay). The default is
    /// none, and 0.004 for [`AdamW`](super::AdamW).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SGD;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let tape = GradientTape::new();
    /// let (_, g) = tape.value_and_gradient(&v, || ops::mul(&v.read()?, 4.0))?;
    /// SGD::new(0.125).weight_decay(2.0).apply(&g, &v)?;
    /// assert_eq!(v.read()?.item::<f32>()?, 1.0 - 0.25 - 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn weight_decay(self, weight_decay: f64) -> Self {
        self.with(|o| o.options.weight_decay = Some(weight_decay))
    }

    /// Excludes variables from decay if their [name](crate::Variable::label) contains one of these texts: `["bias",
    /// "norm"]`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SGD;
    /// let kernel = Variable::new(scalar(1.0f32))?.name("kernel");
    /// let bias = Variable::new(scalar(1.0f32))?.name("bias");
    /// let optimizer = SGD::new(0.5).weight_decay(0.5).exclude_from_weight_decay(["bias"]);
    /// let none = Some(scalar(0.0f32));
    /// optimizer.apply_gradients([(none.clone(), kernel.clone()), (none, bias.clone())])?;
    /// assert_eq!(kernel.read()?.item::<f32>()?, 0.75);
    /// assert_eq!(bias.read()?.item::<f32>()?, 1.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn exclude_from_weight_decay<'a>(self, names: impl IntoIterator<Item = &'a str>) -> Self {
        self.with(|o| o.options.without_decay.extend(names.into_iter().map(str::to_owned)))
    }

    /// Scales the gradient of each variable down to this norm if its norm is larger.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SGD;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let tape = GradientTape::new();
    /// let (_, g) = tape.value_and_gradient(&v, || ops::mul(&v.read()?, 4.0))?;
    /// SGD::new(1.0).clipnorm(1.0).apply(&g, &v)?;
    /// assert!(v.read()?.item::<f32>()?.abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn clipnorm(self, norm: f64) -> Self {
        self.with(|o| o.options.clips.push(Clip::Norm(norm)))
    }

    /// Scales all gradients down together so that their common norm is at most this.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SGD;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let tape = GradientTape::new();
    /// let (_, g) = tape.value_and_gradient(&v, || ops::mul(&v.read()?, 4.0))?;
    /// SGD::new(1.0).global_clipnorm(1.0).apply(&g, &v)?;
    /// assert!(v.read()?.item::<f32>()?.abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn global_clipnorm(self, norm: f64) -> Self {
        self.with(|o| o.options.clips.push(Clip::GlobalNorm(norm)))
    }

    /// Clips every element of a gradient to the range from `-value` to `value`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SGD;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let tape = GradientTape::new();
    /// let (_, g) = tape.value_and_gradient(&v, || ops::mul(&v.read()?, 4.0))?;
    /// SGD::new(1.0).clipvalue(1.0).apply(&g, &v)?;
    /// assert!(v.read()?.item::<f32>()?.abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn clipvalue(self, value: f64) -> Self {
        self.with(|o| o.options.clips.push(Clip::Value(value)))
    }

    /// Keeps a moving average of the values of each variable: `ema_momentum * average +
    /// (1 - ema_momentum) * value` after each step.
    /// [`finalize_variable_values`](Self::finalize_variable_values) puts the averages in place.
    ///
    /// The first step sets the average to the value.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SGD;
    /// let (optimizer, v) = (SGD::new(0.5).use_ema(), Variable::new(scalar(1.0f32))?);
    /// for _ in 0..2 {
    ///     optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// }
    /// // The values were 0 and -1.
    /// let average = optimizer.slot("average", &v).unwrap().read()?;
    /// assert!((average.item::<f32>()? + 0.01).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn use_ema(self) -> Self {
        self.with(|o| o.options.ema = Some(o.options.ema.unwrap_or_default()))
    }

    /// The fraction of the average that is kept, 0.99 by default; turns on [`use_ema`](Self::use_ema).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SGD;
    /// let (optimizer, v) = (SGD::new(0.5).ema_momentum(0.75), Variable::new(scalar(1.0f32))?);
    /// for _ in 0..2 {
    ///     optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// }
    /// // The values were 0 and -1.
    /// assert_eq!(optimizer.slot("average", &v).unwrap().read()?.item::<f32>()?, -0.25);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn ema_momentum(self, momentum: f64) -> Self {
        self.with(|o| o.options.ema.get_or_insert_default().momentum = momentum)
    }

    /// Replaces the values by the averages every `steps` steps; turns on [`use_ema`](Self::use_ema).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SGD;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let optimizer = SGD::new(0.5).ema_momentum(0.5).ema_overwrite_frequency(2);
    /// for _ in 0..2 {
    ///     optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// }
    /// // The average of 0 and -1 in the place of -1.
    /// assert_eq!(v.read()?.item::<f32>()?, -0.5);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn ema_overwrite_frequency(self, steps: i64) -> Self {
        self.with(|o| o.options.ema.get_or_insert_default().overwrite_every = Some(steps))
    }

    /// Sums up gradients and changes variables only at every `steps`th step, by the mean of the gradients. A schedule
    /// counts every step.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SGD;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let tape = GradientTape::new();
    /// let (_, g) = tape.value_and_gradient(&v, || ops::mul(&v.read()?, 4.0))?;
    /// let optimizer = SGD::new(0.25).gradient_accumulation_steps(2);
    /// optimizer.apply(&g, &v)?;
    /// assert_eq!(v.read()?.item::<f32>()?, 1.0);
    /// optimizer.apply(&g, &v)?;
    /// assert_eq!(v.read()?.item::<f32>()?, 0.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn gradient_accumulation_steps(self, steps: i64) -> Self {
        self.with(|o| o.options.accumulation = Some(steps))
    }
}
