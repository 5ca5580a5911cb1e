//! `pipeline-fuzz [--minutes N] [--seed N] [--case SEED]`: random pipelines of datasets, on one thread and on four,
//! resumed, asked for by the number of the pass, and as plain functions of vectors.

use std::process::ExitCode;

use extype_tests::fuzz::{of_seeds, pipeline_differs};

fn main() -> ExitCode {
    of_seeds(pipeline_differs)
}
