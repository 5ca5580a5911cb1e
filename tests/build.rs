//! Lists the rows of the op table for the tests that go through all of them.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

const TABLE: &str = "../runtime/src/ops/table";

fn main() {
    println!("cargo:rerun-if-changed={TABLE}");
    let mut files: Vec<_> =
        fs::read_dir(TABLE).expect("the op table").map(|e| e.expect("an entry").path()).collect();
    files.sort();
    let mut rows = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a file of the op table");
        rows.extend(text.split("define_op! {").skip(1).filter_map(row));
    }
    let mut list = String::from("rows! {\n");
    for (i, (name, kind)) in rows.iter().enumerate() {
        writeln!(list, "    ({name} {kind} f{i})").expect("writing to a string");
    }
    list.push('}');
    let out = Path::new(&env::var_os("OUT_DIR").expect("set by cargo")).join("rows.rs");
    fs::write(out, list).expect("writing the list");
}

/// The name of a row, and its family or its number of operands.
fn row(text: &str) -> Option<(String, String)> {
    let head = text.lines().find_map(|line| line.trim().strip_prefix("pub "))?;
    let mut words = head.split_whitespace();
    let (family, name) = (words.next()?, words.next()?);
    // Rows that a macro makes are not seen; the test says which are missing.
    if name.starts_with('$') {
        return None;
    }
    let kind = match family {
        "op" => {
            let arity = text.split("arity:").nth(1)?;
            arity.split(',').next()?.trim().to_owned()
        }
        family => family.to_owned(),
    };
    Some((name.to_owned(), kind))
}
