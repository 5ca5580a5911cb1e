//! A small model of handwritten digits, trained as it was recorded.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use extype::ops::methods::*;
use extype::{Error, GradientTape, Result, Tensor, Variable, ops};
use flate2::read::GzDecoder;

use super::{Failure, config, make, prepared, same, variables};
use crate::conformance::modes::Computation;
use crate::conformance::{Case, Mode};

const PIXELS: usize = 64;

/// The pixels, each row an image, and the labels.
struct Digits {
    pixels: Vec<f32>,
    labels: Vec<i32>,
}

impl Digits {
    fn read() -> Result<Self> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/digits/digits.csv.gz");
        let unreadable = |e: std::io::Error| Error::invalid(format!("{}: {e}", path.display()));
        let (mut text, file) = (String::new(), std::fs::File::open(&path).map_err(unreadable)?);
        GzDecoder::new(file).read_to_string(&mut text).map_err(unreadable)?;
        let mut digits = Digits { pixels: Vec::new(), labels: Vec::new() };
        for line in text.lines() {
            let row: Vec<f32> = line.split(',').filter_map(|x| x.trim().parse().ok()).collect();
            if row.len() == PIXELS + 1 {
                digits.pixels.extend(&row[..PIXELS]);
                digits.labels.push(row[PIXELS] as i32);
            }
        }
        Ok(digits)
    }

    /// Some rows: the pixels times `scale`, and the labels.
    fn rows(&self, rows: std::ops::Range<usize>, scale: f32) -> Result<[Tensor; 2]> {
        let pixels = &self.pixels[rows.start * PIXELS..rows.end * PIXELS];
        let scaled: Vec<f32> = pixels.iter().map(|x| x * scale).collect();
        let x = Tensor::from_slice(&scaled, &[rows.len(), PIXELS])?;
        let count = rows.len();
        Ok([x, Tensor::from_slice(&self.labels[rows], &[count])?])
    }
}

/// The logits of the model.
fn logits(x: &Tensor, p: &[Variable]) -> Result<Tensor> {
    let hidden = ops::add(x.matmul(p[0].read()?)?, p[1].read()?)?.relu()?;
    ops::add(hidden.matmul(p[2].read()?)?, p[3].read()?)
}

/// Trains, and compares the loss of each step, the last weights and the accuracy.
pub(super) fn run(case: &Case, mode: Mode) -> Result<(), Failure> {
    let number = |key: &str| case.json[key].as_f64().unwrap_or(f64::NAN);
    let (digits, scale) = (Digits::read()?, number("scale") as f32);
    let params = variables(&case.json["init"])?;
    let optimizer = case.text("optimizer").unwrap_or_default();
    let optimizer = make::optimizer(optimizer, config(case))?;
    let trained = params.clone();
    let step: Computation = Arc::new(move |x: &[Tensor]| {
        let tape = GradientTape::new();
        let (loss, gradients) = tape.value_and_gradient(&trained, || {
            let logits = logits(&x[0], &trained)?;
            ops::sparse_softmax_cross_entropy_with_logits(&x[1], &logits)?.reduce_mean(.., false)
        })?;
        optimizer.apply(&gradients, &trained)?;
        Ok(vec![loss])
    });
    let batch = number("batch") as usize;
    let call = prepared(mode, step, &digits.rows(0..batch, scale)?)?;
    let tolerance = case.tolerance();
    for (i, want) in case.list("losses").iter().enumerate() {
        let start = i * batch % 1408;
        let got = call(&digits.rows(start..start + batch, scale)?)?;
        let (got, want) = (f64::from(got[0].item::<f32>()?), want.as_f64().unwrap_or(f64::NAN));
        if (got - want).abs() > tolerance.atol + tolerance.rtol * want.abs() {
            return Err(Failure::Wrong(format!("loss {want} at step {i}"), format!("{got}")));
        }
    }
    for (i, (variable, want)) in params.iter().zip(case.list("last")).enumerate() {
        same(case, &format!("last value of variable {i}"), &variable.read()?, want)?;
    }
    let [x, y] = digits.rows(1437..digits.labels.len(), scale)?;
    let right = ops::argmax(logits(&x, &params)?, 1)?.cast(y.dtype())?.equal(&y)?;
    let got = f64::from(right.cast(extype::DType::F32)?.reduce_mean(.., false)?.item::<f32>()?);
    let want = number("accuracy_from_row_1437");
    // One of the 360 rows may be on the edge.
    if (got - want).abs() > 1.5 / 360.0 {
        return Err(Failure::Wrong(format!("accuracy {want}"), format!("{got}")));
    }
    Ok(())
}
