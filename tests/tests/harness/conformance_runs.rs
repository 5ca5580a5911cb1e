//! Recorded cases, op by op, against TensorFlow's answers.
//!
//! A sample stands in the repository and always runs, in every mode. The whole set is too large
//! for that; it runs where it is found.

use std::io::Write;
use std::path::{Path, PathBuf};

use extype_tests::conformance::{Mode, Selection, run_directory};

/// The sample.
fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/conformance")
}

/// The whole set: `$EXTYPE_CONFORMANCE`, or the folder beside the workspace.
fn whole() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    match std::env::var_os("EXTYPE_CONFORMANCE") {
        Some(path) => root.join(path),
        None => root.join("../shared/conformance"),
    }
}

fn nothing_fails(folder: &Path, mode: Mode) {
    let report = run_directory(folder, &Selection { suite: None, mode }).expect("readable cases");
    eprint!("{}: {}", mode.name(), report.summary());
    assert!(report.total().passed > 0, "no case passed");
    assert_eq!(report.total().failed, 0, "in {} mode:\n{}", mode.name(), report.failures());
}

#[test]
fn no_case_of_the_sample_fails_op_by_op() {
    nothing_fails(&sample(), Mode::Eager);
}

#[test]
fn no_case_of_the_sample_fails_in_a_trace() {
    nothing_fails(&sample(), Mode::Traced);
}

#[test]
fn no_case_of_the_sample_fails_traced_for_ranks_only() {
    nothing_fails(&sample(), Mode::Dynamic);
}

#[test]
fn no_case_of_the_whole_set_fails() {
    let folder = whole();
    if folder.is_dir() {
        return nothing_fails(&folder, Mode::Eager);
    }
    // Past the capture of the test harness, which shows nothing of a test that passes.
    let told = writeln!(
        std::io::stderr(),
        "only the sample of conformance cases ran: the whole set is not at {}; set \
         EXTYPE_CONFORMANCE to its folder",
        folder.display()
    );
    told.expect("somewhere to say it");
}
