//! What does not compile, and what the compiler says: one mistake a file, its message beside it.
//!
//! Messages are reviewed as prose. They depend on the compiler, so they are compared on the
//! version they were written for only; `TRYBUILD=overwrite` writes them anew.

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
    cases.compile_fail("ui/*/*.rs");
}
