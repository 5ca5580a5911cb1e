//! Draws from distributions with parameters: gamma, Poisson, binomial, and those made of them.

use super::draws::seed_of;
use super::stream::Stream;
use super::{Bounds, Drawn, Parameter, Seeded, stateless_categorical, stateless_normal};
use super::{stateless_split, stateless_uniform};
use crate::ops::methods::*;
use crate::ops::options::{Sets, chosen};
use crate::ops::{
    self, Apply1, Integers, IntegersLike, Op, Operand, StatelessMultinomial,
    StatelessParameterizedTruncatedNormal, StatelessRandomBinomial, StatelessRandomGammaV3,
    StatelessRandomPoisson,
};
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, Result, bail};

/// Numbers of the gamma distribution with the shapes `alpha` and scale one; multiply them for another scale.
///
/// TensorFlow: `tf.random.stateless_gamma`. `shape` ends with the shape of `alpha`. The gradient with respect to
/// `alpha` is that of implicit reparameterization. An `alpha` that is negative or NaN gives NaN.
///
/// # Errors
/// `InvalidArgument` for a dtype that is no float, a negative size, a seed of another shape than `[2]`, and a
/// shape that does not end with that of `alpha`.
///
/// ```
/// use extype::prelude::*;
/// let x = random::stateless_gamma([1000, 2], [1, 2], &tensor![1.0f32, 50.0], f32)?;
/// let means = x.mean(0)?;
/// assert!((means.index(1)?.item::<f32>()? - 50.0).abs() < 1.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn stateless_gamma(
    shape: impl IntegersLike,
    seed: impl IntegersLike,
    alpha: impl Parameter,
    dtype: DType,
) -> Result<Tensor> {
    let _site = call_site!();
    let Stream { key, counter } = Stream::of_seed(&seed.into())?;
    let (shape, alg) = (shape.into().to_tensor()?, Tensor::scalar(super::stream::PHILOX));
    StatelessRandomGammaV3 {}.run(&[&shape, &key, &counter, &alg, &alpha.of_dtype(dtype)?])
}

/// Counts of the Poisson distribution with these rates, in a dtype of floats, int32 or int64.
///
/// TensorFlow: `tf.random.stateless_poisson`. `shape` ends with the shape of the rates, which are float32 if they are
/// plain numbers.
///
/// # Errors
/// `InvalidArgument` for another dtype, a negative size, a seed of another shape than `[2]`, and a shape that does
/// not end with that of the rates.
///
/// ```
/// use extype::prelude::*;
/// let x = random::stateless_poisson([1000], [1, 2], &scalar(4.0f32), i64)?;
/// assert!((x.cast(f32)?.mean(..)?.item::<f32>()? - 4.0).abs() < 0.5);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn stateless_poisson(
    shape: impl IntegersLike,
    seed: impl IntegersLike,
    rate: &Tensor,
    dtype: DType,
) -> Result<Tensor> {
    let _site = call_site!();
    let (shape, seed) = (shape.into().to_tensor()?, seed.into().to_tensor()?);
    StatelessRandomPoisson { dtype }.run(&[&shape, &seed, rate])
}

/// How often events of the probabilities `probs` occur in `counts` trials, in a dtype of floats, int32 or int64.
///
/// TensorFlow: `tf.random.stateless_binomial`. `shape` ends with the shape that counts and probabilities, floats of one
/// dtype, broadcast to.
///
/// # Errors
/// As [`stateless_poisson`].
///
/// ```
/// use extype::prelude::*;
/// let x = random::stateless_binomial([1000], [1, 2], &scalar(10.0f32), &scalar(0.5f32), i32)?;
/// assert!(x.as_slice::<i32>()?.iter().all(|n| (0..=10).contains(n)));
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn stateless_binomial(
    shape: impl IntegersLike,
    seed: impl IntegersLike,
    counts: &Tensor,
    probs: &Tensor,
    dtype: DType,
) -> Result<Tensor> {
    let _site = call_site!();
    let (shape, seed) = (shape.into().to_tensor()?, seed.into().to_tensor()?);
    StatelessRandomBinomial { dtype }.run(&[&shape, &seed, counts, probs])
}

/// Floats of a normal distribution between two bounds, `low..high`, of which one may be infinite.
///
/// TensorFlow: `tf.random.stateless_parameterized_truncated_normal`. `shape` ends with the shape that the parameters
/// broadcast to. Gradients with respect to all four are those of implicit reparameterization.
///
/// # Errors
/// `InvalidArgument` for a dtype other than float16, float32, float64, a seed of another shape than `[2]`, bounds that do
/// not ascend, and a deviation that is not above zero.
///
/// ```
/// use extype::prelude::*;
/// let x = random::stateless_parameterized_truncated_normal([9], [1, 2], 0.0, 1.0, 2.0..3.0, f32)?;
/// assert!(x.as_slice::<f32>()?.iter().all(|x| (2.0..=3.0).contains(x)));
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn stateless_parameterized_truncated_normal(
    shape: impl IntegersLike,
    seed: impl IntegersLike,
    mean: impl Parameter,
    stddev: impl Parameter,
    bounds: impl Bounds,
    dtype: DType,
) -> Result<Tensor> {
    let _site = call_site!();
    let (shape, seed) = (shape.into().to_tensor()?, seed.into().to_tensor()?);
    let Some((low, high)) = bounds.of_dtype(dtype)? else {
        bail!("truncated numbers have bounds, `low..high`");
    };
    let (mean, stddev) = (mean.of_dtype(dtype)?, stddev.of_dtype(dtype)?);
    StatelessParameterizedTruncatedNormal {}.run(&[&shape, &seed, &mean, &stddev, &low, &high])
}

/// A parameter that is repeated to the shape of the result, unless it is a scalar.
fn spread(parameter: impl Parameter, shape: &Integers, dtype: DType) -> Result<Tensor> {
    let parameter = parameter.of_dtype(dtype)?;
    if parameter.rank() == Some(0) { Ok(parameter) } else { parameter.broadcast_to(shape.clone()) }
}

/// The dtype in which the parameters of counts are: floats as they are drawn, float32 for integers.
fn of_counts(dtype: DType) -> DType {
    if dtype.is_integer() { DType::F32 } else { dtype }
}

/// The seeds for several draws.
fn seeds(seed: Option<i64>, n: usize) -> Result<Vec<Integers>> {
    let all = stateless_split(seed_of(seed)?, n)?;
    (0..n).map(|i| Ok(all.index(i as i64)?.into())).collect()
}

/// The logarithms of numbers of the gamma distribution, which are not zero where the numbers would be.
fn log_gamma(alpha: &Tensor, shape: &Integers, seed: &Integers, dtype: DType) -> Result<Tensor> {
    let seeds = stateless_split(seed.clone(), 2)?;
    // One more than a negative shape would be a shape.
    let alpha = &ops::select(alpha.greater_equal(0.0)?, alpha, f64::NAN)?;
    let more = ops::add(alpha, 1.0)?;
    let x = stateless_gamma(shape.clone(), seeds.index(0i64)?, &more, dtype)?;
    let u = stateless_uniform(shape.clone(), seeds.index(1i64)?, .., dtype)?;
    // Zero is drawn, one is not.
    let u = ops::neg(&u)?.log1p()?;
    ops::add(&x.log()?, &ops::div(&u, alpha)?)
}

/// Numbers of the gamma distribution with the shape `alpha` and scale one; multiply them for another scale.
///
/// NumPy: `random.gamma`; TensorFlow: `tf.random.gamma`. `alpha` is a number, or a tensor that broadcasts to the shape; the
/// gradient with respect to it is that of implicit reparameterization. Options: a dtype (float32 for `..`),
/// [`Seed(n)`](super::Seed).
///
/// # Errors
/// `InvalidArgument` for a dtype that is no float, a negative size, and an `alpha` of another dtype or that does not
/// broadcast.
///
/// ```
/// use extype::prelude::*;
/// let x = random::gamma(3.0, [1000], (f64, random::Seed(7)))?;
/// assert!((x.mean(..)?.item::<f64>()? - 3.0).abs() < 0.3);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn gamma(
    alpha: impl Parameter,
    shape: impl IntegersLike,
    options: impl Sets<Drawn>,
) -> Result<Tensor> {
    let _site = call_site!();
    let (Drawn { dtype, seed }, shape) = (chosen(options)?, shape.into());
    let alpha = spread(alpha, &shape, dtype)?;
    stateless_gamma(shape, seed_of(seed)?, &alpha, dtype)
}

/// Counts of the Poisson distribution with this rate. Options: a dtype (float32 for `..`), [`Seed(n)`](super::Seed).
///
/// NumPy: `random.poisson`; TensorFlow: `tf.random.poisson`. The rate is a number, or a tensor that broadcasts to the
/// shape, of the dtype that is drawn, or float32 if that is int32 or int64.
///
/// # Errors
/// `InvalidArgument` for another dtype, a negative size, and a rate of another dtype or that does not broadcast.
///
/// ```
/// use extype::prelude::*;
/// let x = random::poisson(20.0, [1000], (i32, random::Seed(7)))?;
/// assert!((x.cast(f32)?.mean(..)?.item::<f32>()? - 20.0).abs() < 1.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn poisson(
    rate: impl Parameter,
    shape: impl IntegersLike,
    options: impl Sets<Drawn>,
) -> Result<Tensor> {
    let _site = call_site!();
    let (Drawn { dtype, seed }, shape) = (chosen(options)?, shape.into());
    let rate = spread(rate, &shape, of_counts(dtype))?;
    stateless_poisson(shape, seed_of(seed)?, &rate, dtype)
}

/// How often an event of the probability `p` occurs in `count` trials. Options: a dtype (float32 for `..`),
/// [`Seed(n)`](super::Seed).
///
/// NumPy: `random.binomial`. Both are numbers, or tensors that broadcast to the shape, of the dtype that is drawn, or
/// float32 if that is int32 or int64. Bernoulli's distribution is that of one trial.
///
/// # Errors
/// As [`poisson`].
///
/// ```
/// use extype::prelude::*;
/// let heads = random::binomial(100.0, 0.5, [1000], (i32, random::Seed(7)))?;
/// assert!((heads.cast(f32)?.mean(..)?.item::<f32>()? - 50.0).abs() < 1.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn binomial(
    count: impl Parameter,
    p: impl Parameter,
    shape: impl IntegersLike,
    options: impl Sets<Drawn>,
) -> Result<Tensor> {
    let _site = call_site!();
    let (Drawn { dtype, seed }, shape) = (chosen(options)?, shape.into());
    let of = of_counts(dtype);
    let (count, p) = (spread(count, &shape, of)?, spread(p, &shape, of)?);
    stateless_binomial(shape, seed_of(seed)?, &count, &p, dtype)
}

/// Numbers of the beta distribution, between zero and one. Options: a dtype (float32 for `..`),
/// [`Seed(n)`](super::Seed).
///
/// NumPy: `random.beta`. Parameters, gradients and errors are those of [`gamma`].
///
/// # Errors
/// As [`gamma`].
///
/// ```
/// use extype::prelude::*;
/// let x = random::beta(2.0, 6.0, [1000], random::Seed(7))?;
/// assert!((x.mean(..)?.item::<f32>()? - 0.25).abs() < 0.02);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn beta(
    a: impl Parameter,
    b: impl Parameter,
    shape: impl IntegersLike,
    options: impl Sets<Drawn>,
) -> Result<Tensor> {
    let _site = call_site!();
    let (Drawn { dtype, seed }, shape) = (chosen(options)?, shape.into());
    let seeds = seeds(seed, 2)?;
    let log = |x: Tensor, seed: &Integers| log_gamma(&x, &shape, seed, dtype);
    let x = log(spread(a, &shape, dtype)?, &seeds[0])?;
    let y = log(spread(b, &shape, dtype)?, &seeds[1])?;
    ops::sub(&x, &y)?.sigmoid()
}

/// Vectors of the Dirichlet distribution: positive numbers whose sum is one. Options: a dtype (float32 for `..`),
/// [`Seed(n)`](super::Seed).
///
/// NumPy: `random.dirichlet`. `alpha` is a vector, or a tensor of such vectors; the result has the shape and that of
/// `alpha` after it. Gradients are those of [`gamma`].
///
/// # Errors
/// `InvalidArgument` for a scalar, and as [`gamma`].
///
/// ```
/// use extype::prelude::*;
/// let x = random::dirichlet(&tensor![1.0f32, 2.0, 7.0], 5, random::Seed(7))?;
/// assert_eq!(x.shape(), shape![5, 3]);
/// assert!(x.sum(-1)?.as_slice::<f32>()?.iter().all(|sum| (sum - 1.0).abs() < 1e-5));
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn dirichlet(
    alpha: impl Parameter,
    shape: impl IntegersLike,
    options: impl Sets<Drawn>,
) -> Result<Tensor> {
    let _site = call_site!();
    let Drawn { dtype, seed } = chosen(options)?;
    let alpha = alpha.of_dtype(dtype)?;
    if alpha.rank() == Some(0) {
        bail!("`alpha` is a vector, or a tensor of vectors, and no scalar");
    }
    let shape = ops::whole_numbers(&shape.into().to_tensor()?, DType::I64)?;
    let sizes = ops::shape_of(&alpha)?.cast(DType::I64)?;
    let whole = Integers::Tensor(ops::concat(&[&shape.reshape([-1])?, &sizes], 0)?);
    ops::softmax(&log_gamma(&alpha, &whole, &seed_of(seed)?, dtype)?)
}

/// Numbers of Student's t distribution with `df` degrees of freedom. Options: a dtype (float32 for `..`),
/// [`Seed(n)`](super::Seed).
///
/// NumPy: `random.standard_t`. Parameters, gradients and errors are those of [`gamma`].
///
/// # Errors
/// As [`gamma`].
///
/// ```
/// use extype::prelude::*;
/// let x = random::student_t(5.0, [1000], random::Seed(7))?;
/// assert!(x.mean(..)?.item::<f32>()?.abs() < 0.2);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "standard_t")]
#[track_caller]
pub fn student_t(
    df: impl Parameter,
    shape: impl IntegersLike,
    options: impl Sets<Drawn>,
) -> Result<Tensor> {
    let _site = call_site!();
    let (Drawn { dtype, seed }, shape) = (chosen(options)?, shape.into());
    let (half, seeds) = (ops::mul(&spread(df, &shape, dtype)?, 0.5)?, seeds(seed, 2)?);
    let normal = stateless_normal(shape.clone(), seeds[0].clone(), 0.0, 1.0, dtype)?;
    let x = stateless_gamma(shape, seeds[1].clone(), &half, dtype)?;
    ops::mul(&normal, &ops::div(&half, &x)?.sqrt()?)
}

/// Classes for each row of unnormalized log-probabilities `[batch, classes]`: int64 of shape `[batch, num_samples]`.
/// Option: [`Seed(n)`](super::Seed).
///
/// TensorFlow: `tf.random.categorical`; PyTorch: `multinomial`, which takes probabilities.
///
/// # Errors
/// As [`stateless_categorical`].
///
/// ```
/// use extype::prelude::*;
/// let drawn = random::categorical(&tensor![[0.0f32, -100.0], [-100.0, 0.0]], 3, ..)?;
/// assert_eq!(drawn.as_slice::<i64>()?, &[0, 0, 0, 1, 1, 1]);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "multinomial")]
#[track_caller]
pub fn categorical<X: Operand>(
    logits: X,
    num_samples: i32,
    options: impl Sets<Seeded>,
) -> Result<<X::Value as Apply1<StatelessMultinomial>>::Output>
where
    X::Value: Apply1<StatelessMultinomial>,
{
    let _site = call_site!();
    let seed = seed_of(chosen::<Seeded>(options)?.seed)?;
    stateless_categorical(logits, num_samples, seed, DType::I64)
}
