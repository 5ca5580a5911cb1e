//! How penguins of the sexes differ, by species and over the years: a table of means whose axes have names.
//!
//! `penguins [FILE.csv]`: without a file the penguins of `examples/data`.

use std::path::PathBuf;
use std::{env, fs};

use extype::prelude::*;
use extype_labeled::Labeled;

const PENGUINS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/penguins.csv");
const SPECIES: [&str; 3] = ["Adelie", "Chinstrap", "Gentoo"];
const SEXES: [&str; 2] = ["female", "male"];
const YEARS: [&str; 3] = ["2007", "2008", "2009"];
const MEASURES: [&str; 4] = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"];

/// The mean measures of the penguins of each species, sex and year.
fn means(text: &str) -> std::result::Result<Labeled, Box<dyn std::error::Error>> {
    let header: Vec<&str> = text.lines().next().unwrap_or_default().split(',').collect();
    let column = |name: &str| {
        header.iter().position(|h| *h == name).ok_or_else(|| format!("there is no column `{name}`"))
    };
    let keys = [column("species")?, column("sex")?, column("year")?];
    let measures = MEASURES.map(column).into_iter().collect::<std::result::Result<Vec<_>, _>>()?;
    let (mut cells, mut values) = (Vec::new(), Vec::new());
    for row in text.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>()) {
        let place =
            |key: usize, of: &[&str]| of.iter().position(|name| row.get(keys[key]) == Some(name));
        let (Some(species), Some(sex), Some(year)) =
            (place(0, &SPECIES), place(1, &SEXES), place(2, &YEARS))
        else {
            continue;
        };
        cells.push(((species * 2 + sex) * 3 + year) as i64);
        values.extend(measures.iter().map(|m| row[*m].parse::<f64>().unwrap_or(f64::NAN)));
    }
    let values = Tensor::from_slice(&values, &[cells.len(), 4])?;
    let cells = Tensor::from_vec(cells);
    let sums = ops::unsorted_segment_sum(&values, &cells, 18i64)?;
    let counts = ops::unsorted_segment_sum(&cells.ones_like()?.cast(f64)?, &cells, 18i64)?;
    let means = ops::div_no_nan(&sums, &counts.expand_dims(1)?)?.reshape([3, 2, 3, 4])?;
    Ok(Labeled::of(means, &["species", "sex", "year", "measure"])?)
}

fn print(title: &str, rows: &[&str], columns: &[&str], table: &Labeled) -> Result<()> {
    println!("\n{title}");
    print!("{:<12}", "");
    columns.iter().for_each(|c| print!("{c:>20}"));
    println!();
    let numbers = table.values.as_slice::<f64>()?;
    for (row, numbers) in rows.iter().zip(numbers.chunks(columns.len())) {
        print!("{row:<12}");
        numbers.iter().for_each(|x| print!("{x:>20.2}"));
        println!();
    }
    Ok(())
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let path = env::args_os().nth(1).map_or_else(|| PathBuf::from(PENGUINS), PathBuf::from);
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let means = means(&text)?;

    let mean = means.mean(&["sex", "year"])?;
    print("Mean measures", &SPECIES, &MEASURES, &mean)?;

    let by_sex = means.mean(&["year"])?;
    let more = ops::div(&by_sex.at("sex", 1)?, &by_sex.at("sex", 0)?)?;
    let percent = ops::mul(&ops::sub(&more, 1.0)?, 100.0)?;
    print("How much larger males are than females, percent", &SPECIES, &MEASURES, &percent)?;

    // The years are compared with the mean of all: the operands have other axes.
    let change = ops::sub(&ops::div(&means, &means.mean(&["year"])?)?, 1.0)?;
    let change = ops::mul(&change.mean(&["sex", "measure"])?, 100.0)?;
    print(
        "Size of a year's penguins beside that of all years, percent",
        &SPECIES,
        &YEARS,
        &change,
    )?;

    // How alike species are: products over all measures, each in units of its spread.
    let center = ops::sub(&mean, &mean.mean(&["species"])?)?;
    let spread = ops::sqrt(&ops::square(&center)?.mean(&["species"])?)?;
    let scaled = ops::div(&center, &spread)?;
    let likeness = scaled.dot(&scaled.rename("species", "other")?, &["measure"])?;
    print("Likeness of species in these measures", &SPECIES, &SPECIES, &ops::div(&likeness, 4.0)?)
        .map_err(Into::into)
}
