//! `conformance DIR [--suite NAME] [--mode eager|traced|dynamic] [--verbose]`: runs recorded cases.
//!
//! Ends with status 0 if nothing failed, 1 if something did, 2 if it could not run.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use extype_tests::conformance::{Mode, Selection, run_directory};

const USAGE: &str =
    "usage: conformance DIR [--suite NAME] [--mode eager|traced|dynamic] [--verbose]";

struct Options {
    folder: PathBuf,
    selection: Selection,
    verbose: bool,
}

fn main() -> ExitCode {
    match options(std::env::args().skip(1)).and_then(|o| run(&o)) {
        Ok(code) => code,
        Err(e) => {
            eprintln!("error: {e:#}");
            ExitCode::from(2)
        }
    }
}

fn options(mut args: impl Iterator<Item = String>) -> Result<Options> {
    let mut folder = None;
    let mut selection = Selection::default();
    let mut verbose = false;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--verbose" => verbose = true,
            "--suite" => selection.suite = Some(args.next().context("--suite wants a name")?),
            "--mode" => {
                let name = args.next().context("--mode wants a name")?;
                selection.mode =
                    Mode::from_name(&name).with_context(|| format!("no mode is named `{name}`"))?;
            }
            flag if flag.starts_with("--") => bail!("no option is named `{flag}`\n{USAGE}"),
            path if folder.is_none() => folder = Some(PathBuf::from(path)),
            path => bail!("one folder is enough: `{path}`\n{USAGE}"),
        }
    }
    let folder = folder.context(USAGE)?;
    Ok(Options { folder, selection, verbose })
}

fn run(options: &Options) -> Result<ExitCode> {
    let report = run_directory(&options.folder, &options.selection)?;
    if options.verbose {
        print!("{}", report.details());
    }
    print!("{}", report.summary());
    Ok(if report.total().failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
