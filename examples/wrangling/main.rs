//! A table with missing values: groups, counts, means, the largest, and a look at two columns at once.
//!
//! `wrangling [FILE.csv]`: without a file the penguins that come with the examples.

mod frame;
#[cfg(test)]
mod tests;

use std::env;
use std::path::PathBuf;

use anyhow::Result;
use comfy_table::{Table, presets};
use extype::prelude::*;
use extype_examples::penguins::default_path;
use extype_masked::MaskedTensor;

use frame::{Frame, Groups, by_group};

fn main() -> Result<()> {
    let path = env::args_os().nth(1).map_or_else(|| default_path().to_owned(), PathBuf::from);
    let frame = Frame::read(&path)?;
    let mass = frame.numbers("body_mass_g")?;
    let known = mass.count(..)?.item::<i64>()?;
    println!(
        "{} rows; the mass is known of {known}: {:.0} g on the mean\n",
        frame.len(),
        mean(&mass)?
    );

    for column in ["species", "island", "sex"] {
        println!("{}\n", summary(column, &frame.groups(column)?, &mass)?);
    }

    // Two columns at once: a group is a pair, numbered by both.
    let (species, sex) = (frame.groups("species")?, frame.groups("sex")?);
    let pair = &species.of_row * sex.names.len() as i64 + &sex.of_row;
    let names =
        species.names.iter().flat_map(|a| sex.names.iter().map(move |b| format!("{a}, {b}")));
    let pairs = Groups { names: names.collect(), of_row: pair };
    println!("{}\n", summary("species and sex", &pairs, &mass)?);

    // What is missing can't be the largest.
    let (heaviest, rows) = mass.fill(f64::NEG_INFINITY)?.top_k(5)?;
    let kind = species.of_row.values.gather(&rows, 0)?;
    println!("the five heaviest:");
    for ((mass, row), kind) in
        heaviest.as_slice::<f64>()?.iter().zip(rows.as_slice::<i32>()?).zip(kind.as_slice::<i64>()?)
    {
        println!("  line {:>3}: {mass:.0} g, {}", row + 2, species.names[*kind as usize]);
    }

    // A column made of two others is missing where one of them is.
    let bills = frame.numbers("bill_length_mm")? / frame.numbers("bill_depth_mm")?;
    let slender = by_group(&bills, &species.of_row, species.names.len() as i64)?;
    println!("\nlength by depth of the bill, {}: {:.2}", species.names.join(", "), slender.mean);
    println!("traces of `by_group`, one for each number of groups: {}", by_group::trace_count());
    Ok(())
}

fn mean(x: &MaskedTensor) -> Result<f64> {
    Ok(ops::reduce_mean(x, .., false)?.values.item()?)
}

/// Count, mean and deviation of each group, the largest mean first.
fn summary(column: &str, groups: &Groups, x: &MaskedTensor) -> Result<Table> {
    let found = by_group(x, &groups.of_row, groups.names.len() as i64)?;
    let order = found.mean.fill(f64::NEG_INFINITY)?.argsort((0, ops::Descending))?;
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN);
    table.set_header([column, "rows", "mean", "deviation"]);
    let counts = found.count.as_slice::<i64>()?;
    let (means, deviations) =
        (found.mean.to_options::<f64>()?, found.deviation.to_options::<f64>()?);
    for i in order.to_vec::<i32>()?.into_iter().map(|i| i as usize) {
        let cell = |x: Option<f64>| x.map_or("--".to_owned(), |x| format!("{x:.0}"));
        table.add_row([
            groups.names[i].clone(),
            counts[i].to_string(),
            cell(means[i]),
            cell(deviations[i]),
        ]);
    }
    Ok(table)
}
