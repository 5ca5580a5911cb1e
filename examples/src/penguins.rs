//! The penguins: a table with missing values.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, Result, bail};
use csv::StringRecord;
use extype::Tensor;
use extype_masked::MaskedTensor;

/// The columns that are measurements, in their order in [`Penguins::measurements`].
pub const MEASUREMENTS: [&str; 4] =
    ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"];

/// The file that comes with the examples.
pub fn default_path() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/data/penguins.csv"))
}

/// Measured penguins.
#[derive(Clone, Debug)]
pub struct Penguins {
    /// The species of each penguin.
    pub species: Vec<String>,
    /// The measurements: float64 `[penguins, 4]`, some missing.
    pub measurements: MaskedTensor,
}

impl Penguins {
    /// The names of the species, sorted.
    ///
    /// ```
    /// use extype_examples::penguins::{Penguins, default_path};
    /// let penguins = Penguins::read(default_path())?;
    /// assert_eq!(penguins.species_names(), ["Adelie", "Chinstrap", "Gentoo"]);
    /// # anyhow::Ok(())
    /// ```
    pub fn species_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.species.iter().map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Which penguins are of a species, or all of them for `None`: bool `[penguins]`.
    pub fn chosen(&self, species: Option<&str>) -> Tensor {
        let chosen = self.species.iter().map(|s| species.is_none_or(|name| s == name));
        Tensor::from_vec(chosen.collect::<Vec<bool>>())
    }

    /// Reads a CSV file with a header; `NA` and empty fields are missing values.
    ///
    /// # Errors
    /// If the file can't be read, lacks a column, has a row of another length, or a measurement
    /// is no number; the message names the file and the line.
    pub fn read(path: &Path) -> Result<Self> {
        let name = path.display();
        let file = File::open(path).with_context(|| format!("{name}: can't be opened"))?;
        let mut reader = csv::Reader::from_reader(file);
        let header = reader.headers().map_err(|e| broken(path, e))?.clone();
        let column = |wanted: &str| {
            let found = header.iter().position(|h| h == wanted);
            found.with_context(|| format!("{name}, line 1: there is no column `{wanted}`"))
        };
        let species_column = column("species")?;
        let columns: Vec<usize> = MEASUREMENTS.iter().map(|m| column(m)).collect::<Result<_>>()?;

        let (mut species, mut values) = (Vec::new(), Vec::new());
        for record in reader.records() {
            let record = record.map_err(|e| broken(path, e))?;
            species.push(record[species_column].to_owned());
            for (column, what) in columns.iter().zip(MEASUREMENTS) {
                let entry = number(&record, *column).with_context(|| {
                    let line = record.position().map_or(0, csv::Position::line);
                    format!("{name}, line {line}, column `{what}`")
                })?;
                values.push(entry);
            }
        }
        if species.is_empty() {
            bail!("{name}: there are no rows after the header");
        }
        let measurements = Tensor::from_slice(&values, &[species.len(), MEASUREMENTS.len()])?;
        Ok(Self { species, measurements: MaskedTensor::from_nan(measurements)? })
    }
}

/// A field as a number, NaN if it is missing.
fn number(record: &StringRecord, column: usize) -> Result<f64> {
    match record[column].trim() {
        "" | "NA" => Ok(f64::NAN),
        text => match text.parse::<f64>() {
            Ok(x) if x.is_finite() => Ok(x),
            _ => bail!("`{text}` is no number"),
        },
    }
}

/// An error of the CSV reader with the file and line in front.
fn broken(path: &Path, error: csv::Error) -> anyhow::Error {
    let name = path.display();
    let place = match error.position() {
        Some(position) => format!("{name}, line {}", position.line()),
        None => name.to_string(),
    };
    anyhow::Error::new(error).context(place)
}
