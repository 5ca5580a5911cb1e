//! Random programs with control flow, each written twice: as Rust on numbers, and as a traced function on
//! tensors. What the first computes the second must.
//!
//! A program is a text with marks where the two differ (`Text`); the rest is the same, letter for letter.
//! Enter a seed and a number, leaves a program (see `tests/autograph/programs`). The build script of this crate is made of it
//! too.

mod bodies;
mod conditions;
mod expressions;
mod loops;
mod text;

use std::fmt::Write;

use crate::fuzz::Rng;
use bodies::Body;
use text::Text;

/// The parameters of every program, as they are on numbers and on tensors.
const ON_NUMBERS: &str =
    "a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)>";
const ON_TENSORS: &str = "a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> \
                          Result<(Tensor, Tensor, Tensor)>";

/// The list `ALL` of the programs with these numbers: each stands in a module of its name, `p3`.
pub fn list(numbers: &[usize]) -> String {
    let mut text = "use super::support::{Program, program};\n\n".to_owned();
    text.push_str("pub(crate) const ALL: &[Program] = &[\n");
    for i in numbers {
        writeln!(text, "    program!(p{i}),").expect("writing to a string");
    }
    text.push_str("];\n");
    text
}

/// A program: what stands in its module, the function on numbers and the one on tensors.
pub fn program(seed: u64, number: usize) -> String {
    let mut body = Body::new(Rng::of_case(&format!("autograph {number}"), seed));
    body.function();
    let text = Text(body.out);
    format!(
        "
pub(crate) mod numbers {{
    use super::super::super::support::numbers::*;

    pub(crate) fn f({ON_NUMBERS} {{
{}    }}
}}

pub(crate) mod tensors {{
    use super::super::super::support::tensors::*;

    #[tf_function]
    pub(crate) fn f({ON_TENSORS} {{
{}    }}

    pub(crate) fn body({ON_TENSORS} {{
        f::__body(a, b, x, c, v, k, flag)
    }}
}}
",
        text.on_numbers(),
        text.on_tensors()
    )
}
