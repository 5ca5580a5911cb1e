//! Lists the rows of the op table for the tests that go through all of them, and writes the random programs of another.

#[expect(unreachable_pub, reason = "the library exports it")]
#[path = "src/programs/mod.rs"]
mod programs;
#[expect(dead_code, reason = "fuzzers use all of it")]
#[path = "src/fuzz/rng.rs"]
mod rng;

/// As the generator of programs finds it.
mod fuzz {
    pub(crate) use crate::rng::Rng;
}

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

const OPS: &str = "../runtime/src/ops";
/// How many random programs the test runs.
const PROGRAMS: usize = 67;
/// How many lines one of them has at most: long ones are left to the fuzzer.
const LINES: usize = 160;
const GENERATOR: [&str; 2] = ["src/programs", "src/fuzz/rng.rs"];

fn main() {
    for read in GENERATOR.iter().chain([&OPS]) {
        println!("cargo:rerun-if-changed={read}");
    }
    write("rows.rs", &rows());
    write("programs.rs", &random_programs());
}

fn write(name: &str, text: &str) {
    let out = Path::new(&env::var_os("OUT_DIR").expect("set by cargo")).join(name);
    fs::write(out, text).expect("writing a file");
}

fn random_programs() -> String {
    let programs = (0..).map(|i| (i, programs::program(1, i)));
    let short = programs.filter(|(_, text)| text.lines().count() <= LINES).take(PROGRAMS);
    let (numbers, texts): (Vec<usize>, Vec<String>) = short.unzip();
    let mut all = programs::list(&numbers);
    for (i, text) in numbers.iter().zip(texts) {
        writeln!(all, "mod p{i} {{{text}}}").expect("writing to a string");
    }
    all
}

fn rows() -> String {
    let mut files = Vec::new();
    for subject in entries(Path::new(OPS)).into_iter().filter(|path| path.is_dir()) {
        files.extend(entries(&subject).into_iter().filter(|path| path.is_file()));
    }
    let mut rows = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a file of the op table");
        if let Some((_, table)) = text.split_once("\ndefine_op! {") {
            rows.extend(table.split("\n    }\n").filter_map(row));
        }
    }
    let mut list = String::from("rows! {\n");
    for (i, Row { name, function, kind }) in rows.iter().enumerate() {
        writeln!(list, "    ({name} {function} {kind} f{i})").expect("writing to a string");
    }
    list.push('}');
    list
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder of the ops");
    let mut paths: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    paths
}

struct Row {
    name: String,
    /// The name of its function, or of its type if it has none.
    function: String,
    /// Its family or its number of operands.
    kind: String,
}

fn row(text: &str) -> Option<Row> {
    let head = text.lines().find_map(|line| line.trim().strip_prefix("pub "))?;
    let mut words = head.split_whitespace();
    let (family, name) = (words.next()?, words.next()?);
    let kind = match family {
        "op" if text.contains("dispatch: none") => "none".to_owned(),
        "op" => {
            let (_, inputs) = text.split_once("inputs: {")?;
            let (inputs, _) =
                inputs.split_once("}, outputs: {").or_else(|| inputs.split_once("outputs: {"))?;
            // Inputs that are plain data are no operands.
            let operands: Vec<&str> = inputs.split(',').filter(|i| i.contains(':')).collect();
            let operands: Vec<&str> =
                operands.into_iter().filter(|i| !i.contains(" as ")).collect();
            match &operands[..] {
                [one] if one.contains('[') || one.contains('(') => "seq".to_owned(),
                several => several.len().to_string(),
            }
        }
        family => family.to_owned(),
    };
    let call = text.lines().find_map(|line| line.trim().strip_prefix("call: "));
    let call = call.map(|call| call.strip_prefix("method ").unwrap_or(call));
    let function = call.and_then(|call| call.split(['(', ',']).next()).unwrap_or(name);
    Some(Row { name: name.to_owned(), function: function.to_owned(), kind })
}
