//! Divergences of two distributions of one kind.

use extype::prelude::*;

use crate::Distribution::{self, *};
use crate::densities::{log_beta, log_norm};

impl Distribution {
    /// The Kullback–Leibler divergence from `other` to this: the mean of `log_prob(x) - other.log_prob(x)` over draws `x`
    /// of this. Batches broadcast.
    ///
    /// # Errors
    /// `InvalidArgument` for distributions of two kinds.
    ///
    /// ```
    /// use extype_distributions::Distribution;
    /// let e = Distribution::normal(0.0f32, 1.0f32)?.kl(&Distribution::bernoulli(0.0f32)?).unwrap_err();
    /// assert!(e.message().contains("a normal and a Bernoulli distribution"));
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn kl(&self, other: &Self) -> Result<Tensor> {
        match (self, other) {
            (Normal { mean: m, deviation: s }, Normal { mean: n, deviation: t }) => {
                let ratio = ops::div(s, t)?;
                let apart = ops::div(&ops::sub(m, n)?, t)?.square()?;
                let half = ops::mul(&ops::sub(&ops::add(&ratio.square()?, &apart)?, 1.0)?, 0.5)?;
                ops::sub(&half, &ratio.log()?)
            }
            (Uniform { low: a, high: b }, Uniform { low: c, high: d }) => {
                let inside = ops::logical_and(&ops::greater_equal(a, c)?, &ops::less_equal(b, d)?)?;
                let log = ops::div(&ops::sub(d, c)?, &ops::sub(b, a)?)?.log()?;
                ops::select(&inside, &log, &ops::mul(&log.ones_like()?, f64::INFINITY)?)
            }
            (Gamma { concentration: a, rate: r }, Gamma { concentration: b, rate: s }) => {
                let shapes = ops::mul(&ops::sub(a, b)?, &a.digamma()?)?;
                let norms = ops::sub(&b.lgamma()?, &a.lgamma()?)?;
                let rates = ops::mul(b, &ops::div(r, s)?.log()?)?;
                let scale = ops::mul(a, &ops::sub(&ops::div(s, r)?, 1.0)?)?;
                ops::add(&ops::add(&shapes, &norms)?, &ops::add(&rates, &scale)?)
            }
            (Beta { a, b }, Beta { a: c, b: d }) => {
                let of = |x: &Tensor, y: &Tensor| ops::mul(&ops::sub(x, y)?, &x.digamma()?);
                let (sum, rest) = (ops::add(a, b)?, ops::add(c, d)?);
                let all = ops::mul(&ops::sub(&rest, &sum)?, &sum.digamma()?)?;
                let norms = ops::sub(&log_beta(c, d)?, &log_beta(a, b)?)?;
                ops::add(&ops::add(&norms, &ops::add(&of(a, c)?, &of(b, d)?)?)?, &all)
            }
            (Dirichlet { concentration: a }, Dirichlet { concentration: b }) => {
                let sum = a.reduce_sum(-1, true)?;
                let logs = ops::sub(&a.digamma()?, &sum.digamma()?)?;
                let parts = ops::mul(&ops::sub(a, b)?, &logs)?.reduce_sum(-1, false)?;
                ops::add(&ops::sub(&log_norm(b)?, &log_norm(a)?)?, &parts)
            }
            (Bernoulli { logits: x }, Bernoulli { logits: y }) => {
                let part = |x: &Tensor, y: &Tensor| {
                    ops::mul_no_nan(&ops::sub(&x.log_sigmoid()?, &y.log_sigmoid()?)?, &x.sigmoid()?)
                };
                ops::add(&part(x, y)?, &part(&ops::neg(x)?, &ops::neg(y)?)?)
            }
            (Categorical { logits: x }, Categorical { logits: y }) => {
                let apart = ops::sub(&x.log_softmax()?, &y.log_softmax()?)?;
                ops::mul_no_nan(&apart, &x.softmax()?)?.reduce_sum(-1, false)
            }
            _ => {
                let (own, there) = (self.kind(), other.kind());
                Err(Error::invalid(format!(
                    "no divergence is known of a {own} and a {there} distribution; take the mean of \
                     `p.log_prob(&x)? - q.log_prob(&x)?` over draws `x` of `p`"
                )))
            }
        }
    }
}
