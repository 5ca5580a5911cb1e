//! `state-fuzz [--minutes N] [--seed N]`: random steps over models whose cells are filled and whose state changes,
//! as plain Rust and traced.
//!
//! Ends with status 0 if all agree, 1 if some do not, 2 if it could not run.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use extype_tests::fuzz::state_differs;

const USAGE: &str = "usage: state-fuzz [--minutes N] [--seed N]";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("error: {e:#}");
            ExitCode::from(2)
        }
    }
}

/// The number of programs that differ.
fn run(mut args: impl Iterator<Item = String>) -> Result<usize> {
    let (mut minutes, mut seed) = (1.0f64, 0u64);
    while let Some(arg) = args.next() {
        let value = args.next().with_context(|| format!("{arg} wants a value\n{USAGE}"))?;
        match arg.as_str() {
            "--minutes" => minutes = value.parse()?,
            "--seed" => seed = value.parse()?,
            _ => bail!("no option is named `{arg}`\n{USAGE}"),
        }
    }
    let (begin, first) = (Instant::now(), seed);
    let mut found = 0;
    while begin.elapsed() < Duration::from_secs_f64(60.0 * minutes) {
        if let Some(text) = state_differs(seed) {
            found += 1;
            println!("{text}\n");
        }
        seed += 1;
    }
    println!("{} programs from seed {first}, {found} differ", seed - first);
    Ok(found)
}
