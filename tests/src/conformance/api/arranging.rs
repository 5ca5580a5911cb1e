//! Sorting, counting, grids, sequences, contractions.

use extype::ops::methods::*;
use extype::ops::options::{BatchShape, Columns};
use extype::ops::{self, BincountOptions, ContractedAxes, Direction, Indexing, Integer, Side};
use extype::{DType, Result, Tensor};

use super::{Params, Row, one, row};

/// The rows.
pub(super) const ROWS: &[Row] = &[
    row("tf.sort", |p, x| one(ops::sort(&x[0], (p.int("axis", -1), direction(p))))),
    row("tf.argsort", |p, x| one(ops::argsort(&x[0], (p.int("axis", -1), direction(p))))),
    row("tf.searchsorted", |p, x| {
        let side = if p.json("side") == "right" { Side::Right } else { Side::Left };
        one(ops::searchsorted(&x[0], &x[1], (side, p.dtype("out_type", DType::I32))))
    }),
    row("tf.eye", eye),
    row("tf.linspace", |p, x| {
        one(ops::linspace_with(&x[0], &x[1], p.int("num", 50), p.int("axis", 0)))
    }),
    row("tf.meshgrid", |p, x| {
        let ij = p.json("indexing") == "ij";
        let vectors: Vec<&Tensor> = x.iter().collect();
        ops::meshgrid(&vectors, if ij { Indexing::Ij } else { Indexing::Xy })
    }),
    row("tf.repeat", |p, x| one(ops::repeat(&x[0], &x[1], p.json("axis").as_i64()))),
    row("tf.sequence_mask", |p, x| {
        let maxlen = p.json("maxlen").as_i64().map(Integer::from);
        one(ops::sequence_mask(&x[0], maxlen, p.dtype("dtype", DType::Bool)))
    }),
    row("tf.unravel_index", |_, x| one(x[0].unravel_index(&x[1]))),
    row("tf.math.invert_permutation", |_, x| one(x[0].invert_permutation())),
    row("tf.math.bincount", bincount),
    row("tf.math.confusion_matrix", |p, x| {
        let classes = p.json("num_classes").as_i64().map(Integer::from);
        let dtype = p.dtype("dtype", DType::I32);
        one(ops::confusion_matrix(&x[0], &x[1], classes, x.get(2), dtype))
    }),
    row("tf.einsum", |p, x| one(ops::einsum(p.json("equation").as_str().unwrap_or_default(), x))),
    row("tf.tensordot", |p, x| one(ops::tensordot(&x[0], &x[1], contracted(p)))),
    row("tf.linalg.matvec", |_, x| one(ops::matvec(&x[0], &x[1]))),
    row("tf.linalg.trace", |_, x| one(ops::trace(&x[0]))),
    row("tf.histogram_fixed_width", |p, x| {
        let dtype = p.dtype("dtype", DType::I32);
        one(x[0].histogram_fixed_width(&x[1], p.int("nbins", 100), dtype))
    }),
];

/// A number of axes, or a list of axes of each tensor.
fn contracted(p: &Params) -> ContractedAxes {
    let list = |json: &serde_json::Value| -> Vec<i64> {
        json.as_array().into_iter().flatten().filter_map(serde_json::Value::as_i64).collect()
    };
    match (p.json("axes"), p.json("axes").as_u64()) {
        (_, Some(n)) => ContractedAxes::Count(n as usize),
        (json, _) => ContractedAxes::Pairs(list(&json[0]), list(&json[1])),
    }
}

fn direction(p: &Params) -> Direction {
    if p.json("direction") == "DESCENDING" { Direction::Descending } else { Direction::Ascending }
}

fn eye(p: &Params, _: &[Tensor]) -> Result<Vec<Tensor>> {
    let size = |n: &serde_json::Value| n.as_u64().map(|n| n as usize);
    let batch: Vec<usize> =
        p.json("batch_shape").as_array().into_iter().flatten().filter_map(size).collect();
    let rows = size(p.json("num_rows")).unwrap_or(0);
    let columns = size(p.json("num_columns")).unwrap_or(rows);
    one(ops::eye(rows, (Columns(columns), BatchShape(batch), p.dtype("dtype", DType::F32))))
}

fn bincount(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    one(ops::bincount(
        &x[0],
        BincountOptions {
            weights: x.get(1).cloned(),
            minlength: p.json("minlength").as_i64(),
            maxlength: p.json("maxlength").as_i64(),
            dtype: p.dtype("dtype", DType::I32),
            per_row: p.json("axis").as_i64() == Some(-1),
            binary_output: p.flag("binary_output"),
        },
    ))
}
