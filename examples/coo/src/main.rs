//! The species of all penguins from that of a few: labels that spread over a graph of neighbours.
//!
//! `coo [FILE.csv]`: without a file the penguins that come with the examples.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use extype::prelude::*;
use extype_coo::neighbours::{graph, spread};

const PENGUINS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/penguins.csv");
const FEATURES: [&str; 4] = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"];
const NEIGHBOURS: usize = 8;

fn main() -> Result<()> {
    let path = env::args_os().nth(1).map_or_else(|| PathBuf::from(PENGUINS), PathBuf::from);
    let (points, species) = read(&path)?;
    let mut names = species.clone();
    names.sort_unstable();
    names.dedup();
    let labels: Vec<i64> =
        species.iter().map(|s| names.iter().take_while(|n| *n < s).count() as i64).collect();
    let labels = Tensor::from_vec(labels);

    let edges = graph(&points, NEIGHBOURS)?;
    println!("Edges between {} penguins, each to its {NEIGHBOURS} nearest: {edges}", species.len());
    println!("{}\n", edges.type_spec());

    println!("known of each species   rounds   told right");
    let all = labels.one_hot(names.len(), f64)?;
    for each in [1, 2, 5, 10, 20] {
        let known = first_of_each(&labels, names.len(), each)?;
        let start = ops::mul(&all, known.cast(f64)?.expand_dims(1)?)?;
        let (found, rounds) = spread(&edges, &start, &scalar(0.95), &scalar(1e-6))?;
        let right = found.argmax(1)?.equal(&labels)?;
        let unseen = ops::boolean_mask(&right, &known.logical_not()?, 0)?;
        let share = unseen.cast(f64)?.reduce_mean(.., false)?.item::<f64>()?;
        let rounds = rounds.item::<i64>()?;
        println!("{each:>21}   {rounds:>6}   {:>9.1}%", share * 100.0);
    }
    println!("\nTraces of `spread`, whose loop is in the graph: {}", spread::trace_count());
    Ok(())
}

/// The first `count` of each class: bool `[n]`.
fn first_of_each(labels: &Tensor, classes: usize, count: i64) -> Result<Tensor> {
    let of_class = labels.one_hot(classes, i64)?;
    let place = ops::mul(of_class.cumsum(0)?, &of_class)?.reduce_sum(1, false)?;
    Ok(place.less_equal(count)?)
}

/// The features, float64 `[n, 4]`, and the species of the penguins of whom all features are known.
fn read(path: &Path) -> Result<(Tensor, Vec<String>)> {
    let name = path.display();
    let mut reader =
        csv::Reader::from_path(path).with_context(|| format!("{name}: can't be read"))?;
    let header = reader.headers().with_context(|| format!("{name}, line 1"))?.clone();
    let column = |wanted: &str| {
        let found = header.iter().position(|h| h == wanted);
        found.with_context(|| format!("{name}, line 1: there is no column `{wanted}`"))
    };
    let kind = column("species")?;
    let columns = FEATURES.iter().map(|f| column(f)).collect::<Result<Vec<_>>>()?;
    let (mut points, mut species) = (Vec::new(), Vec::new());
    for record in reader.records() {
        let record = record.with_context(|| name.to_string())?;
        let row: Vec<f64> = columns.iter().filter_map(|c| record[*c].parse().ok()).collect();
        if row.len() == FEATURES.len() {
            points.extend(row);
            species.push(record[kind].to_owned());
        }
    }
    ensure!(species.len() > NEIGHBOURS, "{name}: only {} complete rows", species.len());
    Ok((Tensor::from_slice(&points, &[species.len(), FEATURES.len()])?, species))
}
