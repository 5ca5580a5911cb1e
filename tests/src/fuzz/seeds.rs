//! The command line of the fuzzers whose cases are told by a seed alone.

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

const USAGE: &str = "options: [--minutes N] [--seed N] [--case SEED]";

/// No case takes so long.
const LIMIT: Duration = Duration::from_secs(120);

/// Runs what the command line says: cases from a seed on, or one. `differs` says what is wrong with the case of a seed.
/// Ends with status 0 if nothing is wrong, 1 if something is or a case does not end, 2 if it could not run.
pub fn of_seeds(differs: fn(u64) -> Option<String>) -> ExitCode {
    match run(differs, std::env::args().skip(1)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("error: {e:#}");
            ExitCode::from(2)
        }
    }
}

/// The number of cases that are wrong.
fn run(
    differs: fn(u64) -> Option<String>,
    mut args: impl Iterator<Item = String>,
) -> Result<usize> {
    let (mut minutes, mut seed, mut case) = (1.0f64, 0u64, None);
    while let Some(arg) = args.next() {
        let value = args.next().with_context(|| format!("{arg} wants a value\n{USAGE}"))?;
        match arg.as_str() {
            "--minutes" => minutes = value.parse()?,
            "--seed" => seed = value.parse()?,
            "--case" => case = Some(value.parse()?),
            _ => bail!("no option is named `{arg}`\n{USAGE}"),
        }
    }
    let time = Duration::from_secs_f64(60.0 * minutes);
    let (begin, first) = (Instant::now(), case.unwrap_or(seed));
    // Cases run on another thread, so that one that does not end is told.
    let (told, answers) = channel();
    thread::spawn(move || {
        for seed in first.. {
            let text = std::panic::catch_unwind(|| differs(seed));
            let text = text.unwrap_or_else(|_| Some(format!("seed {seed} panics")));
            let go = told.send(text).is_ok();
            if !go || case.is_some() || begin.elapsed() >= time {
                return;
            }
        }
    });
    let (mut cases, mut found, mut shown) = (0, 0, begin);
    loop {
        match answers.recv_timeout(LIMIT) {
            Ok(text) => {
                cases += 1;
                if let Some(text) = text {
                    found += 1;
                    println!("\r{text}\n");
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                println!("\rseed {} does not end", first + cases);
                found += 1;
                break;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if shown.elapsed() > Duration::from_secs(2) {
            shown = Instant::now();
            eprint!("\r{cases} cases, {found} findings ");
            // Only shows how far it is.
            let _ = std::io::stderr().flush();
        }
    }
    println!("\r{cases} cases from seed {first}, {found} findings");
    Ok(found)
}
