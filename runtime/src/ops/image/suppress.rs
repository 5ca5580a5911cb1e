//! Kernels that choose the best of overlapping boxes.

use std::collections::BinaryHeap;

use crate::array::{Array, vec_for};
use crate::ir::{KernelContext, Outputs};
use crate::ops::ordering::kernel::cast;
use crate::ops::{CombinedNonMaxSuppression, NonMaxSuppression, NonMaxSuppressionV4};
use crate::types::{DType, Result, bail, err};

/// A box that may be chosen, the best first, and the first of equal ones.
#[derive(Clone, Copy, PartialEq)]
struct Candidate {
    score: f32,
    index: usize,
    /// How many of the chosen boxes it was compared with.
    compared: usize,
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.score.total_cmp(&other.score).then(other.index.cmp(&self.index))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The area that two boxes `[y1, x1, y2, x2]` share, of the area that they cover.
fn overlap(a: &[f32; 4], b: &[f32; 4]) -> f32 {
    let sides = |[y1, x1, y2, x2]: [f32; 4]| [[y1.min(y2), y1.max(y2)], [x1.min(x2), x1.max(x2)]];
    let (a, b) = (sides(*a), sides(*b));
    let area = |s: [[f32; 2]; 2]| (s[0][1] - s[0][0]) * (s[1][1] - s[1][0]);
    let (own, other) = (area(a), area(b));
    if own <= 0.0 || other <= 0.0 {
        return 0.0;
    }
    let common = |i: usize| (a[i][1].min(b[i][1]) - a[i][0].max(b[i][0])).max(0.0);
    let shared = common(0) * common(1);
    shared / (own + other - shared)
}

/// What boxes are chosen by.
struct Criteria {
    /// Above which overlap a box is left out.
    overlap: f32,
    /// Above which score a box is taken.
    score: f32,
    /// How overlaps lower scores, if they do not leave out boxes.
    sigma: f32,
    /// Whether numbers are rounded to half precision.
    half: bool,
}

impl Criteria {
    fn rounded(&self, x: f32) -> f32 {
        if self.half { half::f16::from_f32(x).to_f32() } else { x }
    }

    /// The indices of the best boxes with their scores, at most `most`.
    fn chosen(
        &self,
        scores: impl ExactSizeIterator<Item = f32>,
        most: usize,
        overlap: impl Fn(usize, usize) -> f32,
    ) -> Result<Vec<(usize, f32)>> {
        let mut waiting: Vec<Candidate> = vec_for(scores.len())?;
        let of = |(index, score)| Candidate { score, index, compared: 0 };
        waiting.extend(scores.enumerate().map(of).filter(|c| c.score > self.score));
        let mut chosen: Vec<(usize, f32)> = vec_for(most.min(waiting.len()))?;
        let mut waiting = BinaryHeap::from(waiting);
        let soft = self.sigma > 0.0;
        let scale = if soft { self.rounded(-0.5 / self.sigma) } else { 0.0 };
        while chosen.len() < most
            && let Some(best) = waiting.pop()
        {
            let (mut next, mut is_left_out) = (best, false);
            for (other, _) in chosen[best.compared..].iter().rev() {
                let similar = self.rounded(overlap(best.index, *other));
                if !soft && similar > self.overlap {
                    is_left_out = true;
                    break;
                }
                if soft {
                    let weight = self.rounded((scale * similar * similar).exp());
                    next.score = self.rounded(next.score * weight);
                    if next.score <= self.score {
                        break;
                    }
                }
            }
            next.compared = chosen.len();
            if is_left_out {
                continue;
            }
            if next.score == best.score {
                chosen.push((next.index, next.score));
            } else if next.score > self.score {
                waiting.push(next);
            }
        }
        Ok(chosen)
    }
}

/// The only element of an input, as a float.
fn number(c: &KernelContext<'_>, i: usize, what: &str) -> Result<f32> {
    let x = cast(c.input(i), DType::F32)?;
    match (x.rank(), x.as_slice::<f32>()?) {
        (0, [x]) => Ok(*x),
        _ => Err(err!("`{what}` is a scalar, not of shape {}", c.input(i).shape())),
    }
}

/// The only element of an input, as a count.
fn count(c: &KernelContext<'_>, i: usize, what: &str) -> Result<usize> {
    match (c.input(i).rank(), &c.input(i).to_i64s()?[..]) {
        (0, [n]) => {
            usize::try_from(*n).map_err(|_| err!("`{what}` is {n}; it must not be negative"))
        }
        _ => bail!("`{what}` is a scalar, not of shape {}", c.input(i).shape()),
    }
}

/// A part of the whole.
fn fraction(x: f32) -> Result<f32> {
    if (0.0..=1.0).contains(&x) { Ok(x) } else { bail!("the overlap {x} is not in [0, 1]") }
}

/// The boxes that ops with different inputs choose; `given` if the first input is a matrix of overlaps.
pub(super) fn selected(c: &KernelContext<'_>, given: bool) -> Result<Outputs> {
    let (boxes, scores) = (cast(c.input(0), DType::F32)?, cast(c.input(1), DType::F32)?);
    let n = scores.len();
    let columns = if given { n } else { 4 };
    if boxes.dims() != [n, columns] || scores.rank() != 1 {
        bail!("{} and scores {} are of [n, {columns}] and [n]", boxes.shape(), scores.shape());
    }
    let most = count(c, 2, "max_output_size")?;
    let threshold = match c.inputs.len() {
        3 => c.get(NonMaxSuppression::IOU_THRESHOLD)?,
        _ => number(c, 3, "iou_threshold")?,
    };
    let criteria = Criteria {
        overlap: if given { threshold } else { fraction(threshold)? },
        score: if c.inputs.len() > 4 { number(c, 4, "score_threshold")? } else { f32::MIN },
        sigma: if c.inputs.len() > 5 { number(c, 5, "soft_nms_sigma")? } else { 0.0 },
        half: c.input(1).dtype() == DType::F16,
    };
    let (boxes, scores) = (boxes.as_slice::<f32>()?, scores.as_slice::<f32>()?.iter().copied());
    let chosen = if given {
        criteria.chosen(scores, most, |i, j| boxes[i * n + j])?
    } else {
        let boxes = boxes.as_chunks::<4>().0;
        criteria.chosen(scores, most, |i, j| overlap(&boxes[i], &boxes[j]))?
    };
    let key = NonMaxSuppressionV4::PAD_TO_MAX_OUTPUT_SIZE;
    let tells_count = c.attrs.value(key.name()).is_some();
    let len = if tells_count && c.get(key)? { most } else { chosen.len() };
    let indices = c.output_slice(&[len], |out: &mut [i32]| {
        out.fill(0);
        out.iter_mut().zip(&chosen).for_each(|(out, (i, _))| *out = *i as i32);
        Ok(())
    })?;
    if !tells_count {
        return Ok([indices].into());
    }
    let valid = Array::scalar(chosen.len() as i32);
    if c.inputs.len() < 6 {
        return Ok([indices, valid].into_iter().collect());
    }
    let scores = c.output_slice(&[len], |out: &mut [f32]| {
        out.fill(0.0);
        out.iter_mut().zip(&chosen).for_each(|(out, (_, score))| *out = *score);
        Ok(())
    })?;
    Ok([indices, cast(&scores, c.input(1).dtype())?, valid].into_iter().collect())
}

pub(super) fn combined(c: &KernelContext<'_>) -> Result<Outputs> {
    let (boxes, scores) = (c.input(0), c.input(1));
    let (&[batch, n, q, 4], &[images, rows, classes]) = (boxes.dims(), scores.dims()) else {
        bail!(
            "boxes {} are of [batch, n, q, 4], scores {} of [batch, n, classes]",
            boxes.shape(),
            scores.shape()
        )
    };
    if images != batch || rows != n || (q != 1 && q != classes) {
        bail!("boxes {} for scores {}", boxes.shape(), scores.shape());
    }
    let (per_class, total) =
        (count(c, 2, "max_output_size_per_class")?, count(c, 3, "max_total_size")?);
    if total == 0 || per_class == 0 {
        bail!("the numbers of boxes, {per_class} and {total}, must be positive");
    }
    let criteria = Criteria {
        overlap: fraction(number(c, 4, "iou_threshold")?)?,
        score: number(c, 5, "score_threshold")?,
        sigma: 0.0,
        half: false,
    };
    let len = match c.get(CombinedNonMaxSuppression::PAD_PER_CLASS)? {
        true => total.min(per_class.saturating_mul(classes)),
        false => total,
    };
    let clip = c.get(CombinedNonMaxSuppression::CLIP_BOXES)?;
    let (boxes, scores) = (boxes.as_slice::<f32>()?.as_chunks::<4>().0, scores.as_slice::<f32>()?);
    // For each image the best of all classes: score, class and box.
    let mut best: Vec<Vec<(f32, usize, [f32; 4])>> = vec_for(batch)?;
    for image in 0..batch {
        let mut all = Vec::new();
        // Without boxes there may be any number of classes.
        for class in 0..if n == 0 { 0 } else { classes } {
            let own = if q > 1 { class } else { 0 };
            let of = |i: usize| &boxes[(image * n + i) * q + own];
            let scores = (0..n).map(|i| scores[(image * n + i) * classes + class]);
            let chosen = criteria.chosen(scores, per_class.min(n), |i, j| overlap(of(i), of(j)))?;
            all.extend(chosen.into_iter().map(|(i, score)| (score, class, *of(i))));
        }
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all.truncate(len);
        best.push(all);
    }
    let rows = || {
        best.iter()
            .enumerate()
            .flat_map(|(i, all)| all.iter().enumerate().map(move |(j, one)| (i * len + j, one)))
    };
    let nmsed_boxes = c.output_slice(&[batch, len, 4], |out: &mut [f32]| {
        out.fill(0.0);
        let out = out.as_chunks_mut::<4>().0;
        rows().for_each(|(i, (_, _, b))| {
            out[i] = if clip { b.map(|x| x.clamp(0.0, 1.0)) } else { *b };
        });
        Ok(())
    })?;
    let column = |of: &dyn Fn(&(f32, usize, [f32; 4])) -> f32| {
        c.output_slice(&[batch, len], |out: &mut [f32]| {
            out.fill(0.0);
            rows().for_each(|(i, one)| out[i] = of(one));
            Ok(())
        })
    };
    let (nmsed_scores, nmsed_classes) = (column(&|one| one.0)?, column(&|one| one.1 as f32)?);
    let valid: Vec<i32> = best.iter().map(|all| all.len() as i32).collect();
    let valid = Array::from_slice([batch], &valid)?;
    Ok([nmsed_boxes, nmsed_scores, nmsed_classes, valid].into_iter().collect())
}
