//! Rounding, truncating and clipping numbers.

use crate::define_op;
use crate::ops::methods::*;
use crate::ops::protocol::number::agree;
use crate::ops::protocol::{Apply2, FunctionOf, Operand};
use crate::ops::{
    Maximum, Minimum, RintFn, add, as_float, div, equal, floor_mod, greater, logical_and,
    logical_or, maximum, minimum, mul, select, sub, trunc,
};
use crate::tensor::{Lent, Tensor, TensorLike, call_site, execute_one};
use crate::types::{DTypeSet, Result};

/// A bound of [`clip`]: numbers, or none (`..`, or `None`).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no bound of `clip`",
    label = "write a number or a tensor, or `..` where there is no bound"
)]
pub trait Bound {
    /// The bound, if there is one.
    ///
    /// # Errors
    /// The errors of the conversion to a tensor.
    ///
    /// ```
    /// use extype::ops::Bound;
    /// use extype::prelude::*;
    /// assert_eq!(0.5.bound()?.unwrap().item::<f64>()?, 0.5);
    /// assert!((..).bound()?.is_none());
    /// # Ok::<(), Error>(())
    /// ```
    fn bound(&self) -> Result<Option<Lent<'_, Tensor>>>;
}

#[diagnostic::do_not_recommend]
impl<T: TensorLike> Bound for T {
    fn bound(&self) -> Result<Option<Lent<'_, Tensor>>> {
        self.lend().map(Some)
    }
}

#[diagnostic::do_not_recommend]
impl<T: TensorLike> Bound for Option<T> {
    fn bound(&self) -> Result<Option<Lent<'_, Tensor>>> {
        self.as_ref().map(TensorLike::lend).transpose()
    }
}

#[diagnostic::do_not_recommend]
impl Bound for std::ops::RangeFull {
    fn bound(&self) -> Result<Option<Lent<'_, Tensor>>> {
        Ok(None)
    }
}

fn between(x: &Tensor, min: Option<&Tensor>, max: Option<&Tensor>) -> Result<Tensor> {
    let mut x = x.clone();
    if let Some(max) = max {
        let (of, max) = agree(&x, max)?;
        x = minimum(of, max)?;
    }
    if let Some(min) = min {
        let (of, min) = agree(&x, min)?;
        x = maximum(of, min)?;
    }
    Ok(x)
}

/// Clips `x` to the range from `min` to `max`: `clip_by_value` by its short name. A bound may be left
/// out: `x.clip(0.0, ..)`, `x.clip(.., 2.0)`.
///
/// NumPy: `clip`; PyTorch: `clamp`. Real numbers of one dtype broadcast. Where `min` is above `max`, the result is `min`,
/// as in TensorFlow (NumPy: `max`).
///
/// # Errors
/// As [`clip_by_value`].
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![-2.0f32, 0.5, 2.0];
/// assert_eq!(x.clip(-1.0, 1.0)?.as_slice::<f32>()?, &[-1.0, 0.5, 1.0]);
/// assert_eq!(x.clip(0.0, ..)?.as_slice::<f32>()?, &[0.0, 0.5, 2.0]);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "clamp")]
#[track_caller]
pub fn clip(x: impl TensorLike, min: impl Bound, max: impl Bound) -> Result<Tensor> {
    let _site = call_site!();
    between(&*x.lend()?, min.bound()?.as_deref(), max.bound()?.as_deref())
}

impl Tensor {
    /// See [`ops::clip`](crate::ops::clip()).
    ///
    /// # Errors
    /// As the function.
    #[track_caller]
    pub fn clip(&self, min: impl Bound, max: impl Bound) -> Result<Tensor> {
        clip(self, min, max)
    }
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
    maximum(Lent::Owned(minimum(x, max)?), min)
}

/// [`Rint`] for tensors, which leaves integers unchanged.
pub(super) fn rounded(function: &RintFn, operands: &[&Tensor]) -> Result<Tensor> {
    match operands {
        [x] if x.dtype().is_integer() => Ok((*x).clone()),
        _ => execute_one(function.def(), function.attrs(), operands),
    }
}

/// Rounds integers to multiples of `10^zeros`; halves go to the even multiple.
fn to_multiples(x: &Tensor, zeros: u32) -> Result<Tensor> {
    let bits =
        x.dtype().size().unwrap_or(8) as u32 * 8 - u32::from(DTypeSet::SIGNED.contains(x.dtype()));
    let fits = |scale: &u64| u128::from(*scale) < 1 << bits;
    // The scale does not fit the dtype: zero is the only multiple that does.
    let Some(scale) = 10u64.checked_pow(zeros).filter(fits) else { return x.zeros_like() };
    let of = |n: u64| Tensor::scalar(n).cast(x.dtype());
    let rest = floor_mod(x, of(scale)?)?;
    let down = sub(x, &rest)?;
    let is_odd = floor_mod(div(&down, of(scale)?)?, of(2)?)?.not_equal(0)?;
    let half = of(scale / 2)?;
    let goes_up = logical_or(greater(&rest, &half)?, logical_and(equal(&rest, half)?, is_odd)?)?;
    select(goes_up, add(&down, of(scale)?)?, down)
}

define_op! {
    /// Methods: rounding.
    methods of RoundingMethods;

    /// Rounds to a number of decimals; a negative number rounds to tens, hundreds and so on.
    ///
    /// NumPy: `round` with `decimals`. Floats of any shape, and integers, which stay integers.
    ///
    /// # Errors
    /// As [`round()`](crate::ops::round()).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.26f64, -3.14].round_to(1)?.as_slice::<f64>()?, &[1.3, -3.1]);
    /// assert_eq!(tensor![14, 15, -37].round_to(-1)?.as_slice::<i32>()?, &[10, 20, -40]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "around")]
    pub unary RoundTo = "Extype>RoundTo" {
        types: { T: DTypeSet::REAL },
        attrs: { decimals: i64 = 0 },
        call: method round_to(x; decimals: i32) => { decimals: i64::from(decimals) },
        body: |op, x| {
            let decimals = i32::try_from(op.decimals).unwrap_or(if op.decimals < 0 { i32::MIN } else { i32::MAX });
            if x.dtype().is_integer() {
                let zeros = decimals.min(0).unsigned_abs();
                return if zeros == 0 { Ok(x.clone()) } else { to_multiples(x, zeros) };
            }
            let scale = 10f64.powi(decimals.saturating_abs());
            if decimals < 0 {
                return mul(div(x, scale)?.round()?, scale);
            }
            div(mul(x, scale)?.round()?, scale)
        },
    }

    /// Splits each number into its fractional and its integer part, both with the sign of `x`.
    ///
    /// NumPy: `modf`. Real floats of any shape; integers become float64. The fraction of infinity is
    /// zero.
    ///
    /// # Errors
    /// As [`trunc()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (fraction, whole) = scalar(-1.5f32).modf()?;
    /// assert_eq!((fraction.item::<f32>()?, whole.item::<f32>()?), (-0.5, -1.0));
    /// # Ok::<(), Error>(())
    /// ```
    pub op Modf = "Extype>Modf" {
        inputs: { x: T }, outputs: { fraction: U, whole: U },
        types: { T: DTypeSet::REAL, U: DTypeSet::FLOAT },
        call: method modf(x),
        body: |x| {
            let x = as_float(x)?;
            let whole = trunc(&x)?;
            let rest = select(x.is_inf()?, 0.0, sub(&x, &whole)?)?;
            Ok((rest.copysign(&x)?, whole))
        },
    }
}
