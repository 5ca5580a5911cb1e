//! Traced functions: the body runs once for each type of its arguments, and is recorded as a graph
//! that runs from then on.
//!
//! `#[tf_function]` and [`function`] make them. Both use [`FunctionState`], which only works with
//! specs and leaves, not with concrete value types. It takes borrowed arguments and a body, and
//! rebuilds the result from the outputs of a [`ConcreteFunction`].

mod body;
mod bound;
mod call;
mod closure;
mod concrete;
mod control_dependencies;
mod inspect;
mod options;
mod prune;
#[cfg(feature = "formats")]
mod restored;
mod retracing;
mod returned;
mod signature;
mod state;
mod tracing;
mod wrapped;

pub use crate::compile::{Bounds, Profile, ProfiledStep};
pub use crate::ir::Effects;
pub use body::{Body, trace_body, unite_captures};
pub use bound::BoundFunction;
pub use call::{CALLED, PARTITIONED_CALL, call};
pub use closure::{Function, IntoFunction, function};
pub use concrete::ConcreteFunction;
pub use options::{FunctionOptions, RunOptions};
pub use prune::{GraphElement, Run, Selection};
pub use retracing::{Cause, Retracing, Stats, TraceRecord, set_retracing_hook};
pub use returned::Returned;
pub use state::FunctionState;
pub use tracing::Tracing;
pub(crate) use tracing::{Paused, flat, flattened, left_open, trace, within};
pub use wrapped::{
    IntoWrapped, WrappedFunction, add_to_collection, get_collection, get_variable, wrap_function,
};
