//! Mixtures.

use extype::prelude::*;
use extype::random::Seed;

use crate::Distribution;
use crate::distribution::{over, sizes};

/// Draws from one of several distributions, which is chosen first.
///
/// The components are a batch `[…, k]` of distributions of numbers; `logits` `[…, k]` tell how likely each is.
/// [`new`](Self::new) broadcasts both to one shape.
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
#[extension_type(name = "distributions.Mixture", constructor = none, validate)]
pub struct Mixture {
    /// Logarithms of the weights, up to a constant: `[…, k]`.
    pub logits: Tensor,
    /// The distributions, a batch `[…, k]`.
    pub components: Distribution,
}

impl Validate for Mixture {
    fn validate(&self) -> Result<()> {
        if let Distribution::Dirichlet { .. } | Distribution::Categorical { .. } = self.components {
            let kind = self.components.kind();
            return Err(Error::invalid(format!(
                "a mixture is of distributions of numbers, not of {kind} ones"
            )));
        }
        let last = |x: &Tensor| x.shape().with_rank_at_least(1)?.dim(-1);
        let weights = last(&self.logits).map_err(|e| e.prefixed("`logits`"))?;
        let parts = last(&self.components.whole()?).map_err(|e| e.prefixed("`components`"))?;
        if !weights.is_compatible_with(parts) {
            return Err(Error::invalid(format!("{weights} weights for {parts} components")));
        }
        Ok(())
    }
}

impl Mixture {
    /// A mixture of the components, a batch `[…, k]`, with the logarithms `[…, k]` of their weights.
    ///
    /// # Errors
    /// `InvalidArgument` for components that are vectors or classes, another number of weights, another dtype, and for
    /// batches that do not broadcast.
    ///
    /// ```
    /// use extype_distributions::{Distribution, Mixture};
    /// let parts = Distribution::normal([-5.0f32, 5.0], 1.0)?;
    /// let e = Mixture::new([0.0, 0.0, 0.0], parts).unwrap_err();
    /// assert!(e.message().contains("3 weights for 2 components"));
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn new(logits: impl TensorLike, components: Distribution) -> Result<Self> {
        let logits = logits.lend()?;
        let made = Self { logits: logits.clone(), components };
        made.validate()?;
        let both = |e: Error| e.prefixed("`logits` and the components");
        let components = made.components.over(&logits).map_err(both)?;
        Ok(Self { logits: over(&logits, &components.whole()?).map_err(both)?, components })
    }

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
        let x = over(&*x.lend()?, &self.logits.reduce_max(-1, false)?)?;
        let each = self.components.log_prob(x.expand_dims(-1)?)?;
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
        let shape = shape.into().to_tensor()?.cast(DType::I64)?.reshape([-1])?;
        let chosen = Distribution::categorical(&self.logits)?.sample(&shape, seed)?;
        let whole = ops::concat(&[&shape, &sizes(&self.logits)?], 0)?;
        // Other numbers than those that chose.
        let all = self.components.draw(&whole, Seed(seed.0 ^ 0x1e37_79b9_7f4a_7c15))?;
        let unknown = || Error::invalid("the number of components is known while tracing");
        let classes = self.logits.shape().dim(-1)?.size().ok_or_else(unknown)?;
        let picked = ops::one_hot(&chosen, classes, bool)?;
        ops::select(&picked, &all, 0.0)?.reduce_sum(-1, false)
    }
}
