//! Random numbers as functions of a seed of two integers.

use super::stream::Stream;
use super::{Bounds, Parameter};
use crate::ops::{
    self, Apply1, Integers, IntegersLike, Operand, SideInput, StatelessMultinomial,
    StatelessShuffle,
};
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{DType, Result, bail};

/// Uniformly distributed numbers, in `[low, high)` for the bounds `low..high`. For `..`, floats are in
/// `[0, 1)` and integers in the whole range of the dtype.
///
/// Floats are float16, bfloat16, float32 and float64; integers are int32 and int64, and for `..` also uint32
/// and uint64. The seed is int32 or int64 of shape `[2]`.
///
/// TensorFlow: `tf.random.stateless_uniform`.
///
/// # Errors
/// `InvalidArgument` for other dtypes, a negative size, a seed of another shape, integer bounds
/// with nothing between them, and bounds of floats whose difference is not finite.
///
/// ```
/// use extype::prelude::*;
/// use extype::random;
/// let x = random::stateless_uniform([3], [1, 2], -1.0..1.0, f64)?;
/// assert!(x.as_slice::<f64>()?.iter().all(|x| (-1.0..1.0).contains(x)));
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn stateless_uniform(
    shape: impl IntegersLike,
    seed: impl IntegersLike,
    bounds: impl Bounds,
    dtype: DType,
) -> Result<Tensor> {
    let _site = call_site!();
    Stream::of_seed(&seed.into())?.uniform(&shape.into().to_tensor()?, &bounds, dtype)
}

/// Floats of a normal distribution.
///
/// TensorFlow: `tf.random.stateless_normal`.
///
/// # Errors
/// `InvalidArgument` for a dtype that is no float, a negative size, a negative deviation, and a seed of
/// another shape. A deviation that is unknown while tracing is checked when the program runs.
///
/// ```
/// use extype::prelude::*;
/// use extype::random;
/// let draw = || random::stateless_normal([2, 3], [1, 2], 10.0, 0.5, f32);
/// assert_eq!(draw()?.shape(), shape![2, 3]);
/// assert_eq!(draw()?.as_slice::<f32>()?, draw()?.as_slice::<f32>()?);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn stateless_normal(
    shape: impl IntegersLike,
    seed: impl IntegersLike,
    mean: impl Parameter,
    stddev: impl Parameter,
    dtype: DType,
) -> Result<Tensor> {
    let _site = call_site!();
    Stream::of_seed(&seed.into())?.normal(&shape.into().to_tensor()?, &mean, &stddev, dtype)
}

/// Floats of a truncated normal distribution: numbers two standard deviations or more from the mean are drawn
/// again.
///
/// TensorFlow: `tf.random.stateless_truncated_normal`.
///
/// # Errors
/// As [`stateless_normal`].
///
/// ```
/// use extype::prelude::*;
/// use extype::random;
/// let x = random::stateless_truncated_normal([100], [1, 2], 0.0, 1.0, f32)?;
/// assert!(x.as_slice::<f32>()?.iter().all(|x| x.abs() <= 2.0));
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn stateless_truncated_normal(
    shape: impl IntegersLike,
    seed: impl IntegersLike,
    mean: impl Parameter,
    stddev: impl Parameter,
    dtype: DType,
) -> Result<Tensor> {
    let _site = call_site!();
    let shape = shape.into().to_tensor()?;
    Stream::of_seed(&seed.into())?.truncated_normal(&shape, &mean, &stddev, dtype)
}

/// Draws classes for each row of unnormalized log-probabilities `[batch, classes]`. The result is
/// `[batch, num_samples]` of `dtype`, int32 or int64.
///
/// TensorFlow: `tf.random.stateless_categorical`.
///
/// # Errors
/// `InvalidArgument` for logits that are no matrix or have no class, and a negative number.
///
/// ```
/// use extype::prelude::*;
/// use extype::random;
/// let drawn = random::stateless_categorical(&tensor![[0.0f32, -100.0]], 4, [1, 2], i64)?;
/// assert_eq!(drawn.shape(), shape![1, 4]);
/// assert_eq!(drawn.as_slice::<i64>()?, &[0; 4]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn stateless_categorical<X: Operand>(
    logits: X,
    num_samples: i32,
    seed: impl IntegersLike,
    dtype: DType,
) -> Result<<X::Value as Apply1<StatelessMultinomial>>::Output>
where
    X::Value: Apply1<StatelessMultinomial>,
{
    let _site = call_site!();
    let op = StatelessMultinomial {
        output_dtype: dtype,
        num_samples: SideInput(Tensor::scalar(num_samples)),
        seed: SideInput(seed.into().to_tensor()?),
    };
    X::Value::apply1(&op, &*logits.operand()?)
}

/// `num` seeds derived from one: `[num, 2]` of the dtype of the seed (int64 for plain numbers).
///
/// TensorFlow: `tf.random.experimental.stateless_split`.
///
/// # Errors
/// `InvalidArgument` for a seed of another shape than `[2]`.
///
/// ```
/// use extype::prelude::*;
/// use extype::random;
/// let seeds = random::stateless_split([1, 2], 3)?;
/// assert_eq!(seeds.shape(), shape![3, 2]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn stateless_split(seed: impl IntegersLike, num: usize) -> Result<Tensor> {
    let _site = call_site!();
    let seed = seed.into();
    let dtype = seed.to_tensor()?.dtype();
    Stream::of_seed(&seed)?.uniform(&Integers::from([num, 2]).to_tensor()?, &.., dtype)
}

/// A seed derived from a seed and a number, such as the id of a replica or a step. The result is `[2]` of the
/// dtype of `data`, which is an int32 or int64 scalar.
///
/// TensorFlow: `tf.random.experimental.stateless_fold_in`.
///
/// # Errors
/// `InvalidArgument` for a seed of another shape than `[2]`, and data that is no integer scalar.
///
/// ```
/// use extype::prelude::*;
/// use extype::random;
/// let seed = random::stateless_fold_in([1, 2], 5i64)?;
/// assert_eq!(seed.shape(), shape![2]);
/// assert_eq!(seed.as_slice::<i64>()?[1], 5);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn stateless_fold_in(seed: impl IntegersLike, data: impl TensorLike) -> Result<Tensor> {
    let _site = call_site!();
    let data = data.to_tensor()?;
    if !matches!(data.dtype(), DType::I32 | DType::I64) || data.rank().is_some_and(|r| r > 0) {
        bail!("`data` is an int32 or int64 scalar, not {}", data.tensor_type());
    }
    let scalar = Integers::from([0i64; 0]).to_tensor()?;
    let first = Stream::of_seed(&seed.into())?.uniform(&scalar, &.., data.dtype())?;
    ops::stack(&[&first, &data], 0)
}

/// The rows (along axis 0) of a tensor of any dtype in a random order.
///
/// TensorFlow: `tf.random.experimental.stateless_shuffle`.
///
/// # Errors
/// `InvalidArgument` for a seed of another shape than `[2]`.
///
/// ```
/// use extype::prelude::*;
/// use extype::random;
/// let mut x = random::stateless_shuffle(&tensor![1, 2, 3], [8, 9])?.to_vec::<i32>()?;
/// x.sort();
/// assert_eq!(x, [1, 2, 3]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn stateless_shuffle<X: Operand>(
    value: X,
    seed: impl IntegersLike,
) -> Result<<X::Value as Apply1<StatelessShuffle>>::Output>
where
    X::Value: Apply1<StatelessShuffle>,
{
    let _site = call_site!();
    let op = Stream::of_seed(&seed.into())?.shuffle();
    X::Value::apply1(&op, &*value.operand()?)
}
