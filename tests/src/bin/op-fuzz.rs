//! `op-fuzz [--minutes N] [--seed N] [--op NAME] [--case SEED [--edits STEPS]] [--out FILE]`:
//! hostile calls of every op.

use std::process::ExitCode;

use extype_tests::fuzz::{Subject, command};

fn main() -> ExitCode {
    command::main(Subject::Calls)
}
