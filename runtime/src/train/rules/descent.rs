//! Steps along the gradient, or its sign.

use crate::ops::{self, IndexedSlices, methods::*};
use crate::tensor::Variable;
use crate::train::rule::{Parameter, Rule, SlicesUpdate, Slot, Step, Update, within};
use crate::train::{LearningRate, Optimizer};
use crate::types::Result;

const MOMENTUM: Slot = Slot::zeros("momentum");

/// Gradient descent, with optional momentum.
///
/// `v -= rate * g`; with momentum `m = momentum * m - rate * g; v += m`, and by Nesterov
/// `v += momentum * m - rate * g`.
///
/// Keras: `keras.optimizers.SGD`.
///
/// ```
/// use extype::prelude::*;
/// use extype::train::SGD;
/// let v = Variable::new(scalar(1.0f32))?;
/// SGD::new(0.1).momentum(0.9).apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
/// assert_eq!(v.read()?.item::<f32>()?, 0.8);
/// # Ok::<(), Error>(())
/// ```
pub type SGD = Optimizer<SGDRule>;

/// The rule of [`SGD`].
#[derive(Clone, Debug, Default)]
pub struct SGDRule {
    momentum: f64,
    nesterov: bool,
}

impl SGD {
    /// The optimizer without momentum.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SGD;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// SGD::new(0.25).apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert_eq!(v.read()?.item::<f32>()?, 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(learning_rate: impl Into<LearningRate>) -> Self {
        Self::of(SGDRule::default(), learning_rate)
    }

    /// The fraction of the last change that each change starts with, from 0 (the default) to 1.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SGD;
    /// let (optimizer, v) = (SGD::new(0.25).momentum(0.5), Variable::new(scalar(1.0f32))?);
    /// for gradient in [2.0f32, 0.0] {
    ///     optimizer.apply_gradients([(Some(scalar(gradient)), v.clone())])?;
    /// }
    /// assert_eq!(v.read()?.item::<f32>()?, 1.0 - 0.5 - 0.25);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn momentum(self, momentum: f64) -> Self {
        self.with(|o| o.rule.momentum = momentum)
    }

    /// Nesterov's momentum, which looks a step ahead.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SGD;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let optimizer = SGD::new(0.25).momentum(0.5).nesterov();
    /// optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert_eq!(v.read()?.item::<f32>()?, 1.0 - 0.5 - 0.25);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn nesterov(self) -> Self {
        self.with(|o| o.rule.nesterov = true)
    }
}

impl Rule for SGDRule {
    fn name(&self) -> &'static str {
        "sgd"
    }

    fn check(&self) -> Result<()> {
        within("momentum", self.momentum, 0.0, 1.0)
    }

    fn slots(&self) -> Vec<Slot> {
        if self.momentum == 0.0 { Vec::new() } else { vec![MOMENTUM] }
    }

    fn begin(&self, step: &Step) -> Result<Update<'_>> {
        let rate = step.fit(step.rate())?;
        Ok(Box::new(move |p: &Parameter<'_>| {
            let change = ops::mul(p.gradient(), &rate)?;
            if self.momentum == 0.0 {
                return p.subtract(&change);
            }
            // The momentum has the sign of the change, not of the gradient.
            let kept = ops::mul(&p.read(&MOMENTUM)?, self.momentum)?;
            let moved = ops::sub(&kept, &change)?;
            p.write(&MOMENTUM, &moved)?;
            match self.nesterov {
                true => p.subtract(&ops::sub(&change, &ops::mul(&moved, self.momentum)?)?),
                false => p.replace(&ops::add(&p.value()?, &moved)?),
            }
        }))
    }

    fn begin_slices(&self, step: &Step) -> Result<Option<SlicesUpdate<'_>>> {
        if self.momentum != 0.0 {
            return Ok(None);
        }
        let rate = step.fit(step.rate())?;
        Ok(Some(Box::new(move |variable: &Variable, gradient: &IndexedSlices| {
            variable.scatter_sub(&gradient.map_values(|g| ops::mul(g, &rate))?)
        })))
    }
}

/// Steps of the size of the learning rate, in the direction of the sign of a moving average.
///
/// `v -= rate * sign(beta_1 * m + (1 - beta_1) * g); m = beta_2 * m + (1 - beta_2) * g`
///
/// Keras: `keras.optimizers.Lion`. Chen and others, 2023 (arXiv:2302.06675).
pub type Lion = Optimizer<LionRule>;

/// The rule of [`Lion`].
#[derive(Clone, Debug)]
pub struct LionRule {
    beta_1: f64,
    beta_2: f64,
}

impl Lion {
    /// The optimizer with decays of 0.9 and 0.99.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Lion;
    /// let v = Variable::new(tensor![1.0f32, 1.0])?;
    /// Lion::new(0.25).apply_gradients([(Some(tensor![100.0f32, -0.5]), v.clone())])?;
    /// assert_eq!(v.read()?.as_slice::<f32>()?, &[0.75, 1.25]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(learning_rate: impl Into<LearningRate>) -> Self {
        Self::of(LionRule { beta_1: 0.9, beta_2: 0.99 }, learning_rate)
    }

    /// The fraction of the average in each change; 0.9 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Lion;
    /// let after = |optimizer: Lion| {
    ///     let v = Variable::new(scalar(1.0f32))?;
    ///     optimizer.apply_gradients([(Some(scalar(1.0f32)), v.clone())])?;
    ///     optimizer.apply_gradients([(Some(scalar(-0.5f32)), v.clone())])?;
    ///     v.read()?.item::<f32>()
    /// };
    /// // The second step is against the average of before, or with it.
    /// assert_eq!(after(Lion::new(0.25).beta_2(0.5).beta_1(0.25))?, 1.0);
    /// assert_eq!(after(Lion::new(0.25).beta_2(0.5).beta_1(0.75))?, 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn beta_1(self, beta_1: f64) -> Self {
        self.with(|o| o.rule.beta_1 = beta_1)
    }

    /// The fraction of the average that is kept after each change; 0.99 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Lion;
    /// let (optimizer, v) = (Lion::new(0.25).beta_2(0.5), Variable::new(scalar(1.0f32))?);
    /// optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert_eq!(optimizer.slot("momentum", &v).unwrap().read()?.item::<f32>()?, 1.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn beta_2(self, beta_2: f64) -> Self {
        self.with(|o| o.rule.beta_2 = beta_2)
    }
}

impl Rule for LionRule {
    fn name(&self) -> &'static str {
        "lion"
    }

    fn check(&self) -> Result<()> {
        // With 0 the direction would not use the average at all.
        within("beta_1", self.beta_1, f64::MIN_POSITIVE, 1.0)?;
        within("beta_2", self.beta_2, 0.0, 1.0)
    }

    fn slots(&self) -> Vec<Slot> {
        vec![MOMENTUM]
    }

    fn begin(&self, step: &Step) -> Result<Update<'_>> {
        let rate = step.fit(step.rate())?;
        Ok(Box::new(move |p: &Parameter<'_>| {
            let (m, g) = (p.read(&MOMENTUM)?, p.gradient());
            let mixed = |beta: f64| ops::add(&ops::mul(&m, beta)?, &ops::mul(g, 1.0 - beta)?);
            p.subtract(&ops::mul(&mixed(self.beta_1)?.sign()?, &rate)?)?;
            p.write(&MOMENTUM, &mixed(self.beta_2)?)
        }))
    }
}
