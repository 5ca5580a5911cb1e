//! Gradients of first and second order of every op and of chains of ops, in all that they may stand in, with the same
//! seeds at every run: `gradient-fuzz` goes on from here.

use std::time::Duration;

use extype_tests::fuzz::{Options, Session, Subject};

#[test]
fn gradients_agree_with_differences_and_in_all_ways() {
    let options = Options {
        time: Duration::from_secs(10),
        shrink_time: Duration::from_secs(5),
        // For machines that do other things too.
        case_time: Duration::from_secs(20),
        tries: 20,
        ..Options::new(env!("CARGO_BIN_EXE_gradient-fuzz"), Subject::Gradients)
    };
    let summary = Session::new(options).run(&|_, _, _| {}).expect("workers that start");
    eprintln!("seeds from 0\n{}", summary.text(Subject::Gradients));
    assert!(summary.findings.is_empty(), "{} findings, told above", summary.findings.len());
}
