//! Sequences without an alignment: losses and decoders of connectionist temporal classification, edit distances.

mod decode;
mod distance;
mod functions;
mod loss;

pub use functions::*;

use crate::define_op;
use crate::types::{DType, DTypeSet};

/// The dtypes of logits.
const LOGITS: DTypeSet = DTypeSet::of(&[DType::F32, DType::F64]);

define_op! {
    /// The negative logarithms of the probabilities of label sequences, given logits for each step and class, and their
    /// gradients with respect to the logits.
    ///
    /// TensorFlow: `CTCLoss`. Logits `[time, batch, classes]`, of which the last class is the blank; labels as a sparse
    /// matrix with a row for each sequence, its indices ascending; the lengths of the sequences. For labels in a dense
    /// matrix there is [`ctc_loss()`].
    ///
    /// [`ctc_loss()`]: crate::ops::ctc_loss()
    pub op CtcLoss = "CTCLoss" {
        inputs: { inputs: T, labels_indices: {I64}, labels_values: {I32}, sequence_length: {I32} },
        outputs: { loss: T, gradient: T },
        types: { T: LOGITS },
        attrs: {
            preprocess_collapse_repeated: bool = false, ctc_merge_repeated: bool = true,
            ignore_longer_outputs_than_inputs: bool = false
        },
        dispatch: none,
        infer: loss::infer, kernel: loss::kernel,
        gradient: loss::gradient,
    }

    /// The best class of each step, without blanks, as a sparse matrix with a row for each sequence; and the negative
    /// sums of the logits of these classes.
    ///
    /// TensorFlow: `CTCGreedyDecoder`. Logits `[time, batch, classes]`; a negative blank index counts from the end. With
    /// `merge_repeated`, a class that follows itself is left out.
    pub op CtcGreedyDecoder = "CTCGreedyDecoder" {
        inputs: { inputs: T, sequence_length: {I32} },
        outputs: { decoded_indices: {I64}, decoded_values: {I64}, decoded_shape: {I64}, log_probability: T },
        types: { T: LOGITS }, attrs: { merge_repeated: bool = false, blank_index: i64 = -1 },
        dispatch: none,
        infer: decode::infer_greedy, kernel: decode::greedy,
    }

    /// The most probable label sequences that a search with a beam finds, each path a sparse matrix with a row for each
    /// sequence; and the logarithms of their probabilities.
    ///
    /// TensorFlow: `CTCBeamSearchDecoder`. Logits `[time, batch, classes]`, of which the last class is the blank.
    pub op CtcBeamSearchDecoder = "CTCBeamSearchDecoder" {
        inputs: { inputs: T, sequence_length: {I32} },
        outputs: {
            decoded_indices: [{I64}; top_paths], decoded_values: [{I64}; top_paths],
            decoded_shape: [{I64}; top_paths], log_probability: T
        },
        types: { T: LOGITS }, attrs: { beam_width: i64, top_paths: i64, merge_repeated: bool = true },
        dispatch: none,
        infer: decode::infer_beam, kernel: decode::beam,
    }

    /// The Levenshtein distances of the sequences along the last axis of two sparse tensors.
    ///
    /// TensorFlow: `EditDistance`. A distance for each place of the other axes, float32; with `normalize` divided by the
    /// length of the truth, so infinite where only the truth is empty.
    pub op EditDistance = "EditDistance" {
        inputs: {
            hypothesis_indices: {I64}, hypothesis_values: T, hypothesis_shape: {I64},
            truth_indices: {I64}, truth_values: T, truth_shape: {I64}
        },
        outputs: { output: {F32} },
        types: { T: DTypeSet::COMPARABLE.or(DTypeSet::FLOAT8) }, attrs: { normalize: bool = true },
        dispatch: none,
        infer: distance::infer, kernel: distance::kernel,
        gradient: none,
    }
}
