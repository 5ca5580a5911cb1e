//! Datasets as users write them.

mod errors;
mod optional;
mod plans;
mod resume;
mod saved;
mod support;
mod threads;
