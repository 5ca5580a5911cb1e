//! The runtime is built in floors, each on those before it only; files are of a readable size;
//! the function machinery knows no kinds of values.

mod floors;

use std::path::{Path, PathBuf};

use floors::{height, runs_up};
use walkdir::WalkDir;

/// A file of the runtime: its module path, and its text.
struct Source {
    path: PathBuf,
    module: Vec<String>,
    text: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/src"));
    let files = WalkDir::new(root).sort_by_file_name().into_iter().filter_map(Result::ok);
    let files = files.filter(|e| e.path().extension().is_some_and(|e| e == "rs"));
    files
        .map(|entry| {
            let path = entry.path().strip_prefix(root).expect("below the root").to_owned();
            let text = std::fs::read_to_string(entry.path()).expect("a readable file");
            Source { module: module_of(&path), path, text }
        })
        .collect()
}

/// `ops/front.rs` is `ops::front`, `ops/mod.rs` is `ops`.
fn module_of(path: &Path) -> Vec<String> {
    let stem = path.with_extension("");
    let names = stem.iter().map(|n| n.to_string_lossy().into_owned());
    names.filter(|n| n != "mod").collect()
}

#[test]
fn no_module_imports_from_a_floor_above() {
    let mut wrong = Vec::new();
    for source in sources() {
        let module: Vec<&str> = source.module.iter().map(String::as_str).collect();
        let up = runs_up(&module, &source.text).expect("the file parses");
        wrong.extend(up.into_iter().map(|p| format!("{}: crate::{p}", source.path.display())));
    }
    assert!(wrong.is_empty(), "imports that run up:\n{}", wrong.join("\n"));
}

#[test]
fn every_module_stands_on_a_floor() {
    let exempt = ["lib", "prelude", "__private"];
    for source in sources() {
        let first = source.module.first().expect("a name").as_str();
        assert!(
            height(first).is_some() || exempt.contains(&first),
            "{} stands on no floor; give it one in tests/layering/floors.rs",
            source.path.display()
        );
    }
}

#[test]
fn files_have_at_most_600_lines() {
    let long: Vec<String> = sources()
        .iter()
        .filter(|s| !s.path.starts_with("ops/table"))
        .map(|s| (s.text.lines().count(), s))
        .filter(|(lines, _)| *lines > 600)
        .map(|(lines, s)| format!("{}: {lines} lines", s.path.display()))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

/// The function machinery knows trace types only: of the kinds of specs it may see the leaves.
#[test]
fn the_function_machinery_knows_no_kinds_of_values() {
    let kinds =
        ["Composite", "List", "Map", "Optional", "Literal"].map(|k| format!("AnySpec::{k}"));
    for source in sources() {
        if !["trace", "function", "compile"].contains(&source.module[0].as_str()) {
            continue;
        }
        for kind in &kinds {
            assert!(!source.text.contains(kind), "{} knows {kind}", source.path.display());
        }
    }
}

mod checker {
    use super::runs_up;

    const UP: &str = "
        use crate::types::DType;
        use crate::{graph::Symbol, op::{self, Attrs}};
        fn f() -> crate::tensor::Tensor { todo!() }
    ";

    #[test]
    fn a_source_that_runs_up_is_found() {
        assert_eq!(
            runs_up(&["array", "convert"], UP).expect("Rust"),
            ["graph::Symbol", "op", "op::Attrs", "tensor::Tensor"]
        );
        assert_eq!(runs_up(&["op"], UP).expect("Rust"), ["graph::Symbol", "tensor::Tensor"]);
    }

    #[test]
    fn a_source_that_does_not_run_up_passes() {
        assert!(runs_up(&["tensor"], UP).expect("Rust").is_empty());
        assert!(runs_up(&["gradient", "rules"], UP).expect("Rust").is_empty());
    }

    #[test]
    fn reexports_and_relative_paths_count() {
        let source = "use crate::Tensor; use super::super::spec::nest;";
        assert_eq!(runs_up(&["op", "def"], source).expect("Rust"), ["Tensor", "spec::nest"]);
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
