//! Elementwise ops: one function of each element, or of two that meet.

mod batch;
mod binary;
pub(in crate::ops) mod compare;
mod composite;
mod everyday;
pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;
mod rounding;
mod special;
mod unary;

pub use binary::*;
pub use compare::{
    Atol, Closeness, EqualNan, Rtol, allclose, angle, array_equal, complex, imag, isclose,
    isfinite, isinf, isnan, logical_xor, real,
};
pub use composite::*;
pub use everyday::*;
pub use rounding::*;
pub use special::*;
pub use unary::*;
