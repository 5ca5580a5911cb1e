//! Arithmetic on levels of quantized ranges: integers are combined, and the range of the result is told beside them.
//!
//! Zero of the reals has a level, `Scale::level(0.0)`. Products subtract it, so that their zero is zero.

use extype_kernels as k;

use super::batch;
use super::levels::{dtype, moved, range};
use super::scale::{Scale, of_product, ranged, ranged_types, scalars};
use crate::array::Array;
use crate::define_op;
use crate::ir::{AttrKey, InferContext, KernelContext, Outputs, Types, only};
use crate::ops::conv::windows::Windows;
use crate::ops::ordering::kernel::cast;
use crate::ops::{Add, Axis, Concat, Mul, Op as _};
use crate::ops::{conv, linear, movement, pool, slicing};
use crate::types::{DType, DTypeSet, Result, Shape, TensorType, bail};

/// The dtypes of operands of eight bits, and of their sums and products.
const BYTES: DTypeSet = DTypeSet::of(&[DType::QU8]);
const SIGNED_BYTES: DTypeSet = DTypeSet::of(&[DType::QI8, DType::QU8]);
const SUMS: DTypeSet = DTypeSet::of(&[DType::QI32]);
const BYTES_OR_SUMS: DTypeSet = DTypeSet::of(&[DType::QU8, DType::QI32]);

/// TensorFlow's names of the ranges of two operands.
const OF_BOTH: [&str; 4] = ["the first min", "the first max", "the second min", "the second max"];

/// The result of a rule for numbers, as levels of `dtype` with their range.
fn with_range(found: Types, dtype: DType) -> Types {
    let shape = found.into_iter().next().map_or(Shape::unknown(), |t| t.shape);
    ranged_types(dtype, shape, Shape::scalar())
}

/// The types of levels of int32 made of two operands, for which `rule` infers the shape.
fn of_two(
    c: &InferContext<'_>,
    key: AttrKey<DType>,
    rule: impl FnOnce(&InferContext<'_>) -> Result<Types>,
) -> Result<Types> {
    scalars(c, 2, &OF_BOTH)?;
    Ok(with_range(rule(c)?, dtype(c, key, SUMS)?))
}

/// The types of levels that keep their range, the inputs `first` and `first + 1`.
fn of_one(
    c: &InferContext<'_>,
    first: usize,
    rule: impl FnOnce(&InferContext<'_>) -> Result<Types>,
) -> Result<Types> {
    scalars(c, first, &["the min", "the max"])?;
    Ok(with_range(rule(c)?, c.input(0).dtype))
}

/// `f` of each level, as int32.
fn mapped(c: &KernelContext<'_>, x: &Array, f: impl Fn(i32) -> i32) -> Result<Array> {
    let levels = cast(x, DType::I32)?;
    let levels = levels.as_slice::<i32>()?;
    c.output_slice(x.dims(), |out: &mut [i32]| {
        out.iter_mut().zip(levels).for_each(|(out, level)| *out = f(*level));
        Ok(())
    })
}

/// The scales of two operands, whose ranges are the inputs from 2 on. Those of sums and products ascend.
fn scales(c: &KernelContext<'_>, ascending: bool) -> Result<[Scale; 2]> {
    let scale = |i: usize| {
        let (min, max) = range(c, 2 + 2 * i)?;
        if ascending && (max <= min || min.is_nan() || max.is_nan()) {
            bail!("operand {i} has a range from {min} to {max}; the ends must ascend");
        }
        Ok(Scale::new(c.input(i).dtype(), min, max))
    };
    Ok([scale(0)?, scale(1)?])
}

/// A product of levels without that of zero: `f` combines the integers, its result has the range of a product.
fn product(
    c: &KernelContext<'_>,
    ascending: bool,
    f: impl FnOnce(&Array, &Array) -> Result<Array>,
) -> Result<Outputs> {
    let scales = scales(c, ascending)?;
    let from_zero = |i: usize| {
        let zero = scales[i].level(0.0) as i32;
        mapped(c, c.input(i), |level| level.wrapping_sub(zero))
    };
    let y = f(&from_zero(0)?, &from_zero(1)?)?;
    let (min, max) = of_product(scales[0], scales[1]);
    Ok(ranged(cast(&y, DType::QI32)?, min, max))
}

fn add(c: &KernelContext<'_>) -> Result<Outputs> {
    let scales = scales(c, true)?;
    let ends = [range(c, 2)?, range(c, 4)?];
    let (least, most) = (ends[0].0.min(ends[1].0), ends[0].1.max(ends[1].1));
    // Room for many sums of sums.
    let max = least.abs().max(most.abs()) * 16384.0;
    let sum = Scale::new(DType::QI32, -max, max);
    let in_sum = |i: usize| {
        let [zero, one] = [0, 1].map(|level| sum.level(scales[i].real(level)));
        let step = i64::from(one.wrapping_sub(zero) as i32);
        mapped(c, c.input(i), |level| {
            let level = zero.saturating_add(i64::from(level) * step);
            level.clamp(sum.low, sum.high) as i32
        })
    };
    let y = only(Add::default().compute(&[&in_sum(0)?, &in_sum(1)?])?)?;
    Ok(ranged(cast(&y, DType::QI32)?, -max, max))
}

fn bias_type(c: &InferContext<'_>) -> Result<Types> {
    if c.input(0).dtype != c.input(1).dtype {
        bail!("biases of {} for levels of {}", c.input(1).dtype, c.input(0).dtype);
    }
    let (x, bias) = (c.shape(0).with_rank_at_least(2)?, c.shape(1).with_rank(1)?);
    if x.rank().is_some() && !x.dim(-1)?.is_compatible_with(bias.dim(0)?) {
        bail!("{bias} biases for levels of shape {x}; one for each place of the last axis");
    }
    Ok([c.input(0).clone()].into())
}

fn bias_add(c: &KernelContext<'_>) -> Result<Outputs> {
    let scales = scales(c, false)?;
    let ends = [range(c, 2)?, range(c, 4)?];
    let widest = ends.iter().fold(0f32, |all, (min, max)| all.max(-min).max(*max));
    let max = widest * 131_072.0;
    let sum = Scale::new(DType::QI32, -max, max);
    let zero = sum.nearest(0.0);
    let in_sum = |i: usize, more: i32| {
        let (real, level) = (scales[i].reals(), sum.levels());
        mapped(c, c.input(i), move |n| level(real(n)).wrapping_add(more))
    };
    let y = only(Add::default().compute(&[&in_sum(0, 0)?, &in_sum(1, zero)?])?)?;
    Ok(ranged(cast(&y, DType::QI32)?, -max, max))
}

fn conv_type(c: &InferContext<'_>) -> Result<Types> {
    let strides = c.get(QuantizedConv2d::STRIDES)?;
    if strides.get(1) != strides.get(2) {
        bail!("`strides` = {strides:?}; rows and columns have one stride");
    }
    if c.get(QuantizedConv2d::DILATIONS)?.iter().any(|d| *d != 1) {
        bail!("`dilations` other than 1 are not possible for levels");
    }
    let (x, filter) = (c.shape(0).with_rank(4)?, c.shape(1).with_rank(4)?);
    let (channels, wanted) = (x.dim(3)?, filter.dim(2)?);
    if !channels.is_compatible_with(wanted) {
        bail!("filters for {wanted} channels of images that have {channels}");
    }
    conv::infer::forward::<conv::Two>(c)
}

/// The images without the margin that TensorFlow leaves out at the begin of each axis where windows do not reach both
/// edges: half of what they leave, rounded down with the padding `SAME`, and with `VALID` half of one less.
fn centred(c: &KernelContext<'_>, x: &Array, filter: &Array) -> Result<Array> {
    let axes = Windows::of(c.attrs, 2)?.axes(x.dims(), filter.dims())?;
    let valid = usize::from(c.get(QuantizedConv2d::PADDING)? == "VALID");
    let margin = |axis: &k::conv::Axis| match axis.output {
        0 => 0,
        n => (axis.input.saturating_sub((n - 1) * axis.stride + axis.filter + valid) / 2) as i64,
    };
    let [_, rows, columns] = axes.each_ref().map(margin);
    if (rows, columns) == (0, 0) {
        return Ok(x.clone());
    }
    let begin = Array::from_slice([4], &[0, rows, columns, 0])?;
    let size = Array::from_slice([4], &[-1i64; 4])?;
    only(slicing::kernel::slice(&KernelContext::new(&[x, &begin, &size], c.attrs))?)
}

/// The inputs of an op as those of the concatenation in it: values, then the axis.
fn concat_type(c: &InferContext<'_>) -> Result<Types> {
    let n = (c.inputs.len() - 1) / 3;
    if n < 2 {
        bail!("{n} tensors of levels; two at least are concatenated");
    }
    let (values, ends) = (&c.inputs[1..=n], c.inputs.len() - 2 * n);
    for i in ends..c.inputs.len() {
        c.shape(i).with_rank(0).map_err(|e| e.prefixed("the end of a range"))?;
    }
    c.shape(0).with_rank(0).map_err(|e| e.prefixed("`concat_dim`"))?;
    let axis = (c.constant)(0);
    if let Some(axis) =
        axis.as_ref().and_then(|axis| axis.to_i64s().ok()).filter(|a| a.iter().any(|n| *n < 0))
    {
        bail!("`concat_dim` = {}; the axes begin with 0", axis[0]);
    }
    let inputs: Vec<TensorType> = values.iter().chain([c.input(0)]).cloned().collect();
    let known = |i| if i == n { axis.clone() } else { None };
    let found = movement::infer::concat(&InferContext::new(&inputs, c.attrs, &known))?;
    Ok(with_range(found, values[0].dtype))
}

fn concat(c: &KernelContext<'_>) -> Result<Outputs> {
    let n = (c.inputs.len() - 1) / 3;
    let ends = |i: usize| -> Result<(f32, f32)> {
        Ok((
            super::scale::number(c.input(1 + n + i))?,
            super::scale::number(c.input(1 + 2 * n + i))?,
        ))
    };
    let dtype = c.input(1).dtype();
    let (mut min, mut max) = (f32::MAX, f32::MIN);
    for i in 0..n {
        let (low, high) = ends(i)?;
        (min, max) = (min.min(low), max.max(high));
    }
    // Zero of signed levels is zero.
    if Scale::new(dtype, min, max).low < 0 {
        max = min.abs().max(max.abs());
        min = -max;
    }
    let mut values = Vec::with_capacity(n + 1);
    for i in 0..n {
        let (x, from) = (c.input(1 + i), ends(i)?);
        values.push(if from == (min, max) {
            x.clone()
        } else {
            moved(c, x, from, (min, max), dtype)?
        });
    }
    values.push(c.input(0).clone());
    let joined = Concat { axis: Axis(0) }.compute(&values.iter().collect::<Vec<_>>())?;
    Ok(ranged(only(joined)?, min, max))
}

/// Levels between those of two reals.
fn clamped(c: &KernelContext<'_>, most: Option<f32>) -> Result<Outputs> {
    let (x, (min, max)) = (c.input(0), range(c, 1)?);
    let scale = Scale::new(x.dtype(), min, max);
    let low = scale.nearest(0.0);
    let high = most.map_or(scale.high as i32, |most| scale.nearest(most));
    let y = mapped(c, x, |level| level.max(low).min(high))?;
    Ok(ranged(cast(&y, x.dtype())?, min, max))
}

fn relu_type(c: &InferContext<'_>) -> Result<Types> {
    let wanted = DTypeSet::of(&[c.input(0).dtype]);
    dtype(c, QuantizedRelu::OUT_TYPE, wanted)?;
    of_one(c, 1, |c| Ok([c.input(0).clone()].into()))
}

/// A pooling of the levels as numbers of `dtype`.
fn pooled(
    c: &KernelContext<'_>,
    as_dtype: DType,
    pool: fn(&KernelContext<'_>, usize) -> Result<Outputs>,
) -> Result<Outputs> {
    let (x, (min, max)) = (c.input(0), range(c, 1)?);
    let numbers = cast(&cast(x, DType::I32)?, as_dtype)?;
    let y = only(pool(&KernelContext::new(&[&numbers], c.attrs), 2)?)?;
    Ok(ranged(cast(&cast(&y, DType::I32)?, x.dtype())?, min, max))
}

define_op! {
    attrs Windows { ksize: Vec<i64>, strides: Vec<i64>, padding: String }

    /// Adds levels of two ranges; axes of size 1 are repeated.
    ///
    /// TensorFlow: `QuantizedAdd`. Levels of quint8; the sum is of qint32, in a range that has room for many sums.
    pub op QuantizedAdd = "QuantizedAdd" {
        inputs: { x: T1, y: T2, min_x: {F32}, max_x: {F32}, min_y: {F32}, max_y: {F32} },
        outputs: { z: Toutput, min_z: {F32}, max_z: {F32} },
        types: { T1: BYTES, T2: BYTES }, attrs: { out_type as "Toutput": DType = DType::QI32 },
        dispatch: none,
        infer: |c| of_two(c, QuantizedAdd::OUT_TYPE, crate::ops::rules::broadcast), kernel: add,
        batch: batch::of_two,
    }

    /// Multiplies levels of two ranges; axes of size 1 are repeated.
    ///
    /// TensorFlow: `QuantizedMul`. Levels of quint8; the product is of qint32.
    pub op QuantizedMul = "QuantizedMul" {
        inputs: { x: T1, y: T2, min_x: {F32}, max_x: {F32}, min_y: {F32}, max_y: {F32} },
        outputs: { z: Toutput, min_z: {F32}, max_z: {F32} },
        types: { T1: BYTES, T2: BYTES }, attrs: { out_type as "Toutput": DType = DType::QI32 },
        dispatch: none,
        infer: |c| of_two(c, QuantizedMul::OUT_TYPE, crate::ops::rules::broadcast),
        kernel: |c| product(c, true, |x, y| only(Mul::default().compute(&[x, y])?)),
        batch: batch::of_two,
    }

    /// Matrix products of levels.
    ///
    /// TensorFlow: `QuantizedMatMul`. Matrices of quint8, transposed if asked; the product is of qint32.
    pub op QuantizedMatMul = "QuantizedMatMul" {
        inputs: { a: T1, b: T2, min_a: {F32}, max_a: {F32}, min_b: {F32}, max_b: {F32} },
        outputs: { out: Toutput, min_out: {F32}, max_out: {F32} },
        types: { T1: BYTES, T2: BYTES },
        attrs: {
            out_type as "Toutput": DType = DType::QI32, transpose_a: bool = false, transpose_b: bool = false,
            activation as "Tactivation": DType = DType::QU8
        },
        dispatch: none,
        infer: |c| of_two(c, QuantizedMatMul::OUT_TYPE, linear::infer::matmul),
        kernel: |c| product(c, true, |a, b| {
            only(linear::kernel::matmul(&KernelContext::new(&[a, b], c.attrs))?)
        }),
    }

    /// Sums products of filters with the windows of images, all levels.
    ///
    /// TensorFlow: `QuantizedConv2D`. Images `[batch, height, width, channels]` of quint8, filters `[height, width, channels,
    /// features]` of quint8 or qint8; the result `[batch, height, width, features]` is of qint32. The padding is `VALID` or
    /// `SAME`; rows and columns have one stride.
    pub op QuantizedConv2d = "QuantizedConv2D" {
        inputs: {
            input: Tinput, filter: Tfilter, min_input: {F32}, max_input: {F32}, min_filter: {F32}, max_filter: {F32}
        },
        outputs: { output: out_type, min_output: {F32}, max_output: {F32} },
        types: { Tinput: BYTES, Tfilter: SIGNED_BYTES },
        attrs: {
            out_type: DType = DType::QI32, strides: Vec<i64>, padding: String, dilations: Vec<i64> = vec![1; 4]
        },
        dispatch: none,
        infer: |c| of_two(c, QuantizedConv2d::OUT_TYPE, conv_type),
        kernel: |c| product(c, false, |x, filter| {
            let x = centred(c, x, filter)?;
            only(conv::kernel::forward::<conv::Two>(&KernelContext::new(&[&x, filter], c.attrs))?)
        }),
    }

    /// Adds biases, levels of another range, along the last axis.
    ///
    /// TensorFlow: `QuantizedBiasAdd`. Levels of quint8 or qint8 with two axes or more, and as many biases as the last axis
    /// has places, of the same dtype; the sum is of qint32.
    pub op QuantizedBiasAdd = "QuantizedBiasAdd" {
        inputs: { input: T1, bias: T2, min_input: {F32}, max_input: {F32}, min_bias: {F32}, max_bias: {F32} },
        outputs: { output: out_type, min_out: {F32}, max_out: {F32} },
        types: { T1: SIGNED_BYTES, T2: SIGNED_BYTES }, attrs: { out_type: DType },
        dispatch: none,
        infer: |c| of_two(c, QuantizedBiasAdd::OUT_TYPE, bias_type), kernel: bias_add,
        batch: |b| batch::ranged(b, &[0], &[]),
    }

    /// Levels of negative reals become that of zero.
    ///
    /// TensorFlow: `QuantizedRelu`. Levels of quint8 or qint32, of any shape; the result has the same, and the same range.
    pub op QuantizedRelu = "QuantizedRelu" {
        inputs: { features: Tinput, min_features: {F32}, max_features: {F32} },
        outputs: { activations: out_type, min_activations: {F32}, max_activations: {F32} },
        types: { Tinput: BYTES_OR_SUMS }, attrs: { out_type: DType = DType::QU8 },
        dispatch: none,
        infer: relu_type, kernel: |c| clamped(c, None),
        batch: |b| batch::ranged(b, &[0], &[]),
    }

    /// Levels of reals beyond zero and six become those of zero and six.
    ///
    /// TensorFlow: `QuantizedRelu6`. As [`QuantizedRelu`].
    pub op QuantizedRelu6 = "QuantizedRelu6" {
        inputs: { features: Tinput, min_features: {F32}, max_features: {F32} },
        outputs: { activations: out_type, min_activations: {F32}, max_activations: {F32} },
        types: { Tinput: BYTES_OR_SUMS }, attrs: { out_type: DType = DType::QU8 },
        dispatch: none,
        infer: relu_type, kernel: |c| clamped(c, Some(6.0)),
        batch: |b| batch::ranged(b, &[0], &[]),
    }

    /// The largest level of each window.
    ///
    /// TensorFlow: `QuantizedMaxPool`. Images `[batch, height, width, channels]` of quint8 or qint8; as [`MaxPool`](crate::ops::MaxPool).
    pub op QuantizedMaxPool = "QuantizedMaxPool" {
        inputs: { input: T, min_input: {F32}, max_input: {F32} },
        outputs: { output: T, min_output: {F32}, max_output: {F32} },
        types: { T: SIGNED_BYTES }, attrs: { ..Windows },
        dispatch: none,
        infer: |c| of_one(c, 1, pool_type), kernel: |c| pooled(c, DType::I32, pool::kernel::max),
    }

    /// The mean level of each window, rounded towards zero.
    ///
    /// TensorFlow: `QuantizedAvgPool`, without oneDNN, which rounds to the nearest level. Images `[batch, height, width, channels]` of quint8 or qint8; as [`AvgPool`](crate::ops::AvgPool).
    pub op QuantizedAvgPool = "QuantizedAvgPool" {
        inputs: { input: T, min_input: {F32}, max_input: {F32} },
        outputs: { output: T, min_output: {F32}, max_output: {F32} },
        types: { T: SIGNED_BYTES }, attrs: { ..Windows },
        dispatch: none,
        infer: |c| of_one(c, 1, pool_type), kernel: |c| pooled(c, DType::F64, pool::kernel::mean),
    }

    /// Concatenates levels, brought to one range that holds those of all.
    ///
    /// TensorFlow: `QuantizedConcat`. Two tensors or more, levels of quint8 or qint32, alike but for the size of the axis `concat_dim`, from 0.
    pub op QuantizedConcat = "QuantizedConcat" {
        inputs: { concat_dim: {I32}, values: [T; N], input_mins: [{F32}; N], input_maxes: [{F32}; N] },
        outputs: { output: T, output_min: {F32}, output_max: {F32} },
        types: { T: BYTES_OR_SUMS },
        dispatch: none,
        infer: concat_type, kernel: concat,
    }

    /// Levels in another shape, with their range.
    ///
    /// TensorFlow: `QuantizedReshape`. As [`Reshape`](crate::ops::Reshape).
    pub op QuantizedReshape = "QuantizedReshape" {
        inputs: { tensor: T, shape: Tshape, input_min: {F32}, input_max: {F32} },
        outputs: { output: T, output_min: {F32}, output_max: {F32} },
        types: { T: DTypeSet::QUANTIZED, Tshape: DTypeSet::INDEX },
        dispatch: none,
        infer: |c| of_one(c, 2, movement::infer::reshape),
        kernel: |c| {
            let (min, max) = range(c, 2)?;
            Ok(ranged(only(movement::kernel::reshape(c)?)?, min, max))
        },
    }
}

fn pool_type(c: &InferContext<'_>) -> Result<Types> {
    // Pools take their window sizes as inputs if there are any beside the images.
    let images = InferContext { inputs: &c.inputs[..1], ..*c };
    pool::infer::pool(&images, 2)
}
