//! Datasets as users write them.

mod errors;
mod plans;
mod resume;
mod support;
mod threads;
