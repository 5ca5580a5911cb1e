//! What a trained network gets right and wrong, as text.

use comfy_table::{CellAlignment, Table, presets};
use extype::prelude::*;

use crate::data::{CLASSES, Digits, PIXELS, SIDE};

/// From no ink to full ink.
const INK: [char; 5] = [' ', '░', '▒', '▓', '█'];
/// Images side by side.
const DRAWN: usize = 4;

/// How often each digit (row) was read as each (column).
pub(crate) fn confusion(labels: &Tensor, predictions: &Tensor) -> Result<Table> {
    let counts =
        ops::confusion_matrix(labels, predictions, Some(CLASSES.into()), None, DType::I64)?;
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN);
    let digits = (0..CLASSES).map(|digit| digit.to_string());
    table.set_header(std::iter::once("is \\ read as".to_owned()).chain(digits));
    for (digit, counts) in counts.as_slice::<i64>()?.chunks(CLASSES).enumerate() {
        let cell = |n: &i64| if *n == 0 { "·".to_owned() } else { n.to_string() };
        table.add_row(std::iter::once(digit.to_string()).chain(counts.iter().map(cell)));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    Ok(table)
}

/// The images that were read wrong with the most confidence, drawn side by side; empty if there
/// are none.
pub(crate) fn mistakes(digits: &Digits, probabilities: &Tensor) -> Result<String> {
    let images = digits.images.as_slice::<f32>()?.chunks(PIXELS);
    let labels = digits.labels.as_slice::<i64>()?;
    let (read, sure) = (probabilities.argmax(1)?, probabilities.reduce_max(1, false)?);
    let answers = read.as_slice::<i64>()?.iter().zip(sure.as_slice::<f32>()?);
    let mut wrong: Vec<_> = images.zip(labels).zip(answers).collect();
    wrong.retain(|((_, label), (read, _))| label != read);
    wrong.sort_by(|(_, (_, a)), (_, (_, b))| b.total_cmp(a));
    wrong.truncate(DRAWN);

    let heads = wrong.iter().map(|((_, label), (read, sure))| {
        format!("{label} read as {read}, {:.0}%", **sure * 100.0)
    });
    let line = |at: usize| {
        let parts = wrong.iter().map(move |((image, _), _)| drawn(&image[at * SIDE..][..SIDE]));
        parts.collect()
    };
    let lines = std::iter::once(heads.collect()).chain((0..SIDE).map(line));
    let lines = lines.map(|parts: Vec<String>| {
        let columns: Vec<String> = parts.iter().map(|part| format!("{part:20}")).collect();
        columns.concat().trim_end().to_owned() + "\n"
    });
    Ok(if wrong.is_empty() { String::new() } else { lines.collect() })
}

/// A line of an image: two characters a pixel, which together are about square.
fn drawn(pixels: &[f32]) -> String {
    let shade = |ink: &f32| INK[(ink * (INK.len() - 1) as f32).round() as usize];
    pixels.iter().flat_map(|ink| [shade(ink); 2]).collect()
}
