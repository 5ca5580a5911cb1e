//! Softmax and losses.

use crate::compounds;
use crate::ops::args::{Axis, AxisLike, Integers, KeepDims};
use crate::ops::methods::*;
use crate::ops::protocol::{Apply2, Apply3};
use crate::ops::{
    InTopK, SoftmaxCrossEntropy, SparseSoftmaxCrossEntropy, add, concat, log_softmax, mul, neg,
    select, shape_of, softmax, sub,
};
use crate::tensor::{Tensor, call_site};
use crate::types::{Result, Shape, bail, err, normalize_axis};

compounds! {
    /// Methods: exponentials along an axis.
    methods of AlongMethods;

    /// Computes [`softmax()`] along any axis.
    ///
    /// TensorFlow: `tf.nn.softmax` with `axis`. Floats of rank 1 at least; the result has the same
    /// shape.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range or a dtype that is no float.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![[0.0f32, 200.0], [0.0, 0.0]].softmax_along(0)?;
    /// assert_eq!(y.as_slice::<f32>()?, &[0.5, 1.0, 0.5, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn softmax_along(logits; axis: impl AxisLike as Axis) -> Tensor {
        along(logits, axis, |x| softmax(x))
    }

    /// Computes [`log_softmax()`] along any axis.
    ///
    /// TensorFlow: `tf.nn.log_softmax` with `axis`. Floats of rank 1 at least; the result has the same
    /// shape.
    ///
    /// # Errors
    /// As [`softmax_along`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![[0.0f32], [-200.0]].log_softmax_along(0)?;
    /// assert_eq!(y.as_slice::<f32>()?, &[0.0, -200.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn log_softmax_along(logits; axis: impl AxisLike as Axis) -> Tensor {
        along(logits, axis, |x| log_softmax(x))
    }
}

compounds! {
    /// Computes the cross entropy of logits with probabilities of the classes along the last axis: a
    /// loss for each row.
    ///
    /// TensorFlow: `tf.nn.softmax_cross_entropy_with_logits`. (PyTorch's `cross_entropy` takes the logits first.) Floats of
    /// one dtype and of shapes `[…, classes]` that broadcast; the result drops the last axis.
    ///
    /// # Errors
    /// `InvalidArgument` for shapes that don't broadcast, and dtypes that are no float.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (labels, logits) = (tensor![[0.0f32, 1.0]], tensor![[2.0f32, 2.0]]);
    /// let loss = ops::softmax_cross_entropy_with_logits(&labels, &logits)?;
    /// assert!((loss.as_slice::<f32>()?[0] - 2f32.ln()).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    fn softmax_cross_entropy_with_logits(labels, logits) -> Tensor {
        if let (Some(a), Some(b)) = (labels.rank(), logits.rank())
            && a != b
        {
            bail!("labels of shape {} for logits of shape {}", labels.shape(), logits.shape());
        }
        let ((rows, sizes), (labels, _)) = (as_rows(logits)?, as_rows(labels)?);
        let (loss, _) = Tensor::apply2(&SoftmaxCrossEntropy {}, &rows, &labels)?;
        if logits.rank() == Some(2) { Ok(loss) } else { loss.reshape(sizes) }
    }

    /// Computes the cross entropy of logits with one class per row (int32 or int64): a loss for each
    /// row.
    ///
    /// TensorFlow: `tf.nn.sparse_softmax_cross_entropy_with_logits`. (PyTorch's `cross_entropy` takes the logits first.)
    /// Labels `[…]` for float logits `[…, classes]`; the result has the shape of the labels.
    ///
    /// # Errors
    /// `InvalidArgument` for a class out of range, and for labels whose shape is not that of the logits
    /// without the last axis.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let loss = ops::sparse_softmax_cross_entropy_with_logits(
    ///     &tensor![1, 0],
    ///     &tensor![[0.0f32, 100.0], [0.0, 100.0]],
    /// )?;
    /// assert_eq!(loss.as_slice::<f32>()?, &[0.0, 100.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn sparse_softmax_cross_entropy_with_logits(labels, logits) -> Tensor {
        let outer: Shape = logits.shape().slice(None, Some(-1));
        if !labels.shape().is_compatible_with(&outer) {
            bail!("labels of shape {} for logits of shape {}", labels.shape(), logits.shape());
        }
        let (rows, sizes) = as_rows(logits)?;
        let (loss, _) = Tensor::apply2(&SparseSoftmaxCrossEntropy {}, &rows, &labels.reshape([-1])?)?;
        if logits.rank() == Some(2) { Ok(loss) } else { loss.reshape(sizes) }
    }

    /// Computes the cross entropy of independent probabilities with logits, element by element, safe
    /// against overflow.
    ///
    /// TensorFlow: `tf.nn.sigmoid_cross_entropy_with_logits`. (PyTorch's function takes the
    /// logits first.) Floats of one shape; the result has the same.
    ///
    /// # Errors
    /// `InvalidArgument` for shapes or dtypes that differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (labels, logits) = (tensor![1.0f32, 0.0], tensor![1000.0f32, 1000.0]);
    /// let loss = ops::sigmoid_cross_entropy_with_logits(&labels, &logits)?;
    /// assert_eq!(loss.as_slice::<f32>()?, &[0.0, 1000.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn sigmoid_cross_entropy_with_logits(labels, logits) -> Tensor {
        check_same_shape(labels, logits)?;
        let zeros = logits.zeros_like()?;
        let is_positive = logits.greater_equal(&zeros)?;
        // Don't use `relu` and `abs`: their gradients at zero don't add up to the right one.
        let relu = select(&is_positive, logits, &zeros)?;
        let negative = select(&is_positive, &neg(logits)?, logits)?;
        let distance = sub(&relu, &mul(logits, labels)?)?;
        add(&distance, &negative.exp()?.log1p()?)
    }

    /// Computes [`sigmoid_cross_entropy_with_logits()`] with positive labels weighted by `pos_weight`.
    ///
    /// TensorFlow: `tf.nn.weighted_cross_entropy_with_logits`. Floats of one shape; the result has the
    /// same. The weight broadcasts.
    ///
    /// # Errors
    /// As [`sigmoid_cross_entropy_with_logits`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (labels, logits) = (tensor![1.0f32, 0.0], tensor![-100.0f32, 100.0]);
    /// let loss = ops::weighted_cross_entropy_with_logits(&labels, &logits, 3.0)?;
    /// assert_eq!(loss.as_slice::<f32>()?, &[300.0, 100.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn weighted_cross_entropy_with_logits(labels, logits, pos_weight) -> Tensor {
        check_same_shape(labels, logits)?;
        weighted(labels, logits, &mul(labels, pos_weight)?)
    }
}

/// Applies a function of the last axis along another axis.
fn along(x: &Tensor, axis: Axis, f: fn(&Tensor) -> Result<Tensor>) -> Result<Tensor> {
    if axis.0 == -1 {
        return f(x);
    }
    let rank = x.rank().ok_or_else(|| {
        err!("the rank must be known while tracing, unless the axis is -1; give it a shape")
    })?;
    let axis = normalize_axis(axis.0, rank)?;
    if axis == rank - 1 {
        return f(x);
    }
    let mut swapped: Vec<i64> = (0..rank as i64).collect();
    swapped.swap(axis, rank - 1);
    f(&x.transpose(&swapped[..])?)?.transpose(&swapped[..])
}

/// A tensor as a matrix whose rows lie along the last axis, and the sizes of the other axes.
fn as_rows(x: &Tensor) -> Result<(Tensor, Integers)> {
    let rank = x.rank().filter(|rank| *rank > 0);
    let rank = rank.ok_or_else(|| {
        err!("logits have a rank that is known while tracing, and one axis at least")
    })?;
    let outer = x.shape().slice(None, Some(-1));
    let sizes = match Integers::of_shape(&outer) {
        Some(known) => known,
        None => Integers::Tensor(shape_of(x)?.slice([0], [rank as i64 - 1])?),
    };
    if rank == 2 {
        return Ok((x.clone(), sizes));
    }
    let last = match x.shape().dim(-1)?.size() {
        Some(n) => Tensor::from_vec(vec![n as i64]),
        None => shape_of(x)?.slice([rank as i64 - 1], [1])?,
    };
    let count = sizes.to_tensor()?.reduce_prod(.., KeepDims)?;
    Ok((x.reshape(&concat(&[&count, &last], 0)?)?, sizes))
}

fn weighted(labels: &Tensor, logits: &Tensor, weighted_labels: &Tensor) -> Result<Tensor> {
    let others = sub(1.0, labels)?;
    let softplus = add(&neg(&logits.abs()?)?.exp()?.log1p()?, &neg(logits)?.relu()?)?;
    add(&mul(&others, logits)?, &mul(&add(&others, weighted_labels)?, &softplus)?)
}

fn check_same_shape(labels: &Tensor, logits: &Tensor) -> Result<()> {
    if !labels.shape().is_compatible_with(&logits.shape()) {
        bail!("labels of shape {} for logits of shape {}", labels.shape(), logits.shape());
    }
    Ok(())
}

/// Returns for each row whether the prediction of the target class is among the `k` largest. False
/// where a prediction is not finite or the class is out of range.
///
/// TensorFlow: `tf.math.in_top_k`. Targets `[n]` for predictions `[n, classes]`; the result is
/// `[n]`.
///
/// # Errors
/// `InvalidArgument` if there is not one target (int32 or int64) for each row of a float32 matrix.
///
/// ```
/// use extype::prelude::*;
/// let predictions = tensor![[0.1f32, 0.7, 0.2], [0.6, 0.3, 0.1]];
/// let found = ops::in_top_k(&tensor![2, 2], &predictions, 2)?;
/// assert_eq!(found.as_slice::<bool>()?, &[true, false]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn in_top_k(targets: &Tensor, predictions: &Tensor, k: i32) -> Result<Tensor> {
    let _site = call_site!();
    let k = Tensor::scalar(k).cast(targets.dtype())?;
    Tensor::apply3(&InTopK {}, predictions, targets, &k)
}
