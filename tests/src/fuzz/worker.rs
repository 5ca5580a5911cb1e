//! The process in which cases run.
//!
//! Cases come in by lines: `op seed edits`. Answers go out by lines that begin with [`MARK`],
//! since an op may print; before each stage of a case one tells its name, at last one has all.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

use super::edit;
use super::rng::Rng;
use super::subject::Subject;

/// Begins every line of an answer.
pub(super) const MARK: &str = "@@ ";

/// Runs cases of this subject from the standard input until it ends, with this much memory, in bytes.
///
/// # Errors
/// If the streams end otherwise, or the limit can't be set.
pub fn serve(subject: Subject, memory: u64) -> io::Result<()> {
    limit_memory(memory)?;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut words = line.split(' ');
        let (op, seed) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let edits = words.next().unwrap_or_default();
        let answer =
            case(subject, op, seed, edits).unwrap_or_else(|wrong| json!({ "wrong": wrong }));
        send(&answer.to_string())?;
    }
    Ok(())
}

fn send(text: &str) -> io::Result<()> {
    // Not by `println!`: what an op printed may have left the line unfinished.
    let mut out = io::stdout().lock();
    writeln!(out, "\n{MARK}{text}")?;
    out.flush()
}

fn case(subject: Subject, name: &str, seed: &str, edits: &str) -> Result<Value, String> {
    let seed: u64 = seed.parse().map_err(|_| format!("no seed: `{seed}`"))?;
    let case = subject.case(name, seed, edit::from_text(edits)?)?;
    let told =
        json!({ "stage": "eager", "call": case.text, "smaller": edit::to_text(&case.smaller) });
    send(&told.to_string()).map_err(|e| e.to_string())?;
    let mut rng = Rng::of_case(name, !seed);
    let checked = (case.check)(&mut rng, &mut |stage| {
        // If nobody reads, the next read of the input ends this process.
        let _ = send(&json!({ "stage": stage }).to_string());
    });
    let findings: Vec<Value> =
        checked.findings.iter().map(|(kind, text)| json!([kind.name(), text])).collect();
    Ok(json!({
        "taken": checked.taken,
        "refusal": checked.refusal,
        "gradients": checked.gradients,
        "findings": findings,
    }))
}

#[cfg(unix)]
fn limit_memory(bytes: u64) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = |bytes| Rlimit { current: Some(bytes), maximum: Some(bytes) };
    // No core file of a process that is meant to end.
    setrlimit(Resource::Core, limit(0))?;
    Ok(setrlimit(Resource::As, limit(bytes))?)
}

#[cfg(not(unix))]
fn limit_memory(_bytes: u64) -> io::Result<()> {
    Ok(())
}
