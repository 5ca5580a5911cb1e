//! Rules that divide the gradient by its size: the recent size, or the size so far.

use crate::ops::{self, methods::*};
use crate::tensor::Tensor;
use crate::train::rule::{Parameter, Rule, Slot, Step, Update, mix, within};
use crate::train::{LearningRate, Optimizer};
use crate::types::Result;

const VELOCITY: Slot = Slot::zeros("velocity");
const MOMENTUM: Slot = Slot::zeros("momentum");
const AVERAGE_GRADIENT: Slot = Slot::zeros("average_gradient");
const ACCUMULATED_GRAD: Slot = Slot::zeros("accumulated_grad");
const ACCUMULATED_DELTA_VAR: Slot = Slot::zeros("accumulated_delta_var");

/// `√(x + epsilon)`.
fn root(x: &Tensor, epsilon: f64) -> Result<Tensor> {
    ops::add(x, epsilon)?.sqrt()
}

/// The gradient, divided by the root of a moving average of its square.
///
/// `u = rho * u + (1 - rho) * g²; v -= rate * g / √(u + epsilon)`. With momentum: `m = momentum * m + rate * g / √(u +
/// epsilon); v -= m`. If centered, the square of the average gradient is first subtracted from `u`.
///
/// Keras: `keras.optimizers.RMSprop`. Hinton, 2012.
pub type RMSprop = Optimizer<RMSpropRule>;

/// The rule of [`RMSprop`].
#[derive(Clone, Debug)]
pub struct RMSpropRule {
    rho: f64,
    momentum: f64,
    epsilon: f64,
    centered: bool,
}

impl RMSprop {
    /// The optimizer with a decay of 0.9 and no momentum.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::RMSprop;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// RMSprop::new(0.1).apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert!((v.read()?.item::<f32>()? - (1.0 - 0.1 / 0.1f32.sqrt())).abs() < 1e-5);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(learning_rate: impl Into<LearningRate>) -> Self {
        let rule = RMSpropRule { rho: 0.9, momentum: 0.0, epsilon: 1e-7, centered: false };
        Self::of(rule, learning_rate)
    }

    /// The fraction of the average that is kept at each step; 0.9 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::RMSprop;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// RMSprop::new(0.25).rho(0.75).apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// // The average is a quarter of 4.
    /// assert!((v.read()?.item::<f32>()? - 0.5).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn rho(self, rho: f64) -> Self {
        self.with(|o| o.rule.rho = rho)
    }

    /// The fraction of the last change that each change starts with; none by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::RMSprop;
    /// let (optimizer, v) = (RMSprop::new(0.25).rho(0.75).momentum(0.5), Variable::new(scalar(1.0f32))?);
    /// for gradient in [2.0f32, 0.0] {
    ///     optimizer.apply_gradients([(Some(scalar(gradient)), v.clone())])?;
    /// }
    /// assert!((v.read()?.item::<f32>()? - (1.0 - 0.5 - 0.25)).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn momentum(self, momentum: f64) -> Self {
        self.with(|o| o.rule.momentum = momentum)
    }

    /// Added to the average before its root; 1e-7 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::RMSprop;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let optimizer = RMSprop::new(0.25).rho(0.75).epsilon(3.0);
    /// optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// // The average is 1, and 2 is the root of 1 + 3.
    /// assert_eq!(v.read()?.item::<f32>()?, 0.75);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn epsilon(self, epsilon: f64) -> Self {
        self.with(|o| o.rule.epsilon = epsilon)
    }

    /// Divides by the estimated variance of the gradient instead of its mean square.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::RMSprop;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let optimizer = RMSprop::new(0.25).rho(0.75).centered();
    /// optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// // The averages of the gradient and its square are 0.5 and 1.
    /// assert!((v.read()?.item::<f32>()? - (1.0 - 0.5 / 0.75f32.sqrt())).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn centered(self) -> Self {
        self.with(|o| o.rule.centered = true)
    }
}

impl Rule for RMSpropRule {
    fn name(&self) -> &'static str {
        "rmsprop"
    }

    fn check(&self) -> Result<()> {
        within("rho", self.rho, 0.0, 1.0)?;
        within("momentum", self.momentum, 0.0, 1.0)?;
        within("epsilon", self.epsilon, 0.0, f64::MAX)
    }

    fn slots(&self) -> Vec<Slot> {
        let mut slots = vec![VELOCITY];
        slots.extend((self.momentum > 0.0).then_some(MOMENTUM));
        slots.extend(self.centered.then_some(AVERAGE_GRADIENT));
        slots
    }

    fn begin(&self, step: &Step) -> Result<Update<'_>> {
        let rate = step.fit(step.rate())?;
        Ok(Box::new(move |p: &Parameter<'_>| {
            let g = p.gradient();
            let mut size = mix(p, &VELOCITY, self.rho, &g.square()?)?;
            if self.centered {
                let average = mix(p, &AVERAGE_GRADIENT, self.rho, g)?;
                size = ops::sub(&size, &average.square()?)?;
            }
            let mut change = ops::div(&ops::mul(g, &rate)?, &root(&size, self.epsilon)?)?;
            if self.momentum > 0.0 {
                change = ops::add(&ops::mul(&p.read(&MOMENTUM)?, self.momentum)?, &change)?;
                p.write(&MOMENTUM, &change)?;
            }
            p.subtract(&change)
        }))
    }
}

/// The gradient, divided by the root of the sum of its squares so far.
///
/// `a += g²; v -= rate * g / √(a + epsilon)`
///
/// Keras: `keras.optimizers.Adagrad`. Duchi and others, 2011.
pub type Adagrad = Optimizer<AdagradRule>;

/// The rule of [`Adagrad`].
#[derive(Clone, Debug)]
pub struct AdagradRule {
    initial: f64,
    epsilon: f64,
}

impl Adagrad {
    /// The optimizer with sums that begin with 0.1.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Adagrad;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// Adagrad::new(0.5).apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert!((v.read()?.item::<f32>()? - (1.0 - 1.0 / 4.1f32.sqrt())).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(learning_rate: impl Into<LearningRate>) -> Self {
        Self::of(AdagradRule { initial: 0.1, epsilon: 1e-7 }, learning_rate)
    }

    /// The initial value of the sums; 0.1 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Adagrad;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let optimizer = Adagrad::new(0.75).initial_accumulator_value(5.0);
    /// optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// // The root of 5 + 4 is 3.
    /// assert_eq!(v.read()?.item::<f32>()?, 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn initial_accumulator_value(self, value: f64) -> Self {
        self.with(|o| o.rule.initial = value)
    }

    /// Added to the sum before its root; 1e-7 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Adagrad;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let optimizer = Adagrad::new(0.75).initial_accumulator_value(0.0).epsilon(5.0);
    /// optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// // The root of 4 + 5 is 3.
    /// assert_eq!(v.read()?.item::<f32>()?, 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn epsilon(self, epsilon: f64) -> Self {
        self.with(|o| o.rule.epsilon = epsilon)
    }
}

impl AdagradRule {
    fn accumulator(&self) -> Slot {
        Slot::filled("accumulator", self.initial)
    }
}

impl Rule for AdagradRule {
    fn name(&self) -> &'static str {
        "adagrad"
    }

    fn check(&self) -> Result<()> {
        within("initial_accumulator_value", self.initial, 0.0, f64::MAX)?;
        within("epsilon", self.epsilon, 0.0, f64::MAX)
    }

    fn slots(&self) -> Vec<Slot> {
        vec![self.accumulator()]
    }

    fn begin(&self, step: &Step) -> Result<Update<'_>> {
        let rate = step.fit(step.rate())?;
        Ok(Box::new(move |p: &Parameter<'_>| {
            let (slot, g) = (self.accumulator(), p.gradient());
            let sum = ops::add(&p.read(&slot)?, &g.square()?)?;
            p.write(&slot, &sum)?;
            p.subtract(&ops::div(&ops::mul(g, &rate)?, &root(&sum, self.epsilon)?)?)
        }))
    }
}

/// The gradient, scaled by the recent size of changes divided by the recent size of gradients.
///
/// `a = rho * a + (1 - rho) * g²; d = g * √(c + epsilon) / √(a + epsilon);
/// c = rho * c + (1 - rho) * d²; v -= rate * d`
///
/// Keras: `keras.optimizers.Adadelta`. Zeiler, 2012 (arXiv:1212.5701).
pub type Adadelta = Optimizer<AdadeltaRule>;

/// The rule of [`Adadelta`].
#[derive(Clone, Debug)]
pub struct AdadeltaRule {
    rho: f64,
    epsilon: f64,
}

impl Adadelta {
    /// The optimizer with a decay of 0.95.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Adadelta;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// Adadelta::new(1.0).apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// // The first steps are small: nothing changed before.
    /// assert!((0.99..1.0).contains(&v.read()?.item::<f32>()?));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(learning_rate: impl Into<LearningRate>) -> Self {
        Self::of(AdadeltaRule { rho: 0.95, epsilon: 1e-7 }, learning_rate)
    }

    /// The fraction of the averages that is kept at each step; 0.95 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Adadelta;
    /// let (optimizer, v) = (Adadelta::new(1.0).rho(0.75), Variable::new(scalar(1.0f32))?);
    /// optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert_eq!(optimizer.slot("accumulated_grad", &v).unwrap().read()?.item::<f32>()?, 1.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn rho(self, rho: f64) -> Self {
        self.with(|o| o.rule.rho = rho)
    }

    /// Added to the averages before their roots; 1e-7 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Adadelta;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let optimizer = Adadelta::new(0.5).rho(0.25).epsilon(1.0);
    /// optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// // The gradient times the root of 0 + 1, over that of 3 + 1.
    /// assert_eq!(v.read()?.item::<f32>()?, 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn epsilon(self, epsilon: f64) -> Self {
        self.with(|o| o.rule.epsilon = epsilon)
    }
}

impl Rule for AdadeltaRule {
    fn name(&self) -> &'static str {
        "adadelta"
    }

    fn check(&self) -> Result<()> {
        within("rho", self.rho, 0.0, 1.0)?;
        within("epsilon", self.epsilon, 0.0, f64::MAX)
    }

    fn slots(&self) -> Vec<Slot> {
        vec![ACCUMULATED_GRAD, ACCUMULATED_DELTA_VAR]
    }

    fn begin(&self, step: &Step) -> Result<Update<'_>> {
        let rate = step.fit(step.rate())?;
        Ok(Box::new(move |p: &Parameter<'_>| {
            let g = p.gradient();
            let size = root(&mix(p, &ACCUMULATED_GRAD, self.rho, &g.square()?)?, self.epsilon)?;
            let scale = root(&p.read(&ACCUMULATED_DELTA_VAR)?, self.epsilon)?;
            let change = ops::div(&ops::mul(&scale, g)?, &size)?;
            let _ = mix(p, &ACCUMULATED_DELTA_VAR, self.rho, &change.square()?)?;
            p.subtract(&ops::mul(&change, &rate)?)
        }))
    }
}
