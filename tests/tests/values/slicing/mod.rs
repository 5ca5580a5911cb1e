//! Indexing, rolling, mirroring, splitting, scattering, diagonals: what they give, against plain
//! definitions, and what they refuse.

mod bad_input;
mod indexing;
mod laws;
mod tracing;

use extype::prelude::*;

/// The elements `0, 1, 2, …` under this shape.
fn counted(sizes: &[usize]) -> Tensor {
    let data: Vec<f32> = (0..sizes.iter().product::<usize>()).map(|i| i as f32).collect();
    Tensor::from_slice(&data, sizes).unwrap()
}

/// The sizes of a tensor.
fn sizes(x: &Tensor) -> Vec<usize> {
    x.shape().sizes().unwrap().into_vec()
}

/// The elements of a tensor of floats.
fn floats(x: &Tensor) -> Vec<f32> {
    x.to_vec().unwrap()
}
