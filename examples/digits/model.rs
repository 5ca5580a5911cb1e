//! The network: two layers, and what is done with them.

use extype::prelude::*;
use extype::train::{Adam, Initializer, Loss, SparseCategoricalCrossentropy};

use crate::data::{CLASSES, Digits, PIXELS};

/// A layer: `x · kernel + bias`.
#[derive(Module)]
struct Dense {
    kernel: Variable,
    bias: Variable,
}

impl Dense {
    fn new(inputs: usize, units: usize, seed: i64) -> Result<Self> {
        Ok(Self {
            kernel: Initializer::he_normal().seed(seed).variable([inputs, units], f32)?,
            bias: Initializer::zeros().variable([units], f32)?,
        })
    }

    fn call(&self, x: &Tensor) -> Result<Tensor> {
        Ok(x.matmul(&self.kernel)? + &self.bias)
    }
}

/// A network with one hidden layer.
#[derive(Module)]
pub(crate) struct Mlp {
    hidden: Dense,
    output: Dense,
}

/// How well digits are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scores {
    /// The mean cross entropy.
    pub(crate) loss: f64,
    /// The share that is read right.
    pub(crate) accuracy: f64,
}

impl Mlp {
    pub(crate) fn new(hidden: usize, seed: i64) -> Result<Self> {
        Ok(Self {
            hidden: Dense::new(PIXELS, hidden, seed)?,
            output: Dense::new(hidden, CLASSES, seed.wrapping_add(1))?,
        })
    }

    /// What speaks for each digit: `[n, 10]`.
    fn logits(&self, images: &Tensor) -> Result<Tensor> {
        self.output.call(&self.hidden.call(images)?.relu()?)
    }

    fn loss(&self, digits: &Digits) -> Result<Tensor> {
        let loss = SparseCategoricalCrossentropy::new().from_logits();
        loss.call(&digits.labels, &self.logits(&digits.images)?)
    }

    /// Learns from a batch; returns the loss before.
    #[tf_function]
    pub(crate) fn train_step(&self, optimizer: &Adam, batch: &Digits) -> Result<Tensor> {
        let params = self.variables();
        let tape = GradientTape::new();
        let (loss, gradients) = tape.value_and_gradient(&params, || self.loss(batch))?;
        optimizer.apply(&gradients, &params)?;
        Ok(loss)
    }

    /// How probable each digit is: `[n, 10]`.
    #[tf_function]
    pub(crate) fn probabilities(&self, images: &Tensor) -> Result<Tensor> {
        ops::softmax(self.logits(images)?)
    }

    #[tf_function]
    fn loss_and_accuracy(&self, digits: &Digits) -> Result<(Tensor, Tensor)> {
        let right = self.logits(&digits.images)?.argmax(1)?.equal(&digits.labels)?;
        Ok((self.loss(digits)?, right.cast(f32)?.reduce_mean(.., false)?))
    }

    /// The scores on these digits.
    pub(crate) fn scores(&self, digits: &Digits) -> Result<Scores> {
        let (loss, accuracy) = self.loss_and_accuracy(digits)?;
        Ok(Scores { loss: loss.item::<f32>()?.into(), accuracy: accuracy.item::<f32>()?.into() })
    }
}
