//! Calls of random, quantizing and recurrent ops, of candidate samplers, of losses of sequences, and on sound.

use extype::array::Array;
use extype::ir::AttrValue;
use extype::ops::methods::*;
use extype::{DType, Tensor, ops};

use super::images::Parts;
use super::rng::Rng;
use super::values::{Style, filled, integers};

/// The inputs and attributes of such an op, float64 where it takes them.
pub(super) fn recipe(name: &str, rng: &mut Rng) -> Option<Parts> {
    let (n, m, steps) = (1 + rng.below(3), 1 + rng.below(3), 2 + rng.below(3));
    let (flag, stride) = (rng.chance(50), 1 + rng.below(3) as i64);
    let seeds = [rng.below(9) as i64, rng.below(9) as i64];
    let mut of = |dtype: DType, dims: &[usize], style: Style| filled(dtype, dims, style, rng);
    let (f32, f64) = (DType::F32, DType::F64);
    let (tame, positive) = (Style::Within(-2.0, 2.0), Style::Within(0.5, 2.0));
    let longs = |dims: &[usize], x: &[i64]| integers(DType::I64, dims, x);
    let ints = |dims: &[usize], x: &[i64]| integers(DType::I32, dims, x);
    let one = |x: f64, dtype: DType| {
        Some(Array::scalar(x)).and_then(|x| Tensor::from(x).cast(dtype).ok()?.value().ok().cloned())
    };
    let draw = || [ints(&[2], &[n as i64, m as i64]), longs(&[2], &seeds)].into_iter();
    let sampler = || {
        let counts = [("num_true", m as i64), ("num_sampled", 3), ("range_max", 5)];
        let counts = counts.into_iter().map(|(name, n)| (name, AttrValue::Int(n)));
        let weights = (1..6).map(|i| AttrValue::Float(i as f32)).collect();
        let others = [("unique", AttrValue::Bool(flag)), ("unigrams", AttrValue::List(weights))];
        counts.chain(others).collect::<Vec<_>>()
    };
    Some(match name {
        "StatelessRandomGammaV2" | "StatelessRandomPoisson" => {
            (draw().chain([of(f64, &[m], positive)]).collect(), vec![])
        }
        "StatelessRandomBinomial" => {
            let p = of(f64, &[m], Style::Within(0.1, 0.9));
            (draw().chain([of(f64, &[n, 1], Style::Below(40)), p]).collect(), vec![])
        }
        "StatelessParameterizedTruncatedNormal" => {
            let (mean, deviation) = (of(f64, &[m], tame), of(f64, &[n, 1], positive));
            let bounds = [one(-1.0, f64), one(1.5, f64)];
            (draw().chain([mean, deviation]).chain(bounds).collect(), vec![])
        }
        "RandomIndexShuffle" => {
            let indices = longs(&[2], &[stride - 1, 2]);
            (vec![indices, ints(&[3], &[1, 2, 3]), longs(&[], &[5])], vec![])
        }
        "FakeQuantWithMinMaxArgs" => (vec![of(f32, &[n, m], tame)], vec![]),
        "FakeQuantWithMinMaxArgsGradient" => {
            (vec![of(f32, &[n, m], tame), of(f32, &[n, m], tame)], vec![])
        }
        "FakeQuantWithMinMaxVars" => {
            (vec![of(f32, &[n, m], tame), one(-1.0, f32), one(1.0, f32)], vec![])
        }
        "FakeQuantWithMinMaxVarsGradient" => {
            let operands = vec![of(f32, &[n, m], tame), of(f32, &[n, m], tame)];
            (operands.into_iter().chain([one(-1.0, f32), one(1.0, f32)]).collect(), vec![])
        }
        "FakeQuantWithMinMaxVarsPerChannel" => {
            let range = [of(f32, &[m], Style::Within(-2.0, -0.5)), of(f32, &[m], positive)];
            ([of(f32, &[n, m], tame)].into_iter().chain(range).collect(), vec![])
        }
        "FakeQuantWithMinMaxVarsPerChannelGradient" => {
            let range = [of(f32, &[m], Style::Within(-2.0, -0.5)), of(f32, &[m], positive)];
            let operands = [of(f32, &[n, m], tame), of(f32, &[n, m], tame)];
            (operands.into_iter().chain(range).collect(), vec![])
        }
        "QuantizeAndDequantizeV2" | "QuantizeAndDequantizeV4" => {
            let given = vec![("range_given", AttrValue::Bool(flag))];
            (vec![of(f64, &[n, m], tame), one(-1.0, f64), one(1.0, f64)], given)
        }
        "QuantizeAndDequantizeV3" => {
            let operands = vec![of(f64, &[n, m], tame), one(-1.0, f64), one(1.0, f64)];
            (operands.into_iter().chain([ints(&[], &[7])]).collect(), vec![])
        }
        "QuantizeAndDequantizeV4Grad" => {
            let operands = vec![of(f64, &[n, m], tame), of(f64, &[n, m], tame)];
            (operands.into_iter().chain([one(-1.0, f64), one(1.0, f64)]).collect(), vec![])
        }
        "CTCLoss" => {
            let labels = [longs(&[3, 2], &[0, 0, 0, 1, 1, 0]), ints(&[3], &[0, 1, 0])];
            let lengths = ints(&[2], &[steps as i64, steps as i64 - 1]);
            let logits = of(f64, &[steps, 2, 3], tame);
            ([logits].into_iter().chain(labels).chain([lengths]).collect(), vec![])
        }
        "CTCGreedyDecoder" | "CTCBeamSearchDecoder" => {
            let widths = [("beam_width", 2), ("top_paths", 1)];
            let attrs = widths.map(|(name, n)| (name, AttrValue::Int(n))).to_vec();
            (vec![of(f64, &[steps, 2, 3], tame), ints(&[2], &[steps as i64, 1])], attrs)
        }
        "EditDistance" => {
            let sequence = || [longs(&[3, 2], &[0, 0, 0, 1, 1, 0]), longs(&[3], &[1, 2, stride])];
            let sizes = || [longs(&[2], &[2, 2])];
            (
                sequence().into_iter().chain(sizes()).chain(sequence()).chain(sizes()).collect(),
                vec![],
            )
        }
        "UniformCandidateSampler"
        | "LogUniformCandidateSampler"
        | "LearnedUnigramCandidateSampler"
        | "FixedUnigramCandidateSampler" => {
            let seeds = [("seed", 7), ("seed2", 9)].map(|(name, n)| (name, AttrValue::Int(n)));
            let truth = of(DType::I64, &[n, m], Style::Below(3));
            (vec![truth], sampler().into_iter().chain(seeds).collect())
        }
        "AllCandidateSampler" => (vec![of(DType::I64, &[n, m], Style::Below(3))], sampler()),
        "ComputeAccidentalHits" => {
            let truth = of(DType::I64, &[n, m], Style::Below(3));
            (vec![truth, longs(&[3], &[2, 0, 7])], sampler())
        }
        "LSTMBlockCell" | "BlockLSTMV2" | "LSTMBlockCellGrad" | "BlockLSTMGradV2" => {
            let whole = name.starts_with("Block");
            let (x, state) = match whole {
                true => (vec![steps, n, 2], vec![steps, n, m]),
                false => (vec![n, 2], vec![n, m]),
            };
            let shapes = [&x[..], &[n, m], &[n, m], &[2 + m, 4 * m], &[m], &[m], &[m], &[4 * m]];
            // The results and two gradients.
            let more = if !name.contains("Grad") { 0 } else { 8 + usize::from(whole) };
            let shapes = shapes.into_iter().chain(std::iter::repeat_n(&state[..], more));
            let operands = shapes.map(|dims| of(f32, dims, tame));
            let steps = whole.then(|| longs(&[], &[steps as i64 - 1]));
            let peephole = vec![("use_peephole", AttrValue::Bool(flag))];
            (steps.into_iter().chain(operands).collect(), peephole)
        }
        "GRUBlockCell" | "GRUBlockCellGrad" => {
            let shapes: [&[usize]; 6] =
                [&[n, 2], &[n, m], &[2 + m, 2 * m], &[2 + m, m], &[2 * m], &[m]];
            let more = if name.ends_with("Grad") { 4 } else { 0 };
            let shapes = shapes.into_iter().chain(std::iter::repeat_n(shapes[1], more));
            (shapes.map(|dims| of(f32, dims, tame)).collect(), vec![])
        }
        "AudioSpectrogram" => {
            let sizes = [("window_size", 4), ("stride", stride)];
            let attrs = sizes.map(|(name, n)| (name, AttrValue::Int(n))).to_vec();
            (vec![of(f32, &[9, n], tame)], attrs)
        }
        "Mfcc" => (vec![of(f32, &[n, m, 9], positive), ints(&[], &[8000])], vec![]),
        "EncodeWav" => (vec![of(f32, &[steps, n], tame), ints(&[], &[8000])], vec![]),
        "DecodeWav" => {
            let sound = of(f32, &[steps, n], tame).map(Tensor::from);
            let file = sound.and_then(|x| ops::encode_wav(&x, 8000).ok());
            (vec![file.and_then(|file| file.value().ok().cloned())], vec![])
        }
        _ => return None,
    })
}
