//! Densities.

use std::f64::consts::PI;

use extype::prelude::*;

use crate::Distribution::{self, *};

/// The logarithm of the beta function.
pub(crate) fn log_beta(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    ops::sub(&ops::add(&a.lgamma()?, &b.lgamma()?)?, &ops::add(a, b)?.lgamma()?)
}

/// `x · log(y)`, which is zero where `x` is.
fn x_log_y(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    ops::xlogy(x, y)
}

impl Distribution {
    /// The logarithm of the density, or of the probability, at `x`: what broadcasts with the batch. Outside of what can be
    /// drawn it is -∞.
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
        let x = &x.to_tensor()?;
        match self {
            Normal { mean, deviation } => {
                let z = ops::div(&ops::sub(x, mean)?, deviation)?;
                let log = ops::add(&deviation.log()?, 0.5 * (2.0 * PI).ln())?;
                ops::sub(&ops::mul(&z.square()?, -0.5)?, &log)
            }
            Uniform { low, high } => {
                let inside = ops::logical_and(&ops::greater_equal(x, low)?, &ops::less(x, high)?)?;
                let density = ops::neg(&ops::sub(high, low)?.log()?)?;
                within(&inside, &density)
            }
            Gamma { concentration: a, rate } => {
                let inside = ops::greater(x, &x.zeros_like()?)?;
                let safe = ops::select(&inside, x, &x.ones_like()?)?;
                let powers =
                    ops::sub(&x_log_y(&ops::sub(a, 1.0)?, &safe)?, &ops::mul(rate, &safe)?)?;
                let norm = ops::sub(&ops::mul(a, &rate.log()?)?, &a.lgamma()?)?;
                within(&inside, &ops::add(&powers, &norm)?)
            }
            Beta { a, b } => {
                let inside = ops::logical_and(
                    &ops::greater_equal(x, &x.zeros_like()?)?,
                    &ops::less_equal(x, &x.ones_like()?)?,
                )?;
                let safe = ops::select(&inside, x, &ops::mul(&x.ones_like()?, 0.5)?)?;
                let powers = ops::add(
                    &x_log_y(&ops::sub(a, 1.0)?, &safe)?,
                    &x_log_y(&ops::sub(b, 1.0)?, &ops::sub(1.0, &safe)?)?,
                )?;
                within(&inside, &ops::sub(&powers, &log_beta(a, b)?)?)
            }
            Dirichlet { concentration: a } => {
                let powers = x_log_y(&ops::sub(a, 1.0)?, x)?.reduce_sum(-1, false)?;
                ops::sub(&powers, &log_norm(a)?)
            }
            Bernoulli { logits } => {
                // log sigmoid of the logit, or of its negative for zero.
                let one = logits.log_sigmoid()?;
                let zero = ops::neg(logits)?.log_sigmoid()?;
                let none = ops::mul(&zero.ones_like()?, f64::NEG_INFINITY)?;
                let log = ops::select(&ops::equal(x, &x.zeros_like()?)?, &zero, &none)?;
                ops::select(&ops::equal(x, &x.ones_like()?)?, &one, &log)
            }
            Categorical { logits } => {
                let classes = logits.shape().dim(-1)?;
                let n = classes.size().ok_or_else(|| {
                    Error::invalid("the number of classes is known while tracing")
                })?;
                let log = logits.log_softmax()?;
                let chosen = ops::one_hot(x, n, bool)?;
                // A class that is not there has no element.
                let none = ops::mul(&log.ones_like()?, f64::NEG_INFINITY)?;
                ops::select(&chosen, &log, &none)?.reduce_max(-1, false)
            }
        }
    }
}

/// The logarithm of the number by which the densities of Dirichlet distributions are divided.
pub(crate) fn log_norm(a: &Tensor) -> Result<Tensor> {
    ops::sub(&a.lgamma()?.reduce_sum(-1, false)?, &a.reduce_sum(-1, false)?.lgamma()?)
}

fn within(inside: &Tensor, density: &Tensor) -> Result<Tensor> {
    let none = ops::mul(&density.ones_like()?, f64::NEG_INFINITY)?;
    ops::select(inside, density, &none)
}
