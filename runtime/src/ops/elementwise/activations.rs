//! Activations made of several ops: sigmoid, Gaussian and concatenated units. They take any extension type that
//! supports those ops.

use crate::ops::args::AxisLike;
use crate::ops::protocol::{Apply1, Apply2, ApplySeq, Operand};
use crate::ops::{
    Add, Concat, Erfc, Mul, Neg, Relu, Sigmoid, Softplus, Square, Tanh, add, concat, erfc, mul,
    neg, relu, sigmoid, softplus, square, tanh,
};
use crate::tensor::Lent;
use crate::tensor::{Tensor, call_site};
use crate::types::Result;

/// An intermediate value, as an operand of the next op.
fn own<'a, V>(value: V) -> Lent<'a, V> {
    Lent::Owned(value)
}

/// Computes `log(sigmoid(x))` without overflow, as `-softplus(-x)`.
///
/// TensorFlow: `tf.math.log_sigmoid`; PyTorch: `logsigmoid`. Floats of any shape; the result has
/// the same.
///
/// # Errors
/// `InvalidArgument` for a dtype that [`Softplus`] does not take.
///
/// ```
/// use extype::prelude::*;
/// let y = ops::log_sigmoid(&tensor![0.0f64, -1000.0])?;
/// assert_eq!(y.as_slice::<f64>()?, &[-std::f64::consts::LN_2, -1000.0]);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "logsigmoid")]
#[track_caller]
pub fn log_sigmoid<X: Operand>(x: X) -> Result<X::Value>
where
    X::Value: Apply1<Neg, Output = X::Value> + Apply1<Softplus, Output = X::Value>,
{
    let _site = call_site!();
    neg(own(softplus(own(neg(x)?))?))
}

/// Computes `x * sigmoid(beta * x)`, also called swish; `beta` is usually one.
///
/// TensorFlow: `tf.nn.silu`, `tf.nn.swish`. Floats of any shape; the result has the same.
///
/// # Errors
/// `InvalidArgument` for a dtype that [`Sigmoid`] does not take.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::silu(&tensor![0.0f32, 100.0], 1.0)?.as_slice::<f32>()?, &[0.0, 100.0]);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "swish")]
#[track_caller]
pub fn silu<X: Operand>(x: X, beta: f32) -> Result<X::Value>
where
    X::Value: Apply1<Sigmoid, Output = X::Value>
        + Apply2<Tensor, Mul, Output = X::Value>
        + Apply2<X::Value, Mul, Output = X::Value>,
{
    let _site = call_site!();
    let x = x.operand()?;
    let gate = sigmoid(own(mul(Lent::Borrowed(&*x), beta)?))?;
    mul(x, own(gate))
}

/// Computes the Gaussian error linear unit: `x` times the probability that a standard normal variable
/// is below `x`.
///
/// With `approximate` it is `0.5 x (1 + tanh(√(2/π) (x + 0.044715 x³)))`.
///
/// TensorFlow: `tf.nn.gelu`. Floats of any shape; the result has the same.
///
/// # Errors
/// `InvalidArgument` for a dtype that [`Erfc`] or [`Tanh`] does not take.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![-100.0f32, 0.0, 100.0];
/// assert_eq!(ops::gelu(&x, false)?.as_slice::<f32>()?, &[0.0, 0.0, 100.0]);
/// assert_eq!(ops::gelu(&x, true)?.as_slice::<f32>()?, &[0.0, 0.0, 100.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn gelu<X: Operand>(x: X, approximate: bool) -> Result<X::Value>
where
    X::Value: Apply1<Neg, Output = X::Value>
        + Apply1<Square, Output = X::Value>
        + Apply1<Erfc, Output = X::Value>
        + Apply1<Tanh, Output = X::Value>
        + Apply2<Tensor, Mul, Output = X::Value>
        + Apply2<Tensor, Add, Output = X::Value>
        + Apply2<X::Value, Mul, Output = X::Value>
        + Apply2<X::Value, Add, Output = X::Value>,
{
    let _site = call_site!();
    let x = x.operand()?;
    let x = || Lent::Borrowed(&*x);
    // The constants have the same precision as in TensorFlow.
    let above = if approximate {
        let cubic = mul(own(mul(own(square(x())?), x())?), 0.044_715f32)?;
        let inner = mul(own(add(x(), own(cubic))?), std::f64::consts::FRAC_2_PI.sqrt())?;
        add(own(tanh(own(inner))?), 1.0)?
    } else {
        erfc(own(mul(own(neg(x())?), std::f32::consts::FRAC_1_SQRT_2)?))?
    };
    mul(own(mul(x(), 0.5)?), own(above))
}

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
    let x = || Lent::Borrowed(&*x);
    concat(&[own(relu(x())?), own(relu(own(neg(x())?))?)], axis)
}
