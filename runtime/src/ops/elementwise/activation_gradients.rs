//! The gradients of activations and roots as ops of their own, which graphs of other programs hold. The gradients of this
//! library are made of the same arithmetic.

use super::gradient::{SELU_SCALE, SELU_SCALE_ALPHA, keep};
use crate::define_op;
use crate::ops::checks::check_same_shape;
use crate::ops::methods::*;
use crate::ops::rules::gradient::conjugate;
use crate::ops::{self, add, mul, select};
use crate::tensor::Tensor;
use crate::types::{DTypeSet, Result};

/// What is known of a function at another tensor, which has the shape of the cotangent.
fn known(at: &Tensor, dy: &Tensor, of: impl FnOnce(&Tensor) -> Result<Tensor>) -> Result<Tensor> {
    check_same_shape(at, dy, || "a gradient has the shape of what it belongs to".into())?;
    of(at)
}

/// The product of a cotangent and the slope of a function.
fn along(
    at: &Tensor,
    dy: &Tensor,
    slope: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    mul(dy, known(at, dy, slope)?)
}

/// [`along`] for a slope by the function's result, which may be infinite: a zero cotangent gives zero.
fn along_result(
    y: &Tensor,
    dy: &Tensor,
    slope: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    ops::mul_no_nan(&known(&conjugate(y)?, dy, slope)?, dy)
}

define_op! {
    /// The gradient of `relu`: the cotangent where the input is above zero.
    ///
    /// TensorFlow: `ReluGrad`.
    pub op ReluGrad = "ReluGrad" {
        inputs: { gradients: T, features: T }, outputs: { backprops: T },
        types: { T: DTypeSet::REAL },
        body: |dy, x| keep(&known(x, dy, |x| x.greater(0))?, dy),
    }

    /// The gradient of `relu6`: the cotangent where the input is between 0 and 6.
    ///
    /// TensorFlow: `Relu6Grad`.
    pub op Relu6Grad = "Relu6Grad" {
        inputs: { gradients: T, features: T }, outputs: { backprops: T },
        types: { T: DTypeSet::REAL },
        body: |dy, x| {
            let inside = |x: &Tensor| ops::logical_and(x.greater(0)?, x.less(6)?);
            keep(&known(x, dy, inside)?, dy)
        },
    }

    /// The gradient of `leaky_relu`: below zero the cotangent times `alpha`.
    ///
    /// TensorFlow: `LeakyReluGrad`.
    pub op LeakyReluGrad = "LeakyReluGrad" {
        inputs: { gradients: T, features: T }, outputs: { backprops: T },
        types: { T: DTypeSet::FLOAT }, attrs: { alpha: f32 = 0.2 },
        body: |op, dy, x| {
            let alpha = Tensor::scalar(op.alpha).cast(x.dtype())?;
            along(x, dy, |x| select(x.greater(0)?, 1.0, &alpha))
        },
    }

    /// The gradient of `elu`, by its result.
    ///
    /// TensorFlow: `EluGrad`.
    pub op EluGrad = "EluGrad" {
        inputs: { gradients: T, outputs: T }, outputs: { backprops: T },
        types: { T: DTypeSet::FLOAT },
        body: |dy, y| {
            let above = known(y, dy, |y| ops::logical_not(y.less(0)?))?;
            select(above, dy, mul(dy, add(y, 1.0)?)?)
        },
    }

    /// The gradient of `selu`, by its result.
    ///
    /// TensorFlow: `SeluGrad`.
    pub op SeluGrad = "SeluGrad" {
        inputs: { gradients: T, outputs: T }, outputs: { backprops: T },
        types: { T: DTypeSet::FLOAT },
        body: |dy, y| along(y, dy, |y| {
            select(y.less(0)?, add(y, SELU_SCALE_ALPHA)?, SELU_SCALE)
        }),
    }

    /// The gradient of `softplus`.
    ///
    /// TensorFlow: `SoftplusGrad`.
    pub op SoftplusGrad = "SoftplusGrad" {
        inputs: { gradients: T, features: T }, outputs: { backprops: T },
        types: { T: DTypeSet::FLOAT },
        body: |dy, x| along(x, dy, |x| x.sigmoid()),
    }

    /// The gradient of `softsign`.
    ///
    /// TensorFlow: `SoftsignGrad`.
    pub op SoftsignGrad = "SoftsignGrad" {
        inputs: { gradients: T, features: T }, outputs: { backprops: T },
        types: { T: DTypeSet::FLOAT },
        body: |dy, x| along(x, dy, |x| add(x.abs()?, 1.0)?.square()?.reciprocal()),
    }

    /// The gradient of `sigmoid`, by its result.
    ///
    /// TensorFlow: `SigmoidGrad`.
    pub op SigmoidGrad = "SigmoidGrad" {
        inputs: { y: T, dy: T }, outputs: { z: T },
        types: { T: DTypeSet::INEXACT },
        body: |y, dy| along(&conjugate(y)?, dy, |y| mul(y, ops::sub(y.ones_like()?, y)?)),
    }

    /// The gradient of `tanh`, by its result.
    ///
    /// TensorFlow: `TanhGrad`.
    pub op TanhGrad = "TanhGrad" {
        inputs: { y: T, dy: T }, outputs: { z: T },
        types: { T: DTypeSet::INEXACT },
        body: |y, dy| along(&conjugate(y)?, dy, |y| ops::sub(y.ones_like()?, y.square()?)),
    }

    /// The gradient of `sqrt`, by its result.
    ///
    /// TensorFlow: `SqrtGrad`.
    pub op SqrtGrad = "SqrtGrad" {
        inputs: { y: T, dy: T }, outputs: { z: T },
        types: { T: DTypeSet::INEXACT },
        body: |y, dy| along_result(y, dy, |y| ops::div(0.5, y)),
    }

    /// The gradient of `rsqrt`, by its result.
    ///
    /// TensorFlow: `RsqrtGrad`.
    pub op RsqrtGrad = "RsqrtGrad" {
        inputs: { y: T, dy: T }, outputs: { z: T },
        types: { T: DTypeSet::INEXACT },
        body: |y, dy| along_result(y, dy, |y| mul(mul(y, -0.5)?, y.square()?)),
    }

    /// The gradient of `reciprocal`, by its result.
    ///
    /// TensorFlow: `ReciprocalGrad`.
    pub op ReciprocalGrad = "ReciprocalGrad" {
        inputs: { y: T, dy: T }, outputs: { z: T },
        types: { T: DTypeSet::INEXACT },
        body: |y, dy| along_result(y, dy, |y| ops::neg(y.square()?)),
    }
}
