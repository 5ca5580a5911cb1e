//! The named programs of `PROGRAMS.md`, written as a user of this library would write them.

use extype::ops::methods::*;
use extype::prelude::{Axis, KeepDims, Op as _};
use extype::{Result, Tensor};
use extype::{linalg, ops};

use super::Case;
use super::api::{Params, Row, one, prepared, row};
use super::modes::Computation;

/// The rows.
const ROWS: &[Row] = &[
    row("program.poly", |_, x| one(poly(&x[0]))),
    row("program.mlp", |_, x| one(mlp(x))),
    row("program.gather_repeated", |_, x| one(ops::gather(&x[0], &x[1], 0)?.square())),
    row("program.segment_softmax", |_, x| one(segment_softmax(&x[0], &x[1]))),
    row("program.stop_gradient_mix", |_, x| one(stop_gradient_mix(&x[0], &x[1]))),
    row("program.unconnected", |_, x| Ok(vec![&x[0] * 2.0])),
    row("program.int_path", |_, x| one(int_path(&x[0], &x[1], &x[2]))),
    row("program.logsumexp_rows", |_, x| one(ops::reduce_logsumexp(&x[0], 1, false))),
    row("program.where_safe", |_, x| one(where_safe(&x[0]))),
    row("program.where_nan_trap", |_, x| one(ops::select(x[0].greater(0.0)?, x[0].sqrt()?, 0.0))),
    row("program.jacobian_input", |_, x| one(jacobian_input(&x[0]))),
    row("program.layer_norm", layer_norm),
    row("program.attention", attention),
    row("program.cholesky_lower", |_, x| {
        one(ops::Cholesky { checked: false }.run(&[&x[0]])?.matrix_band_part(-1, 0))
    }),
    row("program.cholesky_logdet", |_, x| one(cholesky_logdet(&x[0]))),
    row("program.generator", super::api::generator),
    row("program.generator_binomial", super::api::generator),
    row("program.serialize_parse", super::api::serialize_parse),
];

/// `log |a aᵀ + 3|`, whose matrix is positive definite.
fn cholesky_logdet(a: &Tensor) -> Result<Tensor> {
    let square = a.matmul(a.matrix_transpose()?)?;
    let diagonal = square.matrix_diag_part(0, 0, Default::default())? + 3.0;
    linalg::logdet(square.matrix_set_diag(diagonal, 0, Default::default())?)
}

/// The program that a case asks for, and its inputs.
///
/// # Errors
/// With the name of what is unsupported.
pub fn computation(case: &Case, name: &str) -> Result<(Computation, Vec<Tensor>), String> {
    let row = ROWS
        .iter()
        .chain(super::control::ROWS)
        .chain(super::derived::ROWS)
        .chain(super::api::PROGRAMS.into_iter().flatten())
        .find(|r| r.name == name)
        .ok_or_else(|| name.to_owned())?;
    prepared(case, row, case.flat_inputs())
}

pub(super) fn poly(x: &Tensor) -> Result<Tensor> {
    Ok(x.pow(3.0)? - x.square()? * 2.0 + x * x.sin()?)
}

fn mlp(x: &[Tensor]) -> Result<Tensor> {
    let [x, w1, b1, w2, b2] = x else {
        return Err(extype::Error::invalid("five inputs are wanted"));
    };
    let hidden = (x.matmul(w1)? + b1).tanh()?;
    Ok(hidden.matmul(w2)? + b2)
}

fn segment_softmax(x: &Tensor, ids: &Tensor) -> Result<Tensor> {
    let e = x.exp()?;
    let sums = ops::unsorted_segment_sum(&e, ids, Tensor::scalar(4i32))?;
    ops::div(&e, ops::gather(&sums, ids, 0)?)
}

fn stop_gradient_mix(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    Ok(x * y.stop_gradient()? + x.stop_gradient()? * y)
}

fn int_path(x: &Tensor, y: &Tensor, k: &Tensor) -> Result<Tensor> {
    Ok(x.matmul(y)? * k.cast(x.dtype())?)
}

fn where_safe(x: &Tensor) -> Result<Tensor> {
    let positive = x.greater(0.0)?;
    let safe = ops::select(&positive, x, 1.0)?;
    ops::select(&positive, safe.sqrt()?, 0.0)
}

pub(super) fn jacobian_input(x: &Tensor) -> Result<Tensor> {
    let at = |i: i32| x.gather(&Tensor::scalar(i), 0);
    ops::stack(&[at(0)? * at(1)?, at(2)?.sin()?, at(0)? * at(2)?], 0)
}

fn layer_norm(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    let [x, gamma, beta] = x else {
        return Err(extype::Error::invalid("three inputs are wanted"));
    };
    let centered = x - x.reduce_mean(Axis(-1), KeepDims)?;
    let variance = centered.square()?.reduce_mean(Axis(-1), KeepDims)?;
    let scale = (variance + p.float("epsilon", 0.0)).rsqrt()?;
    Ok(vec![centered * scale * gamma + beta])
}

fn attention(_: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    let [q, k, v] = x else {
        return Err(extype::Error::invalid("three inputs are wanted"));
    };
    let scores = ops::batch_matmul(q, k.transpose([0, 2, 1])?)? / 2.0;
    one(ops::batch_matmul(ops::softmax(&scores)?, v))
}
