//! W6's rows, W7, W13 and W14: parts of models.

use anyhow::Result;
use extype::prelude::*;
use extype_masked::MaskedTensor;

use crate::inputs::{tensor, tensor_in};
use crate::runner::Runner;

/// A layer norm of the rows, as a user writes it.
fn layer_norm(x: &Tensor, scale: &Tensor, shift: &Tensor) -> Result<Tensor, Error> {
    let centered = x - x.reduce_mean(-1, true)?;
    let variance = centered.square()?.reduce_mean(-1, true)?;
    Ok(centered * (variance + 1e-5).rsqrt()? * scale + shift)
}

/// W6: rows of a matrix.
///
/// # Errors
/// What an op fails with.
pub(crate) fn rows(runner: &Runner) -> Result<()> {
    if !["softmax", "layernorm"].iter().any(|name| runner.wants("W6", name)) {
        return Ok(());
    }
    let x = tensor_in(9, &[4096, 1024], -3.0, 3.0)?;
    let f = function(|x: &Tensor| ops::softmax(x));
    runner.time(("W6", "softmax"), || f.call(&x))?;
    let (scale, shift) = (ops::ones([1024], f32)?, ops::zeros([1024], f32)?);
    let f = function(|x: &Tensor, scale: &Tensor, shift: &Tensor| layer_norm(x, scale, shift));
    runner.time(("W6", "layernorm"), || f.call(&x, &scale, &shift))
}

/// W7: the means of the valid elements of rows.
///
/// # Errors
/// What an op fails with.
pub(crate) fn masked(runner: &Runner) -> Result<()> {
    if !runner.wants("W7", "masked_add_mean") {
        return Ok(());
    }
    let operand = |stream: u64| -> Result<MaskedTensor> {
        let valid = tensor_in(stream + 1, &[1000, 1000], 0.0, 1.0)?.greater_equal(0.3)?;
        Ok(MaskedTensor::new(tensor(stream, &[1000, 1000])?, valid)?)
    };
    let (a, b) = (operand(10)?, operand(12)?);
    let f = function(|a: &MaskedTensor, b: &MaskedTensor| ops::add(a, b)?.reduce_mean(1, false));
    runner.time(("W7", "masked_add_mean"), || Ok(f.call(&a, &b)?.values))
}

/// The sizes of a transformer block: the length of a sequence, its features, the heads, the hidden features.
const LENGTH: usize = 128;
const FEATURES: usize = 256;
const HEADS: usize = 8;
const HIDDEN: usize = 1024;

/// The weights of the block.
#[derive(ExtensionType, Clone, Debug)]
struct Block {
    scales: [Tensor; 2],
    shifts: [Tensor; 2],
    attention: (Tensor, Tensor),
    output: (Tensor, Tensor),
    hidden: (Tensor, Tensor),
    last: (Tensor, Tensor),
}

impl Block {
    /// Weights as the peers have them.
    fn made() -> Result<Self, Error> {
        let dense = |stream: u64, from: usize, to: usize| {
            let bound = 1.0 / (from as f32).sqrt();
            Ok((tensor_in(stream, &[from, to], -bound, bound)?, ops::zeros([to], f32)?))
        };
        let ones = || ops::ones([FEATURES], f32);
        let zeros = || ops::zeros([FEATURES], f32);
        Ok(Self {
            scales: [ones()?, ones()?],
            shifts: [zeros()?, zeros()?],
            attention: dense(300, FEATURES, 3 * FEATURES)?,
            output: dense(301, FEATURES, FEATURES)?,
            hidden: dense(302, FEATURES, HIDDEN)?,
            last: dense(303, HIDDEN, FEATURES)?,
        })
    }

    /// The block on sequences `[batch, LENGTH, FEATURES]`.
    fn call(&self, x: &Tensor, batch: usize) -> Result<Tensor, Error> {
        let dense = |x: &Tensor, (weights, bias): &(Tensor, Tensor)| Ok(x.matmul(weights)? + bias);
        let (length, width) = (LENGTH as i64, (FEATURES / HEADS) as i64);
        let (batch, heads) = (batch as i64, HEADS as i64);
        let h = layer_norm(x, &self.scales[0], &self.shifts[0])?;
        let all = dense(&h, &self.attention)?.reshape([batch, length, 3, heads, width])?;
        let all = all.transpose([2, 0, 3, 1, 4])?.unstack(3, 0)?;
        let [queries, keys, values] = &all[..] else { return Err(Error::internal("three parts")) };
        let scores = queries.matmul(keys.transpose([0, 1, 3, 2])?)? * (width as f32).powf(-0.5);
        let seen = ops::softmax(scores)?.matmul(values)?.transpose([0, 2, 1, 3])?;
        let seen = seen.reshape([batch, length, heads * width])?;
        let x = x + dense(&seen, &self.output)?;
        let h = layer_norm(&x, &self.scales[1], &self.shifts[1])?;
        let h = ops::gelu(dense(&h, &self.hidden)?, true)?;
        Ok(&x + dense(&h, &self.last)?)
    }
}

/// W13: a block of a transformer.
///
/// # Errors
/// What an op fails with.
pub(crate) fn transformer(runner: &Runner) -> Result<()> {
    for batch in [1, 8] {
        let name = format!("tblock_b{batch}");
        if !runner.wants("W13", &name) {
            continue;
        }
        let (x, block) = (tensor(18, &[batch, LENGTH, FEATURES])?, Block::made()?);
        let f = function(move |block: &Block, x: &Tensor| block.call(x, batch));
        runner.time(("W13", &name), || f.call(&block, &x))?;
    }
    Ok(())
}

/// The layers of a network of convolutions: kernels or weights, and biases.
#[derive(ExtensionType, Clone, Debug)]
struct Convolutions {
    kernels: [(Tensor, Tensor); 3],
    last: (Tensor, Tensor),
}

impl Convolutions {
    /// Weights as the peers have them.
    fn made() -> Result<Self, Error> {
        let kernel = |stream: u64, from: usize, to: usize| {
            let bound = 1.0 / (9.0 * from as f32).sqrt();
            Ok((tensor_in(stream, &[3, 3, from, to], -bound, bound)?, ops::zeros([to], f32)?))
        };
        Ok(Self {
            kernels: [kernel(310, 3, 32)?, kernel(311, 32, 64)?, kernel(312, 64, 128)?],
            last: (tensor_in(313, &[128, 10], -0.08, 0.08)?, ops::zeros([10], f32)?),
        })
    }

    /// The network on images `[batch, height, width, 3]`.
    fn call(&self, x: &Tensor) -> Result<Tensor, Error> {
        let layer = |x: &Tensor, (kernel, bias): &(Tensor, Tensor)| {
            ops::relu(x.conv2d(kernel, ops::Padding::Same)? + bias)
        };
        let [first, second, third] = &self.kernels;
        let x = layer(&layer(x, first)?, second)?.max_pool2d(2, ..)?;
        let features = layer(&x, third)?.reduce_mean([1, 2], false)?;
        Ok(features.matmul(&self.last.0)? + &self.last.1)
    }
}

/// W14: convolutions of small images.
///
/// # Errors
/// What an op fails with.
pub(crate) fn convolutions(runner: &Runner) -> Result<()> {
    if !runner.wants("W14", "cnn_b8") {
        return Ok(());
    }
    let (x, network) = (tensor(19, &[8, 32, 32, 3])?, Convolutions::made()?);
    let f = function(|network: &Convolutions, x: &Tensor| network.call(x));
    runner.time(("W14", "cnn_b8"), || f.call(&network, &x))
}
