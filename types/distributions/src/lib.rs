//! Probability distributions as values.
//!
//! A [`Distribution`] holds its parameters, tensors that broadcast to one shape: one distribution, or a batch of them.
//! It passes traced functions, gradients and stacks as tensors do. Draws have gradients with respect to the parameters,
//! by reparameterization, where that is possible; so do densities, entropies and divergences. [`Mixture`] draws from
//! one of several distributions.
//!
//! ```
//! use extype::prelude::*;
//! use extype_distributions::Distribution;
//!
//! let p = Distribution::normal([0.0f32, 10.0], 2.0f32)?;
//! assert_eq!(p.sample(1000, random::Seed(7))?.shape(), shape![1000, 2]);
//! assert_eq!(p.mean()?.as_slice::<f32>()?, &[0.0, 10.0]);
//! let q = Distribution::normal(0.0f32, 2.0f32)?;
//! assert_eq!(p.kl(&q)?.as_slice::<f32>()?, &[0.0, 12.5]);
//! // A draw moves with the mean.
//! let slope = grad(|m: &Tensor| {
//!     Distribution::normal(m, 2.0f32)?.sample(100, random::Seed(1))?.mean(..)
//! })(&scalar(3.0f32))?;
//! assert!((slope.item::<f32>()? - 1.0).abs() < 1e-5);
//! # Ok::<(), Error>(())
//! ```

mod densities;
mod distribution;
mod divergence;
mod mixture;
mod moments;

pub use distribution::{Distribution, DistributionSpec};
pub use mixture::{Mixture, MixtureSpec};
