//! `tf.nn`: activations, normalizations, losses.

use extype::ops;
use extype::ops::methods::*;
use extype::{Result, Tensor};

use super::{Params, Row, one, row};

/// The rows.
pub(super) const ROWS: &[Row] = &[
    row("tf.nn.relu6", |_, x| one(x[0].relu6())),
    row("tf.nn.elu", |_, x| one(x[0].elu())),
    row("tf.nn.selu", |_, x| one(x[0].selu())),
    row("tf.nn.leaky_relu", |p, x| one(x[0].leaky_relu(p.float("alpha", 0.2) as f32))),
    row("tf.nn.silu", |p, x| one(ops::silu(&x[0], p.float("beta", 1.0) as f32))),
    row("tf.nn.gelu", |p, x| one(ops::gelu(&x[0], p.flag("approximate")))),
    row("tf.nn.crelu", |p, x| one(ops::crelu(&x[0], p.int("axis", -1)))),
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
    row("tf.nn.embedding_lookup", |p, x| {
        let rows = ops::gather(&x[0], &x[1], 0)?;
        let Some(most) = p.json("max_norm").as_f64() else { return one(Ok(rows)) };
        let norms = rows.norm((ops::NormOrder::P(2.0), [-1], ops::KeepDims))?;
        one(ops::div(ops::mul(&rows, most)?, norms.maximum(most)?))
    }),
    row("tf.nn.local_response_normalization", |p, x| {
        let dtype = x[0].dtype();
        let y = ops::local_response_normalization(
            &x[0].cast(extype::DType::F32)?,
            p.int("depth_radius", 5),
            p.float("bias", 1.0) as f32,
            p.float("alpha", 1.0) as f32,
            p.float("beta", 0.5) as f32,
        )?;
        one(y.cast(dtype))
    }),
];

fn batch_normalization(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    let [x, mean, variance, offset, scale] = x else {
        return Err(extype::Error::invalid("five inputs are wanted"));
    };
    let inverse = (variance + p.float("variance_epsilon", 0.0)).rsqrt()? * scale;
    Ok(vec![x * &inverse + (offset - mean * &inverse)])
}
