//! Class numbers as rows of zeros and ones.

use crate::ops::OneHot;
use crate::ops::args::IntegerLike;
use crate::ops::methods::*;
use crate::ops::options::{Sets, TakesInteger, chosen, sets};
use crate::ops::protocol::number::agree;
use crate::ops::protocol::{Apply3, Operand};
use crate::tensor::{Tensor, TensorLike, call_site, host_number_of};
use crate::types::{DType, Result};

/// Options of [`one_hot`]: a dtype, [`OnValue`], [`OffValue`], the place of the new axis (the last for
/// `..`).
#[derive(Clone, Debug)]
pub struct Hot {
    /// The dtype, float32 if neither it nor a value is given.
    pub dtype: Option<DType>,
    /// The value at the index, one if not given.
    pub on: Option<Result<Tensor>>,
    /// The value elsewhere, zero if not given.
    pub off: Option<Result<Tensor>>,
    /// The place of the new axis.
    pub axis: i64,
}

impl Default for Hot {
    fn default() -> Self {
        Self { dtype: None, on: None, off: None, axis: -1 }
    }
}

impl TakesInteger for Hot {
    fn set_integer(&mut self, n: i64) {
        self.axis = n;
    }
}

/// The value at the index: a number, or a scalar tensor.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(tensor![1].one_hot(3, ops::OnValue(5))?.as_slice::<i32>()?, &[0, 5, 0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OnValue<T>(pub T);

/// The value elsewhere: a number, or a scalar tensor.
///
/// ```
/// use extype::prelude::*;
/// let y = tensor![1].one_hot(3, (ops::OnValue(1.0f32), ops::OffValue(0.1f32)))?;
/// assert_eq!(y.as_slice::<f32>()?, &[0.1, 1.0, 0.1]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OffValue<T>(pub T);

sets! {
    DType => Hot |o, dtype| o.dtype = Some(dtype);
    Hot => Hot |o, all| *o = all;
}

sets! {
    for[T: TensorLike] OnValue<T> => Hot |o, OnValue(x)| o.on = Some(held(&x));
    for[T: TensorLike] OffValue<T> => Hot |o, OffValue(x)| o.off = Some(held(&x));
}

/// The tensor that an option holds; a plain number can still take the dtype of another operand.
pub(in crate::ops) fn held(x: &impl TensorLike) -> Result<Tensor> {
    Ok((*x.lend()?).clone())
}

/// Both values in one dtype; values that are known must fit it.
fn values(options: Hot) -> Result<(Tensor, Tensor)> {
    let (on, off) = (options.on.transpose()?, options.off.transpose()?);
    let dtype = match (options.dtype, &on, &off) {
        (Some(dtype), ..) => dtype,
        (None, Some(on), Some(off)) => return agree(on, off),
        (None, Some(one), None) | (None, None, Some(one)) => one.dtype(),
        (None, None, None) => DType::F32,
    };
    let of = |value: Option<Tensor>, default: i32| match value {
        None => Tensor::scalar(default).cast(dtype),
        Some(x) => match host_number_of(&x) {
            Some(n) => n.fitted(dtype).map(Tensor::Value),
            None if x.dtype() == dtype => Ok(x),
            None => {
                if let Tensor::Value(known) = &x
                    && let Some(n) = known.to_scalar()
                {
                    n.to_array(dtype)?;
                }
                x.cast(dtype)
            }
        },
    };
    Ok((of(on, 1)?, of(off, 0)?))
}

/// Encodes each class number as a new axis of `depth` places, with one at the number and zero
/// elsewhere. A number outside `0..depth` gives zeros.
///
/// TensorFlow: `tf.one_hot`, op [`OneHot`]. Indices of uint8, int8, int32 or int64 and any shape; the
/// result has one axis more. Options: a dtype (that of the values, float32 if none is given),
/// `OnValue(x)` and `OffValue(x)`, the place of the new axis (the last for `..`).
///
/// # Errors
/// `InvalidArgument` for a negative depth, indices that are no integers, values that are no scalars, of
/// two dtypes or that the dtype can't hold, and an axis out of range.
///
/// ```
/// use extype::ops::{OffValue, OnValue};
/// use extype::prelude::*;
/// let labels = tensor![0, 2];
/// assert_eq!(labels.one_hot(3, ..)?.as_slice::<f32>()?, &[1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
/// let y = labels.one_hot(3, (i64, 0))?;
/// assert_eq!(y.as_slice::<i64>()?, &[1, 0, 0, 0, 0, 1]);
/// let y = labels.one_hot(3, (OnValue(5), OffValue(-1)))?;
/// assert_eq!(y.as_slice::<i32>()?, &[5, -1, -1, -1, -1, 5]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn one_hot<X: Operand>(
    indices: X,
    depth: impl IntegerLike,
    options: impl Sets<Hot>,
) -> Result<<X::Value as Apply3<Tensor, Tensor, OneHot>>::Output>
where
    X::Value: Apply3<Tensor, Tensor, OneHot>,
{
    let _site = call_site!();
    let options = chosen::<Hot>(options)?;
    let op = OneHot { axis: options.axis, depth: depth.into() };
    let (on, off) = values(options)?;
    X::Value::apply3(&op, &*indices.operand()?, &on, &off)
}

impl Tensor {
    /// See [`ops::one_hot`](one_hot()).
    ///
    /// # Errors
    /// As the function.
    #[track_caller]
    pub fn one_hot(&self, depth: impl IntegerLike, options: impl Sets<Hot>) -> Result<Tensor> {
        one_hot(self, depth, options)
    }
}
