//! Elementwise ops: one function of each element, or of two that meet.

mod batch;
mod binary;
mod bits;
pub(in crate::ops) mod compare;
mod composite;
mod everyday;
pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;
mod parts;
mod rounding;
mod special;
mod unary;

pub use binary::*;
pub use bits::*;
pub use compare::*;
pub use composite::*;
pub use everyday::*;
pub use parts::*;
pub use rounding::*;
pub use special::*;
pub use unary::*;
