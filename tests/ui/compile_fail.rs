//! What does not compile, and what the compiler says: one mistake a file under
//! `<macro>/<topic>/`, its message beside it.
//!
//! The files are compiled with the library that this test was built with, so that it is not built again for them.
//!
//! Messages are reviewed as prose. They depend on the compiler, so they are compared on the
//! version they were written for only; `EXTYPE_BLESS=1` writes them anew, and `EXTYPE_CASE=text` takes only
//! the files with this text in their paths.

use std::env;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The compiler whose messages are recorded.
const RECORDED: &str = "1.95";

/// The folder of the cases, from the root of the workspace.
const FOLDER: &str = "tests/ui/";

#[test]
fn mistakes_are_refused_with_a_remedy() {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(&rustc).arg("--version").output().expect("a compiler");
    let version = String::from_utf8_lossy(&version.stdout);
    if !version.contains(RECORDED) {
        println!("skipped: messages are recorded for version {RECORDED}, this is {version}");
        return;
    }
    let (bless, wanted) =
        (env::var_os("EXTYPE_BLESS"), env::var("EXTYPE_CASE").unwrap_or_default());
    let cases: Vec<PathBuf> =
        sources().filter(|path| path.to_string_lossy().contains(&wanted)).collect();
    assert!(!cases.is_empty(), "no case has `{wanted}` in its path");
    let library = Library::find();
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(String::new()));
    let work = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let said = library.message(&rustc, case);
            let recorded = case.with_extension("stderr");
            if bless.is_some() && !said.is_empty() {
                fs::write(recorded, said).expect("a file");
                continue;
            }
            let expected = fs::read_to_string(&recorded).unwrap_or_default();
            if said != expected || said.is_empty() {
                let mut failures = failures.lock().unwrap_or_else(PoisonError::into_inner);
                let said = if said.is_empty() { "it compiles\n" } else { &said };
                let _ = write!(failures, "== {}\n{said}-- recorded\n{expected}\n", case.display());
            }
        }
    };
    std::thread::scope(|threads| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            threads.spawn(work);
        }
    });
    let failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    assert!(failures.is_empty(), "\n{failures}");
}

/// The library that this test was built with.
struct Library {
    folder: PathBuf,
    extype: PathBuf,
    anyhow: PathBuf,
}

impl Library {
    fn find() -> Self {
        let test = env::current_exe().expect("this program");
        let folder = test.parent().expect("a folder").to_owned();
        // The newest one is of the sources of now: the one that this test uses would be built anew otherwise.
        let newest = |name: &str| {
            let start = format!("lib{name}-");
            let files = fs::read_dir(&folder).expect("a folder").map(|entry| entry.unwrap().path());
            let of_crate = files.filter(|path| {
                let file = path.file_name().unwrap_or_default().to_string_lossy();
                file.starts_with(&start) && file.ends_with(".rlib")
            });
            let newest =
                of_crate.max_by_key(|path| fs::metadata(path).unwrap().modified().unwrap());
            // The interface alone is read faster.
            let library = newest.unwrap_or_else(|| panic!("no `{name}` beside {}", test.display()));
            Some(library.with_extension("rmeta")).filter(|path| path.exists()).unwrap_or(library)
        };
        let (extype, anyhow) = (newest("extype"), newest("anyhow"));
        Self { folder, extype, anyhow }
    }

    /// What the compiler says of a file; nothing if it compiles.
    fn message(&self, rustc: &OsStr, case: &Path) -> String {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("a workspace");
        let external = |name: &str, path: &Path| format!("{name}={}", path.display());
        let said = Command::new(rustc)
            .current_dir(root)
            .args(["--edition=2024", "--crate-type=bin", "--crate-name=case", "--emit=metadata"])
            .args(["--error-format=human", "--diagnostic-width=140", "-L"])
            .arg(format!("dependency={}", self.folder.display()))
            .args(["--extern", &external("extype", &self.extype)])
            .args(["--extern", &external("anyhow", &self.anyhow)])
            .args(["--out-dir", env!("CARGO_TARGET_TMPDIR")])
            .arg(case.strip_prefix(root).expect("a case of this package"))
            .output()
            .expect("a compiler");
        match said.status.success() {
            true => String::new(),
            false => normalized(&String::from_utf8_lossy(&said.stderr)),
        }
    }
}

/// A message without what depends on the library's lines, and without the sum at its end.
fn normalized(message: &str) -> String {
    let sums =
        ["error: aborting due to", "For more information about", "Some errors have detailed"];
    let errors = message.trim().split("\n\n").filter(|e| !sums.iter().any(|s| e.starts_with(s)));
    let errors: Vec<String> = errors.map(normalized_error).collect();
    errors.join("\n\n") + "\n"
}

fn normalized_error(error: &str) -> String {
    let arrow = |line: &str| {
        let rest = line.trim_start();
        let is_arrow = rest.starts_with("--> ") || rest.starts_with("::: ");
        is_arrow.then(|| rest[4..].to_owned())
    };
    let number = |line: &str| {
        let (number, _) = line.split_once(" |")?;
        let number = number.trim_start();
        (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
            .then(|| number.to_owned())
    };
    // A note or a help that begins is about the case, unless an arrow says otherwise.
    let begins = |line: &str| line.starts_with(|c: char| c.is_ascii_alphabetic());
    // The margin is as wide as the largest number of a line; those of the library are dropped.
    let given = error.lines().find(|line| arrow(line).is_some());
    let given = given.map_or(0, |line| line.len() - line.trim_start().len());
    let (mut margin, mut is_own) = (1, true);
    for line in error.lines() {
        is_own = arrow(line).map_or(is_own || begins(line), |path| path.starts_with(FOLDER));
        if is_own {
            margin = margin.max(number(line).map_or(0, |number| number.len()));
        }
    }
    let mut text = String::new();
    // Long names of types are in files whose names are numbers.
    let notes = ["the full name for the type has been", "consider using `--verbose` to print"];
    for line in error.lines().filter(|line| !notes.iter().any(|note| line.contains(note))) {
        is_own |= begins(line);
        let line = match (arrow(line), number(line)) {
            (Some(path), _) => {
                is_own = path.starts_with(FOLDER);
                let (kind, line) = (&line.trim_start()[..4], line.trim_end());
                let path = match is_own {
                    true => path,
                    // The line and the column.
                    false => format!("$WORKSPACE/{}", path.split(':').next().unwrap_or(line)),
                };
                format!("{:margin$}{kind}{path}", "")
            }
            (None, Some(number)) => {
                let shown = if is_own { &*number } else { "" };
                format!("{shown:>margin$}{}", line.get(given..).unwrap_or_default())
            }
            (None, None) if line.starts_with("...") && line.contains(" |") => {
                let rest = line[3..].trim_start();
                format!("{:<1$}{rest}", "...", margin.max(3) + 1)
            }
            (None, None) if line.starts_with(' ') && given > 0 => {
                format!("{:margin$}{}", "", line.get(given..).unwrap_or_default())
            }
            (None, None) => line.to_owned(),
        };
        let mut line = line.replace(FOLDER, "");
        // How many types have a trait depends on other crates.
        if line.trim_start().starts_with("and ") && line.ends_with(" others") {
            line = format!("{}and $N others", &line[..line.len() - line.trim_start().len()]);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.trim_end().to_owned()
}

/// The files with mistakes.
fn sources() -> impl Iterator<Item = PathBuf> {
    let root = walkdir::WalkDir::new(env!("CARGO_MANIFEST_DIR")).min_depth(3).sort_by_file_name();
    let files = root.into_iter().map(|entry| entry.unwrap().into_path());
    files.filter(|path| path.extension().is_some_and(|e| e == "rs"))
}

/// The cases, each with its message.
fn cases() -> Vec<(PathBuf, String)> {
    let message = |path: &PathBuf| fs::read_to_string(path.with_extension("stderr"));
    let cases = sources().map(|path| {
        let message = message(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        (path, message)
    });
    cases.collect()
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
