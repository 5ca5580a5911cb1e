//! Ops `QuantizeAndDequantize…`: floats rounded to the levels of integers.

use super::channels::{axis, layout, pair};
use super::fake::clipped;
use crate::array::{Array, vec_for};
use crate::ir::{InferContext, KernelContext, Outputs, Types};
use crate::ops::ordering::kernel::cast;
use crate::ops::rules::gradient::{Gradient, InputGradients};
use crate::ops::{
    Op as _, QuantizeAndDequantizeV2, QuantizeAndDequantizeV4, QuantizeAndDequantizeV4Grad,
};
use crate::types::{DType, Result, Shape, TensorType, bail};

pub(in crate::ops) fn half_to_even() -> String {
    "HALF_TO_EVEN".to_owned()
}

/// The shape of the range, the inputs `first` and `first + 1`, for numbers of a shape.
fn range(c: &InferContext<'_>, shape: &Shape, first: usize) -> Result<Shape> {
    pair(c, shape, first, c.get(QuantizeAndDequantizeV2::AXIS)?, ["input_min", "input_max"])
}

fn check_bits(bits: i64, signed: bool) -> Result<()> {
    if bits < 1 || bits > if signed { 61 } else { 62 } {
        bail!("{bits} bits of integers; 1 to 61 are possible, and 62 without a sign");
    }
    Ok(())
}

pub(in crate::ops) fn infer(c: &InferContext<'_>) -> Result<Types> {
    let signed = c.get(QuantizeAndDequantizeV2::SIGNED_INPUT)?;
    if c.inputs.len() == 3 {
        check_bits(c.get(QuantizeAndDequantizeV2::NUM_BITS)?, signed)?;
        let mode: String = c.get(QuantizeAndDequantizeV2::ROUND_MODE)?;
        if !matches!(&mode[..], "HALF_TO_EVEN" | "HALF_UP") {
            bail!("`round_mode` = {mode:?}; it is \"HALF_TO_EVEN\" or \"HALF_UP\"");
        }
    } else {
        c.shape(3).with_rank(0).map_err(|e| e.prefixed("`num_bits`"))?;
        if let Some([bits]) = c.integers(3).as_deref() {
            check_bits(*bits, signed)?;
        }
    }
    range(c, c.shape(0), 1)?;
    Ok([c.input(0).clone()].into())
}

pub(in crate::ops) fn infer_gradient(c: &InferContext<'_>) -> Result<Types> {
    let shape = c.shape(0).merge(c.shape(1))?;
    let range = range(c, &shape, 2)?;
    let types = [shape, range.clone(), range];
    Ok(types.map(|shape| TensorType::new(c.input(0).dtype, shape)).into_iter().collect())
}

/// The range of the integers, and how floats are rounded to them.
#[derive(Clone, Copy)]
struct IntegerRange {
    low: i64,
    high: i64,
    half_up: bool,
}

macro_rules! of_type {
    ($rounded:ident $within:ident: $t:ident) => {
        /// Rounds the numbers of each channel to its range, or to that found in them.
        fn $rounded(
            x: &[$t],
            [outer, channels, inner]: [usize; 3],
            ranges: Option<[&[$t]; 2]>,
            integers: IntegerRange,
            out: &mut [$t],
        ) -> Result<()> {
            let (lowest, highest) = (integers.low as $t, integers.high as $t);
            for channel in 0..channels {
                let places = || {
                    let starts = (0..outer).map(move |i| (i * channels + channel) * inner);
                    starts.map(|start| start..start + inner)
                };
                let (mut low, mut high) = match ranges {
                    Some([low, high]) => (low[channel], high[channel]),
                    None => {
                        let all = places().flat_map(|part| &x[part]);
                        all.fold(($t::INFINITY, $t::NEG_INFINITY), |(low, high), x| {
                            (x.min(low), x.max(high))
                        })
                    }
                };
                if ranges.is_some() && low > high {
                    bail!("a range from {low} to {high}");
                }
                let by_low = if lowest * low > 0.0 { lowest / low } else { $t::MAX };
                let by_high = if highest * high > 0.0 { highest / high } else { $t::MAX };
                let (scale, back);
                if by_low < by_high {
                    (scale, back) = (by_low, low / lowest);
                    high = highest * back;
                } else {
                    (scale, back) = (by_high, high / highest);
                    low = lowest * back;
                }
                for part in places() {
                    for (out, x) in out[part.clone()].iter_mut().zip(&x[part]) {
                        let x = if ranges.is_some() { clipped(*x, low, high) } else { *x };
                        let level = x * scale;
                        let level = match integers.half_up {
                            true => (level + 0.5).floor(),
                            false => level.round_ties_even(),
                        };
                        *out = level * back;
                    }
                }
            }
            Ok(())
        }

        /// The cotangents of the numbers that lie in the range of their channel.
        fn $within(
            [dy, x]: [&[$t]; 2],
            [outer, channels, inner]: [usize; 3],
            [low, high]: [&[$t]; 2],
            out: &mut [$t],
        ) {
            for (row, start) in (0..outer * channels).map(|row| (row, row * inner)) {
                let (low, high) = (low[row % channels], high[row % channels]);
                for i in start..start + inner {
                    out[i] = if x[i] >= low && x[i] <= high { dy[i] } else { 0.0 };
                }
            }
        }
    };
}
of_type!(rounded_f32 within_f32: f32);
of_type!(rounded_f64 within_f64: f64);

/// The dtype in which floats are computed.
fn wide(dtype: DType) -> DType {
    if dtype == DType::F64 { DType::F64 } else { DType::F32 }
}

/// The inputs from `first` on, in the dtype in which they are computed.
fn widened(c: &KernelContext<'_>, inputs: std::ops::Range<usize>) -> Result<Vec<Array>> {
    let mut all = vec_for(inputs.len())?;
    for i in inputs {
        all.push(cast(c.input(i), wide(c.input(i).dtype()))?);
    }
    Ok(all)
}

pub(in crate::ops) fn kernel(c: &KernelContext<'_>) -> Result<Outputs> {
    let signed = c.get(QuantizeAndDequantizeV2::SIGNED_INPUT)?;
    let (bits, mode) = match c.inputs.get(3) {
        Some(bits) => (bits.to_i64s()?[0], half_to_even()),
        None => {
            let bits = c.get(QuantizeAndDequantizeV2::NUM_BITS)?;
            (bits, c.get(QuantizeAndDequantizeV2::ROUND_MODE)?)
        }
    };
    check_bits(bits, signed)?;
    let narrow = i64::from(c.get(QuantizeAndDequantizeV2::NARROW_RANGE)?);
    let (low, high) = match signed {
        true => (narrow - (1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1),
        false => (0, (1i64 << bits) - 1),
    };
    let integers = IntegerRange { low, high, half_up: mode == "HALF_UP" };
    let layout = layout(c.input(0), axis(c.get(QuantizeAndDequantizeV2::AXIS)?)?);
    let given = c.get(QuantizeAndDequantizeV2::RANGE_GIVEN)?;
    let (inputs, dims, dtype) = (widened(c, 0..3)?, c.input(0).dims(), c.input(0).dtype());
    macro_rules! run {
        ($t:ident $f:ident) => {{
            let [x, low, high] = [0, 1, 2].map(|i| inputs[i].as_slice::<$t>());
            let (x, ranges) = (x?, [low?, high?]);
            c.output_slice(dims, |out| $f(x, layout, given.then_some(ranges), integers, out))?
        }};
    }
    let out = match dtype {
        DType::F64 => run!(f64 rounded_f64),
        _ => run!(f32 rounded_f32),
    };
    Ok([cast(&out, dtype)?].into())
}

pub(in crate::ops) fn gradient_kernel(c: &KernelContext<'_>) -> Result<Outputs> {
    let layout = layout(c.input(0), axis(c.get(QuantizeAndDequantizeV4Grad::AXIS)?)?);
    let (inputs, dims, dtype) = (widened(c, 0..4)?, c.input(0).dims(), c.input(0).dtype());
    macro_rules! run {
        ($t:ident $f:ident) => {{
            let [dy, x, low, high] = [0, 1, 2, 3].map(|i| inputs[i].as_slice::<$t>());
            let (numbers, range) = ([dy?, x?], [low?, high?]);
            c.output_slice(dims, |out| {
                $f(numbers, layout, range, out);
                Ok(())
            })?
        }};
    }
    let out = match dtype {
        DType::F64 => run!(f64 within_f64),
        _ => run!(f32 within_f32),
    };
    let zeros = |i: usize| Array::zeros(dtype, c.input(i).dims());
    Ok([cast(&out, dtype)?, zeros(2)?, zeros(3)?].into_iter().collect())
}

pub(in crate::ops) fn gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    let axis = g.get(QuantizeAndDequantizeV4::AXIS)?;
    let op = QuantizeAndDequantizeV4Grad { axis };
    let (x, low, high) = op.run_as(&[g.dy()?, g.x(0), g.x(1), g.x(2)])?;
    Ok([Some(x), Some(low), Some(high)].into_iter().collect())
}
