//! Batching rules of all ops beside loops, with the same seeds at every run.

use extype_tests::fuzz::check_batches;

#[test]
fn calls_at_once_give_what_calls_one_after_the_other_give() {
    let batches = check_batches(3);
    let findings = &batches.findings;
    assert!(findings.is_empty(), "{} findings\n{}", findings.len(), findings.join("\n"));
    assert!(batches.never_taken.is_empty(), "never taken: {:?}", batches.never_taken);
}
