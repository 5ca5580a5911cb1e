//! Decoders of connectionist temporal classification.

use std::collections::HashMap;

use crate::array::{Array, reserve, vec_for};
use crate::ir::{InferContext, KernelContext, Outputs, Types};
use crate::ops::ordering::kernel::cast;
use crate::ops::rules::infer::count;
use crate::ops::{CtcBeamSearchDecoder, CtcGreedyDecoder};
use crate::types::{DType, Dim, Result, Shape, TensorType, bail};

use super::loss::log_sum;

/// The types of sparse matrices of labels, a number of each kind, and of the scores.
fn decoded(c: &InferContext<'_>, paths: usize) -> Result<Types> {
    let inputs = c.shape(0).with_rank(3).map_err(|e| e.prefixed("`inputs`"))?;
    let lengths = c.shape(1).with_rank(1).map_err(|e| e.prefixed("`sequence_length`"))?;
    if inputs.dims().is_some_and(|dims| dims.iter().any(|n| n.size() == Some(0))) {
        bail!("logits of shape {inputs} are empty");
    }
    if !inputs.dim(1)?.is_compatible_with(lengths.dim(0)?) {
        bail!(FailedPrecondition, "lengths of shape {lengths} for logits of shape {inputs}");
    }
    let any = Dim::UNKNOWN;
    let kinds = [
        Shape::from_iter([any, Dim::from(2)]),
        Shape::from_iter([any]),
        Shape::from_iter([Dim::from(2)]),
    ];
    let mut types = Types::new();
    for kind in kinds {
        types.extend((0..paths).map(|_| TensorType::new(DType::I64, kind.clone())));
    }
    let scores = Shape::from_iter([inputs.dim(1)?, Dim::from(paths)]);
    types.push(TensorType::new(c.input(0).dtype, scores));
    Ok(types)
}

pub(in crate::ops) fn infer_greedy(c: &InferContext<'_>) -> Result<Types> {
    let classes = c.shape(0).with_rank(3)?.dim(2)?.size();
    let blank = c.get(CtcGreedyDecoder::BLANK_INDEX)?;
    if let Some(n) = classes.map(|n| n as i64)
        && n > 0
        && !(-n..n).contains(&blank)
    {
        bail!("`blank_index` = {blank} for {n} classes");
    }
    decoded(c, 1)
}

pub(in crate::ops) fn infer_beam(c: &InferContext<'_>) -> Result<Types> {
    let width = c.get(CtcBeamSearchDecoder::BEAM_WIDTH)?;
    let paths = count(c.attrs, CtcBeamSearchDecoder::TOP_PATHS)?;
    if paths < 1 || width < paths as i64 {
        bail!(
            "`top_paths` = {paths} of a beam of `beam_width` = {width}; one at least, and no more than the beam has"
        );
    }
    decoded(c, paths)
}

/// The logits with their sizes, and the number of steps of each sequence.
fn sequences(c: &KernelContext<'_>) -> Result<(Array, [usize; 3], Vec<usize>)> {
    let &[time, batch, classes] = c.input(0).dims() else { bail!("logits have three axes") };
    let mut steps = vec_for(batch)?;
    for (b, n) in c.input(1).as_slice::<i32>()?.iter().enumerate() {
        // A negative length is none, as in TensorFlow.
        let n = usize::try_from(*n).unwrap_or(0);
        if n > time {
            bail!(FailedPrecondition, "sequence {b} has {n} steps; there are logits for {time}");
        }
        steps.push(n);
    }
    Ok((cast(c.input(0), DType::F64)?, [time, batch, classes], steps))
}

/// A sparse matrix with a row of labels for each sequence: indices, values, sizes.
fn sparse(rows: &[Vec<i64>]) -> Result<[Array; 3]> {
    let total = rows.iter().map(Vec::len).sum();
    let (mut indices, mut values) = (vec_for(2 * total)?, vec_for(total)?);
    for (b, row) in rows.iter().enumerate() {
        for (t, label) in row.iter().enumerate() {
            indices.extend([b as i64, t as i64]);
            values.push(*label);
        }
    }
    let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
    Ok([
        Array::from_slice([total, 2], &indices)?,
        Array::from_slice([total], &values)?,
        Array::from_i64s(&[rows.len() as i64, longest as i64]),
    ])
}

pub(in crate::ops) fn greedy(c: &KernelContext<'_>) -> Result<Outputs> {
    let (logits, [_, batch, classes], steps) = sequences(c)?;
    let logits = logits.as_slice::<f64>()?;
    let blank = c.get(CtcGreedyDecoder::BLANK_INDEX)?;
    let blank = if blank < 0 { blank + classes as i64 } else { blank };
    let merge = c.get(CtcGreedyDecoder::MERGE_REPEATED)?;
    let (mut rows, mut scores) = (vec_for(batch)?, vec_for::<f64>(batch)?);
    for (b, steps) in steps.into_iter().enumerate() {
        let (mut row, mut score, mut last) = (vec_for(steps)?, 0.0, -1);
        for t in 0..steps {
            let step = &logits[(t * batch + b) * classes..][..classes];
            // The first of the largest.
            let best = (1..classes).fold(0, |best, i| if step[i] > step[best] { i } else { best });
            score -= step[best];
            let class = best as i64;
            if class != blank && !(merge && class == last) {
                row.push(class);
            }
            last = class;
        }
        rows.push(row);
        scores.push(score);
    }
    let scores = cast(&Array::from_slice([batch, 1], &scores)?, c.input(0).dtype())?;
    Ok(sparse(&rows)?.into_iter().chain([scores]).collect())
}

/// The logarithms of the probabilities of a prefix: in all, and of paths that end with a blank or with the label.
#[derive(Clone, Copy)]
struct Probability {
    total: f64,
    blank: f64,
    label: f64,
}

const NEVER: f64 = f64::NEG_INFINITY;
const NONE: Probability = Probability { total: NEVER, blank: NEVER, label: NEVER };

/// A sequence of labels: another one and a label. It is in the beam if its `new` probability is not zero.
struct Prefix {
    parent: usize,
    label: usize,
    old: Probability,
    new: Probability,
}

/// The search of one sequence: all prefixes that it saw, and those in the beam.
struct Search {
    prefixes: Vec<Prefix>,
    children: HashMap<(usize, usize), usize>,
    beam: Vec<usize>,
    width: usize,
}

impl Search {
    /// The search with the empty prefix, whose label is none.
    fn new(width: usize) -> Self {
        let new = Probability { total: 0.0, blank: 0.0, label: NEVER };
        let root = Prefix { parent: 0, label: usize::MAX, old: NONE, new };
        Self { prefixes: vec![root], children: HashMap::new(), beam: vec![0], width }
    }

    /// Puts a prefix into the beam, which is in descending order; the last one leaves a full beam.
    fn push(&mut self, prefix: usize) {
        let total = self.prefixes[prefix].new.total;
        let at = self.beam.partition_point(|p| self.prefixes[*p].new.total >= total);
        self.beam.insert(at, prefix);
        self.beam.truncate(self.width);
    }

    /// True if a probability is large enough for the beam.
    fn fits(&self, total: f64) -> bool {
        total > NEVER
            && (self.beam.len() < self.width
                || self.beam.last().is_some_and(|p| total > self.prefixes[*p].new.total))
    }

    /// One step: prefixes stay, by a blank or by their label again, or grow by a label.
    fn step(&mut self, logits: &[f64]) -> Result<()> {
        let blank = logits.len() - 1;
        let largest = logits.iter().copied().fold(NEVER, f64::max);
        // The logarithm of the sum of all classes: probabilities are normalized.
        let whole = largest + logits.iter().map(|x| (x - largest).exp()).sum::<f64>().ln();
        let beam = std::mem::take(&mut self.beam);
        for p in &beam {
            self.prefixes[*p].old = self.prefixes[*p].new;
        }
        for p in &beam {
            let Prefix { parent, label, old, mut new } = self.prefixes[*p];
            if *p != 0 {
                let parent = &self.prefixes[parent];
                if parent.new.total != NEVER {
                    let from =
                        if parent.label == label { parent.old.blank } else { parent.old.total };
                    new.label = log_sum(new.label, from);
                }
                new.label += logits[label] - whole;
            }
            new.blank = old.total + logits[blank] - whole;
            new.total = log_sum(new.blank, new.label);
            self.prefixes[*p].new = new;
            self.push(*p);
        }
        for p in beam {
            let Prefix { label: last, old, .. } = self.prefixes[p];
            if !self.fits(old.total) {
                continue;
            }
            for (label, logit) in logits[..blank].iter().enumerate() {
                let known = self.children.get(&(p, label)).copied();
                if known.is_some_and(|child| self.prefixes[child].new.total != NEVER) {
                    continue;
                }
                let from = if label == last { old.blank } else { old.total };
                let total = logit - whole + from;
                if !self.fits(total) {
                    if let Some(child) = known {
                        self.prefixes[child].old = NONE;
                        self.prefixes[child].new = NONE;
                    }
                    continue;
                }
                let child = match known {
                    Some(child) => child,
                    None => {
                        reserve(&mut self.prefixes, 1)?;
                        self.prefixes.push(Prefix { parent: p, label, old: NONE, new: NONE });
                        self.children.insert((p, label), self.prefixes.len() - 1);
                        self.prefixes.len() - 1
                    }
                };
                self.prefixes[child].new = Probability { total, blank: NEVER, label: total };
                if self.beam.len() == self.width
                    && let Some(last) = self.beam.last()
                {
                    self.prefixes[*last].new = NONE;
                }
                self.push(child);
            }
        }
        Ok(())
    }

    /// The labels of a prefix; with `merge`, runs of equal labels are collapsed.
    fn labels(&self, mut prefix: usize, merge: bool) -> Vec<i64> {
        let (mut labels, mut later) = (Vec::new(), usize::MAX);
        while prefix != 0 {
            let Prefix { parent, label, .. } = self.prefixes[prefix];
            if !(merge && label == later) {
                labels.push(label as i64);
            }
            (later, prefix) = (label, parent);
        }
        labels.reverse();
        labels
    }
}

pub(in crate::ops) fn beam(c: &KernelContext<'_>) -> Result<Outputs> {
    let (logits, [_, batch, classes], steps) = sequences(c)?;
    let logits = logits.as_slice::<f64>()?;
    let width = usize::try_from(c.get(CtcBeamSearchDecoder::BEAM_WIDTH)?).unwrap_or(1);
    let paths = count(c.attrs, CtcBeamSearchDecoder::TOP_PATHS)?;
    let merge = c.get(CtcBeamSearchDecoder::MERGE_REPEATED)?;
    let mut rows: Vec<Vec<Vec<i64>>> = vec_for(paths)?;
    rows.resize_with(paths, Vec::new);
    let mut scores = vec_for::<f64>(batch.saturating_mul(paths))?;
    for (b, steps) in steps.into_iter().enumerate() {
        let mut search = Search::new(width);
        for t in 0..steps {
            search.step(&logits[(t * batch + b) * classes..][..classes])?;
        }
        if search.beam.len() < paths {
            bail!("sequence {b} has {} paths of {paths} that are wanted", search.beam.len());
        }
        for (rows, prefix) in rows.iter_mut().zip(&search.beam) {
            rows.push(search.labels(*prefix, merge));
            scores.push(search.prefixes[*prefix].new.total);
        }
    }
    let mut kinds: [Vec<Array>; 3] = Default::default();
    for rows in &rows {
        for (kind, part) in kinds.iter_mut().zip(sparse(rows)?) {
            kind.push(part);
        }
    }
    let scores = cast(&Array::from_slice([batch, paths], &scores)?, c.input(0).dtype())?;
    Ok(kinds.into_iter().flatten().chain([scores]).collect())
}
