//! Gradients of sparse tensors: by their values, and by dense operands.

use crate::ops;
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, conjugate, sizes};
use crate::ops::{
    Op as _, SparseAddGrad, SparseConcat, SparseDenseCwiseAdd, SparseFillEmptyRowsGrad,
    SparseMatMul, SparseReduceSum, SparseReorder, SparseSlice, SparseSplit,
    SparseTensorDenseMatMul, count_to,
};
use crate::tensor::Tensor;
use crate::types::{DType, Result, err};

/// Gradients of some operands by number.
fn at<const N: usize>(g: &Gradient<'_>, some: [(usize, Tensor); N]) -> InputGradients {
    let mut all: Vec<Option<Tensor>> = g.inputs.iter().map(|_| None).collect();
    for (i, gradient) in some {
        all[i] = Some(gradient);
    }
    all.into_iter().collect()
}

/// The cotangent of the values, which are result `i`, and nothing else has one.
fn dy<'a>(g: &'a Gradient<'_>, i: usize) -> Result<&'a Tensor> {
    let dy = g.cotangents.get(i).and_then(Option::as_ref);
    dy.ok_or_else(|| err!(Internal, "{} has no cotangent of its values", g.op.rust_name))
}

/// The elements of a dense tensor at the coordinates `[n, rank]` in a tensor that it broadcasts to.
fn elements_at(dense: &Tensor, indices: &Tensor, rank: &Tensor) -> Result<Tensor> {
    let sizes = ops::shape_of(dense)?.cast(DType::I64)?;
    let own = ops::size(&sizes)?.cast(DType::I64)?;
    let zero = Tensor::scalar(0i64);
    let begin = ops::stack(&[&zero, &ops::sub(rank, &own)?], 0)?;
    let behind = indices.slice(&begin, [-1, -1])?;
    // Along an axis of size 1 there is one place.
    ops::minimum(&behind, &ops::sub(&sizes, 1i64)?)
}

pub(in crate::ops) fn to_dense(g: &Gradient<'_>) -> Result<InputGradients> {
    let dy = g.dy()?;
    let places = match g.x(0).rank() {
        Some(2) => g.x(0).clone(),
        Some(_) => g.x(0).reshape([-1, 1])?,
        None => return Err(err!(Unimplemented, "the rank of the indices is unknown")),
    };
    let picked = dy.gather_nd(&places)?;
    let sum = picked.reduce_sum(.., false)?;
    let default = ops::sub(&dy.reduce_sum(.., false)?, &sum)?;
    let values = match g.x(2).rank() {
        Some(0) => sum,
        Some(_) => picked,
        None => return Err(err!(Unimplemented, "the rank of the values is unknown")),
    };
    Ok(at(g, [(2, values), (3, default)]))
}

/// Numbers for the values of sparse tensors, from `start`.
fn numbers(values: &Tensor, start: &Tensor) -> Result<Tensor> {
    ops::add(&count_to(&ops::size(values)?)?, start)
}

pub(in crate::ops) fn reorder(g: &Gradient<'_>) -> Result<InputGradients> {
    let n = ops::size(g.x(1))?;
    let order: (Tensor, Tensor) = SparseReorder {}.run_as(&[g.x(0), &count_to(&n)?, g.x(2)])?;
    Ok(at(g, [(1, ops::unsorted_segment_sum(dy(g, 1)?, &order.1, &n)?)]))
}

pub(in crate::ops) fn concat(g: &Gradient<'_>) -> Result<InputGradients> {
    let n = g.inputs.len() / 3;
    let mut total = Tensor::scalar(0i64);
    let mut starts = Vec::new();
    let mut inputs: Vec<Tensor> = g.inputs.to_vec();
    for input in &mut inputs[n..2 * n] {
        starts.push(total.clone());
        let here = numbers(input, &total)?;
        total = ops::add(&total, ops::size(&*input)?)?;
        *input = here;
    }
    let op = SparseConcat { concat_dim: g.get(SparseConcat::CONCAT_DIM)? };
    let inputs: Vec<&Tensor> = inputs.iter().collect();
    let order: (Tensor, Tensor, Tensor) = op.run_as(&inputs)?;
    let all = ops::unsorted_segment_sum(dy(g, 1)?, &order.1, &total)?;
    let part = |(i, start): (usize, &Tensor)| {
        let len = ops::size(g.x(n + i))?.reshape([1])?;
        all.slice(&start.reshape([1])?, &len).map(Some)
    };
    let parts = starts.iter().enumerate().map(part).collect::<Result<Vec<_>>>()?;
    let none = || (0..n).map(|_| None);
    Ok(none().chain(parts).chain(none()).collect())
}

pub(in crate::ops) fn split(g: &Gradient<'_>) -> Result<InputGradients> {
    let n = ops::size(g.x(2))?;
    let op = SparseSplit { num_split: g.get(SparseSplit::NUM_SPLIT)? };
    let parts: Vec<Tensor> = op.run_as(&[g.x(0), g.x(1), &count_to(&n)?, g.x(3)])?;
    let count = parts.len() / 3;
    let mut sum = g.x(2).zeros_like()?;
    for (order, dy) in parts[count..].iter().zip(&g.cotangents[count..2 * count]) {
        if let Some(dy) = dy {
            sum = ops::add(&sum, ops::unsorted_segment_sum(dy, order, &n)?)?;
        }
    }
    Ok(at(g, [(2, sum)]))
}

pub(in crate::ops) fn slice(g: &Gradient<'_>) -> Result<InputGradients> {
    let n = ops::size(g.x(1))?;
    let inputs = [g.x(0), &count_to(&n)?, g.x(2), g.x(3), g.x(4)];
    let order: (Tensor, Tensor, Tensor) = SparseSlice {}.run_as(&inputs)?;
    Ok(at(g, [(1, ops::unsorted_segment_sum(dy(g, 1)?, &order.1, &n)?)]))
}

pub(in crate::ops) fn fill_empty_rows(g: &Gradient<'_>) -> Result<InputGradients> {
    let (values, default): (Tensor, Tensor) =
        SparseFillEmptyRowsGrad {}.run_as(&[&g.outputs[3], dy(g, 1)?])?;
    Ok(at(g, [(1, values), (3, default)]))
}

pub(in crate::ops) fn add(g: &Gradient<'_>) -> Result<InputGradients> {
    let inputs = [dy(g, 1)?, g.x(0), g.x(3), &g.outputs[0]];
    let (a, b): (Tensor, Tensor) = SparseAddGrad {}.run_as(&inputs)?;
    Ok(at(g, [(1, a), (4, b)]))
}

pub(in crate::ops) fn add_grad(g: &Gradient<'_>) -> Result<InputGradients> {
    let n = ops::size(g.x(0))?;
    // The place in the sum of each value, from 1; zero for values that are not in the sum.
    let inputs = [&numbers(g.x(0), &Tensor::scalar(1i64))?, g.x(1), g.x(2), g.x(3)];
    let (a, b): (Tensor, Tensor) = SparseAddGrad {}.run_as(&inputs)?;
    let mut sum = g.x(0).zeros_like()?;
    for (places, dy) in [a, b].iter().zip(g.cotangents) {
        if let Some(dy) = dy {
            sum = ops::add(&sum, ops::unsorted_segment_sum(dy, ops::sub(places, 1i64)?, &n)?)?;
        }
    }
    Ok(at(g, [(0, sum)]))
}

pub(in crate::ops) fn reduce_sum(g: &Gradient<'_>) -> Result<InputGradients> {
    let (indices, shape, dy) = (g.x(0), g.x(2), g.dy()?);
    // The sizes with 1 along the reduced axes, as `keep_dims` leaves them.
    let rank = ops::size(shape)?;
    let axes = g.x(3).cast(DType::I64)?.reshape([-1, 1])?;
    let axes = ops::floor_mod(&axes, &rank)?;
    let gone = axes.reshape([-1])?.ones_like()?;
    let kept = shape.tensor_scatter_nd_update(&axes, &gone)?;
    let places = ops::minimum(indices, &ops::sub(&kept, 1i64)?)?;
    Ok(at(g, [(1, dy.reshape(&kept)?.gather_nd(&places)?)]))
}

pub(in crate::ops) fn softmax(g: &Gradient<'_>) -> Result<InputGradients> {
    let (y, dy) = (g.y(), g.dy()?);
    let product = ops::mul(y, dy)?;
    let last = Tensor::scalar(-1i32);
    let sum = SparseReduceSum { keep_dims: true }.run(&[g.x(0), &product, g.x(2), &last])?;
    let less = SparseDenseCwiseAdd {}.run(&[g.x(0), dy, g.x(2), &ops::neg(&sum)?])?;
    Ok(at(g, [(1, ops::mul(&less, y)?)]))
}

/// The rule of an op of values and the dense elements at their coordinates: `by` gives the gradients by both.
fn cwise(
    g: &Gradient<'_>,
    by: impl FnOnce(&Tensor, &Tensor, &Tensor) -> Result<(Tensor, Tensor)>,
) -> Result<InputGradients> {
    let (values, dense, dy) = (g.x(1), g.x(3), g.dy()?);
    let rank = ops::size(g.x(2))?.cast(DType::I64)?;
    let places = elements_at(dense, g.x(0), &rank)?;
    let (of_values, of_elements) = by(values, &dense.gather_nd(&places)?, dy)?;
    let sums = ops::scatter_nd(&places, &of_elements, sizes(dense)?)?;
    Ok(at(g, [(1, of_values), (3, sums)]))
}

pub(in crate::ops) fn cwise_add(g: &Gradient<'_>) -> Result<InputGradients> {
    cwise(g, |_, _, dy| Ok((dy.clone(), dy.clone())))
}

pub(in crate::ops) fn cwise_mul(g: &Gradient<'_>) -> Result<InputGradients> {
    cwise(g, |x, y, dy| Ok((ops::mul(dy, conjugate(y)?)?, ops::mul(dy, conjugate(x)?)?)))
}

pub(in crate::ops) fn cwise_div(g: &Gradient<'_>) -> Result<InputGradients> {
    cwise(g, |x, y, dy| {
        let of_values = ops::div(dy, conjugate(y)?)?;
        let quotient = conjugate(&ops::div(x, y)?)?;
        let of_elements = ops::neg(&ops::mul(&of_values, &quotient)?)?;
        Ok((of_values, of_elements))
    })
}

pub(in crate::ops) fn dense_add(g: &Gradient<'_>) -> Result<InputGradients> {
    let dy = g.dy()?;
    Ok(at(g, [(1, dy.gather_nd(g.x(0))?), (3, dy.clone())]))
}

/// The conjugate transpose of a matrix.
fn adjoint(x: &Tensor) -> Result<Tensor> {
    conjugate(&x.transpose([1, 0])?)
}

pub(in crate::ops) fn dense_matmul(g: &Gradient<'_>) -> Result<InputGradients> {
    let op: SparseTensorDenseMatMul = g.op()?;
    let (indices, values, b, dy) = (g.x(0), g.x(1), g.x(3), g.dy()?);
    let back = SparseTensorDenseMatMul { adjoint_a: !op.adjoint_a, adjoint_b: false };
    let of_b = back.run(&[indices, values, g.x(2), dy])?;
    let column = |i: i64| indices.gather(&Tensor::scalar(i), 1);
    let (rows, columns) =
        if op.adjoint_a { (column(1)?, column(0)?) } else { (column(0)?, column(1)?) };
    let b = if op.adjoint_b { adjoint(b)? } else { b.clone() };
    let products = ops::mul(dy.gather(&rows, 0)?, conjugate(&b.gather(&columns, 0)?)?)?;
    let of_values = products.reduce_sum(1, false)?;
    let of_values = if op.adjoint_a { conjugate(&of_values)? } else { of_values };
    let of_b = if op.adjoint_b { adjoint(&of_b)? } else { of_b };
    Ok(at(g, [(1, of_values), (3, of_b)]))
}

pub(in crate::ops) fn matmul(g: &Gradient<'_>) -> Result<InputGradients> {
    let turn_a = g.get(SparseMatMul::TRANSPOSE_A)?;
    let turn_b = g.get(SparseMatMul::TRANSPOSE_B)?;
    let turn = |x: &Tensor, turn: bool| if turn { x.transpose([1, 0]) } else { Ok(x.clone()) };
    let (a, b, dy) = (g.x(0), g.x(1), g.dy()?);
    let wide = |x: &Tensor| x.cast(DType::F32);
    let of_a = ops::matmul(dy, turn(&wide(b)?, !turn_b)?)?;
    let of_b = ops::matmul(turn(&wide(a)?, !turn_a)?, dy)?;
    let of_a = turn(&of_a, turn_a)?.cast(a.dtype())?;
    let of_b = turn(&of_b, turn_b)?.cast(b.dtype())?;
    Ok([Some(of_a), Some(of_b)].into_iter().collect())
}
