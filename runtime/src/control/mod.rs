//! Control flow on tensors: conditionals and loops in graphs, lists that loops carry, and Rust code
//! called by graphs.
//!
//! The arms, tests and bodies are closures over structures, or blocks of code that are opened and closed. They become
//! calls of the ops `If`, `Case` and `While`, whose attributes are traced functions. Outside of traces the closures are
//! called directly.

mod arm;
#[doc(hidden)]
pub mod autograph;
mod branch;
mod branch_gradient;
pub(crate) mod cast;
mod elements;
mod host;
mod iterate;
mod jacobian;
mod join;
mod loop_gradient;
mod looped;
mod loops;
mod over;
mod results;
mod rows;
mod state;
mod tensor_array;
mod vectorized;

pub use branch::{case, cond, switch_case};
pub use cast::cond_values;
pub use host::{HostCall, HostFunction, host_function};
pub use iterate::Iterate;
pub use jacobian::{Jacobian, hessian, jacobian};
pub use join::Join;
pub use loops::{WhileLoop, while_loop};
pub use over::{MapFn, fold, map_fn, scan};
pub use rows::{
    BODY, BRANCHES, CASE, COND, ELSE_BRANCH, IF, OUTPUT_SHAPES, PARALLEL_ITERATIONS, THEN_BRANCH,
    WHILE,
};
pub use tensor_array::TensorArray;
pub use vectorized::vectorized_map;

pub use crate::ops::{Batch, BatchRule, Batched, Count, Lane, batch_rule};
