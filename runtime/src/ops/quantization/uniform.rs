//! Levels of scales with a zero point: the real is `(level - zero_point) * scale`.

use super::batch;
use super::channels::{self, each, layout, pair};
use super::levels::dtype;
use crate::array::Array;
use crate::define_op;
use crate::ir::{AttrKey, InferContext, KernelContext, Outputs, Types, only};
use crate::ops::ordering::kernel::cast;
use crate::ops::{Add, MatMul, Op as _, movement};
use crate::types::{DType, DTypeSet, Result, Shape, TensorType, bail};

/// The dtypes of levels that have a scale.
const SCALED: DTypeSet = DTypeSet::of(&[DType::QI8, DType::QU8, DType::QI32]);

/// Checks the shapes of scales and zero points, the inputs `first` and `first + 1`, of data of a shape.
fn check(c: &InferContext<'_>, data: &Shape, first: usize, axis: i64) -> Result<()> {
    pair(c, data, first, axis, ["scales", "zero_points"]).map(drop)
}

/// The axis of scales that may be a vector over the last axis of matrices.
fn columns(c: &InferContext<'_>, first: usize) -> i64 {
    if c.shape(first).rank() == Some(0) { -1 } else { 1 }
}

/// The scales of an input, which are positive, and the zero points in the next.
fn scales<'a>(c: &'a KernelContext<'_>, first: usize) -> Result<(&'a [f32], &'a [i32])> {
    let scales = c.input(first).as_slice::<f32>()?;
    if let Some(scale) = scales.iter().find(|scale| scale.is_nan() || **scale <= 0.0) {
        bail!("a scale of {scale}; scales are positive");
    }
    Ok((scales, c.input(first + 1).as_slice::<i32>()?))
}

/// The entry for a channel of a list with one for all or one for each.
fn of<T: Copy>(list: &[T], channel: usize) -> T {
    list[if list.len() == 1 { 0 } else { channel }]
}

/// The axis of scales, if they have one.
fn axis(c: &KernelContext<'_>, key: AttrKey<i64>) -> Result<Option<usize>> {
    channels::axis(c.get(key)?)
}

/// The least and the greatest level that are asked for.
fn bounds(c: &KernelContext<'_>, min: AttrKey<i64>, max: AttrKey<i64>) -> Result<(i32, i32)> {
    let bound = |n: i64| n.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    Ok((bound(c.get(min)?), bound(c.get(max)?)))
}

/// A factor as an integer of 31 bits and a shift, and levels multiplied with it.
#[derive(Clone, Copy)]
struct Factor {
    multiplier: i64,
    shift: i32,
}

impl Factor {
    fn new(factor: f64) -> Result<Self> {
        if !factor.is_normal() || factor < 0.0 {
            bail!("scales whose ratio is {factor}; it must be positive and finite");
        }
        // The exponent, and the fraction from one half to one.
        let shift = (factor.to_bits() >> 52) as i32 - 1022;
        let fraction = f64::from_bits(factor.to_bits() & ((1 << 52) - 1) | 1022 << 52);
        let fixed = (fraction * f64::from(1u32 << 31)).round() as i64;
        let (multiplier, shift) =
            if fixed == 1 << 31 { (fixed / 2, shift + 1) } else { (fixed, shift) };
        Ok(match shift {
            ..-31 => Self { multiplier: 0, shift: 0 },
            31.. => Self { multiplier: i32::MAX.into(), shift: 30 },
            _ => Self { multiplier, shift },
        })
    }

    fn times(self, x: i32) -> i32 {
        let shift = 31 - self.shift;
        let product = i64::from(x) * self.multiplier + (1 << (shift - 1));
        (product >> shift).clamp(i32::MIN.into(), i32::MAX.into()) as i32
    }
}

/// Levels moved from zero to a zero point, within bounds.
fn placed(level: i32, zero: i32, (least, most): (i32, i32)) -> i32 {
    level.saturating_add(zero).min(most).max(least)
}

fn quantize(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let layout = layout(x, axis(c, UniformQuantize::QUANTIZATION_AXIS)?);
    let (scales, zeros) = (c.input(1).as_slice::<f32>()?, c.input(2).as_slice::<i32>()?);
    let bounds =
        bounds(c, UniformQuantize::QUANTIZATION_MIN_VAL, UniformQuantize::QUANTIZATION_MAX_VAL)?;
    let reals = x.as_slice::<f32>()?;
    let levels = c.output_slice(x.dims(), |out: &mut [i32]| {
        for (channel, (scale, zero)) in scales.iter().zip(zeros).enumerate() {
            let inverse = 1.0 / scale;
            let level = |x: f32| placed((x * inverse + 0.5).floor() as i32, *zero, bounds);
            each(reals, out, layout, channel, level);
        }
        Ok(())
    })?;
    Ok([cast(&levels, c.get(UniformQuantize::TOUT)?)?].into())
}

fn dequantize(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let layout = layout(x, axis(c, UniformDequantize::QUANTIZATION_AXIS)?);
    let (scales, zeros) = scales(c, 1)?;
    let levels = cast(x, DType::I32)?;
    let levels = levels.as_slice::<i32>()?;
    let reals = c.output_slice(x.dims(), |out: &mut [f32]| {
        for (channel, (scale, zero)) in scales.iter().zip(zeros).enumerate() {
            each(levels, out, layout, channel, |n: i32| n.wrapping_sub(*zero) as f32 * scale);
        }
        Ok(())
    })?;
    Ok([reals].into())
}

fn requantize_type(c: &InferContext<'_>) -> Result<Types> {
    let input = c.get(UniformRequantize::INPUT_QUANTIZATION_AXIS)?;
    let output = c.get(UniformRequantize::OUTPUT_QUANTIZATION_AXIS)?;
    if input >= 0 && output >= 0 && input != output {
        bail!("scales of axis {input} for the levels, and of axis {output} for the result");
    }
    check(c, c.shape(0), 1, input)?;
    check(c, c.shape(0), 3, output)?;
    let dtype = dtype(c, UniformRequantize::TOUT, DTypeSet::of(&[DType::QI8]))?;
    Ok([TensorType::new(dtype, c.shape(0).clone())].into())
}

/// Levels of some scales and zero points as levels of others, in int32.
fn rescaled(
    c: &KernelContext<'_>,
    x: &Array,
    axis: Option<usize>,
    from: (&[f32], &[i32]),
    to: (&[f32], &[i32]),
    bounds: (i32, i32),
) -> Result<Array> {
    let levels = cast(x, DType::I32)?;
    let (levels, layout) = (levels.as_slice::<i32>()?, layout(x, axis));
    c.output_slice(x.dims(), |out: &mut [i32]| {
        for channel in 0..layout[1] {
            let factor =
                Factor::new(f64::from(of(from.0, channel)) / f64::from(of(to.0, channel)))?;
            let (zero, new) = (of(from.1, channel), of(to.1, channel));
            each(levels, out, layout, channel, |n: i32| {
                placed(factor.times(n.wrapping_sub(zero)), new, bounds)
            });
        }
        Ok(())
    })
}

fn requantize(c: &KernelContext<'_>) -> Result<Outputs> {
    let along = axis(c, UniformRequantize::INPUT_QUANTIZATION_AXIS)?;
    let along = along.or(axis(c, UniformRequantize::OUTPUT_QUANTIZATION_AXIS)?);
    let bounds = bounds(
        c,
        UniformRequantize::OUTPUT_QUANTIZATION_MIN_VAL,
        UniformRequantize::OUTPUT_QUANTIZATION_MAX_VAL,
    )?;
    let levels = rescaled(c, c.input(0), along, scales(c, 1)?, scales(c, 3)?, bounds)?;
    Ok([cast(&levels, c.get(UniformRequantize::TOUT)?)?].into())
}

fn add_type(c: &InferContext<'_>) -> Result<Types> {
    let shape = c.shape(0).broadcast(c.shape(1))?;
    let output = c.get(UniformQuantizedAdd::OUTPUT_QUANTIZATION_AXIS)?;
    check(c, &shape, 6, output)?;
    let operands =
        [UniformQuantizedAdd::LHS_QUANTIZATION_AXIS, UniformQuantizedAdd::RHS_QUANTIZATION_AXIS];
    for (i, key) in operands.into_iter().enumerate() {
        let axis = c.get(key)?;
        check(c, c.shape(i), 2 + 2 * i, axis)?;
        let (Some(rank), Some(all)) = (c.shape(i).rank(), shape.rank()) else { continue };
        if axis >= 0 && output >= 0 && axis + (all - rank) as i64 != output {
            bail!("scales of axis {axis} of operand {i}, and of axis {output} of the sum");
        }
    }
    Ok([TensorType::new(c.input(0).dtype, shape)].into())
}

fn add(c: &KernelContext<'_>) -> Result<Outputs> {
    let to = scales(c, 6)?;
    let shape = c.input(0).shape().broadcast(&c.input(1).shape())?;
    let sizes: Vec<i64> = shape.sizes().unwrap_or_default().iter().map(|n| *n as i64).collect();
    let sizes = Array::from_i64s(&sizes);
    let output = axis(c, UniformQuantizedAdd::OUTPUT_QUANTIZATION_AXIS)?;
    let bounds = bounds(
        c,
        UniformQuantizedAdd::OUTPUT_QUANTIZATION_MIN_VAL,
        UniformQuantizedAdd::OUTPUT_QUANTIZATION_MAX_VAL,
    )?;
    // In the scale of the sum, whose zero point comes last.
    let term = |i: usize, key: AttrKey<i64>| {
        let inputs = [c.input(i), &sizes];
        let x = movement::kernel::broadcast_to(&KernelContext::new(&inputs, c.attrs))?;
        let x = only(x)?;
        let own = axis(c, key)?.map(|axis| axis + sizes.len() - c.input(i).rank());
        let zeros = vec![0; to.1.len()];
        let all = (i32::MIN, i32::MAX);
        rescaled(c, &x, own.or(output), scales(c, 2 + 2 * i)?, (to.0, &zeros), all)
    };
    let (x, y) = (
        term(0, UniformQuantizedAdd::LHS_QUANTIZATION_AXIS)?,
        term(1, UniformQuantizedAdd::RHS_QUANTIZATION_AXIS)?,
    );
    let sum = only(Add::default().compute(&[&x, &y])?)?;
    let (sums, layout) = (sum.as_slice::<i32>()?, layout(&sum, output));
    let levels = c.output_slice(sum.dims(), |out: &mut [i32]| {
        for channel in 0..layout[1] {
            let zero = of(to.1, channel);
            each(sums, out, layout, channel, |n: i32| placed(n, zero, bounds));
        }
        Ok(())
    })?;
    Ok([cast(&levels, DType::QI32)?].into())
}

fn clip_type(c: &InferContext<'_>) -> Result<Types> {
    check(c, c.shape(0), 3, c.get(UniformQuantizedClipByValue::QUANTIZATION_AXIS)?)?;
    for (i, name) in [(1, "`min`"), (2, "`max`")] {
        c.shape(3).merge(c.shape(i)).map_err(|e| e.prefixed(name))?;
    }
    Ok([c.input(0).clone()].into())
}

fn clip(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let layout = layout(x, axis(c, UniformQuantizedClipByValue::QUANTIZATION_AXIS)?);
    let [levels, least, most] = [0, 1, 2].map(|i| cast(c.input(i), DType::I32));
    let (levels, least, most) = (levels?, least?, most?);
    let (levels, least) = (levels.as_slice::<i32>()?, least.as_slice::<i32>()?);
    let most = most.as_slice::<i32>()?;
    let levels = c.output_slice(x.dims(), |out: &mut [i32]| {
        for (channel, (least, most)) in least.iter().zip(most).enumerate() {
            each(levels, out, layout, channel, |n: i32| n.max(*least).min(*most));
        }
        Ok(())
    })?;
    Ok([cast(&levels, DType::QI32)?].into())
}

fn dot_type(c: &InferContext<'_>) -> Result<Types> {
    if c.get(UniformQuantizedDot::LHS_QUANTIZATION_AXIS)? != -1 {
        bail!("`lhs_quantization_axis` is -1: the left levels have one scale");
    }
    for key in
        [UniformQuantizedDot::RHS_QUANTIZATION_AXIS, UniformQuantizedDot::OUTPUT_QUANTIZATION_AXIS]
    {
        if !matches!(c.get(key)?, -1 | 1) {
            bail!("`{}` is -1 for one scale, or 1 for one of each column", key.name());
        }
    }
    let (lhs, rhs) = (c.shape(0).with_rank(2)?, c.shape(1).with_rank(2)?);
    if !lhs.dim(1)?.is_compatible_with(rhs.dim(0)?) {
        bail!("inner dimensions differ: {lhs} × {rhs}");
    }
    let shape: Shape = [lhs.dim(0)?, rhs.dim(1)?].into_iter().collect();
    check(c, &lhs, 2, -1)?;
    check(c, &rhs, 4, columns(c, 4))?;
    check(c, &shape, 6, columns(c, 6))?;
    if c.shape(4).rank() == Some(0) && c.shape(6).rank().is_some_and(|rank| rank > 0) {
        bail!("scales for each column of the result of right levels that have one scale");
    }
    let dtype = dtype(c, UniformQuantizedDot::TOUT, DTypeSet::of(&[DType::QI32]))?;
    Ok([TensorType::new(dtype, shape)].into())
}

/// The levels without their zero points, those of the columns or one for all.
fn from_zero(c: &KernelContext<'_>, x: &Array, zeros: &[i32]) -> Result<Array> {
    let levels = cast(x, DType::I32)?;
    let levels = levels.as_slice::<i32>()?;
    let layout = layout(x, (zeros.len() == x.dims()[1]).then_some(1));
    c.output_slice(x.dims(), |out: &mut [i32]| {
        for channel in 0..layout[1] {
            let zero = of(zeros, channel);
            each(levels, out, layout, channel, |n: i32| n.wrapping_sub(zero));
        }
        Ok(())
    })
}

fn dot(c: &KernelContext<'_>) -> Result<Outputs> {
    let (lhs, rhs, to) = (scales(c, 2)?, scales(c, 4)?, scales(c, 6)?);
    let bounds = bounds(
        c,
        UniformQuantizedDot::OUTPUT_QUANTIZATION_MIN_VAL,
        UniformQuantizedDot::OUTPUT_QUANTIZATION_MAX_VAL,
    )?;
    let (a, b) = (from_zero(c, c.input(0), lhs.1)?, from_zero(c, c.input(1), rhs.1)?);
    let product = MatMul { transpose_a: false, transpose_b: false };
    let sums = only(product.compute(&[&a, &b])?)?;
    let (levels, layout) = (sums.as_slice::<i32>()?, layout(&sums, Some(1)));
    let levels = c.output_slice(sums.dims(), |out: &mut [i32]| {
        for column in 0..layout[1] {
            let scale = f64::from(lhs.0[0]) * f64::from(of(rhs.0, column));
            let factor = Factor::new(scale / f64::from(of(to.0, column)))?;
            let zero = of(to.1, column);
            each(levels, out, layout, column, |n: i32| placed(factor.times(n), zero, bounds));
        }
        Ok(())
    })?;
    Ok([cast(&levels, DType::QI32)?].into())
}

define_op! {
    attrs Levels { quantization_axis: i64 = -1, quantization_min_val: i64, quantization_max_val: i64 }

    attrs Operands {
        lhs_quantization_axis: i64 = -1, lhs_quantization_min_val: i64, lhs_quantization_max_val: i64,
        rhs_quantization_axis: i64 = -1, rhs_quantization_min_val: i64, rhs_quantization_max_val: i64
    }

    attrs Output {
        output_quantization_axis: i64 = -1, output_quantization_min_val: i64, output_quantization_max_val: i64
    }

    /// The levels of reals: `floor(x / scale + 0.5) + zero_point`, within bounds.
    ///
    /// TensorFlow: `UniformQuantize`. float32 of any shape; the result, of qint8, quint8 or qint32, has the same. Scales
    /// (float32) and zero points (int32) are scalars, or vectors over `quantization_axis` if that is not -1. Unlike the other
    /// ops, this one takes scales that are not positive, as TensorFlow does. Reals beyond all levels have the last of them.
    pub op UniformQuantize = "UniformQuantize" {
        inputs: { input: Tin, scales: {F32}, zero_points: {I32} }, outputs: { output: Tout },
        types: { Tin: DTypeSet::of(&[DType::F32]) },
        attrs: { tout as "Tout": DType, ..Levels },
        dispatch: none,
        infer: |c| {
            check(c, c.shape(0), 1, c.get(UniformQuantize::QUANTIZATION_AXIS)?)?;
            let dtype = dtype(c, UniformQuantize::TOUT, SCALED)?;
            Ok([TensorType::new(dtype, c.shape(0).clone())].into())
        },
        kernel: quantize,
        batch: |b| batch::ranged(b, &[0], &[UniformQuantize::QUANTIZATION_AXIS]),
    }

    /// The reals of levels: `(level - zero_point) * scale`.
    ///
    /// TensorFlow: `UniformDequantize`. Levels of qint8, quint8 or qint32, of any shape; the result, of float32, has the same.
    /// Scales, which are positive, and zero points are those of [`UniformQuantize`].
    pub op UniformDequantize = "UniformDequantize" {
        inputs: { input: Tin, scales: {F32}, zero_points: {I32} }, outputs: { output: Tout },
        types: { Tin: SCALED },
        attrs: { tout as "Tout": DType = DType::F32, ..Levels },
        dispatch: none,
        infer: |c| {
            check(c, c.shape(0), 1, c.get(UniformDequantize::QUANTIZATION_AXIS)?)?;
            let dtype = dtype(c, UniformDequantize::TOUT, DTypeSet::of(&[DType::F32]))?;
            Ok([TensorType::new(dtype, c.shape(0).clone())].into())
        },
        kernel: dequantize,
        batch: |b| batch::ranged(b, &[0], &[UniformDequantize::QUANTIZATION_AXIS]),
    }

    /// Levels of other scales and zero points.
    ///
    /// TensorFlow: `UniformRequantize`. Levels of qint8 or qint32, of any shape; the result, of qint8, has the same. Where both
    /// scales are vectors, they have one axis.
    pub op UniformRequantize = "UniformRequantize" {
        inputs: {
            input: Tin, input_scales: {F32}, input_zero_points: {I32}, output_scales: {F32}, output_zero_points: {I32}
        },
        outputs: { output: Tout },
        types: { Tin: DTypeSet::of(&[DType::QI8, DType::QI32]) },
        attrs: {
            tout as "Tout": DType, input_quantization_axis: i64 = -1, input_quantization_min_val: i64,
            input_quantization_max_val: i64, ..Output
        },
        dispatch: none,
        infer: requantize_type, kernel: requantize,
        batch: |b| {
            let axes = [UniformRequantize::INPUT_QUANTIZATION_AXIS, UniformRequantize::OUTPUT_QUANTIZATION_AXIS];
            batch::ranged(b, &[0], &axes)
        },
    }

    /// Adds levels that have scales and zero points; axes of size 1 are repeated.
    ///
    /// TensorFlow: `UniformQuantizedAdd`. Levels of qint32; the sum is of the same. Operands and sum have one scale each, or
    /// scales of an axis. If the sum has them, the scales of an operand are of the same axis, counted from the last.
    pub op UniformQuantizedAdd = "UniformQuantizedAdd" {
        inputs: {
            lhs: T, rhs: T, lhs_scales: {F32}, lhs_zero_points: {I32}, rhs_scales: {F32}, rhs_zero_points: {I32},
            output_scales: {F32}, output_zero_points: {I32}
        },
        outputs: { output: T },
        types: { T: DTypeSet::of(&[DType::QI32]) },
        attrs: { ..Operands, ..Output },
        dispatch: none,
        infer: add_type, kernel: add,
        batch: |b| {
            // The axes of scales are those of an operand, which gets others if it is repeated along the first axes.
            if b.rank(0) != b.rank(1) {
                return Ok(None);
            }
            let axes = [
                UniformQuantizedAdd::LHS_QUANTIZATION_AXIS, UniformQuantizedAdd::RHS_QUANTIZATION_AXIS,
                UniformQuantizedAdd::OUTPUT_QUANTIZATION_AXIS,
            ];
            batch::ranged(b, &[0, 1], &axes)
        },
    }

    /// Levels between `min` and `max`.
    ///
    /// TensorFlow: `UniformQuantizedClipByValue`. Levels of qint32, of any shape; the result has the same. Bounds, scales and
    /// zero points are scalars, or vectors over `quantization_axis` if that is not -1.
    pub op UniformQuantizedClipByValue = "UniformQuantizedClipByValue" {
        inputs: { operand: T, min: T, max: T, scales: {F32}, zero_points: {I32} }, outputs: { output: T },
        types: { T: DTypeSet::of(&[DType::QI32]) },
        attrs: { ..Levels },
        dispatch: none,
        infer: clip_type, kernel: clip,
        batch: |b| batch::ranged(b, &[0], &[UniformQuantizedClipByValue::QUANTIZATION_AXIS]),
    }

    /// Matrix products of levels that have scales and zero points.
    ///
    /// TensorFlow: `UniformQuantizedDot`. Matrices of qint8; the product is of qint32. The left one has one scale, the right
    /// one also one for each column, and the product then as well.
    pub op UniformQuantizedDot = "UniformQuantizedDot" {
        inputs: {
            lhs: Tin, rhs: Tin, lhs_scales: {F32}, lhs_zero_points: {I32}, rhs_scales: {F32}, rhs_zero_points: {I32},
            output_scales: {F32}, output_zero_points: {I32}
        },
        outputs: { output: Tout },
        types: { Tin: DTypeSet::of(&[DType::QI8]) },
        attrs: { tout as "Tout": DType, ..Operands, ..Output },
        dispatch: none,
        infer: dot_type, kernel: dot,
    }
}
