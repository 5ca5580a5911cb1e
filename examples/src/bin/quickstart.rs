//! Means and correlations of a table with missing values, eagerly and through a traced function.
//!
//! `quickstart [FILE.csv]`: without a file the penguins that come with the examples.

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
    let table = &penguins.measurements;
    println!("{} penguins; their type is\n  {}\n", penguins.species.len(), table.type_spec());
    println!("The first of them:\n{:.1}\n", ops::slice(table, [0, 0], [5, -1])?);

    let mut groups: Vec<Option<&str>> = penguins.species_names().into_iter().map(Some).collect();
    groups.push(None);
    let mut means = new_table("mean of the valid entries");
    let mut deviations = new_table("standard deviation");
    let mut missing = new_table("missing entries");
    let mut difference = 0.0f64;
    let mut last = None;
    for group in &groups {
        let chosen = penguins.chosen(*group);
        // One call as plain Rust, one from the trace.
        let eager = summarize(table, &chosen)?;
        let traced = summarize_traced(table, &chosen)?;
        difference = difference.max(largest_difference(&eager, &traced)?.item()?);
        means.add_row(labeled(group.unwrap_or("all"), numbers(&traced.means, 1)?));
        deviations.add_row(labeled(group.unwrap_or("all"), numbers(&traced.deviations, 1)?));
        missing.add_row(labeled(group.unwrap_or("all"), integers(&traced.missing)?));
        last = Some(traced);
    }
    println!("{means}\n\n{deviations}\n\n{missing}\n");
    let Some(all) = last else { bail!("there are no penguins") };
    println!("{}\n", correlations(&all)?);
    println!(
        "`summarize_traced`: {} calls, traces: {}, largest difference from the eager results: {difference}\n",
        groups.len(),
        summarize_traced::trace_count(),
    );

    let column_means = function(|m: &MaskedTensor| ops::reduce_mean(m, 0, false));
    let trace = column_means.concrete(&table.type_spec())?;
    println!("What `ops::reduce_mean(m, 0, false)` is in a graph:\n\n{}", trace.graph());
    Ok(())
}

/// A table with a column for each measurement.
fn new_table(corner: &str) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN);
    table.set_header(labeled(corner, MEASUREMENTS.map(str::to_owned).into()));
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// A row of a table.
fn labeled(label: &str, cells: Vec<String>) -> Vec<String> {
    std::iter::once(label.to_owned()).chain(cells).collect()
}

/// The entries of a vector, missing ones as `--`.
fn numbers(m: &MaskedTensor, digits: usize) -> Result<Vec<String>> {
    let entries = m.values.as_slice::<f64>()?.iter().zip(m.mask.as_slice::<bool>()?);
    Ok(entries
        .map(|(x, valid)| if *valid { format!("{x:.digits$}") } else { "--".into() })
        .collect())
}

fn integers(t: &Tensor) -> Result<Vec<String>> {
    Ok(t.as_slice::<i64>()?.iter().map(ToString::to_string).collect())
}

fn correlations(summary: &Summary) -> Result<Table> {
    let mut table = new_table("correlation");
    let cells = numbers(&summary.correlation, 3)?;
    for (name, row) in MEASUREMENTS.iter().zip(cells.chunks(MEASUREMENTS.len())) {
        table.add_row(labeled(name, row.to_vec()));
    }
    Ok(table)
}
