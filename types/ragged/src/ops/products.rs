//! Softmax and matrix products.

use extype::ops::{BatchMatMul, MatMul, Op};
use extype::prelude::*;

use super::broadcast::{matched, same_rows};
use super::reduce::Function;
use super::row_reduce::{repeated, rows_reduced};
use crate::dense::cut;
use crate::tensor::size_of;
use crate::{RaggedTensor, RowPartition, UniformRows};

/// The exponentials along an axis by their sum, or the logarithms of that.
fn softmax(x: &RaggedTensor, axis: usize, log: bool) -> Result<RaggedTensor> {
    let levels = x.ragged_rank();
    if axis > levels || levels == 0 {
        let axis = (axis - levels) as i64;
        return x.map_flat_values(|flat| match log {
            true => flat.log_softmax_along(axis),
            false => flat.softmax_along(axis),
        });
    }
    x.along_rows(axis, &|flat, rows| {
        let of_row = |function, values: &Tensor| rows_reduced(&function, values, rows);
        let max = of_row(Function::Max, flat)?.stop_gradient()?;
        let below = ops::sub(flat, repeated(&max, rows)?)?;
        let exp = below.exp()?;
        let sum = of_row(Function::Sum, &exp)?;
        match log {
            true => ops::sub(&below, repeated(&sum.log()?, rows)?),
            false => ops::div(&exp, repeated(&sum, rows)?),
        }
    })
}

#[dispatch]
impl RaggedTensor {
    /// Along the innermost axis, which may be ragged: a row without elements has none.
    #[overrides(Softmax)]
    fn softmax(logits: &Self) -> Result<Self> {
        softmax(logits, logits.axis(-1)?, false)
    }

    #[overrides(LogSoftmax)]
    fn log_softmax(logits: &Self) -> Result<Self> {
        softmax(logits, logits.axis(-1)?, true)
    }

    #[overrides(softmax_along)]
    fn softmax_along(logits: &Self, axis: &Axis) -> Result<Self> {
        softmax(logits, logits.axis(axis.0)?, false)
    }

    #[overrides(log_softmax_along)]
    fn log_softmax_along(logits: &Self, axis: &Axis) -> Result<Self> {
        softmax(logits, logits.axis(axis.0)?, true)
    }

    /// The products of the matrices of two stacks, whose rows and columns may be ragged; or of the vectors along the
    /// innermost axis with one matrix.
    #[overrides(MatMul, with = Tensor)]
    fn matmul(operands: Pair<'_, Self, Tensor>, op: &MatMul) -> Result<Self> {
        let (x, y) = operands.split();
        product(&Self::of(x), &Self::of(y), op.transpose_a, op.transpose_b)
    }

    /// As `matmul`, with adjoint matrices.
    #[overrides(BatchMatMul, with = Tensor)]
    fn batch_matmul(operands: Pair<'_, Self, Tensor>, op: &BatchMatMul) -> Result<Self> {
        let (x, y) = operands.split();
        let conjugate = |x: Self, adjoint: bool| match adjoint && x.dtype().is_complex() {
            true => x.map_flat_values(|x| x.conj()),
            false => Ok(x),
        };
        let (x, y) = (conjugate(Self::of(x), op.adj_x)?, conjugate(Self::of(y), op.adj_y)?);
        product(&x, &y, op.adj_x, op.adj_y)
    }
}

fn product(x: &RaggedTensor, y: &RaggedTensor, turn_x: bool, turn_y: bool) -> Result<RaggedTensor> {
    let unknown = || Error::invalid("matrices of ragged tensors have a known rank");
    let (rank, other) = (x.rank().ok_or_else(unknown)?, y.rank().ok_or_else(unknown)?);
    if y.ragged_rank() == 0 && other == 2 && !turn_x && x.flat_values.rank() > Some(1) {
        let y = turned(y.flat_values.clone(), turn_y)?;
        return x.map_flat_values(|x| x.matmul(&y));
    }
    if rank != other || rank < 2 {
        return Err(Error::invalid(format!(
            "matrices of ranks {rank} and {other}; they have the same rank, or the second is one dense matrix and the \
             innermost axis of the first is uniform"
        )));
    }
    let mut both = [x.clone(), y.clone()];
    let dtype = matched(&mut both)?;
    if rank == 2 {
        // Two matrices have rows of one length, however they are stored.
        let [x, y] = both.map(even);
        return Ok(RaggedTensor::plain(turned(x?, turn_x)?.matmul(turned(y?, turn_y)?)?));
    }
    let levels = y.ragged_rank() + usize::from(turn_y && y.ragged_rank() > 0);
    let [mut x, mut y] = both;
    let mut outer = Vec::new();
    for _ in 3..rank {
        (x, y) = (x.raised(1, dtype)?, y.raised(1, dtype)?);
        outer.push(same_rows(x.outermost()?, y.outermost()?)?);
        (x, y) = (x.values(), y.values());
    }
    let stacks = [(x.raised(1, dtype)?, turn_x), (y.raised(1, dtype)?, turn_y)];
    let z = stacks_multiplied(stacks, levels + 1 >= rank)?;
    Ok(outer.into_iter().rev().fold(z, RaggedTensor::in_rows))
}

fn turned(x: Tensor, turn: bool) -> Result<Tensor> {
    if turn { x.matrix_transpose() } else { Ok(x) }
}

/// A matrix whose rows have one length, as a tensor.
fn even(x: RaggedTensor) -> Result<Tensor> {
    let Some(rows) = x.partitions.first() else { return Ok(x.flat_values) };
    let width = rows.longest()?;
    let _ = UniformRows {}.run(&[rows.splits(), &width])?;
    x.flat_values.reshape(&ops::stack(&[&rows.nrows()?, &width], 0)?)
}

/// Stacks of matrices `[n, (rows), columns]`, which may be turned, and whose columns may be ragged too. They are filled up
/// with zeros and multiplied at once, and what belongs to no row is left out again.
fn stacks_multiplied(
    [(x, turn_x), (y, turn_y)]: [(RaggedTensor, bool); 2],
    ragged_columns: bool,
) -> Result<RaggedTensor> {
    let ([x_rows, x_columns], [y_rows, y_columns]) = (sizes(&x)?, sizes(&y)?);
    let (height, x_inner) = if turn_x { (&x_columns, &x_rows) } else { (&x_rows, &x_columns) };
    let (width, y_inner) = if turn_y { (&y_rows, &y_columns) } else { (&y_columns, &y_rows) };
    // Columns of no rows fit whatever they meet.
    let x_same = ops::select(height.equal(0)?, y_inner, x_inner)?;
    let y_same = ops::select(width.equal(0)?, &x_same, y_inner)?;
    let (a, b) = (RowPartition::from_lengths(&x_same)?, RowPartition::from_lengths(&y_same)?);
    same_rows(&a, &b).map_err(|e| e.prefixed("the inner sizes of matrices"))?;
    let (a, b) = (turned(filled(&x)?, turn_x)?, turned(filled(&y)?, turn_y)?);
    let inner = ops::maximum(size_of(&a, 2)?, size_of(&b, 1)?)?;
    let z = widened(&a, 2, &inner)?.batch_matmul(widened(&b, 1, &inner)?)?;
    let rows = match turn_x {
        true => RowPartition::from_lengths(height)?,
        false => x.outermost()?.clone(),
    };
    let z = RaggedTensor::plain(cut(&z, &rows)?);
    if !ragged_columns {
        return Ok(z.in_rows(rows));
    }
    let columns = RowPartition::from_lengths(width.gather(&rows.value_rowids()?, 0)?)?;
    let flat = cut(&z.flat_values, &columns)?;
    Ok(RaggedTensor { flat_values: flat, partitions: vec![rows, columns] })
}

/// How many rows and columns each matrix of a stack has.
fn sizes(x: &RaggedTensor) -> Result<[Tensor; 2]> {
    let rows = x.outermost()?;
    let lengths = rows.lengths()?;
    let columns = match x.partitions.get(1) {
        None => ops::add(&lengths.zeros_like()?, size_of(&x.flat_values, 1)?.cast(rows.dtype())?)?,
        Some(inner) => {
            let longest = rows_reduced(&Function::Max, &inner.lengths()?, rows)?.maximum(0)?;
            let each = RowPartition::from_lengths(longest.gather(&rows.value_rowids()?, 0)?)?;
            same_rows(inner, &each)
                .map_err(|e| e.prefixed("the rows of a matrix have one length"))?;
            longest
        }
    };
    Ok([lengths, columns])
}

/// With zeros where there is nothing.
fn filled(x: &RaggedTensor) -> Result<Tensor> {
    x.to_tensor(Tensor::scalar(0).cast(x.dtype())?, Shape::unknown())
}

/// With zeros up to a size.
fn widened(x: &Tensor, axis: usize, size: &Tensor) -> Result<Tensor> {
    if let (Some(own), Ok(size)) = (x.shape().dim(axis as i64)?.size(), size.item::<i64>())
        && own as i64 == size
    {
        return Ok(x.clone());
    }
    let missing = ops::sub(size, size_of(x, axis)?)?.reshape([1])?;
    let (all, axis) = (ops::shape_of(x)?, axis as i64);
    let sizes = [&all.slice([0], [axis])?, &missing, &all.slice([axis + 1], [-1])?];
    let zeros = ops::fill(&ops::concat(&sizes, 0)?, &Tensor::scalar(0).cast(x.dtype())?)?;
    ops::concat(&[x, &zeros], axis)
}
