//! `docs/OPS.md` is the table of ops as it is: made from the registry and from the rows, and
//! written anew by `EXTYPE_BLESS=1 cargo test -p extype-tests --test house ops_page`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use extype::ir::{OpDef, all_ops};
use extype::ops::{batch_rule, gradient_rule, passes_no_gradient};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Folders and files of `runtime/src/ops`, and what they are called on the page, in its order.
const SUBJECTS: &[(&str, &str)] = &[
    ("elementwise", "Element by element"),
    ("reduction", "Reductions"),
    ("scan", "Running reductions"),
    ("linear", "Products of matrices"),
    ("movement", "Shapes and places"),
    ("slicing", "Slices"),
    ("indexing", "Elements by coordinates"),
    ("blocks", "Blocks"),
    ("diagonals", "Diagonals"),
    ("ordering", "Sorting and searching"),
    ("counting", "Counting"),
    ("segment", "Sums of groups"),
    ("sparse", "Sparse tensors"),
    ("creation", "Making tensors"),
    ("random", "Random numbers"),
    ("shapes", "Sizes"),
    ("nn", "Networks"),
    ("conv", "Convolutions"),
    ("pool", "Poolings"),
    ("image", "Images"),
    ("codecs", "Image files"),
    ("strings", "Strings"),
    ("text", "Printing"),
    ("lists", "Lists of tensors"),
    ("tables", "Lookup tables"),
    ("queues", "Queues"),
    ("variables.rs", "Variables"),
];
/// Where the rows are.
const OPS: &str = "runtime/src/ops";
const OTHER: &str = "Functions, control flow and what graphs need";

/// What the source of a row says that the registry does not know.
struct Row {
    /// The type of the op.
    ty: String,
    subject: String,
    /// The function, and whether it is a method too.
    call: Option<(String, bool)>,
}

/// Those of [`SUBJECTS`], then further folders by their own names.
fn subjects() -> Vec<(String, String)> {
    let known = SUBJECTS.iter().map(|(folder, title)| (folder.to_string(), title.to_string()));
    let mut all: Vec<(String, String)> = known.collect();
    let entries = fs::read_dir(Path::new(ROOT).join(OPS)).expect("the folder of ops").flatten();
    let folders = entries.filter(|entry| entry.path().is_dir());
    let mut more: Vec<String> =
        folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    more.retain(|folder| folder != "args" && all.iter().all(|(known, _)| known != folder));
    more.sort_unstable();
    all.extend(more.into_iter().map(|folder| {
        let title = folder[..1].to_uppercase() + &folder[1..];
        (folder, title)
    }));
    all
}

fn sources(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_file() {
        return found.push(path.to_owned());
    }
    let entries = fs::read_dir(path).expect("a folder of ops").flatten();
    entries.for_each(|entry| sources(&entry.path(), found));
}

/// The type and the graph name in a line such as `pub unary Tanh = "Tanh" {`.
fn head(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix("pub ").unwrap_or(line);
    let (form, rest) = line.split_once(' ')?;
    let (ty, name) = rest.split_once(" = \"")?;
    let is_row = ["unary", "binary", "reduction", "op"].contains(&form);
    name.strip_suffix("\" {").filter(|_| is_row).map(|name| (ty, name))
}

/// The function in a line such as `call: method reduce_sum(x; axes),`.
pub(super) fn call(line: &str) -> Option<(String, bool)> {
    let call = line.strip_prefix("call: ")?;
    let (call, is_method) = match call.strip_prefix("method ") {
        Some(call) => (call, true),
        None => (call, false),
    };
    let end = call.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(call.len());
    Some((call[..end].to_owned(), is_method))
}

fn rows() -> BTreeMap<String, Row> {
    let mut rows = BTreeMap::new();
    for (folder, subject) in subjects() {
        let mut files = Vec::new();
        sources(&Path::new(ROOT).join(OPS).join(folder), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).expect("a source file");
            let mut last = None;
            for line in text.lines().map(str::trim) {
                if let Some((ty, name)) = head(line) {
                    let row = Row { ty: ty.to_owned(), subject: subject.clone(), call: None };
                    rows.insert(name.to_owned(), row);
                    last = Some(name.to_owned());
                } else if let (Some(call), Some(name)) = (call(line), &last)
                    && let Some(row) = rows.get_mut(name)
                {
                    row.call.get_or_insert(call);
                }
            }
        }
    }
    rows
}

/// The first sentence of the documentation, without links.
fn summary(def: &OpDef) -> String {
    let text = def.doc.split("\n\n").next().unwrap_or_default();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.split(". ").next().unwrap_or_default().trim_end_matches('.');
    text.replace("[`", "`").replace("`]", "`").replace("()`", "`").replace('|', "\\|")
}

fn line(def: &'static OpDef, row: Option<&Row>) -> String {
    let call = match row.and_then(|row| row.call.as_ref()) {
        Some((name, true)) => format!("`ops::{name}`, `.{name}`"),
        Some((name, false)) => format!("`ops::{name}`"),
        None => "—".to_owned(),
    };
    let gradient = match gradient_rule(def) {
        _ if def.is_compound() => "its ops'",
        _ if passes_no_gradient(def) => "none",
        Some(_) => "yes",
        None => "no",
    };
    let batch = match batch_rule(def) {
        _ if def.is_compound() => "its ops'",
        Some(_) => "yes",
        None => "no",
    };
    let rust = row.map_or(def.rust_name, |row| &row.ty);
    let graph = match def.is_compound() {
        true => "compound".to_owned(),
        false => format!("`{}`", def.name),
    };
    format!("| `{rust}` | {graph} | {call} | {gradient} | {batch} | {} |\n", summary(def))
}

fn page() -> String {
    let rows = rows();
    // Ops of other crates have namespaces of their own.
    let own = |def: &&OpDef| def.name.split_once('>').is_none_or(|(space, _)| space == "Extype");
    let ops: Vec<&'static OpDef> = all_ops().into_iter().filter(own).collect();
    let mut page = format!(
        "# Ops\n\nAll {} ops, by subject. This page is made from the op table: `EXTYPE_BLESS=1 cargo test -p \
         extype-tests --test house ops_page` writes it.\n\n\
         *Op* is the type in `extype::ops`, *graph* the name in graphs and files, *call* the function and the \
         method (— : by the op's type, or from other functions). *Gradient*: `none` means that no gradient passes, \
         `no` that a tape refuses the op. *Batch*: whether `vectorized_map` runs it once for all elements; else in \
         a loop. A *compound* is made of other ops: no graph has a node of it, and its gradient and its batches \
         are those of its ops. Other functions of several ops (`reduce_variance`, `boolean_mask`, …) are in the \
         documentation of `extype::ops`.\n",
        ops.len()
    );
    let titles = subjects().into_iter().map(|(_, title)| title).chain([OTHER.to_owned()]);
    for title in titles {
        let of_title =
            |def: &&OpDef| rows.get(def.name).map_or(OTHER, |row| row.subject.as_str()) == title;
        let mut ops: Vec<&'static OpDef> =
            ops.iter().copied().filter(|def| of_title(def)).collect();
        ops.sort_by_key(|def| def.rust_name);
        if ops.is_empty() {
            continue;
        }
        let _ = write!(page, "\n## {title}\n\n| op | graph | call | gradient | batch | what |\n");
        page.push_str("| --- | --- | --- | --- | --- | --- |\n");
        page.extend(ops.into_iter().map(|def| line(def, rows.get(def.name))));
    }
    page
}

#[test]
fn the_page_of_ops_is_that_of_the_table() {
    let path = Path::new(ROOT).join("docs/OPS.md");
    let page = page();
    if std::env::var_os("EXTYPE_BLESS").is_some() {
        fs::write(&path, &page).expect("docs/OPS.md can be written");
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    let differs = page.lines().zip(there.lines()).find(|(a, b)| a != b);
    assert!(
        page == there,
        "docs/OPS.md is not that of the op table; write it by `EXTYPE_BLESS=1 cargo test -p \
         extype-tests --test house ops_page`. First difference: {differs:?}"
    );
}

#[test]
fn every_row_is_found_in_its_source() {
    let rows = rows();
    let lost: Vec<&str> =
        rows.keys().map(String::as_str).filter(|name| extype::ir::find_op(name).is_err()).collect();
    assert!(lost.is_empty(), "rows that the registry does not have: {lost:?}");
    assert!(rows["Tanh"].call == Some(("tanh".to_owned(), true)));
    assert!(rows["ConcatV2"].call == Some(("concat".to_owned(), false)));
}
