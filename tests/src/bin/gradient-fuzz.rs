//! `gradient-fuzz [--minutes N] [--seed N] [--op NAME] [--case SEED [--edits STEPS]] [--out FILE]`:
//! gradients of first and second order of every op and of chains of ops, by themselves and in
//! traces, conditionals, loops, maps and calls.

use std::process::ExitCode;

use extype_tests::fuzz::{Subject, command};

fn main() -> ExitCode {
    command::main(Subject::Gradients)
}
