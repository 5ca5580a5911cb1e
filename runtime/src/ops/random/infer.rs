//! Output types of random ops with a key and a counter, or a seed of two numbers.

use crate::ir::{InferContext, Types};
use crate::ops::random::FULL;
use crate::ops::rules::infer::{asked_shape, one};
use crate::ops::{StatelessMultinomial, StatelessRandomUniformV2};
use crate::types::{DType, DTypeSet, Dim, Result, Shape, TensorType, bail};

fn vector(size: usize) -> Shape {
    Shape::from(&[size][..])
}

/// The `dtype` attribute; an error if it is not in `set`.
pub(super) fn chosen(c: &InferContext<'_>, set: DTypeSet) -> Result<DType> {
    let dtype: DType = c.get(StatelessRandomUniformV2::DTYPE)?;
    if !set.contains(dtype) {
        bail!("`dtype` can't be {dtype}, only {set}");
    }
    Ok(dtype)
}

/// Rejects keys, counters and algorithms of a wrong shape; the key is input `i`.
pub(super) fn check_state(c: &InferContext<'_>, i: usize) -> Result<()> {
    if !c.shape(i).is_compatible_with(&vector(1)) {
        bail!("`key` has shape [1], not {}", c.shape(i));
    }
    let counter = c.shape(i + 1).with_rank(1).map_err(|e| e.prefixed("`counter`"))?;
    if let Some(short) = counter.dim(0)?.size().filter(|n| *n < 2) {
        bail!("`counter` has two numbers at least, not {short}");
    }
    c.shape(i + 2).with_rank(0).map_err(|e| e.prefixed("`alg`"))?;
    match c.integers(i + 2).as_deref() {
        None | Some([1 | 3]) => Ok(()),
        Some(alg) => bail!("`alg` is 1 (Philox) or 3 (automatic), not {alg:?}"),
    }
}

pub(super) fn check_seed(c: &InferContext<'_>, i: usize) -> Result<()> {
    if !c.shape(i).is_compatible_with(&vector(2)) {
        bail!("a seed is two integers, `[7, 0]`: shape [2], not {}", c.shape(i));
    }
    Ok(())
}

fn check_bounds(c: &InferContext<'_>, i: usize) -> Result<()> {
    c.shape(i).with_rank(0).map_err(|e| e.prefixed("`minval`"))?;
    c.shape(i + 1).with_rank(0).map_err(|e| e.prefixed("`maxval`"))?;
    Ok(())
}

pub(in crate::ops) fn floats(c: &InferContext<'_>) -> Result<Types> {
    check_state(c, 1)?;
    one(chosen(c, DTypeSet::FLOAT)?, asked_shape(c, 0)?)
}

pub(in crate::ops) fn full_integers(c: &InferContext<'_>) -> Result<Types> {
    check_state(c, 1)?;
    one(chosen(c, FULL)?, asked_shape(c, 0)?)
}

pub(in crate::ops) fn integers(c: &InferContext<'_>) -> Result<Types> {
    check_state(c, 1)?;
    check_bounds(c, 4)?;
    one(c.input(4).dtype, asked_shape(c, 0)?)
}

pub(in crate::ops) fn seeded_floats(c: &InferContext<'_>) -> Result<Types> {
    check_seed(c, 1)?;
    one(chosen(c, DTypeSet::FLOAT)?, asked_shape(c, 0)?)
}

pub(in crate::ops) fn seeded_full_integers(c: &InferContext<'_>) -> Result<Types> {
    check_seed(c, 1)?;
    one(chosen(c, FULL)?, asked_shape(c, 0)?)
}

pub(in crate::ops) fn seeded_integers(c: &InferContext<'_>) -> Result<Types> {
    check_seed(c, 1)?;
    check_bounds(c, 2)?;
    one(c.input(2).dtype, asked_shape(c, 0)?)
}

pub(in crate::ops) fn key_counter(c: &InferContext<'_>) -> Result<Types> {
    check_seed(c, 0)?;
    let words = |n| TensorType::new(DType::U64, vector(n));
    Ok([words(1), words(2)].into_iter().collect())
}

pub(in crate::ops) fn key_counter_alg(c: &InferContext<'_>) -> Result<Types> {
    let mut types = key_counter(c)?;
    types.push(TensorType::new(DType::I32, Shape::scalar()));
    Ok(types)
}

pub(in crate::ops) fn alg(_: &InferContext<'_>) -> Result<Types> {
    one(DType::I32, Shape::scalar())
}

pub(in crate::ops) fn shuffle(c: &InferContext<'_>) -> Result<Types> {
    check_state(c, 1)?;
    Ok([c.input(0).clone()].into())
}

pub(in crate::ops) fn categorical(c: &InferContext<'_>) -> Result<Types> {
    let logits = c.shape(0).with_rank(2).map_err(|e| e.prefixed("`logits`"))?;
    c.shape(1).with_rank(0).map_err(|e| e.prefixed("`num_samples`"))?;
    check_seed(c, 2)?;
    let dtype: DType = c.get(StatelessMultinomial::OUTPUT_DTYPE)?;
    if !DTypeSet::INDEX.contains(dtype) {
        bail!("`output_dtype` can't be {dtype}, only {}", DTypeSet::INDEX);
    }
    let samples = match c.integers(1).as_deref() {
        Some([n]) if *n < 0 => bail!("`num_samples`, {n}, is negative"),
        Some([n]) => Dim::from(*n as usize),
        _ => Dim::UNKNOWN,
    };
    if logits.dim(1)?.size() == Some(0) {
        bail!("`logits` of shape {logits} have no class to draw");
    }
    one(dtype, [logits.dim(0)?, samples].into_iter().collect())
}

pub(in crate::ops) fn read_and_skip(c: &InferContext<'_>) -> Result<Types> {
    for (i, name) in ["`resource`", "`alg`", "`delta`"].into_iter().enumerate() {
        c.shape(i).with_rank(0).map_err(|e| e.prefixed(name))?;
    }
    one(DType::I64, vector(3))
}
