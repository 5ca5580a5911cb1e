//! Reductions that are made of several ops.

use extype::ops;
use extype::prelude::{Axes, KeepDims};
use extype::{DType, Result, Tensor};

use super::{Params, Row, one, row};

/// The rows.
pub(super) const ROWS: &[Row] = &[
    row("tf.math.reduce_sum", |p, x| one(x[0].reduce_sum(p.axes("axis"), keep(p)))),
    row("tf.math.reduce_mean", |p, x| one(x[0].reduce_mean(p.axes("axis"), keep(p)))),
    row("tf.math.reduce_max", |p, x| one(x[0].reduce_max(p.axes("axis"), keep(p)))),
    row("tf.math.reduce_min", |p, x| one(x[0].reduce_min(p.axes("axis"), keep(p)))),
    row("tf.math.reduce_variance", |p, x| one(variance(&x[0], &p.axes("axis"), keep(p)))),
    row("tf.math.reduce_std", |p, x| one(variance(&x[0], &p.axes("axis"), keep(p))?.sqrt())),
    row("tf.math.reduce_logsumexp", |p, x| one(logsumexp(&x[0], &p.axes("axis"), keep(p)))),
    row("tf.math.count_nonzero", |p, x| one(count_nonzero(p, &x[0]))),
    row("tf.math.zero_fraction", |_, x| one(zero_fraction(&x[0]))),
    row("tf.nn.moments", moments),
    row("tf.math.l2_normalize", |p, x| one(l2_normalize(p, &x[0]))),
    row("tf.linalg.normalize", normalize),
    Row { name: "tf.norm", function: |p, x| one(norm(p, &x[0])), accepts: is_vector_norm },
];

fn keep(p: &Params) -> bool {
    p.flag("keepdims")
}

/// The mean of the squared distances to the mean.
fn variance(x: &Tensor, axes: &Axes, keep: bool) -> Result<Tensor> {
    let mean = x.reduce_mean(axes, KeepDims)?;
    x.squared_difference(&mean)?.reduce_mean(axes, keep)
}

/// The logarithm of the sum of exponentials, safe against overflow.
///
/// # Errors
/// What an op fails with.
pub(in crate::conformance) fn logsumexp(x: &Tensor, axes: &Axes, keep: bool) -> Result<Tensor> {
    let largest = x.reduce_max(axes, KeepDims)?;
    let shift = ops::select(largest.is_finite()?, &largest, 0.0)?.stop_gradient()?;
    let sum = (x - &shift).exp()?.reduce_sum(axes, keep)?;
    let shift = shift.reshape(ops::shape_of(&sum)?)?;
    ops::add(sum.log()?, shift)
}

fn count_nonzero(p: &Params, x: &Tensor) -> Result<Tensor> {
    let zero = x.zeros_like()?;
    x.not_equal(&zero)?.cast(DType::I64)?.reduce_sum(p.axes("axis"), keep(p))
}

fn zero_fraction(x: &Tensor) -> Result<Tensor> {
    x.equal(0.0)?.cast(DType::F32)?.reduce_mean(.., false)
}

fn moments(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    let (axes, keep) = (p.axes("axes"), keep(p));
    Ok(vec![x[0].reduce_mean(&axes, keep)?, variance(&x[0], &axes, keep)?])
}

fn l2_normalize(p: &Params, x: &Tensor) -> Result<Tensor> {
    let squares = x.square()?.reduce_sum(p.axes("axis"), KeepDims)?;
    ops::mul(x, squares.maximum(1e-12)?.rsqrt()?)
}

fn normalize(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    let norm = x[0].square()?.reduce_sum(p.axes("axis"), KeepDims)?.sqrt()?;
    Ok(vec![ops::div(&x[0], &norm)?, norm])
}

/// Matrix norms other than Frobenius are another thing.
fn is_vector_norm(p: &Params) -> bool {
    let euclidean = matches!(p.json("ord").as_str(), Some("euclidean" | "fro"));
    euclidean || p.json("ord").is_null() || !p.json("axis").is_array()
}

fn norm(p: &Params, x: &Tensor) -> Result<Tensor> {
    let (axes, keep) = (p.axes("axis"), keep(p));
    let size = x.abs()?;
    if p.json("ord")["float"] == "inf" {
        return size.reduce_max(axes, keep);
    }
    match p.json("ord").as_f64() {
        Some(1.0) => size.reduce_sum(axes, keep),
        None | Some(2.0) => size.square()?.reduce_sum(axes, keep)?.sqrt(),
        Some(order) => size.pow(order)?.reduce_sum(axes, keep)?.pow(1.0 / order),
    }
}
