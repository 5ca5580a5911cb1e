//! The page of `extype::ops` begins with tables of its functions by subject.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use super::ops_page::call;

/// Floors below and above the subjects, and files of features, whose functions the tables name where they are on.
const APART: [&str; 7] = [
    "args",
    "operators.rs",
    "options",
    "protocol",
    "rules",
    "strings/compressed.rs",
    "strings/patterns.rs",
];
/// Functions of these floors that `ops` has, and another name for `true_divide`.
const BESIDES: [&str; 7] = [
    "batch_rule",
    "forward_of",
    "gradient_rule",
    "no_gradients",
    "passes_no_gradient",
    "step",
    "truediv",
];

/// The functions in a file of ops: of its rows, of blocks of macros, and written by hand.
fn functions(text: &str) -> Vec<String> {
    let (mut found, mut block) = (Vec::new(), None);
    for line in text.lines() {
        let code = line.trim_start();
        let depth = line.len() - code.len();
        if ["compounds! {", "of_many! {", "cuts! {", "pools! {"].contains(&code) {
            block = Some(depth);
        } else if code == "}" && block == Some(depth) {
            block = None;
        }
        let declared = match block {
            Some(outer) if depth == outer + 4 => code.strip_prefix("fn "),
            _ => line.strip_prefix("pub fn "),
        };
        let short = || code.split_once("(axes: impl Sets<Over>) = ").map(|(name, _)| name);
        let operator = || {
            let kinds = ["Binary BinaryElementwise ", "Unary UnaryElementwise "];
            kinds.iter().find_map(|kind| code.strip_prefix(*kind)?.split(' ').nth(1))
        };
        let declared = declared.or_else(short).or_else(operator);
        let name = declared.and_then(|rest| rest.split(['(', '<', ' ']).next()).map(str::to_owned);
        found.extend(name.or_else(|| call(code).map(|(name, _)| name)));
    }
    found
}

/// The functions in the first column of the tables.
fn listed() -> Vec<&'static str> {
    let page = include_str!("../../../runtime/src/ops/mod.rs");
    let rows = page.lines().filter_map(|line| line.strip_prefix("//! | "));
    let cells = rows.filter_map(|row| row.split(" | ").next());
    let links = cells.flat_map(|cell| cell.split("[`").skip(1));
    links.filter_map(|link| link.split_once("()`]")).map(|(name, _)| name).collect()
}

#[test]
fn every_function_of_ops_stands_in_one_table() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/src/ops"));
    let apart = APART.map(|name| root.join(name));
    let mut all: BTreeSet<String> = BESIDES.map(str::to_owned).into();
    for file in WalkDir::new(root).into_iter().filter_map(Result::ok) {
        let path = file.path();
        if path.extension().is_some_and(|e| e == "rs") && !apart.iter().any(|a| path.starts_with(a))
        {
            all.extend(functions(&fs::read_to_string(path).expect("a readable file")));
        }
    }
    assert!(all.len() > 400, "{} functions", all.len());
    let listed = listed();
    let once: BTreeSet<String> = listed.iter().map(|name| (*name).to_owned()).collect();
    let missing: Vec<_> = all.difference(&once).collect();
    let unknown: Vec<_> = once.difference(&all).collect();
    assert!(missing.is_empty(), "in no table of ops/mod.rs: {missing:?}");
    assert!(unknown.is_empty(), "in a table of ops/mod.rs, but no functions: {unknown:?}");
    let mut seen = BTreeSet::new();
    let twice: Vec<_> = listed.iter().filter(|name| !seen.insert(**name)).collect();
    assert!(twice.is_empty(), "in two rows of ops/mod.rs: {twice:?}");
}
