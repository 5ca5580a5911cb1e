//! The loss of connectionist temporal classification, by forward and backward variables.

use crate::array::{Array, vec_for};
use crate::ir::{InferContext, KernelContext, Outputs, Types};
use crate::ops;
use crate::ops::CtcLoss;
use crate::ops::methods::*;
use crate::ops::ordering::kernel::cast;
use crate::ops::rules::gradient::{Gradient, InputGradients, first};
use crate::types::{DType, Result, Shape, TensorType, bail, err};

pub(in crate::ops) fn infer(c: &InferContext<'_>) -> Result<Types> {
    let named =
        |i: usize, rank, name: &str| c.shape(i).with_rank(rank).map_err(|e| e.prefixed(name));
    let inputs = named(0, 3, "`inputs`")?;
    let (indices, values) = (named(1, 2, "`labels_indices`")?, named(2, 1, "`labels_values`")?);
    let lengths = named(3, 1, "`sequence_length`")?;
    if !indices.dim(0)?.is_compatible_with(values.dim(0)?) {
        bail!("indices of shape {indices} for labels of shape {values}");
    }
    if indices.dim(1)?.size().is_some_and(|n| n != 2) {
        bail!("labels are a sparse matrix, whose indices have two columns, not shape {indices}");
    }
    let batch = Shape::from_iter([inputs.dim(1)?]).merge(&lengths)?;
    if batch.dim(0)?.size() == Some(0) {
        bail!("no sequence: logits of shape {inputs}");
    }
    if inputs.dim(2)?.size() == Some(0) {
        bail!("no class, not even the blank: logits of shape {inputs}");
    }
    let dims = [inputs.dim(0)?, batch.dim(0)?, inputs.dim(2)?];
    let dtype = c.input(0).dtype;
    Ok([TensorType::new(dtype, batch), TensorType::new(dtype, Shape::from_iter(dims))]
        .into_iter()
        .collect())
}

/// The logarithm of a sum of two numbers, given by their logarithms.
pub(super) fn log_sum(a: f64, b: f64) -> f64 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
}

/// The labels of each sequence.
fn labels(c: &KernelContext<'_>, batch: usize) -> Result<Vec<Vec<i64>>> {
    let values = c.input(2).as_slice::<i32>()?;
    let mut all = vec_for(batch)?;
    all.resize_with(batch, Vec::new);
    let mut last = [-1, -1];
    for (at, label) in c.input(1).as_slice::<i64>()?.chunks_exact(2).zip(values) {
        let row = usize::try_from(at[0]).ok().filter(|row| *row < batch && at[1] >= 0);
        let row =
            row.ok_or_else(|| err!("index {at:?} of a label; there are {batch} sequences"))?;
        if *at <= last[..] {
            bail!("index {at:?} of a label does not follow {last:?}");
        }
        last = [at[0], at[1]];
        all[row].push(i64::from(*label));
    }
    Ok(all)
}

/// The labels without repeats, if these collapse, and without the blanks at the end.
fn target(labels: &[i64], blank: i64, collapse: bool) -> Result<Vec<usize>> {
    let mut target = vec_for(labels.len())?;
    let mut ended = false;
    for (i, label) in labels.iter().enumerate() {
        if collapse && i > 0 && *label == labels[i - 1] {
            continue;
        }
        match usize::try_from(*label) {
            Err(_) => bail!("label {label} is negative"),
            Ok(_) if *label >= blank => ended = true,
            Ok(_) if ended => bail!("label {label} after a blank, {blank}, in {labels:?}"),
            Ok(class) => target.push(class),
        }
    }
    Ok(target)
}

/// One sequence: the logarithms of probabilities for each step and class, and the labels between blanks.
struct Sequence<'a> {
    logs: &'a [f64],
    classes: usize,
    states: Vec<usize>,
    merge: bool,
}

impl Sequence<'_> {
    fn log(&self, t: usize, state: usize) -> f64 {
        self.logs[t * self.classes + self.states[state]]
    }

    /// True if a path may go from state `u - 2` to `u`: to another label, past the blank.
    fn skips(&self, u: usize) -> bool {
        let blank = self.classes - 1;
        self.states[u] != blank && !(self.merge && self.states[u] == self.states[u - 2])
    }

    /// True if a path may stay in a state.
    fn stays(&self, u: usize) -> bool {
        self.merge || self.states[u] == self.classes - 1
    }

    /// The logarithm of the probability, and the gradients with respect to the logits, written for each step.
    fn loss(&self, steps: usize, mut write: impl FnMut(usize, usize, f64)) -> Result<f64> {
        let n = self.states.len();
        let cells =
            steps.checked_mul(n).ok_or_else(|| err!(ResourceExhausted, "too many steps"))?;
        let mut forward: Vec<f64> = vec_for(cells)?;
        forward.resize(cells, f64::NEG_INFINITY);
        let mut backward: Vec<f64> = vec_for(cells)?;
        backward.resize(cells, f64::NEG_INFINITY);
        for u in 0..n.min(2) {
            forward[u] = self.log(0, u);
            backward[(steps - 1) * n + n - 1 - u] = 0.0;
        }
        for t in 1..steps {
            let (before, now) = forward.split_at_mut(t * n);
            let before = &before[(t - 1) * n..];
            for u in 0..n {
                let mut sum = if self.stays(u) { before[u] } else { f64::NEG_INFINITY };
                if u > 0 {
                    sum = log_sum(sum, before[u - 1]);
                }
                if u > 1 && self.skips(u) {
                    sum = log_sum(sum, before[u - 2]);
                }
                now[u] = sum + self.log(t, u);
            }
        }
        for t in (1..steps).rev() {
            let (now, after) = backward.split_at_mut(t * n);
            let now = &mut now[(t - 1) * n..];
            for (u, now) in now.iter_mut().enumerate() {
                let then = |u: usize| after[u] + self.log(t, u);
                let mut sum = if self.stays(u) { then(u) } else { f64::NEG_INFINITY };
                if u + 1 < n {
                    sum = log_sum(sum, then(u + 1));
                }
                if u + 2 < n && self.skips(u + 2) {
                    sum = log_sum(sum, then(u + 2));
                }
                *now = sum;
            }
        }
        let whole = (0..n).fold(f64::NEG_INFINITY, |sum, u| log_sum(sum, forward[u] + backward[u]));
        let mut sums: Vec<f64> = vec_for(self.classes)?;
        for t in 0..steps {
            sums.clear();
            sums.resize(self.classes, f64::NEG_INFINITY);
            for (u, class) in self.states.iter().enumerate() {
                sums[*class] = log_sum(sums[*class], forward[t * n + u] + backward[t * n + u]);
            }
            for (class, sum) in sums.iter().enumerate() {
                // If no path has the labels, the gradient is that of the normalization alone.
                let part = if whole == f64::NEG_INFINITY { 0.0 } else { (sum - whole).exp() };
                write(t, class, self.logs[t * self.classes + class].exp() - part);
            }
        }
        Ok(whole)
    }
}

pub(in crate::ops) fn kernel(c: &KernelContext<'_>) -> Result<Outputs> {
    let &[time, batch, classes] = c.input(0).dims() else { bail!("logits have three axes") };
    let lengths = c.input(3).as_slice::<i32>()?;
    let collapse = c.get(CtcLoss::PREPROCESS_COLLAPSE_REPEATED)?;
    let merge = c.get(CtcLoss::CTC_MERGE_REPEATED)?;
    let ignore = c.get(CtcLoss::IGNORE_LONGER_OUTPUTS_THAN_INPUTS)?;
    let labels = labels(c, batch)?;
    for (b, n) in lengths.iter().enumerate() {
        if usize::try_from(*n).is_ok_and(|n| n > time) || *n < 0 {
            bail!("sequence {b} has {n} steps; there are logits for {time}");
        }
    }
    let dtype = c.input(0).dtype();
    let logits = cast(c.input(0), DType::F64)?;
    let logits = logits.as_slice::<f64>()?;
    let mut losses: Vec<f64> = vec_for(batch)?;
    let mut logs: Vec<f64> = vec_for(time.saturating_mul(classes))?;
    let gradient = c.output_slice(c.input(0).dims(), |out: &mut [f64]| {
        out.fill(0.0);
        for (b, labels) in labels.iter().enumerate() {
            let steps = lengths[b] as usize;
            if labels.is_empty() {
                bail!("sequence {b} has no label");
            }
            let target = target(labels, classes as i64 - 1, collapse)?;
            if labels.len() > steps && !ignore {
                bail!(
                    "sequence {b} has {} labels and {steps} steps; `ignore_longer_outputs_than_inputs` leaves it out",
                    labels.len()
                );
            }
            if steps == 0 || labels.len() > steps {
                losses.push(0.0);
                continue;
            }
            logs.clear();
            for t in 0..steps {
                let row = &logits[(t * batch + b) * classes..][..classes];
                let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let sum = row.iter().map(|x| (x - largest).exp()).sum::<f64>().ln();
                logs.extend(row.iter().map(|x| x - largest - sum));
            }
            let mut states = vec_for(2 * target.len() + 1)?;
            states.push(classes - 1);
            states.extend(target.iter().flat_map(|class| [*class, classes - 1]));
            let sequence = Sequence { logs: &logs, classes, states, merge };
            let whole = sequence.loss(steps, |t, class, slope| {
                out[(t * batch + b) * classes + class] = slope;
            })?;
            losses.push(-whole);
        }
        Ok(())
    })?;
    let losses = Array::from_slice([batch], &losses)?;
    Ok([cast(&losses, dtype)?, cast(&gradient, dtype)?].into_iter().collect())
}

/// The second result, scaled by the cotangents of the losses. It has no gradient of its own: a second derivative is refused.
pub(in crate::ops) fn gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    if g.cotangents[1].is_some() {
        g.missing(0)?;
    }
    let Some(dy) = &g.cotangents[0] else { return Ok(g.inputs.iter().map(|_| None).collect()) };
    let scale = dy.expand_dims(0)?.expand_dims(-1)?;
    Ok(first(g, ops::mul(&g.outputs[1], &scale)?))
}
