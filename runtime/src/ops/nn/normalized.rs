//! Normalizations of images, for users.

use crate::ops::{FusedBatchNorm, Lrn, Op as _};
use crate::tensor::{Tensor, execute};
use crate::types::{Result, bail};

/// Normalizes each channel of images by mean and variance, then scales and shifts it.
///
/// TensorFlow: `tf.compat.v1.nn.fused_batch_norm`; PyTorch: `batch_norm`. Images `[batch, …, channels]` of rank 4 or 5;
/// scale and offset are vectors of float32 with an element for each channel. With `None`, mean and variance are those of the
/// batch, as in training. The results are the images, the mean and the variance, which of a batch is the unbiased one.
///
/// Dtypes of images: float16, bfloat16, float32.
///
/// # Errors
/// `InvalidArgument` for images of another rank and vectors of another length.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![1.0f32, 3.0].reshape([2, 1, 1, 1])?;
/// let (y, mean, variance) = ops::batch_norm(&x, &tensor![1.0f32], &tensor![0.0f32], None, 0.0)?;
/// assert_eq!(y.as_slice::<f32>()?, &[-1.0, 1.0]);
/// assert_eq!((mean.as_slice::<f32>()?, variance.as_slice::<f32>()?), (&[2.0][..], &[2.0][..]));
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn batch_norm(
    x: &Tensor,
    scale: &Tensor,
    offset: &Tensor,
    mean_and_variance: Option<(&Tensor, &Tensor)>,
    epsilon: f32,
) -> Result<(Tensor, Tensor, Tensor)> {
    let op = FusedBatchNorm {
        epsilon,
        exponential_avg_factor: 1.0,
        data_format: "NHWC".to_owned(),
        is_training: mean_and_variance.is_none(),
    };
    let (mean, variance) = mean_and_variance.unwrap_or((scale, offset));
    let results = execute(op.def(), op.attrs(), &[x, scale, offset, mean, variance])?;
    let mut results = results.into_iter();
    match (results.next(), results.next(), results.next()) {
        (Some(y), Some(mean), Some(variance)) => Ok((y, mean, variance)),
        _ => bail!(Internal, "a normalization has three results"),
    }
}

/// Divides each element by a power of the sum of squares of `depth_radius` channels on each side and its own:
/// `x / (bias + alpha · sum)^beta`.
///
/// TensorFlow: `tf.nn.local_response_normalization`; PyTorch: `local_response_norm`. Images `[batch, height, width,
/// channels]` of float16, bfloat16 or float32.
///
/// # Errors
/// `InvalidArgument` for another rank.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![1.0f32, 2.0].reshape([1, 1, 1, 2])?;
/// let y = ops::local_response_normalization(&x, 0, 0.0, 1.0, 0.5)?;
/// assert_eq!(y.as_slice::<f32>()?, &[1.0, 1.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn local_response_normalization(
    x: &Tensor,
    depth_radius: i64,
    bias: f32,
    alpha: f32,
    beta: f32,
) -> Result<Tensor> {
    Lrn { depth_radius, bias, alpha, beta }.run(&[x])
}
