//! The training loop.

use anyhow::{Result, ensure};
use extype::tensor;

use crate::data::Digits;
use crate::model::{Mlp, Scores};
use crate::options::Options;

/// Scores as plain numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Numbers {
    pub(crate) loss: f64,
    pub(crate) accuracy: f64,
}

impl TryFrom<Scores> for Numbers {
    type Error = extype::Error;

    fn try_from(scores: Scores) -> Result<Self, Self::Error> {
        let number = |t: extype::Tensor| t.item::<f32>().map(f64::from);
        Ok(Self { loss: number(scores.loss)?, accuracy: number(scores.accuracy)? })
    }
}

/// The scores after an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Epoch {
    pub(crate) training: Numbers,
    pub(crate) held_out: Numbers,
}

/// Trains a model, and tells `seen` of each epoch when it is over.
pub(crate) fn train(
    model: &Mlp,
    training: &Digits,
    held_out: &Digits,
    options: &Options,
    mut seen: impl FnMut(&Epoch),
) -> Result<Vec<Epoch>> {
    let rate = tensor!(options.rate as f32);
    let mut epochs = Vec::new();
    for epoch in 0..options.epochs {
        for batch in training.batches(options.batch, [options.seed, epoch as i64])? {
            model.train_step(&rate, &batch?)?;
        }
        let scores = Epoch {
            training: model.scores(training)?.try_into()?,
            held_out: model.scores(held_out)?.try_into()?,
        };
        let finite = scores.training.loss.is_finite() && scores.held_out.loss.is_finite();
        ensure!(finite, "epoch {}: the loss is not finite; try a smaller --rate", epoch + 1);
        seen(&scores);
        epochs.push(scores);
    }
    Ok(epochs)
}
