//! Follow the regularized leader.

use crate::ops::{self, methods::*};
use crate::tensor::Tensor;
use crate::train::rule::{Parameter, Rule, Slot, Step, Update, within};
use crate::train::{LearningRate, Optimizer};
use crate::types::Result;

const LINEAR: Slot = Slot::zeros("linear");

/// Follow the regularized leader: each step solves a problem with penalties, which makes many values zero.
///
/// `n = a + g²; l += g + 2 * shrinkage * v - (n^-p - a^-p) / rate * v;
/// v = (clip(l, -l1, l1) - l) / (n^-p / rate + 2 * (l2 + beta / (2 * rate))); a = n`, where `p` is
/// the power of the learning rate.
///
/// Keras: `keras.optimizers.Ftrl`. McMahan and others, 2013.
pub type Ftrl = Optimizer<FtrlRule>;

/// The rule of [`Ftrl`].
#[derive(Clone, Debug)]
pub struct FtrlRule {
    power: f64,
    initial: f64,
    l1: f64,
    l2: f64,
    shrinkage: f64,
    beta: f64,
}

impl Ftrl {
    /// The optimizer without penalties, with sums that begin with 0.1.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Ftrl;
    /// let v = Variable::new(scalar(0.0f32))?;
    /// Ftrl::new(0.5).apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert!((v.read()?.item::<f32>()? + 1.0 / 4.1f32.sqrt()).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(learning_rate: impl Into<LearningRate>) -> Self {
        let rule =
            FtrlRule { power: -0.5, initial: 0.1, l1: 0.0, l2: 0.0, shrinkage: 0.0, beta: 0.0 };
        Self::of(rule, learning_rate)
    }

    /// How the learning rate falls with the sums: -0.5 by default, 0 for not at all.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Ftrl;
    /// let v = Variable::new(scalar(0.0f32))?;
    /// let optimizer = Ftrl::new(0.5).learning_rate_power(0.0);
    /// optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert_eq!(v.read()?.item::<f32>()?, -1.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn learning_rate_power(self, power: f64) -> Self {
        self.with(|o| o.rule.power = power)
    }

    /// The initial value of the sums of squares; 0.1 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Ftrl;
    /// let v = Variable::new(scalar(0.0f32))?;
    /// let optimizer = Ftrl::new(0.75).initial_accumulator_value(5.0);
    /// optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// // The root of 5 + 4 is 3.
    /// assert_eq!(v.read()?.item::<f32>()?, -0.5);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn initial_accumulator_value(self, value: f64) -> Self {
        self.with(|o| o.rule.initial = value)
    }

    /// The penalty on absolute values; none by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Ftrl;
    /// let v = Variable::new(tensor![0.0f32, 0.0])?;
    /// let optimizer = Ftrl::new(0.5).initial_accumulator_value(0.0).l1_regularization_strength(1.0);
    /// optimizer.apply_gradients([(Some(tensor![2.0f32, -0.75]), v.clone())])?;
    /// assert_eq!(v.read()?.as_slice::<f32>()?, &[-0.25, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn l1_regularization_strength(self, l1: f64) -> Self {
        self.with(|o| o.rule.l1 = l1)
    }

    /// The penalty on squares, which keeps values near zero; none by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Ftrl;
    /// let after = |optimizer: Ftrl| {
    ///     let v = Variable::new(scalar(0.0f32))?;
    ///     optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    ///     v.read()?.item::<f32>()
    /// };
    /// let optimizer = || Ftrl::new(0.5).initial_accumulator_value(0.0);
    /// assert_eq!(after(optimizer())?, -0.5);
    /// assert_eq!(after(optimizer().l2_regularization_strength(2.0))?, -0.25);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn l2_regularization_strength(self, l2: f64) -> Self {
        self.with(|o| o.rule.l2 = l2)
    }

    /// The penalty on squares that counts only where there is a gradient; none by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Ftrl;
    /// let after = |optimizer: Ftrl| {
    ///     let v = Variable::new(scalar(1.0f32))?;
    ///     optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    ///     v.read()?.item::<f32>()
    /// };
    /// let optimizer = || Ftrl::new(0.5).initial_accumulator_value(0.0);
    /// assert_eq!(after(optimizer())?, 0.5);
    /// assert_eq!(after(optimizer().l2_shrinkage_regularization_strength(0.5))?, 0.25);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn l2_shrinkage_regularization_strength(self, shrinkage: f64) -> Self {
        self.with(|o| o.rule.shrinkage = shrinkage)
    }

    /// The beta of the paper; 0 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Ftrl;
    /// let after = |optimizer: Ftrl| {
    ///     let v = Variable::new(scalar(0.0f32))?;
    ///     optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    ///     v.read()?.item::<f32>()
    /// };
    /// let optimizer = || Ftrl::new(0.5).initial_accumulator_value(0.0);
    /// assert_eq!(after(optimizer())?, -0.5);
    /// assert_eq!(after(optimizer().beta(2.0))?, -0.25);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn beta(self, beta: f64) -> Self {
        self.with(|o| o.rule.beta = beta)
    }
}

impl FtrlRule {
    fn accumulator(&self) -> Slot {
        Slot::filled("accumulator", self.initial)
    }

    /// The sum of squares to the power by which the learning rate falls.
    fn fall(&self, sum: &Tensor) -> Result<Tensor> {
        // The root is faster than the power, and it is what Keras computes.
        if self.power == -0.5 { sum.sqrt() } else { ops::pow(sum, -self.power) }
    }
}

impl Rule for FtrlRule {
    fn name(&self) -> &'static str {
        "ftrl"
    }

    fn check(&self) -> Result<()> {
        within("learning_rate_power", self.power, -f64::MAX, 0.0)?;
        within("initial_accumulator_value", self.initial, 0.0, f64::MAX)?;
        within("l1_regularization_strength", self.l1, 0.0, f64::MAX)?;
        within("l2_regularization_strength", self.l2, 0.0, f64::MAX)?;
        within("l2_shrinkage_regularization_strength", self.shrinkage, 0.0, f64::MAX)?;
        within("beta", self.beta, 0.0, f64::MAX)
    }

    fn slots(&self) -> Vec<Slot> {
        vec![self.accumulator(), LINEAR]
    }

    fn begin(&self, step: &Step) -> Result<Update<'_>> {
        let inverse = step.rate().reciprocal()?;
        let penalty = step.fit(&ops::add(&ops::mul(&inverse, self.beta)?, 2.0 * self.l2)?)?;
        let inverse = step.fit(&inverse)?;
        Ok(Box::new(move |p: &Parameter<'_>| {
            let (accumulator, g, value) = (self.accumulator(), p.gradient(), p.value()?);
            let before = p.read(&accumulator)?;
            let sum = ops::add(&before, &g.square()?)?;
            p.write(&accumulator, &sum)?;
            let fall = self.fall(&sum)?;
            let fallen = ops::mul(&ops::sub(&fall, &self.fall(&before)?)?, &inverse)?;
            let shrunk = match self.shrinkage {
                0.0 => g.clone(),
                shrinkage => ops::add(g, &ops::mul(&value, 2.0 * shrinkage)?)?,
            };
            let change = ops::sub(&shrunk, &ops::mul(&fallen, &value)?)?;
            let linear = ops::add(&p.read(&LINEAR)?, &change)?;
            p.write(&LINEAR, &linear)?;
            let quadratic = ops::add(&ops::mul(&fall, &inverse)?, &penalty)?;
            let clipped = ops::clip_by_value(&linear, -self.l1, self.l1)?;
            p.replace(&ops::div(&ops::sub(&clipped, &linear)?, &quadratic)?)
        }))
    }
}
