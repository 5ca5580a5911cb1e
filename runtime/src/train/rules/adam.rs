//! Adam and its variants: a moving average of the gradient, divided by one of its size.

use crate::ops::{self, methods::*};
use crate::tensor::Tensor;
use crate::train::rule::{Parameter, Rule, Slot, Step, Update, approach, within};
use crate::train::{LearningRate, Optimizer};
use crate::types::{Result, bail};

const MOMENTUM: Slot = Slot::zeros("momentum");
const VELOCITY: Slot = Slot::zeros("velocity");
const VELOCITY_HAT: Slot = Slot::zeros("velocity_hat");
const NORM: Slot = Slot::zeros("norm");
const U_PRODUCT: Slot = Slot::filled("u_product", 1.0);

/// The weight decay of [`AdamW`] if none is given.
const DECOUPLED_DECAY: f64 = 0.004;

/// The settings of the optimizers in this family.
#[derive(Clone, Debug)]
struct Betas {
    beta_1: f64,
    beta_2: f64,
    epsilon: f64,
}

impl Default for Betas {
    fn default() -> Self {
        Self { beta_1: 0.9, beta_2: 0.999, epsilon: 1e-7 }
    }
}

impl Betas {
    fn check(&self) -> Result<()> {
        for (what, beta) in [("beta_1", self.beta_1), ("beta_2", self.beta_2)] {
            within(what, beta, 0.0, 1.0)?;
            if beta == 1.0 {
                bail!(
                    "`{what}` is 1; it must be less: an average of nothing is divided by nothing"
                );
            }
        }
        within("epsilon", self.epsilon, 0.0, f64::MAX)
    }

    /// Updates and returns the moving average of the gradient.
    fn momentum(&self, p: &Parameter<'_>) -> Result<Tensor> {
        approach(p, &MOMENTUM, p.gradient(), 1.0 - self.beta_1)
    }

    /// Updates and returns the moving average of the squared gradient.
    fn velocity(&self, p: &Parameter<'_>) -> Result<Tensor> {
        approach(p, &VELOCITY, &p.gradient().square()?, 1.0 - self.beta_2)
    }
}

/// A rule with [`Betas`].
trait HasBetas {
    fn betas(&mut self) -> &mut Betas;
}

macro_rules! betas {
    ($(impl($($g:tt)*) $rule:ty as $name:literal, $size:literal;)*) => {$(
        impl<$($g)*> HasBetas for $rule {
            fn betas(&mut self) -> &mut Betas {
                &mut self.betas
            }
        }

        impl<$($g)*> Optimizer<$rule> {
            /// The fraction of the average gradient that is kept at each step; 0.9 by default.
            ///
            /// ```
            /// use extype::prelude::*;
            #[doc = concat!("use extype::train::", $name, ";")]
            #[doc = concat!("let optimizer = ", $name, "::new(0.1).beta_1(0.5);")]
            /// let v = Variable::new(scalar(1.0f32))?;
            /// optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
            /// let average = optimizer.slot("momentum", &v).unwrap().read()?;
            /// assert_eq!(average.item::<f32>()?, 1.0);
            /// # Ok::<(), Error>(())
            /// ```
            #[must_use]
            pub fn beta_1(self, beta_1: f64) -> Self {
                self.with(|o| o.rule.betas().beta_1 = beta_1)
            }

            /// The fraction of the average size that is kept at each step; 0.999 by default.
            ///
            /// ```
            /// use extype::prelude::*;
            #[doc = concat!("use extype::train::", $name, ";")]
            #[doc = concat!("let optimizer = ", $name, "::new(0.1).beta_2(0.5);")]
            /// let v = Variable::new(scalar(1.0f32))?;
            /// for gradient in [2.0f32, 0.0] {
            ///     optimizer.apply_gradients([(Some(scalar(gradient)), v.clone())])?;
            /// }
            #[doc = concat!("let size = optimizer.slot(\"", $size, "\", &v).unwrap().read()?;")]
            /// assert_eq!(size.item::<f32>()?, 1.0);
            /// # Ok::<(), Error>(())
            /// ```
            #[must_use]
            pub fn beta_2(self, beta_2: f64) -> Self {
                self.with(|o| o.rule.betas().beta_2 = beta_2)
            }

            /// Added to the size before dividing by it; 1e-7 by default.
            ///
            /// ```
            /// use extype::prelude::*;
            #[doc = concat!("use extype::train::", $name, ";")]
            #[doc = concat!("let optimizer = ", $name, "::new(0.5).epsilon(1e3);")]
            /// let v = Variable::new(scalar(1.0f32))?;
            /// optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
            /// // The step would be about a half.
            /// assert!(v.read()?.item::<f32>()? > 0.99);
            /// # Ok::<(), Error>(())
            /// ```
            #[must_use]
            pub fn epsilon(self, epsilon: f64) -> Self {
                self.with(|o| o.rule.betas().epsilon = epsilon)
            }
        }
    )*};
}
betas! {
    impl(const W: bool) AdamRule<W> as "Adam", "velocity";
    impl() AdamaxRule as "Adamax", "norm";
    impl() NadamRule as "Nadam", "velocity";
}

/// A moving average of the gradient, divided by the root of the moving average of its square. Both are corrected for
/// starting at zero.
///
/// `m += (g - m) * (1 - beta_1); u += (g² - u) * (1 - beta_2);
/// v -= rate * √(1 - beta_2ᵗ) / (1 - beta_1ᵗ) * m / (√u + epsilon)`
///
/// Keras: `keras.optimizers.Adam`. Kingma and Ba, 2014 (arXiv:1412.6980).
///
/// ```
/// use extype::prelude::*;
/// use extype::train::Adam;
/// let v = Variable::new(tensor![1.0f64, 1.0])?;
/// Adam::new(0.1).apply_gradients([(Some(tensor![5.0f64, -0.01]), v.clone())])?;
/// let v = v.read()?.to_vec::<f64>()?;
/// assert!((v[0] - 0.9).abs() < 1e-6 && (v[1] - 1.1).abs() < 1e-4);
/// # Ok::<(), Error>(())
/// ```
pub type Adam = Optimizer<AdamRule<false>>;

/// [`Adam`] with weight decay, by default 0.004.
///
/// Keras: `keras.optimizers.AdamW`. Loshchilov and Hutter, 2017 (arXiv:1711.05101).
pub type AdamW = Optimizer<AdamRule<true>>;

/// The rule of [`Adam`] and, if `DECAYS`, [`AdamW`].
#[derive(Clone, Debug, Default)]
pub struct AdamRule<const DECAYS: bool> {
    betas: Betas,
    amsgrad: bool,
}

impl Adam {
    /// The optimizer with decays of 0.9 and 0.999.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Adam;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// Adam::new(0.5).apply_gradients([(Some(scalar(100.0f32)), v.clone())])?;
    /// assert!((v.read()?.item::<f32>()? - 0.5).abs() < 1e-5);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(learning_rate: impl Into<LearningRate>) -> Self {
        Self::of(AdamRule::default(), learning_rate)
    }
}

impl AdamW {
    /// The optimizer with decays of 0.9 and 0.999, and a weight decay of 0.004.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::AdamW;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// AdamW::new(0.5).apply_gradients([(Some(scalar(0.0f32)), v.clone())])?;
    /// assert!((v.read()?.item::<f32>()? - 0.998).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(learning_rate: impl Into<LearningRate>) -> Self {
        Self::of(AdamRule::default(), learning_rate).weight_decay(DECOUPLED_DECAY)
    }
}

impl<const DECAYS: bool> Optimizer<AdamRule<DECAYS>> {
    /// Divides by the largest average so far (Reddi and others, 2018).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Adam;
    /// let (optimizer, v) = (Adam::new(0.1).beta_2(0.5).amsgrad(), Variable::new(scalar(1.0f32))?);
    /// for gradient in [2.0f32, 0.0] {
    ///     optimizer.apply_gradients([(Some(scalar(gradient)), v.clone())])?;
    /// }
    /// assert_eq!(optimizer.slot("velocity", &v).unwrap().read()?.item::<f32>()?, 1.0);
    /// assert_eq!(optimizer.slot("velocity_hat", &v).unwrap().read()?.item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn amsgrad(self) -> Self {
        self.with(|o| o.rule.amsgrad = true)
    }
}

impl<const DECAYS: bool> Rule for AdamRule<DECAYS> {
    fn name(&self) -> &'static str {
        if DECAYS { "adamw" } else { "adam" }
    }

    fn check(&self) -> Result<()> {
        self.betas.check()
    }

    fn slots(&self) -> Vec<Slot> {
        let mut slots = vec![MOMENTUM, VELOCITY];
        slots.extend(self.amsgrad.then_some(VELOCITY_HAT));
        slots
    }

    fn begin(&self, step: &Step) -> Result<Update<'_>> {
        let betas = &self.betas;
        let left = |beta| ops::sub(1.0, &step.power(beta)?);
        let rate = ops::mul(step.rate(), &left(betas.beta_2)?.sqrt()?)?;
        let rate = step.fit(&ops::div(&rate, &left(betas.beta_1)?)?)?;
        Ok(Box::new(move |p: &Parameter<'_>| {
            let m = betas.momentum(p)?;
            let mut u = betas.velocity(p)?;
            if self.amsgrad {
                u = p.read(&VELOCITY_HAT)?.maximum(&u)?;
                p.write(&VELOCITY_HAT, &u)?;
            }
            let size = ops::add(&u.sqrt()?, betas.epsilon)?;
            p.subtract(&ops::div(&ops::mul(&m, &rate)?, &size)?)
        }))
    }
}

/// [`Adam`] where the size is the largest recent gradient.
///
/// `m += (g - m) * (1 - beta_1); u = max(beta_2 * u, |g|);
/// v -= rate / (1 - beta_1ᵗ) * m / (u + epsilon)`
///
/// Keras: `keras.optimizers.Adamax`. Kingma and Ba, 2014 (arXiv:1412.6980).
pub type Adamax = Optimizer<AdamaxRule>;

/// The rule of [`Adamax`].
#[derive(Clone, Debug, Default)]
pub struct AdamaxRule {
    betas: Betas,
}

impl Adamax {
    /// The optimizer with decays of 0.9 and 0.999.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Adamax;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// Adamax::new(0.5).apply_gradients([(Some(scalar(100.0f32)), v.clone())])?;
    /// assert!((v.read()?.item::<f32>()? - 0.5).abs() < 1e-5);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(learning_rate: impl Into<LearningRate>) -> Self {
        Self::of(AdamaxRule::default(), learning_rate)
    }
}

impl Rule for AdamaxRule {
    fn name(&self) -> &'static str {
        "adamax"
    }

    fn check(&self) -> Result<()> {
        self.betas.check()
    }

    fn slots(&self) -> Vec<Slot> {
        vec![MOMENTUM, NORM]
    }

    fn begin(&self, step: &Step) -> Result<Update<'_>> {
        let betas = &self.betas;
        let left = ops::sub(1.0, &step.power(betas.beta_1)?)?;
        let rate = step.fit(&ops::div(step.rate(), &left)?)?;
        Ok(Box::new(move |p: &Parameter<'_>| {
            let m = betas.momentum(p)?;
            let u = ops::mul(&p.read(&NORM)?, betas.beta_2)?.maximum(&p.gradient().abs()?)?;
            p.write(&NORM, &u)?;
            p.subtract(&ops::div(&ops::mul(&m, &rate)?, &ops::add(&u, betas.epsilon)?)?)
        }))
    }
}

/// [`Adam`] with Nesterov's momentum, whose decay warms up.
///
/// Keras: `keras.optimizers.Nadam`. Dozat, 2016.
pub type Nadam = Optimizer<NadamRule>;

/// The rule of [`Nadam`].
#[derive(Clone, Debug, Default)]
pub struct NadamRule {
    betas: Betas,
}

impl Nadam {
    /// The optimizer with decays of 0.9 and 0.999.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Nadam;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// Nadam::new(0.5).apply_gradients([(Some(scalar(100.0f32)), v.clone())])?;
    /// assert!((v.read()?.item::<f32>()? - 0.5).abs() < 0.1);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(learning_rate: impl Into<LearningRate>) -> Self {
        Self::of(NadamRule::default(), learning_rate)
    }
}

impl NadamRule {
    /// The decay of the momentum at a step: `beta_1 * (1 - 0.96ᵗ / 2)`.
    fn decay(&self, number: &Tensor) -> Result<Tensor> {
        let warm = ops::sub(1.0, &ops::mul(&ops::pow(0.96, number)?, 0.5)?)?;
        ops::mul(&warm, self.betas.beta_1)
    }
}

impl Rule for NadamRule {
    fn name(&self) -> &'static str {
        "nadam"
    }

    fn check(&self) -> Result<()> {
        self.betas.check()
    }

    fn slots(&self) -> Vec<Slot> {
        vec![MOMENTUM, VELOCITY]
    }

    /// The product of the decays of all steps.
    fn totals(&self) -> Vec<Slot> {
        vec![U_PRODUCT]
    }

    fn advance(&self, step: &Step) -> Result<Vec<Tensor>> {
        Ok(vec![ops::mul(step.total(&U_PRODUCT)?, &self.decay(step.number())?)?])
    }

    fn begin(&self, step: &Step) -> Result<Update<'_>> {
        let betas = &self.betas;
        let left = |x: &Tensor| ops::sub(1.0, x);
        let now = self.decay(step.number())?;
        let next = self.decay(&ops::add(step.number(), 1.0)?)?;
        let product = step.total(&U_PRODUCT)?;
        let rate = step.rate();
        let of_average = ops::div(&ops::mul(rate, &next)?, &left(&ops::mul(product, &next)?)?)?;
        let of_gradient = ops::div(&ops::mul(rate, &left(&now)?)?, &left(product)?)?;
        let (of_average, of_gradient) = (step.fit(&of_average)?, step.fit(&of_gradient)?);
        let of_size = step.fit(&left(&step.power(betas.beta_2)?)?.reciprocal()?)?;
        Ok(Box::new(move |p: &Parameter<'_>| {
            let (m, u) = (betas.momentum(p)?, betas.velocity(p)?);
            let ahead =
                ops::add(&ops::mul(&m, &of_average)?, &ops::mul(p.gradient(), &of_gradient)?)?;
            let size = ops::add(&ops::mul(&u, &of_size)?.sqrt()?, betas.epsilon)?;
            p.subtract(&ops::div(&ahead, &size)?)
        }))
    }
}
