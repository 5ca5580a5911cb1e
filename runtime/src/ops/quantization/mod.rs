//! Numbers rounded to the levels of small integers: simulated quantization in floats, and the quantized dtypes.

mod arithmetic;
mod batch;
mod channels;
mod fake;
mod levels;
mod rounded;
mod scale;
mod uniform;

pub use arithmetic::*;
pub use levels::*;
pub use uniform::*;

pub(in crate::ops) use fake::clipped;

use crate::define_op;
use crate::ops::NamedOp as _;
use crate::ops::rules::batch::alike;
use crate::ops::rules::folded::stacks;
use crate::ops::rules::gradient::first;
use crate::types::DTypeSet;

define_op! {
    attrs Bits { num_bits: i64 = 8, narrow_range: bool = false }

    attrs Rounding {
        signed_input: bool = true, num_bits: i64 = 8, range_given: bool = false,
        round_mode: String = rounded::half_to_even(), narrow_range: bool = false, axis: i64 = -1
    }

    /// Rounds numbers to `2^num_bits` levels between `min` and `max`, of which one is zero, and clips them to the range.
    ///
    /// TensorFlow: `FakeQuantWithMinMaxArgs`. float32 of any shape; 2 to 16 bits. The range is moved a little so that zero
    /// is a level. With `narrow_range` the lowest level is left out. The gradient is one within the range, else zero.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![-0.1f32, 0.3, 0.55, 2.0];
    /// let y = ops::fake_quant_with_min_max_args(&x, 0.0, 1.0, 2, false)?;
    /// assert_eq!(y.as_slice::<f32>()?, &[0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op FakeQuantWithMinMaxArgs = "FakeQuantWithMinMaxArgs" {
        inputs: { inputs: {F32} }, outputs: { outputs: {F32} },
        attrs: { min: f32 = -6.0, max: f32 = 6.0, ..Bits },
        call: fake_quant_with_min_max_args(inputs; min, max, num_bits, narrow_range),
        infer: fake::infer_args, kernel: fake::by_args,
        gradient: fake::gradient_args,
        batch: alike,
    }

    /// The gradient of [`FakeQuantWithMinMaxArgs`].
    ///
    /// TensorFlow: `FakeQuantWithMinMaxArgsGradient`.
    pub op FakeQuantWithMinMaxArgsGradient = "FakeQuantWithMinMaxArgsGradient" {
        inputs: { gradients: {F32}, inputs: {F32} }, outputs: { backprops: {F32} },
        attrs: { min: f32 = -6.0, max: f32 = 6.0, ..Bits },
        dispatch: none,
        infer: fake::infer_args, kernel: fake::by_args_gradient,
        batch: alike,
    }

    /// Rounds as [`FakeQuantWithMinMaxArgs`] does, to a range that two scalars tell and that can be learned.
    ///
    /// TensorFlow: `FakeQuantWithMinMaxVars`. The gradient of `min` is the sum of those of the numbers below the range,
    /// that of `max` of those above it.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![0.3f32, 2.0];
    /// let y = ops::fake_quant_with_min_max_vars(&x, &scalar(0.0f32), &scalar(1.0f32), 2, false)?;
    /// assert_eq!(y.as_slice::<f32>()?, &[1.0 / 3.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op FakeQuantWithMinMaxVars = "FakeQuantWithMinMaxVars" {
        inputs: { inputs: {F32}, min: {F32}, max: {F32} }, outputs: { outputs: {F32} },
        attrs: { ..Bits },
        call: fake_quant_with_min_max_vars(inputs, min, max; num_bits, narrow_range),
        infer: |c| fake::infer_vars(c, false), kernel: fake::by_vars,
        gradient: |g| fake::gradient_vars(g, FakeQuantWithMinMaxVarsGradient::DEF),
        batch: |b| stacks(b, &[0]),
    }

    /// The gradients of [`FakeQuantWithMinMaxVars`].
    ///
    /// TensorFlow: `FakeQuantWithMinMaxVarsGradient`.
    pub op FakeQuantWithMinMaxVarsGradient = "FakeQuantWithMinMaxVarsGradient" {
        inputs: { gradients: {F32}, inputs: {F32}, min: {F32}, max: {F32} },
        outputs: { backprops_wrt_input: {F32}, backprop_wrt_min: {F32}, backprop_wrt_max: {F32} },
        attrs: { ..Bits },
        dispatch: none,
        infer: |c| fake::infer_vars(c, false), kernel: fake::by_vars_gradient,
    }

    /// Rounds as [`FakeQuantWithMinMaxVars`] does, with a range for each place of the last axis.
    ///
    /// TensorFlow: `FakeQuantWithMinMaxVarsPerChannel`. `min` and `max` are vectors as long as the last axis.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (low, high) = (tensor![0.0f32, 0.0], tensor![1.0f32, 3.0]);
    /// let y = ops::fake_quant_with_min_max_vars_per_channel(&tensor![[0.9f32, 0.9]], &low, &high, 2, false)?;
    /// assert_eq!(y.as_slice::<f32>()?, &[1.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op FakeQuantWithMinMaxVarsPerChannel = "FakeQuantWithMinMaxVarsPerChannel" {
        inputs: { inputs: {F32}, min: {F32}, max: {F32} }, outputs: { outputs: {F32} },
        attrs: { ..Bits },
        call: fake_quant_with_min_max_vars_per_channel(inputs, min, max; num_bits, narrow_range),
        infer: |c| fake::infer_vars(c, true), kernel: fake::by_vars,
        gradient: |g| fake::gradient_vars(g, FakeQuantWithMinMaxVarsPerChannelGradient::DEF),
        batch: |b| stacks(b, &[0]),
    }

    /// The gradients of [`FakeQuantWithMinMaxVarsPerChannel`].
    ///
    /// TensorFlow: `FakeQuantWithMinMaxVarsPerChannelGradient`.
    pub op FakeQuantWithMinMaxVarsPerChannelGradient = "FakeQuantWithMinMaxVarsPerChannelGradient" {
        inputs: { gradients: {F32}, inputs: {F32}, min: {F32}, max: {F32} },
        outputs: { backprops_wrt_input: {F32}, backprop_wrt_min: {F32}, backprop_wrt_max: {F32} },
        attrs: { ..Bits },
        dispatch: none,
        infer: |c| fake::infer_vars(c, true), kernel: fake::by_vars_gradient,
    }

    /// Rounds floats to the levels of integers of `num_bits` bits, and back. The gradient passes through unchanged.
    ///
    /// TensorFlow: `QuantizeAndDequantizeV2`. Options and shapes are those of [`QuantizeAndDequantizeV4`].
    pub op QuantizeAndDequantizeV2 = "QuantizeAndDequantizeV2" {
        inputs: { input: T, input_min: T, input_max: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT },
        attrs: { ..Rounding },
        dispatch: none,
        infer: rounded::infer, kernel: rounded::kernel,
        gradient: |g| Ok(first(g, g.dy()?.clone())),
        batch: |b| batch::given(b, b.get(QuantizeAndDequantizeV2::RANGE_GIVEN)?, QuantizeAndDequantizeV2::AXIS),
    }

    /// Rounds as [`QuantizeAndDequantizeV2`] does, to a number of bits that is a tensor.
    ///
    /// TensorFlow: `QuantizeAndDequantizeV3`.
    pub op QuantizeAndDequantizeV3 = "QuantizeAndDequantizeV3" {
        inputs: { input: T, input_min: T, input_max: T, num_bits: {I32} }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT },
        attrs: {
            signed_input: bool = true, range_given: bool = true, narrow_range: bool = false, axis: i64 = -1
        },
        dispatch: none,
        infer: rounded::infer, kernel: rounded::kernel,
        gradient: |g| Ok(first(g, g.dy()?.clone())),
        batch: |b| batch::given(b, b.get(QuantizeAndDequantizeV3::RANGE_GIVEN)?, QuantizeAndDequantizeV3::AXIS),
    }

    /// Rounds floats to the levels of integers of `num_bits` bits, and back. The gradient is that of clipping to
    /// `input_min` and `input_max`, also if the range is found in the numbers.
    ///
    /// TensorFlow: `tf.quantization.quantize_and_dequantize_v2`, `QuantizeAndDequantizeV4`. The range is found in the numbers
    /// unless it is given: two scalars, or vectors with a range for each place of `axis` if that is not -1. Zero is always
    /// a level, so one end of the range may move. `round_mode` is `HALF_TO_EVEN` or `HALF_UP`; with `narrow_range` the lowest
    /// level of signed integers is left out.
    pub op QuantizeAndDequantizeV4 = "QuantizeAndDequantizeV4" {
        inputs: { input: T, input_min: T, input_max: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT },
        attrs: { ..Rounding },
        dispatch: none,
        infer: rounded::infer, kernel: rounded::kernel,
        gradient: rounded::gradient,
        batch: |b| batch::given(b, b.get(QuantizeAndDequantizeV4::RANGE_GIVEN)?, QuantizeAndDequantizeV4::AXIS),
    }

    /// The gradients of [`QuantizeAndDequantizeV4`]; those of the range are zero.
    ///
    /// TensorFlow: `QuantizeAndDequantizeV4Grad`.
    pub op QuantizeAndDequantizeV4Grad = "QuantizeAndDequantizeV4Grad" {
        inputs: { gradients: T, input: T, input_min: T, input_max: T },
        outputs: { input_backprop: T, input_min_backprop: T, input_max_backprop: T },
        types: { T: DTypeSet::FLOAT }, attrs: { axis: i64 = -1 },
        dispatch: none,
        infer: rounded::infer_gradient, kernel: rounded::gradient_kernel,
        batch: |b| batch::ranged(b, &[0, 1], &[QuantizeAndDequantizeV4Grad::AXIS]),
    }
}
