//! Gradients: a tape that records ops, the gradient of each op, gradients of traced functions.
//!
//! What enters are a target and sources of any structure, what leaves are [`Gradients`] of the
//! sources' structure. The rules are rows, one an op, written with ops: they run on values and
//! are traced alike, and so have gradients themselves.

mod broadcast;
mod call;
mod gradients;
mod rule;
mod rules;
mod tape;

pub use gradients::Gradients;
pub use rule::{Gradient, GradientEntry, GradientRule, InputGradients, has_gradient};
pub use tape::{GradientTape, grad, value_and_grad};
