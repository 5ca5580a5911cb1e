//! Kernels of random ops with a key and a counter, or a seed of two numbers.

use extype_kernels as k;
use extype_kernels::random::Philox;
use smallvec::SmallVec;

use crate::array::{Array, Dims};
use crate::ir::{KernelContext, Outputs, typed, worked};
use crate::ops::{Axis, Gather, Op as _, StatelessMultinomial, StatelessRandomUniformV2};
use crate::tensor::update_variable;
use crate::types::{DType, Result, bail, err};

/// The generator for the inputs `key, counter, alg`; the key is input `i`.
pub(super) fn from_state(c: &KernelContext<'_>, i: usize) -> Result<Philox> {
    let (key, counter) = (c.input(i).as_slice::<u64>()?, c.input(i + 1).as_slice::<u64>()?);
    if !matches!(c.input(i + 2).as_slice::<i32>()?, [1 | 3]) {
        bail!("`alg` is 1 (Philox) or 3 (automatic), not {}", c.input(i + 2));
    }
    match (key, counter) {
        ([key], [low, high, ..]) if c.input(i + 1).rank() == 1 => {
            Ok(Philox::new(*key, [*low, *high]))
        }
        _ => bail!(
            "`key` has shape [1] and `counter` [2], not {} and {}",
            c.input(i).shape(),
            c.input(i + 1).shape()
        ),
    }
}

/// The key and counter for a seed, which is input `i`.
fn scrambled(c: &KernelContext<'_>, i: usize) -> Result<(u64, [u64; 2])> {
    let seed = c.input(i);
    let words: SmallVec<[u64; 4]> = match seed.dtype() {
        DType::U32 => seed.as_slice::<u32>()?.iter().map(|x| u64::from(*x)).collect(),
        DType::U64 => seed.as_slice::<u64>()?.into(),
        _ => seed.to_i64s()?.iter().map(|x| *x as u64).collect(),
    };
    match words[..] {
        [a, b] if seed.rank() == 1 => Ok(Philox::key_counter([a, b])),
        _ => bail!("a seed is two integers, `[7, 0]`: shape [2], not {}", seed.shape()),
    }
}

/// The generator for a seed, which is input `i`.
pub(in crate::ops) fn from_seed(c: &KernelContext<'_>, i: usize) -> Result<Philox> {
    scrambled(c, i).map(|(key, counter)| Philox::new(key, counter))
}

/// The requested sizes, input `i`.
pub(super) fn sizes(c: &KernelContext<'_>, i: usize) -> Result<Dims> {
    if c.input(i).rank() != 1 {
        bail!("`shape` is a vector, not of shape {}", c.input(i).shape());
    }
    let size = |n: &i64| usize::try_from(*n).map_err(|_| err!("size {n} in `shape` is negative"));
    c.input(i).to_i64s()?.iter().map(size).collect()
}

fn dtype(c: &KernelContext<'_>) -> Result<DType> {
    c.get(StatelessRandomUniformV2::DTYPE)
}

macro_rules! draws {
    ($($v2:ident $seeded:ident => $set:tt $function:ident;)*) => {
        $(pub(in crate::ops) fn $v2(c: &KernelContext<'_>) -> Result<Outputs> {
            let generator = from_state(c, 1)?;
            typed!($set, c, dtype(c)?, T => draw(c, |out: &mut [std::mem::MaybeUninit<T>]| {
                k::random::$function(generator, out, k::Par::Pool)
            }))
        }

        pub(in crate::ops) fn $seeded(c: &KernelContext<'_>) -> Result<Outputs> {
            let generator = from_seed(c, 1)?;
            typed!($set, c, dtype(c)?, T => draw(c, |out: &mut [std::mem::MaybeUninit<T>]| {
                k::random::$function(generator, out, k::Par::Pool)
            }))
        })*
    };
}

draws! {
    uniform_v2 uniform => float uniform;
    normal_v2 normal => float normal;
    truncated_v2 truncated => float truncated_normal;
    full_v2 full => wide_integer uniform_full_int;
}

/// Fills an array of the requested sizes.
fn draw<T: crate::array::Element>(
    c: &KernelContext<'_>,
    fill: impl FnOnce(&mut [std::mem::MaybeUninit<T>]),
) -> Result<Outputs> {
    let out = c.output(&sizes(c, 0)?, |out| {
        fill(out);
        Ok(())
    })?;
    Ok([out].into())
}

pub(in crate::ops) fn integers_v2(c: &KernelContext<'_>) -> Result<Outputs> {
    bounded(c, from_state(c, 1)?, 4)
}

pub(in crate::ops) fn integers(c: &KernelContext<'_>) -> Result<Outputs> {
    bounded(c, from_seed(c, 1)?, 2)
}

/// Integers between two scalars, inputs `i` and `i + 1`.
fn bounded(c: &KernelContext<'_>, generator: Philox, i: usize) -> Result<Outputs> {
    let (low, high) = (c.input(i), c.input(i + 1));
    typed!(wide_integer, c, low.dtype(), T => {
        let (&[low], &[high]) = (low.as_slice::<T>()?, high.as_slice::<T>()?) else {
            bail!("`minval` and `maxval` are scalars, not {} and {}", low.shape(), high.shape());
        };
        let dims = sizes(c, 0)?;
        // Nothing can be drawn from an empty range.
        if low >= high && !dims.contains(&0) {
            bail!("`minval` must be less than `maxval`, but {low} ≥ {high}");
        }
        draw(c, |out| {
            if !out.is_empty() {
                k::random::uniform_int(generator, low, high, out, k::Par::Pool);
            }
        })
    })
}

pub(in crate::ops) fn key_counter(c: &KernelContext<'_>) -> Result<Outputs> {
    let (key, counter) = scrambled(c, 0)?;
    let key = Array::from_slice([1], &[key])?;
    Ok([key, Array::from_slice([2], &counter)?].into_iter().collect())
}

pub(in crate::ops) fn key_counter_alg(c: &KernelContext<'_>) -> Result<Outputs> {
    let mut outputs = key_counter(c)?;
    outputs.extend(alg(c)?);
    Ok(outputs)
}

pub(in crate::ops) fn alg(_: &KernelContext<'_>) -> Result<Outputs> {
    Ok([Array::scalar(1i32)].into())
}

pub(in crate::ops) fn shuffle(c: &KernelContext<'_>) -> Result<Outputs> {
    let generator = from_state(c, 1)?;
    let value = c.input(0);
    let Some(rows) = value.dims().first() else { return Ok([value.clone()].into()) };
    if value.is_empty() {
        return Ok([value.clone()].into());
    }
    let order = worked(k::random::permutation(generator, *rows))?;
    let order: Vec<i64> = order.into_iter().map(|i| i as i64).collect();
    let (order, axis) = (Array::from_slice([*rows], &order)?, Array::scalar(0i32));
    Gather { batch_dims: 0, axis: Axis(0) }.compute(&[value, &order, &axis])
}

pub(in crate::ops) fn categorical(c: &KernelContext<'_>) -> Result<Outputs> {
    let generator = from_seed(c, 2)?;
    let (&[rows, classes], &[samples]) = (c.input(0).dims(), c.input(1).as_slice::<i32>()?) else {
        bail!("`logits` is a matrix, not of shape {}", c.input(0).shape());
    };
    let samples =
        usize::try_from(samples).map_err(|_| err!("`num_samples`, {samples}, is negative"))?;
    if classes == 0 {
        bail!("`logits` of shape {} have no class to draw", c.input(0).shape());
    }
    let out_dtype: DType = c.get(StatelessMultinomial::OUTPUT_DTYPE)?;
    typed!(float, c, c.input(0).dtype(), T => {
        let logits = c.input(0).as_slice::<T>()?;
        let sizes = [classes, samples];
        let out = match out_dtype {
            DType::I32 => c.output::<i32>(&[rows, samples], |out| {
                worked(k::random::categorical(generator, logits, sizes, out))
            }),
            DType::I64 => c.output::<i64>(&[rows, samples], |out| {
                worked(k::random::categorical(generator, logits, sizes, out))
            }),
            other => bail!("`output_dtype` can't be {other}"),
        };
        Ok([out?].into())
    })
}

/// How far the counter advances for one number.
const RESERVED: u64 = 256;

pub(in crate::ops) fn read_and_skip(c: &KernelContext<'_>) -> Result<Outputs> {
    if !matches!(c.input(1).as_slice::<i32>()?, [1 | 3]) {
        bail!("`alg` is 1 (Philox) or 3 (automatic), not {}", c.input(1));
    }
    let &[delta] = c.input(2).as_slice::<u64>()? else { bail!("`delta` is a scalar") };
    Ok([advance(c.input(0), delta)?].into())
}

/// Advances the generator of a variable by `delta` draws; the state from before.
pub(super) fn advance(variable: &Array, delta: u64) -> Result<Array> {
    update_variable(variable, |state, _| {
        let &[low, high, key] = state.as_slice::<i64>()? else {
            bail!("the state of a generator is int64 of shape [3], not {}", state.tensor_type());
        };
        let counter = u128::from(low as u64) | u128::from(high as u64) << 64;
        let counter = counter.wrapping_add(u128::from(delta.wrapping_mul(RESERVED)));
        Array::from_slice([3], &[counter as i64, (counter >> 64) as i64, key])
    })
}
