//! The command line of the fuzzers.

use std::fs;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::{Finding, Options, Session, Subject, edit, serve};

const USAGE: &str = "options: [--minutes N] [--cases N] [--seed N] [--jobs N] [--op NAME] \
                     [--case SEED [--edits STEPS]] [--out FILE]";

/// Runs what the command line says: status 0 if nothing was found, 1 if something was, 2 if it
/// could not run. With `--case` it runs one case, as a finding tells it.
pub fn main(subject: Subject) -> ExitCode {
    match run(subject, std::env::args().skip(1)) {
        Ok(code) => code,
        Err(e) => {
            eprintln!("error: {e:#}");
            ExitCode::from(2)
        }
    }
}

fn run(subject: Subject, mut args: impl Iterator<Item = String>) -> Result<ExitCode> {
    let mut options = Options::new(std::env::current_exe()?, subject);
    let (mut case, mut edits, mut out) = (None, Vec::new(), None);
    while let Some(arg) = args.next() {
        let mut value = || args.next().with_context(|| format!("{arg} wants a value\n{USAGE}"));
        match arg.as_str() {
            "--worker" => {
                serve(subject, value()?.parse()?)?;
                return Ok(ExitCode::SUCCESS);
            }
            "--minutes" => options.time = Duration::from_secs_f64(60.0 * value()?.parse::<f64>()?),
            "--cases" => options.cases = value()?.parse()?,
            "--seed" => options.seed = value()?.parse()?,
            "--jobs" => options.jobs = value()?.parse()?,
            "--op" => options.op = Some(value()?),
            "--case" => case = Some(value()?.parse()?),
            "--edits" => edits = edit::from_text(&value()?).map_err(anyhow::Error::msg)?,
            "--out" => out = Some(value()?),
            _ => bail!("no option is named `{arg}`\n{USAGE}"),
        }
    }
    let Some(seed) = case else { return all(options, out.as_deref()) };
    let op = options.op.clone().context("--case wants an --op")?;
    let answer = Session::new(options).one(&op, seed, &edits)?;
    println!("{}", answer.call);
    match &answer.refusal {
        Some(refusal) => println!("refused: {refusal}"),
        None => println!("taken: {}, gradient: {}", answer.taken, answer.gradients.join(", ")),
    }
    for (kind, text) in &answer.findings {
        println!("{}: {text}", kind.name());
    }
    Ok(if answer.findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn all(options: Options, out: Option<&str>) -> Result<ExitCode> {
    let subject = options.subject;
    eprintln!("seed {}, {} s at most", options.seed, options.time.as_secs());
    let shown = Mutex::new(Instant::now());
    let progress = |cases: usize, findings: usize, new: &[Finding]| {
        for finding in new {
            eprintln!("\r{finding}");
        }
        if let Ok(mut shown) = shown.try_lock()
            && shown.elapsed() > Duration::from_secs(2)
        {
            *shown = Instant::now();
            eprint!("\r{cases} cases, {findings} findings ");
            // Only shows how far it is.
            let _ = std::io::stderr().flush();
        }
    };
    let summary = Session::new(options).run(&progress)?;
    eprintln!();
    let told = match subject {
        Subject::Calls => summary.table(),
        Subject::Gradients => summary.coverage(),
    };
    print!("{told}{}", summary.text(subject));
    if let Some(path) = out {
        let lines: Vec<String> = summary.findings.iter().map(ToString::to_string).collect();
        fs::write(path, lines.join("\n") + "\n").with_context(|| path.to_owned())?;
    }
    Ok(if summary.findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
