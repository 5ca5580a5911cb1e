//! The network: two layers, and what is done with them.

use extype::prelude::*;
use extype::random;

use crate::data::{CLASSES, Digits, PIXELS};

/// A layer: `x · kernel + bias`.
#[derive(Module)]
struct Dense {
    kernel: Variable,
    bias: Variable,
}

impl Dense {
    fn new(inputs: usize, units: usize, seed: [i64; 2]) -> Result<Self> {
        let deviation = (2.0 / inputs as f64).sqrt();
        let kernel = random::stateless_normal([inputs, units], seed, 0.0, deviation, f32)?;
        Ok(Self { kernel: Variable::new(kernel)?, bias: Variable::new(vec![0.0f32; units])? })
    }

    fn call(&self, x: &Tensor) -> Result<Tensor> {
        Ok(x.matmul(&self.kernel.read()?)? + self.bias.read()?)
    }
}

/// How well digits are read.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "examples.Scores")]
pub(crate) struct Scores {
    /// The mean cross entropy.
    pub(crate) loss: Tensor,
    /// The share that is read right.
    pub(crate) accuracy: Tensor,
}

/// A network with one hidden layer.
#[derive(Module)]
pub(crate) struct Mlp {
    hidden: Dense,
    output: Dense,
}

impl Mlp {
    pub(crate) fn new(hidden: usize, seed: i64) -> Result<Self> {
        Ok(Self {
            hidden: Dense::new(PIXELS, hidden, [seed, 0])?,
            output: Dense::new(hidden, CLASSES, [seed, 1])?,
        })
    }

    /// What speaks for each digit: `[n, 10]`.
    fn logits(&self, images: &Tensor) -> Result<Tensor> {
        self.output.call(&self.hidden.call(images)?.relu()?)
    }

    /// How probable each digit is: `[n, 10]`.
    #[tf_function]
    pub(crate) fn probabilities(&self, images: &Tensor) -> Result<Tensor> {
        ops::softmax(self.logits(images)?)
    }

    /// The scores on these digits.
    #[tf_function]
    pub(crate) fn scores(&self, digits: &Digits) -> Result<Scores> {
        let logits = self.logits(&digits.images)?;
        let loss = ops::sparse_softmax_cross_entropy_with_logits(&digits.labels, &logits)?;
        let right = logits.argmax(1)?.equal(&digits.labels)?;
        Ok(Scores {
            loss: loss.reduce_mean(.., false)?,
            accuracy: right.cast(f32)?.reduce_mean(.., false)?,
        })
    }

    /// Learns from a batch; returns the loss before.
    #[tf_function]
    pub(crate) fn train_step(&self, rate: &Tensor, digits: &Digits) -> Result<Tensor> {
        let tape = GradientTape::new();
        let params = self.variables();
        let (loss, gradients) = tape.value_and_gradient(&params, || {
            let logits = self.logits(&digits.images)?;
            ops::sparse_softmax_cross_entropy_with_logits(&digits.labels, &logits)?
                .reduce_mean(.., false)
        })?;
        for v in &params {
            if let Some(g) = gradients.of(v)? {
                v.assign_sub(g * rate)?;
            }
        }
        Ok(loss)
    }
}
