//! The generator of the process.

use std::sync::{PoisonError, RwLock};

use super::{Bounds, Generator, Parameter};
use crate::ops::Integers;
use crate::tensor::{Tensor, init_scope};
use crate::types::{DType, Result};

static GENERATOR: RwLock<Option<Generator>> = RwLock::new(None);

/// The generator that [`uniform`], [`normal`] and [`truncated_normal`] draw from. It is created
/// when first asked for, in a state that nobody can foretell.
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
pub fn global_generator() -> Result<Generator> {
    if let Some(there) = &*GENERATOR.read().unwrap_or_else(PoisonError::into_inner) {
        return Ok(there.clone());
    }
    let made = init_scope(Generator::from_non_deterministic_state)?;
    let mut slot = GENERATOR.write().unwrap_or_else(PoisonError::into_inner);
    // If another thread was first its generator is the one that stays.
    Ok(slot.get_or_insert(made).clone())
}

/// Sets the generator of the process to the beginning of the numbers of a seed, also for the
/// traced functions that draw from it.
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

/// [`Generator::uniform`] of the generator of the process.
///
/// # Errors
/// As [`stateless_uniform`](super::stateless_uniform).
///
/// ```
/// use extype::prelude::*;
/// use extype::random;
/// let x = random::uniform([2, 2], .., f32)?;
/// assert!(x.as_slice::<f32>()?.iter().all(|x| (0.0..1.0).contains(x)));
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn uniform(shape: impl Into<Integers>, bounds: impl Bounds, dtype: DType) -> Result<Tensor> {
    global_generator()?.uniform(shape, bounds, dtype)
}

/// [`Generator::normal`] of the generator of the process.
///
/// # Errors
/// As [`stateless_normal`](super::stateless_normal).
///
/// ```
/// use extype::prelude::*;
/// use extype::random;
/// let x = random::normal([2, 3], 10.0, 0.5, f64)?;
/// assert_eq!((x.shape(), x.dtype()), (shape![2, 3], f64));
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn normal(
    shape: impl Into<Integers>,
    mean: impl Parameter,
    stddev: impl Parameter,
    dtype: DType,
) -> Result<Tensor> {
    global_generator()?.normal(shape, mean, stddev, dtype)
}

/// [`Generator::truncated_normal`] of the generator of the process.
///
/// # Errors
/// As [`stateless_normal`](super::stateless_normal).
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
    shape: impl Into<Integers>,
    mean: impl Parameter,
    stddev: impl Parameter,
    dtype: DType,
) -> Result<Tensor> {
    global_generator()?.truncated_normal(shape, mean, stddev, dtype)
}
