//! Gradients of orthogonal factors, singular values and eigenvalues.
//!
//! The rules are TensorFlow's (`linalg_grad.py`), written so that they also hold for sizes that are
//! unknown while tracing. Where values coincide, neither their vectors nor the gradients of those are
//! determined.

use super::gradient::solved;
use super::matrices::*;
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, conjugate, first, no_gradients};
use crate::ops::{self, Eig, Ellipsis, Integer, MatrixSolve, Op as _, Qr, SelfAdjointEig, Svd};
use crate::tensor::Tensor;
use crate::types::{Result, bail};

/// The cotangent of `y`, or zeros if there is none.
fn or_zeros(dy: &Option<Tensor>, y: &Tensor) -> Result<Tensor> {
    dy.as_ref().map_or_else(|| y.zeros_like(), |dy| Ok(dy.clone()))
}

/// The number of rows or columns of matrices, as a scalar.
fn size(x: &Tensor, axis: i64) -> Result<Integer> {
    if let Some(n) = x.shape().dims().and_then(|_| x.shape().dim(axis).ok()?.size()) {
        return Ok(n.into());
    }
    let sizes = ops::shape_of(x)?;
    sizes.index(axis).map(Integer::Tensor)
}

/// `x r⁻ᴴ` of upper triangular `r`.
fn over_adjoint(x: &Tensor, r: &Tensor) -> Result<Tensor> {
    adjoint(&solved(r, &adjoint(x)?, false, false)?)
}

pub(in crate::ops) fn qr(g: &Gradient<'_>) -> Result<InputGradients> {
    let (a, q, r) = (g.x(0), &g.outputs[0], &g.outputs[1]);
    if g.cotangents.iter().all(Option::is_none) {
        return Ok(no_gradients(g));
    }
    if g.get(Qr::FULL_MATRICES)? {
        let sizes = a.shape();
        match sizes.dims() {
            Some([.., m, n]) if m.size().zip(n.size()).is_some_and(|(m, n)| m <= n) => {}
            _ => bail!(
                Unimplemented,
                "the gradient of all of the orthogonal factor of matrices {sizes} with more rows \
                 than columns, or of unknown sizes: its last columns are not determined; ask for \
                 the reduced factors"
            ),
        }
    }
    let (dq, dr) = (or_zeros(&g.cotangents[0], q)?, or_zeros(&g.cotangents[1], r)?);
    // Split the matrix into [x, y] and the upper factor into [u, v]. y and v have no columns unless the
    // matrix has more columns than rows.
    let k = size(r, -2)?;
    let front = |x: &Tensor| x.index((Ellipsis, ..k.clone()));
    let back = |x: &Tensor| x.index((Ellipsis, k.clone()..));
    let (y, u, du, dv) = (back(a)?, front(r)?, front(&dr)?, back(&dr)?);
    let of_x = square_or_deep(q, &u, &ops::add(&dq, product_adjoint(&y, &dv)?)?, &du)?;
    Ok(first(g, ops::concat(&[&of_x, &product(q, &dv)?], -1)?))
}

fn square_or_deep(q: &Tensor, r: &Tensor, dq: &Tensor, dr: &Tensor) -> Result<Tensor> {
    let qdq = adjoint_product(q, dq)?;
    let rdr = product_adjoint(r, dr)?;
    let skew = |x: &Tensor| ops::sub(x, adjoint(x)?);
    let below = lower(&ops::add(skew(&qdq)?, skew(&rdr)?)?)?;
    let within = product(q, &ops::add(dr, over_adjoint(&below, r)?)?)?;
    let beside = over_adjoint(&ops::sub(dq, product(q, &qdq)?)?, r)?;
    let whole = ops::add(&within, &beside)?;
    if !q.dtype().is_complex() {
        return Ok(whole);
    }
    let m = diagonal_of(&ops::sub(&rdr, adjoint(&qdq)?)?)?;
    let imaginary = ops::sub(&m, real_part(&m)?)?;
    let correction = product(q, &adjoint(&diagonal(&imaginary)?)?)?;
    ops::add(&whole, over_adjoint(&correction, r)?)
}

/// The real parts, as numbers of the same dtype.
fn real_part(x: &Tensor) -> Result<Tensor> {
    Ok(ops::add(x, conjugate(x)?)? * 0.5)
}

/// `1 / (x_j - x_i)` at `(i, j)`, and zero on the diagonal.
fn inverse_gaps(x: &Tensor) -> Result<Tensor> {
    let gaps = ops::sub(row(x)?, column(x)?)?;
    with_diagonal(&safe_reciprocal(&gaps)?, &x.zeros_like()?)
}

pub(in crate::ops) fn svd(g: &Gradient<'_>) -> Result<InputGradients> {
    let a = g.x(0);
    if g.cotangents.iter().all(Option::is_none) {
        return Ok(no_gradients(g));
    }
    let of_values = g.cotangents[0].as_ref().map(diagonal).transpose()?;
    if !g.get(Svd::COMPUTE_UV)? {
        let Some(of_values) = of_values else { return Ok(no_gradients(g)) };
        let (_, u, v): (Tensor, Tensor, Tensor) =
            Svd { compute_uv: true, full_matrices: false }.run_as(&[a])?;
        return Ok(first(g, product(&u, &product_adjoint(&of_values, &v)?)?));
    }
    let [s, u, v] = [&g.outputs[0], &g.outputs[1], &g.outputs[2]];
    let vectors = [(u, &g.cotangents[1], 0), (v, &g.cotangents[2], 1)];
    let full = g.get(Svd::FULL_MATRICES)?;
    if full {
        let sizes = a.shape();
        match sizes.dims() {
            Some([.., m, n]) if m.size().zip(n.size()).is_some_and(|(m, n)| m.abs_diff(n) <= 1) => {
            }
            _ => bail!(
                Unimplemented,
                "the gradient of all singular vectors of matrices {sizes}: those beyond the \
                 values are not determined, unless there is one; ask for the thin ones"
            ),
        }
    }
    let k = size(s, -1)?;
    let front = |x: &Tensor| match full {
        true => x.index((Ellipsis, ..k.clone())),
        false => Ok(x.clone()),
    };
    let gaps = inverse_gaps(&s.square()?)?;
    let values = diagonal(s)?;
    let inverse = diagonal(&safe_reciprocal(s)?)?;
    let (u1, v1) = (front(u)?, front(v)?);
    // The changes of the vectors within the space that they span, and orthogonal to it.
    let mut within = vec![of_values];
    let mut beside = Vec::new();
    for (x, dx, side) in vectors {
        let Some(dx) = dx else { continue };
        let (x1, dx1) = (front(x)?, front(dx)?);
        let turn = adjoint_product(&x1, &dx1)?;
        let weighed = ops::mul(&gaps, &turn)?;
        let both = ops::add(&weighed, adjoint(&weighed)?)?;
        within.push(Some(match side {
            0 => product(&both, &values)?,
            _ => product(&values, &both)?,
        }));
        let mut rest = ops::sub(&dx1, product(&x1, &turn)?)?;
        if full {
            let (x2, dx2) = (x.index((Ellipsis, k.clone()..))?, dx.index((Ellipsis, k.clone()..))?);
            rest = ops::sub(&rest, product(&x2, &adjoint_product(&dx2, &x1)?)?)?;
        }
        beside.push(Some(match side {
            0 => product(&rest, &product_adjoint(&inverse, &v1)?)?,
            _ => product(&u1, &product_adjoint(&inverse, &rest)?)?,
        }));
        if side == 1 && a.dtype().is_complex() {
            // A correction for the phases of the vectors, which the decomposition chose.
            let phases = diagonal(&diagonal_of(&turn)?)?;
            let skew = ops::sub(adjoint(&phases)?, &phases)? * 0.5;
            beside.push(Some(product(&u1, &product(&inverse, &product_adjoint(&skew, &v1)?)?)?));
        }
    }
    let within =
        sum(within)?.map(|middle| product(&u1, &product_adjoint(&middle, &v1)?)).transpose()?;
    Ok([sum(std::iter::once(within).chain(beside))?].into_iter().collect())
}

pub(in crate::ops) fn eigh(g: &Gradient<'_>) -> Result<InputGradients> {
    let a = g.x(0);
    let of_values = g.cotangents[0].as_ref().map(diagonal).transpose()?;
    let computed = g.get(SelfAdjointEig::COMPUTE_V)?;
    let (v, of_vectors) = match (computed, &g.cotangents[1]) {
        (true, dv) => (g.outputs[1].clone(), dv.as_ref()),
        (false, _) => {
            let (_, v): (Tensor, Tensor) = SelfAdjointEig { compute_v: true }.run_as(&[a])?;
            (v, None)
        }
    };
    let turned =
        of_vectors.map(|dv| ops::mul(inverse_gaps(&g.outputs[0])?, adjoint_product(&v, dv)?));
    let Some(middle) = sum([of_values, turned.transpose()?])? else {
        return Ok(no_gradients(g));
    };
    let whole = product(&v, &product_adjoint(&middle, &v)?)?;
    // Only the lower triangle is read.
    Ok(first(g, lower_with_half_diagonal(&ops::add(&whole, adjoint(&whole)?)?)?))
}

pub(in crate::ops) fn eig(g: &Gradient<'_>) -> Result<InputGradients> {
    let a = g.x(0);
    let of_values = g.cotangents[0].as_ref().map(diagonal).transpose()?;
    let (v, of_vectors) = match (g.get(Eig::COMPUTE_V)?, &g.cotangents[1]) {
        (true, dv) => (g.outputs[1].clone(), dv.as_ref()),
        (false, _) => {
            let (_, v): (Tensor, Tensor) =
                Eig { compute_v: true, tout: a.dtype().to_complex() }.run_as(&[a])?;
            (v, None)
        }
    };
    let turned = |dv: &Tensor| -> Result<Tensor> {
        let turn = adjoint_product(&v, dv)?;
        let lengths = diagonal(&real_part(&diagonal_of(&turn)?)?)?;
        let free = ops::sub(&turn, product(&adjoint_product(&v, &v)?, &lengths)?)?;
        ops::mul(conjugate(&inverse_gaps(&g.outputs[0])?)?, free)
    };
    let Some(middle) = sum([of_values, of_vectors.map(turned).transpose()?])? else {
        return Ok(no_gradients(g));
    };
    let whole = MatrixSolve { adjoint: true }.run(&[&v, &product_adjoint(&middle, &v)?])?;
    // For a real matrix the imaginary parts cancel.
    Ok(first(g, if whole.dtype() == a.dtype() { whole } else { whole.cast(a.dtype())? }))
}
