//! What inputs mean by their names, and calls whose parts must fit in ways that names don't tell.

use extype::array::Array;
use extype::ir::{AttrValue, Attrs, OpDef};
use extype::ops::methods::*;
use extype::spec::Boxes;
use extype::tensor::execute;
use extype::{DType, Result, Shape, Tensor, TensorSpec, function, ops, scalar, shape};

use super::call::Call;
use super::defs;
use super::rng::Rng;
use super::values::{Style, filled, integers};

/// An input that its name describes, in a call with this main shape.
pub(super) fn by_name(
    op: &OpDef,
    name: &str,
    dtype: DType,
    shape: &[usize],
    rng: &mut Rng,
) -> Option<Array> {
    let rank = shape.len();
    let scalar = |x: i64| integers(dtype, &[], &[x]);
    let vector = |x: &[i64]| integers(dtype, &[x.len()], x);
    let sizes: Vec<i64> = shape.iter().map(|d| *d as i64).collect();
    match name {
        "row_splits" | "outer" | "inner" => vector(&splits(rng)),
        "key" => vector(&[rng.below(9) as i64]),
        "counter" | "seed" => vector(&[rng.below(9) as i64, rng.below(9) as i64]),
        "alg" => scalar(rng.pick(&[1, 3])),
        "shape" | "dims" if defs::name(op) != "ScatterNd" => vector(&sizes),
        "num_segments" | "depth" | "num_samples" | "num" | "nbins" | "width" | "length"
        | "delta" => scalar(rng.below(5) as i64),
        "rows" => vector(&[rng.below(2) as i64, rng.below(2) as i64]).filter(|_| rng.chance(50)),
        "sep" | "pattern" | "rewrite" => filled(dtype, &[], Style::Hostile, rng),
        "method" => Array::from_strings([], vec![b"farmhash64".to_vec()]).ok(),
        "fixed_length" => scalar(rng.pick(&[8, 16, 6, -1])),
        "data_splits" | "input_splits" => vector(&[0, 1, 1, 2]),
        "minval" => scalar(0),
        "maxval" => scalar(10),
        "paddings" | "crops" => filled(dtype, &[rank, 2], Style::Below(2), rng),
        "padding_value" | "constant_values" | "on_value" | "off_value" => {
            filled(dtype, &[], Style::Within(0.0, 1.0), rng)
        }
        "num_rows" | "num_cols" => scalar(-1),
        "counts" if defs::name(op) == "Extype>RepeatedPlaces" => {
            filled(dtype, &[3], Style::Below(4), rng)
        }
        "axis" | "dim" | "dimension" | "split_dim" => {
            scalar(rng.below(2 * rank) as i64 - rank as i64)
        }
        "perm" => vector(&permutation(rank, rng)),
        "multiples" | "strides" => vector(&vec![1; rank]),
        "begin" => vector(&vec![0; rank]),
        "end" => vector(&sizes),
        "k" | "n" => scalar(rng.below(3) as i64 - 1),
        "segment_ids" | "indices" if defs::name(op).contains("Segment") => {
            let mut ids = vec![0; shape.first().copied().unwrap_or(1)];
            (1..ids.len()).for_each(|i| ids[i] = ids[i - 1] + rng.below(2) as i64);
            vector(&ids)
        }
        "output_dim0" | "dense_output_dim0" => scalar(4),
        "splits" => vector(&[0, shape.first().copied().unwrap_or(0) as i64]),
        _ if defs::name(op).contains("Sparse") || defs::name(op) == "SetSize" => {
            sparse(op, name, dtype, rng)
        }
        _ => None,
    }
}

/// A part of a sparse matrix of sizes `[3, 4]`, or what ops take beside it.
fn sparse(op: &OpDef, name: &str, dtype: DType, rng: &mut Rng) -> Option<Array> {
    let mut reals = |dims: &[usize]| filled(dtype, dims, Style::Within(-2.0, 2.0), rng);
    match name {
        _ if dtype == DType::Variant => matrix().ok(),
        _ if name.ends_with("indices") => integers(dtype, &[3, 2], &[0, 1, 1, 0, 2, 3]),
        _ if name.ends_with("values") => reals(&[3]),
        _ if name == "new_shape" => integers(dtype, &[2], &[2, -1]),
        _ if name.ends_with("shape") => integers(dtype, &[2], &[3, 4]),
        "b" if defs::name(op) == "SparseTensorDenseMatMul" => reals(&[4, 2]),
        "dense" | "b" => reals(&[3, 4]),
        "thresh" | "default_value" => reals(&[]),
        "reduction_axes" => integers(dtype, &[1], &[rng.below(2) as i64]),
        "start" | "input_start" => integers(dtype, &[2], &[0, 1]),
        "size" if defs::name(op) == "SparseSlice" => integers(dtype, &[2], &[2, 3]),
        "size" => integers(dtype, &[], &[3]),
        _ => None,
    }
}

/// A sparse matrix in a variant.
fn matrix() -> Result<Array> {
    let Some(op) = defs::op("DenseToCSRSparseMatrix") else {
        return Err(extype::Error::internal("there is an op that makes sparse matrices"));
    };
    let dense = ops::fill([3, 4], scalar(2.0))?;
    let places = extype::tensor![[0i64, 1], [2, 3]];
    let made = execute(op, Attrs::new(), &[&dense, &places])?;
    made[0].value().cloned()
}

fn splits(rng: &mut Rng) -> Vec<i64> {
    let mut last = 0;
    let mut out = vec![0];
    for _ in 0..rng.below(4) {
        last += rng.below(4) as i64;
        out.push(last);
    }
    out
}

fn permutation(n: usize, rng: &mut Rng) -> Vec<i64> {
    let mut out: Vec<i64> = (0..n as i64).collect();
    for i in (1..n).rev() {
        out.swap(i, rng.below(i + 1));
    }
    out
}

/// A function that doubles a tensor, as the value of an attribute.
pub(super) fn doubling() -> Result<AttrValue> {
    let inner = function(|x: &Tensor| extype::ops::add(x, x));
    let outer = function(move |x: &Tensor| inner.call(x));
    let concrete = outer.concrete(&TensorSpec::new(Shape::unknown(), DType::F64))?;
    let called = concrete.graph().graph.nodes().iter().find_map(|n| n.attrs.value("f").cloned());
    called.ok_or_else(|| extype::Error::internal("a call is a node with a function"))
}

/// A function of any number of tensors of any types, that gives any number of results, as the value of an attribute.
pub(super) fn callee(rng: &mut Rng) -> Result<AttrValue> {
    const DTYPES: [DType; 4] = [DType::F64, DType::F64, DType::F32, DType::I32];
    let shapes = [Shape::unknown(), shape![], shape![?], shape![2, ?], shape![2, 3]];
    let inputs: Vec<TensorSpec> =
        (0..rng.below(4)).map(|_| TensorSpec::new(rng.pick(&shapes), rng.pick(&DTYPES))).collect();
    let results: Vec<usize> = (0..rng.below(4)).map(|_| rng.below(5)).collect();
    let f = function(move |x: &Vec<Tensor>| -> Result<Vec<Tensor>> {
        let result = |pick: &usize| match x.get(*pick) {
            // As the body of a loop it leads out of what the test of the recipe takes, and as a test it is false: no loop
            // goes on for ever.
            Some(x) => ops::add(x, 7),
            None => Ok(scalar(false)),
        };
        results.iter().map(result).collect()
    });
    Ok(AttrValue::Function(f.concrete(&inputs)?.function().clone()))
}

/// A gradient that is given: of a cotangent and of what a result was computed from.
fn given() -> Result<AttrValue> {
    let product = function(|dy: &Tensor, x: &Tensor| ops::mul(dy, x));
    let any = TensorSpec::new(Shape::unknown(), DType::F64);
    let concrete = product.concrete(&any, &any)?;
    let f = concrete.function().clone();
    Ok(AttrValue::Function(f))
}

/// The test of a loop that doubles or adds: it ends soon whatever it starts with.
fn below() -> Result<AttrValue> {
    let test = function(|x: &Tensor| {
        let inside = ops::logical_and(ops::less(x, 100.0)?, ops::greater(x, 1e-3)?)?;
        ops::reduce_any(&inside, .., false)
    });
    let concrete = test.concrete(&TensorSpec::new(Shape::unknown(), DType::F64))?;
    Ok(AttrValue::Function(concrete.function().clone()))
}

/// These parts as one variant.
fn packed(parts: &[Array]) -> Result<Array> {
    let Some(op) = defs::op("CompositeTensorVariantFromComponents") else {
        return Err(extype::Error::internal("there is an op that packs"));
    };
    let parts: Vec<Tensor> = parts.iter().cloned().map(Tensor::from).collect();
    let attrs = Attrs::new().with(extype::ir::AttrKey::new("metadata"), &"packed".to_owned());
    let packed = execute(op, attrs, &parts.iter().collect::<Vec<_>>())?;
    packed[0].value().cloned()
}

/// The rows of a tensor as a list in a variant.
fn list(rows: &Array) -> Result<Array> {
    let Some(op) = defs::op("TensorListFromTensor") else {
        return Err(extype::Error::internal("there is an op that makes lists"));
    };
    let rows = Tensor::from(rows.clone());
    let list = execute(op, Attrs::new(), &[&rows, &extype::scalar(-1i32)])?;
    list[0].value().cloned()
}

/// What ops on lists take after their list: a list of `n` elements float64 [m].
fn list_inputs(name: &str, (n, m): (usize, usize), rng: &mut Rng) -> Option<Vec<Option<Array>>> {
    let ints = |dims: &[usize], values: &[i64]| integers(DType::I32, dims, values);
    let longs = |dims: &[usize], values: &[i64]| integers(DType::I64, dims, values);
    let mut reals = |dims: &[usize]| filled(DType::F64, dims, Style::Within(-2.0, 2.0), rng);
    let shape = |of: usize| ints(&[1], &[of as i64]);
    let last = n as i64 - 1;
    let handle = reals(&[n, m]).and_then(|rows| list(&rows).ok());
    Some(match name {
        "TensorListLength" | "TensorListElementShape" => vec![handle],
        "TensorListPushBack" => vec![handle, reals(&[m])],
        "TensorListPopBack" | "TensorListStack" => vec![handle, shape(m)],
        "TensorListGetItem" => vec![handle, ints(&[], &[last]), shape(m)],
        "TensorListSetItem" => vec![handle, ints(&[], &[last]), reals(&[m])],
        "TensorListResize" => vec![handle, ints(&[], &[last])],
        "TensorListGather" => vec![handle, ints(&[3], &[0, last, 0]), shape(m)],
        "TensorListScatterV2" => {
            vec![reals(&[2, m]), ints(&[2], &[last, 0]), shape(m), ints(&[], &[-1])]
        }
        "TensorListScatterIntoExistingList" => {
            vec![handle, reals(&[2, m]), ints(&[2], &[last, 0])]
        }
        "TensorListConcatV2" => vec![handle, shape(m), longs(&[0], &[])],
        "TensorListSplit" => {
            vec![reals(&[n, m]), ints(&[2], &[-1, m as i64]), longs(&[3], &[1, 0, last])]
        }
        _ => return None,
    })
}

/// Matrices with distinct eigenvalues and singular values that are far from zero; positive definite
/// if they are to be symmetric.
pub(super) fn regular(dims: &[usize], symmetric: bool, rng: &mut Rng) -> Option<Array> {
    let [.., rows, columns] = *dims else { return None };
    let small = filled(DType::F64, dims, Style::Within(-0.4, 0.4), rng)?;
    let small = small.as_slice::<f64>().ok()?;
    let size = rows * columns;
    let at = |k: usize| {
        let (block, i, j) = (k / size * size, k % size / columns, k % columns);
        match i == j {
            true => 2.0 + i as f64 + small[k],
            false if symmetric => small[block + i.max(j) * columns + i.min(j)],
            false => small[k],
        }
    };
    let all: Vec<f64> = (0..small.len()).map(at).collect();
    super::values::reals(DType::F64, dims, &all)
}

/// A call that the op takes, if there is a recipe for it.
pub(super) fn recipe(op: &'static OpDef, rng: &mut Rng) -> Option<Call> {
    let reals =
        |dims: &[usize], rng: &mut Rng| filled(DType::F64, dims, Style::Within(-2.0, 2.0), rng);
    let longs = |dims: &[usize], values: &[i64]| integers(DType::I64, dims, values);
    let ints = |dims: &[usize], values: &[i64]| integers(DType::I32, dims, values);
    let text = |s: &str| AttrValue::Str(s.as_bytes().into());
    let (m, n) = (1 + rng.below(3), 2 + rng.below(3));
    let (inputs, attrs): (Vec<Option<Array>>, Vec<(&'static str, AttrValue)>) = match defs::name(op)
    {
        name @ ("Cholesky"
        | "SelfAdjointEigV2"
        | "MatrixInverse"
        | "MatrixDeterminant"
        | "LogMatrixDeterminant"
        | "Lu"
        | "Eig") => {
            let symmetric = matches!(name, "Cholesky" | "SelfAdjointEigV2");
            let vectors = AttrValue::Bool(rng.chance(50));
            let attrs = vec![("compute_v", vectors), ("Tout", AttrValue::Type(DType::Complex128))];
            (vec![regular(&[m, n, n], symmetric, rng)], attrs)
        }
        "MatrixSolve" => (vec![regular(&[m, n, n], false, rng), reals(&[m, n, 2], rng)], vec![]),
        "MatrixTriangularSolve" => {
            let lower = AttrValue::Bool(rng.chance(50));
            let batch: &[usize] = rng.pick(&[&[], &[1], &[2]]);
            let a = regular(&[batch, &[n, n]].concat(), false, rng);
            (vec![a, reals(&[2, n, 2], rng)], vec![("lower", lower)])
        }
        "Qr" | "Svd" => {
            let vectors = AttrValue::Bool(rng.chance(70));
            (vec![regular(&[2, m, n], false, rng)], vec![("compute_uv", vectors)])
        }
        name @ ("RFFT" | "RFFT2D" | "RFFT3D" | "IRFFT" | "IRFFT2D" | "IRFFT3D") => {
            let axes = if name.ends_with("3D") { 3 } else { 1 + usize::from(name.ends_with("2D")) };
            let sizes: Vec<i64> = (0..axes).map(|_| 1 + rng.below(5) as i64).collect();
            let x = match name.starts_with('I') {
                true => filled(DType::Complex128, &[5, 5, 3], Style::Within(-2.0, 2.0), rng),
                false => reals(&[5, 5, 5], rng),
            };
            let attrs = vec![
                ("Tcomplex", AttrValue::Type(DType::Complex128)),
                ("Treal", AttrValue::Type(DType::F64)),
            ];
            (vec![x, ints(&[axes], &sizes)], attrs)
        }
        "InvertPermutation" => (vec![longs(&[n], &permutation(n, rng))], vec![]),
        "Bincount" | "DenseBincount" => {
            let sizes = rng.pick(&[0, n]);
            let inputs = vec![
                filled(DType::I32, &[n], Style::Below(4), rng),
                ints(&[], &[4]),
                reals(&[sizes], rng),
            ];
            (inputs, vec![("binary_output", AttrValue::Bool(false))])
        }
        "Extype>SlidingSums" => {
            let before = rng.below(2) as i64;
            let attrs = vec![("before", AttrValue::Int(before)), ("after", AttrValue::Int(1))];
            let rows = vec![2; rng.below(2)];
            let of = |last: usize| [&rows[..], &[last]].concat();
            (vec![reals(&of(n + 2), rng), reals(&of(2), rng)], attrs)
        }
        "UniqueV2" | "UniqueWithCountsV2" => {
            let x = filled(DType::I32, &[n, m], Style::Below(3), rng);
            (vec![x, longs(&[1], &[0])], vec![])
        }
        "HistogramFixedWidth" => {
            let range = super::values::reals(DType::F64, &[2], &[-1.0, 1.0]);
            (vec![reals(&[m, n], rng), range, ints(&[], &[3])], vec![])
        }
        "Ragged>BroadcastRows" => {
            let uniform = [false, true].map(AttrValue::Bool).to_vec();
            let rows = || longs(&[3], &[0, 1, 2]);
            let lengths = vec![longs(&[4], &[0, 2, 2, 5]), longs(&[1], &[1])];
            let inputs = lengths.into_iter().chain([rows(), rows()]).collect();
            (inputs, vec![("uniform", AttrValue::List(uniform.into()))])
        }
        "Ragged>ColumnsInRows" => {
            (vec![longs(&[4], &[0, 2, 2, 5]), longs(&[5], &[0, 1, 0, 1, 2])], vec![])
        }
        "Ragged>CutRows" => {
            let inputs = vec![longs(&[4], &[0, 2, 2, 5]), longs(&[], &[3]), longs(&[], &[4])];
            (inputs, vec![])
        }
        "Ragged>PlacesInRows" => {
            let inputs =
                vec![longs(&[4], &[0, 2, 2, 5]), longs(&[2], &[0, 2]), longs(&[2], &[1, 0])];
            (inputs, vec![])
        }
        "Ragged>RowReduce" => {
            let splits = splits(rng);
            let count = splits.last().copied().unwrap_or(0) as usize;
            let function = rng.pick(&["Sum", "Mean", "Max", "Min", "Prod"]);
            let values = reals(&[count], rng);
            let splits = longs(&[splits.len()], &splits);
            (vec![values, splits], vec![("function", text(function))])
        }
        "Ragged>RowRepeat" => (vec![reals(&[3], rng), longs(&[4], &[0, 2, 2, 5])], vec![]),
        "Ragged>RowScan" => {
            let flags = ["product", "exclusive", "reverse"];
            let attrs = flags.map(|name| (name, AttrValue::Bool(rng.below(2) == 0))).to_vec();
            (vec![reals(&[5], rng), longs(&[4], &[0, 2, 2, 5])], attrs)
        }
        "Ragged>SliceRows" => {
            let splits = splits(rng);
            let bound = |rng: &mut Rng| {
                AttrValue::List((0..rng.below(2)).map(|_| AttrValue::Int(1)).collect())
            };
            let attrs = vec![
                ("start", bound(rng)),
                ("stop", bound(rng)),
                ("step", AttrValue::Int(rng.pick(&[1, 2, -1]))),
            ];
            (vec![longs(&[splits.len()], &splits)], attrs)
        }
        "Ragged>SplitsOfIds" => (vec![longs(&[3], &[0, 0, 2]), longs(&[], &[4])], vec![]),
        "ParallelDynamicStitch" => (
            vec![ints(&[2], &[0, 2]), ints(&[1], &[1]), reals(&[2, n], rng), reals(&[1, n], rng)],
            vec![],
        ),
        "ReverseSequence" => {
            let lengths = filled(DType::I64, &[m], Style::Below(n), rng);
            let attrs = vec![("seq_dim", AttrValue::Int(1)), ("batch_dim", AttrValue::Int(0))];
            (vec![reals(&[m, n, 2], rng), lengths], attrs)
        }
        "StridedSliceGrad" => {
            let size = n as i64;
            let inputs = vec![
                longs(&[2], &[size, 4]),
                longs(&[2], &[0, 1]),
                longs(&[2], &[size, 3]),
                longs(&[2], &[1, 1]),
                reals(&[n, 2], rng),
            ];
            (inputs, vec![])
        }
        "MirrorPadGrad" => {
            let mode = text(rng.pick(&["REFLECT", "SYMMETRIC"]));
            (vec![reals(&[m + 4], rng), longs(&[1, 2], &[1, 1])], vec![("mode", mode)])
        }
        "RngReadAndSkip" => {
            let state = filled(DType::Resource, &[], Style::Zero, rng);
            let delta = integers(DType::U64, &[], &[rng.below(9) as i64]);
            (vec![state, ints(&[], &[1]), delta], vec![])
        }
        "StatelessRandomUniformFullInt" | "StatelessRandomUniformFullIntV2" => {
            let dtype = rng.pick(&[DType::I32, DType::I64, DType::U32, DType::U64]);
            let mut inputs = vec![ints(&[2], &[m as i64, n as i64])];
            if defs::name(op).ends_with("V2") {
                inputs.push(integers(DType::U64, &[1], &[1]));
                inputs.push(integers(DType::U64, &[2], &[0, 1]));
                inputs.push(ints(&[], &[1]));
            } else {
                inputs.push(longs(&[2], &[1, 2]));
            }
            (inputs, vec![("dtype", AttrValue::Type(dtype))])
        }
        name if name.starts_with("TensorList") && name != "TensorListReserve" => {
            let attrs = vec![
                ("element_dtype", AttrValue::Type(DType::F64)),
                ("shape_type", AttrValue::Type(DType::I32)),
            ];
            (list_inputs(name, (n, m), rng)?, attrs)
        }
        "Extype>BoxRows" => {
            let sizes = longs(&[3], &[1, 0, n as i64 - 1]);
            (vec![reals(&[n, m], rng), sizes], vec![("T", AttrValue::Type(DType::F64))])
        }
        "Extype>UnboxRows" => {
            let rows = Boxes::one(Tensor::from(reals(&[n, m], rng)?)).ok()?;
            let both = Boxes::stack(&[rows.clone(), rows]).and_then(|b| b.to_variants()).ok()?;
            let shape = AttrValue::Shape(Box::new(shape![?, m]));
            let attrs = vec![("dtype", AttrValue::Type(DType::F64)), ("shape", shape)];
            (vec![both.value().ok().cloned()], attrs)
        }
        "PartitionedCall" | "Host>Function" | "Extype>Recompute" => {
            (vec![reals(&[m, n], rng)], vec![("f", doubling().ok()?)])
        }
        "Extype>CustomGradient" => {
            let attrs = vec![
                ("gradient", given().ok()?),
                ("name", AttrValue::Str(b"given"[..].into())),
                ("results", AttrValue::Int(1)),
                ("wrt", AttrValue::List([AttrValue::Int(1)].into())),
                ("outside", AttrValue::List([].into())),
            ];
            (vec![reals(&[m, n], rng), reals(&[m, n], rng)], attrs)
        }
        "StatelessIf" => {
            let inputs = vec![filled(DType::Bool, &[], Style::Zero, rng), reals(&[m, n], rng)];
            let branch = doubling().ok()?;
            (inputs, vec![("then_branch", branch.clone()), ("else_branch", branch)])
        }
        "StatelessCase" => {
            let branch = doubling().ok()?;
            let branches = AttrValue::List([branch.clone(), branch].into());
            (vec![ints(&[], &[1]), reals(&[m, n], rng)], vec![("branches", branches)])
        }
        "StatelessWhile" | "Extype>WhileSaving" => {
            let attrs = vec![("cond", below().ok()?), ("body", doubling().ok()?)];
            (vec![reals(&[m, n], rng)], attrs)
        }
        name @ ("UnicodeDecode"
        | "UnicodeDecodeWithOffsets"
        | "UnicodeTranscode"
        | "UnicodeEncode"
        | "StringNGrams") => {
            let strings = filled(DType::String, &[2], Style::Hostile, rng);
            let inputs = match name {
                "UnicodeEncode" => vec![ints(&[2], &[97, 0x1f600]), longs(&[3], &[0, 0, 2])],
                "StringNGrams" => vec![strings, longs(&[3], &[0, 1, 2])],
                _ => vec![strings],
            };
            let encoding =
                text(rng.pick(&["UTF-8", "UTF-16-LE", "UTF-16", "UTF-32-BE", "Shift_JIS"]));
            let attrs = vec![
                ("input_encoding", encoding),
                ("output_encoding", text(rng.pick(&["UTF-8", "UTF-16-BE", "UTF-32-BE"]))),
                ("separator", text("|")),
                ("left_pad", text("<")),
                ("right_pad", text(">")),
                ("ngram_widths", AttrValue::List([AttrValue::Int(2), AttrValue::Int(1)].into())),
                ("pad_width", AttrValue::Int(rng.pick(&[-1, 0, 1, 3]))),
                ("preserve_short_sequences", AttrValue::Bool(rng.chance(50))),
            ];
            (inputs, attrs)
        }
        "DecodeCSV" => {
            let line = rng.pick(&["1,x", ",\"y,\"\"\"", "2,", "3,y", "1,2,3", "\"", "z,1"]);
            let lines = Array::from_strings([1], vec![line.as_bytes().to_vec()]).ok();
            (vec![lines, ints(&[], &[7]), filled(DType::String, &[1], Style::Zero, rng)], vec![])
        }
        "ParseTensor" => {
            let x = Tensor::from(reals(&[m, n], rng)?);
            let bytes = x.serialize_tensor().ok()?.value().ok()?.as_strings().ok()?[0].clone();
            let cut = bytes.len() - if rng.chance(50) { rng.below(bytes.len()) } else { 0 };
            let bytes = Array::from_strings([], vec![bytes[..cut].to_vec()]).ok();
            (vec![bytes], vec![("out_type", AttrValue::Type(DType::F64))])
        }
        "CompositeTensorVariantToComponents" => {
            let parts = [reals(&[m, n], rng)?, longs(&[2], &[1, 2])?];
            let dtypes = parts.iter().map(|p| AttrValue::Type(p.dtype())).collect();
            let shape = |p: &Array| AttrValue::Shape(Box::new(p.shape()));
            let shapes = parts.iter().map(shape).collect();
            let attrs = vec![
                ("metadata", text("packed")),
                ("Tcomponents", AttrValue::List(dtypes)),
                ("_output_shapes", AttrValue::List(shapes)),
            ];
            (vec![packed(&parts).ok()], attrs)
        }
        name @ ("AssignVariableOp"
        | "AssignAddVariableOp"
        | "AssignSubVariableOp"
        | "ReadVariableOp") => {
            // The variable holds int64 [3].
            let mut inputs = vec![filled(DType::Resource, &[], Style::Zero, rng)];
            if name != "ReadVariableOp" {
                inputs.push(longs(&[3], &[1, 2, 3]));
            }
            let shape = AttrValue::Shape(Box::new([3usize].into()));
            (inputs, vec![("dtype", AttrValue::Type(DType::I64)), ("_shape", shape)])
        }
        "VarIsInitializedOp" => (vec![filled(DType::Resource, &[], Style::Zero, rng)], Vec::new()),
        name if name.starts_with("ResourceScatter") => {
            let state = filled(DType::Resource, &[], Style::Zero, rng);
            let places: &[usize] = if name.contains("Nd") { &[2, 1] } else { &[2] };
            (vec![state, ints(places, &[2, 0]), longs(&[2], &[5, 7])], Vec::new())
        }
        "SparseBincount" => {
            let inputs = vec![
                longs(&[3, 1], &[0, 2, 3]),
                ints(&[3], &[1, 0, 1]),
                longs(&[1], &[4]),
                ints(&[], &[2]),
                reals(&[rng.pick(&[0, 3])], rng),
            ];
            (inputs, vec![])
        }
        "SparseCountSparseOutput" => {
            let values = filled(DType::I32, &[3], Style::Below(4), rng);
            let indices = longs(&[3, 2], &[0, 0, 1, 0, 1, 1]);
            let flags = [("minlength", -1), ("maxlength", -1)];
            let attrs = flags.map(|(name, n)| (name, AttrValue::Int(n))).into_iter();
            let binary = ("binary_output", AttrValue::Bool(false));
            let inputs = vec![indices, values, longs(&[2], &[2, 2]), reals(&[0], rng)];
            (inputs, attrs.chain([binary]).collect())
        }
        "RaggedBincount" => {
            let values = filled(DType::I32, &[n], Style::Below(4), rng);
            let splits = longs(&[3], &[0, 1, n as i64]);
            (vec![splits, values, ints(&[], &[4]), reals(&[0], rng)], vec![])
        }
        "SparseMatMul" => {
            let mut singles =
                |dims: &[usize]| filled(DType::F32, dims, Style::Within(-2.0, 2.0), rng);
            (vec![singles(&[m, n]), singles(&[n, 2])], vec![])
        }
        "SparseSliceGrad" => {
            let (all, kept) = (longs(&[3, 2], &[0, 1, 1, 0, 2, 3]), longs(&[2, 2], &[0, 0, 1, 2]));
            (vec![reals(&[2], rng), all, longs(&[2], &[0, 1]), kept], vec![])
        }
        "DenseToSparseSetOperation" => {
            let inputs = vec![
                filled(DType::I32, &[3, n], Style::Below(4), rng),
                longs(&[3, 2], &[0, 0, 1, 0, 1, 1]),
                filled(DType::I32, &[3], Style::Below(4), rng),
                longs(&[2], &[3, 2]),
            ];
            (inputs, vec![])
        }
        "SparseToSparseSetOperation" => {
            let mut set = || {
                let values = filled(DType::I32, &[3], Style::Below(4), rng);
                [longs(&[3, 2], &[0, 0, 1, 0, 1, 1]), values, longs(&[2], &[3, 2])]
            };
            (set().into_iter().chain(set()).collect(), vec![])
        }
        "Extype>UnicodeNormalize" => {
            let texts = filled(DType::String, &[n], Style::Hostile, rng);
            (vec![texts], vec![("form", AttrValue::Str(b"NFKC".as_slice().into()))])
        }
        "StatefulRandomBinomial" => {
            let state = filled(DType::Resource, &[], Style::Zero, rng);
            let counts = filled(DType::F64, &[m], Style::Below(40), rng);
            let probs = filled(DType::F64, &[m], Style::Within(0.1, 0.9), rng);
            (vec![state, longs(&[], &[1]), ints(&[2], &[2, m as i64]), counts, probs], vec![])
        }
        "DenseToCSRSparseMatrix" => {
            (vec![reals(&[3, 4], rng), longs(&[2, 2], &[0, 1, 2, 3])], vec![])
        }
        name @ ("CSRSparseMatrixComponents"
        | "CSRSparseMatrixToDense"
        | "CSRSparseMatrixToSparseTensor"
        | "SparseMatrixSparseMatMul") => {
            let inputs = match name {
                "CSRSparseMatrixComponents" => vec![matrix().ok(), ints(&[], &[0])],
                "SparseMatrixSparseMatMul" => vec![matrix().ok(), matrix().ok()],
                _ => vec![matrix().ok()],
            };
            let turned = AttrValue::Bool(true);
            (inputs, vec![("type", AttrValue::Type(DType::F64)), ("transpose_b", turned)])
        }
        name => super::images::recipe(name, rng)
            .or_else(|| super::windows::recipe(name, rng))
            .or_else(|| super::learning::recipe(name, rng))
            .or_else(|| super::quantized::recipe(name, rng))
            .or_else(|| super::numerics::recipe(name, rng))
            .or_else(|| super::resources::recipe(name, rng))?,
    };
    let inputs: Option<Vec<Array>> = inputs.into_iter().collect();
    let mut all = Vec::new();
    for a in defs::attributes(op) {
        let given = attrs.iter().find(|(name, _)| *name == a.name).map(|(_, v)| v.clone());
        all.extend(given.or(a.default).map(|value| (a.name, value)));
    }
    Some(Call { op, attrs: all, inputs: inputs? })
}
