//! Calls of ops on bands and functions of matrices, gradients as ops, ragged tensors and crosses of features.

use extype::DType;
use extype::array::Array;
use extype::ir::AttrValue;

use super::images::Parts;
use super::rng::Rng;
use super::values::{Style, filled, integers, reals};

/// The inputs and attributes of an op, float64 where it takes them.
pub(super) fn recipe(name: &str, rng: &mut Rng) -> Option<Parts> {
    let (m, n) = (1 + rng.below(2), 2 + rng.below(3));
    let flag = rng.chance(50);
    let (f64, i64s) = (DType::F64, DType::I64);
    let of = |dims: &[usize], low: f64, rng: &mut Rng| {
        filled(f64, dims, Style::Within(low, low + 2.0), rng)
    };
    let longs = |values: &[i64]| integers(DType::I64, &[values.len()], values);
    let ints = |values: &[i64]| integers(DType::I32, &[values.len()], values);
    let scalar = |x: i64| integers(DType::I64, &[], &[x]);
    let text = |s: &str| AttrValue::Str(s.as_bytes().into());
    let texts = |all: &[&str]| AttrValue::List(all.iter().map(|s| text(s)).collect());
    let words = |dims: &[usize]| {
        let count = dims.iter().product::<usize>();
        Array::from_strings(dims, (0..count).map(|i| vec![b'a' + i as u8]).collect()).ok()
    };
    // Two sparse columns of two rows, with one and with two values.
    let columns = || {
        let at = |values: &[i64]| integers(DType::I64, &[values.len() / 2, 2], values);
        let sizes = || longs(&[2, 2]);
        vec![at(&[0, 0]), at(&[0, 0, 1, 1]), words(&[1]), longs(&[5, 7]), sizes(), sizes()]
    };
    let dtype = |d| AttrValue::Type(d);
    let overlapping = ("overlapping", AttrValue::Bool(flag));
    Some(match name {
        "EluGrad" | "SeluGrad" | "ReluGrad" | "Relu6Grad" | "LeakyReluGrad" | "SoftplusGrad"
        | "SoftsignGrad" => {
            (vec![of(&[m, n], -1.0, rng), of(&[m, n], if flag { 0.5 } else { -2.5 }, rng)], vec![])
        }
        "SigmoidGrad" | "TanhGrad" | "SqrtGrad" | "RsqrtGrad" | "ReciprocalGrad" => {
            (vec![of(&[m, n], 0.5, rng), of(&[m, n], -1.0, rng)], vec![])
        }
        "Complex" => (
            vec![of(&[m, n], -1.0, rng), of(&[n], -1.0, rng)],
            vec![("Tout", dtype(DType::Complex128))],
        ),
        "ComplexAbs" => {
            let x = filled(DType::Complex128, &[n], Style::Within(0.5, 2.0), rng);
            (vec![x], vec![("Tout", dtype(f64))])
        }
        "DenseCountSparseOutput" => {
            let attrs = ["minlength", "maxlength"].map(|name| (name, AttrValue::Int(-1)));
            let binary = ("binary_output", AttrValue::Bool(flag));
            let values = filled(i64s, &[m, n], Style::Below(4), rng);
            let weights: &[usize] = if flag { &[0] } else { &[m, n] };
            (vec![values, of(weights, 0.0, rng)], attrs.into_iter().chain([binary]).collect())
        }
        "SparseAdd" => {
            let places = || integers(i64s, &[2, 2], &[0, 1, 2, 0]);
            let mut part = || [places(), of(&[2], -1.0, rng), longs(&[3, 4])];
            let parts: Vec<_> = part().into_iter().chain(part()).collect();
            (parts.into_iter().chain([of(&[], -1.0, rng)]).collect(), vec![])
        }
        "BandedTriangularSolve" => {
            let count = 1 + rng.below(n + 1);
            let attrs = vec![
                ("lower", AttrValue::Bool(flag)),
                ("adjoint", AttrValue::Bool(rng.chance(50))),
            ];
            (vec![of(&[count, n], 1.0, rng), of(&[m, n, 2], -1.0, rng)], attrs)
        }
        "TridiagonalSolve" => {
            // The main diagonal is larger than the others together.
            let small = of(&[m, 3, n], -0.2, rng)?;
            let x: Vec<f64> = small.as_slice::<f64>().ok()?.to_vec();
            let large = |i: usize| x[i] / 4.0 + if i / n % 3 == 1 { 2.0 } else { 0.0 };
            let all: Vec<f64> = (0..x.len()).map(large).collect();
            let attrs = vec![
                ("partial_pivoting", AttrValue::Bool(flag)),
                ("perturb_singular", AttrValue::Bool(false)),
            ];
            (vec![reals(f64, &[m, 3, n], &all), of(&[m, n, 2], -1.0, rng)], attrs)
        }
        "TridiagonalMatMul" => {
            let mut diagonal = || of(&[m, 1, n], -1.0, rng);
            let mut inputs = vec![diagonal(), diagonal(), diagonal()];
            inputs.push(of(&[m, n, 2], -1.0, rng));
            (inputs, vec![])
        }
        "MatrixSquareRoot" | "CholeskyGrad" => {
            let symmetric = super::recipes::regular(&[m, n, n], true, rng);
            let other = of(&[m, n, n], -1.0, rng);
            (if name == "CholeskyGrad" { vec![symmetric, other] } else { vec![symmetric] }, vec![])
        }
        "MatrixSolveLs" => {
            let x = super::recipes::regular(&[n + 1, n], false, rng);
            let inputs = vec![x, of(&[n + 1, 2], -1.0, rng), reals(f64, &[], &[0.1])];
            (inputs, vec![("fast", AttrValue::Bool(flag))])
        }
        "FractionalMaxPool" | "FractionalAvgPool" => {
            let ratios = [1.0, 1.3, 1.0 + rng.below(2) as f32, 1.0].map(AttrValue::Float);
            let attrs = vec![
                ("pooling_ratio", AttrValue::List(ratios.into())),
                ("pseudo_random", AttrValue::Bool(rng.chance(50))),
                ("deterministic", AttrValue::Bool(true)),
                ("seed", AttrValue::Int(1 + rng.below(9) as i64)),
                overlapping,
            ];
            (vec![of(&[m, n + 1, n, 2], -1.0, rng)], attrs)
        }
        "FractionalMaxPoolGrad" => {
            let (mut small, starts) = (|| of(&[m, 2, 1, 1], -1.0, rng), longs(&[0, 1, 3]));
            let mut inputs = vec![small(), small()];
            inputs.extend([starts, longs(&[0, 2])]);
            inputs.insert(0, of(&[m, 3, 2, 1], -1.0, rng));
            (inputs, vec![overlapping])
        }
        "FractionalAvgPoolGrad" => {
            let sizes = longs(&[m as i64, 3, 2, 1]);
            (
                vec![sizes, of(&[m, 2, 1, 1], -1.0, rng), longs(&[0, 1, 3]), longs(&[0, 2])],
                vec![overlapping],
            )
        }
        "DataFormatDimMap" => (vec![filled(i64s, &[n], Style::Below(4), rng)], vec![]),
        "DataFormatVecPermute" => (vec![ints(&[1, 2, 3, 4])], vec![]),
        "InplaceAdd" | "InplaceSub" | "InplaceUpdate" => {
            (vec![of(&[n, 2], -1.0, rng), ints(&[0, 1]), of(&[2, 2], -1.0, rng)], vec![])
        }
        "ScatterNdNonAliasingAdd" => {
            let at = integers(DType::I32, &[2, 1], &[0, 1]);
            (vec![of(&[n, 2], -1.0, rng), at, of(&[2, 2], -1.0, rng)], vec![])
        }
        "Cross" => (vec![of(&[n, 3], -1.0, rng), of(&[n, 3], -1.0, rng)], vec![]),
        "CheckNumerics" | "CheckNumericsV2" => {
            (vec![of(&[m, n], -1.0, rng)], vec![("message", text("x"))])
        }
        "BatchMatMulV3" => {
            (vec![of(&[m, 2, n], -1.0, rng), of(&[n, 2], -1.0, rng)], vec![("Tout", dtype(f64))])
        }
        "MatrixSetDiag" => (vec![of(&[m, n, n], -1.0, rng), of(&[m, n], -1.0, rng)], vec![]),
        "RaggedGather" => {
            let inputs = vec![longs(&[0, 2, 2, 3]), of(&[3, 2], -1.0, rng), longs(&[2, 0, 0])];
            (inputs, vec![("OUTPUT_RAGGED_RANK", AttrValue::Int(1))])
        }
        "RaggedTensorToSparse" => (vec![longs(&[0, 2, 2, 3]), of(&[3, 2], -1.0, rng)], vec![]),
        "RaggedTensorToTensor" => {
            let types =
                texts(if flag { &["ROW_SPLITS"] } else { &["FIRST_DIM_SIZE", "VALUE_ROWIDS"] });
            let mut inputs =
                vec![longs(&[-1, rng.pick(&[-1, 1, 3])]), of(&[3], -1.0, rng), of(&[], -1.0, rng)];
            inputs.extend(if flag {
                vec![longs(&[0, 2, 2, 3])]
            } else {
                vec![scalar(3), longs(&[0, 0, 2])]
            });
            (inputs, vec![("row_partition_types", types)])
        }
        "SparseMatrixSparseCholesky" => {
            let x = extype::tensor![[4.0f64, 1.0, 0.0], [1.0, 3.0, 0.0], [0.0, 0.0, 2.0]];
            let places = extype::tensor![[0i64, 0], [0, 1], [1, 0], [1, 1], [2, 2]];
            let op = super::defs::op("DenseToCSRSparseMatrix")?;
            let made = extype::tensor::execute(op, Default::default(), &[&x, &places]).ok()?;
            (vec![made[0].value().ok().cloned(), ints(&[2, 0, 1])], vec![("type", dtype(f64))])
        }
        "SparseCross" => {
            let attrs = vec![
                ("N", AttrValue::Int(2)),
                ("hashed_output", AttrValue::Bool(true)),
                ("num_buckets", AttrValue::Int(9)),
                ("out_type", dtype(i64s)),
                ("internal_type", dtype(i64s)),
            ];
            (columns(), attrs)
        }
        "SparseCrossV2" | "SparseCrossHashed" => {
            let mut inputs = columns();
            match name {
                "SparseCrossV2" => inputs.push(words(&[])),
                _ => inputs.extend([
                    scalar(9),
                    filled(DType::Bool, &[], Style::Zero, rng),
                    longs(&[1, 2]),
                ]),
            }
            (inputs, vec![("N", AttrValue::Int(2))])
        }
        "Ragged>SameRows" => {
            let splits = longs(&[0, m as i64, n as i64]);
            (vec![splits.clone(), splits], vec![])
        }
        "RaggedCountSparseOutput" => {
            let values = filled(DType::I32, &[n], Style::Below(4), rng);
            let (splits, weights) = (longs(&[0, m as i64, n as i64]), of(&[0], -1.0, rng));
            (vec![splits, values, weights], vec![("binary_output", AttrValue::Bool(flag))])
        }
        "InTopK" => {
            let scores = filled(DType::F32, &[m, n], Style::Within(-1.0, 1.0), rng);
            let targets = filled(DType::I32, &[m], Style::Below(n), rng);
            (vec![scores, targets], vec![("k", AttrValue::Int(1 + m as i64))])
        }
        "RaggedCross" => {
            let inputs =
                vec![words(&[2]), longs(&[0, 1, 2]), filled(i64s, &[2, 2], Style::Below(5), rng)];
            let attrs = vec![
                ("input_order", text(if flag { "RD" } else { "DR" })),
                ("hashed_output", AttrValue::Bool(true)),
                ("num_buckets", AttrValue::Int(0)),
                ("out_values_type", dtype(i64s)),
                ("out_row_splits_type", dtype(i64s)),
            ];
            (inputs, attrs)
        }
        _ => return None,
    })
}
