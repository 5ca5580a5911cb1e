//! Handwritten digits as a tensor whose axes have names: no transpose, no axis numbers.
//!
//! `named_axes`

mod named;
#[cfg(test)]
mod tests;

use std::path::Path;

use anyhow::{Context, Result};
use extype::prelude::*;
use flate2::read::GzDecoder;

use named::Named;

const DIGITS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/digits.csv.gz");
const SHADES: [char; 5] = [' ', '░', '▒', '▓', '█'];

fn main() -> Result<()> {
    let images = read(DIGITS.as_ref())?;
    println!("{}\n", images.type_spec());

    let mean = images.mean("image")?;
    println!("The mean of all images, axes [{}]:\n\n{}", mean.axes.join(", "), draw(&mean)?);

    // A vector along `column` meets an image along `row` and `column`, by its name.
    let weight = Named::of([1.0f32, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0], &["column"])?;
    println!("Its left half:\n\n{}", draw(&ops::mul(&mean, &weight)?)?);

    let first = images.at("image", 0)?;
    println!(
        "The first image less the mean, where it has more ink:\n\n{}",
        draw(&ops::maximum(&(&first - &mean), 0.0)?)?
    );

    let by_image = Named::of(Tensor::from_vec(vec![1.0f32; 1797]), &["image"])?;
    println!("And what does not fit is told:\n");
    for refused in
        [ops::add(&mean, &by_image).err(), mean.mean("colour").err()].into_iter().flatten()
    {
        println!("  {}", refused.message());
    }
    let centred = function(|images: &Named| ops::sub(images, images.mean("image")?));
    centred.call(&images)?;
    println!("\n{}", centred.concrete_functions()[0].graph());
    Ok(())
}

/// The images, shares of ink along image, row and column.
fn read(path: &Path) -> Result<Named> {
    let name = path.display();
    let file = std::fs::File::open(path).with_context(|| format!("{name}: can't be opened"))?;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(GzDecoder::new(file));
    let mut ink = Vec::new();
    for row in reader.deserialize::<Vec<f32>>() {
        let row = row.with_context(|| name.to_string())?;
        ink.extend(row.iter().take(64).map(|x| x / 16.0));
    }
    let images = Tensor::from_vec(ink).reshape([-1, 8, 8])?;
    Ok(Named::of(images, &["image", "row", "column"])?)
}

/// An image along row and column, two characters for each pixel.
fn draw(image: &Named) -> Result<String> {
    let ink = image.values.as_slice::<f32>()?;
    let shade = |x: &f32| SHADES[((x * 5.0) as usize).min(4)];
    let line = |row: &[f32]| row.iter().map(shade).flat_map(|c| [c, c]).collect::<String>();
    Ok(ink.chunks(8).map(|row| format!("  {}\n", line(row).trim_end())).collect())
}
