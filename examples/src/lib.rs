//! What the examples of extype compute, as a library, so that tests can check the numbers.
//!
//! The programs are in `src/bin`; `cargo run --release -p extype-examples --bin quickstart` runs
//! the first one.

pub mod penguins;
pub mod stats;
