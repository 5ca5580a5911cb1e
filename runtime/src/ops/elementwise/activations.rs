//! Activations made of several ops: sigmoid, Gaussian and concatenated units.

use std::f32::consts::FRAC_1_SQRT_2;
use std::f64::consts::FRAC_2_PI;

use crate::define_op;
use crate::ops::args::AxisLike;
use crate::ops::methods::*;
use crate::ops::protocol::{Apply1, ApplySeq, Operand};
use crate::ops::{Concat, Neg, Relu, add, concat, mul, neg, relu, sigmoid, softplus, square, tanh};
use crate::tensor::{Lent, call_site};
use crate::types::{DTypeSet, Result, bail};

/// Joins the positive and the negative part of `x` along `axis`, usually the last:
/// `concat(relu(x), relu(-x))`.
///
/// TensorFlow: `tf.nn.crelu`. Numbers; the result is twice as long along the axis.
///
/// # Errors
/// `InvalidArgument` for an axis out of range.
///
/// ```
/// use extype::prelude::*;
/// let y = ops::crelu(&tensor![1.0f32, -2.0], -1)?;
/// assert_eq!(y.as_slice::<f32>()?, &[1.0, 0.0, 0.0, 2.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn crelu<X: Operand>(
    x: X,
    axis: impl AxisLike,
) -> Result<<X::Value as ApplySeq<Concat>>::Output>
where
    X::Value: Apply1<Neg, Output = X::Value> + Apply1<Relu, Output = X::Value> + ApplySeq<Concat>,
{
    let _site = call_site!();
    let x = x.operand()?;
    let (above, below) = (relu(Lent::Borrowed(&*x))?, neg(x)?);
    concat(&[Lent::Owned(above), Lent::Owned(relu(Lent::Owned(below))?)], axis)
}

define_op! {
    /// Methods: activations.
    methods of ActivationMethods;

    /// Computes `log(sigmoid(x))` without overflow, as `-softplus(-x)`.
    ///
    /// TensorFlow: `tf.math.log_sigmoid`; PyTorch: `logsigmoid`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![0.0f64, -1000.0].log_sigmoid()?;
    /// assert_eq!(y.as_slice::<f64>()?, &[-std::f64::consts::LN_2, -1000.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary LogSigmoid = "Extype>LogSigmoid" {
        types: { T: DTypeSet::FLOAT },
        call: method log_sigmoid,
        body: |x| neg(softplus(neg(x)?)?),
    }

    /// Computes `x * sigmoid(beta * x)`, also called swish; `beta` is usually one.
    ///
    /// TensorFlow: `tf.nn.silu`, `tf.nn.swish`. Input of any shape; the result has the same.
    ///
    /// # Errors
    /// `InvalidArgument` for a `beta` that is NaN or infinite.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0.0f32, 100.0].silu(1.0)?.as_slice::<f32>()?, &[0.0, 100.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Silu = "Extype>Silu" {
        types: { T: DTypeSet::INEXACT }, attrs: { beta: f32 = 1.0 },
        call: method silu(x; beta),
        body: |op, x| match op.beta.is_finite() {
            true => mul(x, sigmoid(mul(x, op.beta)?)?),
            false => bail!("`beta` is {}, not a finite number", op.beta),
        },
    }

    /// Computes the Gaussian error linear unit: `x` times the probability that a standard normal variable
    /// is below `x`.
    ///
    /// With `approximate` it is `0.5 x (1 + tanh(√(2/π) (x + 0.044715 x³)))`.
    ///
    /// TensorFlow: `tf.nn.gelu`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![-100.0f32, 0.0, 100.0];
    /// assert_eq!(x.gelu(false)?.as_slice::<f32>()?, &[0.0, 0.0, 100.0]);
    /// assert_eq!(x.gelu(true)?.as_slice::<f32>()?, &[0.0, 0.0, 100.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Gelu = "Extype>Gelu" {
        types: { T: DTypeSet::FLOAT }, attrs: { approximate: bool = false },
        call: method gelu(x; approximate),
        body: |op, x| {
            // The constants have the same precision as in TensorFlow.
            let above = if op.approximate {
                let cubic = mul(mul(square(x)?, x)?, 0.044_715f32)?;
                add(tanh(mul(add(x, cubic)?, FRAC_2_PI.sqrt())?)?, 1.0)?
            } else {
                mul(neg(x)?, FRAC_1_SQRT_2)?.erfc()?
            };
            mul(mul(x, 0.5)?, above)
        },
    }
}
