//! Sparse matrices in variants: TensorFlow's CSR ops. A variant holds coordinates in row-major order, from which the
//! pointers of the rows follow.

use std::collections::BTreeMap;

use extype_kernels::segment::Routes;
use num_complex::Complex64;

use super::coo::{Coo, Rows, picked, picked_both, vector};
use super::moves::put;
use crate::array::{Array, Boxed, Dims, Variant, collected, num_elements, vec_for};
use crate::ir::{InferContext, KernelContext, Outputs, Types, only};
use crate::ops::movement::kernel::transposed;
use crate::ops::ordering::kernel::{cast, indices};
use crate::ops::rules::infer::one;
use crate::ops::segment::kernel::{How, combined, weighted};
use crate::ops::{
    CSRSparseMatrixToDense, Conj, Mul, Op as _, SparseMatrixMatMul, SparseMatrixSparseMatMul,
    SparseMatrixTranspose,
};
use crate::types::{DType, Result, Shape, TensorType, bail, err};

/// A matrix, or a stack of them: sorted coordinates `[n, 2]` or `[n, 3]`, values, sizes.
struct Matrix {
    at: Array,
    values: Array,
    sizes: Array,
}

impl Boxed for Matrix {
    fn kind(&self) -> &'static str {
        "sparse matrix"
    }
}

impl Matrix {
    fn coo(&self) -> Result<Coo<'_>> {
        Coo::of(&self.at, &self.sizes)
    }

    /// How many matrices there are, and the sizes of each.
    fn extents(&self) -> Result<[usize; 3]> {
        Ok(match *self.coo()?.dims(DType::U8)? {
            [rows, columns] => [1, rows, columns],
            [batch, rows, columns] => [batch, rows, columns],
            _ => bail!("a matrix or a stack of them, not sizes {:?}", self.coo()?.sizes),
        })
    }

    /// The matrix, the row and the column of value `i`.
    fn place(coo: Coo<'_>, i: usize) -> [usize; 3] {
        match *coo.row(i) {
            [row, column] => [0, row as usize, column as usize],
            [batch, row, column] => [batch as usize, row as usize, column as usize],
            _ => [0; 3],
        }
    }

    fn boxed(self) -> Result<Outputs> {
        let coo = self.coo()?;
        self.extents()?;
        coo.within()?;
        Ok([Array::from_variants(Dims::new(), vec![Variant::new(self)])?].into())
    }

    /// Rows and columns exchanged, and the conjugate of the values if asked for.
    fn turned(&self, c: &KernelContext<'_>, conjugate: bool) -> Result<Self> {
        let rank = self.at.dims()[1];
        let exchange = |row: &[i64]| {
            let mut row = row.to_vec();
            row.swap(rank - 2, rank - 1);
            row
        };
        let coo = self.coo()?;
        let mut rows = Rows::new(coo.n, rank)?;
        coo.rows().for_each(|row| rows.push(exchange(row)));
        let (at, sizes) = (rows.done(coo.n)?, vector(&exchange(coo.sizes))?);
        let values = conjugated(self.values.clone(), conjugate)?;
        sorted(c, &at, &values, sizes)
    }
}

/// The conjugate if it is asked for; real numbers are their own.
fn conjugated(x: Array, conjugate: bool) -> Result<Array> {
    if conjugate && x.dtype().is_complex() { only(Conj::default().compute(&[&x])?) } else { Ok(x) }
}

/// A matrix of values whose coordinates may be in any order.
fn sorted(c: &KernelContext<'_>, at: &Array, values: &Array, sizes: Array) -> Result<Matrix> {
    let coo = Coo::of(at, &sizes)?;
    let mut both = picked_both(c, coo, values, &coo.order()?)?.into_iter();
    match (both.next(), both.next()) {
        (Some(at), Some(values)) => Ok(Matrix { at, values, sizes }),
        _ => Err(err!(Internal, "no coordinates and values")),
    }
}

/// The matrix at an input, of this dtype.
fn matrix<'a>(c: &KernelContext<'a>, i: usize, dtype: DType) -> Result<&'a Matrix> {
    let [variant] = c.input(i).as_variants()? else {
        bail!("a sparse matrix is a scalar, not of shape {}", c.input(i).shape());
    };
    let Some(matrix) = variant.downcast_ref::<Matrix>() else {
        bail!("a {} in place of a sparse matrix", variant.value().kind());
    };
    if matrix.values.dtype() != dtype {
        bail!("a sparse matrix of {} where one of {dtype} is told", matrix.values.dtype());
    }
    Ok(matrix)
}

fn told<'a>(c: &KernelContext<'a>, i: usize) -> Result<&'a Matrix> {
    matrix(c, i, c.get(CSRSparseMatrixToDense::DTYPE)?)
}

pub(in crate::ops) fn from_sparse(c: &KernelContext<'_>) -> Result<Outputs> {
    sorted(c, c.input(0), c.input(1), c.input(2).clone())?.boxed()
}

pub(in crate::ops) fn from_dense(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, at) = (c.input(0), c.input(1));
    let sizes: Vec<i64> = x.dims().iter().map(|n| *n as i64).collect();
    let sizes = vector(&sizes)?;
    let places = Coo::of(at, &sizes)?.places()?;
    let values = picked(c, &x.reshape([x.len()])?, &places)?;
    sorted(c, at, &values, sizes)?.boxed()
}

pub(in crate::ops) fn to_sparse(c: &KernelContext<'_>) -> Result<Outputs> {
    let Matrix { at, values, sizes } = told(c, 0)?;
    Ok([at.clone(), values.clone(), sizes.clone()].into_iter().collect())
}

pub(in crate::ops) fn to_dense(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = told(c, 0)?;
    let (coo, zero) = (x.coo()?, Array::zeros(x.values.dtype(), [1])?);
    Ok([put(c, coo.sizes, &coo.places()?, [&zero, &x.values])?].into())
}

pub(in crate::ops) fn nnz(c: &KernelContext<'_>) -> Result<Outputs> {
    let [variant] = c.input(0).as_variants()? else {
        bail!("a sparse matrix is a scalar, not of shape {}", c.input(0).shape());
    };
    let x = variant.downcast_ref::<Matrix>().ok_or_else(|| err!("no sparse matrix"))?;
    let ([batch, ..], coo) = (x.extents()?, x.coo()?);
    let mut counts: Vec<i64> = vec_for(batch)?;
    counts.resize(batch, 0);
    (0..coo.n).for_each(|i| counts[Matrix::place(coo, i)[0]] += 1);
    let dims = if coo.rank == 2 { Dims::new() } else { Dims::from_slice(&[batch]) };
    Ok([indices(dims, &counts, DType::I32)?].into())
}

pub(in crate::ops) fn components(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = told(c, 0)?;
    let ([batch, rows, _], coo) = (x.extents()?, x.coo()?);
    let index = usize::try_from(c.input(1).to_i64s()?[0]).unwrap_or(usize::MAX);
    if index >= batch {
        bail!("matrix {} of a stack of {batch}", c.input(1).to_i64s()?[0]);
    }
    let of: Vec<usize> = collected(0..coo.n)?;
    let of: Vec<usize> = of.into_iter().filter(|i| Matrix::place(coo, *i)[0] == index).collect();
    let mut pointers: Vec<i64> = vec_for(rows + 1)?;
    pointers.resize(rows + 1, 0);
    of.iter().for_each(|i| pointers[Matrix::place(coo, *i)[1] + 1] += 1);
    (1..=rows).for_each(|row| pointers[row] += pointers[row - 1]);
    let columns = collected(of.iter().map(|i| Matrix::place(coo, *i)[2] as i64))?;
    let values = picked(c, &x.values, &collected(of.iter().map(|i| *i as i64))?)?;
    Ok([
        indices([rows + 1], &pointers, DType::I32)?,
        indices([columns.len()], &columns, DType::I32)?,
        values,
    ]
    .into_iter()
    .collect())
}

pub(in crate::ops) fn transpose(c: &KernelContext<'_>) -> Result<Outputs> {
    told(c, 0)?.turned(c, c.get(SparseMatrixTranspose::CONJUGATE)?)?.boxed()
}

pub(in crate::ops) fn cholesky(c: &KernelContext<'_>) -> Result<Outputs> {
    let (a, permutation) = (told(c, 0)?, c.input(1));
    let (coo, [batch, n, columns]) = (a.coo()?, a.extents()?);
    if n != columns || permutation.dims() != &coo.dims(DType::U8)?[..coo.rank - 1] {
        bail!(
            "square matrices are wanted, and a row for each; not sizes {:?} and {}",
            coo.sizes,
            permutation.shape()
        );
    }
    let order = permutation.to_i64s()?;
    let wide = cast(&a.values, DType::Complex128)?;
    let values = wide.as_slice::<Complex64>()?;
    // The new row of each row, and the elements of the new rows, up to the diagonal.
    let mut new_row: Vec<usize> = vec_for(order.len())?;
    new_row.resize(order.len(), usize::MAX);
    for (i, row) in order.iter().enumerate() {
        let place = usize::try_from(*row).ok().filter(|row| *row < n);
        let slot =
            place.map(|row| &mut new_row[i / n * n + row]).filter(|slot| **slot == usize::MAX);
        *slot.ok_or_else(|| err!("{:?} is no permutation", &order[i / n * n..][..n]))? = i % n;
    }
    let mut rows: Vec<BTreeMap<usize, Complex64>> = vec_for(order.len())?;
    rows.resize(order.len(), BTreeMap::new());
    for (i, value) in values.iter().enumerate() {
        let [b, row, column] = Matrix::place(coo, i);
        let (row, column) = (new_row[b * n + row], new_row[b * n + column]);
        if column <= row {
            rows[b * n + row].insert(column, *value);
        }
    }
    let mut factor: Vec<(usize, usize, Complex64)> = Vec::new();
    for b in 0..batch {
        // The elements below the diagonal of each column so far.
        let mut below: Vec<Vec<(usize, Complex64)>> = vec_for(n)?;
        let mut diagonal: Vec<f64> = vec_for(n)?;
        for i in 0..n {
            let mut row = std::mem::take(&mut rows[b * n + i]);
            let mut rest = row.remove(&i).unwrap_or_default().re;
            while let Some((j, x)) = row.pop_first() {
                let x = x / diagonal[j];
                for (k, y) in &below[j] {
                    *row.entry(*k).or_default() -= x * y.conj();
                }
                rest -= x.norm_sqr();
                below[j].push((i, x));
                factor.push((b * n + i, j, x));
            }
            if rest.is_nan() || rest <= 0.0 {
                bail!(
                    "matrix {b} is not positive definite: its leading minor of order {} is not positive",
                    i + 1
                );
            }
            diagonal.push(rest.sqrt());
            below.push(Vec::new());
            factor.push((b * n + i, i, rest.sqrt().into()));
        }
    }
    let mut at = Rows::new(factor.len(), coo.rank)?;
    for (row, column, _) in &factor {
        let place = [row / n, row % n, *column].map(|i| i as i64);
        at.push(place[3 - coo.rank..].iter().copied());
    }
    let values = collected(factor.iter().map(|(_, _, x)| *x))?;
    let values = cast(&Array::from_slice([values.len()], &values)?, a.values.dtype())?;
    Matrix { at: at.done(factor.len())?, values, sizes: a.sizes.clone() }.boxed()
}

/// The last two axes of an array exchanged.
fn dense_turned(c: &KernelContext<'_>, x: &Array) -> Result<Array> {
    let mut order: Dims = (0..x.rank()).collect();
    order.swap(x.rank() - 2, x.rank() - 1);
    transposed(c, x, &order)
}

pub(in crate::ops) fn matmul(c: &KernelContext<'_>) -> Result<Outputs> {
    let op = |key| c.get(key);
    let a = matrix(c, 0, c.input(1).dtype())?;
    let (transpose, adjoint) =
        (op(SparseMatrixMatMul::TRANSPOSE_A)?, op(SparseMatrixMatMul::ADJOINT_A)?);
    let made = (transpose || adjoint).then(|| a.turned(c, adjoint)).transpose()?;
    let a = made.as_ref().unwrap_or(a);
    let (transpose, adjoint) =
        (op(SparseMatrixMatMul::TRANSPOSE_B)?, op(SparseMatrixMatMul::ADJOINT_B)?);
    let b = match transpose || adjoint {
        true => conjugated(dense_turned(c, c.input(1))?, adjoint)?,
        false => c.input(1).clone(),
    };
    let ([batch, rows, inner], coo) = (a.extents()?, a.coo()?);
    let dims = b.dims();
    let (front, [other, columns]) = match dims {
        [front @ .., other, columns] => (front, [*other, *columns]),
        _ => bail!("a dense matrix is wanted, not shape {}", b.shape()),
    };
    if other != inner || front.iter().product::<usize>() != batch || coo.rank != b.rank() {
        bail!("a sparse matrix of sizes {:?} times a dense one of shape {}", coo.sizes, b.shape());
    }
    // The matrices of a stack stand below each other.
    let along = |of: fn([usize; 3]) -> [usize; 2], size: usize| {
        move |start: usize, out: &mut [i64]| {
            for (i, out) in out.iter_mut().enumerate() {
                let [batch, at] = of(Matrix::place(coo, start + i));
                *out = (batch * size + at) as i64;
            }
        }
    };
    let (from, to) = (
        along(|[batch, _, column]| [batch, column], inner),
        along(|[batch, row, _]| [batch, row], rows),
    );
    let routes = Routes { count: coo.n, from: Some(&from), to: &to, sorted: true };
    let dims: Dims = front.iter().copied().chain([rows, columns]).collect();
    let y = match num_elements(&dims, b.dtype().size().unwrap_or(1))? == 0 || b.is_empty() {
        true => Array::zeros(b.dtype(), &dims[..])?,
        false => {
            let stacked = b.reshape([batch * inner, columns])?;
            weighted(c, &stacked, routes, &[batch * rows, columns], &a.values)?
        }
    };
    let y = conjugated(y.reshape(dims)?, op(SparseMatrixMatMul::CONJUGATE_OUTPUT)?)?;
    Ok([if op(SparseMatrixMatMul::TRANSPOSE_OUTPUT)? { dense_turned(c, &y)? } else { y }].into())
}

pub(in crate::ops) fn sparse_matmul(c: &KernelContext<'_>) -> Result<Outputs> {
    let operand = |i: usize, turn: [_; 2]| -> Result<Matrix> {
        let x = told(c, i)?;
        let [transpose, adjoint] = [c.get(turn[0])?, c.get(turn[1])?];
        match transpose || adjoint {
            true => x.turned(c, adjoint),
            false => {
                let Matrix { at, values, sizes } = x;
                Ok(Matrix { at: at.clone(), values: values.clone(), sizes: sizes.clone() })
            }
        }
    };
    let a =
        operand(0, [SparseMatrixSparseMatMul::TRANSPOSE_A, SparseMatrixSparseMatMul::ADJOINT_A])?;
    let b =
        operand(1, [SparseMatrixSparseMatMul::TRANSPOSE_B, SparseMatrixSparseMatMul::ADJOINT_B])?;
    let ([batch, _, inner], [other, rows, _]) = (a.extents()?, b.extents()?);
    let (left, right) = (a.coo()?, b.coo()?);
    if batch != other || inner != rows || left.rank != right.rank {
        bail!(
            "sparse matrices of sizes {:?} and {:?} can't be multiplied",
            left.sizes,
            right.sizes
        );
    }
    // Each value of a row of `b`, of which the first is found by search, meets each value of its column of `a`.
    let mut pairs: Vec<([usize; 3], i64, i64)> = Vec::new();
    let all: Vec<usize> = collected(0..right.n)?;
    for i in 0..left.n {
        let [batch, row, column] = Matrix::place(left, i);
        let key = |j: usize| {
            let [batch, row, _] = Matrix::place(right, j);
            [batch, row]
        };
        let first = all.partition_point(|j| key(*j) < [batch, column]);
        let meeting = all[first..].iter().take_while(|j| key(**j) == [batch, column]);
        for j in meeting {
            crate::array::reserve(&mut pairs, 1)?;
            pairs.push(([batch, row, Matrix::place(right, *j)[2]], i as i64, *j as i64));
        }
    }
    pairs.sort_unstable();
    let mut at = Rows::new(pairs.len(), left.rank)?;
    let mut groups: Vec<i64> = vec_for(pairs.len())?;
    for (n, (place, ..)) in pairs.iter().enumerate() {
        let is_new = n == 0 || pairs[n - 1].0 != *place;
        if is_new {
            at.push(place[3 - left.rank..].iter().map(|at| *at as i64));
        }
        groups.push(groups.last().map_or(0, |group| group + i64::from(is_new)));
    }
    let n = groups.last().map_or(0, |group| *group as usize + 1);
    let of = |x: &Array, numbers: Vec<i64>| picked(c, x, &numbers);
    let products = only(Mul::default().compute(&[
        &of(&a.values, collected(pairs.iter().map(|(_, i, _)| *i))?)?,
        &of(&b.values, collected(pairs.iter().map(|(.., j)| *j))?)?,
    ])?)?;
    let routes = Routes {
        count: pairs.len(),
        from: None,
        to: &|start, out| out.copy_from_slice(&groups[start..][..out.len()]),
        sorted: true,
    };
    let values = combined(c, &products, routes, &[n], How::Sum)?;
    let mut sizes = left.sizes.to_vec();
    sizes[left.rank - 1] = right.sizes[left.rank - 1];
    Matrix { at: at.done(n)?, values, sizes: vector(&sizes)? }.boxed()
}

/// The result is a sparse matrix.
pub(in crate::ops) fn is_matrix(c: &InferContext<'_>) -> Result<Types> {
    for input in c.inputs.iter().filter(|input| input.dtype == DType::Variant) {
        input.shape.with_rank(0)?;
    }
    one(DType::Variant, Shape::scalar())
}

pub(in crate::ops) fn of_sparse(c: &InferContext<'_>) -> Result<Types> {
    super::infer::reorder(c)?;
    is_matrix(c)
}

pub(in crate::ops) fn of_dense(c: &InferContext<'_>) -> Result<Types> {
    let (x, at) =
        (c.shape(0).with_rank_at_least(2)?.with_rank_at_most(3)?, c.shape(1).with_rank(2)?);
    if let Some((rank, columns)) = x.rank().zip(at.dim(1)?.size())
        && rank != columns
    {
        bail!("indices of shape {at} into a tensor of rank {rank}");
    }
    is_matrix(c)
}

/// What is in a sparse matrix: tensors of these dtypes and ranks.
fn inside(c: &InferContext<'_>, parts: &[(DType, Option<usize>)]) -> Result<Types> {
    is_matrix(c)?;
    let shape = |rank: &Option<usize>| rank.map_or(Shape::unknown(), Shape::of_rank);
    Ok(parts.iter().map(|(dtype, rank)| TensorType::new(*dtype, shape(rank))).collect())
}

pub(in crate::ops) fn as_sparse(c: &InferContext<'_>) -> Result<Types> {
    let dtype = c.get(CSRSparseMatrixToDense::DTYPE)?;
    inside(c, &[(DType::I64, Some(2)), (dtype, Some(1)), (DType::I64, Some(1))])
}

pub(in crate::ops) fn as_dense(c: &InferContext<'_>) -> Result<Types> {
    inside(c, &[(c.get(CSRSparseMatrixToDense::DTYPE)?, None)])
}

pub(in crate::ops) fn as_components(c: &InferContext<'_>) -> Result<Types> {
    c.shape(1).with_rank(0)?;
    let dtype = c.get(CSRSparseMatrixToDense::DTYPE)?;
    inside(c, &[(DType::I32, Some(1)), (DType::I32, Some(1)), (dtype, Some(1))])
}

pub(in crate::ops) fn as_counts(c: &InferContext<'_>) -> Result<Types> {
    inside(c, &[(DType::I32, None)])
}

pub(in crate::ops) fn product(c: &InferContext<'_>) -> Result<Types> {
    let rank = c.shape(1).with_rank_at_least(2)?.with_rank_at_most(3)?.rank();
    c.shape(0).with_rank(0)?;
    one(c.input(1).dtype, rank.map_or(Shape::unknown(), Shape::of_rank))
}
