//! Recorded calls to start from: the sample of conformance cases.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use extype::op::OpDef;

use super::call::Call;
use super::defs;
use crate::conformance::{Case, ops::attributes};

/// The recorded calls of an op that are not refused, in a fixed order.
pub(super) fn recorded(op: &'static OpDef) -> Vec<Call> {
    static READ: OnceLock<Mutex<HashMap<&'static str, Vec<Call>>>> = OnceLock::new();
    let read = READ.get_or_init(Mutex::default);
    let mut read = read.lock().unwrap_or_else(PoisonError::into_inner);
    read.entry(defs::name(op)).or_insert_with(|| parse(op)).clone()
}

fn parse(op: &'static OpDef) -> Vec<Call> {
    // Parsing all of them would cost a worker more than its cases.
    let marks =
        [format!("\"op\": \"{}\"", defs::name(op)), format!("\"op\":\"{}\"", defs::name(op))];
    let lines = lines().iter().filter(|l| marks.iter().any(|m| l.contains(m.as_str())));
    lines.filter_map(|line| call(op, &Case::parse(line).ok()?)).collect()
}

fn call(op: &'static OpDef, case: &Case) -> Option<Call> {
    if case.is_refused() {
        return None;
    }
    let attrs = attributes(case, op).ok()?;
    let attrs = attrs.iter().map(|(name, value)| (name, value.clone())).collect();
    Some(Call { op, attrs, inputs: case.inputs().ok()? })
}

fn lines() -> &'static [String] {
    static LINES: OnceLock<Vec<String>> = OnceLock::new();
    LINES.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/conformance");
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<_> = entries.map(|e| e.path()).collect();
        files.sort();
        let cases = files.iter().filter(|f| f.extension().is_some_and(|e| e == "jsonl"));
        let texts = cases.filter_map(|f| std::fs::read_to_string(f).ok());
        texts.flat_map(|t| t.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
    })
}
