//! The gradient of each op, one row an op.

mod binary;
mod diagonal;
mod einsum;
mod movement;
mod ordering;
mod other;
mod random;
mod reduction;
mod scan;
mod scatter;
mod slicing;
mod softmax;
mod special;
mod unary;

use super::rule::{Gradient, InputGradients};
use crate::tensor::Tensor;
use crate::types::Result;

/// `rules! { "Op" => |g| expression of one gradient; }`: rules of ops with one operand.
macro_rules! unary_rules {
    ($($op:literal => |$g:ident, $dy:ident| $body:expr;)*) => {
        $(crate::define_gradient!($op, |$g| {
            let $dy = $g.dy()?;
            Ok([Some($body)].into_iter().collect())
        });)*
    };
}
pub(super) use unary_rules;

/// Ops that no gradient passes.
macro_rules! no_gradients {
    ($($op:literal),* $(,)?) => {
        $(crate::define_gradient!($op, |g| Ok(g.inputs.iter().map(|_| None).collect()));)*
    };
}
pub(super) use no_gradients;

/// The complex conjugate; a real tensor is its own.
fn conj(x: &Tensor) -> Result<Tensor> {
    if x.dtype().is_complex() { x.conj() } else { Ok(x.clone()) }
}

/// The gradient of the first operand only.
fn first(g: &Gradient<'_>, gradient: Tensor) -> InputGradients {
    let mut all: InputGradients = g.inputs.iter().map(|_| None).collect();
    all[0] = Some(gradient);
    all
}
