//! The training loop.

use anyhow::{Result, ensure};
use extype::train::Adam;

use crate::data::Digits;
use crate::model::{Mlp, Scores};
use crate::options::Options;

/// The scores after an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Epoch {
    pub(crate) training: Scores,
    pub(crate) held_out: Scores,
}

/// Trains a model, and tells `seen` of each epoch when it is over.
pub(crate) fn train(
    model: &Mlp,
    training: &Digits,
    held_out: &Digits,
    options: &Options,
    mut seen: impl FnMut(&Epoch),
) -> Result<Vec<Epoch>> {
    let optimizer = Adam::new(options.rate);
    let mut epochs = Vec::new();
    for number in 0..options.epochs {
        for batch in training.batches(options.batch, [options.seed, number as i64])? {
            let _loss = model.train_step(&optimizer, &batch?)?;
        }
        let epoch = Epoch { training: model.scores(training)?, held_out: model.scores(held_out)? };
        let finite = epoch.training.loss.is_finite() && epoch.held_out.loss.is_finite();
        ensure!(finite, "epoch {}: the loss is not finite; try a smaller --rate", number + 1);
        seen(&epoch);
        epochs.push(epoch);
    }
    Ok(epochs)
}
