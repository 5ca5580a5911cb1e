//! `autograph-fuzz [--seed N] [--programs N] [--without N,N…] [--write FOLDER]`: random programs with control flow, on numbers and
//! traced.
//!
//! Writes a crate beside the target directory, builds it, leaves out what does not compile, and runs the rest.
//! With `--write` it writes the module of the programs only. Ends with status 0 if all agree, 1 if some do not, 2
//! if it could not run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use anyhow::{Context, Result, bail};
use extype_tests::programs::{File, files};

const USAGE: &str =
    "usage: autograph-fuzz [--seed N] [--programs N] [--without N,N…] [--write FOLDER]";
const SUPPORT: &str = include_str!("../../tests/autograph_programs/support.rs");
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
    let (mut seed, mut programs, mut without, mut folder) = (1, 60, Vec::new(), None);
    while let Some(arg) = args.next() {
        let value = args.next().with_context(|| format!("{arg} wants a value\n{USAGE}"))?;
        match arg.as_str() {
            "--seed" => seed = value.parse()?,
            "--programs" => programs = value.parse()?,
            "--without" => {
                without = value.split(',').map(str::parse).collect::<Result<Vec<usize>, _>>()?;
            }
            "--write" => folder = Some(value),
            _ => bail!("no option is named `{arg}`\n{USAGE}"),
        }
    }
    let numbers: Vec<usize> = (0..programs).filter(|i| !without.contains(i)).collect();
    if let Some(folder) = folder {
        write(Path::new(&folder), &files(seed, &numbers, 500))?;
        return Ok(ExitCode::SUCCESS);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    // A name of its own, so that several seeds can run at once.
    let name = format!("autograph-fuzz-{seed}");
    let crate_ = target.join(&name);
    let source = crate_.join("src/programs");
    write_crate(&crate_, &name, &root)?;
    // A program a file: the compiler's errors tell which do not compile.
    write(&source, &files(seed, &numbers, 0))?;
    let refused = build(&crate_, &target, &source, &numbers)?;
    for (part, message) in &refused {
        println!("p{} does not compile: {message}", numbers[*part]);
    }
    let status = Command::new(target.join("debug").join(&name)).status()?;
    println!(
        "{} of {programs} programs do not compile; they are in {}",
        refused.len(),
        source.display()
    );
    Ok(if status.success() && refused.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn write(folder: &Path, files: &[File]) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    for file in files {
        fs::write(folder.join(&file.name), &file.text)?;
    }
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

/// Builds the crate, without the programs that do not compile: those by part, with the first message on each.
fn build(
    folder: &Path,
    target: &Path,
    source: &Path,
    numbers: &[usize],
) -> Result<BTreeMap<usize, String>> {
    let mut refused = BTreeMap::new();
    loop {
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
        let list = fs::read_to_string(source.join("mod.rs"))?;
        let mut fewer = list.clone();
        for line in text.lines().filter(|l| l.contains(" error")) {
            let Some((_, rest)) = line.split_once("programs/part") else { continue };
            let Some((part, message)) = rest.split_once(".rs") else { continue };
            let part: usize = part.parse()?;
            refused.entry(part).or_insert_with(|| message.to_owned());
            fewer = fewer.replace(&format!("mod part{part};\n"), "");
            fewer = fewer.replace(&format!("    program!(part{part}::p{}),\n", numbers[part]), "");
        }
        if fewer == list {
            bail!("the crate does not build:\n{text}");
        }
        fs::write(source.join("mod.rs"), fewer)?;
    }
}
