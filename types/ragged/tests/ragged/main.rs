//! Ragged tensors: what they hold, and what ops mean for them.

mod ops;
mod parts;
mod types;
mod values;
