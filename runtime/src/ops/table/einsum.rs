//! Sums of products by an equation, and biases.

use crate::define_op;
use crate::ops::infer::einsum as i;
use crate::ops::kernel::einsum as e;
use crate::types::DTypeSet;

define_op! {
    /// Products of the elements of one or two tensors, summed over the labels that the result has
    /// not: `"ij,jk->ik"`. A label that stands twice in one place is a diagonal; the axes of an
    /// ellipsis broadcast.
    ///
    /// TensorFlow: `Einsum`.
    pub op Einsum = "Einsum" {
        inputs: { inputs: [T] }, outputs: { output: T },
        types: { T: DTypeSet::INEXACT.or(DTypeSet::INDEX) }, attrs: { equation: String }, host: {  },
        arity: seq, effect: Pure, infer: i::einsum, kernel: e::einsum,
    }
}

define_op! {
    /// One bias a channel added; channels are the last axis, or axis 1 for the format `NCHW`.
    ///
    /// TensorFlow: `BiasAdd`.
    pub op BiasAdd = "BiasAdd" {
        inputs: { value: T, bias: T }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC }, attrs: { data_format: String = "NHWC".to_owned() }, host: {  },
        arity: 2, effect: Pure, infer: i::bias_add, kernel: e::bias_add,
    }
}

define_op! {
    /// The sum over all axes but that of the channels: the gradient of [`BiasAdd`] for the biases.
    ///
    /// TensorFlow: `BiasAddGrad`.
    pub op BiasAddGrad = "BiasAddGrad" {
        inputs: { out_backprop: T }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC }, attrs: { data_format: String = "NHWC".to_owned() }, host: {  },
        arity: 1, effect: Pure, infer: i::bias_add_grad, kernel: e::bias_add_grad,
    }
}
