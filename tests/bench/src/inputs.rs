//! The inputs of all peers: functions of a stream and an index.

use extype::{Result, Tensor};

/// A mixed number, the same in all peers.
fn hash(stream: u64, i: u64) -> u64 {
    let mut z = i.wrapping_add(1).wrapping_add(stream << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Numbers in `[lo, hi)`.
fn uniform(stream: u64, n: usize, lo: f32, hi: f32) -> Vec<f32> {
    let unit = |i| (hash(stream, i) >> 40) as f32 * 2f32.powi(-24);
    (0..n as u64).map(|i| lo + unit(i) * (hi - lo)).collect()
}

/// A tensor of numbers in `[-1, 1)`.
///
/// # Errors
/// None for sizes that fit memory.
pub(crate) fn tensor(stream: u64, sizes: &[usize]) -> Result<Tensor> {
    tensor_in(stream, sizes, -1.0, 1.0)
}

/// A tensor of numbers in `[lo, hi)`.
///
/// # Errors
/// None for sizes that fit memory.
pub(crate) fn tensor_in(stream: u64, sizes: &[usize], lo: f32, hi: f32) -> Result<Tensor> {
    Tensor::from_slice(&uniform(stream, sizes.iter().product(), lo, hi), sizes)
}

/// A vector of `n` numbers in `0..classes`.
pub(crate) fn labels(stream: u64, n: usize, classes: u64) -> Tensor {
    Tensor::from_vec((0..n as u64).map(|i| (hash(stream, i) % classes) as i32).collect())
}

/// The lengths of ragged rows, ten on average.
pub(crate) fn row_lengths(stream: u64, rows: usize) -> Tensor {
    let length = |i| {
        let bits = |first: u64| hash(first, i) & hash(first + 1, i) & hash(first + 2, i);
        i64::from(bits(stream).count_ones() + (bits(stream + 3) & 0xFFFF).count_ones())
    };
    Tensor::from_vec((0..rows as u64).map(length).collect())
}

/// A vector of `n` rows out of so many.
pub(crate) fn row_numbers(stream: u64, n: usize, rows: u64) -> Tensor {
    Tensor::from_vec((0..n as u64).map(|i| (hash(stream, i) % rows) as i64).collect())
}
