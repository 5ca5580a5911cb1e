//! Finds the edges of a picture, and makes it smaller with and without care.
//!
//! `edges [PICTURE [FOLDER]]`: without a picture the ten digits, written by hand. The PNG files go to the folder, or to a
//! folder of temporary files.

mod detect;
mod picture;
#[cfg(test)]
mod tests;

use std::env;
use std::path::{Path, PathBuf};

use anyhow::Result;
use extype::prelude::*;

use detect::edges;

/// How strong an edge is as a part of the strongest one: all along it, and somewhere.
const STRENGTH: [f32; 2] = [0.15, 0.4];
/// How much smaller the small pictures are.
const SMALLER: usize = 4;

fn main() -> Result<()> {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let picture = match arguments.next() {
        Some(path) => picture::read(&path)?,
        None => picture::digits()?,
    };
    let folder = arguments.next().unwrap_or_else(|| env::temp_dir().join("extype-edges"));
    let found = run(&picture, &folder)?;
    println!("\n{}", picture::drawn(&found, 78)?);
    println!("traces of `edges`, with its loop in the graph: {}", edges::trace_count());
    Ok(())
}

/// Writes the edges of a picture and the small pictures to a folder, and returns the edges, `[height, width, 1]`.
fn run(picture: &Tensor, folder: &Path) -> Result<Tensor> {
    let [low, high] = STRENGTH.map(scalar);
    let found = edges(picture, &low, &high)?.cast(f32)?.expand_dims(-1)?;
    let share = found.mean(..)?.item::<f32>()?;
    println!("{:.1}% of the pixels lie on edges\n", share * 100.0);
    println!("{:<18} {:>13} {:>8}", "file", "size", "bytes");
    for (name, x) in [
        ("picture.png", picture),
        ("edges.png", &found),
        ("small.png", &picture::smaller(picture, SMALLER, true)?),
        ("small-careless.png", &picture::smaller(picture, SMALLER, false)?),
    ] {
        let bytes = picture::write(&folder.join(name), x)?;
        println!("{name:<18} {:>13} {bytes:>8}", x.shape().to_string());
    }
    println!("in {}", folder.display());
    Ok(found)
}
