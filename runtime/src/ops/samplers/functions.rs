//! Losses of classes that are drawn, in place of all classes.

use crate::ops;
use crate::ops::methods::*;
use crate::tensor::{Tensor, call_site};
use crate::types::{Result, bail};

/// The logits of the true and the drawn classes, and the labels: one over the number of true classes, and zeros.
fn sampled_logits(
    [weights, biases, labels, inputs]: [&Tensor; 4],
    candidates: [&Tensor; 3],
    without_hits: bool,
) -> Result<[Tensor; 2]> {
    let [drawn, of_truth, of_drawn] = candidates.map(|x| x.stop_gradient());
    let (drawn, dtype) = (drawn?, inputs.dtype());
    let (inputs_shape, labels_shape) = (inputs.shape().with_rank(2)?, labels.shape().with_rank(2)?);
    if !inputs_shape.dim(0)?.is_compatible_with(labels_shape.dim(0)?) {
        bail!("inputs of shape {inputs_shape} for labels of shape {labels_shape}");
    }
    let labels = labels.cast(crate::types::DType::I64)?;
    let rows = weights.gather(&labels, 0)?;
    let truth = ops::mul(&inputs.expand_dims(1)?, &rows)?.reduce_sum(2, false)?;
    let truth = ops::add(&truth, biases.gather(&labels, 0)?)?;
    let others = inputs.matmul(weights.gather(&drawn, 0)?.matrix_transpose()?)?;
    let mut others = ops::add(&others, biases.gather(&drawn, 0)?)?;
    if without_hits {
        let hit = labels.expand_dims(2)?.equal(&drawn)?.reduce_any(1, false)?;
        let least = Tensor::scalar(f32::MIN).cast(dtype)?;
        others = ops::add(&others, ops::select(&hit, &least, ops::zeros_like(&least)?)?)?;
    }
    let truth = ops::sub(&truth, of_truth?.log()?)?;
    let others = ops::sub(&others, of_drawn?.log()?)?;
    let ones = ops::ones_like(&truth)?;
    let share = ops::div(&ones, ones.reduce_sum(1, true)?)?;
    let labels = ops::concat(&[&share, &ops::zeros_like(&others)?], 1)?;
    Ok([labels, ops::concat(&[&truth, &others], 1)?])
}

/// Noise-contrastive estimation: the loss of each row for telling its true classes from drawn ones.
///
/// TensorFlow: `tf.nn.nce_loss`. Weights `[classes, n]`, biases `[classes]`, integer labels `[batch, num_true]`, inputs `[batch, n]`;
/// `candidates` are the three results of a candidate sampler, such as [`log_uniform_candidate_sampler()`], with expected
/// counts of the dtype of the inputs. With `without_hits`, drawn classes that are true do not count.
///
/// # Errors
/// `InvalidArgument` for other shapes, and classes that are not there.
///
/// ```
/// use extype::prelude::*;
/// let (weights, biases) = (tensor![[0.5f32], [-0.5]], tensor![0.0f32, 0.0]);
/// let (labels, inputs) = (tensor![[0i64]], tensor![[1.0f32]]);
/// let (drawn, of_truth, of_drawn) = ops::uniform_candidate_sampler(&labels, 1, 1, true, 2, 1, 1)?;
/// let candidates = [&drawn, &of_truth, &of_drawn];
/// assert_eq!(ops::nce_loss(&weights, &biases, &labels, &inputs, candidates, false)?.shape(), shape![1]);
/// # Ok::<(), Error>(())
/// ```
///
/// [`log_uniform_candidate_sampler()`]: crate::ops::log_uniform_candidate_sampler()
#[track_caller]
pub fn nce_loss(
    weights: &Tensor,
    biases: &Tensor,
    labels: &Tensor,
    inputs: &Tensor,
    candidates: [&Tensor; 3],
    without_hits: bool,
) -> Result<Tensor> {
    let _site = call_site!();
    let operands = [weights, biases, labels, inputs];
    let [labels, logits] = sampled_logits(operands, candidates, without_hits)?;
    ops::sigmoid_cross_entropy_with_logits(&labels, &logits)?.reduce_sum(1, false)
}

/// The softmax cross-entropy of each row among its true classes and drawn ones: a faster loss for many classes.
///
/// TensorFlow: `tf.nn.sampled_softmax_loss`. Operands and errors are those of [`nce_loss`].
///
/// # Errors
/// As [`nce_loss`].
///
/// ```
/// use extype::prelude::*;
/// let (weights, biases) = (tensor![[0.5f32], [-0.5]], tensor![0.0f32, 0.0]);
/// let (labels, inputs) = (tensor![[0i64]], tensor![[1.0f32]]);
/// let (drawn, of_truth, of_drawn) = ops::uniform_candidate_sampler(&labels, 1, 2, true, 2, 1, 1)?;
/// let candidates = [&drawn, &of_truth, &of_drawn];
/// let loss = ops::sampled_softmax_loss(&weights, &biases, &labels, &inputs, candidates, true)?;
/// assert!(loss.item::<f32>()? > 0.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn sampled_softmax_loss(
    weights: &Tensor,
    biases: &Tensor,
    labels: &Tensor,
    inputs: &Tensor,
    candidates: [&Tensor; 3],
    without_hits: bool,
) -> Result<Tensor> {
    let _site = call_site!();
    let operands = [weights, biases, labels, inputs];
    let [labels, logits] = sampled_logits(operands, candidates, without_hits)?;
    ops::softmax_cross_entropy_with_logits(&labels.stop_gradient()?, &logits)
}
