//! How long an incremental `cargo check` takes in a crate with derived types, and in one with control flow.
//!
//! Writes a crate beside the target directory, checks it once, then changes one line and checks again, as often as
//! told; with 20 extension types and without, and with 20 traced functions with control flow on tensors and with the
//! same on plain values, left to Rust:
//!
//!     cargo run -q -p extype-tests --bin extype-check-time -- --types 20 --functions 20 --runs 7

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |name: &str, default: usize| -> Result<usize> {
        match arguments.iter().position(|a| a == name) {
            None => Ok(default),
            Some(i) => Ok(arguments.get(i + 1).context("a number is missing")?.parse()?),
        }
    };
    let (types, functions) = (number("--types", 20)?, number("--functions", 20)?);
    let runs = number("--runs", 7)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    let target = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => PathBuf::from(dir),
        None => root.join("target"),
    };
    let dir = target.join("check-time");
    write_crate(&dir, &root)?;
    let sources = [
        ("no types", source(0)),
        ("derived types", source(types)),
        ("control flow of Rust", control_flow(functions, false)),
        ("control flow on tensors", control_flow(functions, true)),
    ];
    for (what, source) in sources {
        let mut times = (0..=runs)
            .map(|run| check(&dir, &target, &format!("{source}\n// run {run}\n")))
            .collect::<Result<Vec<_>>>()?;
        // The first also builds the dependencies.
        times.remove(0);
        times.sort();
        let (least, median) = (times[0], times[times.len() / 2]);
        println!("{what}: least {least:.2?}, median {median:.2?} of {runs} runs");
    }
    Ok(())
}

fn write_crate(dir: &Path, root: &Path) -> Result<()> {
    std::fs::create_dir_all(dir.join("src"))?;
    let runtime = root.join("runtime");
    let manifest = format!(
        "[package]\nname = \"check-time\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         extype = {{ path = {runtime:?} }}\n\n[workspace]\n"
    );
    std::fs::write(dir.join("Cargo.toml"), manifest)?;
    std::fs::copy(root.join("Cargo.lock"), dir.join("Cargo.lock"))?;
    Ok(())
}

/// Types with fields of all kinds, each with an override and a traced function.
fn source(types: usize) -> String {
    let mut text = String::from("//! Made by extype-check-time.\n\nuse extype::prelude::*;\n");
    for i in 0..types {
        let nested = match i {
            0 => "Tensor".to_string(),
            _ => format!("Type{}", i - 1),
        };
        write!(
            text,
            "
/// Type {i}.
#[derive(ExtensionType, Clone, Debug)]
pub struct Type{i} {{
    /// The values.
    pub values: Tensor,
    /// Another value.
    pub nested: {nested},
    /// More of them.
    pub list: Vec<Tensor>,
    /// A name.
    pub name: String,
}}

#[dispatch]
impl Type{i} {{
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {{
        Ok(Self {{ values: op.call(&x.values)?, ..x.clone() }})
    }}
}}

/// A traced function.
#[tf_function]
pub fn function{i}(x: &Type{i}) -> Result<Type{i}> {{
    ops::tanh(x)
}}
"
        )
        .expect("writing to a string does not fail");
    }
    text
}

/// Functions with loops and conditionals: on tensors, or on plain values and left to Rust.
fn control_flow(functions: usize, tensors: bool) -> String {
    let mut text = String::from("//! Made by extype-check-time.\n\nuse extype::prelude::*;\n");
    let (options, plain, start) = match tensors {
        true => ("", "Tensor", "scalar(0i64)"),
        false => ("(autograph = false)", "i64", "0i64"),
    };
    for i in 0..functions {
        write!(
            text,
            "
/// A traced function.
#[tf_function{options}]
pub fn function{i}(x: &Tensor, n: &{plain}, limit: &{plain}) -> Result<Tensor> {{
    let mut y = x.clone();
    let mut steps = {start};
    let mut left = n.clone();
    while left > {start} {{
        if &left % 2 == {start} {{
            y = ops::tanh(&y)?;
            left = &left / 2;
        }} else if left > *limit {{
            return Ok(y);
        }} else {{
            y = y * 2.0;
            left = &left - 1;
        }}
        steps = &steps + 1;
    }}
    let scale = if steps > *limit {{ ops::neg(x)? }} else {{ x.clone() }};
    loop {{
        if steps > *limit {{
            break;
        }}
        y = y + &scale;
        steps = &steps + {i};
    }}
    Ok(y)
}}
"
        )
        .expect("writing to a string does not fail");
    }
    text
}

/// Writes the source and checks the crate.
fn check(dir: &Path, target: &Path, source: &str) -> Result<Duration> {
    std::fs::write(dir.join("src/lib.rs"), source)?;
    let start = Instant::now();
    let output = Command::new(env!("CARGO"))
        .args(["check", "--offline", "--quiet"])
        .current_dir(dir)
        .env("CARGO_TARGET_DIR", target)
        // As a user checks: what did not change is not checked again.
        .env("CARGO_INCREMENTAL", "1")
        .env_remove("CARGO_MAKEFLAGS")
        .output()?;
    let time = start.elapsed();
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(time)
}
