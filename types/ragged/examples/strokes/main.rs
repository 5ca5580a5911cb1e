//! Reads handwritten digits by their ink: an image is the places where there is ink, a row of a ragged tensor.
//!
//! `strokes`: datasets, conditionals, loops and Rust code in traced functions, in one program.

mod model;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use extype::data::{Dataset, Remainder};
use extype::prelude::*;
use extype::train::Adam;
use extype_ragged::RaggedTensor;
use flate2::read::GzDecoder;

use model::{PLACES, Readings, Strokes};

const EPOCHS: i64 = 15;

fn main() -> Result<()> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/digits.csv.gz"));
    let images = images(path)?;
    let held_out = images.shard(5, 0);
    // What `shard` leaves out is what is learnt from.
    let learnt = images.enumerate(0).filter(|(i, _)| i.floor_mod(5)?.not_equal(0));
    let training = learnt.map(|(_, image)| Ok(image)).shuffle_all(1).batch(64, Remainder::Drop);
    let training = training.prefetch(2);
    println!("a batch is {}\n", training.element_spec()?.to_any());

    let (strokes, optimizer) = (Strokes::new()?, Adam::new(0.01));
    for epoch in 1..=EPOCHS {
        let mut losses = Vec::new();
        for (step, batch) in training.iter().enumerate() {
            let (places, labels) = batch?;
            let seed = tensor![epoch, step as i64];
            losses.push(strokes.step(&optimizer, &places, &labels, &seed)?);
        }
        if epoch % 5 == 0 {
            let loss = ops::stack(&losses, 0)?.reduce_mean(.., false)?;
            println!("epoch {epoch}: loss {:.3}", loss.item::<f32>()?);
        }
    }

    let readings = Readings::default();
    let right = readings.check(&strokes, &held_out.batch(60, Remainder::Keep))?;
    let count = held_out.cardinality().exact().context("the number of images is known")?;
    println!("\n{right} of {count} held out are read right, by weights of single pixels alone");
    for ((digit, read), times) in readings.mistakes().into_iter().take(3) {
        println!("  {digit} was read as {read}: {times} times");
    }
    println!("\nwhere each step of the pipeline spent its time:\n{}", training.report());
    match strokes.step_function().trace_count() {
        1 => Ok(()),
        n => anyhow::bail!("the step was traced {n} times"),
    }
}

/// The places with ink on each image, and the digit on it.
fn images(path: &Path) -> Result<Dataset<(RaggedTensor, Tensor)>> {
    let file = File::open(path).with_context(|| format!("{}: can't be opened", path.display()))?;
    let (mut places, mut labels) = (Vec::new(), Vec::new());
    for (i, line) in BufReader::new(GzDecoder::new(file)).lines().enumerate() {
        let numbers: Vec<i64> = line?
            .split(',')
            .map(str::parse)
            .collect::<Result<_, _>>()
            .with_context(|| format!("{}, line {}", path.display(), i + 1))?;
        ensure!(numbers.len() == PLACES + 1, "line {} has {} numbers", i + 1, numbers.len());
        // Half full of ink, or more.
        let inked = (0..).zip(&numbers[..PLACES]).filter(|(_, ink)| **ink >= 8);
        places.push(inked.map(|(place, _)| place).collect::<Vec<i64>>());
        labels.push(numbers[PLACES]);
    }
    let places = RaggedTensor::from_rows(&places)?;
    Ok(Dataset::from_tensor_slices((places, Tensor::from_vec(labels)))?)
}
