//! Data of an op that is known while tracing, or a tensor.

use std::fmt::Debug;

use super::StaticInput;
use super::check::DataKind;
use crate::array::Array;
use crate::tensor::Tensor;
use crate::types::{Error, Result, err};

/// Data that an op takes as plain Rust or as a tensor (that may be symbolic).
///
/// Two are equal if they are the same tensor, or if both are known and have equal values.
/// [`Unknown`](Self::Unknown) equals nothing.
///
/// ```
/// use extype::prelude::*;
/// let sizes = tensor![2, 3];
/// assert_eq!(ops::zeros([2, 3], f32)?.shape(), ops::zeros(&sizes, f32)?.shape());
/// assert_eq!(ops::Integers::from(&sizes), ops::Integers::from([2, 3]));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum MaybeStatic<T> {
    /// Known data.
    Known(T),
    /// A tensor.
    Tensor(Tensor),
    /// The sizes of a shape that is not fully known while tracing. Ops refuse it.
    Unknown,
}

/// The error of [`MaybeStatic::Unknown`].
#[cold]
fn unknown() -> Error {
    err!("a size of the shape is unknown while tracing; pass `ops::shape_of(&x)?`, a tensor")
}

/// The Rust type of [`MaybeStatic`] data, and how it is written as a tensor.
///
/// ```
/// use extype::ops::{MaybeStatic, Pairs, StaticValue};
/// use extype::prelude::*;
/// /// The data of any kind, if it is known while tracing.
/// fn known<T: StaticValue>(data: impl Into<MaybeStatic<T>>) -> Option<T> {
///     data.into().known()
/// }
/// assert_eq!(known::<i64>(3), Some(3));
/// assert_eq!(known::<Vec<[i64; 2]>>(&tensor![[1, 2]]), Pairs::from([[1, 2]]).known());
/// ```
pub trait StaticValue: Clone + Debug + PartialEq {
    /// The kind of tensor that can hold such data.
    const KIND: DataKind;

    /// The data as the graph's input, in the dtype that the op wants.
    ///
    /// # Errors
    /// `InvalidArgument` naming a number that the dtype can't hold.
    ///
    /// ```
    /// use extype::ops::StaticValue;
    /// use extype::prelude::*;
    /// assert_eq!(7i64.to_array()?.as_slice::<i32>()?, &[7]);
    /// assert_eq!(vec![[1i64, 2]].to_array()?.tensor_type().to_string(), "int64[1, 2]");
    /// assert!((1i64 << 40).to_array().is_err());
    /// # Ok::<(), Error>(())
    /// ```
    fn to_array(&self) -> Result<Array>;

    /// The data of an array of this kind.
    ///
    /// # Errors
    /// `InvalidArgument` if the array is not what [`to_array`](Self::to_array) could have made.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ops::StaticValue;
    /// use extype::prelude::*;
    /// let pairs = Array::from_slice([2, 2], &[1, 2, 3, 4])?;
    /// assert_eq!(Vec::<[i64; 2]>::from_array(&pairs)?, [[1, 2], [3, 4]]);
    /// # Ok::<(), Error>(())
    /// ```
    fn from_array(array: &Array) -> Result<Self>;
}

impl<T> MaybeStatic<T> {
    /// The value or the tensor.
    ///
    /// # Errors
    /// `InvalidArgument` if neither is known.
    pub(crate) fn either(&self) -> Result<std::result::Result<&T, &Tensor>> {
        match self {
            MaybeStatic::Known(value) => Ok(Ok(value)),
            MaybeStatic::Tensor(tensor) => Ok(Err(tensor)),
            MaybeStatic::Unknown => Err(unknown()),
        }
    }
}

impl<T: StaticValue> MaybeStatic<T> {
    /// The data, if it is known while tracing.
    ///
    /// ```
    /// use extype::ops::Integers;
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| {
    ///     assert!(Integers::from(x).known().is_none());
    ///     ops::zeros(x, f32)
    /// });
    /// assert_eq!(f.call(&tensor![2, 3])?.shape(), shape![2, 3]);
    /// assert_eq!(Integers::from(tensor![2, 3]).known().as_deref(), Some(&[2, 3][..]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn known(&self) -> Option<T> {
        match self {
            MaybeStatic::Known(value) => Some(value.clone()),
            MaybeStatic::Tensor(Tensor::Value(array)) => read(array).ok(),
            MaybeStatic::Tensor(Tensor::Symbol(_)) | MaybeStatic::Unknown => None,
        }
    }
}

fn read<T: StaticValue>(array: &Array) -> Result<T> {
    T::KIND.check(array)?;
    T::from_array(array)
}

impl<T: StaticValue> PartialEq for MaybeStatic<T> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (MaybeStatic::Tensor(a), MaybeStatic::Tensor(b)) if a.id() == b.id() => true,
            _ => self.known().is_some_and(|known| other.known() == Some(known)),
        }
    }
}

impl<T: StaticValue> StaticInput for MaybeStatic<T> {
    fn to_input(&self, _: &Tensor) -> Result<Tensor> {
        match self {
            MaybeStatic::Known(value) => value.to_array().map(Tensor::Value),
            MaybeStatic::Tensor(t) => T::KIND.check(t).map(|()| t.clone()),
            MaybeStatic::Unknown => Err(unknown()),
        }
    }

    fn from_input(input: Option<&Tensor>) -> Result<Self> {
        match input.ok_or_else(|| err!("an input is missing: {}", T::KIND))? {
            Tensor::Value(array) => read(array).map(MaybeStatic::Known),
            symbol => T::KIND.check(symbol).map(|()| MaybeStatic::Tensor(symbol.clone())),
        }
    }
}

impl<T> From<Tensor> for MaybeStatic<T> {
    fn from(tensor: Tensor) -> Self {
        MaybeStatic::Tensor(tensor)
    }
}

impl<T> From<&Tensor> for MaybeStatic<T> {
    fn from(tensor: &Tensor) -> Self {
        MaybeStatic::Tensor(tensor.clone())
    }
}

impl<T: Clone> From<&MaybeStatic<T>> for MaybeStatic<T> {
    fn from(data: &MaybeStatic<T>) -> Self {
        data.clone()
    }
}
