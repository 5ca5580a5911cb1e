//! What does not compile, and what the compiler says: one mistake a file under
//! `<macro>/<topic>/`, its message beside it.
//!
//! Messages are reviewed as prose. They depend on the compiler, so they are compared on the
//! version they were written for only; `TRYBUILD=overwrite` writes them anew.

use std::path::PathBuf;

/// The compiler whose messages are recorded.
const RECORDED: &str = "1.95";

#[test]
fn mistakes_are_refused_with_a_remedy() {
    let version = std::process::Command::new(env!("CARGO")).arg("--version").output();
    let version =
        version.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    if !version.contains(RECORDED) {
        println!("skipped: messages are recorded for cargo {RECORDED}, this is {version}");
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.compile_fail("*/*/*.rs");
}

/// The cases, each with its message.
fn cases() -> Vec<(PathBuf, String)> {
    let root = walkdir::WalkDir::new(env!("CARGO_MANIFEST_DIR")).min_depth(3);
    let files = root.into_iter().map(|entry| entry.unwrap().into_path());
    let cases = files.filter(|path| path.extension().is_some_and(|e| e == "rs"));
    let message = |path: &PathBuf| std::fs::read_to_string(path.with_extension("stderr"));
    cases
        .map(|path| {
            let message = message(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            (path, message)
        })
        .collect()
}

#[test]
fn messages_are_short() {
    let cases = cases();
    assert!(cases.len() >= 60, "{} cases", cases.len());
    let mut lengths: Vec<usize> = cases.iter().map(|(_, m)| m.lines().count()).collect();
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(median <= 8, "the median message has {median} lines: {lengths:?}");
}

#[test]
fn one_mistake_is_one_error() {
    // A repetition is shown in both places; syntax errors are the compiler's and ours.
    const BOTH: &[&str] =
        &["twice", "overridden_twice", "two_names_of_one_op_twice", "without_type"];
    for (path, message) in cases() {
        let errors = message.lines().filter(|l| l.starts_with("error")).count();
        let several = path.parent().unwrap().ends_with("several")
            || BOTH.iter().any(|both| path.with_extension("").ends_with(both));
        assert!(errors == 1 || several, "{}: {errors} errors", path.display());
    }
}

#[test]
fn what_a_type_does_not_support_is_said_in_twelve_lines() {
    /// Everything on ops, and on arguments and results that are no structures.
    const LIMITED: &[&str] = &[
        "/dispatch/",
        "/tf_function/arguments/",
        "/tf_function/results/",
        "/values/structures/not_a_structure",
    ];
    /// Messages with no words of ours: the compiler's on operators that do not apply, and on types
    /// that differ.
    const EXCEPT: &[&str] = &[
        "dispatch/blocks/twice_in_two",
        "dispatch/ops/negated",
        "dispatch/ops/number_first",
        "dispatch/functions/attribute_of_another_type",
        "dispatch/functions/attribute_by_reference_of_another_type",
    ];
    for (path, message) in cases() {
        let name = path.with_extension("").display().to_string();
        if LIMITED.iter().any(|l| name.contains(l)) && !EXCEPT.iter().any(|e| name.ends_with(e)) {
            let lines = message.lines().count();
            assert!(lines <= 12, "{name}: {lines} lines");
        }
    }
}

#[test]
fn messages_name_an_op_as_its_function() {
    for (path, message) in cases() {
        let inner = ["ops::Unary<", "ops::Binary<", "ops::Reduce<", "Fn>`", "`extype::ops::"];
        let found = inner.iter().find(|text| message.contains(**text));
        // Where a bound stands that was not met.
        let found = found.filter(|_| !message.contains("required by a bound in `extype::ops::"));
        let operator = path.with_extension("").ends_with("dispatch/ops/negated");
        assert!(found.is_none() || operator, "{}: {message}", path.display());
    }
}
