//! Mixtures.

use extype::prelude::*;
use extype::random::Seed;

use crate::Distribution;

/// Draws from one of several distributions, which is chosen first.
///
/// The components are a batch `[…, k]` of distributions of numbers; `logits` `[…, k]` tell how likely each is.
///
/// ```
/// use extype::prelude::*;
/// use extype_distributions::{Distribution, Mixture};
/// let parts = Distribution::normal([-5.0f32, 5.0], [1.0f32, 1.0])?;
/// let m = Mixture::new([0.0f32, 0.0], parts)?;
/// assert_eq!(m.mean()?.item::<f32>()?, 0.0);
/// assert_eq!(m.variance()?.item::<f32>()?, 26.0);
/// let x = m.sample(1000, random::Seed(7))?;
/// assert!((x.var(..)?.item::<f32>()? - 26.0).abs() < 3.0);
/// // Which component a number is of.
/// assert!(m.responsibilities(4.0f32)?.as_slice::<f32>()?[1] > 0.99);
/// # Ok::<(), Error>(())
/// ```
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "distributions.Mixture", validate)]
pub struct Mixture {
    /// Logarithms of the weights, up to a constant: `[…, k]`.
    pub logits: Tensor,
    /// The distributions, a batch `[…, k]`.
    pub components: Distribution,
}

impl Validate for Mixture {
    fn validate(&self) -> Result<()> {
        let _ = self.logits.shape().with_rank_at_least(1).map_err(|e| e.prefixed("`logits`"))?;
        match self.components {
            Distribution::Dirichlet { .. } | Distribution::Categorical { .. } => {
                let kind = self.components.kind();
                Err(Error::invalid(format!(
                    "a mixture is of distributions of numbers, not of {kind} ones"
                )))
            }
            _ => Ok(()),
        }
    }
}

impl Mixture {
    /// The logarithm of the density at `x`, what broadcasts with `[…]`.
    ///
    /// # Errors
    /// As that of the components.
    #[track_caller]
    pub fn log_prob(&self, x: impl TensorLike) -> Result<Tensor> {
        ops::reduce_logsumexp(&self.joint(x)?, -1, false)
    }

    /// The probabilities of the components, given that `x` was drawn: `[…, k]`.
    ///
    /// # Errors
    /// As that of the components.
    #[track_caller]
    pub fn responsibilities(&self, x: impl TensorLike) -> Result<Tensor> {
        self.joint(x)?.softmax()
    }

    /// The logarithm of the density of `x` together with each component.
    fn joint(&self, x: impl TensorLike) -> Result<Tensor> {
        let each = self.components.log_prob(x.to_tensor()?.expand_dims(-1)?)?;
        ops::add(&each, &self.logits.log_softmax()?)
    }

    /// The mean.
    ///
    /// # Errors
    /// None of its own.
    pub fn mean(&self) -> Result<Tensor> {
        self.weighted(&self.components.mean()?)
    }

    /// The variance: that of the components, and that of their means.
    ///
    /// # Errors
    /// None of its own.
    pub fn variance(&self) -> Result<Tensor> {
        let squares = ops::add(&self.components.variance()?, &self.components.mean()?.square()?)?;
        ops::sub(&self.weighted(&squares)?, &self.mean()?.square()?)
    }

    fn weighted(&self, x: &Tensor) -> Result<Tensor> {
        ops::mul(x, &self.logits.softmax()?)?.reduce_sum(-1, false)
    }

    /// Draws: the shape, then `[…]`. Gradients reach the components, not the logits.
    ///
    /// # Errors
    /// As those of the components.
    #[track_caller]
    pub fn sample(&self, shape: impl ops::IntegersLike, seed: Seed) -> Result<Tensor> {
        let shape = shape.into();
        let chosen = Distribution::categorical(&self.logits)?.sample(shape.clone(), seed)?;
        // Other numbers than those that chose.
        let all = self.components.sample(shape, Seed(seed.0.wrapping_add(1)))?;
        let classes = all.shape().dim(-1)?.size();
        let classes = classes
            .ok_or_else(|| Error::invalid("the number of components is known while tracing"))?;
        let picked = ops::one_hot(&chosen, classes, bool)?;
        ops::select(&picked, &all, &all.zeros_like()?)?.reduce_sum(-1, false)
    }
}
