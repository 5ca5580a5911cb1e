//! What each chapter of the guide is about, and which chapter is most like it: word counts as a sparse matrix.
//!
//! `chapters [FOLDER]`: without a folder, the guide of this repository.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use extype::prelude::*;
use extype_sparse::{CsrMatrix, SparseTensor};

const GUIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide");

/// Texts by name, of all files in a folder that end in `.md`.
fn read(folder: &Path) -> io::Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "md") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            texts.insert(name, fs::read_to_string(&path)?);
        }
    }
    Ok(texts)
}

/// How often each word stands in each text, float32 `[texts, words]`, and the words.
fn counts(texts: &BTreeMap<String, String>) -> Result<(SparseTensor, Vec<String>)> {
    let (mut words, mut numbers) = (Vec::new(), HashMap::new());
    let (mut indices, mut values) = (Vec::new(), Vec::new());
    for (row, text) in texts.values().enumerate() {
        let mut here = BTreeMap::new();
        let text = text.to_lowercase();
        for word in text.split(|c: char| !c.is_ascii_lowercase()).filter(|w| w.len() > 3) {
            let new = numbers.len() as i64;
            let number = *numbers.entry(word.to_owned()).or_insert_with(|| {
                words.push(word.to_owned());
                new
            });
            *here.entry(number).or_insert(0.0f32) += 1.0;
        }
        for (word, count) in here {
            indices.extend([row as i64, word]);
            values.push(count);
        }
    }
    let indices = Tensor::from_slice(&indices, &[values.len(), 2])?;
    let sizes = [texts.len() as i64, words.len() as i64];
    Ok((SparseTensor::new(indices, Tensor::from_vec(values), sizes)?, words))
}

/// Counts weighted by how few texts have the word; each row of length 1.
#[tf_function]
fn weighted(counts: &SparseTensor) -> Result<SparseTensor> {
    let texts = ops::cast(counts.dense_shape.gather(0, 0)?, f32)?;
    let with_word = ops::reduce_sum(&ops::sign(counts)?, 0, true)?;
    let rarity = ops::div(&texts, &with_word)?.log()?;
    let x = ops::mul(&ops::log1p(counts)?, &rarity)?;
    let length = ops::reduce_sum(&ops::square(&x)?, 1, true)?.sqrt()?;
    ops::div(&x, &length)
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let folder = env::args_os().nth(1).map_or_else(|| PathBuf::from(GUIDE), PathBuf::from);
    let texts = read(&folder)?;
    if texts.len() < 2 {
        return Err(format!("{}: two files .md at least are wanted", folder.display()).into());
    }
    let (counts, words) = counts(&texts)?;
    let (places, stored) = (texts.len() * words.len(), counts.nnz()?.item::<i64>()?);
    let share = 100.0 * stored as f64 / places as f64;
    println!(
        "{} texts, {} words: {stored} of {places} counts are not zero ({share:.1} %)",
        texts.len(),
        words.len()
    );

    let x = weighted(&counts)?;
    let m = CsrMatrix::from_sparse(&x)?;
    let likeness = ops::matmul(&m, &ops::transpose(&m, [1, 0])?)?.to_dense()?;
    // Nobody is most like itself.
    let others = ops::sub(&likeness, ops::eye(texts.len(), f32)?)?;
    let (nearest, how) = (others.argmax(1)?, others.reduce_max(1, false)?);

    println!("\n{:<22} {:<44} most like", "text", "words that tell it apart");
    let names: Vec<&String> = texts.keys().collect();
    for (row, mut entries) in x.rows::<f32>()?.into_iter().enumerate() {
        entries.sort_by(|a, b| b.1.total_cmp(&a.1));
        let telling: Vec<&str> = entries.iter().take(4).map(|(word, _)| &*words[*word]).collect();
        let (other, how) = (nearest.as_slice::<i64>()?[row] as usize, how.as_slice::<f32>()?[row]);
        println!("{:<22} {:<44} {} ({how:.2})", names[row], telling.join(", "), names[other]);
    }
    Ok(())
}
