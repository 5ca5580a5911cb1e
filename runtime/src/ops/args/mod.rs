//! Arguments of ops that are not operands: axes, lists of integers, positions, modes.
//!
//! Users pass plain Rust (`1`, `[2, 3]`, `..`), or a tensor where the graph op allows one.
//! Arguments become attributes and trailing inputs of the graph op ([`StaticInput`]). [`check`]
//! decides which tensors an argument accepts, so that eager and traced calls refuse the same.

mod arithmetic;
mod axes;
pub mod check;
mod diagonals;
mod index;
mod integers;
mod like;
mod maybe_static;
mod mode;
mod side_input;
mod static_input;
mod whole;

pub(crate) use arithmetic::length;
pub use axes::{Axes, Axis, KeepDims, KeepDimsArg};
pub use diagonals::{DiagonalRange, Diagonals, Extent};
pub use index::{Ellipsis, Index, IndexList, NewAxis, Position, step};
pub(in crate::ops) use integers::saturated;
pub use integers::{Int32s, Integer, Integers, Pairs, Sizes};
pub use like::{AxesLike, AxisLike, IntegerLike, IntegersLike, PairsLike, SizesLike};
pub use maybe_static::{MaybeStatic, StaticValue};
pub use mode::{DiagonalAlign, MirrorMode, SetOperation};
pub use side_input::SideInput;
pub use static_input::StaticInput;
pub(crate) use whole::whole_numbers;
