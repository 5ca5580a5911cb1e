//! Reductions that are made of several ops.

use extype::ops::methods::*;
use extype::ops::{self, NormOrder, Over};
use extype::{Result, Tensor};

use super::{Params, Row, one, row};

/// The rows.
pub(super) const ROWS: &[Row] = &[
    row("tf.math.reduce_sum", |p, x| one(x[0].reduce_sum(p.axes("axis"), keep(p)))),
    row("tf.math.reduce_mean", |p, x| one(x[0].reduce_mean(p.axes("axis"), keep(p)))),
    row("tf.math.reduce_max", |p, x| one(x[0].reduce_max(p.axes("axis"), keep(p)))),
    row("tf.math.reduce_min", |p, x| one(x[0].reduce_min(p.axes("axis"), keep(p)))),
    row("tf.math.reduce_prod", |p, x| one(x[0].reduce_prod(p.axes("axis"), keep(p)))),
    row("tf.math.reduce_variance", |p, x| {
        one(ops::reduce_variance(&x[0], p.axes("axis"), keep(p)))
    }),
    row("tf.math.reduce_std", |p, x| one(ops::reduce_std(&x[0], p.axes("axis"), keep(p)))),
    row("tf.math.reduce_logsumexp", |p, x| {
        one(ops::reduce_logsumexp(&x[0], p.axes("axis"), keep(p)))
    }),
    row("tf.math.count_nonzero", |p, x| {
        one(ops::count_nonzero(&x[0], Over { axes: p.axes("axis"), keep_dims: keep(p) }))
    }),
    row("tf.math.zero_fraction", |_, x| one(ops::zero_fraction(&x[0]))),
    row("tf.nn.moments", |p, x| two(ops::moments(&x[0], p.axes("axes"), keep(p)))),
    row("tf.math.l2_normalize", |p, x| {
        one(ops::l2_normalize(&x[0], p.axes("axis"), p.float("epsilon", 1e-12)))
    }),
    row("tf.linalg.normalize", |p, x| two(ops::normalize(&x[0], (order(p), p.axes("axis"))))),
    row("tf.norm", |p, x| {
        one(ops::norm(&x[0], (order(p), Over { axes: p.axes("axis"), keep_dims: keep(p) })))
    }),
];

fn keep(p: &Params) -> bool {
    p.flag("keepdims")
}

fn two(results: Result<(Tensor, Tensor)>) -> Result<Vec<Tensor>> {
    results.map(|(a, b)| vec![a, b])
}

fn order(p: &Params) -> NormOrder {
    let order = p.json("ord");
    match order["float"].as_str() {
        Some("inf") => NormOrder::P(f64::INFINITY),
        _ => order.as_f64().map_or(NormOrder::Euclidean, NormOrder::P),
    }
}
