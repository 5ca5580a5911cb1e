//! Means and correlations of a table with missing values, eagerly and through a traced function.
//!
//! `quickstart [FILE.csv]`: without a file, it reads the penguins that come with the examples.

use std::env;
use std::path::PathBuf;

use anyhow::{Result, bail};
use comfy_table::{CellAlignment, Table, presets};
use extype::prelude::{Structure, Tensor, function, ops};
use extype_examples::penguins::{MEASUREMENTS, Penguins, default_path};
use extype_examples::stats::{Summary, largest_difference, summarize, summarize_traced};
use extype_masked::MaskedTensor;

fn main() -> Result<()> {
    let mut arguments = env::args_os().skip(1);
    let path = arguments.next().map_or_else(|| default_path().to_owned(), PathBuf::from);
    if arguments.next().is_some() {
        bail!("usage: quickstart [FILE.csv]");
    }
    let penguins = Penguins::read(&path)?;
    let measurements = &penguins.measurements;
    println!(
        "{} penguins; their measurements are\n  {}\n",
        penguins.species.len(),
        measurements.type_spec()
    );
    println!("The first five:\n{:.1}\n", ops::slice(measurements, [0, 0], [5, -1])?);

    let mut groups: Vec<Option<&str>> = penguins.species_names().into_iter().map(Some).collect();
    // All species.
    groups.push(None);
    let mut means = new_table("mean of the valid entries");
    let mut deviations = new_table("standard deviation");
    let mut missing = new_table("missing entries");
    let mut difference = 0.0f64;
    let mut all = None;
    for group in &groups {
        let chosen = penguins.chosen(*group);
        // One call as plain Rust, one through the traced function.
        let eager = summarize(measurements, &chosen)?;
        let traced = summarize_traced(measurements, &chosen)?;
        difference = difference.max(largest_difference(&eager, &traced)?.item()?);
        means.add_row(labeled(group.unwrap_or("all"), numbers(&traced.means, 1)?));
        deviations.add_row(labeled(group.unwrap_or("all"), numbers(&traced.deviations, 1)?));
        missing.add_row(labeled(group.unwrap_or("all"), integers(&traced.missing)?));
        all = Some(traced);
    }
    println!("{means}\n\n{deviations}\n\n{missing}\n");
    let Some(all) = all else { bail!("there are no penguins") };
    println!("{}\n", correlations(&all)?);
    println!(
        "`summarize_traced`: {} calls, {} trace, largest difference from the eager results: {difference}\n",
        groups.len(),
        summarize_traced::trace_count(),
    );

    let column_means = function(|m: &MaskedTensor| ops::reduce_mean(m, 0, false));
    let trace = column_means.concrete(&measurements.type_spec())?;
    println!(
        "The graph of `ops::reduce_mean(m, 0, false)`, with the ops that a masked tensor runs for it:\n\n{}",
        trace.graph()
    );
    Ok(())
}

/// An empty table with a column for each measurement, whose first header is `corner`.
fn new_table(corner: &str) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN);
    table.set_header(labeled(corner, MEASUREMENTS.map(str::to_owned).into()));
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// The cells of a row, behind its label.
fn labeled(label: &str, cells: Vec<String>) -> Vec<String> {
    std::iter::once(label.to_owned()).chain(cells).collect()
}

/// The entries with this number of decimals, in the order of the rows; missing ones are `--`.
fn numbers(m: &MaskedTensor, digits: usize) -> Result<Vec<String>> {
    let entries = m.values.as_slice::<f64>()?.iter().zip(m.mask.as_slice::<bool>()?);
    Ok(entries
        .map(|(x, valid)| if *valid { format!("{x:.digits$}") } else { "--".into() })
        .collect())
}

/// The integers as text.
fn integers(t: &Tensor) -> Result<Vec<String>> {
    Ok(t.as_slice::<i64>()?.iter().map(ToString::to_string).collect())
}

/// The correlation of each measurement with each other one.
fn correlations(summary: &Summary) -> Result<Table> {
    let mut table = new_table("correlation");
    let cells = numbers(&summary.correlation, 3)?;
    for (name, row) in MEASUREMENTS.iter().zip(cells.chunks(MEASUREMENTS.len())) {
        table.add_row(labeled(name, row.to_vec()));
    }
    Ok(table)
}
