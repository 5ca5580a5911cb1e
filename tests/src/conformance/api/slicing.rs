//! Masks, flips and other views.

use extype::ops;
use extype::ops::methods::*;
use extype::{DType, Result, Tensor};
use serde_json::Value;

use super::{Params, Row, one, row};

/// The rows.
pub(super) const ROWS: &[Row] = &[
    row("tf.boolean_mask", |p, x| one(ops::boolean_mask(&x[0], &x[1], p.int("axis", 0)))),
    row("tf.image.flip_left_right", |_, x| one(ops::flip_left_right(&x[0]))),
    row("tf.image.flip_up_down", |_, x| one(ops::flip_up_down(&x[0]))),
    row("tf.raw_ops.Bitcast", |p, x| one(x[0].bitcast(p.dtype("T", DType::F32)))),
    row("tf.reverse", reverse),
];

fn reverse(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    let axes =
        p.json("axis").as_array().map(|a| a.iter().filter_map(Value::as_i64).collect::<Vec<i64>>());
    one(x[0].reverse(axes.unwrap_or_default()))
}
