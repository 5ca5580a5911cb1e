//! Draws from data: shuffled rows, permutations, choices, integers.

use super::{global_generator, stateless_categorical, stateless_shuffle, stateless_uniform};
use crate::ops::methods::*;
use crate::ops::options::{Sets, Weights, chosen, sets};
use crate::ops::{self, Integers, IntegersLike};
use crate::tensor::{Tensor, TensorLike, call_site, init_scope};
use crate::types::{DType, Result, bail, err};

/// Options of draws: [`Seed`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seeded {
    /// The seed; without it the numbers come from the global generator.
    pub seed: Option<i64>,
}

/// Options of [`choice`]: [`Seed`], [`NoRepeats`], `Weights(&w)`.
#[derive(Clone, Debug, Default)]
pub struct Choosing {
    /// The seed, as for other draws.
    pub seed: Option<i64>,
    /// True if nothing is chosen twice.
    pub no_repeats: bool,
    /// The relative probability of each row.
    pub weights: Option<Tensor>,
}

/// The seed of a draw; without it the numbers come from the global generator.
///
/// ```
/// use extype::prelude::*;
/// let draw = || random::normal(4, 0.0, 1.0, random::Seed(7));
/// assert_eq!(draw()?.as_slice::<f32>()?, draw()?.as_slice::<f32>()?);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(pub i64);

/// Chooses nothing twice: NumPy's `replace=False`.
///
/// ```
/// use extype::prelude::*;
/// let mut all = random::choice(tensor![1, 2, 3], 3, random::NoRepeats)?.to_vec::<i32>()?;
/// all.sort();
/// assert_eq!(all, [1, 2, 3]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRepeats;

sets! {
    Seed => Seeded |o, Seed(n)| o.seed = Some(n);
    Seeded => Seeded |o, all| *o = all;
    Seed => Choosing |o, Seed(n)| o.seed = Some(n);
    NoRepeats => Choosing |o, _| o.no_repeats = true;
    Weights<'_> => Choosing |o, Weights(w)| o.weights = Some(w.clone());
    Choosing => Choosing |o, all| *o = all;
}

/// The seed for a `stateless_` function: the given one, or a new one from the global generator.
pub(super) fn seed_of(seed: Option<i64>) -> Result<Integers> {
    match seed {
        Some(seed) => Ok(Integers::from([seed, 0])),
        None => Ok(global_generator()?.make_seeds(1)?.reshape([2])?.into()),
    }
}

/// Options of draws from a distribution: a dtype (float32 for `..`), [`Seed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The dtype.
    pub dtype: DType,
    /// The seed; without it the numbers come from the global generator.
    pub seed: Option<i64>,
}

impl Default for Drawn {
    fn default() -> Self {
        Self { dtype: DType::F32, seed: None }
    }
}

sets! {
    DType => Drawn |o, dtype| o.dtype = dtype;
    Seed => Drawn |o, Seed(n)| o.seed = Some(n);
    Drawn => Drawn |o, all| *o = all;
}

/// The rows (along axis 0) of a tensor in a random order.
///
/// NumPy: `random.shuffle`, which changes its operand, and `random.permutation` of an array. Any dtype is
/// allowed. Option: [`Seed`].
///
/// # Errors
/// `InvalidArgument` for a scalar.
///
/// ```
/// use extype::prelude::*;
/// let x = random::shuffle([1, 2, 3], ..)?;
/// assert_eq!(x.sort(..)?.as_slice::<i32>()?, &[1, 2, 3]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn shuffle(x: impl TensorLike, options: impl Sets<Seeded>) -> Result<Tensor> {
    let _site = call_site!();
    let (x, options) = (x.lend()?, chosen::<Seeded>(options)?);
    if x.rank() == Some(0) {
        bail!("a scalar has no rows; for the numbers below it there is `permutation`");
    }
    stateless_shuffle(&*x, seed_of(options.seed)?)
}

/// The count in an integer scalar: as an int64 tensor, and as a number if it is known.
fn numbers(x: &Tensor) -> Result<(Tensor, Option<i64>)> {
    if !x.dtype().is_integer() {
        bail!("a number of numbers is an integer, not {}", x.tensor_type());
    }
    let known = match x {
        Tensor::Value(n) => n.fitted(DType::I64)?.to_i64s()?.first().copied(),
        Tensor::Symbol(_) => None,
    };
    if let Some(n) = known.filter(|n| *n < 0) {
        bail!("{n} numbers");
    }
    Ok((ops::whole_numbers(x, DType::I64)?, known))
}

/// The numbers `0..n` (int64), or the rows (along axis 0) of a tensor, in a random order.
///
/// NumPy: `random.permutation`; PyTorch: `randperm`. The operand is an integer scalar `n`, or a tensor of any dtype that
/// is no scalar. Option: [`Seed`].
///
/// # Errors
/// `InvalidArgument` for a scalar that is negative or no integer.
///
/// ```
/// use extype::prelude::*;
/// let order = random::permutation(4, random::Seed(7))?;
/// assert_eq!(order.sort(..)?.as_slice::<i64>()?, &[0, 1, 2, 3]);
/// assert_eq!(random::permutation([[1, 2], [3, 4]], ..)?.shape(), shape![2, 2]);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "randperm")]
#[track_caller]
pub fn permutation(x: impl TensorLike, options: impl Sets<Seeded>) -> Result<Tensor> {
    let _site = call_site!();
    let (x, options) = (x.lend()?, chosen::<Seeded>(options)?);
    if x.rank() != Some(0) {
        return stateless_shuffle(&*x, seed_of(options.seed)?);
    }
    let (n, _) = numbers(&x)?;
    stateless_shuffle(&ops::range(0i64, n, 1i64)?, seed_of(options.seed)?)
}

/// Uniformly distributed integers of a range, int64.
///
/// NumPy: `random.integers`, `random.randint`; [`uniform`](super::uniform()) draws int32 too.
/// Option: [`Seed`].
///
/// # Errors
/// `InvalidArgument` for an empty range and a shape with negative sizes.
///
/// ```
/// use extype::prelude::*;
/// let dice = random::integers(1..7, [100], ..)?;
/// assert!(dice.as_slice::<i64>()?.iter().all(|n| (1..7).contains(n)));
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "randint")]
#[track_caller]
pub fn integers(
    range: std::ops::Range<i64>,
    shape: impl IntegersLike,
    options: impl Sets<Seeded>,
) -> Result<Tensor> {
    let _site = call_site!();
    if range.is_empty() {
        bail!("the range {}..{} has none", range.start, range.end);
    }
    stateless_uniform(shape, seed_of(chosen::<Seeded>(options)?.seed)?, range, DType::I64)
}

/// Rows of a tensor (or numbers below an integer scalar) chosen at random, in a shape.
///
/// NumPy: `random.choice`. Options: [`Seed`], [`NoRepeats`], `Weights(&w)`: a float vector with a weight
/// for each row, not all zero.
///
/// # Errors
/// `InvalidArgument` for nothing to choose from, more rows than there are without repeats, weights
/// that are not one for each row, negative or not finite, and sizes that are unknown while tracing.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![5, 6, 7];
/// assert_eq!(random::choice(&x, [2, 4], ..)?.shape(), shape![2, 4]);
/// let all = random::choice(&x, 3, (random::NoRepeats, random::Seed(1)))?;
/// assert_eq!(all.sort(..)?.as_slice::<i32>()?, &[5, 6, 7]);
/// let last = random::choice(&x, 3, ops::Weights(&tensor![0.0, 0.0, 1.0]))?;
/// assert_eq!(last.as_slice::<i32>()?, &[7, 7, 7]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn choice(
    x: impl TensorLike,
    shape: impl IntegersLike,
    options: impl Sets<Choosing>,
) -> Result<Tensor> {
    let _site = call_site!();
    sampled(&*x.lend()?, shape.into(), &chosen(options)?)
}

/// Checks that weights are finite and not negative, and that at least `count` are above zero: immediately if
/// they are known, otherwise when the program runs.
fn check_weights(weights: &Tensor, count: i64) -> Result<()> {
    if !matches!(weights, Tensor::Value(_)) {
        let weights = &weights.cast(DType::F64)?;
        let is_part = ops::logical_and(weights.is_finite()?, weights.greater_equal(0.0)?)?;
        let message = "weights are finite and not negative:";
        ops::check(&is_part.reduce_all(.., false)?, message, &[weights])?;
        let above = weights.greater(0.0)?.cast(DType::I64)?.reduce_sum(.., false)?;
        let message = "fewer weights are above zero than rows are wanted:";
        return ops::check(&above.greater_equal(count)?, message, &[weights]);
    }
    let known = init_scope(|| weights.cast(DType::F64))?;
    let known = known.as_slice::<f64>()?;
    if let Some(wrong) = known.iter().find(|w| !(w.is_finite() && **w >= 0.0)) {
        bail!("a weight is {wrong}; weights are finite and not negative");
    }
    let above = known.iter().filter(|w| **w > 0.0).count();
    if (above as i64) < count {
        bail!("{count} rows are wanted, but {above} weights are above zero");
    }
    Ok(())
}

fn sampled(x: &Tensor, shape: Integers, options: &Choosing) -> Result<Tensor> {
    let known = match x.rank() {
        Some(0) => numbers(x)?.1,
        _ => x.shape().dim(0)?.size().map(|n| n as i64),
    };
    let n = known.ok_or_else(|| err!("how many rows there are is unknown while tracing"))?;
    if n == 0 {
        bail!("there is nothing to choose from: {}", x.tensor_type());
    }
    let sizes = shape.known();
    let sizes = sizes.ok_or_else(|| err!("the shape must be known while tracing"))?;
    let count = match sizes.iter().try_fold(1i64, |n, size| n.checked_mul(*size)) {
        Some(count) if sizes.iter().all(|size| *size >= 0) => count,
        _ => bail!("a shape of sizes {sizes:?}"),
    };
    if options.no_repeats && count > n {
        bail!("{count} of {n} rows can't be chosen without repeats");
    }
    let seed = seed_of(options.seed)?;
    let places = match &options.weights {
        None if options.no_repeats => {
            stateless_shuffle(&ops::range(0i64, n, 1i64)?, seed)?.slice([0], [count])?
        }
        None => stateless_uniform([count], seed, 0..n, DType::I64)?,
        Some(weights) => {
            if weights.shape().sizes().is_none_or(|s| s[..] != [n as usize]) {
                bail!("weights of shape {} for {n} rows", weights.shape());
            }
            check_weights(weights, if options.no_repeats { count } else { 1 })?;
            let logits = weights.cast(DType::F64)?.log()?;
            if options.no_repeats {
                // Gumbel's trick: the largest logits with noise are a weighted choice without repeats.
                let noise = stateless_uniform([n], seed, 1e-300..1.0, DType::F64)?;
                let noisy = ops::sub(logits, ops::neg(&noise.log()?)?.log()?)?;
                noisy.top_k(count)?.1.cast(DType::I64)?
            } else {
                let count =
                    i32::try_from(count).map_err(|_| err!("{count} choices are too many"))?;
                stateless_categorical(&logits.reshape([1, n])?, count, seed, DType::I64)?
                    .reshape([-1])?
            }
        }
    };
    let places = places.reshape(sizes.to_vec())?;
    if x.rank() == Some(0) { Ok(places) } else { x.gather(&places, 0) }
}
