//! Calls of ops on quantized dtypes.

use extype::DType;
use extype::array::Array;
use extype::ir::AttrValue;

use super::images::Parts;
use super::rng::Rng;
use super::values::{Style, filled, integers};

const PADDINGS: [&str; 2] = ["VALID", "SAME"];

/// The inputs and attributes of such an op.
pub(super) fn recipe(name: &str, rng: &mut Rng) -> Option<Parts> {
    use DType::{F32, I32, QI8, QI32, QU8};
    let (n, m, k) = (1 + rng.below(3), 1 + rng.below(3), 1 + rng.below(3));
    let (flag, padding) = (rng.chance(50), rng.pick(&PADDINGS));
    let any = rng.pick(&[QI8, QU8, QI32, DType::QI16, DType::QU16]);
    let mut of = |dtype: DType, dims: &[usize]| filled(dtype, dims, Style::Below(250), rng);
    let (low, high) = (|| Some(Array::scalar(-1.5f32)), || Some(Array::scalar(2.0f32)));
    let ints = |dims: &[usize], x: &[i64]| integers(I32, dims, x);
    let list = |x: &[i64]| AttrValue::List(x.iter().map(|x| AttrValue::Int(*x)).collect());
    let text = |x: &str| AttrValue::Str(x.as_bytes().into());
    let out = |dtype: DType| vec![("out_type", AttrValue::Type(dtype))];
    let bounds = |side: &str| match side {
        "input" => [("input_quantization_min_val", -128), ("input_quantization_max_val", 127)],
        "output" => [("output_quantization_min_val", -128), ("output_quantization_max_val", 127)],
        "lhs" => [("lhs_quantization_min_val", -128), ("lhs_quantization_max_val", 127)],
        "rhs" => [("rhs_quantization_min_val", -128), ("rhs_quantization_max_val", 127)],
        _ => [("quantization_min_val", -128), ("quantization_max_val", 127)],
    };
    let uniform = |sides: &[&str], to: DType| {
        let all = sides.iter().flat_map(|side| bounds(side));
        let all = all.map(|(name, x)| (name, AttrValue::Int(x)));
        all.chain([("Tout", AttrValue::Type(to))]).collect::<Vec<_>>()
    };
    let scale = || [Some(Array::scalar(0.25f32)), ints(&[], &[3])];
    let pool = || {
        let attrs = [("ksize", list(&[1, 2, 2, 1])), ("strides", list(&[1, 1, 2, 1]))];
        attrs.into_iter().chain([("padding", text(padding))]).collect::<Vec<_>>()
    };
    Some(match name {
        "QuantizeV2" => {
            let modes = ["MIN_COMBINED", "MIN_FIRST", "SCALED"];
            let mode = ("mode", text(modes[(n + m) % 3]));
            (vec![of(F32, &[n, m]), low(), high()], vec![("T", AttrValue::Type(any)), mode])
        }
        "Dequantize" => (vec![of(any, &[n, m]), low(), high()], vec![]),
        "Requantize" => (vec![of(QI32, &[n, m]), low(), high(), low(), high()], out(QU8)),
        "RequantizePerChannel" => {
            let ends = [of(F32, &[m]), of(F32, &[m]), low(), high()];
            ([of(QI32, &[1, n, k, m])].into_iter().chain(ends).collect(), out(QI8))
        }
        "RequantizationRangePerChannel" => {
            let clip = vec![("clip_value_max", AttrValue::Float(1.5))];
            (vec![of(QI32, &[1, n, k, m]), of(F32, &[m]), of(F32, &[m])], clip)
        }
        "RequantizationRange" => (vec![of(QI32, &[n, m]), low(), high()], vec![]),
        "QuantizeDownAndShrinkRange" => (vec![of(QI32, &[n, m]), low(), high()], out(QU8)),
        "QuantizedAdd" | "QuantizedMul" => {
            (vec![of(QU8, &[n, m]), of(QU8, &[m]), low(), high(), low(), high()], vec![])
        }
        "QuantizedMatMul" => {
            let a = if flag { [k, n] } else { [n, k] };
            let turned = vec![("transpose_a", AttrValue::Bool(flag))];
            (vec![of(QU8, &a), of(QU8, &[k, m]), low(), high(), low(), high()], turned)
        }
        "QuantizedConv2D" => {
            let images = [of(QU8, &[1, n + 3, m + 3, k]), of(QU8, &[2, 2, k, 2])];
            let attrs = vec![("strides", list(&[1, 2, 2, 1])), ("padding", text(padding))];
            (images.into_iter().chain([low(), high(), low(), high()]).collect(), attrs)
        }
        "QuantizedBiasAdd" => {
            let inputs = vec![of(QI8, &[n, m]), of(QI8, &[m]), low(), high(), low(), high()];
            (inputs, out(QI32))
        }
        "QuantizedRelu" | "QuantizedRelu6" => {
            let dtype = if flag { QU8 } else { QI32 };
            (vec![of(dtype, &[n, m]), low(), high()], out(dtype))
        }
        "QuantizedMaxPool" | "QuantizedAvgPool" => {
            (vec![of(QU8, &[n, m + 2, k + 2, 2]), low(), high()], pool())
        }
        "QuantizedConcat" => {
            let values = [of(QU8, &[n, m]), of(QU8, &[n, k])];
            let ends = [low(), Some(Array::scalar(-3.0f32)), high(), high()];
            ([ints(&[], &[1])].into_iter().chain(values).chain(ends).collect(), vec![])
        }
        "QuantizedReshape" => {
            let sizes = ints(&[2], &[m as i64, n as i64]);
            (vec![of(any, &[n, m]), sizes, low(), high()], vec![])
        }
        "UniformQuantize" => {
            ([of(F32, &[n, m])].into_iter().chain(scale()).collect(), uniform(&[""], QI8))
        }
        "UniformDequantize" => {
            ([of(QI8, &[n, m])].into_iter().chain(scale()).collect(), uniform(&[""], F32))
        }
        "UniformRequantize" => {
            let inputs = [of(QI32, &[n, m])].into_iter().chain(scale()).chain(scale());
            (inputs.collect(), uniform(&["input", "output"], QI8))
        }
        "UniformQuantizedAdd" => {
            let terms = [of(QI32, &[n, m]), of(QI32, &[m])].into_iter();
            let inputs = terms.chain(scale()).chain(scale()).chain(scale());
            (inputs.collect(), uniform(&["lhs", "rhs", "output"], QI32))
        }
        "UniformQuantizedClipByValue" => {
            let bounds = [of(QI32, &[]), of(QI32, &[])];
            let inputs = [of(QI32, &[n, m])].into_iter().chain(bounds).chain(scale());
            (inputs.collect(), uniform(&[""], QI32))
        }
        "UniformQuantizedDot" => {
            let matrices = [of(QI8, &[n, k]), of(QI8, &[k, m])].into_iter();
            let inputs = matrices.chain(scale()).chain(scale()).chain(scale());
            (inputs.collect(), uniform(&["lhs", "rhs", "output"], QI32))
        }
        _ => return None,
    })
}
