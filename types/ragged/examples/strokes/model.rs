//! What the ink at each place says for each digit.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use extype::control::host_function;
use extype::data::Dataset;
use extype::prelude::*;
use extype::train::{Adam, Loss, SparseCategoricalCrossentropy};
use extype_ragged::RaggedTensor;

/// The pixels of an image.
pub(crate) const PLACES: usize = 64;
/// The digits that there are.
const CLASSES: usize = 10;

/// A batch of images by their ink, and the digits on them.
type Batch = (RaggedTensor, Tensor);

/// What speaks for each digit, place by place.
#[derive(Module)]
pub(crate) struct Strokes {
    evidence: Variable,
    bias: Variable,
}

impl Strokes {
    pub(crate) fn new() -> Result<Self> {
        Ok(Self {
            evidence: Variable::new(ops::zeros([PLACES, CLASSES], f32)?)?.name("evidence"),
            bias: Variable::new(ops::zeros([CLASSES], f32)?)?.name("bias"),
        })
    }

    /// The sums of what the ink of each image says: `[n, 10]`.
    fn logits(&self, places: &RaggedTensor) -> Result<Tensor> {
        let evidence = ops::gather(&self.evidence.read()?, places, 0)?;
        let sums = ops::reduce_sum(&evidence, 1, false)?.into_tensor()?;
        ops::add(sums, self.bias.read()?)
    }

    /// Learns from a batch; returns the loss before. Every other step, as the seed says, some of the ink is missing.
    #[tf_function]
    pub(crate) fn step(
        &self,
        optimizer: &Adam,
        places: &RaggedTensor,
        labels: &Tensor,
        seed: &Tensor,
    ) -> Result<Tensor> {
        let faded = seed.reduce_sum(.., false)?.floor_mod(2)?.equal(0)?;
        // Two ragged tensors with different numbers of values: a conditional of any type.
        let places = cond(&faded, || without_some(places, seed), || Ok(places.clone()))?;
        let params = self.variables();
        let tape = GradientTape::new();
        let loss = SparseCategoricalCrossentropy::new().from_logits();
        let (loss, gradients) =
            tape.value_and_gradient(&params, || loss.call(labels, &self.logits(&places)?))?;
        optimizer.apply(&gradients, &params)?;
        Ok(loss)
    }
}

/// A tenth of the ink is gone.
fn without_some(places: &RaggedTensor, seed: &Tensor) -> Result<RaggedTensor> {
    let size = ops::shape_of(&places.flat_values)?;
    let stays = random::stateless_uniform(size, seed, .., f32)?.less(0.9)?;
    places.boolean_mask(&places.with_flat_values(stays)?)
}

/// How often a digit was read as another one.
#[derive(Clone, Default)]
pub(crate) struct Readings(Arc<Mutex<HashMap<(i64, i64), usize>>>);

impl Readings {
    /// How many images are read right. One traced function reads all batches in a loop, and calls Rust code with each.
    pub(crate) fn check(&self, strokes: &Strokes, batches: &Dataset<Batch>) -> Result<i64> {
        let steps = batches.steps()?;
        let this = self.clone();
        let check = function(|| -> Result<Tensor> {
            let (_, right) = while_loop(
                (steps.next()?, scalar(0i64)),
                |(batch, _)| Ok(batch.has_value().clone()),
                |(batch, right)| {
                    let (places, labels) = batch.get_value()?;
                    let read = strokes.logits(&places)?.argmax(1)?;
                    let this = this.clone();
                    let noted = host_function(
                        &TensorSpec::of::<i64>([]),
                        move |(labels, read)| this.note(&labels, &read),
                        &(labels, read),
                    )?;
                    Ok((steps.next()?, ops::add(right, noted)?))
                },
            )?;
            Ok(right)
        });
        check.call()?.item()
    }

    /// Counts the readings; returns how many are right.
    fn note(&self, labels: &Tensor, read: &Tensor) -> Result<Tensor> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let pairs = labels.as_slice::<i64>()?.iter().zip(read.as_slice::<i64>()?);
        pairs.clone().for_each(|(digit, read)| *counts.entry((*digit, *read)).or_default() += 1);
        Ok(scalar(pairs.filter(|(digit, read)| digit == read).count() as i64))
    }

    /// Pairs of a digit and what it was taken for, the most frequent first.
    pub(crate) fn mistakes(&self) -> Vec<((i64, i64), usize)> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let wrong = counts.iter().filter(|((digit, read), _)| digit != read);
        let mut wrong: Vec<_> = wrong.map(|(pair, times)| (*pair, *times)).collect();
        wrong.sort_by_key(|(pair, times)| (std::cmp::Reverse(*times), *pair));
        wrong
    }
}
