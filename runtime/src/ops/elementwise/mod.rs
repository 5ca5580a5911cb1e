//! Elementwise ops: functions of one element, or of two elements after broadcasting.

mod activation_gradients;
mod activations;
mod batch;
mod binary;
mod bits;
pub(in crate::ops) mod cast;
pub(in crate::ops) mod compare;
mod complex_parts;
mod division;
mod float_parts;
mod floats;
pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;
mod powers;
mod rounding;
pub(in crate::ops) mod select;
mod special;
mod unary;

pub use activation_gradients::*;
pub use activations::*;
pub use binary::*;
pub use bits::*;
pub use cast::{Cast, CastFn, CastMethods};
pub use compare::*;
pub use complex_parts::*;
pub use division::true_divide as truediv;
pub use division::*;
pub use float_parts::*;
pub(in crate::ops) use floats::as_float;
pub(crate) use floats::as_inexact;
pub use powers::*;
pub use rounding::*;
pub use select::Select;
pub use special::*;
pub use unary::*;
