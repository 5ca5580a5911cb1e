//! Types of results: sparse tensors.

use crate::ir::{InferContext, Types};
use crate::ops::indexing::infer::vector;
use crate::ops::rules::infer::{asked_shape, count, one, shape_of, shape_of_length};
use crate::ops::{SparseMatMul, SparseReduceSum, SparseSplit, SparseTensorDenseMatMul};
use crate::types::{DType, Dim, Result, Shape, TensorType, bail, normalize_axis};

/// How many values a sparse tensor has, and its rank.
#[derive(Clone, Copy)]
struct Known {
    n: Dim,
    rank: Dim,
}

fn merged(a: Dim, b: Dim, what: &str) -> Result<Dim> {
    match a.merge(b) {
        Some(dim) => Ok(dim),
        None => bail!("{a} and {b} {what} of one sparse tensor"),
    }
}

/// Checks the indices, values and sizes at these inputs, which are of one sparse tensor.
fn coo(c: &InferContext<'_>, indices: usize, values: usize, sizes: usize) -> Result<Known> {
    let at = c.shape(indices).with_rank(2).map_err(|e| e.prefixed("indices"))?;
    let sizes = c.shape(sizes).with_rank(1).map_err(|e| e.prefixed("sizes"))?;
    let values = c.shape(values).with_rank(1).map_err(|e| e.prefixed("values"))?;
    Ok(Known {
        n: merged(at.dim(0)?, values.dim(0)?, "values")?,
        rank: merged(at.dim(1)?, sizes.dim(0)?, "sizes")?,
    })
}

/// The coordinates of `n` values.
fn indices(n: Dim, rank: Dim) -> TensorType {
    TensorType::new(DType::I64, [n, rank].into_iter().collect::<Shape>())
}

/// A sparse tensor of values of a dtype: indices, values, sizes.
fn sparse(dtype: DType, n: Dim, rank: Dim) -> Types {
    [indices(n, rank), TensorType::new(dtype, vector(n)), TensorType::new(DType::I64, vector(rank))]
        .into_iter()
        .collect()
}

fn values(c: &InferContext<'_>, i: usize, n: Dim) -> TensorType {
    TensorType::new(c.input(i).dtype, vector(n))
}

pub(in crate::ops) fn to_dense(c: &InferContext<'_>) -> Result<Types> {
    let at = c.shape(0).with_rank_at_most(2)?;
    let values = c.shape(2).with_rank_at_most(1)?;
    c.shape(3).with_rank(0)?;
    let n = if at.rank() == Some(0) { Dim::from(1) } else { at.dim(0)? };
    if values.rank() == Some(1) && values.dim(0)?.merge(n).is_none() {
        bail!("values of shape {values} for indices of shape {at}");
    }
    let sizes = c.shape(1).with_rank(1)?.dim(0)?;
    let rank = match at.rank() {
        Some(2) => at.dim(1)?,
        Some(_) => Dim::from(1),
        None => Dim::UNKNOWN,
    };
    merged(rank, sizes, "sizes")?;
    one(c.input(2).dtype, asked_shape(c, 1)?)
}

pub(in crate::ops) fn reorder(c: &InferContext<'_>) -> Result<Types> {
    let Known { n, rank } = coo(c, 0, 1, 2)?;
    Ok([indices(n, rank), values(c, 1, n)].into_iter().collect())
}

pub(in crate::ops) fn reshape(c: &InferContext<'_>) -> Result<Types> {
    let (at, sizes) = (c.shape(0).with_rank(2)?, c.shape(1).with_rank(1)?);
    merged(at.dim(1)?, sizes.dim(0)?, "sizes")?;
    let rank = c.shape(2).with_rank(1)?.dim(0)?;
    let sizes = TensorType::new(DType::I64, vector(rank));
    Ok([indices(at.dim(0)?, rank), sizes].into_iter().collect())
}

pub(in crate::ops) fn concat(c: &InferContext<'_>) -> Result<Types> {
    let n = c.inputs.len() / 3;
    if n == 0 || c.inputs.len() != 3 * n {
        bail!("as many lists of indices as of values and sizes are wanted, of one tensor at least");
    }
    let (mut total, mut rank) = (Some(0), Dim::UNKNOWN);
    for i in 0..n {
        let known =
            coo(c, i, n + i, 2 * n + i).map_err(|e| e.prefixed(format_args!("tensor {i}")))?;
        rank = merged(rank, known.rank, "ranks")?;
        total = total.zip(known.n.size()).and_then(|(a, b)| usize::checked_add(a, b));
    }
    Ok(sparse(c.input(n).dtype, Dim::from(total), rank))
}

pub(in crate::ops) fn slice(c: &InferContext<'_>) -> Result<Types> {
    let mut rank = coo(c, 0, 1, 2)?.rank;
    for i in [3, 4] {
        rank = merged(rank, c.shape(i).with_rank(1)?.dim(0)?, "sizes")?;
    }
    Ok(sparse(c.input(1).dtype, Dim::UNKNOWN, rank))
}

pub(in crate::ops) fn slice_grad(c: &InferContext<'_>) -> Result<Types> {
    let (input, output) = (c.shape(1).with_rank(2)?, c.shape(3).with_rank(2)?);
    merged(c.shape(0).with_rank(1)?.dim(0)?, output.dim(0)?, "values")?;
    let rank = merged(input.dim(1)?, output.dim(1)?, "sizes")?;
    merged(rank, c.shape(2).with_rank(1)?.dim(0)?, "sizes")?;
    Ok([values(c, 0, input.dim(0)?)].into())
}

pub(in crate::ops) fn split(c: &InferContext<'_>) -> Result<Types> {
    let parts = count(c.attrs, SparseSplit::NUM_SPLIT)?;
    c.shape(0).with_rank(0)?;
    let rank = coo(c, 1, 2, 3)?.rank;
    let one = sparse(c.input(2).dtype, Dim::UNKNOWN, rank);
    Ok(one.iter().flat_map(|ty| (0..parts).map(|_| ty.clone())).collect())
}

pub(in crate::ops) fn add(c: &InferContext<'_>) -> Result<Types> {
    let (a, b) = (coo(c, 0, 1, 2)?, coo(c, 3, 4, 5)?);
    c.shape(6).with_rank(0)?;
    Ok(sparse(c.input(1).dtype, Dim::UNKNOWN, merged(a.rank, b.rank, "sizes")?))
}

pub(in crate::ops) fn extreme(c: &InferContext<'_>) -> Result<Types> {
    let (a, b) = (coo(c, 0, 1, 2)?, coo(c, 3, 4, 5)?);
    let rank = merged(a.rank, b.rank, "sizes")?;
    Ok([indices(Dim::UNKNOWN, rank), values(c, 1, Dim::UNKNOWN)].into_iter().collect())
}

pub(in crate::ops) fn add_grad(c: &InferContext<'_>) -> Result<Types> {
    let [a, b, sum] = [1, 2, 3].map(|i| c.shape(i).with_rank(2));
    let (a, b, sum) = (a?, b?, sum?);
    merged(c.shape(0).with_rank(1)?.dim(0)?, sum.dim(0)?, "values")?;
    merged(merged(a.dim(1)?, b.dim(1)?, "sizes")?, sum.dim(1)?, "sizes")?;
    Ok([values(c, 0, a.dim(0)?), values(c, 0, b.dim(0)?)].into_iter().collect())
}

pub(in crate::ops) fn fill_empty_rows(c: &InferContext<'_>) -> Result<Types> {
    let Known { n, rank } = coo(c, 0, 1, 2)?;
    c.shape(3).with_rank(0)?;
    if rank.size() == Some(0) {
        bail!("a scalar has no rows");
    }
    let rows = c.integers(2).and_then(|sizes| usize::try_from(*sizes.first()?).ok());
    Ok([
        indices(Dim::UNKNOWN, rank),
        values(c, 1, Dim::UNKNOWN),
        TensorType::new(DType::Bool, vector(Dim::from(rows))),
        TensorType::new(DType::I64, vector(n)),
    ]
    .into_iter()
    .collect())
}

pub(in crate::ops) fn fill_empty_rows_grad(c: &InferContext<'_>) -> Result<Types> {
    let n = c.shape(0).with_rank(1)?.dim(0)?;
    c.shape(1).with_rank(1)?;
    let default = TensorType::new(c.input(1).dtype, Shape::scalar());
    Ok([values(c, 1, n), default].into_iter().collect())
}

/// The sizes of a reduced sparse tensor.
fn reduced(c: &InferContext<'_>) -> Result<Shape> {
    let rank = coo(c, 0, 1, 2)?.rank;
    c.shape(3).with_rank_at_most(1)?;
    let keep = c.get(SparseReduceSum::KEEP_DIMS)?;
    let (Some(sizes), Some(axes)) = (c.integers(2), c.integers(3)) else {
        return Ok(rank.size().filter(|_| keep).map_or(Shape::unknown(), Shape::of_rank));
    };
    let mut dims: Vec<Option<Dim>> = Vec::new();
    if let Some(known) = shape_of(&sizes)?.dims() {
        dims.extend(known.iter().copied().map(Some));
    }
    for axis in axes {
        let axis = normalize_axis(axis, dims.len())?;
        dims[axis] = keep.then_some(Dim::from(1));
    }
    Ok(dims.into_iter().flatten().collect())
}

pub(in crate::ops) fn reduce(c: &InferContext<'_>) -> Result<Types> {
    one(c.input(1).dtype, reduced(c)?)
}

pub(in crate::ops) fn reduce_sparse(c: &InferContext<'_>) -> Result<Types> {
    Ok(sparse(c.input(1).dtype, Dim::UNKNOWN, Dim::from(reduced(c)?.rank())))
}

pub(in crate::ops) fn as_values(c: &InferContext<'_>) -> Result<Types> {
    let n = coo(c, 0, 1, 2)?.n;
    Ok([values(c, 1, n)].into())
}

pub(in crate::ops) fn dense_add(c: &InferContext<'_>) -> Result<Types> {
    let rank = coo(c, 0, 1, 2)?.rank;
    let sizes = match c.integers(2) {
        Some(sizes) => shape_of(&sizes)?,
        None => shape_of_length(&vector(rank)),
    };
    one(c.input(1).dtype, c.shape(3).merge(&sizes)?)
}

/// Rows and columns, the other way round if they are transposed.
fn turned(shape: &Shape, turn: bool) -> Result<[Dim; 2]> {
    let [rows, columns] = [shape.dim(0)?, shape.dim(1)?];
    Ok(if turn { [columns, rows] } else { [rows, columns] })
}

fn product(dtype: DType, [rows, inner]: [Dim; 2], [other, columns]: [Dim; 2]) -> Result<Types> {
    if inner.merge(other).is_none() {
        bail!("a matrix of {inner} columns times one of {other} rows");
    }
    one(dtype, [rows, columns].into_iter().collect())
}

pub(in crate::ops) fn dense_matmul(c: &InferContext<'_>) -> Result<Types> {
    merged(coo(c, 0, 1, 2)?.rank, Dim::from(2), "sizes")?;
    let a = match c.integers(2) {
        Some(sizes) => shape_of(&sizes)?,
        None => Shape::of_rank(2),
    };
    let b = c.shape(3).with_rank(2)?;
    let [turn_a, turn_b] = [SparseTensorDenseMatMul::ADJOINT_A, SparseTensorDenseMatMul::ADJOINT_B]
        .map(|key| c.get(key));
    product(c.input(1).dtype, turned(&a.with_rank(2)?, turn_a?)?, turned(&b, turn_b?)?)
}

pub(in crate::ops) fn matmul(c: &InferContext<'_>) -> Result<Types> {
    let (a, b) = (c.shape(0).with_rank(2)?, c.shape(1).with_rank(2)?);
    let a = turned(&a, c.get(SparseMatMul::TRANSPOSE_A)?)?;
    product(DType::F32, a, turned(&b, c.get(SparseMatMul::TRANSPOSE_B)?)?)
}

/// The rank of sets in the rows of a dense tensor.
fn rows(shape: &Shape) -> Result<Dim> {
    Ok(Dim::from(shape.with_rank_at_least(2)?.rank()))
}

/// Sets in the rows of tensors of these ranks.
fn sets(c: &InferContext<'_>, a: Dim, b: Dim) -> Result<Types> {
    let rank = merged(a, b, "ranks")?;
    if rank.size().is_some_and(|rank| rank < 2) {
        bail!("sets are the rows of a matrix or of a stack of matrices, not of rank {rank}");
    }
    let values = if c.inputs.len() == 6 { 1 } else { 0 };
    Ok(sparse(c.input(values).dtype, Dim::UNKNOWN, rank))
}

pub(in crate::ops) fn sets_dense(c: &InferContext<'_>) -> Result<Types> {
    let (a, b) = (c.shape(0), c.shape(1));
    if a.rank().is_some() && b.rank().is_some() {
        a.slice(None, Some(-1)).merge(&b.slice(None, Some(-1)))?;
    }
    sets(c, rows(a)?, rows(b)?)
}

pub(in crate::ops) fn sets_mixed(c: &InferContext<'_>) -> Result<Types> {
    sets(c, rows(c.shape(0))?, coo(c, 1, 2, 3)?.rank)
}

pub(in crate::ops) fn sets_sparse(c: &InferContext<'_>) -> Result<Types> {
    sets(c, coo(c, 0, 1, 2)?.rank, coo(c, 3, 4, 5)?.rank)
}

pub(in crate::ops) fn set_size(c: &InferContext<'_>) -> Result<Types> {
    let rank = coo(c, 0, 1, 2)?.rank;
    sets(c, rank, rank)?;
    let sizes = match c.integers(2) {
        Some(sizes) => shape_of(&sizes)?,
        None => shape_of_length(&vector(rank)),
    };
    one(DType::I32, if sizes.rank().is_some() { sizes.slice(None, Some(-1)) } else { sizes })
}
