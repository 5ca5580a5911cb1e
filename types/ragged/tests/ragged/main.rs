//! Ragged tensors: what they hold, and what ops mean for them.

mod broadcast;
mod dense;
mod entries;
mod hostile;
mod loops;
mod ops;
mod parts;
mod rows;
mod slopes;
mod types;
mod values;
