//! Arguments of ops that are not operands: axes, lists of integers, flags.

use smallvec::SmallVec;

use super::Op;
use super::host::HostInput;
use crate::array::Array;
use crate::tensor::Tensor;
use crate::types::{Result, Shape, err};

/// A list of integers: a shape, a permutation, begins and sizes, given by the host or as a
/// tensor (that may be symbolic).
#[derive(Clone, Debug)]
pub enum Integers {
    /// Known numbers.
    Host(SmallVec<[i64; 4]>),
    /// An int32 or int64 tensor.
    Tensor(Tensor),
}

impl Integers {
    /// The numbers, if they are known while tracing.
    pub fn known(&self) -> Option<SmallVec<[i64; 4]>> {
        match self {
            Integers::Host(v) => Some(v.clone()),
            Integers::Tensor(t) => t.value().ok()?.to_i64s().ok(),
        }
    }

    /// The numbers as a tensor: int64 if the host gave them.
    pub fn to_tensor(&self) -> Tensor {
        match self {
            Integers::Host(v) => Tensor::Value(Array::from_i64s(v)),
            Integers::Tensor(t) => t.clone(),
        }
    }
}

impl PartialEq for Integers {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Integers::Tensor(a), Integers::Tensor(b)) if a.id() == b.id() => true,
            _ => self.known().is_some() && self.known() == other.known(),
        }
    }
}

impl HostInput for Integers {
    fn input(&self, _: &Tensor) -> Result<Tensor> {
        Ok(self.to_tensor())
    }

    fn from_input(input: Option<&Tensor>) -> Result<Self> {
        let t = input.ok_or_else(|| err!("an input of integers is missing"))?;
        Ok(t.value()
            .ok()
            .and_then(|a| a.to_i64s().ok())
            .map_or(Integers::Tensor(t.clone()), Integers::Host))
    }
}

macro_rules! integers_from {
    ($([$($g:tt)*] $t:ty => |$x:ident| $to:expr;)*) => {
        $(impl<$($g)*> From<$t> for Integers {
            fn from($x: $t) -> Self { $to }
        })*
    };
}
integers_from! {
    [const N: usize] [i64; N] => |x| Integers::Host(x.as_slice().into());
    [const N: usize] [i32; N] => |x| Integers::Host(x.iter().map(|i| i64::from(*i)).collect());
    [const N: usize] [usize; N] => |x| Integers::Host(x.iter().map(|i| *i as i64).collect());
    [] &[i64] => |x| Integers::Host(x.into());
    [] &[usize] => |x| Integers::Host(x.iter().map(|i| *i as i64).collect());
    [] Vec<i64> => |x| Integers::Host(x.into());
    [] Vec<usize> => |x| Integers::from(&x[..]);
    [] &Tensor => |x| Integers::Tensor(x.clone());
    [] Tensor => |x| Integers::Tensor(x);
    [] &Integers => |x| x.clone();
}

impl TryFrom<&Shape> for Integers {
    type Error = crate::types::Error;

    /// The sizes of a fully known shape.
    fn try_from(shape: &Shape) -> Result<Self> {
        let sizes = shape.sizes().ok_or_else(|| err!("shape {shape} is not fully known"))?;
        Ok(Integers::from(&sizes[..]))
    }
}

/// Pairs of integers, such as the paddings before and after each axis: given by the host or as an
/// integer tensor of shape `[n, 2]`.
#[derive(Clone, Debug)]
pub enum Pairs {
    /// Known numbers.
    Host(Vec<[i64; 2]>),
    /// An int32 or int64 tensor of shape `[n, 2]`.
    Tensor(Tensor),
}

impl Pairs {
    /// The numbers, if they are known while tracing.
    pub fn known(&self) -> Option<Vec<[i64; 2]>> {
        match self {
            Pairs::Host(v) => Some(v.clone()),
            Pairs::Tensor(t) => {
                let numbers = t.value().ok()?.to_i64s().ok()?;
                Some(numbers.as_chunks().0.to_vec())
            }
        }
    }
}

impl PartialEq for Pairs {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Pairs::Tensor(a), Pairs::Tensor(b)) if a.id() == b.id() => true,
            _ => self.known().is_some() && self.known() == other.known(),
        }
    }
}

impl HostInput for Pairs {
    fn input(&self, _: &Tensor) -> Result<Tensor> {
        match self {
            Pairs::Host(pairs) => {
                Array::from_slice([pairs.len(), 2], pairs.as_flattened()).map(Tensor::Value)
            }
            Pairs::Tensor(t) => Ok(t.clone()),
        }
    }

    fn from_input(input: Option<&Tensor>) -> Result<Self> {
        let t = input.ok_or_else(|| err!("an input of pairs is missing"))?;
        if !matches!(t.shape().sizes().as_deref(), None | Some([_, 2])) {
            return Err(err!("pairs have shape [n, 2], not {}", t.shape()));
        }
        let tensor = Pairs::Tensor(t.clone());
        Ok(tensor.known().map_or(tensor, Pairs::Host))
    }
}

impl<const N: usize> From<[[i64; 2]; N]> for Pairs {
    fn from(pairs: [[i64; 2]; N]) -> Self {
        Pairs::Host(pairs.into())
    }
}

impl<const N: usize> From<&[[i64; 2]; N]> for Pairs {
    fn from(pairs: &[[i64; 2]; N]) -> Self {
        Pairs::Host(pairs.into())
    }
}

impl From<&[[i64; 2]]> for Pairs {
    fn from(pairs: &[[i64; 2]]) -> Self {
        Pairs::Host(pairs.into())
    }
}

impl From<Vec<[i64; 2]>> for Pairs {
    fn from(pairs: Vec<[i64; 2]>) -> Self {
        Pairs::Host(pairs)
    }
}

impl From<&Tensor> for Pairs {
    fn from(pairs: &Tensor) -> Self {
        Pairs::Tensor(pairs.clone())
    }
}

/// A tensor beside the operands that no handler of an extension type looks at: the state of a
/// random generator, a number of samples.
#[derive(Clone, Debug)]
pub struct HostTensor(pub Tensor);

impl HostInput for HostTensor {
    fn input(&self, _: &Tensor) -> Result<Tensor> {
        Ok(self.0.clone())
    }

    fn from_input(input: Option<&Tensor>) -> Result<Self> {
        input.cloned().map(Self).ok_or_else(|| err!("an input beside the operands is missing"))
    }
}

impl PartialEq for HostTensor {
    fn eq(&self, other: &Self) -> bool {
        let equal = || Some(self.0.value().ok()?.identical(other.0.value().ok()?));
        self.0.id() == other.0.id() || equal().unwrap_or(false)
    }
}

impl From<&Tensor> for HostTensor {
    fn from(tensor: &Tensor) -> Self {
        Self(tensor.clone())
    }
}

/// One integer, given by the host or as a scalar tensor: the axis of a concat or gather.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis(pub i64);

impl HostInput for Axis {
    fn input(&self, _: &Tensor) -> Result<Tensor> {
        Ok(Tensor::scalar(i32::try_from(self.0).map_err(|_| err!("axis {} is too large", self.0))?))
    }

    fn from_input(input: Option<&Tensor>) -> Result<Self> {
        let t = input.ok_or_else(|| err!("the input `axis` is missing"))?;
        match t.value()?.to_i64s()?[..] {
            [axis] => Ok(Axis(axis)),
            _ => Err(err!("the axis is one integer, not of shape {}", t.shape())),
        }
    }
}

macro_rules! axis_from {
    ($($t:ty),*) => {
        $(impl From<$t> for Axis {
            fn from(axis: $t) -> Self {
                // Beyond i64 no rank can be; the maximum is refused as out of range.
                Axis(i64::try_from(axis).unwrap_or(i64::MAX))
            }
        }

        impl From<$t> for Axes {
            fn from(axis: $t) -> Self { Axes::from(Axis::from(axis)) }
        })*
    };
}
axis_from!(i32, i64, usize);

/// The axes of a reduction.
///
/// Made from an integer, a list of integers, an int tensor, [`Axis`], or `..` for all axes;
/// negative axes count from the end.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Axes {
    /// Every axis.
    #[default]
    All,
    /// These axes.
    List(Integers),
}

impl HostInput for Axes {
    fn input(&self, first: &Tensor) -> Result<Tensor> {
        match self {
            Axes::List(list) => Ok(list.to_tensor()),
            Axes::All => match first.rank() {
                Some(rank) => {
                    let all: SmallVec<[i64; 4]> = (0..rank as i64).collect();
                    Ok(Tensor::Value(Array::from_i64s(&all)))
                }
                None => {
                    let rank = super::Rank {}.run(&[first])?;
                    super::Range {}.run(&[&Tensor::scalar(0i32), &rank, &Tensor::scalar(1i32)])
                }
            },
        }
    }

    /// Without an input all axes, as TensorFlow's `axis=None`.
    fn from_input(input: Option<&Tensor>) -> Result<Self> {
        input.map_or(Ok(Axes::All), |_| Integers::from_input(input).map(Axes::List))
    }
}

impl From<Axis> for Axes {
    fn from(axis: Axis) -> Self {
        Axes::List(Integers::Host(smallvec::smallvec![axis.0]))
    }
}

impl From<std::ops::RangeFull> for Axes {
    fn from(_: std::ops::RangeFull) -> Self {
        Axes::All
    }
}

impl From<&Axes> for Axes {
    fn from(axes: &Axes) -> Self {
        axes.clone()
    }
}

macro_rules! axes_from {
    ($([$($g:tt)*] $t:ty),*) => {
        $(impl<$($g)*> From<$t> for Axes {
            fn from(list: $t) -> Self { Axes::List(Integers::from(list)) }
        })*
    };
}
axes_from!([const N: usize] [i64; N], [const N: usize] [i32; N], [] &[i64], [] Vec<i64>, [] &Tensor);

/// The marker of a reduction that keeps its axes with size 1: `x.reduce_sum(1, KeepDims)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeepDims;

/// `true`, `false` or [`KeepDims`].
pub trait KeepDimsArg {
    /// True to keep reduced axes with size 1.
    fn keep_dims(self) -> bool;
}

impl KeepDimsArg for bool {
    fn keep_dims(self) -> bool {
        self
    }
}

impl KeepDimsArg for KeepDims {
    fn keep_dims(self) -> bool {
        true
    }
}
