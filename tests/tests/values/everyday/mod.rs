//! What people write in NumPy every day, with NumPy's answers, and the guide's table made of it.

/// The rows of a table: a line of NumPy, its Rust, and what differs if anything does.
macro_rules! table {
    (($inputs:ident: $($name:ident),*) $($numpy:literal => $rust:expr $(, $note:literal)?;)*) => {
        pub(crate) fn rows($inputs: &[Tensor; 11]) -> Vec<crate::everyday::Row> {
            let [$($name),*] = $inputs;
            vec![$(crate::everyday::Row {
                numpy: $numpy,
                rust: stringify!($rust),
                note: concat!($($note)?),
                result: crate::everyday::answer(|| Ok($rust)),
            }),*]
        }
    };
}

/// A line that fails is its own error.
pub(crate) fn answer<T>(line: impl FnOnce() -> Result<T>) -> Result<T> {
    line()
}

mod arrays;
mod corners;
mod extra;
mod laws;
mod names;
mod numbers;
mod passes;
mod spelling;
mod table;

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use extype::prelude::*;
use num_complex::Complex64;
use serde_json::Value;

/// A line of NumPy, its Rust, what differs, and what the Rust gives.
struct Row {
    numpy: &'static str,
    rust: &'static str,
    note: &'static str,
    result: Result<Tensor>,
}

/// The tensors that the lines name.
const INPUTS: [&str; 11] = ["x", "y", "m", "v", "w", "i", "k", "b", "n", "t", "c"];

fn data(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name);
    let text = fs::read_to_string(path).expect("a file of the tests");
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

fn number(value: &Value) -> f64 {
    match value.as_str() {
        Some("nan") => f64::NAN,
        Some("inf") => f64::INFINITY,
        Some(_) => f64::NEG_INFINITY,
        None => {
            value.as_f64().or(value.as_bool().map(|b| f64::from(u8::from(b)))).expect("a number")
        }
    }
}

/// Real and imaginary parts of the elements.
fn parts(value: &Value) -> Vec<Complex64> {
    let elements = value["data"].as_array().expect("a list");
    let one = |x: &Value| match x.as_array() {
        Some(pair) => Complex64::new(number(&pair[0]), number(&pair[1])),
        None => Complex64::new(number(x), 0.0),
    };
    elements.iter().map(one).collect()
}

fn sizes(value: &Value) -> Vec<usize> {
    let sizes = value["shape"].as_array().expect("a shape");
    sizes.iter().map(|n| n.as_u64().expect("a size") as usize).collect()
}

fn tensor(value: &Value) -> Result<Tensor> {
    let all = Tensor::from_slice(&parts(value), &sizes(value))?;
    match value["dtype"].as_str().expect("a dtype") {
        "complex128" => Ok(all),
        "bool" => all.cast(f64)?.not_equal(0.0),
        "int64" => all.cast(f64)?.cast(i64),
        _ => all.cast(f64),
    }
}

fn inputs(first: &Value) -> [Tensor; 11] {
    INPUTS.map(|name| tensor(&first["inputs"][name]).expect("an input"))
}

/// What is wrong with an answer, if anything is.
fn wrong(row: &Row, want: &Value) -> Option<String> {
    let got = match &row.result {
        Ok(got) => got,
        Err(e) => return Some(e.to_string()),
    };
    let dtype = want["dtype"].as_str().expect("a dtype");
    // Places and counts are int32, as TensorFlow's, where a note says so.
    if got.dtype().to_string() != dtype && !row.note.contains("int32") {
        return Some(format!("{} instead of {dtype}", got.dtype()));
    }
    if got.shape().sizes().is_none_or(|s| s[..] != sizes(want)[..]) {
        return Some(format!("shape {} instead of {}", got.shape(), want["shape"]));
    }
    let as_float = if got.dtype() == DType::Bool { got.cast(f64) } else { Ok(got.clone()) };
    let values = as_float.and_then(|x| x.cast(DType::Complex128)).and_then(|x| x.to_vec());
    let values: Vec<Complex64> = values.expect("numbers");
    let is_close = |a: f64, b: f64| {
        a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-12 * (1.0 + b.abs())
    };
    let differ = values
        .iter()
        .zip(parts(want))
        .find(|(a, b)| !is_close(a.re, b.re) || !is_close(a.im, b.im));
    differ.map(|(a, b)| format!("{a} instead of {b}: {got}"))
}

fn check(rows: &[Row], lines: &[Value]) {
    let rows: HashMap<&str, &Row> = rows.iter().map(|row| (row.numpy, row)).collect();
    let mut failures = Vec::new();
    for line in lines {
        let numpy = line["numpy"].as_str().expect("a line of NumPy");
        match rows.get(numpy) {
            Some(row) => {
                if let Some(text) = wrong(row, &line["result"]) {
                    failures.push(format!("{numpy}\n    {}\n    {text}", row.rust));
                }
            }
            None => failures.push(format!("{numpy}: no Rust for it")),
        }
    }
    assert!(failures.is_empty(), "{} lines:\n{}", failures.len(), failures.join("\n"));
}

/// The tables in the order of the guide, and where the answers are.
fn tables() -> [(&'static str, Vec<Row>); 5] {
    let inputs = inputs(&data("everyday.jsonl")[0]);
    [
        ("everyday.jsonl", table::rows(&inputs)),
        ("everyday-more.jsonl", extra::rows(&inputs)),
        ("everyday-numbers.jsonl", numbers::rows(&inputs)),
        ("everyday-arrays.jsonl", arrays::rows(&inputs)),
        ("everyday-spelling.jsonl", spelling::rows(&inputs)),
    ]
}

#[test]
fn every_line_has_its_answer() {
    for (name, rows) in tables() {
        let lines = data(name);
        let first = usize::from(name == "everyday.jsonl");
        assert_eq!(rows.len(), lines.len() - first, "{name}: as many rows as answers");
        check(&rows, &lines[first..]);
    }
}

/// Rust as it is printed in one line.
fn tidy(rust: &str) -> String {
    rust.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

#[test]
fn the_guide_has_the_table() {
    let mut text = String::from(
        "# Arrays for NumPy users\n\n\
         Functions have NumPy's names where they do the same. The last column of the table says \
         what differs. In the table `x`, `y`, … are tensors. A test runs each line and writes \
         the table (`EXTYPE_BLESS=1 cargo test -p extype-tests --test values everyday`).\n\n\
         The last argument holds NumPy's keyword arguments: `..` for the defaults, an axis, an \
         option such as `KeepDims` or `ops::Ddof(1)`, or a tuple of these \
         ([tensors](tensors.md)). Most methods are also functions of `ops`: `ops::sum(&x, ..)?`. \
         Functions that have another name in `ops` are in `extype::numpy`: `numpy::arctan2(&y, \
         &x)?`.\n\n\
         Other chapters have what `np.strings` and `scipy` do: [strings](strings.md), [images and \
         signals](images-and-signals.md), [tables](tables.md).\n\n\
         These differences are not in the table:\n\n\
         - `np.array(5.0)` is `scalar(5.0)`. `tensor![5.0]` is a vector of one element.\n\
         - A comparison and `allclose` return a tensor. `….item::<bool>()?` gives a Rust `bool`.\n\
         - `linalg::svd` returns `(s, u, v)`, as in TensorFlow. `v` is not transposed.\n\
         - Sums, products and running sums have the dtype of their operand, as in TensorFlow. So \
         `int32` (the dtype of `tensor![1, 2]`) and smaller integers wrap, where NumPy computes \
         in int64. `x.cast(i64)?.sum(..)?` does not wrap at 32 bits. Bools are counted in int64.\n\
         - `%` has the sign of the left operand, also for floats, as in Rust. `x.floor_mod(y)?` \
         is NumPy's `%`. Use it to wrap an angle.\n\
         - `linalg::norm(x, ..)` treats a matrix as one vector, also with an order, unless you \
         name two axes. `linalg::matrix_norm` is the norm of matrices. An integer is an axis; an \
         order is a float or `linalg::Order(1.0)`.\n\
         - `fft::fft(&x, 1)` transforms along axis 1. A length is `fft::Length(256)`.\n\
         - For stacks of matrices, `x.trace()?`, `x.diag(..)?` and `x.diagonal(..)?` use the \
         last two axes.\n\
         - `linalg::eig` returns complex numbers, even if all eigenvalues are real.\n\
         - `x.clip(lo, hi)?` is `lo` where `lo` is above `hi`.\n\
         - The maximum of an empty tensor is the lowest value of its dtype, not an error.\n\
         - Indices and counts are int64 from `argmax`, `nonzero`, `histogram` and `permutation`. \
         They are int32 from `argsort`, `unique`, `bincount`, `searchsorted` and `top_k`, as in \
         TensorFlow. Cast one of them to compare the two.\n\
         - No function works in place: `x.sort(..)?` and `random::shuffle(&x, ..)?` return a new \
         tensor. Write parts of a tensor with `tensor_scatter_nd_update` or `select` \
         ([indexing](indexing.md)).\n\n\
         | NumPy | here | what differs |\n\
         | --- | --- | --- |\n",
    );
    for row in tables().iter().flat_map(|(_, rows)| rows) {
        text += &format!(
            "| `{}` | `{}` | {} |\n",
            row.numpy.replace('|', "\\|"),
            tidy(row.rust),
            row.note
        );
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/numpy.md");
    if std::env::var_os("EXTYPE_BLESS").is_some() {
        fs::write(&path, &text).expect("writing the guide");
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    assert!(there == text, "docs/guide/numpy.md differs; EXTYPE_BLESS=1 rewrites it");
}
