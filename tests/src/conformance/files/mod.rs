//! Recorded files of TensorFlow: models, checkpoints, records.

mod models;
mod others;
mod values;

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::report::{Line, Report, Verdict};

/// The suite that files make up.
pub const SUITE: &str = "files";

/// Reads the files in a folder of recorded data, and adds what became of them.
///
/// # Errors
/// If what is recorded beside a file can't be read.
pub fn run(folder: &Path, report: &mut Report) -> Result<()> {
    for model in entries(&folder.join("saved_models")) {
        models::run(&model, report)?;
    }
    for folder in entries(&folder.join("checkpoints")) {
        others::checkpoint(&folder, report)?;
    }
    for path in entries(&folder.join("tfrecord")) {
        others::records(&path, report)?;
    }
    Ok(())
}

/// True if the folder has recorded files.
pub fn are_in(folder: &Path) -> bool {
    folder.join("saved_models").is_dir()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|e| e.path()).collect();
    paths.sort();
    paths
}

fn json(path: &Path) -> Result<serde_json::Value> {
    Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?)
}

fn add(report: &mut Report, id: String, verdict: Verdict) {
    report.add(SUITE, Line { id, verdict, unchecked: None });
}
