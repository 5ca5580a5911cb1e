//! `autograph-fuzz [--seed N] [--programs N] [--without N,N…]`: random programs with control flow, on numbers and traced.
//!
//! Writes a crate beside the target directory, builds it, leaves out what does not compile, and runs the rest.
//! Ends with status 0 if all agree, 1 if some do not, 2 if it could not run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use anyhow::{Context, Result, bail};
use extype_tests::programs::{list, program};

const USAGE: &str = "usage: autograph-fuzz [--seed N] [--programs N] [--without N,N…]";
const SUPPORT: &str = include_str!("../../tests/autograph/programs/support.rs");
const MAIN: &str = "#![allow(warnings)]
mod programs;
mod support;

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let mut bad = 0;
    for program in programs::ALL {
        let found = support::differences(program);
        bad += usize::from(!found.is_empty());
        if let Some(first) = found.first() {
            let first: String = first.chars().take(400).collect();
            println!(\"{} of 36 runs: {first}\", found.len());
        }
    }
    println!(\"{} programs ran, {bad} differ\", programs::ALL.len());
    std::process::exit(i32::from(bad > 0));
}
";

fn main() -> ExitCode {
    match run(env::args().skip(1)) {
        Ok(code) => code,
        Err(e) => {
            eprintln!("error: {e:#}");
            ExitCode::from(2)
        }
    }
}

fn run(mut args: impl Iterator<Item = String>) -> Result<ExitCode> {
    let (mut seed, mut programs, mut without) = (1, 60, Vec::new());
    while let Some(arg) = args.next() {
        let value = args.next().with_context(|| format!("{arg} wants a value\n{USAGE}"))?;
        match arg.as_str() {
            "--seed" => seed = value.parse()?,
            "--programs" => programs = value.parse()?,
            "--without" => {
                without = value.split(',').map(str::parse).collect::<Result<Vec<usize>, _>>()?;
            }
            _ => bail!("no option is named `{arg}`\n{USAGE}"),
        }
    }
    let numbers: Vec<usize> = (0..programs).filter(|i| !without.contains(i)).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    // A name of its own, so that several seeds can run at once.
    let name = format!("autograph-fuzz-{seed}");
    let crate_ = target.join(&name);
    let source = crate_.join("src/programs");
    write_crate(&crate_, &name, &root)?;
    let refused = build(&crate_, &target, &source, seed, numbers)?;
    for (number, message) in &refused {
        println!("p{number} does not compile: {message}");
    }
    let status = Command::new(target.join("debug").join(&name)).status()?;
    println!(
        "{} of {programs} programs do not compile; they are in {}",
        refused.len(),
        source.display()
    );
    Ok(if status.success() && refused.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Writes the module of the programs: a program a file, so that the compiler's errors tell which do not compile.
fn write(folder: &Path, seed: u64, numbers: &[usize]) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let mut text = String::new();
    for &i in numbers {
        text.push_str(&format!("mod p{i};\n"));
        fs::write(folder.join(format!("p{i}.rs")), program(seed, i))?;
    }
    fs::write(folder.join("mod.rs"), text + &list(numbers))?;
    Ok(())
}

fn write_crate(folder: &Path, name: &str, root: &Path) -> Result<()> {
    fs::create_dir_all(folder.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         extype = {{ path = {:?} }}\n\n[profile.dev]\ndebug = \"line-tables-only\"\n\n\
         [profile.dev.package.\"*\"]\ndebug = false\n\n[workspace]\n",
        root.join("runtime")
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    fs::write(folder.join("src/main.rs"), MAIN)?;
    fs::write(folder.join("src/support.rs"), SUPPORT)?;
    Ok(())
}

/// Builds the crate, without the programs that do not compile: those by number, with the first message on each.
fn build(
    folder: &Path,
    target: &Path,
    source: &Path,
    seed: u64,
    mut numbers: Vec<usize>,
) -> Result<BTreeMap<usize, String>> {
    let mut refused = BTreeMap::new();
    loop {
        write(source, seed, &numbers)?;
        let output = Command::new(env!("CARGO"))
            .args(["build", "--offline", "--quiet", "-j", "2", "--message-format", "short"])
            .current_dir(folder)
            .env("CARGO_TARGET_DIR", target)
            .env_remove("CARGO_MAKEFLAGS")
            .output()?;
        if output.status.success() {
            return Ok(refused);
        }
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        for line in text.lines().filter(|l| l.contains(" error")) {
            let Some((_, rest)) = line.split_once("programs/p") else { continue };
            let Some((number, message)) = rest.split_once(".rs") else { continue };
            refused.entry(number.parse()?).or_insert_with(|| message.to_owned());
        }
        let before = numbers.len();
        numbers.retain(|i| !refused.contains_key(i));
        if numbers.len() == before {
            bail!("the crate does not build:\n{text}");
        }
    }
}
