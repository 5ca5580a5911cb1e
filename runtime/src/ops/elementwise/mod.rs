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
pub use compare::{
    Atol, Closeness, EqualNan, Equality, Rtol, allclose, angle, array_equal, array_equal_with,
    array_equiv, complex, imag, isclose, iscomplex, isfinite, isinf, isnan, isneginf, isposinf,
    isreal, logical_xor, real,
};
pub use composite::*;
pub use everyday::*;
pub use parts::*;
pub use rounding::*;
pub use special::*;
pub use unary::*;
