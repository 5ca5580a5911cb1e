//! Softmax, cross entropies and other losses.

mod batch;
pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;
mod losses;
mod normalization;
mod normalized;

use extype_kernels::table::softmax as rows;
pub use losses::*;
pub use normalization::*;
pub use normalized::*;

use crate::define_op;
use crate::ops::rules::batch::leading;
use crate::ops::rules::folded::examples;
use crate::types::DTypeSet;

define_op! {
    /// Methods: exponentials of rows.
    methods of RowsMethods;

    /// Returns for each row whether the prediction of the target class is among the `k` largest. False
    /// where a prediction is not finite or the class is out of range.
    ///
    /// TensorFlow: `InTopKV2`.
    pub op InTopK = "InTopKV2" {
        inputs: { predictions: {F32}, targets: T, k: T }, outputs: { precision: {Bool} },
        types: { T: DTypeSet::INDEX },
        infer: infer::in_top_k, kernel: kernel::in_top_k,
        gradient: none,
        batch: |b| examples(b, &[0, 1]),
    }

    /// Computes exponentials, scaled to sum to one along the last axis; [`softmax_along()`] takes
    /// another axis.
    ///
    /// TensorFlow: `Softmax`. Of rank 1 at least; the result has the same shape.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![[0.0f32, 0.0], [0.0, 200.0]].softmax()?;
    /// assert_eq!(y.as_slice::<f32>()?, &[0.5, 0.5, 0.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Softmax = "Softmax" {
        inputs: { logits: T }, outputs: { softmax: T },
        types: { T: DTypeSet::FLOAT },
        call: method softmax(logits),
        infer: infer::rows, kernel: Rows(&rows::SOFTMAX),
        gradient: gradient::softmax,
        batch: leading,
    }

    /// Computes the logarithm of [`softmax()`], accurate even where the softmax is tiny.
    ///
    /// TensorFlow: `LogSoftmax`. Of rank 1 at least; the result has the same shape.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![[0.0f32, -200.0]].log_softmax()?;
    /// assert_eq!(y.as_slice::<f32>()?, &[0.0, -200.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op LogSoftmax = "LogSoftmax" {
        inputs: { logits: T }, outputs: { logsoftmax: T },
        types: { T: DTypeSet::FLOAT },
        call: method log_softmax(logits),
        infer: infer::rows, kernel: Rows(&rows::LOG_SOFTMAX),
        gradient: gradient::log_softmax,
        batch: leading,
    }

    /// Computes the cross entropy of rows of logits with rows of probabilities, and its derivative by
    /// the logits; the two matrices broadcast.
    ///
    /// TensorFlow: `SoftmaxCrossEntropyWithLogits`.
    pub op SoftmaxCrossEntropy = "SoftmaxCrossEntropyWithLogits" {
        inputs: { features: T, labels: T }, outputs: { loss: T, backprop: T },
        types: { T: DTypeSet::FLOAT },
        infer: infer::cross_entropy, kernel: kernel::cross_entropy,
        gradient: gradient::softmax_cross_entropy,
        batch: batch::softmax_cross_entropy,
    }

    /// Computes the cross entropy of rows of logits with one class per row, and its derivative by the
    /// logits.
    ///
    /// TensorFlow: `SparseSoftmaxCrossEntropyWithLogits`.
    pub op SparseSoftmaxCrossEntropy = "SparseSoftmaxCrossEntropyWithLogits" {
        inputs: { features: T, labels: Tlabels }, outputs: { loss: T, backprop: T },
        types: { T: DTypeSet::FLOAT, Tlabels: DTypeSet::INDEX },
        infer: infer::sparse_cross_entropy, kernel: kernel::sparse_cross_entropy,
        gradient: gradient::sparse_softmax_cross_entropy,
        batch: |b| examples(b, &[0, 1]),
    }

    /// Returns half the sum of the squares, a scalar.
    ///
    /// TensorFlow: `L2Loss`. Of any shape.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::l2_loss(&tensor![3.0f32, 4.0])?.item::<f32>()?, 12.5);
    /// # Ok::<(), Error>(())
    /// ```
    pub op L2Loss = "L2Loss" {
        inputs: { t: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT },
        call: l2_loss(x),
        infer: infer::scalar, kernel: kernel::l2_loss,
        gradient: gradient::l2_loss,
        batch: batch::l2_loss,
    }
}
