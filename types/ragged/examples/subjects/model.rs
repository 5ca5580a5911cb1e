//! The classifier: the mean of vectors of words.

use extype::prelude::*;
use extype::train::{Adam, Initializer, Loss, SparseCategoricalCrossentropy};
use extype_ragged::RaggedTensor;

/// The size of the vector of a word.
const FEATURES: usize = 32;

/// Sentences, and of which subject they are.
#[derive(ExtensionType, Clone, Debug)]
pub(crate) struct Samples {
    /// The numbers of the words: int64 `[sentences, (words)]`.
    pub(crate) words: RaggedTensor,
    /// int64 `[sentences]`.
    pub(crate) subjects: Tensor,
}

/// A vector for each word, and what it says for each subject.
#[derive(Module)]
pub(crate) struct Model {
    embeddings: Variable,
    kernel: Variable,
    bias: Variable,
}

impl Model {
    pub(crate) fn new(words: usize, subjects: usize, seed: i64) -> Result<Self> {
        let random = |seed| Initializer::glorot_uniform().seed(seed);
        Ok(Self {
            embeddings: random(seed).variable([words, FEATURES], f32)?,
            kernel: random(seed + 1).variable([FEATURES, subjects], f32)?,
            bias: Initializer::zeros().variable([subjects], f32)?,
        })
    }

    /// What speaks for each subject: `[sentences, subjects]`. A sentence without words says nothing.
    fn logits(&self, words: &RaggedTensor) -> Result<Tensor> {
        let vectors: RaggedTensor = ops::gather(&self.embeddings.read()?, words, 0)?;
        let means = vectors.reduce_mean(1, false)?.into_tensor()?;
        let means = ops::select(means.is_finite()?, &means, 0.0)?;
        Ok(means.matmul(&self.kernel)? + &self.bias)
    }

    /// Learns from all sentences; returns the loss before.
    #[tf_function]
    pub(crate) fn train_step(&self, optimizer: &Adam, samples: &Samples) -> Result<Tensor> {
        let params = self.variables();
        let tape = GradientTape::new();
        let (loss, gradients) = tape.value_and_gradient(&params, || {
            let loss = SparseCategoricalCrossentropy::new().from_logits();
            loss.call(&samples.subjects, &self.logits(&samples.words)?)
        })?;
        optimizer.apply(&gradients, &params)?;
        Ok(loss)
    }

    /// The share of the sentences that are placed right.
    #[tf_function]
    pub(crate) fn accuracy(&self, samples: &Samples) -> Result<Tensor> {
        let placed = self.logits(&samples.words)?.argmax(1)?;
        placed.equal(&samples.subjects)?.cast(f32)?.reduce_mean(.., false)
    }

    /// How probable each subject is: `[sentences, subjects]`.
    #[tf_function]
    pub(crate) fn probabilities(&self, words: &RaggedTensor) -> Result<Tensor> {
        ops::softmax(self.logits(words)?)
    }

    /// What each word says for each subject: `[words, subjects]`.
    pub(crate) fn words_for_subjects(&self) -> Result<Tensor> {
        self.embeddings.read()?.matmul(&self.kernel)
    }
}
