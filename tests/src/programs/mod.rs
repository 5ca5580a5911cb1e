//! Random programs with control flow, each written twice: as Rust on numbers, and as a traced function on
//! tensors. What the first computes the second must.
//!
//! A program is a text with marks where the two differ ([`text`](Text)); the rest is the same, letter for letter.
//! Enters a seed, leave the files of a module `programs` (see `tests/autograph_programs`).

mod bodies;
mod conditions;
mod expressions;
mod loops;
mod text;

use std::fmt::Write;

use crate::fuzz::Rng;
use bodies::Body;
pub use text::Text;

/// The parameters of every program, as they are on numbers and on tensors.
const ON_NUMBERS: &str =
    "a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)>";
const ON_TENSORS: &str = "a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> \
                          Result<(Tensor, Tensor, Tensor)>";

/// A file of the module.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name in the folder of the module.
    pub name: String,
    /// What stands in it.
    pub text: String,
}

/// The programs of a seed with these numbers, in files of at most so many lines (one program at least), and
/// `mod.rs`.
pub fn files(seed: u64, numbers: &[usize], lines: usize) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    let mut list = String::new();
    for &i in numbers {
        let text = program(seed, i);
        let full = |f: &File| f.text.lines().count() + text.lines().count() > lines;
        if files.last().is_none_or(full) {
            let head = format!("//! Programs of seed {seed}, made by `autograph-fuzz`.\n");
            files.push(File { name: format!("part{}.rs", files.len()), text: head });
        }
        let part = files.len() - 1;
        files[part].text.push_str(&text);
        writeln!(list, "    program!(part{part}::p{i}),").expect("writing to a string");
    }
    let mut text = format!("//! Programs of seed {seed}, made by `autograph-fuzz`.\n\n");
    for part in 0..files.len() {
        writeln!(text, "mod part{part};").expect("writing to a string");
    }
    text.push_str("\nuse crate::support::{Program, program};\n\n");
    write!(text, "pub(crate) const ALL: &[Program] = &[\n{list}];\n").expect("writing to a string");
    files.push(File { name: "mod.rs".to_owned(), text });
    files
}

/// A program: a module with the function on numbers and the one on tensors.
fn program(seed: u64, number: usize) -> String {
    let mut body = Body::new(Rng::of_case(&format!("autograph {number}"), seed));
    body.function();
    let text = Text(body.out);
    format!(
        "
pub(crate) mod p{number} {{
    pub(crate) mod numbers {{
        use crate::support::numbers::*;

        pub(crate) fn f({ON_NUMBERS} {{
{}        }}
    }}

    pub(crate) mod tensors {{
        use crate::support::tensors::*;

        #[tf_function]
        pub(crate) fn f({ON_TENSORS} {{
{}        }}

        pub(crate) fn body({ON_TENSORS} {{
            f::__body(a, b, x, c, v, k, flag)
        }}
    }}
}}
",
        text.on_numbers(),
        text.on_tensors()
    )
}
