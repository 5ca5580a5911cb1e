//! Programs that end while they save a model leave the old one or the new one.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use extype::prelude::*;
use extype::saved::{Export, load};

use super::folder;

const TO: &str = "EXTYPE_SAVED_TO";
/// How often a program is killed, if not twenty times.
const KILLS: &str = "EXTYPE_KILLS";

#[derive(Module)]
struct Numbered {
    value: Variable,
}

/// A model whose variable and whose graph have the same number.
fn save(number: u64, at: &Path) -> Result<()> {
    let all = ops::full([50_000], number as f32)?;
    let model = Numbered { value: Variable::new(&all)? };
    let f = function(|x: &Tensor| ops::add(x, ops::sub(&model.value, &all)?));
    let f = f.concrete(&TensorSpec::of::<f32>([]))?;
    Export::new(&model).function("difference", [f]).save(at)
}

fn check(at: &Path) -> Result<f32> {
    let loaded = load(at)?;
    let difference: Tensor = loaded.function("difference")?.call((&scalar(0.0f32),))?;
    assert!(difference.to_vec::<f32>()?.iter().all(|x| *x == 0.0));
    loaded.variable("value")?.read()?.max(..)?.item()
}

/// Runs a test of this file in a process of its own.
fn child(test: &str, shell: &str, to: &Path) -> Child {
    let program = std::env::current_exe().unwrap();
    let module = module_path!().split_once("::").map_or("", |(_, module)| module);
    Command::new("sh")
        .args(["-c", &format!("{shell} exec \"$0\" \"$@\"")])
        .arg(program)
        .args([&format!("{module}::{test}"), "--exact", "--ignored"])
        .env(TO, to)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_program_that_is_killed_leaves_a_whole_model() -> Result<()> {
    let around = folder("killed");
    let at = around.join("model");
    save(0, &at)?;
    let mut numbers = Vec::new();
    let kills = std::env::var(KILLS).map_or(20, |n| n.parse().expect("a number"));
    for i in 0..kills {
        let mut child = child("saves_until_it_is_killed", "", &at);
        std::thread::sleep(Duration::from_millis(60 + 14 * (i % 20)));
        child.kill().unwrap();
        child.wait().unwrap();
        numbers.push(check(&at)?);
    }
    // Some of them saved something.
    assert!(numbers.iter().any(|n| *n > 0.0), "{numbers:?}");
    std::fs::remove_dir_all(around).unwrap();
    Ok(())
}

#[test]
#[ignore = "run by a_program_that_is_killed_leaves_a_whole_model"]
fn saves_until_it_is_killed() -> Result<()> {
    let to = std::env::var(TO).unwrap();
    (1..).try_for_each(|number| save(number, Path::new(&to)))
}

#[test]
fn a_full_disk_leaves_the_old_model() -> Result<()> {
    let around = folder("full");
    let at = around.join("model");
    save(7, &at)?;
    // No file of the process may have more bytes than these blocks.
    for blocks in [1, 50, 380, 395] {
        let shell = format!("trap '' XFSZ; ulimit -f {blocks};");
        let status = child("saves_without_success", &shell, &at).wait().unwrap();
        assert!(status.success(), "{blocks}");
        assert_eq!(check(&at)?, 7.0);
        assert_eq!(std::fs::read_dir(&around).unwrap().count(), 1, "{blocks}");
    }
    std::fs::remove_dir_all(around).unwrap();
    Ok(())
}

#[test]
#[ignore = "run by a_full_disk_leaves_the_old_model"]
fn saves_without_success() {
    let to = std::env::var(TO).unwrap();
    assert!(save(8, Path::new(&to)).is_err());
}
