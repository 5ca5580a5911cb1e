//! Functions made of several ops. They take any extension type that supports those ops.

use crate::ops::args::AxisLike;
use crate::ops::protocol::{Apply1, Apply2, ApplySeq, Operand};
use crate::ops::{
    Add, Concat, DivNoNan, Erfc, Maximum, Minimum, Mul, Ndtri, Neg, Pow, Relu, Sigmoid, Softplus,
    Tanh, add, concat, div_no_nan, erfc, maximum, minimum, mul, ndtri, neg, pow, relu, sigmoid,
    softplus, tanh,
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
        + Apply1<Erfc, Output = X::Value>
        + Apply1<Tanh, Output = X::Value>
        + Apply2<Tensor, Mul, Output = X::Value>
        + Apply2<Tensor, Pow, Output = X::Value>
        + Apply2<Tensor, Add, Output = X::Value>
        + Apply2<X::Value, Mul, Output = X::Value>
        + Apply2<X::Value, Add, Output = X::Value>,
{
    let _site = call_site!();
    let x = x.operand()?;
    let x = || Lent::Borrowed(&*x);
    // The constants have the same precision as in TensorFlow.
    let above = if approximate {
        let cubic = mul(own(pow(x(), 3.0)?), 0.044_715f32)?;
        let inner = mul(own(add(x(), own(cubic))?), std::f64::consts::FRAC_2_PI.sqrt())?;
        add(own(tanh(own(inner))?), 1.0)?
    } else {
        erfc(own(mul(own(neg(x())?), std::f32::consts::FRAC_1_SQRT_2)?))?
    };
    mul(own(mul(x(), 0.5)?), own(above))
}

/// Clips every element to the range from `min` to `max`. The bounds broadcast; where `min` is above
/// `max`, the result is `min`.
///
/// TensorFlow: `tf.clip_by_value`. Integers and floats of one dtype; the result has the shape that
/// all broadcast to.
///
/// # Errors
/// `InvalidArgument` for bounds of another dtype, or of shapes that don't broadcast.
///
/// ```
/// use extype::prelude::*;
/// let y = ops::clip_by_value(&tensor![-2.0f32, 0.5, 2.0], -1.0, 1.0)?;
/// assert_eq!(y.as_slice::<f32>()?, &[-1.0, 0.5, 1.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn clip_by_value<X: Operand, L: Operand, H: Operand>(x: X, min: L, max: H) -> Result<X::Value>
where
    X::Value:
        Apply2<H::Value, Minimum, Output = X::Value> + Apply2<L::Value, Maximum, Output = X::Value>,
{
    let _site = call_site!();
    maximum(own(minimum(x, max)?), min)
}

/// Computes `1 / x`, but zero where `x` is zero.
///
/// TensorFlow: `tf.math.reciprocal_no_nan`. Floats of any shape; the result has the same.
///
/// # Errors
/// `InvalidArgument` for a dtype that [`DivNoNan`] does not take.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::reciprocal_no_nan(&tensor![4.0f32, 0.0])?.as_slice::<f32>()?, &[0.25, 0.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn reciprocal_no_nan<X: Operand>(x: X) -> Result<<Tensor as Apply2<X::Value, DivNoNan>>::Output>
where
    Tensor: Apply2<X::Value, DivNoNan>,
{
    let _site = call_site!();
    div_no_nan(1.0, x)
}

/// Computes the inverse of [`erfc()`]: infinite at 0 and 2, NaN beyond.
///
/// TensorFlow: `tf.math.erfcinv`. Floats of any shape; the result has the same.
///
/// # Errors
/// `InvalidArgument` for a dtype that [`Ndtri`] does not take.
///
/// ```
/// use extype::prelude::*;
/// let y = ops::erfcinv(&tensor![1.0f64, 0.0])?;
/// assert_eq!(y.as_slice::<f64>()?, &[0.0, f64::INFINITY]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn erfcinv<X: Operand>(x: X) -> Result<X::Value>
where
    X::Value: Apply1<Ndtri, Output = X::Value> + Apply2<Tensor, Mul, Output = X::Value>,
{
    let _site = call_site!();
    mul(own(ndtri(own(mul(x, 0.5)?))?), -std::f64::consts::FRAC_1_SQRT_2)
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
