//! Candidates drawn from a range of classes, with how often each is expected, and the losses that use them.

mod functions;
mod kernel;

pub(in crate::ops) use kernel::generator;

pub use functions::*;

use crate::define_op;

define_op! {
    attrs Sampled { num_true: i64, num_sampled: i64, unique: bool }
    attrs Seeds { seed: i64 = 0, seed2: i64 = 0 }

    /// Draws classes of `0..range_max` with the same probability each: the classes, and how often the true classes and the
    /// drawn ones are expected among them.
    ///
    /// TensorFlow: `UniformCandidateSampler`. True classes are int64 `[batch, num_true]`; with `unique` no class is drawn
    /// twice. Two seeds of zero draw other classes in each call; other seeds draw the same in each call, those of the
    /// first call in TensorFlow.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let truth = tensor![[3i64]];
    /// let (drawn, of_truth, _) = ops::uniform_candidate_sampler(&truth, 1, 5, false, 10, 0, 0)?;
    /// assert_eq!(drawn.shape(), shape![5]);
    /// assert_eq!(of_truth.as_slice::<f32>()?, &[0.5]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op UniformCandidateSampler = "UniformCandidateSampler" {
        inputs: { true_classes: {I64} },
        outputs: { sampled_candidates: {I64}, true_expected_count: {F32}, sampled_expected_count: {F32} },
        attrs: { ..Sampled, range_max: i64, ..Seeds },
        call: uniform_candidate_sampler(true_classes; num_true, num_sampled, unique, range_max, seed, seed2),
        effect: Impure,
        infer: kernel::infer_range, kernel: kernel::uniform,
        gradient: none,
    }

    /// Draws as [`UniformCandidateSampler`] does, classes by Zipf's law: class `k` with a probability about `1 / (k + 1)`.
    ///
    /// TensorFlow: `LogUniformCandidateSampler`. Good for words that are sorted by how often they occur.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let truth = tensor![[0i64, 9]];
    /// let (_, of_truth, _) = ops::log_uniform_candidate_sampler(&truth, 2, 5, false, 10, 0, 0)?;
    /// assert!(of_truth.as_slice::<f32>()?[0] > 1.0 && of_truth.as_slice::<f32>()?[1] < 0.3);
    /// # Ok::<(), Error>(())
    /// ```
    pub op LogUniformCandidateSampler = "LogUniformCandidateSampler" {
        inputs: { true_classes: {I64} },
        outputs: { sampled_candidates: {I64}, true_expected_count: {F32}, sampled_expected_count: {F32} },
        attrs: { ..Sampled, range_max: i64, ..Seeds },
        call: log_uniform_candidate_sampler(true_classes; num_true, num_sampled, unique, range_max, seed, seed2),
        effect: Impure,
        infer: kernel::infer_range, kernel: kernel::log_uniform,
        gradient: none,
    }

    /// Draws as [`UniformCandidateSampler`] does, in the way of TensorFlow's first call of an op that learns how often
    /// classes are true. Nothing is remembered from call to call here.
    ///
    /// TensorFlow: `LearnedUnigramCandidateSampler`.
    pub op LearnedUnigramCandidateSampler = "LearnedUnigramCandidateSampler" {
        inputs: { true_classes: {I64} },
        outputs: { sampled_candidates: {I64}, true_expected_count: {F32}, sampled_expected_count: {F32} },
        attrs: { ..Sampled, range_max: i64, ..Seeds },
        dispatch: none,
        effect: Impure,
        infer: kernel::infer_range, kernel: kernel::learned,
        gradient: none,
    }

    /// Draws as [`UniformCandidateSampler`] does, by a weight of each class.
    ///
    /// TensorFlow: `FixedUnigramCandidateSampler`. Weights are `unigrams`, or the last columns of the lines of the CSV file
    /// `vocab_file`, raised to the power `distortion`. `num_reserved_ids` classes before them are never drawn. Of several
    /// shards, each draws from every `num_shards`-th class.
    pub op FixedUnigramCandidateSampler = "FixedUnigramCandidateSampler" {
        inputs: { true_classes: {I64} },
        outputs: { sampled_candidates: {I64}, true_expected_count: {F32}, sampled_expected_count: {F32} },
        attrs: {
            ..Sampled, range_max: i64, vocab_file: String = String::new(), distortion: f32 = 1.0,
            num_reserved_ids: i64 = 0, num_shards: i64 = 1, shard: i64 = 0, unigrams: Vec<f32> = Vec::new(), ..Seeds,
        },
        dispatch: none,
        effect: Impure,
        infer: kernel::infer_range, kernel: kernel::fixed,
        gradient: none,
    }

    /// Returns all classes `0..num_sampled`, each of which is expected once.
    ///
    /// TensorFlow: `AllCandidateSampler`.
    pub op AllCandidateSampler = "AllCandidateSampler" {
        inputs: { true_classes: {I64} },
        outputs: { sampled_candidates: {I64}, true_expected_count: {F32}, sampled_expected_count: {F32} },
        attrs: { ..Sampled, ..Seeds },
        dispatch: none,
        infer: kernel::infer, kernel: kernel::all,
        gradient: none,
    }

    /// Finds drawn classes that are true ones: the rows of the true classes, the places of the drawn ones, and as many of
    /// the least float32.
    ///
    /// TensorFlow: `ComputeAccidentalHits`.
    pub op ComputeAccidentalHits = "ComputeAccidentalHits" {
        inputs: { true_classes: {I64}, sampled_candidates: {I64} },
        outputs: { indices: {I32}, ids: {I64}, weights: {F32} },
        attrs: { num_true: i64, ..Seeds },
        dispatch: none,
        infer: kernel::infer_hits, kernel: kernel::hits,
        gradient: none,
    }
}
