//! Recorded calls to start from: the sample of conformance cases.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use extype::ir::OpDef;

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
    let lines = lines().get(defs::name(op)).map_or(&[][..], Vec::as_slice);
    lines.iter().filter_map(|line| call(op, &Case::parse(line).ok()?)).collect()
}

fn call(op: &'static OpDef, case: &Case) -> Option<Call> {
    if case.is_refused() {
        return None;
    }
    let attrs = attributes(case, op).ok()?;
    let declared = |name: &str| op.attrs.iter().find(|a| a.name == name).map(|a| a.name);
    let attrs = attrs.iter().filter_map(|(name, value)| Some((declared(name)?, value.clone())));
    let attrs = attrs.collect();
    Some(Call { op, attrs, inputs: case.inputs().ok()? })
}

/// The cases that are one op, by its name. They are parsed when they are wanted: parsing all of
/// them would cost a worker more than its cases.
fn lines() -> &'static HashMap<String, Vec<String>> {
    static LINES: OnceLock<HashMap<String, Vec<String>>> = OnceLock::new();
    LINES.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/conformance");
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<_> = entries.map(|e| e.path()).collect();
        files.sort();
        let mut lines: HashMap<String, Vec<String>> = HashMap::new();
        let cases = files.iter().filter(|f| f.extension().is_some_and(|e| e == "jsonl"));
        for text in cases.filter_map(|f| std::fs::read_to_string(f).ok()) {
            for line in text.lines() {
                if let Some(op) = op_of(line) {
                    lines.entry(op.to_owned()).or_default().push(line.to_owned());
                }
            }
        }
        lines
    })
}

/// The name under the key `op`, which stands near the front.
fn op_of(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("\"op\":")?;
    rest.trim_start().strip_prefix('"')?.split('"').next()
}
