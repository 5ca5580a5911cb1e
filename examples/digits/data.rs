//! Handwritten digits: images of 8×8 pixels and what they show.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use csv::StringRecord;
use extype::prelude::*;
use extype::random;
use flate2::read::GzDecoder;

/// Height and width of an image.
pub(crate) const SIDE: usize = 8;
/// The pixels of an image.
pub(crate) const PIXELS: usize = SIDE * SIDE;
/// The digits that there are.
pub(crate) const CLASSES: usize = 10;
/// The number that the file gives to a pixel full of ink.
const FULL: u8 = 16;
/// The seed of the choice of what is held out.
const SPLIT: [i64; 2] = [0, 0];

/// Images and what they show.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "examples.Digits")]
pub(crate) struct Digits {
    /// The ink of each pixel, from 0 to 1, line by line.
    #[extension_type(dtype = f32, shape = [?, 64])]
    pub(crate) images: Tensor,
    /// The digit on each image.
    #[extension_type(dtype = i64, shape = [?])]
    pub(crate) labels: Tensor,
}

impl Digits {
    /// The file that comes with the examples.
    pub(crate) fn default_path() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/data/digits.csv.gz"))
    }

    /// Reads a gzipped CSV file without a header: 64 pixels from 0 to 16, then the digit.
    ///
    /// # Errors
    /// If the file can't be read or a number is not in its range; the message names the file and
    /// the line.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let name = path.display();
        let file = File::open(path).with_context(|| format!("{name}: can't be opened"))?;
        let mut rows = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(GzDecoder::new(std::io::BufReader::new(file)));
        let (mut images, mut labels) = (Vec::<f32>::new(), Vec::new());
        for (i, row) in rows.records().enumerate() {
            let (pixels, label) = row
                .map_err(anyhow::Error::new)
                .and_then(|row| example(&row))
                .with_context(|| format!("{name}, line {}", i + 1))?;
            images.extend(pixels.map(|ink| f32::from(ink) / f32::from(FULL)));
            labels.push(i64::from(label));
        }
        ensure!(labels.len() >= 5, "{name}: of {} rows no fifth can be held out", labels.len());
        let images = Tensor::from_slice(&images, &[labels.len(), PIXELS])?;
        Ok(Self::new(images, labels)?)
    }

    /// The number of images.
    pub(crate) fn len(&self) -> usize {
        self.labels.shape().num_elements().unwrap_or(0)
    }

    /// Some of the rows, by their numbers.
    pub(crate) fn rows(&self, numbers: &Tensor) -> Result<Self, Error> {
        Self::new(self.images.gather(numbers, 0)?, self.labels.gather(numbers, 0)?)
    }

    /// The rows to learn from, and a fifth that is held out: always the same rows, drawn by chance,
    /// since the digits follow each other in the same order again and again.
    pub(crate) fn split(&self) -> Result<(Self, Self), Error> {
        let (order, fifth) = (self.shuffled(SPLIT)?, self.len() / 5);
        Ok((self.rows(&order.index(fifth..)?)?, self.rows(&order.index(..fifth)?)?))
    }

    /// All rows in batches, in an order that the seed tells; the last batch may be smaller.
    pub(crate) fn batches(
        &self,
        size: usize,
        seed: [i64; 2],
    ) -> Result<impl Iterator<Item = Result<Self, Error>>, Error> {
        let (order, n) = (self.shuffled(seed)?, self.len());
        let batch = move |at: usize| self.rows(&order.index(at..(at + size).min(n))?);
        Ok((0..n).step_by(size).map(batch))
    }

    /// The numbers of all rows in an order that the seed tells.
    fn shuffled(&self, seed: [i64; 2]) -> Result<Tensor, Error> {
        random::stateless_shuffle(ops::range(0, self.len() as i64, 1)?, seed)
    }
}

/// The pixels of a row of the file, and the digit.
fn example(row: &StringRecord) -> Result<([u8; PIXELS], u8)> {
    ensure!(row.len() == PIXELS + 1, "{} numbers, not {PIXELS} and a digit", row.len());
    let mut pixels = [0; PIXELS];
    for (pixel, field) in pixels.iter_mut().zip(row) {
        *pixel = number(field, FULL)?;
    }
    Ok((pixels, number(&row[PIXELS], CLASSES as u8 - 1)?))
}

/// A number from zero to `max`.
fn number(field: &str, max: u8) -> Result<u8> {
    match field.trim().parse() {
        Ok(n) if n <= max => Ok(n),
        _ => bail!("`{field}` is no number from 0 to {max}"),
    }
}
