//! What rows of all subjects share: rules for inference, gradients and batches, and kernels that move elements.
//!
//! Other crates can use the inference rules here in their op rows.

pub(in crate::ops) mod batch;
pub(in crate::ops) mod folded;
pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod moves;
pub(in crate::ops) mod slices;

pub use infer::{broadcast, broadcast_bool, reduction, same_shape};

pub use super::args::check;
