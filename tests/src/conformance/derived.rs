//! The named programs that are about gradients: of one's own, through ragged rows, Jacobians, Hessians.

use extype::ops::{self, step};
use extype::prelude::*;
use extype::{hessian, jacobian};
use extype_ragged::RaggedTensor;

use super::api::{Row, one, row};
use super::control::ragged;
use super::programs::{jacobian_input, poly};

/// The rows.
pub(super) const ROWS: &[Row] =
    &[
        row("program.custom_gradient_clip", |_, x| one(clipped(&x[0]))),
        row("program.custom_gradient_log1pexp", |_, x| one(log1pexp(&x[0]))),
        row("program.gather_nd_repeated", |_, x| one(x[0].gather_nd(&x[1])?.exp())),
        row("program.ragged_normalise", |_, x| one(normalised(&ragged(&x[..2])?, &x[2]))),
        row("program.ragged_to_dense_sum", |_, x| {
            let x = ragged(x)?;
            one(x.to_tensor(0, Shape::unknown())?.square()?.reduce_sum(0, false))
        }),
        row("program.sort_topk", |_, x| sort_topk(&x[0])),
        row("program.special_functions", |_, x| one(special_functions(&x[0], &x[1]))),
        row("program.strided_and_concat", |_, x| one(strided_and_concat(&x[0]))),
        row("program.jacobian.poly", |_, x| one(jacobian(poly)(&x[0])?.into_tensor())),
        row("program.jacobian.jacobian_input", |_, x| {
            one(jacobian(jacobian_input)(&x[0])?.into_tensor())
        }),
        row("program.jacobian.logsumexp_rows", |_, x| {
            one(jacobian(logsumexp_rows)(&x[0])?.into_tensor())
        }),
        row("program.hessian.poly", |_, x| one(hessian(poly)(&x[0])?.into_tensor())),
        row("program.hessian.jacobian_input", |_, x| {
            one(hessian(jacobian_input)(&x[0])?.into_tensor())
        }),
        row("program.hessian.logsumexp_rows", |_, x| {
            one(hessian(logsumexp_rows)(&x[0])?.into_tensor())
        }),
    ];

fn logsumexp_rows(x: &Tensor) -> Result<Tensor> {
    ops::reduce_logsumexp(x, 1, false)
}

/// Twice the operand, whose gradient is clipped where it comes back.
fn clipped(x: &Tensor) -> Result<Tensor> {
    let identity = custom_gradient(|x: &Tensor| {
        Ok((x.identity()?, |dy: &Tensor| ops::clip_by_value(dy, -0.25, 0.25)))
    });
    identity(&ops::mul(x, 2.0)?)
}

fn log1pexp(x: &Tensor) -> Result<Tensor> {
    custom_gradient(|x: &Tensor| {
        let e = x.exp()?;
        let y = e.log1p()?;
        let backward = move |dy: &Tensor| {
            let rest = ops::add(&e, 1.0)?.reciprocal()?;
            ops::mul(dy, &ops::sub(1.0, &rest)?)
        };
        Ok((y, backward))
    })(x)
}

/// The sums of squares of what is above or below the mean of its row.
fn normalised(x: &RaggedTensor, scale: &Tensor) -> Result<Tensor> {
    let rows = x.value_rowids()?;
    let lengths = x.row_lengths(1)?.into_tensor()?.cast(scale.dtype())?;
    let means = ops::div_no_nan(&x.row_sum()?, &lengths)?;
    let centered = ops::sub(&x.flat_values, &means.gather(&rows, 0)?)?;
    let squares = ops::mul(&centered, scale)?.square()?;
    x.with_flat_values(&squares)?.row_sum()
}

fn sort_topk(x: &Tensor) -> Result<Vec<Tensor>> {
    let sorted = ops::sort(x, ..)?;
    let (largest, _) = x.top_k(2)?;
    Ok(vec![ops::mul(&sorted, tensor![1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0].cast(x.dtype())?)?, largest])
}

fn special_functions(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    ops::add(&ops::add(&x.lgamma()?, &ops::mul(&y.digamma()?, &x.erf()?)?)?, &ops::pow(x, y)?)
}

fn strided_and_concat(x: &Tensor) -> Result<Tensor> {
    let parts = [x.index((step(.., -1), 1..3))?, x.index((.., step(.., 2)))?];
    ops::concat(&parts, 1)?.square()
}
