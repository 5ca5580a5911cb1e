//! Elementwise ops: one function of each element, or of two that meet.

mod batch;
mod binary;
mod composite;
pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;
mod special;
mod unary;

pub use binary::*;
pub use composite::*;
pub use special::*;
pub use unary::*;
