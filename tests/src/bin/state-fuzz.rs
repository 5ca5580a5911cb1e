//! `state-fuzz [--minutes N] [--seed N] [--case SEED]`: random steps over models whose cells are filled and whose state
//! changes, as plain Rust and traced.

use std::process::ExitCode;

use extype_tests::fuzz::{of_seeds, state_differs};

fn main() -> ExitCode {
    of_seeds(state_differs)
}
