//! `tf.nn`: losses of label sequences and of some of many classes.

use extype::ops::{self, BatchMajor, Blank, CtcLoss, Op as _};
use extype::{Result, Tensor};

use super::{Params, Row, one, row};

/// The rows.
pub(super) const ROWS: &[Row] = &[
    row("tf.nn.ctc_loss", |p, x| {
        let blank = Blank(p.int("blank_index", 0));
        let (labels, logits, label_lengths, logit_lengths) = (&x[0], &x[1], &x[2], &x[3]);
        // Time comes first in Python, too, unless it is told otherwise.
        if p.has("logits_time_major") && !p.flag("logits_time_major") {
            let options = (blank, BatchMajor);
            return one(ops::ctc_loss(labels, logits, label_lengths, logit_lengths, options));
        }
        one(ops::ctc_loss(labels, logits, label_lengths, logit_lengths, blank))
    }),
    row("tf.nn.ctc_unique_labels", |_, x| {
        let (labels, places) = ops::ctc_unique_labels(&x[0])?;
        Ok(vec![labels, places])
    }),
    row("tf.nn.collapse_repeated", |_, x| {
        let (labels, lengths) = ops::collapse_repeated(&x[0], &x[1])?;
        Ok(vec![labels, lengths])
    }),
    row("tf.nn.nce_loss", |p, x| {
        let without_hits = p.flag("remove_accidental_hits");
        one(ops::nce_loss(&x[0], &x[1], &x[2], &x[3], [&x[4], &x[5], &x[6]], without_hits))
    }),
    row("tf.nn.sampled_softmax_loss", |p, x| {
        let hits = p.has("remove_accidental_hits") && !p.flag("remove_accidental_hits");
        one(ops::sampled_softmax_loss(&x[0], &x[1], &x[2], &x[3], [&x[4], &x[5], &x[6]], !hits))
    }),
];

/// The programs.
pub(super) const PROGRAMS: &[Row] = &[row("program.ctc_loss_v1", ctc_loss)];

/// The older loss, of labels in a sparse matrix: values, indices and sizes.
fn ctc_loss(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    let op = CtcLoss {
        preprocess_collapse_repeated: p.flag("preprocess_collapse_repeated"),
        ctc_merge_repeated: !p.has("ctc_merge_repeated") || p.flag("ctc_merge_repeated"),
        ignore_longer_outputs_than_inputs: p.flag("ignore_longer_outputs_than_inputs"),
    };
    let (loss, _) = op.run_as(&[&x[3], &x[1], &x[0], &x[4]])?;
    Ok(vec![loss])
}
