//! Recorded cases of TensorFlow's answers, run through the public API.

pub mod api;
pub mod case;
pub mod compare;
pub mod control;
mod datasets;
mod derived;
pub mod files;
pub mod gradients;
pub mod modes;
pub mod ops;
pub mod programs;
pub mod report;
pub mod runner;
mod signs;
pub mod training;
pub mod typespec;
pub mod values;

pub use case::Case;
pub use modes::Mode;
pub use report::{Report, Verdict};
pub use runner::{Selection, read_cases, run_case, run_directory};
