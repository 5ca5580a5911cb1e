//! Traced functions: the body runs once per type of its arguments, and what it did is a graph
//! that runs from then on.
//!
//! `#[tf_function]` and [`function`] make them; both stand on [`FunctionState`], which knows
//! specs and leaves only, never kinds of values. What enters are borrowed arguments and a body,
//! what leaves are results rebuilt from the outputs of a [`ConcreteFunction`].

mod bound;
mod closure;
mod concrete;
mod control;
mod state;
mod tracing;

pub use bound::BoundFunction;
pub use closure::{Function, IntoFunction, function};
pub(crate) use concrete::Trace;
pub use concrete::{ConcreteFunction, PARTITIONED_CALL};
pub use state::{FunctionOptions, FunctionState};
pub(crate) use tracing::trace;
