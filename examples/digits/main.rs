//! Learns to read handwritten digits: a traced training step, and what came of it.
//!
//! `digits [OPTION VALUE]…`: see `digits --help`.

mod curve;
mod data;
mod model;
mod options;
mod report;
#[cfg(test)]
mod tests;
mod training;

use std::env;
use std::fs;
use std::time::Instant;

use anyhow::{Context, Result};
use extype::ops::methods::*;
use indicatif::{ProgressBar, ProgressStyle};

use data::Digits;
use model::Mlp;
use options::{Options, USAGE};
use training::train;

fn main() -> Result<()> {
    let Some(options) = Options::read(env::args_os().skip(1))? else {
        println!("{USAGE}");
        return Ok(());
    };
    let (training, held_out) = Digits::read(Digits::default_path())?.split()?;
    let model = Mlp::new(options.hidden, options.seed)?;
    println!("{} images to learn from, {} held out\n", training.len(), held_out.len());

    let bar = ProgressBar::new(options.epochs as u64).with_style(ProgressStyle::with_template(
        "epoch {pos}/{len} {bar:24} {elapsed_precise} {msg}",
    )?);
    let start = Instant::now();
    let epochs = train(&model, &training, &held_out, &options, |epoch| {
        bar.set_message(format!(
            "loss {:.4}, accuracy {:.1}%, held out {:.1}%",
            epoch.training.loss,
            epoch.training.accuracy * 100.0,
            epoch.held_out.accuracy * 100.0
        ));
        bar.inc(1);
    })?;
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    let traces = model.train_step_function().trace_count();
    println!("{} epochs in {seconds:.1} s; traces of the step: {traces}", options.epochs);

    let probabilities = model.probabilities(&held_out.images)?;
    let read = probabilities.argmax(1)?;
    if let Some(last) = epochs.last() {
        println!("accuracy on what was held out: {:.1}%\n", last.held_out.accuracy * 100.0);
    }
    println!("{}\n", report::confusion(&held_out.labels, &read)?);
    print!("{}", report::mistakes(&held_out, &probabilities)?);

    let path = match options.curve {
        Some(path) => path,
        None => env::current_exe()?.with_extension("svg"),
    };
    fs::write(&path, curve::draw(&epochs))
        .with_context(|| format!("{}: can't be written", path.display()))?;
    println!("\nThe learning curve is in {}", path.display());
    Ok(())
}
