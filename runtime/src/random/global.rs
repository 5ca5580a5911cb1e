//! The global generator of the process, and draws from it.

use std::sync::{PoisonError, RwLock};

use super::{
    Bounds, Drawn, Generator, Parameter, stateless_normal, stateless_truncated_normal,
    stateless_uniform,
};
use crate::ops::methods::*;
use crate::ops::options::{Sets, chosen};
use crate::ops::{self, IntegersLike, check_not_negative};
use crate::tensor::{Tensor, call_site, init_scope};
use crate::types::{DType, Result, bail};

static GENERATOR: RwLock<Option<Generator>> = RwLock::new(None);

/// The generator that [`uniform`], [`normal`] and [`truncated_normal`] draw from. It is created on first use,
/// with an unpredictable state.
///
/// TensorFlow: `tf.random.get_global_generator`.
///
/// # Errors
/// `ResourceExhausted` if there is no memory.
///
/// ```
/// use extype::prelude::*;
/// use extype::random;
/// random::set_seed(3)?;
/// let x = random::global_generator()?.normal([2], 0.0, 1.0, f32)?;
/// random::set_seed(3)?;
/// assert_eq!(random::normal([2], 0.0, 1.0, f32)?.as_slice::<f32>()?, x.as_slice::<f32>()?);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "get_global_generator")]
pub fn global_generator() -> Result<Generator> {
    if let Some(there) = &*GENERATOR.read().unwrap_or_else(PoisonError::into_inner) {
        return Ok(there.clone());
    }
    let made = init_scope(Generator::from_non_deterministic_state)?;
    let mut slot = GENERATOR.write().unwrap_or_else(PoisonError::into_inner);
    // If another thread was first, its generator is kept.
    Ok(slot.get_or_insert(made).clone())
}

/// Resets the global generator to a seed, also for traced functions that draw from it.
///
/// # Errors
/// As [`global_generator`].
///
/// ```
/// use extype::prelude::*;
/// use extype::random;
/// random::set_seed(7)?;
/// let x = random::uniform([3], .., f32)?;
/// random::set_seed(7)?;
/// assert_eq!(random::uniform([3], .., f32)?.as_slice::<f32>()?, x.as_slice::<f32>()?);
/// # Ok::<(), Error>(())
/// ```
pub fn set_seed(seed: i64) -> Result<()> {
    let generator = global_generator()?;
    init_scope(|| generator.reset_from_seed(seed))
}

/// [`Generator::uniform`] of the global generator, or with a [`Seed`](super::Seed). Options: a dtype (float32
/// for `..`), `Seed(n)`.
///
/// # Errors
/// As [`stateless_uniform`].
///
/// ```
/// use extype::prelude::*;
/// use extype::random;
/// let x = random::uniform([2, 2], .., f32)?;
/// assert!(x.as_slice::<f32>()?.iter().all(|x| (0.0..1.0).contains(x)));
/// let x = random::uniform(3, -1.0..1.0, (f64, random::Seed(7)))?;
/// let again = random::uniform(3, -1.0..1.0, (f64, random::Seed(7)))?;
/// assert_eq!(x.as_slice::<f64>()?, again.as_slice::<f64>()?);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn uniform(
    shape: impl IntegersLike,
    bounds: impl Bounds,
    options: impl Sets<Drawn>,
) -> Result<Tensor> {
    let _site = call_site!();
    let Drawn { dtype, seed } = chosen(options)?;
    match seed {
        Some(seed) => stateless_uniform(shape, [seed, 0], bounds, dtype),
        None => global_generator()?.uniform(shape, bounds, dtype),
    }
}

/// [`Generator::normal`] of the global generator, or with a [`Seed`](super::Seed). Options: a dtype (float32
/// for `..`), `Seed(n)`.
///
/// # Errors
/// As [`stateless_normal`].
///
/// ```
/// use extype::prelude::*;
/// use extype::random;
/// let x = random::normal([2, 3], 10.0, 0.5, f64)?;
/// assert_eq!((x.shape(), x.dtype()), (shape![2, 3], f64));
/// assert_eq!(random::normal(4, 0.0, 1.0, random::Seed(7))?.dtype(), f32);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn normal(
    shape: impl IntegersLike,
    mean: impl Parameter,
    stddev: impl Parameter,
    options: impl Sets<Drawn>,
) -> Result<Tensor> {
    let _site = call_site!();
    let Drawn { dtype, seed } = chosen(options)?;
    match seed {
        Some(seed) => stateless_normal(shape, [seed, 0], mean, stddev, dtype),
        None => global_generator()?.normal(shape, mean, stddev, dtype),
    }
}

/// [`Generator::truncated_normal`] of the global generator, or with a [`Seed`](super::Seed). Options: a dtype
/// (float32 for `..`), `Seed(n)`.
///
/// # Errors
/// As [`stateless_normal`].
///
/// ```
/// use extype::prelude::*;
/// use extype::random;
/// let x = random::truncated_normal([100], 0.0, 1.0, f32)?;
/// assert!(x.as_slice::<f32>()?.iter().all(|x| x.abs() <= 2.0));
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn truncated_normal(
    shape: impl IntegersLike,
    mean: impl Parameter,
    stddev: impl Parameter,
    options: impl Sets<Drawn>,
) -> Result<Tensor> {
    let _site = call_site!();
    let Drawn { dtype, seed } = chosen(options)?;
    match seed {
        Some(seed) => stateless_truncated_normal(shape, [seed, 0], mean, stddev, dtype),
        None => global_generator()?.truncated_normal(shape, mean, stddev, dtype),
    }
}

/// Uniformly distributed floats in `[0, 1)`. Options: a dtype (float32 for `..`), [`Seed(n)`](super::Seed).
///
/// NumPy: `random.random`, `random.rand`.
///
/// # Errors
/// `InvalidArgument` for a dtype that is no float, and a negative size.
///
/// ```
/// use extype::prelude::*;
/// use extype::random;
/// let x = random::random([2, 2], f64)?;
/// assert!(x.as_slice::<f64>()?.iter().all(|x| (0.0..1.0).contains(x)));
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "rand")]
#[track_caller]
pub fn random(shape: impl IntegersLike, options: impl Sets<Drawn>) -> Result<Tensor> {
    let _site = call_site!();
    let options: Drawn = chosen(options)?;
    check_float(options.dtype)?;
    uniform(shape, .., options)
}

/// Floats of the standard normal distribution (mean 0, standard deviation 1). Options: a dtype (float32 for
/// `..`), [`Seed(n)`](super::Seed).
///
/// NumPy: `random.standard_normal`, `random.randn`.
///
/// # Errors
/// As [`stateless_normal`].
///
/// ```
/// use extype::prelude::*;
/// use extype::random;
/// let x = random::standard_normal(1000, random::Seed(7))?;
/// assert!(x.mean(..)?.item::<f32>()?.abs() < 0.2);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "randn")]
#[track_caller]
pub fn standard_normal(shape: impl IntegersLike, options: impl Sets<Drawn>) -> Result<Tensor> {
    let _site = call_site!();
    normal(shape, 0.0, 1.0, options)
}

/// Floats of the exponential distribution with this mean. Options: a dtype (float32 for `..`),
/// [`Seed(n)`](super::Seed).
///
/// NumPy: `random.exponential`. The mean is a number, or a tensor that broadcasts to the shape.
///
/// # Errors
/// As [`random`], and for a mean of another dtype or below zero. A tensor that is unknown while tracing is
/// checked when the program runs.
///
/// ```
/// use extype::prelude::*;
/// use extype::random;
/// let x = random::exponential(2.0, [1000], (f64, random::Seed(7)))?;
/// assert!((x.mean(..)?.item::<f64>()? - 2.0).abs() < 0.3);
/// assert!(x.min(..)?.item::<f64>()? >= 0.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn exponential(
    mean: impl Parameter,
    shape: impl IntegersLike,
    options: impl Sets<Drawn>,
) -> Result<Tensor> {
    let _site = call_site!();
    let options: Drawn = chosen(options)?;
    check_float(options.dtype).map_err(|e| e.with_op("exponential"))?;
    let mean = mean.of_dtype(options.dtype)?;
    check_not_negative("mean", &mean)?;
    // 1 is never drawn, so no logarithm is infinite.
    let waited = ops::neg(&ops::neg(&uniform(shape, .., options)?)?.log1p()?)?;
    ops::mul(waited, mean)
}

fn check_float(dtype: DType) -> Result<()> {
    if !dtype.is_float() {
        bail!("floats are drawn, not {dtype}");
    }
    Ok(())
}
