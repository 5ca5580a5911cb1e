//! Gradients of softmax, cross entropies and other losses.

use crate::ops;
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, sizes, sum_to};
use crate::ops::{Axis, KeepDims};
use crate::tensor::Tensor;
use crate::types::Result;

/// The logits, broadcast against the labels.
fn logits(g: &Gradient<'_>) -> Result<Tensor> {
    let (x, whole) = (g.x(0), &g.outputs[1]);
    if x.shape() == whole.shape() && x.shape().is_fully_defined() {
        return Ok(x.clone());
    }
    x.broadcast_to(sizes(whole)?)
}

/// The gradient of the broadcast [`logits`]: through the loss, and through its derivative, the second
/// output.
fn by_logits(g: &Gradient<'_>) -> Result<Option<Tensor>> {
    let (of_loss, of_derivative) = (&g.cotangents[0], &g.cotangents[1]);
    let through_loss = match of_loss {
        Some(dy) => Some(ops::mul(&dy.expand_dims(Axis(-1))?, &g.outputs[1])?),
        None => None,
    };
    let through_derivative = match of_derivative {
        Some(dy) => {
            let y = ops::softmax(&logits(g)?)?;
            let sum = ops::mul(dy, &y)?.reduce_sum(Axis(-1), KeepDims)?;
            Some(ops::mul(&ops::sub(dy, &sum)?, &y)?)
        }
        None => None,
    };
    match (through_loss, through_derivative) {
        (Some(a), Some(b)) => ops::add(&a, &b).map(Some),
        (a, b) => Ok(a.or(b)),
    }
}

pub(in crate::ops) fn softmax_cross_entropy(g: &Gradient<'_>) -> Result<InputGradients> {
    let whole = &g.outputs[1];
    let to_logits = match by_logits(g)? {
        Some(gradient) => sum_to(gradient, g.x(0), whole)?,
        None => None,
    };
    let to_labels = match &g.cotangents[0] {
        Some(dy) => {
            let log_softmax = ops::log_softmax(&logits(g)?)?;
            let gradient = ops::mul(&dy.expand_dims(Axis(-1))?, &ops::neg(&log_softmax)?)?;
            sum_to(gradient, g.x(1), whole)?
        }
        None => None,
    };
    Ok([to_logits, to_labels].into_iter().collect())
}

pub(in crate::ops) fn sparse_softmax_cross_entropy(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok([by_logits(g)?, None].into_iter().collect())
}

pub(in crate::ops) fn softmax(g: &Gradient<'_>) -> Result<Tensor> {
    let dy = g.dy()?;
    let y = g.y();
    let sum = ops::mul(dy, y)?.reduce_sum(Axis(-1), KeepDims)?;
    ops::mul(&ops::sub(dy, &sum)?, y)
}

pub(in crate::ops) fn log_softmax(g: &Gradient<'_>) -> Result<Tensor> {
    let dy = g.dy()?;
    let sum = dy.reduce_sum(Axis(-1), KeepDims)?;
    ops::sub(dy, &ops::mul(&g.y().exp()?, &sum)?)
}

pub(in crate::ops) fn l2_loss(g: &Gradient<'_>) -> Result<Tensor> {
    let dy = g.dy()?;
    ops::mul(g.x(0), dy)
}
