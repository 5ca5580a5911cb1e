//! Gradients: a tape that records ops, the gradient of each op, gradients of traced functions.
//!
//! Target and sources may be any structure, and the result is a [`Gradients`] of the sources' structure.
//! The gradient rule of an op is given in the op's definition and written with ops. So it runs eagerly or in a trace,
//! and can be differentiated itself.

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

pub use crate::ir::Forward;
pub use crate::ops::{
    ForwardFn, Gradient, GradientEntry, GradientRule, IndexedSlices, InputGradient, InputGradients,
    IntoGradients, gradient_rule,
};
