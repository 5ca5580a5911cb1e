//! The tools that look for mistakes: conformance cases and fuzzers.

mod batches;
mod conformance_runs;
mod fuzz;
mod gradient_fuzz;
mod state_fuzz;
mod verdicts;
