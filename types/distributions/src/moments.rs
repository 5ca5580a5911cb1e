//! Means, variances, entropies.

use std::f64::consts::{E, PI};

use extype::prelude::*;

use crate::Distribution::{self, *};
use crate::densities::{log_beta, log_norm};
use crate::distribution::over;

impl Distribution {
    /// The mean; of classes there is none.
    ///
    /// # Errors
    /// `Unimplemented` for [`Categorical`](Self::Categorical).
    pub fn mean(&self) -> Result<Tensor> {
        match self {
            Normal { mean, deviation } => over(mean, deviation),
            Uniform { low, high } => ops::mul(&ops::add(low, high)?, 0.5),
            Gamma { concentration, rate } => ops::div(concentration, rate),
            Beta { a, b } => ops::div(a, &ops::add(a, b)?),
            Dirichlet { concentration: a } => ops::div(a, &a.reduce_sum(-1, true)?),
            Bernoulli { logits } => logits.sigmoid(),
            Categorical { .. } => Err(self.has_no("mean")),
        }
    }

    /// The variance; of vectors, that of each element.
    ///
    /// # Errors
    /// `Unimplemented` for [`Categorical`](Self::Categorical).
    pub fn variance(&self) -> Result<Tensor> {
        match self {
            Normal { mean, deviation } => over(&deviation.square()?, mean),
            Uniform { low, high } => ops::div(&ops::sub(high, low)?.square()?, 12.0),
            Gamma { concentration, rate } => ops::div(concentration, &rate.square()?),
            Beta { a, b } => {
                let mean = self.mean()?;
                let spread = ops::mul(&mean, &ops::sub(1.0, &mean)?)?;
                ops::div(&spread, &ops::add(&ops::add(a, b)?, 1.0)?)
            }
            Dirichlet { concentration: a } => {
                let mean = self.mean()?;
                let spread = ops::mul(&mean, &ops::sub(1.0, &mean)?)?;
                ops::div(&spread, &ops::add(&a.reduce_sum(-1, true)?, 1.0)?)
            }
            Bernoulli { logits } => ops::mul(&logits.sigmoid()?, &ops::neg(logits)?.sigmoid()?),
            Categorical { .. } => Err(self.has_no("variance")),
        }
    }

    /// The entropy in nats, of the shape of the batch.
    ///
    /// # Errors
    /// None of its own.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_distributions::Distribution;
    /// let p = Distribution::categorical(ops::zeros([8], f32)?)?;
    /// assert!((p.entropy()?.item::<f32>()? - 8f32.ln()).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn entropy(&self) -> Result<Tensor> {
        match self {
            Normal { mean, deviation } => {
                let log = ops::add(&deviation.log()?, 0.5 * (2.0 * PI * E).ln())?;
                over(&log, mean)
            }
            Uniform { low, high } => ops::sub(high, low)?.log(),
            Gamma { concentration: a, rate } => {
                let rest = ops::mul(&ops::sub(1.0, a)?, &a.digamma()?)?;
                let norm = ops::add(&ops::sub(a, &rate.log()?)?, &a.lgamma()?)?;
                ops::add(&norm, &rest)
            }
            Beta { a, b } => {
                let of = |x: &Tensor| ops::mul(&ops::sub(x, 1.0)?, &x.digamma()?);
                let sum = ops::add(a, b)?;
                let all = ops::mul(&ops::sub(&sum, 2.0)?, &sum.digamma()?)?;
                let parts = ops::add(&of(a)?, &of(b)?)?;
                ops::add(&ops::sub(&log_beta(a, b)?, &parts)?, &all)
            }
            Dirichlet { concentration: a } => {
                let sum = a.reduce_sum(-1, false)?;
                let k = a.ones_like()?.reduce_sum(-1, false)?;
                let all = ops::mul(&ops::sub(&sum, &k)?, &sum.digamma()?)?;
                let parts = ops::mul(&ops::sub(a, 1.0)?, &a.digamma()?)?.reduce_sum(-1, false)?;
                ops::sub(&ops::add(&log_norm(a)?, &all)?, &parts)
            }
            Bernoulli { logits } => {
                let (p, q) = (logits.sigmoid()?, ops::neg(logits)?.sigmoid()?);
                let (log_p, log_q) = (logits.log_sigmoid()?, ops::neg(logits)?.log_sigmoid()?);
                let sum = ops::add(&ops::mul_no_nan(&log_p, &p)?, &ops::mul_no_nan(&log_q, &q)?)?;
                ops::neg(&sum)
            }
            Categorical { logits } => {
                let sum = ops::mul_no_nan(&logits.log_softmax()?, &logits.softmax()?)?;
                ops::neg(&sum.reduce_sum(-1, false)?)
            }
        }
    }

    fn has_no(&self, what: &str) -> Error {
        let kind = self.kind();
        let text = format!("the {kind} distribution has no {what}: its draws are names of classes");
        Error::new(ErrorKind::Unimplemented, text)
    }
}
