//! From reals to levels of quantized dtypes and back, and from one range to another.

use super::batch;
use super::channels::{axis, each, layout, pair};
use super::fake::clipped;
use super::scale::{Scale, number, ranged, ranged_types, scalars};
use crate::array::Array;
use crate::define_op;
use crate::ir::{AttrKey, InferContext, KernelContext, Outputs, Types};
use crate::ops::ordering::kernel::cast;
use crate::types::{DType, DTypeSet, Result, Shape, TensorType, bail};

/// TensorFlow's default of `mode`.
fn min_combined() -> String {
    "MIN_COMBINED".to_owned()
}

/// TensorFlow's default of `round_mode`.
fn half_away() -> String {
    "HALF_AWAY_FROM_ZERO".to_owned()
}

/// How levels stand for reals.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    /// The levels divide the range. Zero may fall between two.
    MinCombined,
    /// The same, moved so that zero is a level.
    MinFirst,
    /// Level zero is zero, and the range symmetric for signed levels.
    Scaled,
}

fn mode(text: &str) -> Result<Mode> {
    Ok(match text {
        "MIN_COMBINED" => Mode::MinCombined,
        "MIN_FIRST" => Mode::MinFirst,
        "SCALED" => Mode::Scaled,
        _ => bail!("`mode` = {text:?}; it is \"MIN_COMBINED\", \"MIN_FIRST\" or \"SCALED\""),
    })
}

/// The shape of the ends of the ranges that an op gives back: as it has them, but scalars for one range.
fn ends(c: &InferContext<'_>, mode: Mode) -> Result<Shape> {
    let names = ["min_range", "max_range"];
    let ends = pair(c, c.shape(0), 1, c.get(QuantizeV2::AXIS)?, names)?;
    let ranges = ends.num_elements();
    if mode == Mode::MinFirst && ranges.is_some_and(|n| n != 1) {
        bail!(Unimplemented, "MIN_FIRST has one range, not one for each place of an axis");
    }
    Ok(match ranges {
        Some(1) => Shape::scalar(),
        Some(_) => ends,
        None => Shape::unknown(),
    })
}

fn infer_levels(c: &InferContext<'_>) -> Result<Types> {
    let mode = mode(&c.get(QuantizeV2::MODE)?)?;
    match (&c.get(QuantizeV2::ROUND_MODE)?[..], mode) {
        ("HALF_AWAY_FROM_ZERO", _) | ("HALF_TO_EVEN", Mode::Scaled) => {}
        ("HALF_TO_EVEN", _) => bail!("`round_mode` = \"HALF_TO_EVEN\" is for the mode \"SCALED\""),
        (text, _) => {
            bail!("`round_mode` = {text:?}; it is \"HALF_AWAY_FROM_ZERO\" or \"HALF_TO_EVEN\"")
        }
    }
    let dtype = dtype(c, QuantizeV2::DTYPE, DTypeSet::QUANTIZED)?;
    Ok(ranged_types(dtype, c.shape(0).clone(), ends(c, mode)?))
}

/// The dtype that an attribute asks for, one of a set.
pub(super) fn dtype(c: &InferContext<'_>, key: AttrKey<DType>, allowed: DTypeSet) -> Result<DType> {
    let dtype = c.get(key)?;
    if !allowed.contains(dtype) {
        bail!("`{}` = {dtype}; the result is {allowed}", key.name());
    }
    Ok(dtype)
}

fn to_levels(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, dtype, mode) =
        (c.input(0), c.get(QuantizeV2::DTYPE)?, mode(&c.get(QuantizeV2::MODE)?)?);
    let even = c.get(QuantizeV2::ROUND_MODE)? == "HALF_TO_EVEN";
    let (narrow, least) =
        (c.get(QuantizeV2::NARROW_RANGE)?, c.get(QuantizeV2::ENSURE_MINIMUM_RANGE)?);
    let (numbers, layout) = (x.as_slice::<f32>()?, layout(x, axis(c.get(QuantizeV2::AXIS)?)?));
    let (mins, maxs) = (c.input(1).as_slice::<f32>()?, c.input(2).as_slice::<f32>()?);
    let mut ranges = [mins.to_vec(), maxs.to_vec()];
    let levels = c.output_slice(x.dims(), |out: &mut [i32]| {
        for (channel, (first, last)) in mins.iter().zip(maxs).enumerate() {
            if last < first {
                bail!("a range from {first} to {last}");
            }
            // Zero is in the range, which is not too narrow for its ends to differ.
            let width = first.abs().max(last.abs()).max(1.0) * least;
            let mut min = first.min(0.0);
            let mut max = last.max(min + width).max(0.0);
            let scale = Scale::new(dtype, min, max);
            match mode {
                Mode::MinFirst => each(numbers, out, layout, channel, scale.levels()),
                Mode::MinCombined => {
                    let factor = (scale.steps() / f64::from(max - min)) as f32;
                    let along = |x| (clipped(x, min, max) - min) * factor;
                    match scale.low {
                        0 => each(numbers, out, layout, channel, |x| (along(x) + 0.5) as i32),
                        low => {
                            // In float32 the last of 2^32 levels is one too many, which wraps as TensorFlow's does.
                            let level = |x| (along(x) + low as f32).round() as i64 as i32;
                            each(numbers, out, layout, channel, level);
                        }
                    }
                }
                Mode::Scaled => {
                    let low = (scale.low + i64::from(narrow)) as f32;
                    let high = scale.high as f32;
                    let per = |level: f32, end: f32| match level * end > 0.0 {
                        true => level / end,
                        false => f32::MAX,
                    };
                    let factor = per(low, min).min(per(high, max));
                    (min, max) = (low / factor, high / factor);
                    let level = |x| clipped(x, min, max) * factor;
                    match even {
                        true => each(numbers, out, layout, channel, |x| {
                            level(x).round_ties_even() as i32
                        }),
                        false => each(numbers, out, layout, channel, |x| level(x).round() as i32),
                    }
                }
            }
            (ranges[0][channel], ranges[1][channel]) = (min, max);
        }
        Ok(())
    })?;
    let [mins, maxs] = ranges.map(|ends| match &ends[..] {
        [one] => Ok(Array::scalar(*one)),
        all => Array::from_slice([all.len()], all),
    });
    Ok([cast(&levels, dtype)?, mins?, maxs?].into_iter().collect())
}

fn infer_reals(c: &InferContext<'_>) -> Result<Types> {
    let mode = mode(&c.get(Dequantize::MODE)?)?;
    ends(c, mode)?;
    let dtype = dtype(c, Dequantize::DTYPE, DTypeSet::of(&[DType::BF16, DType::F32]))?;
    if dtype == DType::BF16 && mode != Mode::MinCombined {
        bail!("`mode` is \"MIN_COMBINED\" for results of bfloat16");
    }
    Ok([TensorType::new(dtype, c.shape(0).clone())].into())
}

fn to_reals(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, mode) = (c.input(0), mode(&c.get(Dequantize::MODE)?)?);
    let narrow = c.get(Dequantize::NARROW_RANGE)?;
    let layout = layout(x, axis(c.get(Dequantize::AXIS)?)?);
    let (mins, maxs) = (c.input(1).as_slice::<f32>()?, c.input(2).as_slice::<f32>()?);
    let levels = cast(x, DType::I32)?;
    let levels = levels.as_slice::<i32>()?;
    let reals = c.output_slice(x.dims(), |out: &mut [f32]| {
        for (channel, (min, max)) in mins.iter().zip(maxs).enumerate() {
            let scale = Scale::new(x.dtype(), *min, *max);
            match mode {
                Mode::MinFirst => each(levels, out, layout, channel, scale.reals()),
                Mode::MinCombined => {
                    let (factor, low) = ((max - min) / scale.steps() as f32, scale.low as f32);
                    each(levels, out, layout, channel, |n| (n as f32 - low) * factor + min);
                }
                Mode::Scaled => {
                    let of_max = max / scale.high as f32;
                    let factor = match scale.low {
                        0 => of_max,
                        low => (min / (low + i64::from(narrow)) as f32).max(of_max),
                    };
                    each(levels, out, layout, channel, |n| n as f32 * factor);
                }
            }
        }
        Ok(())
    })?;
    Ok([cast(&reals, c.get(Dequantize::DTYPE)?)?].into())
}

/// The range that levels of int32 use, which reaches zero.
fn used(x: &Array, min: f32, max: f32) -> Result<(f32, f32)> {
    let scale = Scale::new(x.dtype(), min, max);
    let levels = cast(x, DType::I32)?;
    let levels = levels.as_slice::<i32>()?;
    let low = levels.iter().copied().min().unwrap_or(i32::MAX);
    let high = levels.iter().copied().max().unwrap_or(i32::MIN);
    Ok((scale.real(low).min(0.0), scale.real(high)))
}

/// The levels of one range as levels of another, of another dtype.
pub(super) fn moved(
    c: &KernelContext<'_>,
    x: &Array,
    from: (f32, f32),
    to: (f32, f32),
    dtype: DType,
) -> Result<Array> {
    let levels = cast(x, DType::I32)?;
    let levels = levels.as_slice::<i32>()?;
    let levels = c.output_slice(x.dims(), |out: &mut [i32]| {
        let one = [1, 1, out.len()];
        if (x.dtype(), dtype) == (DType::QI32, DType::QU8) {
            each(levels, out, one, 0, fixed_point(from, to));
        } else {
            let real = Scale::new(x.dtype(), from.0, from.1).reals();
            let level = Scale::new(dtype, to.0, to.1).levels();
            each(levels, out, one, 0, |n| level(real(n)));
        }
        Ok(())
    })?;
    cast(&levels, dtype)
}

/// Levels of int32 as levels of uint8, in integers with 16 bits of fraction, as TensorFlow computes them.
fn fixed_point(from: (f32, f32), to: (f32, f32)) -> impl Fn(i32) -> i32 {
    const ONE: f32 = 65536.0;
    let (input, output) = (from.1 - from.0, to.1 - to.0);
    let (scale, inverse, offset) = match output == 0.0 {
        true => (0, 0.0, 0),
        false => {
            let scale = 255.0 * f64::from(ONE) * f64::from(input) / f64::from(output);
            let offset = f64::from(ONE) * (f64::from(to.0) * 255.0) / f64::from(output);
            (scale as i64, (255.0 / f64::from(output)) as f32, offset.round() as i64)
        }
    };
    let middle = (f64::from(from.0 + from.1) / 2.0) as f32;
    let zero = ((middle * inverse * ONE) as i64).wrapping_sub(offset).wrapping_add(1 << 15);
    move |level| {
        let value = (i64::from(level).wrapping_mul(scale) >> 32).wrapping_add(zero);
        (value >> 16).clamp(0, 255) as i32
    }
}

/// Checks the ranges of the channels of images.
fn channel_ranges(c: &InferContext<'_>) -> Result<()> {
    pair(c, &c.shape(0).with_rank(4)?, 1, 3, ["input_min", "input_max"]).map(drop)
}

/// The largest real of each channel, that of level 2^31.
fn largest(c: &KernelContext<'_>) -> Result<Vec<f32>> {
    let (mins, maxs) = (c.input(1).as_slice::<f32>()?, c.input(2).as_slice::<f32>()?);
    Ok(mins.iter().zip(maxs).map(|(min, max)| min.abs().max(max.abs())).collect())
}

/// One divided by the number of positive levels of int32, and zero.
const OF_LEVELS: f32 = 1.0 / 2_147_483_648.0;

fn requantize_channels(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, (min, max)) = (c.input(0), range(c, 3)?);
    if max.is_nan() || max < 0.0 {
        bail!("a requested range up to {max}, which must not be negative");
    }
    let dtype = c.get(RequantizePerChannel::OUT_TYPE)?;
    let (scale, channels) = (Scale::new(dtype, min, max), largest(c)?);
    let (low, high) = (scale.low as i32, scale.high as i32);
    let (levels, layout) = (cast(x, DType::I32)?, layout(x, Some(3)));
    let levels = levels.as_slice::<i32>()?;
    let levels = c.output_slice(x.dims(), |out: &mut [i32]| {
        for (channel, largest) in channels.iter().enumerate() {
            let factor = high as f32 * (largest / min.abs().max(max.abs()) * OF_LEVELS);
            let level = |n: i32| (n as f32 * factor).round_ties_even() as i32;
            each(levels, out, layout, channel, |n| level(n).clamp(low, high));
        }
        Ok(())
    })?;
    Ok(ranged(cast(&levels, dtype)?, min, max))
}

fn used_by_channels(c: &KernelContext<'_>) -> Result<Outputs> {
    let (levels, channels) = (cast(c.input(0), DType::I32)?, largest(c)?);
    let (mut most, mut is_signed) = (0f32, false);
    for row in levels.as_slice::<i32>()?.chunks(channels.len().max(1)) {
        for (n, largest) in row.iter().zip(&channels) {
            most = most.max(n.unsigned_abs() as f32 * largest * OF_LEVELS);
            is_signed |= *n < 0;
        }
    }
    let most = most.min(c.get(RequantizationRangePerChannel::CLIP_VALUE_MAX)?);
    let least = if is_signed { -most } else { 0.0 };
    Ok([Array::scalar(least), Array::scalar(most)].into_iter().collect())
}

/// The two scalars of a range.
pub(super) fn range(c: &KernelContext<'_>, first: usize) -> Result<(f32, f32)> {
    Ok((number(c.input(first))?, number(c.input(first + 1))?))
}

impl QuantizeV2 {
    /// The op with TensorFlow's defaults, for other options than those of [`quantize()`].
    ///
    /// ```
    /// use extype::ops::{Op as _, QuantizeV2};
    /// use extype::prelude::*;
    /// use extype::types::quantized::qint8;
    /// let op = QuantizeV2 { mode: "SCALED".into(), narrow_range: true, ..QuantizeV2::to(qint8) };
    /// let range = [scalar(-2.0f32), scalar(2.0f32)];
    /// let (levels, min, _): (Tensor, Tensor, Tensor) =
    ///     op.run_as(&[&tensor![-2.0f32, 0.0, 1.0], &range[0], &range[1]])?;
    /// assert_eq!(levels.cast(i32)?.as_slice::<i32>()?, &[-127, 0, 64]);
    /// assert_eq!(min.item::<f32>()?, -2.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to(dtype: DType) -> Self {
        Self {
            dtype,
            mode: min_combined(),
            round_mode: half_away(),
            narrow_range: false,
            axis: -1,
            ensure_minimum_range: 0.01,
        }
    }
}

define_op! {
    /// Methods: levels of quantized ranges.
    methods of QuantizationMethods;

    /// Rounds reals to the levels of a quantized dtype between `min_range` and `max_range`. Returns the levels and the range,
    /// which may have become wider: zero is in it.
    ///
    /// TensorFlow: `tf.quantization.quantize`, `QuantizeV2`; PyTorch: `quantize_per_tensor`. Numbers of any shape; the levels
    /// have the same. The range is two scalars, or with `axis` two vectors with a range for each place of that axis.
    /// [`Dequantize`] is the way back.
    ///
    /// - `mode`: `MIN_COMBINED` divides the range into levels, `MIN_FIRST` moves them so that zero is one, `SCALED` has zero as
    ///   level zero and the range symmetric for signed levels.
    /// - `round_mode`: `HALF_AWAY_FROM_ZERO`, or in the mode `SCALED` also `HALF_TO_EVEN`.
    /// - `narrow_range`: in the mode `SCALED` the lowest level is not used.
    /// - `ensure_minimum_range`: the least width of the range, as a part of its larger end.
    ///
    /// float32 tells 2^24 levels apart. As in TensorFlow, the largest numbers wrap to the lowest level of qint32 in the mode
    /// `MIN_COMBINED`; `MIN_FIRST` has no such numbers.
    ///
    /// Dtypes: float32. The result is qint8, quint8, qint16, quint16 or qint32.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::types::quantized::quint8;
    /// let (levels, min, max) = tensor![-1.0f32, 0.0, 3.0].quantize(-1.0, 3.0, quint8)?;
    /// assert_eq!(levels.cast(i32)?.as_slice::<i32>()?, &[0, 64, 255]);
    /// assert_eq!((min.item::<f32>()?, max.item::<f32>()?), (-1.0, 3.0));
    /// # Ok::<(), Error>(())
    /// ```
    pub op QuantizeV2 = "QuantizeV2" {
        inputs: { input: {F32}, min_range: {F32}, max_range: {F32} },
        outputs: { output: T, output_min: {F32}, output_max: {F32} },
        attrs: {
            dtype as "T": DType, mode: String = min_combined(), round_mode: String = half_away(),
            narrow_range: bool = false, axis: i64 = -1, ensure_minimum_range: f32 = 0.01
        },
        call: method quantize(x, min_range, max_range; dtype),
        infer: infer_levels, kernel: to_levels,
        batch: |b| batch::ranged(b, &[0], &[QuantizeV2::AXIS]),
    }

    /// The reals of quantized levels between `min_range` and `max_range`.
    ///
    /// TensorFlow: `tf.quantization.dequantize`, `Dequantize`; PyTorch: `dequantize`. Levels of any shape; the result has the
    /// same. `mode`, `narrow_range` and `axis` are those of [`QuantizeV2`]; `dtype` is float32, or bfloat16 in the mode
    /// `MIN_COMBINED`.
    ///
    /// Dtypes: qint8, quint8, qint16, quint16, qint32. The result of the function is float32; that of the op has its `dtype`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::types::quantized::qint8;
    /// let (levels, min, max) = tensor![-1.0f32, 0.5, 2.0].quantize(-2.0, 2.0, qint8)?;
    /// let back = levels.dequantize(&min, &max)?;
    /// assert!(back.allclose(&tensor![-1.0f32, 0.5, 2.0], ops::Atol(0.01))?.item()?);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Dequantize = "Dequantize" {
        inputs: { input: T, min_range: {F32}, max_range: {F32} }, outputs: { output: dtype },
        types: { T: DTypeSet::QUANTIZED },
        attrs: {
            mode: String = min_combined(), narrow_range: bool = false, axis: i64 = -1, dtype: DType = DType::F32
        },
        call: method dequantize(levels, min_range, max_range),
        infer: infer_reals, kernel: to_reals,
        batch: |b| batch::ranged(b, &[0], &[Dequantize::AXIS]),
    }

    /// Levels of another range, given by two scalars that enclose zero.
    ///
    /// TensorFlow: `Requantize`. Levels of qint32, of any shape; the result, of qint8 or quint8, has the same.
    pub op Requantize = "Requantize" {
        inputs: {
            input: Tinput, input_min: {F32}, input_max: {F32}, requested_output_min: {F32}, requested_output_max: {F32}
        },
        outputs: { output: out_type, output_min: {F32}, output_max: {F32} },
        types: { Tinput: DTypeSet::of(&[DType::QI32]) }, attrs: { out_type: DType },
        dispatch: none,
        infer: |c| {
            scalars(c, 1, &["input_min", "input_max", "requested_output_min", "requested_output_max"])?;
            let dtype = dtype(c, Requantize::OUT_TYPE, DTypeSet::of(&[DType::QI8, DType::QU8]))?;
            Ok(ranged_types(dtype, c.shape(0).clone(), Shape::scalar()))
        },
        kernel: |c| {
            let (from, to) = (range(c, 1)?, range(c, 3)?);
            if !(to.0 <= 0.0 && to.1 >= 0.0) {
                bail!("a requested range from {} to {}, which does not enclose zero", to.0, to.1);
            }
            Ok(ranged(moved(c, c.input(0), from, to, c.get(Requantize::OUT_TYPE)?)?, to.0, to.1))
        },
        batch: |b| batch::ranged(b, &[0], &[]),
    }

    /// Levels of one range, made of levels that have a range for each place of the last axis.
    ///
    /// TensorFlow: `RequantizePerChannel`. Levels of qint32, `[batch, height, width, channels]`; two vectors with the ranges of
    /// the channels, two scalars with the new range. The result, of qint8 or quint8, has the same shape. Level zero is zero
    /// in all of them.
    pub op RequantizePerChannel = "RequantizePerChannel" {
        inputs: {
            input: T, input_min: {F32}, input_max: {F32}, requested_output_min: {F32}, requested_output_max: {F32}
        },
        outputs: { output: out_type, output_min: {F32}, output_max: {F32} },
        types: { T: DTypeSet::of(&[DType::QI32]) }, attrs: { out_type: DType = DType::QU8 },
        dispatch: none,
        infer: |c| {
            channel_ranges(c)?;
            scalars(c, 3, &["requested_output_min", "requested_output_max"])?;
            let of = DTypeSet::of(&[DType::QI8, DType::QU8]);
            let dtype = dtype(c, RequantizePerChannel::OUT_TYPE, of)?;
            Ok(ranged_types(dtype, c.shape(0).clone(), Shape::scalar()))
        },
        kernel: requantize_channels,
    }

    /// The range that levels use, as [`RequantizePerChannel`] takes it: symmetric, or from zero on if no level is negative.
    ///
    /// TensorFlow: `RequantizationRangePerChannel`. Levels and ranges as there; the result is two scalars, no farther from zero
    /// than `clip_value_max`.
    pub op RequantizationRangePerChannel = "RequantizationRangePerChannel" {
        inputs: { input: T, input_min: {F32}, input_max: {F32} },
        outputs: { output_min: {F32}, output_max: {F32} },
        types: { T: DTypeSet::of(&[DType::QI32]) }, attrs: { clip_value_max: f32 },
        dispatch: none,
        infer: |c| {
            channel_ranges(c)?;
            let end = TensorType::new(DType::F32, Shape::scalar());
            Ok([end.clone(), end].into_iter().collect())
        },
        kernel: used_by_channels,
    }

    /// The range that levels use, as [`Requantize`] takes it: it reaches zero.
    ///
    /// TensorFlow: `RequantizationRange`. Levels of qint32, of any shape, and their range; the result is two scalars.
    pub op RequantizationRange = "RequantizationRange" {
        inputs: { input: Tinput, input_min: {F32}, input_max: {F32} },
        outputs: { output_min: {F32}, output_max: {F32} },
        types: { Tinput: DTypeSet::of(&[DType::QI32]) },
        dispatch: none,
        infer: |c| {
            scalars(c, 1, &["input_min", "input_max"])?;
            let end = TensorType::new(DType::F32, Shape::scalar());
            Ok([end.clone(), end].into_iter().collect())
        },
        kernel: |c| {
            let (min, max) = range(c, 1)?;
            let (low, high) = used(c.input(0), min, max)?;
            Ok([Array::scalar(low), Array::scalar(high)].into_iter().collect())
        },
    }

    /// [`Requantize`] to the range that the levels use.
    ///
    /// TensorFlow: `QuantizeDownAndShrinkRange`. Levels of qint32, of any shape; the result, of quint8, has the same.
    pub op QuantizeDownAndShrinkRange = "QuantizeDownAndShrinkRange" {
        inputs: { input: Tinput, input_min: {F32}, input_max: {F32} },
        outputs: { output: out_type, output_min: {F32}, output_max: {F32} },
        types: { Tinput: DTypeSet::of(&[DType::QI32]) }, attrs: { out_type: DType },
        dispatch: none,
        infer: |c| {
            scalars(c, 1, &["input_min", "input_max"])?;
            let of = DTypeSet::of(&[DType::QU8]);
            let dtype = dtype(c, QuantizeDownAndShrinkRange::OUT_TYPE, of)?;
            Ok(ranged_types(dtype, c.shape(0).clone(), Shape::scalar()))
        },
        kernel: |c| {
            let from = range(c, 1)?;
            let to = used(c.input(0), from.0, from.1)?;
            let dtype = c.get(QuantizeDownAndShrinkRange::OUT_TYPE)?;
            Ok(ranged(moved(c, c.input(0), from, to, dtype)?, to.0, to.1))
        },
    }
}
