//! Ops `FakeQuant…`: floats at the levels of a quantized range.

use crate::array::{Array, vec_for};
use crate::ir::{InferContext, KernelContext, OpDef, Outputs, Types};
use crate::ops::rules::gradient::{Gradient, InputGradients};
use crate::ops::rules::infer::one;
use crate::ops::{FakeQuantWithMinMaxArgs, FakeQuantWithMinMaxArgsGradient, Op as _};
use crate::tensor::execute;
use crate::types::{DType, Dim, Result, Shape, TensorType, bail};

/// The number of bits and whether the lowest level is left out.
fn check_bits(c: &InferContext<'_>) -> Result<()> {
    match c.get(FakeQuantWithMinMaxArgs::NUM_BITS)? {
        2..=16 => Ok(()),
        bits => bail!("`num_bits` = {bits}; 2 to 16 are possible"),
    }
}

pub(in crate::ops) fn infer_args(c: &InferContext<'_>) -> Result<Types> {
    check_bits(c)?;
    let (min, max) = (c.get(FakeQuantWithMinMaxArgs::MIN)?, c.get(FakeQuantWithMinMaxArgs::MAX)?);
    if min.partial_cmp(&max) != Some(std::cmp::Ordering::Less) {
        bail!("`min` = {min} must be less than `max` = {max}");
    }
    let shape = c.inputs[1..].iter().try_fold(c.shape(0).clone(), |all, x| all.merge(&x.shape))?;
    one(DType::F32, shape)
}

/// The types of an op whose last two inputs are the range, scalars or vectors over the last axis.
pub(in crate::ops) fn infer_vars(c: &InferContext<'_>, channels: bool) -> Result<Types> {
    check_bits(c)?;
    let n = c.inputs.len() - 2;
    let mut range = if channels { Shape::of_rank(1) } else { Shape::scalar() };
    for (i, name) in [(n, "`min`"), (n + 1, "`max`")] {
        range = range.merge(c.shape(i)).map_err(|e| e.prefixed(name))?;
    }
    let mut shape =
        c.inputs[..n].iter().try_fold(Shape::unknown(), |all, x| all.merge(&x.shape))?;
    if channels {
        shape = shape.with_rank_at_least(1)?;
        let last = if shape.rank().is_some() { shape.dim(-1)? } else { Dim::UNKNOWN };
        if !last.is_compatible_with(range.dim(0)?) {
            bail!(
                "a range of shape {range} for numbers of shape {shape}; one for each place of the last axis"
            );
        }
    }
    let types = [shape, range.clone(), range].map(|shape| TensorType::new(DType::F32, shape));
    Ok(types.into_iter().take(if n == 1 { 1 } else { 3 }).collect())
}

/// A range of which zero is a level.
#[derive(Clone, Copy)]
struct Levels {
    low: f32,
    high: f32,
    scale: f32,
    /// The level of zero, counted from `low`.
    zero: f32,
}

impl Levels {
    fn new(min: f32, max: f32, [first, last]: [f32; 2]) -> Self {
        // A range of zeros alone has one level.
        if min == 0.0 && max == 0.0 {
            return Self { low: f32::NEG_INFINITY, high: f32::INFINITY, scale: 0.0, zero: 0.0 };
        }
        let scale = (max - min) / (last - first);
        let zero = first - min / scale;
        let zero = if zero < first {
            first
        } else if zero > last {
            last
        } else {
            zero.round()
        };
        let low = (first - zero) * scale;
        Self { low, high: (last - zero) * scale, scale, zero: (-low / scale + 0.5).floor() }
    }

    fn nearest(self, x: f32) -> f32 {
        if self.scale == 0.0 && self.low == f32::NEG_INFINITY {
            return 0.0;
        }
        let shifted = clipped(x, self.low, self.high) - self.low;
        (shifted * (1.0 / self.scale) - self.zero + 0.5).floor() * self.scale
    }
}

/// A number within bounds. NaN stays, which `min` and `max` would drop; the bounds may be NaN or descend, unlike `clamp`'s.
pub(in crate::ops) fn clipped<T: PartialOrd>(x: T, low: T, high: T) -> T {
    let x = if x > high { high } else { x };
    if x < low { low } else { x }
}

/// The first and the last level of the attributes.
fn ends(c: &KernelContext<'_>) -> Result<[f32; 2]> {
    let bits = c.get(FakeQuantWithMinMaxArgs::NUM_BITS)?;
    let narrow = c.get(FakeQuantWithMinMaxArgs::NARROW_RANGE)?;
    Ok([f32::from(u8::from(narrow)), ((1u32 << bits.clamp(1, 16)) - 1) as f32])
}

fn of_args(c: &KernelContext<'_>) -> Result<Vec<Levels>> {
    let (min, max) = (c.get(FakeQuantWithMinMaxArgs::MIN)?, c.get(FakeQuantWithMinMaxArgs::MAX)?);
    Ok(vec![Levels::new(min, max, ends(c)?)])
}

/// The ranges in the last two inputs.
fn of_vars(c: &KernelContext<'_>) -> Result<Vec<Levels>> {
    let (ends, n) = (ends(c)?, c.inputs.len() - 2);
    let (min, max) = (c.input(n).as_slice::<f32>()?, c.input(n + 1).as_slice::<f32>()?);
    let mut all = vec_for(min.len())?;
    all.extend(min.iter().zip(max).map(|(min, max)| Levels::new(*min, *max, ends)));
    Ok(all)
}

/// Writes `f(i, levels)` for each element; the ranges follow each other along the last axis.
fn each(c: &KernelContext<'_>, all: &[Levels], f: impl Fn(usize, Levels) -> f32) -> Result<Array> {
    c.output_slice(c.input(0).dims(), |out: &mut [f32]| {
        for (row, out) in out.chunks_mut(all.len().max(1)).enumerate() {
            for (i, (out, levels)) in out.iter_mut().zip(all).enumerate() {
                *out = f(row * all.len() + i, *levels);
            }
        }
        Ok(())
    })
}

fn quantized(c: &KernelContext<'_>, all: &[Levels]) -> Result<Outputs> {
    let x = c.input(0).as_slice::<f32>()?;
    Ok([each(c, all, |i, levels| levels.nearest(x[i]))?].into())
}

pub(in crate::ops) fn by_args(c: &KernelContext<'_>) -> Result<Outputs> {
    quantized(c, &of_args(c)?)
}

pub(in crate::ops) fn by_vars(c: &KernelContext<'_>) -> Result<Outputs> {
    quantized(c, &of_vars(c)?)
}

/// The cotangents of the numbers within their ranges.
fn within(c: &KernelContext<'_>, all: &[Levels]) -> Result<Array> {
    let (dy, x) = (c.input(0).as_slice::<f32>()?, c.input(1).as_slice::<f32>()?);
    each(c, all, |i, l| if x[i] >= l.low && x[i] <= l.high { dy[i] } else { 0.0 })
}

pub(in crate::ops) fn by_args_gradient(c: &KernelContext<'_>) -> Result<Outputs> {
    Ok([within(c, &of_args(c)?)?].into())
}

pub(in crate::ops) fn by_vars_gradient(c: &KernelContext<'_>) -> Result<Outputs> {
    let all = of_vars(c)?;
    let (dy, x) = (c.input(0).as_slice::<f32>()?, c.input(1).as_slice::<f32>()?);
    let mut sums: Vec<[f64; 2]> = vec_for(all.len())?;
    sums.resize(all.len(), [0.0; 2]);
    if !all.is_empty() {
        for (dy, x) in dy.chunks(all.len()).zip(x.chunks(all.len())) {
            for (((dy, x), l), [below, above]) in dy.iter().zip(x).zip(&all).zip(&mut sums) {
                if *x < l.low {
                    *below += f64::from(*dy);
                }
                if *x > l.high {
                    *above += f64::from(*dy);
                }
            }
        }
    }
    let sum = |j: usize| {
        c.output_slice(c.input(2).dims(), |out: &mut [f32]| {
            out.iter_mut().zip(&sums).for_each(|(out, sum)| *out = sum[j] as f32);
            Ok(())
        })
    };
    Ok([within(c, &all)?, sum(0)?, sum(1)?].into_iter().collect())
}

pub(in crate::ops) fn gradient_args(g: &Gradient<'_>) -> Result<InputGradients> {
    let FakeQuantWithMinMaxArgs { min, max, num_bits, narrow_range } = g.op()?;
    let op = FakeQuantWithMinMaxArgsGradient { min, max, num_bits, narrow_range };
    Ok([Some(op.run(&[g.dy()?, g.x(0)])?)].into_iter().collect())
}

/// The gradients by an op that has the same attributes.
pub(in crate::ops) fn gradient_vars(
    g: &Gradient<'_>,
    op: &'static OpDef,
) -> Result<InputGradients> {
    let inputs = [g.dy()?, g.x(0), g.x(1), g.x(2)];
    Ok(execute(op, g.attrs.clone(), &inputs)?.into_iter().map(Some).collect())
}
