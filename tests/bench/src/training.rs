//! W10: a step of training.

use anyhow::Result;
use extype::prelude::*;
use extype::train::{Adam, Loss, SparseCategoricalCrossentropy};

use crate::inputs::{labels, tensor, tensor_in};
use crate::runner::Runner;

/// The sizes of the layers, from the input to the classes.
const SIZES: [usize; 4] = [784, 512, 512, 10];
const BATCH: usize = 128;

/// Weights and biases of the layers, the same in all peers.
fn params() -> Result<Vec<(Variable, Variable)>, Error> {
    let layers = SIZES.windows(2).zip([200, 202, 204]);
    let layer = |(sizes, stream): (&[usize], u64)| {
        let bound = 1.0 / (sizes[0] as f32).sqrt();
        let weights = Variable::new(tensor_in(stream, sizes, -bound, bound)?)?;
        Ok((weights, Variable::new(vec![0.0f32; sizes[1]])?))
    };
    layers.map(layer).collect()
}

/// W10: loss, gradients and an Adam step of a network with two hidden layers.
///
/// # Errors
/// What a call fails with.
pub(crate) fn training(runner: &Runner) -> Result<()> {
    let (x, y) = (tensor(15, &[BATCH, SIZES[0]])?, labels(16, BATCH, SIZES[3] as u64));
    let (params, optimizer) = (params()?, Adam::new(1e-3).epsilon(1e-8));
    let step = function(move |x: &Tensor, y: &Tensor| {
        let tape = GradientTape::new();
        let (loss, gradients) = tape.value_and_gradient(&params, || {
            let mut x = x.clone();
            for (i, (weights, bias)) in params.iter().enumerate() {
                x = x.matmul(&weights.read()?)? + bias.read()?;
                if i + 1 < params.len() {
                    x = x.relu()?;
                }
            }
            SparseCategoricalCrossentropy::new().from_logits().call(y, &x)
        })?;
        optimizer.apply(&gradients, &params)?;
        Ok(loss)
    });
    runner.time(("W10", "mlp_step"), || step.call(&x, &y))
}
