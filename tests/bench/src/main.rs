//! `extype-bench [--threads T] [--workloads LIST] [--budget S] [--check] [--runs N]`: the workloads that
//! peers are measured on, one JSON object a line. `extype-bench --report FILE ...` makes a table and a chart of such lines.
//! With `--runs`, each workload runs so often and nothing is timed: `.ci/instructions` counts what that takes.

mod caches;
mod calls;
mod datasets;
mod elements;
#[cfg(feature = "everyday")]
mod everyday;
mod inputs;
mod kernels;
mod loops;
mod masked;
mod models;
mod ragged;
mod report;
mod runner;
mod traces;
mod training;

use std::process::ExitCode;

use anyhow::Result;
use runner::Runner;

/// Runs the workloads of a group that were asked for.
type Workload = fn(&Runner) -> Result<()>;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    if args.next().as_deref() == Some("--report") {
        return match report::report(&args.collect::<Vec<_>>()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(e) => {
                eprintln!("error: {e:#}");
                ExitCode::from(2)
            }
        };
    }
    match Runner::from_args(std::env::args().skip(1)).and_then(|r| run(&r)) {
        Ok(code) => code,
        Err(e) => {
            eprintln!("error: {e:#}");
            ExitCode::from(2)
        }
    }
}

fn run(runner: &Runner) -> Result<ExitCode> {
    let threads = runner.threads().to_string();
    // The pool reads its size when it starts, so the variable must be there from the start of the
    // process: setting it now would need unsafe code. The program runs itself again.
    if std::env::var("RAYON_NUM_THREADS").ok().as_ref() != Some(&threads) {
        let status = std::process::Command::new(std::env::current_exe()?)
            .args(std::env::args().skip(1))
            .env("RAYON_NUM_THREADS", &threads)
            .status()?;
        return Ok(ExitCode::from(u8::try_from(status.code().unwrap_or(1)).unwrap_or(1)));
    }
    let groups: &[(&str, Workload)] = &[
        ("W1", calls::calls),
        ("W2", kernels::eager),
        ("W3", kernels::chain),
        ("W4", kernels::bandwidth),
        ("W5", kernels::products),
        ("W6", kernels::sums),
        ("W6", models::rows),
        ("W7", models::masked),
        ("W8", ragged::ragged),
        ("W9", datasets::passes),
        ("W10", training::training),
        ("W11", loops::loops),
        ("W12", traces::traces),
        ("W13", models::transformer),
        ("W14", models::convolutions),
        ("W15", calls::nests),
        ("W16", traces::gradients),
        ("cache", caches::caches),
        ("ragged_scaling", ragged::scaling),
        ("elements", elements::elements),
        #[cfg(feature = "everyday")]
        ("everyday", everyday::everyday),
        ("masked_overhead", masked::masked_overhead),
    ];
    for (group, workload) in groups {
        if let Err(e) = workload(runner) {
            eprintln!("# extype {group} t={threads} skipped: {e:#}");
        }
    }
    Ok(ExitCode::SUCCESS)
}
