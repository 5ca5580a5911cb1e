//! All recorded cases, op by op, against TensorFlow's answers.

use std::path::PathBuf;

use extype_tests::conformance::{Selection, run_directory};

/// `$EXTYPE_CONFORMANCE`, or the folder beside the workspace.
fn folder() -> PathBuf {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    match std::env::var_os("EXTYPE_CONFORMANCE") {
        Some(path) => root.join(path),
        None => root.join("../shared/conformance"),
    }
}

#[test]
fn no_recorded_case_fails() {
    let folder = folder();
    if !folder.is_dir() {
        eprintln!(
            "skipped: no conformance cases at {}; set EXTYPE_CONFORMANCE to their folder",
            folder.display()
        );
        return;
    }
    let report = run_directory(&folder, &Selection::default()).expect("the cases can be read");
    eprint!("{}", report.summary());
    assert_eq!(report.total().failed, 0, "\n{}", report.failures());
}
