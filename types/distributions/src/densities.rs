//! Densities.

use std::f64::consts::PI;

use extype::prelude::*;

use crate::Distribution::{self, *};
use crate::distribution::over;

/// The logarithm of the beta function.
pub(crate) fn log_beta(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    ops::sub(&ops::add(&a.lgamma()?, &b.lgamma()?)?, &ops::add(a, b)?.lgamma()?)
}

impl Distribution {
    /// The logarithm of the density, or of the probability, at `x`: what broadcasts with the batch. Outside of what can be
    /// drawn it is -∞, at NaN it is NaN. A plain number takes the dtype of the parameters. A vector of a
    /// [`Dirichlet`](Self::Dirichlet) distribution has the sum one as exactly as sums of its dtype are.
    ///
    /// # Errors
    /// `InvalidArgument` for another dtype than that of the parameters, or of integers for
    /// [`Categorical`](Self::Categorical).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_distributions::Distribution;
    /// let p = Distribution::uniform(0.0f32, [2.0f32, 4.0])?;
    /// assert_eq!(p.log_prob(1.0f32)?.exp()?.as_slice::<f32>()?, &[0.5, 0.25]);
    /// assert_eq!(p.log_prob(5.0f32)?.as_slice::<f32>()?, &[f32::NEG_INFINITY; 2]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn log_prob(&self, x: impl TensorLike) -> Result<Tensor> {
        if let Categorical { logits } = self {
            return of_class(&x.to_tensor()?, logits);
        }
        let x = &over(&*x.lend()?, &self.whole()?)?;
        let zero = &x.zeros_like()?;
        match self {
            Normal { mean, deviation } => {
                let z = ops::div(&ops::sub(x, mean)?, deviation)?;
                let log = ops::add(&deviation.log()?, 0.5 * (2.0 * PI).ln())?;
                ops::sub(&ops::mul(&z.square()?, -0.5)?, &log)
            }
            Uniform { low, high } => {
                let inside =
                    ops::logical_and(&ops::less_equal(low, x)?, &ops::less_equal(x, high)?)?;
                within(x, &inside, &ops::neg(&ops::sub(high, low)?.log()?)?)
            }
            Gamma { concentration: a, rate } => {
                let inside =
                    ops::logical_and(&ops::less_equal(zero, x)?, &ops::less(x, f64::INFINITY)?)?;
                let safe = ops::select(&inside, x, 1.0)?;
                let powers =
                    ops::sub(&ops::xlogy(&ops::sub(a, 1.0)?, &safe)?, &ops::mul(rate, &safe)?)?;
                let norm = ops::sub(&ops::mul(a, &rate.log()?)?, &a.lgamma()?)?;
                within(x, &inside, &ops::add(&powers, &norm)?)
            }
            Beta { a, b } => {
                let inside =
                    ops::logical_and(&ops::less_equal(zero, x)?, &ops::less_equal(x, 1.0)?)?;
                let safe = ops::select(&inside, x, 0.5)?;
                let powers = ops::add(
                    &ops::xlogy(&ops::sub(a, 1.0)?, &safe)?,
                    &ops::xlogy(&ops::sub(b, 1.0)?, &ops::sub(1.0, &safe)?)?,
                )?;
                within(x, &inside, &ops::sub(&powers, &log_beta(a, b)?)?)
            }
            Dirichlet { concentration: a } => {
                let (sum, least) = (x.reduce_sum(-1, false)?, x.reduce_min(-1, false)?);
                let inexact = match self.dtype() {
                    DType::F64 => 1e-6,
                    DType::F32 => 1e-3,
                    _ => 0.1,
                };
                let one = ops::less_equal(&ops::sub(&sum, 1.0)?.abs()?, inexact)?;
                let inside = ops::logical_and(&one, &ops::greater_equal(&least, 0.0)?)?;
                let safe = ops::select(&ops::greater_equal(x, 0.0)?, x, 1.0)?;
                let powers = ops::xlogy(&ops::sub(a, 1.0)?, &safe)?.reduce_sum(-1, false)?;
                within(&sum, &inside, &ops::sub(&powers, &log_norm(a)?)?)
            }
            Bernoulli { logits } => {
                let one = ops::equal(x, 1.0)?;
                let inside = ops::logical_or(&one, &ops::equal(x, 0.0)?)?;
                // The logarithm of the sigmoid of the logit, or of its negative for zero.
                let log = ops::select(&one, logits, &ops::neg(logits)?)?.log_sigmoid()?;
                within(x, &inside, &log)
            }
            Categorical { .. } => Err(Error::internal("classes have a function of their own")),
        }
    }
}

/// The logarithms of the probabilities of classes.
fn of_class(x: &Tensor, logits: &Tensor) -> Result<Tensor> {
    let unknown = || Error::invalid("the number of classes is known while tracing");
    let classes = logits.shape().dim(-1)?.size().ok_or_else(unknown)?;
    // A class that is not there has no element.
    let chosen = ops::one_hot(x, classes, bool)?;
    ops::select(&chosen, &logits.log_softmax()?, f64::NEG_INFINITY)?.reduce_max(-1, false)
}

/// The logarithm of the number by which the densities of Dirichlet distributions are divided.
pub(crate) fn log_norm(a: &Tensor) -> Result<Tensor> {
    ops::sub(&a.lgamma()?.reduce_sum(-1, false)?, &a.reduce_sum(-1, false)?.lgamma()?)
}

/// A density inside of what can be drawn, and what there is elsewhere.
fn within(x: &Tensor, inside: &Tensor, density: &Tensor) -> Result<Tensor> {
    let none = ops::select(&x.is_nan()?, x, f64::NEG_INFINITY)?;
    ops::select(inside, density, &none)
}
