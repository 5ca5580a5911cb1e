//! Softmax, cross entropies, and the square loss.

use crate::define_op;
use crate::ops::infer::scan as infer;
use crate::ops::kernel::softmax as k;
use crate::types::DTypeSet;

define_op! {
    /// Exponentials that sum up to one along the last axis.
    ///
    /// TensorFlow: `Softmax`.
    pub op Softmax = "Softmax" {
        inputs: { logits: T }, outputs: { softmax: T },
        types: { T: DTypeSet::FLOAT }, attrs: {}, host: {},
        arity: 1, effect: Pure, infer: infer::rows, kernel: k::softmax,
    }
}

define_op! {
    /// The logarithm of [`Softmax`], accurate also where that is tiny.
    ///
    /// TensorFlow: `LogSoftmax`.
    pub op LogSoftmax = "LogSoftmax" {
        inputs: { logits: T }, outputs: { logsoftmax: T },
        types: { T: DTypeSet::FLOAT }, attrs: {}, host: {},
        arity: 1, effect: Pure, infer: infer::rows, kernel: k::log_softmax,
    }
}

define_op! {
    /// The cross entropy of rows of logits with rows of probabilities, and its derivative by the
    /// logits; the two matrices broadcast.
    ///
    /// TensorFlow: `SoftmaxCrossEntropyWithLogits`.
    pub op SoftmaxCrossEntropy = "SoftmaxCrossEntropyWithLogits" {
        inputs: { features: T, labels: T }, outputs: { loss: T, backprop: T },
        types: { T: DTypeSet::FLOAT }, attrs: {}, host: {},
        arity: 2, effect: Pure, infer: infer::cross_entropy, kernel: k::cross_entropy,
    }
}

define_op! {
    /// The cross entropy of rows of logits with one class a row, and its derivative by the logits.
    ///
    /// TensorFlow: `SparseSoftmaxCrossEntropyWithLogits`.
    pub op SparseSoftmaxCrossEntropy = "SparseSoftmaxCrossEntropyWithLogits" {
        inputs: { features: T, labels: Tlabels }, outputs: { loss: T, backprop: T },
        types: { T: DTypeSet::FLOAT, Tlabels: DTypeSet::INDEX }, attrs: {}, host: {},
        arity: 2, effect: Pure, infer: infer::sparse_cross_entropy, kernel: k::sparse_cross_entropy,
    }
}

define_op! {
    /// Half the sum of squares.
    ///
    /// TensorFlow: `L2Loss`.
    pub op L2Loss = "L2Loss" {
        inputs: { t: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT }, attrs: {}, host: {},
        arity: 1, effect: Pure, infer: infer::scalar, kernel: k::l2_loss,
    }
}
