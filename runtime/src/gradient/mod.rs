//! Gradients: a tape that records ops, the gradient of each op, gradients of traced functions.
//!
//! What enters are a target and sources of any structure, what leaves are [`Gradients`] of the
//! sources' structure. The rule of an op stands in its row and is written with ops: it runs on
//! values and is traced alike, and so has a gradient itself.

mod backward;
mod check;
mod custom;
mod function;
mod functional;
mod gradients;
mod needs;
mod order;
mod recompute;
mod tape;

pub(crate) use backward::depending;
pub(crate) use check::apart;
pub use custom::{CustomGradient, custom_gradient};
pub(crate) use function::{backward_of, forward, forward_graph, forward_of_graph, run_backward};
pub use function::{gradient_function, gradient_types};
pub use functional::{Pullback, hvp, jvp, vjp};
pub use gradients::Gradients;
pub use recompute::{Recompute, recompute};
pub use tape::{GradientTape, grad, value_and_grad};

pub use crate::op::Forward;
pub use crate::ops::{
    ForwardFn, Gradient, GradientEntry, GradientRule, IndexedSlices, InputGradient, InputGradients,
    IntoGradients, gradient_rule,
};
