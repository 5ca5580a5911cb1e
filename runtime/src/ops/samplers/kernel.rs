//! Kernels of candidate samplers.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher, RandomState};

use extype_kernels::random::{Philox, Words, unit_f32, unit_f64};

use crate::array::{Array, ask_for, vec_for};
use crate::ir::{InferContext, KernelContext, Outputs, Types};
use crate::ops::{ComputeAccidentalHits, FixedUnigramCandidateSampler as Fixed};
use crate::types::{DType, Dim, Result, Shape, TensorType, bail, err};

/// How many draws in a row may give classes that were drawn before.
const MOST_REPEATS: u64 = 1 << 28;

pub(in crate::ops) fn infer(c: &InferContext<'_>) -> Result<Types> {
    let (columns, sampled) = (c.get(Fixed::NUM_TRUE)?, c.get(Fixed::NUM_SAMPLED)?);
    if columns < 1 || sampled < 1 {
        bail!("`num_true` = {columns} and `num_sampled` = {sampled}; one at least of each");
    }
    let truth = c.shape(0).with_rank(2).map_err(|e| e.prefixed("`true_classes`"))?;
    if !truth.dim(1)?.is_compatible_with(Dim::from(columns as usize)) {
        bail!("`true_classes` of shape {truth} for `num_true` = {columns}");
    }
    let sampled = Shape::from(&[sampled as usize][..]);
    let truth = Shape::from_iter([truth.dim(0)?, Dim::from(columns as usize)]);
    Ok([
        TensorType::new(DType::I64, sampled.clone()),
        TensorType::new(DType::F32, truth),
        TensorType::new(DType::F32, sampled),
    ]
    .into_iter()
    .collect())
}

pub(in crate::ops) fn infer_range(c: &InferContext<'_>) -> Result<Types> {
    let (range, sampled) = (c.get(Fixed::RANGE_MAX)?, c.get(Fixed::NUM_SAMPLED)?);
    if range < 1 {
        bail!("`range_max` = {range}; one at least");
    }
    if c.get(Fixed::UNIQUE)? && sampled > range {
        bail!("{sampled} different classes of {range} are wanted");
    }
    infer(c)
}

pub(in crate::ops) fn infer_hits(c: &InferContext<'_>) -> Result<Types> {
    let columns = c.get(ComputeAccidentalHits::NUM_TRUE)?;
    let truth = c.shape(0).with_rank(2).map_err(|e| e.prefixed("`true_classes`"))?;
    c.shape(1).with_rank(1).map_err(|e| e.prefixed("`sampled_candidates`"))?;
    let wanted = Dim::from(usize::try_from(columns).map_err(|_| err!("`num_true` = {columns}"))?);
    if !truth.dim(1)?.is_compatible_with(wanted) {
        bail!("`true_classes` of shape {truth} for `num_true` = {columns}");
    }
    let any = Shape::of_rank(1);
    Ok([DType::I32, DType::I64, DType::F32]
        .map(|dtype| TensorType::new(dtype, any.clone()))
        .into_iter()
        .collect())
}

/// The generator for the two seeds of an op; an unpredictable one for two zeros.
pub(in crate::ops) fn generator(seed: i64, seed2: i64) -> Philox {
    if seed == 0 && seed2 == 0 {
        // The keys of the standard library's hash tables are random.
        let word = || RandomState::new().build_hasher().finish();
        return Philox::new(word(), [0, word()]);
    }
    Philox::new(seed as u64, [0, seed2 as u64])
}

fn words(c: &KernelContext<'_>) -> Result<Words> {
    Ok(Words::new(generator(c.get(Fixed::SEED)?, c.get(Fixed::SEED2)?), 0))
}

/// Two words as one, the low one first.
fn wide(words: &mut Words) -> u64 {
    u64::from(words.next()) | u64::from(words.next()) << 32
}

/// A number below `n`: numbers are drawn of the whole range, and again if they would favour small ones.
fn below(n: u64, largest: u64, mut draw: impl FnMut() -> u64) -> u64 {
    if n.is_power_of_two() {
        return draw() & (n - 1);
    }
    let rest = largest % n + 1;
    loop {
        let drawn = draw();
        if drawn >= rest {
            return drawn % n;
        }
    }
}

/// The three results for a way to draw a class and the probability of each.
fn drawn(
    c: &KernelContext<'_>,
    range: i64,
    mut draw: impl FnMut(&mut Words) -> i64,
    probability: impl Fn(i64) -> f32,
) -> Result<Outputs> {
    let (mut words, n) = (words(c)?, c.get(Fixed::NUM_SAMPLED)? as usize);
    let truth = c.input(0).as_slice::<i64>()?;
    if let Some(wrong) = truth.iter().find(|class| !(0..range).contains(*class)) {
        bail!("class {wrong} in `true_classes` is not in 0..{range}");
    }
    let mut classes = vec_for(n)?;
    let mut tries = n as u64;
    if c.get(Fixed::UNIQUE)? {
        let mut used = HashSet::new();
        used.try_reserve(n).map_err(|e| err!(ResourceExhausted, "{n} classes: {e}"))?;
        tries = 0;
        let mut repeats = 0;
        while classes.len() < n {
            (tries, repeats) = (tries + 1, repeats + 1);
            if repeats > MOST_REPEATS {
                bail!(
                    ResourceExhausted,
                    "{n} different classes: none was new in {MOST_REPEATS} draws"
                );
            }
            let class = draw(&mut words);
            if used.insert(class) {
                classes.push(class);
                repeats = 0;
            }
        }
    } else {
        classes.extend((0..n).map(|_| draw(&mut words)));
    }
    let expected = |class: &i64| {
        let p = probability(*class);
        match tries == n as u64 {
            true => p * n as f32,
            false => -(tries as f32 * (-p).ln_1p()).exp_m1(),
        }
    };
    let of = |classes: &[i64], dims: &[usize]| {
        c.output_slice(dims, |out: &mut [f32]| {
            out.iter_mut().zip(classes).for_each(|(out, class)| *out = expected(class));
            Ok(())
        })
    };
    let (of_truth, of_drawn) = (of(truth, c.input(0).dims())?, of(&classes, &[n])?);
    Ok([Array::from_slice([n], &classes)?, of_truth, of_drawn].into_iter().collect())
}

pub(in crate::ops) fn uniform(c: &KernelContext<'_>) -> Result<Outputs> {
    let range = c.get(Fixed::RANGE_MAX)?;
    let draw = |words: &mut Words| below(range as u64, u64::MAX, || wide(words)) as i64;
    drawn(c, range, draw, |_| (1.0 / range as f64) as f32)
}

pub(in crate::ops) fn log_uniform(c: &KernelContext<'_>) -> Result<Outputs> {
    let range = c.get(Fixed::RANGE_MAX)?;
    let log = (range as f64).ln_1p();
    let draw = |words: &mut Words| {
        let (high, low) = (words.next(), words.next());
        let class = (unit_f64(high, low) * log).exp() as i64 - 1;
        // Rounding may reach the end of the range.
        class % range
    };
    drawn(c, range, draw, |class| (((class as f64 + 2.0) / (class as f64 + 1.0)).ln() / log) as f32)
}

/// A number below `n` from words of 32 bits.
fn below_32(n: u64, words: &mut Words) -> u64 {
    below(n, u64::from(u32::MAX), || u64::from(words.next()))
}

pub(in crate::ops) fn learned(c: &KernelContext<'_>) -> Result<Outputs> {
    let range = c.get(Fixed::RANGE_MAX)?;
    if range >= i64::from(i32::MAX) {
        bail!("`range_max` = {range}; this sampler has less than {} classes", i32::MAX);
    }
    let draw = |words: &mut Words| below_32(range as u64, words) as i64;
    drawn(c, range, draw, |_| 1.0 / range as f32)
}

pub(in crate::ops) fn all(c: &KernelContext<'_>) -> Result<Outputs> {
    let n = c.get(Fixed::NUM_SAMPLED)?;
    let truth = c.input(0).as_slice::<i64>()?;
    if let Some(wrong) = truth.iter().find(|class| !(0..n).contains(*class)) {
        bail!("class {wrong} in `true_classes` is not in 0..{n}");
    }
    let ones = |dims: &[usize]| {
        c.output_slice(dims, |out: &mut [f32]| {
            out.fill(1.0);
            Ok(())
        })
    };
    let classes = c.output_slice(&[n as usize], |out: &mut [i64]| {
        out.iter_mut().zip(0..).for_each(|(out, class)| *out = class);
        Ok(())
    })?;
    Ok([classes, ones(c.input(0).dims())?, ones(&[n as usize])?].into_iter().collect())
}

/// The weights of the classes of this shard.
fn weights(c: &KernelContext<'_>) -> Result<Vec<f32>> {
    let (file, unigrams): (String, Vec<f32>) = (c.get(Fixed::VOCAB_FILE)?, c.get(Fixed::UNIGRAMS)?);
    if file.is_empty() == unigrams.is_empty() {
        bail!("either `vocab_file` or `unigrams` is wanted");
    }
    let (shards, shard) = (c.get(Fixed::NUM_SHARDS)?, c.get(Fixed::SHARD)?);
    let reserved = c.get(Fixed::NUM_RESERVED_IDS)?;
    if shards < 1 || !(0..shards).contains(&shard) || reserved < 0 {
        bail!("shard {shard} of {shards}, and {reserved} reserved classes");
    }
    let unigrams = match file.is_empty() {
        true => unigrams,
        false => {
            let text = std::fs::read_to_string(&file)
                .map_err(|e| err!(NotFound, "the file {file:?} of weights: {e}"))?;
            let weight = |line: &str| {
                let last = line.rsplit(',').next().unwrap_or(line).trim();
                last.parse().map_err(|_| err!("no weight in the line {line:?} of {file:?}"))
            };
            text.lines().map(weight).collect::<Result<_>>()?
        }
    };
    let (distortion, range) = (c.get(Fixed::DISTORTION)?, c.get(Fixed::RANGE_MAX)?);
    // The classes of this shard among the reserved ones.
    let (first, step) = (i128::from(shard), i128::from(shards));
    let kept = (i128::from(reserved) - first + step - 1).div_euclid(step).max(0);
    if kept > i128::from(range) {
        bail!("{kept} reserved classes of {range}");
    }
    let mut weights = vec_for(usize::try_from(range).unwrap_or(0))?;
    weights.resize(kept as usize, 0.0);
    let ours = (kept as i64..).zip(unigrams).filter(|(class, _)| class % shards == shard);
    weights.extend(ours.map(|(_, weight)| weight.powf(distortion)));
    if weights.len() as i64 != range {
        bail!("{} weights for `range_max` = {range} classes", weights.len());
    }
    if weights.iter().any(|w| !(w.is_finite() && *w >= 0.0)) {
        bail!("a weight is negative or not finite");
    }
    Ok(weights)
}

/// Vose's alias method: a class for a probability, else another one.
fn aliases(weights: &[f32]) -> Result<Vec<(f32, usize)>> {
    let n = weights.len();
    let sum: f64 = weights.iter().map(|w| f64::from(*w)).sum();
    let mut shares: Vec<f64> = vec_for(n)?;
    shares.extend(weights.iter().map(|w| f64::from(w * n as f32) / sum));
    let mut aliases: Vec<(f32, usize)> = vec_for(n)?;
    aliases.extend((0..n).map(|i| (1.0, i)));
    let (mut high, mut low): (Vec<usize>, Vec<usize>) = (0..n).partition(|i| shares[*i] >= 1.0);
    while let (Some(&l), Some(&h)) = (low.last(), high.last()) {
        low.pop();
        high.pop();
        aliases[l] = (shares[l] as f32, h);
        shares[h] -= 1.0 - shares[l];
        if shares[h] < 1.0 { low.push(h) } else { high.push(h) }
    }
    Ok(aliases)
}

pub(in crate::ops) fn fixed(c: &KernelContext<'_>) -> Result<Outputs> {
    let (weights, range) = (weights(c)?, c.get(Fixed::RANGE_MAX)?);
    let total: f32 = weights.iter().sum();
    let possible = weights.iter().filter(|w| **w > 0.0).count() as i64;
    let wanted = if c.get(Fixed::UNIQUE)? { c.get(Fixed::NUM_SAMPLED)? } else { 1 };
    if possible < wanted {
        bail!("{wanted} different classes are wanted; {possible} have a weight above zero");
    }
    let aliases = aliases(&weights)?;
    let draw = |words: &mut Words| {
        let unit = unit_f32(words.next());
        let class = below_32(aliases.len() as u64, words) as usize;
        let (share, other) = aliases[class];
        (if unit < share { class } else { other }) as i64
    };
    drawn(c, range, draw, |class| weights[class as usize] / total)
}

pub(in crate::ops) fn hits(c: &KernelContext<'_>) -> Result<Outputs> {
    let drawn = c.input(1).as_slice::<i64>()?;
    ask_for::<[i64; 3]>(drawn.len())?;
    let places: HashMap<i64, i64> = drawn.iter().copied().zip(0..).collect();
    let (truth, columns) = (c.input(0).as_slice::<i64>()?, c.input(0).dims()[1]);
    let (mut rows, mut ids) = (vec_for(truth.len())?, vec_for(truth.len())?);
    for (i, class) in truth.iter().enumerate() {
        if let Some(place) = places.get(class) {
            rows.push(i32::try_from(i / columns).map_err(|_| err!("too many rows"))?);
            ids.push(*place);
        }
    }
    let least = c.output_slice(&[ids.len()], |out: &mut [f32]| {
        out.fill(f32::MIN);
        Ok(())
    })?;
    let n = ids.len();
    Ok([Array::from_slice([n], &rows)?, Array::from_slice([n], &ids)?, least].into_iter().collect())
}
