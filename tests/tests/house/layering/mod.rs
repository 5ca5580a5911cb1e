//! The runtime is built in floors, each on those before it only; files are of a readable size;
//! the function machinery knows no kinds of values; subjects of ops form no circles, nothing finds
//! an op or an attribute by a string, and no message names its function.

mod examples;
mod floors;
mod prelude;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use floors::{height, paths, runs_up};
use walkdir::WalkDir;

/// The folders of the crates.
const RUNTIME: &str = "runtime/src";
const KERNELS: &str = "runtime/kernels/src";
const FORMATS: &str = "runtime/formats/src";

/// A file of a crate: its path below the folder, its module path, and its text.
struct Source {
    path: PathBuf,
    module: Vec<String>,
    text: String,
}

/// The Rust files below a folder of the repository.
fn sources(folder: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let files = WalkDir::new(&root).sort_by_file_name().into_iter().filter_map(Result::ok);
    let files = files.filter(|e| e.path().extension().is_some_and(|e| e == "rs"));
    files
        .map(|entry| {
            let path = entry.path().strip_prefix(&root).expect("below the root").to_owned();
            let text = std::fs::read_to_string(entry.path()).expect("a readable file");
            Source { module: module_of(&path), path, text }
        })
        .collect()
}

/// The files of `ops` but its `mod.rs`. The second name of a module is that of a subject, or of what subjects share.
fn sources_of_ops() -> Vec<Source> {
    let mut sources = sources(RUNTIME);
    sources.retain(|s| s.module.len() > 1 && s.module[0] == "ops");
    sources
}

/// `ops/checks.rs` is `ops::checks`, `ops/mod.rs` is `ops`.
fn module_of(path: &Path) -> Vec<String> {
    let stem = path.with_extension("");
    let names = stem.iter().map(|n| n.to_string_lossy().into_owned());
    names.filter(|n| n != "mod").collect()
}

#[test]
fn no_module_imports_from_a_floor_above() {
    let mut wrong = Vec::new();
    for source in sources(RUNTIME) {
        let module: Vec<&str> = source.module.iter().map(String::as_str).collect();
        let up = runs_up(&module, &source.text).expect("the file parses");
        wrong.extend(up.into_iter().map(|p| format!("{}: crate::{p}", source.path.display())));
    }
    assert!(wrong.is_empty(), "imports that run up:\n{}", wrong.join("\n"));
}

#[test]
fn every_module_stands_on_a_floor() {
    let exempt = ["lib", "prelude", "__private"];
    for source in sources(RUNTIME) {
        let first = source.module.first().expect("a name").as_str();
        assert!(
            height(first).is_some() || exempt.contains(&first),
            "{} stands on no floor; give it one in tests/tests/house/layering/floors.rs",
            source.path.display()
        );
    }
}

#[test]
fn files_have_at_most_600_lines() {
    let long: Vec<String> = [RUNTIME, FORMATS]
        .into_iter()
        .flat_map(sources)
        .filter(|s| !s.text.contains("\ndefine_op! {"))
        .map(|s| (s.text.lines().count(), s))
        .filter(|(lines, _)| *lines > 600)
        .map(|(lines, s)| format!("{}: {lines} lines", s.path.display()))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

/// The function machinery knows trace types only. It may put the types of arguments together to a tuple.
#[test]
fn the_function_machinery_knows_no_kinds_of_values() {
    let kinds = ["Tensor", "Variable", "Composite", "List", "Map", "Optional", "Literal", "Custom"];
    let kinds = kinds.map(|k| format!("AnySpec::{k}"));
    for source in sources(RUNTIME) {
        if !["trace", "function", "compile"].contains(&source.module[0].as_str()) {
            continue;
        }
        for kind in &kinds {
            let mut code = source.text.lines().filter(|line| !line.trim_start().starts_with("//"));
            assert!(
                !code.any(|line| line.contains(kind)),
                "{} knows {kind}",
                source.path.display()
            );
        }
    }
}

/// Subjects of ops may use what stands under another subject, but not in circles.
///
/// Not seen are the ops themselves: gradients and functions made of several ops call the ops of
/// every subject through `crate::ops`.
#[test]
fn subjects_of_ops_form_no_circles() {
    let sources = sources_of_ops();
    let of_folders = sources.iter().filter(|s| s.path.ends_with("mod.rs"));
    let subjects: BTreeSet<&str> = of_folders.map(|s| s.module[1].as_str()).collect();
    assert!(subjects.len() > 15, "{subjects:?}");
    let mut uses: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for source in &sources {
        let Some(own) = subjects.get(source.module[1].as_str()) else { continue };
        let module: Vec<&str> = source.module.iter().map(String::as_str).collect();
        for path in paths(&module, &source.text).expect("the file parses") {
            if let [ops, other, _, ..] = &path[..]
                && ops == "ops"
                && other != own
                && subjects.contains(other.as_str())
            {
                uses.entry(own).or_default().insert(other.clone());
            }
        }
    }
    for own in &subjects {
        let (mut seen, mut open) = (BTreeSet::new(), vec![own.to_string()]);
        while let Some(subject) = open.pop() {
            for next in uses.get(subject.as_str()).into_iter().flatten() {
                assert!(next != own, "ops/{own} and ops/{subject} use each other: {uses:?}");
                if seen.insert(next.clone()) {
                    open.push(next.clone());
                }
            }
        }
    }
}

/// What subjects of ops share stands on floors below them.
///
/// Not seen are the ops themselves, as above.
#[test]
fn what_ops_share_uses_no_subject() {
    let floors = ["checks", "args", "options", "protocol", "rules"];
    let height = |name: &str| floors.iter().position(|floor| *floor == name);
    let sources = sources_of_ops();
    let rooms: BTreeSet<&str> = sources.iter().map(|s| s.module[1].as_str()).collect();
    assert!(floors.iter().all(|floor| rooms.contains(floor)), "{rooms:?}");
    let mut wrong = Vec::new();
    for source in &sources {
        let Some(own) = height(&source.module[1]) else { continue };
        let module: Vec<&str> = source.module.iter().map(String::as_str).collect();
        for path in paths(&module, &source.text).expect("the file parses") {
            if let [ops, room, ..] = &path[..]
                && ops == "ops"
                && rooms.contains(room.as_str())
                && height(room).is_none_or(|floor| floor > own)
            {
                wrong.push(format!("{}: crate::{}", source.path.display(), path.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "imports that run up:\n{}", wrong.join("\n"));
}

/// Each file of ops says what it uses of the other rooms.
#[test]
fn no_file_of_ops_imports_all_of_them() {
    let all = sources_of_ops();
    let found: Vec<_> = all.iter().filter(|s| s.text.contains("use crate::ops::*")).collect();
    let found: Vec<_> = found.iter().map(|s| s.path.display().to_string()).collect();
    assert!(found.is_empty(), "{found:?}");
}

/// Words that named several things once: one type of the runtime and the kernels has the name now, or none.
const ONE_TYPE: [&str; 17] = [
    "Arguments",
    "Arm",
    "Body",
    "Call",
    "Context",
    "Entry",
    "Items",
    "Kind",
    "Parts",
    "Place",
    "Plan",
    "Rule",
    "Slot",
    "State",
    "Step",
    "Traced",
    "Traces",
];

#[test]
fn words_of_many_meanings_name_one_type() {
    let sources = [RUNTIME, KERNELS].into_iter().flat_map(sources);
    let texts: Vec<String> = sources.map(|s| s.text).collect();
    assert!(texts.len() > 400, "{}", texts.len());
    for word in ONE_TYPE {
        let defines = |line: &str| {
            let item = line.trim_start();
            let item =
                item.strip_prefix("pub(").and_then(|i| i.split_once(") ")).map_or(item, |(_, i)| i);
            let item = item.strip_prefix("pub ").unwrap_or(item);
            // An indented `type` is one of an impl or a trait.
            let kinds = ["struct ", "enum ", "trait ", "type "];
            kinds.iter().filter(|kind| **kind != "type " || !line.starts_with(' ')).any(|kind| {
                let name = item.strip_prefix(kind).and_then(|l| l.strip_prefix(word));
                name.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
            })
        };
        let count = texts.iter().flat_map(|text| text.lines()).filter(|line| defines(line)).count();
        assert!(count <= 1, "{count} types are named `{word}`");
    }
}

/// The types of `types/` are as others that users write: the runtime does not know them, and they use what all may use.
#[test]
fn the_runtime_and_the_types_of_its_family_are_apart() {
    let family = [
        "RaggedTensor",
        "RaggedTensorSpec",
        "RowPartition",
        "SparseTensor",
        "SparseTensorSpec",
        "CsrMatrix",
        "Labeled",
        "Structured",
        "Digraph",
        "Mixture",
        "Alignment",
        "extype_ragged",
        "extype_sparse",
    ];
    for source in sources(RUNTIME) {
        for line in source.text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            let named = words.find(|word| family.contains(word));
            assert_eq!(named, None, "{}: {}", source.path.display(), line.trim());
        }
    }
    let types = sources("types");
    assert!(types.len() > 10, "{}", types.len());
    for source in types {
        let at = source.path.display();
        assert!(!source.text.contains("__private"), "{at} uses what is not public");
    }
}

/// Ops and attributes have one name in Rust each; their names in graphs stand in rows only.
#[test]
fn nothing_finds_ops_or_attributes_by_strings() {
    let finds = ["find_op(\"", "attrs.get(\"", ".value(\"", ".with(\"", "AttrKey::new(\""];
    // Ops that are no rows make the keys of their attributes by hand.
    let defines = [
        "graph/builtin.rs",
        "function/call.rs",
        "tensor/variable_ops.rs",
        "tensor/initialization.rs",
        "op/kernel.rs",
        "ops/checks.rs",
        "control/rows.rs",
        "linear/attention.rs",
        "linear/views.rs",
    ];
    let mut found = Vec::new();
    for source in sources(RUNTIME) {
        let lines = source.text.lines().take_while(|line| !line.contains("#[cfg(test)]"));
        for line in lines.filter(|line| !line.trim_start().starts_with("//")) {
            let by_name = |f: &&&str| line.contains(**f);
            if let Some(what) = finds.iter().find(by_name)
                && !(what.starts_with("AttrKey")
                    && defines.iter().any(|d| source.path.ends_with(d)))
            {
                found.push(format!("{}: {}", source.path.display(), line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "named by strings:\n{}", found.join("\n"));
}

/// Errors put the name of the function that was called before the message, so no message begins with one.
#[test]
fn no_message_begins_with_the_name_of_a_function() {
    let mut found = Vec::new();
    for source in sources(RUNTIME) {
        if !["ops", "linalg", "fft", "signal", "image", "random"]
            .contains(&source.module[0].as_str())
        {
            continue;
        }
        let messages = ["bail!(", "err!("].map(|made| source.text.split(made).skip(1));
        for message in messages.into_iter().flatten() {
            let first = message.split(';').next().and_then(|m| m.split('"').nth(1)).unwrap_or("");
            let (name, rest) = first.split_once(": ").unwrap_or(("", ""));
            let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            if !name.is_empty() && !rest.is_empty() && name.chars().all(is_name) {
                found.push(format!("{}: {first}", source.path.display()));
            }
        }
    }
    assert!(found.is_empty(), "named twice:\n{}", found.join("\n"));
}

mod checker {
    use super::runs_up;

    const UP: &str = "
        use crate::types::DType;
        use crate::{compile::Program, ir::{self, Attrs}};
        fn f() -> crate::tensor::Tensor { todo!() }
    ";

    #[test]
    fn a_source_that_runs_up_is_found() {
        assert_eq!(
            runs_up(&["array", "convert"], UP).expect("Rust"),
            ["compile::Program", "ir", "ir::Attrs", "tensor::Tensor"]
        );
        assert_eq!(runs_up(&["ir"], UP).expect("Rust"), ["compile::Program", "tensor::Tensor"]);
    }

    #[test]
    fn a_source_that_does_not_run_up_passes() {
        assert!(runs_up(&["compile"], UP).expect("Rust").is_empty());
        assert!(runs_up(&["gradient", "rules"], UP).expect("Rust").is_empty());
    }

    #[test]
    fn reexports_and_relative_paths_count() {
        let source = "use crate::Tensor; use super::super::spec::nest;";
        assert_eq!(runs_up(&["ir", "def"], source).expect("Rust"), ["Tensor", "spec::nest"]);
        assert!(runs_up(&["spec", "any"], source).expect("Rust").is_empty());
        let inner = "mod inner { use super::Own; use super::super::function::f; }";
        assert_eq!(runs_up(&["trace"], inner).expect("Rust"), ["function::f"]);
    }

    #[test]
    fn tests_may_look_up() {
        let source = "#[cfg(test)] mod tests { use crate::gradient::grad; }";
        assert!(runs_up(&["types"], source).expect("Rust").is_empty());
    }
}
