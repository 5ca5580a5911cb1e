//! Reads the files, runs the cases, collects the verdicts.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::modes::guarded;
use super::report::{Line, Report, Verdict};
use super::{Case, Mode, api, datasets, files, gradients, ops, programs, training, typespec};

/// Which cases run, and how.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Only this suite.
    pub suite: Option<String>,
    /// How functions run.
    pub mode: Mode,
}

/// Runs the cases of every `*.jsonl` file below a folder, and reads the recorded files in it: the suite `files`.
///
/// # Errors
/// If the folder or a file can't be read, or has no case.
pub fn run_directory(folder: &Path, selection: &Selection) -> Result<Report> {
    let mut report = Report::default();
    let has_files = files::are_in(folder);
    if has_files && selection.suite.as_ref().is_none_or(|s| s == files::SUITE) {
        files::run(folder, &mut report)?;
    }
    if has_files && selection.suite.as_deref() == Some(files::SUITE) {
        return Ok(report);
    }
    for case in read_cases(folder)? {
        if selection.suite.as_ref().is_none_or(|s| *s == case.suite) {
            report.add(&case.suite, run_case(&case, selection.mode));
        }
    }
    Ok(report)
}

/// The cases of every `*.jsonl` file below a folder.
///
/// # Errors
/// If the folder or a file can't be read, or has no case.
pub fn read_cases(folder: &Path) -> Result<Vec<Case>> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut cases = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("can't read {}", file.display()))?;
        for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
            let place = || format!("{}:{}", file.display(), i + 1);
            let stem = file.file_stem().map(|s| s.to_string_lossy()).unwrap_or_default();
            // The cases of some suites say neither their suite nor an id.
            let case = match stem == training::SUITE || datasets::SUITES.contains(&&*stem) {
                true => Case::parse_at(line, &stem, i + 1),
                false => Case::parse(line),
            };
            cases.push(case.with_context(place)?);
        }
    }
    if cases.is_empty() {
        bail!("no cases (*.jsonl) below {}", folder.display());
    }
    Ok(cases)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("no folder of conformance cases at {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "jsonl") {
            files.push(path);
        }
    }
    Ok(())
}

/// Runs one case.
pub fn run_case(case: &Case, mode: Mode) -> Line {
    let mut unchecked = None;
    let verdict = match guarded(|| judge(case, mode, &mut unchecked)) {
        Ok(verdict) => verdict,
        Err(panic) => Verdict::failed("no panic", panic),
    };
    let verdict = if case.is_exempt() { verdict.exempted() } else { verdict };
    Line { id: case.id.clone(), verdict, unchecked }
}

fn judge(case: &Case, mode: Mode, unchecked: &mut Option<String>) -> Verdict {
    if case.suite == training::SUITE {
        return training::judge(case, mode);
    }
    if datasets::is_one(case) {
        return datasets::judge(case);
    }
    if case.text("kind").is_some() {
        return typespec::judge(case);
    }
    if case.text("compare").is_some_and(|how| how != "columns_up_to_sign") {
        return Verdict::Unsupported(format!("compare {:?}", case.text("compare")));
    }
    let found = match (case.text("op"), case.text("api").unwrap_or_default()) {
        (Some(op), _) => ops::computation(case, op),
        (None, name) if name.starts_with("program.") => programs::computation(case, name),
        (None, name) => api::computation(case, name),
    };
    let (computation, inputs) = match found {
        Ok(found) => found,
        Err(what) => return Verdict::Unsupported(what),
    };
    match super::modes::check(case, mode, &computation, &inputs) {
        Verdict::Passed => gradients::check(case, mode, &computation, &inputs, unchecked),
        verdict => verdict,
    }
}
