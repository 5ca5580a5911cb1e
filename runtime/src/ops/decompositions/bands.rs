//! Systems of matrices that are given by their diagonals: triangular matrices with few diagonals, tridiagonal ones.
//!
//! The diagonals are rows of equal length, the highest first. The element of each in row `i` of the matrix stands at place
//! `i`; what would lie outside of the matrix is not read, and its gradient is zero.

use extype_kernels as k;
use extype_kernels::factor;

use super::FIELD;
use super::infer::{matrices, stacked};
use super::kernel::{Filled, Stack};
use super::matrices::product_adjoint;
use crate::define_op;
use crate::ir::{InferContext, KernelContext, Outputs, Types, typed};
use crate::ops::args::{DiagonalAlign, Diagonals, Integers};
use crate::ops::linear::gradient::sum_batches;
use crate::ops::linear::kernel::matrix_pairs;
use crate::ops::methods::*;
use crate::ops::rules::batch::{elementwise, leading};
use crate::ops::rules::gradient::{Gradient, InputGradients, conjugate};
use crate::ops::rules::infer::one;
use crate::ops::{self, Ellipsis, Op as _};
use crate::tensor::Tensor;
use crate::types::{DType, Dim, Result, bail, err};

define_op! {
    /// Solves `matrix x = rhs`, or `matrixᴴ x = rhs` if `adjoint`, for triangular matrices that are given by their diagonals.
    /// The main diagonal is the first of a `lower` triangle, the last of an upper one. The function for users is
    /// `extype::linalg::banded_triangular_solve`.
    ///
    /// TensorFlow: `BandedTriangularSolve`. Diagonals `[…, count, n]` and right sides `[…, n, k]`; batches broadcast. A zero
    /// on the main diagonal is an error, and so are tensors without elements.
    pub op BandedTriangularSolve = "BandedTriangularSolve" {
        inputs: { matrix: T, rhs: T }, outputs: { output: T },
        types: { T: FIELD }, attrs: { lower: bool = true, adjoint: bool = false },
        infer: infer_banded, kernel: banded,
        gradient: of_banded,
        batch: elementwise,
    }

    /// Solves systems of tridiagonal matrices, with rows exchanged for larger pivots if `partial_pivoting`. A zero among the
    /// pivots gives NaN. The function for users is `extype::linalg::tridiagonal_solve`.
    ///
    /// TensorFlow: `TridiagonalSolve`; `perturb_singular` is not supported. Diagonals `[…, 3, n]` and right sides
    /// `[…, n, k]`, of one batch.
    pub op TridiagonalSolve = "TridiagonalSolve" {
        inputs: { diagonals: T, rhs: T }, outputs: { output: T },
        types: { T: FIELD }, attrs: { partial_pivoting: bool = true, perturb_singular: bool = false },
        infer: infer_tridiagonal, kernel: tridiagonal,
        gradient: of_tridiagonal,
        batch: leading,
    }

    /// The products of tridiagonal matrices, given by three diagonals, and other matrices. The function for users is
    /// `extype::linalg::tridiagonal_matmul`.
    ///
    /// TensorFlow: `TridiagonalMatMul`. Three diagonals `[…, 1, n]`, the upper one first, and matrices `[…, n, k]`, of one batch.
    pub op TridiagonalMatMul = "TridiagonalMatMul" {
        inputs: { superdiag: T, maindiag: T, subdiag: T, rhs: T }, outputs: { output: T },
        types: { T: FIELD },
        dispatch: none,
        infer: infer_product, kernel: product,
        gradient: of_product,
        batch: leading,
    }
}

fn infer_banded(c: &InferContext<'_>) -> Result<Types> {
    let ((batch, count, n), (front, rows, k)) = (matrices(c, 0)?, matrices(c, 1)?);
    if [count, n, rows, k].contains(&Dim::from(0)) {
        bail!("tensors without elements: {} and {}", c.shape(0), c.shape(1));
    }
    let Some(n) = n.merge(rows) else {
        bail!(
            "diagonals of length {n} for a right side of {rows} rows: {} and {}",
            c.shape(0),
            c.shape(1)
        );
    };
    one(c.input(0).dtype, stacked(&batch.broadcast(&front)?, [n, k]))
}

fn banded(c: &KernelContext<'_>) -> Result<Outputs> {
    let form = (c.get(BandedTriangularSolve::LOWER)?, c.get(BandedTriangularSolve::ADJOINT)?);
    typed!(field, c, c.input(0).dtype(), T => {
        let (a, b) = (Stack::<T>::new(c.input(0))?, Stack::<T>::new(c.input(1))?);
        let (n, columns) = b.sizes;
        let Ok(plan) = k::broadcast::Broadcast::new(a.batch, b.batch) else {
            bail!("the batches {:?} and {:?} do not broadcast", a.batch, b.batch)
        };
        let dims = plan.out_shape().iter().copied().chain([n, columns]).collect();
        let mut out = Filled::<T>::new(dims)?;
        if !out.is_empty() {
            for (i, j) in matrix_pairs(a.batch, b.batch, &plan)? {
                factor::banded_solve(a.matrix(i), a.sizes, form, b.matrix(j), columns, &mut out.items)
                    .map_err(|found| a.singular(i, found))?;
            }
        }
        Ok([out.array()?].into())
    })
}

/// The batch of inputs, diagonals and a matrix with as many rows as they are long.
fn infer_tridiagonal(c: &InferContext<'_>) -> Result<Types> {
    if c.get(TridiagonalSolve::PERTURB_SINGULAR)? {
        bail!(Unimplemented, "`perturb_singular` is not supported");
    }
    fitting(c, 3, &[0])
}

fn infer_product(c: &InferContext<'_>) -> Result<Types> {
    fitting(c, 1, &[0, 1, 2])
}

/// The type of the last input, for so many diagonals in each of some inputs.
fn fitting(c: &InferContext<'_>, count: usize, diagonals: &[usize]) -> Result<Types> {
    let last = c.inputs.len() - 1;
    let (mut batch, mut n, columns) = matrices(c, last)?;
    for i in diagonals {
        let (front, found, length) = matrices(c, *i)?;
        if !found.is_compatible_with(Dim::from(count)) {
            bail!("{count} diagonals `[…, {count}, n]` are wanted, not shape {}", c.shape(*i));
        }
        batch = batch.merge(&front)?;
        n = n.merge(length).ok_or_else(|| {
            err!("diagonals of shape {} for a matrix of shape {}", c.shape(*i), c.shape(last))
        })?;
    }
    one(c.input(last).dtype, stacked(&batch, [n, columns]))
}

fn tridiagonal(c: &KernelContext<'_>) -> Result<Outputs> {
    let pivoting = c.get(TridiagonalSolve::PARTIAL_PIVOTING)?;
    typed!(field, c, c.input(0).dtype(), T => {
        let (a, b) = (Stack::<T>::new(c.input(0))?, Stack::<T>::new(c.input(1))?);
        let (n, columns) = b.sizes;
        let mut out = Filled::<T>::new(b.dims(&[n, columns]))?;
        for i in 0..if out.is_empty() { 0 } else { b.count } {
            factor::tridiagonal_solve(a.matrix(i), n, pivoting, b.matrix(i), columns, &mut out.items);
        }
        Ok([out.array()?].into())
    })
}

fn product(c: &KernelContext<'_>) -> Result<Outputs> {
    typed!(field, c, c.input(0).dtype(), T => {
        let stack = |i: usize| Stack::<T>::new(c.input(i));
        let (upper, main, lower, b) = (stack(0)?, stack(1)?, stack(2)?, stack(3)?);
        let (n, columns) = b.sizes;
        let mut out = Filled::<T>::new(b.dims(&[n, columns]))?;
        for i in 0..if out.is_empty() { 0 } else { b.count } {
            let diagonals = [upper.matrix(i), main.matrix(i), lower.matrix(i)];
            factor::tridiagonal_product(diagonals, b.matrix(i), columns, &mut out.items);
        }
        Ok([out.array()?].into())
    })
}

/// The slices `by` places further on along one of the last two axes, and zeros where there are none.
fn moved(x: &Tensor, axis: i64, by: i64) -> Result<Tensor> {
    let rank = x.rank().ok_or_else(|| err!(Unimplemented, "the rank is unknown"))?;
    let mut paddings = vec![[0, 0]; rank];
    paddings[(rank as i64 + axis) as usize] = [(-by).max(0), by.max(0)];
    let x = x.pad(paddings)?;
    match (axis, by) {
        (_, 0) => Ok(x),
        (-1, 0..) => x.index((Ellipsis, by..)),
        (-1, _) => x.index((Ellipsis, ..by)),
        (_, 0..) => x.index((Ellipsis, by.., ..)),
        _ => x.index((Ellipsis, ..by, ..)),
    }
}

/// The given diagonals of `-left rightᴴ`, each as a row.
fn diagonals_of(
    left: &Tensor,
    right: &Tensor,
    places: impl Iterator<Item = i64>,
) -> Result<Tensor> {
    let right = conjugate(right)?;
    let row = |by| ops::neg(ops::mul(left, &moved(&right, -2, by)?)?.reduce_sum(-1, false)?);
    let rows = places.map(row).collect::<Result<Vec<_>>>()?;
    ops::stack(&rows.iter().collect::<Vec<_>>(), -2)
}

/// As many diagonals of whole matrices as `a` has rows, zeros for those beyond the matrices.
fn unknown_number_of(a: &Tensor, whole: &Tensor, lower: bool) -> Result<Tensor> {
    let sizes = |x: &Tensor| ops::shape_of(x)?.cast(DType::I64);
    let whole_sizes = sizes(whole)?;
    let (batch, n) = (whole_sizes.index((..-2,))?, whole_sizes.index((-1..,))?);
    let count = sizes(a)?.index((-2..-1,))?;
    let inside = ops::minimum(&count, &n)?;
    let last = ops::sub(&inside, 1i64)?.cast(DType::I32)?;
    let (zero, last) = (last.zeros_like()?, if lower { ops::neg(&last)? } else { last });
    let range = if lower { [&last, &zero] } else { [&zero, &last] };
    let range = ops::concat(&range, 0)?;
    let zero = Tensor::scalar(0).cast(a.dtype())?;
    let packed =
        whole.matrix_diag_part(&zero, Diagonals::Tensor(range), DiagonalAlign::LeftRight)?;
    let sized = |count| Ok(Integers::Tensor(ops::concat(&[&batch, count, &n], 0)?));
    // A single diagonal has no axis for the number of diagonals.
    let packed = packed.reshape(sized(&inside)?)?;
    let beyond = ops::fill(sized(&ops::sub(&count, &inside)?)?, &zero)?;
    ops::concat(&if lower { [&packed, &beyond] } else { [&beyond, &packed] }, -2)
}

/// The upper and the lower diagonals of the adjoint of a tridiagonal matrix with these.
fn of_adjoint(upper: &Tensor, lower: &Tensor) -> Result<(Tensor, Tensor)> {
    Ok((conjugate(&moved(lower, -1, 1)?)?, conjugate(&moved(upper, -1, -1)?)?))
}

fn of_banded(g: &Gradient<'_>) -> Result<InputGradients> {
    let op: BandedTriangularSolve = g.op()?;
    let (lower, adjoint) = (op.lower, op.adjoint);
    let (a, b, x) = (g.x(0), g.x(1), g.y());
    let of_b = BandedTriangularSolve { lower, adjoint: !adjoint }.run(&[a, g.dy()?])?;
    let of_a = match g.wants(0) {
        true => {
            let (left, right) = if adjoint { (x, &of_b) } else { (&of_b, x) };
            let bands = match a.shape().dim(-2)?.size() {
                Some(count) => {
                    let highest = if lower { 0 } else { count as i64 - 1 };
                    diagonals_of(left, right, (0..count as i64).map(|d| highest - d))?
                }
                None => unknown_number_of(a, &ops::neg(product_adjoint(left, right)?)?, lower)?,
            };
            Some(sum_batches(bands, a)?)
        }
        false => None,
    };
    Ok([of_a, Some(sum_batches(of_b, b)?)].into_iter().collect())
}

fn of_tridiagonal(g: &Gradient<'_>) -> Result<InputGradients> {
    let a = g.x(0);
    let row = |i: i64| a.index((Ellipsis, i, ..));
    let (upper, lower) = of_adjoint(&row(0)?, &row(2)?)?;
    let adjoint = ops::stack(&[&upper, &conjugate(&row(1)?)?, &lower], -2)?;
    let of_b = g.op::<TridiagonalSolve>()?.run(&[&adjoint, g.dy()?])?;
    let of_a = diagonals_of(&of_b, g.y(), [1, 0, -1].into_iter())?;
    Ok([of_a, of_b].into_iter().map(Some).collect())
}

fn of_product(g: &Gradient<'_>) -> Result<InputGradients> {
    let dy = g.dy()?;
    let (upper, lower) = of_adjoint(g.x(0), g.x(2))?;
    let of_b = TridiagonalMatMul {}.run(&[&upper, &conjugate(g.x(1))?, &lower, dy])?;
    let minus = ops::neg(dy)?;
    let of = |by| diagonals_of(&minus, g.x(3), [by].into_iter());
    Ok([of(1)?, of(0)?, of(-1)?, of_b].into_iter().map(Some).collect())
}
