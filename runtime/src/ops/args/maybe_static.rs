//! Data of an op that is known while tracing, or a tensor.

use std::fmt::Debug;

use super::StaticInput;
use super::check::Kind;
use crate::array::Array;
use crate::tensor::Tensor;
use crate::types::{Result, err};

/// Data that an op takes as plain Rust or as a tensor (that may be symbolic).
///
/// Two are equal if they are the same tensor, or if both are known and of equal value.
#[derive(Clone, Debug)]
pub enum MaybeStatic<T> {
    /// Known data.
    Known(T),
    /// A tensor.
    Tensor(Tensor),
}

/// What [`MaybeStatic`] data is, and how it is written as a tensor.
pub trait StaticValue: Clone + Debug + PartialEq {
    /// The tensors that can be such data.
    const KIND: Kind;

    /// The data as the graph's input, in the dtype that the op wants.
    ///
    /// # Errors
    /// `InvalidArgument` naming a number that the dtype can't hold.
    fn to_array(&self) -> Result<Array>;

    /// The data of an array of this kind.
    ///
    /// # Errors
    /// `InvalidArgument` if the array is not what [`to_array`](Self::to_array) could have made.
    fn from_array(array: &Array) -> Result<Self>;
}

impl<T: StaticValue> MaybeStatic<T> {
    /// The data, if it is known while tracing.
    pub fn known(&self) -> Option<T> {
        match self {
            MaybeStatic::Known(value) => Some(value.clone()),
            MaybeStatic::Tensor(Tensor::Value(array)) => read(array).ok(),
            MaybeStatic::Tensor(Tensor::Symbol(_)) => None,
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
