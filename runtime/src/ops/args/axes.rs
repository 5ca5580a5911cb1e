//! Axes of an op, and whether reduced ones are kept.

use smallvec::SmallVec;

use super::integers::saturated;
use super::{Integer, Integers, StaticInput, StaticValue};
use crate::array::Array;
use crate::ops::{Op, Range, Rank, known_axes, rank_of};
use crate::tensor::Tensor;
use crate::types::{Result, err};

/// One axis that is known while tracing, such as that of a concat or gather.
///
/// ```
/// use extype::prelude::*;
/// let x = ops::ones([2, 3], f32)?;
/// assert_eq!(ops::concat(&[&x, &x], Axis(-1))?.shape(), ops::concat(&[&x, &x], 1)?.shape());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis(pub i64);

impl StaticInput for Axis {
    fn to_input(&self, _: &Tensor) -> Result<Tensor> {
        self.0.to_array().map(Tensor::Value).map_err(|e| e.prefixed("the axis"))
    }

    fn from_input(input: Option<&Tensor>) -> Result<Self> {
        let axis = Integer::from_input(input).map_err(|e| e.prefixed("the axis"))?;
        match axis.either()? {
            Ok(axis) => Ok(Axis(*axis)),
            // The error of a tensor without a value.
            Err(t) => Err(t.data().err().unwrap_or_else(|| err!("no axis"))),
        }
    }
}

macro_rules! axis_from {
    ($($t:ty),*) => {
        $(impl From<$t> for Axis {
            fn from(axis: $t) -> Self { Axis(saturated(axis)) }
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
///
/// ```
/// use extype::prelude::*;
/// let x = ops::ones([2, 3, 4], f32)?;
/// assert_eq!(x.reduce_sum([0, -1], false)?.shape(), shape![3]);
/// assert_eq!(x.reduce_sum(Axes::All, false)?.shape(), shape![]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Axes {
    /// Every axis.
    #[default]
    All,
    /// These axes.
    List(Integers),
}

impl Axes {
    /// Adds an axis to a list; returns false if the axes are not a known list.
    pub(crate) fn push(&mut self, axis: i64) -> bool {
        match self {
            Axes::List(Integers::Known(axes)) => {
                axes.push(axis);
                true
            }
            _ => false,
        }
    }

    /// The axes of a tensor, numbered from 0.
    ///
    /// # Errors
    /// `InvalidArgument` for axes out of range or given twice, and for a rank or axes that are unknown.
    pub(crate) fn of(&self, x: &Tensor) -> Result<Vec<usize>> {
        let rank = rank_of(x)?;
        match self {
            Axes::All => Ok((0..rank).collect()),
            Axes::List(list) => known_axes(list, rank),
        }
    }
}

impl StaticInput for Axes {
    fn to_input(&self, first: &Tensor) -> Result<Tensor> {
        match self {
            Axes::List(list) => list.to_input(first),
            Axes::All => match first.rank() {
                Some(rank) => {
                    let all: SmallVec<[i64; 4]> = (0..rank as i64).collect();
                    Ok(Tensor::Value(Array::from_i64s(&all)))
                }
                None => {
                    let rank = Rank {}.run(&[first])?;
                    Range {}.run(&[&Tensor::scalar(0i32), &rank, &Tensor::scalar(1i32)])
                }
            },
        }
    }

    /// All axes if there is no input, as with TensorFlow's `axis=None`.
    fn from_input(input: Option<&Tensor>) -> Result<Self> {
        input.map_or(Ok(Axes::All), |_| Integers::from_input(input).map(Axes::List))
    }
}

impl From<Axis> for Axes {
    fn from(axis: Axis) -> Self {
        Axes::List(Integers::Known(smallvec::smallvec![axis.0]))
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
///
/// ```
/// use extype::prelude::*;
/// let x = ops::ones([2, 3], f32)?;
/// assert_eq!(x.reduce_sum(1, KeepDims)?.shape(), shape![2, 1]);
/// assert_eq!(x.sum((1, KeepDims))?.shape(), shape![2, 1]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeepDims;

/// `true`, `false` or [`KeepDims`].
pub trait KeepDimsArg: Into<bool> {
    /// True to keep reduced axes with size 1.
    ///
    /// ```
    /// use extype::ops::{KeepDims, KeepDimsArg};
    /// assert!(KeepDims.keep_dims() && true.keep_dims());
    /// assert!(!false.keep_dims());
    /// ```
    fn keep_dims(self) -> bool;
}

impl KeepDimsArg for bool {
    fn keep_dims(self) -> bool {
        self
    }
}

impl From<KeepDims> for bool {
    fn from(_: KeepDims) -> bool {
        true
    }
}

impl KeepDimsArg for KeepDims {
    fn keep_dims(self) -> bool {
        true
    }
}
