//! `tf.nn`: activations, normalizations, losses.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

use extype::ops;
use extype::prelude::Axis;
use extype::{Result, Tensor};

use super::{Params, Row, one, row};

/// The rows.
pub(super) const ROWS: &[Row] = &[
    row("tf.nn.relu6", |_, x| one(x[0].relu6())),
    row("tf.nn.elu", |_, x| one(x[0].elu())),
    row("tf.nn.selu", |_, x| one(x[0].selu())),
    row("tf.nn.leaky_relu", |p, x| one(x[0].leaky_relu(p.float("alpha", 0.2) as f32))),
    row("tf.nn.silu", |p, x| one(silu(&x[0], p.float("beta", 1.0)))),
    row("tf.nn.gelu", |p, x| one(gelu(&x[0], p.flag("approximate")))),
    row("tf.nn.crelu", |_, x| one(ops::concat(&[x[0].relu()?, (-&x[0]).relu()?], Axis(-1)))),
    row("tf.nn.softmax", |p, x| one(ops::softmax_along(&x[0], p.int("axis", -1)))),
    row("tf.nn.log_softmax", |p, x| one(ops::log_softmax_along(&x[0], p.int("axis", -1)))),
    row("tf.nn.sigmoid_cross_entropy_with_logits", |_, x| {
        one(ops::sigmoid_cross_entropy_with_logits(&x[0], &x[1]))
    }),
    row("tf.nn.weighted_cross_entropy_with_logits", |p, x| {
        let weight = p.float("pos_weight", 1.0);
        one(ops::weighted_cross_entropy_with_logits(&x[0], &x[1], weight))
    }),
    row("tf.nn.softmax_cross_entropy_with_logits", |_, x| {
        one(ops::softmax_cross_entropy_with_logits(&x[0], &x[1]))
    }),
    row("tf.nn.sparse_softmax_cross_entropy_with_logits", |_, x| {
        one(ops::sparse_softmax_cross_entropy_with_logits(&x[0], &x[1]))
    }),
    row("tf.nn.batch_normalization", batch_normalization),
    Row {
        name: "tf.nn.embedding_lookup",
        function: |_, x| one(ops::gather(&x[0], &x[1], 0)),
        accepts: |p| p.json("max_norm").is_null(),
    },
];

/// A Python number that TensorFlow makes a float32 tensor of before it casts it.
fn through_f32(x: f64) -> f64 {
    f64::from(x as f32)
}

fn silu(x: &Tensor, beta: f64) -> Result<Tensor> {
    Ok(x * (x * through_f32(beta)).sigmoid()?)
}

fn gelu(x: &Tensor, approximate: bool) -> Result<Tensor> {
    if approximate {
        let inner = (x + x.pow(3.0)? * through_f32(0.044715)) * FRAC_2_PI.sqrt();
        return Ok(x * 0.5 * (inner.tanh()? + 1.0));
    }
    Ok(x * 0.5 * (-x * through_f32(FRAC_1_SQRT_2)).erfc()?)
}

fn batch_normalization(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    let [x, mean, variance, offset, scale] = x else {
        return Err(extype::Error::invalid("five inputs are wanted"));
    };
    let inverse = (variance + p.float("variance_epsilon", 0.0)).rsqrt()? * scale;
    Ok(vec![x * &inverse + (offset - mean * &inverse)])
}
