//! Random numbers: functions of a seed, and generators with state.
//!
//! The numbers are TensorFlow's: they come from the counter-based generator Philox4x32-10. An element depends
//! only on the key, the counter and its position. Functions that begin with `stateless_` give the same
//! numbers for the same seed; a [`Generator`] holds its counter in a variable and advances it with each draw,
//! also inside traced functions. [`uniform`], [`normal`] and [`truncated_normal`] draw from the global
//! generator, which [`set_seed`] resets. So do [`gamma`], [`poisson`], [`binomial`], [`beta`], [`dirichlet`], [`student_t`] and
//! [`categorical`]; draws of floats have gradients with respect to their parameters.
//!
//! ```
//! use extype::prelude::*;
//! use extype::random::{self, Generator};
//!
//! let x = random::stateless_uniform([2, 3], [1, 2], .., f32)?;
//! let again = random::stateless_uniform([2, 3], [1, 2], .., f32)?;
//! assert_eq!(x.as_slice::<f32>()?, again.as_slice::<f32>()?);
//! let dice = random::stateless_uniform([4], [1, 2], 1..7, i32)?;
//! assert!(dice.as_slice::<i32>()?.iter().all(|n| (1..7).contains(n)));
//!
//! let generator = Generator::from_seed(1)?;
//! let noisy = function(move |x: &Tensor| ops::add(x, generator.normal([3], 0.0, 0.1, f32)?));
//! let (a, b) = (noisy.call(&scalar(1.0f32))?, noisy.call(&scalar(1.0f32))?);
//! assert_ne!(a.as_slice::<f32>()?, b.as_slice::<f32>()?);
//! # Ok::<(), Error>(())
//! ```

mod distributions;
mod draws;
mod generator;
mod global;
mod parameter;
mod stateless;
mod stream;

pub use distributions::{
    beta, binomial, categorical, dirichlet, gamma, poisson, stateless_binomial, stateless_gamma,
    stateless_parameterized_truncated_normal, stateless_poisson, student_t,
};
pub use draws::{Choosing, Drawn, NoRepeats, Seed, Seeded, choice, integers, permutation, shuffle};
pub use generator::Generator;
pub use global::{
    exponential, global_generator, normal, random, set_seed, standard_normal, truncated_normal,
    uniform,
};
pub use parameter::{Bounds, Parameter};
pub use stateless::{
    stateless_categorical, stateless_fold_in, stateless_normal, stateless_shuffle, stateless_split,
    stateless_truncated_normal, stateless_uniform,
};
