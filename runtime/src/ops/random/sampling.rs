//! Inference, kernels and gradients of random ops with parameters.

use std::mem::MaybeUninit;

use extype_kernels as k;
use extype_kernels::random::{Philox, Refused, Truncation};

use super::distributions::COUNTS;
use super::infer::{check_seed, check_state, chosen};
use super::kernel::{advance, from_seed, from_state, sizes};
use crate::array::{Array, Dims, vec_for};
use crate::ir::{Attrs, InferContext, KernelContext, Outputs, Types};
use crate::ops;
use crate::ops::methods::*;
use crate::ops::ordering::kernel::cast;
use crate::ops::rules::gradient::{Gradient, InputGradients, sum_to};
use crate::ops::rules::infer::{asked_shape, one};
use crate::ops::{BroadcastTo, NamedOp as _, RandomIndexShuffle, StatelessRandomPoisson};
use crate::tensor::Tensor;
use crate::types::{DType, Dim, Result, Shape, bail, err};

/// The result's shape, input `at`; it ends with what the shapes of the inputs from `first` on broadcast to.
fn ending(c: &InferContext<'_>, at: usize, first: usize) -> Result<Shape> {
    let shape = asked_shape(c, at)?;
    let parameters = c.inputs[first..]
        .iter()
        .try_fold(Shape::scalar(), |whole, input| whole.broadcast(&input.shape))?;
    let (Some(all), Some(last)) = (shape.dims(), parameters.dims()) else { return Ok(shape) };
    let ends = all.len().checked_sub(last.len()).is_some_and(|skipped| {
        all[skipped..].iter().zip(last).all(|(a, b)| a.is_compatible_with(*b))
    });
    if !ends {
        bail!("a shape {shape} that does not end with that of the parameters, {parameters}");
    }
    Ok(shape)
}

pub(in crate::ops) fn infer_seeded(c: &InferContext<'_>) -> Result<Types> {
    check_seed(c, 1)?;
    one(c.input(2).dtype, ending(c, 0, 2)?)
}

pub(in crate::ops) fn infer_keyed(c: &InferContext<'_>) -> Result<Types> {
    check_state(c, 1)?;
    one(c.input(4).dtype, ending(c, 0, 4)?)
}

pub(in crate::ops) fn infer_counts(c: &InferContext<'_>) -> Result<Types> {
    check_seed(c, 1)?;
    one(chosen(c, COUNTS)?, ending(c, 0, 2)?)
}

pub(in crate::ops) fn infer_stateful(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank(0)?;
    c.shape(1).with_rank(0)?;
    one(chosen(c, COUNTS)?, ending(c, 2, 3)?)
}

pub(in crate::ops) fn infer_index_shuffle(c: &InferContext<'_>) -> Result<Types> {
    let rounds: i64 = c.get(RandomIndexShuffle::ROUNDS)?;
    if !(4..=1024).contains(&rounds) || rounds % 2 != 0 {
        bail!("`rounds` = {rounds}; an even number from 4 to 1024 is wanted");
    }
    let seed = c.shape(1).with_rank_at_most(2)?;
    if let Some(dims) = seed.dims()
        && dims.last().is_none_or(|n| !n.is_compatible_with(Dim::from(3)))
    {
        bail!("a seed is three integers, shape [3] or [n, 3], not {seed}");
    }
    let (mut whole, mut unknown) = (Shape::scalar(), false);
    let seeds = seed.rank().map_or(Shape::unknown(), |_| seed.slice(None, Some(-1)));
    for shape in [c.shape(0), &seeds, c.shape(2)] {
        match shape.with_rank_at_most(1)?.rank() {
            Some(0) => {}
            Some(_) if whole.rank() == Some(0) => whole = shape.clone(),
            Some(_) => whole = whole.merge(shape)?,
            None => unknown = true,
        }
    }
    let scalar = whole.rank() == Some(0);
    one(c.input(0).dtype, if scalar && unknown { Shape::unknown() } else { whole })
}

/// The inputs from `first` on as float64, repeated to the shape that they have together; nothing if the result, of these
/// sizes, is empty.
fn parameters(c: &KernelContext<'_>, first: usize, dims: &Dims) -> Result<Vec<Array>> {
    let inputs = &c.inputs[first..];
    if dims.contains(&0) {
        return inputs.iter().map(|_| Array::zeros(DType::F64, [0])).collect();
    }
    let shapes = inputs.iter().try_fold(Shape::scalar(), |all, x| all.broadcast(&x.shape()))?;
    let dims = shapes.sizes().ok_or_else(|| err!(Internal, "sizes of arrays are known"))?;
    let sizes = Array::from_i64s(&dims.iter().map(|n| *n as i64).collect::<Vec<_>>());
    let wide = |x: &&Array| -> Result<Array> {
        let x = cast(x, DType::F64)?;
        match x.dims() == &dims[..] {
            true => Ok(x),
            false => BroadcastTo::DEF.run_one(&[&x, &sizes], &Attrs::new()),
        }
    };
    inputs.iter().map(wide).collect()
}

/// Fills an array of these sizes with float64, and casts it.
fn drawn(
    c: &KernelContext<'_>,
    dims: &Dims,
    dtype: DType,
    fill: impl FnOnce(&mut [MaybeUninit<f64>]),
) -> Result<Outputs> {
    let out = c.output(dims, |out| {
        fill(out);
        Ok(())
    })?;
    Ok([cast(&out, dtype)?].into())
}

fn gamma(c: &KernelContext<'_>, generator: Philox, alpha: usize) -> Result<Outputs> {
    let shapes = cast(c.input(alpha), DType::F64)?;
    let shapes = shapes.as_slice::<f64>()?;
    drawn(c, &sizes(c, 0)?, c.input(alpha).dtype(), |out| {
        k::random::gamma(generator, shapes, out, k::Par::Pool);
    })
}

pub(in crate::ops) fn gamma_v2(c: &KernelContext<'_>) -> Result<Outputs> {
    gamma(c, from_seed(c, 1)?, 2)
}

pub(in crate::ops) fn gamma_v3(c: &KernelContext<'_>) -> Result<Outputs> {
    gamma(c, from_state(c, 1)?, 4)
}

pub(in crate::ops) fn poisson(c: &KernelContext<'_>) -> Result<Outputs> {
    let (generator, rates) = (from_seed(c, 1)?, c.input(2));
    let (dims, dtype) = (sizes(c, 0)?, c.get(StatelessRandomPoisson::DTYPE)?);
    let rates = cast(rates, DType::F64)?;
    let rates = rates.as_slice::<f64>()?;
    drawn(c, &dims, dtype, |out| k::random::poisson(generator, rates, out, k::Par::Pool))
}

/// Binomial numbers with the parameters from input `first` on, in the shape that stands before them.
fn binomials(
    c: &KernelContext<'_>,
    dims: &Dims,
    generator: Philox,
    parameters: &[Array],
) -> Result<Outputs> {
    let (counts, p) = (parameters[0].as_slice()?, parameters[1].as_slice()?);
    let round: fn(f64) -> f64 = match c.inputs[c.inputs.len() - 1].dtype() {
        DType::F16 => |x| k::Cast::<f64>::cast(k::Cast::<k::f16>::cast(x)),
        DType::F32 => |x| f64::from(x as f32),
        _ => |x| x,
    };
    drawn(c, dims, c.get(StatelessRandomPoisson::DTYPE)?, |out| {
        k::random::binomial(generator, counts, p, round, out, k::Par::Pool);
    })
}

pub(in crate::ops) fn binomial(c: &KernelContext<'_>) -> Result<Outputs> {
    let dims = sizes(c, 0)?;
    binomials(c, &dims, from_seed(c, 1)?, &parameters(c, 2, &dims)?)
}

pub(in crate::ops) fn stateful_binomial(c: &KernelContext<'_>) -> Result<Outputs> {
    if !matches!(c.input(1).as_slice::<i64>()?, [1 | 3]) {
        bail!("`algorithm` is 1 (Philox) or 3 (automatic), not {}", c.input(1));
    }
    let dims = sizes(c, 2)?;
    let parameters = parameters(c, 3, &dims)?;
    // TensorFlow reserves as many numbers as 100 tries of each would take.
    let batches = parameters[0].len() as u64;
    let count = dims.iter().fold(1u64, |n, size| n.wrapping_mul(*size as u64));
    let samples = count.checked_div(batches).unwrap_or(0);
    let reserved = batches.wrapping_mul(200).wrapping_mul(samples.wrapping_add(3)) / 4;
    let state = advance(c.input(0), reserved)?;
    let &[low, high, key] = state.as_slice::<i64>()? else { bail!(Internal, "three words") };
    let generator = Philox::new(key as u64, [low as u64, high as u64]);
    binomials(c, &dims, generator, &parameters)
}

pub(in crate::ops) fn truncated(c: &KernelContext<'_>) -> Result<Outputs> {
    let (generator, dims) = (from_seed(c, 1)?, sizes(c, 0)?);
    let parameters = parameters(c, 2, &dims)?;
    let columns = parameters.iter().map(|x| x.as_slice::<f64>()).collect::<Result<Vec<_>>>()?;
    let mut batches: Vec<Truncation<f64>> = vec_for(parameters[0].len())?;
    batches.extend((0..parameters[0].len()).map(|i| std::array::from_fn(|j| columns[j][i])));
    let refused = |e| match e {
        Refused::Parameters => {
            err!(
                "means and deviations are finite, deviations above zero; bounds ascend and are not both infinite"
            )
        }
        Refused::Tries => {
            err!(ResourceExhausted, "1000 numbers in a row did not fit the distribution")
        }
    };
    let dtype = c.input(2).dtype();
    let out = if dtype == DType::F64 {
        c.output_slice(&dims, |out: &mut [f64]| {
            k::random::truncated_f64(generator, &batches, out).map_err(refused)
        })?
    } else {
        let narrow: Vec<_> = batches.iter().map(|b| b.map(|x| x as f32)).collect();
        c.output_slice(&dims, |out: &mut [f32]| {
            k::random::truncated_f32(generator, &narrow, out).map_err(refused)
        })?
    };
    Ok([cast(&out, dtype)?].into())
}

pub(in crate::ops) fn index_shuffle(c: &KernelContext<'_>) -> Result<Outputs> {
    let words = |i: usize| -> Result<Vec<i64>> {
        let mut words = vec_for(c.input(i).len())?;
        match c.input(i).dtype() {
            DType::U64 => words.extend(c.input(i).as_slice::<u64>()?.iter().map(|x| *x as i64)),
            _ => words.extend(cast(c.input(i), DType::I64)?.as_slice::<i64>()?),
        }
        Ok(words)
    };
    let rounds: i64 = c.get(RandomIndexShuffle::ROUNDS)?;
    let (indices, seeds, last) = (words(0)?, words(1)?, words(2)?);
    let unsigned = c.input(0).dtype() == DType::U64;
    let lengths = [(0, 1), (1, 2), (2, 1)]
        .into_iter()
        .filter(|(i, rank)| c.input(*i).rank() == *rank)
        .map(|(i, _)| c.input(i).dims()[0]);
    let length = lengths.max();
    let at = |all: &[i64], i: usize| all[if all.len() == 1 { 0 } else { i }];
    let n = length.unwrap_or(1);
    let mut out: Vec<i64> = vec_for(n)?;
    for i in 0..n {
        let (index, last) = (at(&indices, i), at(&last, i));
        if !unsigned && (index < 0 || last < 0) || index as u64 > last as u64 {
            bail!("index {index} is not in the range 0..={last}");
        }
        let seed = &seeds[if seeds.len() == 3 { 0 } else { 3 * i }..][..3];
        let seed = std::array::from_fn(|j| seed[j] as u32);
        let shuffled = k::random::index_shuffle(index as u64, seed, last as u64, rounds as usize);
        out.push(shuffled as i64);
    }
    let out = match length {
        Some(n) => Array::from_slice([n], &out)?,
        None => Array::scalar(out[0]),
    };
    Ok([cast(&out, c.input(0).dtype())?].into())
}

/// The gradient with respect to `alpha`, the last input.
pub(in crate::ops) fn gamma_gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    let last = g.inputs.len() - 1;
    let moved = ops::mul(g.dy()?, &ops::random_gamma_grad(g.x(last), g.y())?)?;
    let mut all = vec![None; last];
    all.push(sum_to(moved, g.x(last), g.y())?);
    Ok(all.into_iter().collect())
}

/// The gradients by implicit reparameterization: the number that has the same quantile moves with each parameter.
pub(in crate::ops) fn truncated_gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    // In float64, so that quantiles far in the tails are no zeros.
    let wide = |x: &Tensor| x.cast(DType::F64);
    let (dy, y, mean, stddev) = (g.dy()?, &wide(g.y())?, wide(g.x(2))?, wide(g.x(3))?);
    let normed = |x: &Tensor| ops::div(&ops::sub(wide(x)?, &mean)?, &stddev);
    let (x, low, high) = (normed(y)?, normed(g.x(4))?, normed(g.x(5))?);
    // The tail beyond `t`, of the side on which the bounds lie, so that it does not cancel.
    let flip = low.greater(0.0)?;
    let side = ops::sub(1.0, ops::mul(flip.cast(y.dtype())?, 2.0)?)?;
    let tail = |t: &Tensor| {
        let t = ops::mul(ops::mul(t, &side)?, -std::f64::consts::FRAC_1_SQRT_2)?;
        ops::mul(t.erfc()?, &side)
    };
    let (at_low, at_high) = (tail(&low)?, tail(&high)?);
    let quantile = ops::div(ops::sub(tail(&x)?, &at_low)?, ops::sub(&at_high, &at_low)?)?;
    // The ratio of the normal density at a bound to that at the number; zero for an infinite bound.
    let ratio = |bound: &Tensor| {
        ops::mul(ops::mul(ops::sub(&x, bound)?, ops::add(&x, bound)?)?, 0.5)?.exp()
    };
    let by_low = ops::mul(ops::sub(1.0, &quantile)?, ratio(&low)?)?;
    let by_high = ops::mul(&quantile, ratio(&high)?)?;
    let by_mean = ops::sub(ops::sub(1.0, &by_low)?, &by_high)?;
    let moved = |bound: &Tensor, by: &Tensor| {
        ops::select(bound.is_finite()?, ops::mul(bound, by)?, by.zeros_like()?)
    };
    let by_stddev = ops::sub(ops::sub(&x, moved(&low, &by_low)?)?, moved(&high, &by_high)?)?;
    let part = |i: usize, by: &Tensor| sum_to(ops::mul(dy, by.cast(dy.dtype())?)?, g.x(i), g.y());
    Ok([
        None,
        None,
        part(2, &by_mean)?,
        part(3, &by_stddev)?,
        part(4, &by_low)?,
        part(5, &by_high)?,
    ]
    .into_iter()
    .collect())
}
