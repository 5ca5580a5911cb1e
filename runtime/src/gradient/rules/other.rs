//! Matrix products, variables, and ops that no gradient passes.

use super::super::broadcast::sizes;
use super::{Gradient, InputGradients, no_gradients};
use crate::ops::{self, BatchMatMul, MatMul, Op};
use crate::tensor::Tensor;
use crate::types::Result;

fn product(x: &Tensor, y: &Tensor, transpose_a: bool, transpose_b: bool) -> Result<Tensor> {
    MatMul { transpose_a, transpose_b }.run(&[x, y])
}

crate::define_gradient!("MatMul", |g| {
    let (a, b, dy) = (super::conj(g.x(0))?, super::conj(g.x(1))?, g.dy()?);
    let (ta, tb) = (g.attrs.get("transpose_a")?, g.attrs.get("transpose_b")?);
    let (ga, gb) = match (ta, tb) {
        (false, false) => (product(dy, &b, false, true)?, product(&a, dy, true, false)?),
        (false, true) => (product(dy, &b, false, false)?, product(dy, &a, true, false)?),
        (true, false) => (product(&b, dy, false, true)?, product(&a, dy, false, false)?),
        (true, true) => (product(&b, dy, true, true)?, product(dy, &a, true, true)?),
    };
    Ok([Some(ga), Some(gb)].into_iter().collect())
});

fn products(x: &Tensor, y: &Tensor, adj_x: bool, adj_y: bool) -> Result<Tensor> {
    BatchMatMul { adj_x, adj_y }.run(&[x, y])
}

crate::define_gradient!("BatchMatMulV2", |g: &Gradient<'_>| -> Result<InputGradients> {
    let (x, y, dy) = (g.x(0), g.x(1), g.dy()?);
    let (ax, ay) = (g.attrs.get("adj_x")?, g.attrs.get("adj_y")?);
    let (gx, gy) = match (ax, ay) {
        (false, false) => (products(dy, y, false, true)?, products(x, dy, true, false)?),
        (false, true) => (products(dy, y, false, false)?, products(dy, x, true, false)?),
        (true, false) => (products(y, dy, false, true)?, products(x, dy, false, false)?),
        (true, true) => (products(y, dy, true, true)?, products(dy, x, true, true)?),
    };
    Ok([Some(sum_batches(gx, x)?), Some(sum_batches(gy, y)?)].into_iter().collect())
});

/// Sums the batch axes along which an operand was repeated.
fn sum_batches(g: Tensor, x: &Tensor) -> Result<Tensor> {
    if g.shape() == x.shape() && x.shape().is_fully_defined() {
        return Ok(g);
    }
    let (sx, sg) = (sizes(x)?.to_tensor(), sizes(&g)?.to_tensor());
    let op = ops::BroadcastGradientArgs {};
    let axes = crate::tensor::execute(op.def(), op.attrs(), &[&sx, &sg])?;
    // The matrix axes agree, so only batch axes (and axes of size 1, a sum of one) are summed.
    g.reduce_sum(&axes[0], false)?.reshape(sizes(x)?)
}

crate::define_gradient!("ReadVariableOp", |g| Ok([Some(g.dy()?.clone())].into_iter().collect()));

no_gradients!(
    "Shape",
    "Size",
    "Rank",
    "Range",
    "StringFormat",
    "PrintV2",
    "NoOp",
    "BroadcastGradientArgs",
    "AssignVariableOp",
    "AssignAddVariableOp",
    "AssignSubVariableOp",
);
