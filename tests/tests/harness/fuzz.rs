//! Hostile calls of every op, with the same seeds at every run: `op-fuzz` goes on from here.

use std::time::Duration;

use extype_tests::fuzz::{Options, Session, Subject};

/// Cases of each op.
const CASES: u64 = 12;

#[test]
fn hostile_calls_of_every_op_are_answered_or_refused() {
    let options = Options {
        seed: 0,
        cases: CASES,
        time: Duration::from_secs(45),
        shrink_time: Duration::from_secs(10),
        // For machines that do other things too.
        case_time: Duration::from_secs(10),
        tries: 20,
        ..Options::new(env!("CARGO_BIN_EXE_op-fuzz"), Subject::Calls)
    };
    let last = options.seed + options.cases - 1;
    let summary = Session::new(options).run(&|_, _, _| {}).expect("workers that start");
    let text = summary.text(Subject::Calls);
    eprintln!("seeds 0 to {last}\n{text}");
    assert!(summary.findings.is_empty(), "{} findings, told above", summary.findings.len());
    if summary.left_out == 0 {
        // A placeholder has no value outside of a function call.
        let never = summary.never_taken();
        assert_eq!(never, ["Placeholder"], "ops that took no call need a recipe");
    }
}
