//! Pictures: read, written, drawn with characters.

use std::path::Path;

use anyhow::{Context, Result};
use extype::image::{self, AntiAlias, Method};
use extype::prelude::*;

/// The handwritten digits that come with the examples.
const DIGITS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/digits.csv.gz");
/// Rows and columns of digits on the page, and how many pixels each digit has.
const PAGE: [usize; 2] = [2, 5];
const SIDE: usize = 64;

/// An image file as float32 of shape `[height, width, channels]` in `[0, 1]`; channels of transparency are left out.
///
/// # Errors
/// If the file can't be read, or is no PNG, JPEG, GIF or BMP image; the message names the file.
pub(crate) fn read(path: &Path) -> Result<Tensor> {
    let x = image::decode_image(ops::read_file(path)?, 3, f32);
    x.with_context(|| format!("{}: no picture", path.display()))
}

/// A page of the ten digits, written by hand, dark on white: float32 of shape `[128, 320, 1]`.
///
/// # Errors
/// If the file of the digits is not there.
pub(crate) fn digits() -> Result<Tensor> {
    let [rows, columns] = PAGE;
    // A line is 64 numbers, 0 for white and 16 for ink, and the digit.
    let (lines, _) = ops::read_file(DIGITS)?.decode_compressed("GZIP")?.split_on("\n", None)?;
    let numbers = lines.index(..(rows * columns) as i64)?.split_fixed(",", 65)?;
    let ink = numbers.index((.., ..64))?.to_number(f32)? / 16.0;
    // Each digit has a margin of one pixel, so that it ends before the next one.
    let digits = ink.reshape([-1, 8, 8, 1])?.pad([[0i64, 0], [1, 1], [1, 1], [0, 0]])?;
    let large = image::resize(&(1.0 - digits), [SIDE, SIDE], Method::Bicubic)?.clip(0.0, 1.0)?;
    let page = large.reshape([rows, columns, SIDE, SIDE, 1])?.transpose([0, 2, 1, 3, 4])?;
    Ok(page.reshape([rows * SIDE, columns * SIDE, 1])?)
}

/// A picture whose sides are a part as long.
///
/// # Errors
/// If nothing is left of it.
pub(crate) fn smaller(picture: &Tensor, by: usize, antialias: bool) -> Result<Tensor> {
    let size = [picture.shape()[0] / by, picture.shape()[1] / by];
    let small = match antialias {
        true => image::resize(picture, size, (Method::Lanczos3, AntiAlias))?,
        false => image::resize(picture, size, Method::Nearest)?,
    };
    // Lanczos' filter goes a little beyond the range.
    Ok(small.clip(0.0, 1.0)?)
}

/// Writes a picture of floats in `[0, 1]` as a PNG file, and returns the number of its bytes.
///
/// # Errors
/// If the file can't be written; the message names it.
pub(crate) fn write(path: &Path, picture: &Tensor) -> Result<usize> {
    let file = image::encode_png(image::convert_image_dtype(picture, u8, true)?)?;
    ops::write_file(path, &file)?;
    Ok(file.value()?.as_strings()?[0].len())
}

/// A picture `[height, width, 1]` as lines of characters, as many as `width` in each: space for 0, `@` for the largest
/// number.
///
/// # Errors
/// `InvalidArgument` for another shape.
pub(crate) fn drawn(picture: &Tensor, width: usize) -> Result<String> {
    const INKS: [&str; 8] = [" ", ".", ":", "-", "+", "*", "#", "@"];
    // Characters are about twice as high as wide.
    let height = (picture.shape()[0] * width / picture.shape()[1] / 2).max(1);
    let small = image::resize(picture, [height, width], Method::Area)?.squeeze(2)?;
    let most = small.max(..)?.maximum(f32::MIN_POSITIVE)?;
    let ink = (small / most * (INKS.len() - 1) as f64).round()?.cast(i32)?;
    let lines = INKS.to_tensor()?.gather(&ink, 0)?.reduce_join("", 1)?;
    Ok(String::try_from(&lines.reduce_join("\n", ..)?)?)
}
