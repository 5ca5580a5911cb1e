//! Settings of movement ops: how edges are mirrored, which diagonals, how many.

use super::args::Integers;
use super::host::StaticInput;
use crate::op::{Attr, AttrValue};
use crate::tensor::Tensor;
use crate::types::{Result, err};

/// An enum that is a string in a graph's node.
macro_rules! named {
    ($t:ident { $($v:ident = $name:literal),* $(,)? }) => {
        impl Attr for $t {
            fn to_attr(&self) -> AttrValue {
                let name: &str = match self { $($t::$v => $name),* };
                AttrValue::Str(name.as_bytes().into())
            }

            fn from_attr(value: &AttrValue) -> Option<Self> {
                match value {
                    $(AttrValue::Str(s) if **s == *$name.as_bytes() => Some($t::$v),)*
                    _ => None,
                }
            }
        }
    };
}

/// How an edge is mirrored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MirrorMode {
    /// Without the edge itself: `3 2 | 1 2 3 | 2 1`.
    #[default]
    Reflect,
    /// With the edge: `2 1 | 1 2 3 | 3 2`.
    Symmetric,
}
named!(MirrorMode { Reflect = "REFLECT", Symmetric = "SYMMETRIC" });

impl MirrorMode {
    /// How many elements at the edge are not mirrored.
    pub(super) fn skipped(self) -> usize {
        usize::from(self == MirrorMode::Reflect)
    }
}

/// At which end of its row a packed diagonal lies that is shorter than the others: those above
/// the main diagonal, and those below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DiagonalAlign {
    /// Above at the right, below at the left.
    #[default]
    RightLeft,
    /// Above at the left, below at the right.
    LeftRight,
    /// All at the left.
    LeftLeft,
    /// All at the right.
    RightRight,
}
named!(DiagonalAlign {
    RightLeft = "RIGHT_LEFT",
    LeftRight = "LEFT_RIGHT",
    LeftLeft = "LEFT_LEFT",
    RightRight = "RIGHT_RIGHT",
});

impl DiagonalAlign {
    /// Whether diagonals above and below lie at the left.
    pub(super) fn left(self) -> (bool, bool) {
        use DiagonalAlign::*;
        (matches!(self, LeftRight | LeftLeft), matches!(self, RightLeft | LeftLeft))
    }
}

/// One diagonal of a matrix, or all from the lowest to the highest: 0 is the main diagonal,
/// positive ones lie above it.
///
/// Made from an integer, a pair `[lowest, highest]`, or an int32 tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagonals(Integers);

impl StaticInput for Diagonals {
    fn to_input(&self, _: &Tensor) -> Result<Tensor> {
        match &self.0 {
            Integers::Tensor(t) => Ok(t.clone()),
            Integers::Known(k) => {
                let small: Vec<i32> = k.iter().map(|k| small(*k)).collect::<Result<_>>()?;
                Ok(Tensor::from_vec(small))
            }
        }
    }

    fn from_input(input: Option<&Tensor>) -> Result<Self> {
        Integers::from_input(input).map(Self)
    }
}

fn small(n: i64) -> Result<i32> {
    i32::try_from(n).map_err(|_| err!("{n} does not fit int32"))
}

macro_rules! wrapped_integers {
    ($($name:ident: $($t:ty => |$x:ident| $to:expr),*;)*) => {
        $($(impl From<$t> for $name {
            fn from($x: $t) -> Self {
                $name(Integers::from($to))
            }
        })*)*
    };
}
wrapped_integers! {
    Diagonals: i64 => |k| [k], i32 => |k| [k], [i64; 2] => |k| k, [i32; 2] => |k| k,
        &Tensor => |k| k, Tensor => |k| k;
    Extent: i64 => |n| [n], i32 => |n| [n], usize => |n| [n], &Tensor => |n| n, Tensor => |n| n;
}

/// How many rows, columns or diagonals; a negative number means as many as there are, or as
/// are needed.
///
/// Made from an integer or a scalar integer tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Extent(Integers);

impl StaticInput for Extent {
    fn to_input(&self, _: &Tensor) -> Result<Tensor> {
        match &self.0 {
            Integers::Tensor(t) => Ok(t.clone()),
            Integers::Known(n) => Ok(Tensor::scalar(small(n.first().copied().unwrap_or(-1))?)),
        }
    }

    fn from_input(input: Option<&Tensor>) -> Result<Self> {
        Integers::from_input(input).map(Self)
    }
}

/// Sizes that a graph's node wants in the dtype of its first operand.
///
/// Made from what [`Integers`] are made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes(Integers);

impl<T: Into<Integers>> From<T> for Sizes {
    fn from(sizes: T) -> Self {
        Self(sizes.into())
    }
}

impl StaticInput for Sizes {
    fn to_input(&self, first: &Tensor) -> Result<Tensor> {
        match &self.0 {
            Integers::Known(n) if first.dtype() == crate::types::DType::I32 => {
                let small: Vec<i32> = n.iter().map(|n| small(*n)).collect::<Result<_>>()?;
                Ok(Tensor::from_vec(small))
            }
            sizes => Ok(sizes.to_tensor()),
        }
    }

    fn from_input(input: Option<&Tensor>) -> Result<Self> {
        Integers::from_input(input).map(Self)
    }
}
