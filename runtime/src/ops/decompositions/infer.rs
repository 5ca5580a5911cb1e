//! Output types of matrix factorizations.

use crate::ir::{InferContext, Types};
use crate::ops::rules::infer::one;
use crate::ops::{Eig, Lu, Qr, SelfAdjointEig, Svd};
use crate::types::{DType, Dim, Result, Shape, TensorType, bail};

/// The batch of input `i`, and the sizes of its matrices.
pub(super) fn matrices(c: &InferContext<'_>, i: usize) -> Result<(Shape, Dim, Dim)> {
    let shape = c.shape(i);
    match shape.dims() {
        None => Ok((Shape::unknown(), Dim::UNKNOWN, Dim::UNKNOWN)),
        Some([.., m, n]) => Ok((shape.slice(None, Some(-2)), *m, *n)),
        Some(_) => bail!("matrices have rank 2 or more, not {shape}"),
    }
}

/// The batch of input `i` and the size of its matrices, which must be square.
pub(super) fn squares(c: &InferContext<'_>, i: usize) -> Result<(Shape, Dim)> {
    let (batch, m, n) = matrices(c, i)?;
    match m.merge(n) {
        Some(n) => Ok((batch, n)),
        None => bail!("the matrices of shape {} are not square", c.shape(i)),
    }
}

pub(super) fn stacked(batch: &Shape, sizes: impl IntoIterator<Item = Dim>) -> Shape {
    batch.concatenate(&sizes.into_iter().collect())
}

fn several(dtype: DType, shapes: impl IntoIterator<Item = Shape>) -> Result<Types> {
    Ok(shapes.into_iter().map(|shape| TensorType::new(dtype, shape)).collect())
}

/// The shape of the empty tensor returned in place of vectors that are not computed.
fn nothing() -> Shape {
    [Dim::from(0)].into_iter().collect()
}

pub(in crate::ops) fn square(c: &InferContext<'_>) -> Result<Types> {
    let (batch, n) = squares(c, 0)?;
    one(c.input(0).dtype, stacked(&batch, [n, n]))
}

pub(in crate::ops) fn lu(c: &InferContext<'_>) -> Result<Types> {
    let (batch, n) = squares(c, 0)?;
    let index = c.get(Lu::OUTPUT_IDX_TYPE)?;
    if !matches!(index, DType::I32 | DType::I64) {
        bail!("`output_idx_type` is int32 or int64, not {index}");
    }
    let factors = TensorType::new(c.input(0).dtype, stacked(&batch, [n, n]));
    Ok([factors, TensorType::new(index, stacked(&batch, [n]))].into_iter().collect())
}

fn system(c: &InferContext<'_>, join: fn(&Shape, &Shape) -> Result<Shape>) -> Result<Types> {
    let ((batch, n), (front, rows, k)) = (squares(c, 0)?, matrices(c, 1)?);
    let Some(n) = n.merge(rows) else {
        bail!("a matrix of {n} rows for a right side of {rows}: {} and {}", c.shape(0), c.shape(1));
    };
    one(c.input(0).dtype, stacked(&join(&batch, &front)?, [n, k]))
}

pub(in crate::ops) fn solve(c: &InferContext<'_>) -> Result<Types> {
    system(c, Shape::merge)
}

pub(in crate::ops) fn triangular_solve(c: &InferContext<'_>) -> Result<Types> {
    system(c, Shape::broadcast)
}

pub(in crate::ops) fn determinant(c: &InferContext<'_>) -> Result<Types> {
    one(c.input(0).dtype, squares(c, 0)?.0)
}

pub(in crate::ops) fn log_determinant(c: &InferContext<'_>) -> Result<Types> {
    let batch = squares(c, 0)?.0;
    several(c.input(0).dtype, [batch.clone(), batch])
}

fn smaller(m: Dim, n: Dim) -> Dim {
    match (m.size(), n.size()) {
        (Some(m), Some(n)) => m.min(n).into(),
        (Some(0), _) | (_, Some(0)) => 0.into(),
        _ => Dim::UNKNOWN,
    }
}

pub(in crate::ops) fn qr(c: &InferContext<'_>) -> Result<Types> {
    let (batch, m, n) = matrices(c, 0)?;
    let k = if c.get(Qr::FULL_MATRICES)? { m } else { smaller(m, n) };
    several(c.input(0).dtype, [stacked(&batch, [m, k]), stacked(&batch, [k, n])])
}

pub(in crate::ops) fn svd(c: &InferContext<'_>) -> Result<Types> {
    let (batch, m, n) = matrices(c, 0)?;
    let k = smaller(m, n);
    let full = c.get(Svd::FULL_MATRICES)?;
    let vectors = |m: Dim| stacked(&batch, [m, if full { m } else { k }]);
    let [u, v] = match c.get(Svd::COMPUTE_UV)? {
        true => [vectors(m), vectors(n)],
        false => [nothing(), nothing()],
    };
    several(c.input(0).dtype, [stacked(&batch, [k]), u, v])
}

fn values_and_vectors(c: &InferContext<'_>, dtype: DType, vectors: bool) -> Result<Types> {
    let (batch, n) = squares(c, 0)?;
    let v = if vectors { stacked(&batch, [n, n]) } else { nothing() };
    several(dtype, [stacked(&batch, [n]), v])
}

pub(in crate::ops) fn eigh(c: &InferContext<'_>) -> Result<Types> {
    values_and_vectors(c, c.input(0).dtype, c.get(SelfAdjointEig::COMPUTE_V)?)
}

pub(in crate::ops) fn eig(c: &InferContext<'_>) -> Result<Types> {
    let (input, asked) = (c.input(0).dtype, c.get(Eig::TOUT)?);
    let dtype = input.to_complex();
    if asked != dtype {
        bail!("the eigenvalues of matrices of {input} are {dtype}, not {asked}");
    }
    values_and_vectors(c, dtype, c.get(Eig::COMPUTE_V)?)
}
