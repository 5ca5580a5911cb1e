//! The body mass of penguins from what else is measured: a regression by training, and one by hand.
//!
//! `penguins [FILE.csv]`: without a file the penguins that come with the examples.

mod regression;
#[cfg(test)]
mod tests;

use std::env;
use std::path::PathBuf;

use anyhow::{Result, bail};
use extype::prelude::*;
use extype_examples::penguins::{Penguins, default_path};
use indicatif::{ProgressBar, ProgressStyle};

use regression::{LinearRegression, Table};

const STEPS: u64 = 400;

fn main() -> Result<()> {
    let path = env::args_os().nth(1).map_or_else(|| default_path().to_owned(), PathBuf::from);
    let (table, held_out) = Table::of(&Penguins::read(&path)?)?.split([1, 7])?;
    let (learnt, unseen) = (table.len()?, held_out.len()?);
    println!("{learnt} complete penguins to learn from, {unseen} held out; features:");
    println!("  {}\n", table.names.join(", "));

    let regression = LinearRegression::new(table.names.len())?;
    let bar = ProgressBar::new(STEPS)
        .with_style(ProgressStyle::with_template("step {pos}/{len} {bar:24} off by {msg} g")?);
    for step in 0..STEPS {
        let loss = regression.step(&table)?;
        if step % 20 == 0 {
            bar.set_message(format!("{:.0}", loss.item::<f64>()?.sqrt()));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();

    let guess = ops::fill([unseen], table.mass.reduce_mean(.., false)?)?;
    let found = regression.predict(&held_out)?;
    println!("off by, in the root of the mean square, on what was held out:");
    println!("  the mean of all      {:>5.0} g", off(&held_out.mass, &guess)?);
    println!("  the regression       {:>5.0} g", off(&held_out.mass, &found)?);
    println!("  R²                   {:>7.2}\n", regression.explained(&held_out)?);

    println!("one deviation more of a feature, everything else the same, is");
    let grams = regression.weights.read()?.to_vec::<f64>()?;
    let mut order: Vec<usize> = (0..grams.len()).collect();
    order.sort_by(|a, b| grams[*b].abs().total_cmp(&grams[*a].abs()));
    for i in order {
        println!("  {:<20} {:>+6.0} g", table.names[i], grams[i]);
    }

    println!("\nof some that were held out:\n  measured   by the regression");
    let pairs = held_out.mass.as_slice::<f64>()?.iter().zip(found.as_slice::<f64>()?);
    for (mass, found) in pairs.take(5) {
        println!("  {mass:>6.0} g   {found:>9.0} g");
    }
    match regression.step_function().trace_count() {
        1 => Ok(()),
        n => bail!("the step was traced {n} times"),
    }
}

/// The root of the mean squared difference.
fn off(a: &Tensor, b: &Tensor) -> Result<f64> {
    Ok(ops::squared_difference(a, b)?.reduce_mean(.., false)?.sqrt()?.item()?)
}
