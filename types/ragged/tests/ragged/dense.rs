//! A ragged tensor whose rows have one length is a dense one: every op gives what it gives for that.

use extype::prelude::*;
use extype_ragged::{RaggedTensor, RaggedTensorSpec, Trim};

/// Dense tensors of rank 3, with and without entries, and all ragged tensors that hold the same: with lengths that are
/// known to be one, and with lengths that are not. Rows of one entry broadcast only if that is known, and without rows
/// there are no columns.
fn samples() -> Result<Vec<(Tensor, Vec<RaggedTensor>)>> {
    let mut samples = Vec::new();
    for dims in [[2i64, 3, 4], [1, 1, 1], [3, 1, 2], [2, 3, 1], [3, 0, 2], [0, 0, 3], [2, 2, 0]] {
        let n: i64 = dims.iter().product();
        let numbers: Vec<f64> = (0..n).map(|i| ((i * 7 + 3) % 11) as f64 - 4.0).collect();
        let dense = Tensor::from_vec(numbers).reshape(dims)?;
        let mut ragged = Vec::new();
        for levels in [1, 2] {
            let even = RaggedTensor::from_tensor(&dense, Trim::Nothing, levels)?;
            if levels == 2 && dims[1] == 0 {
                continue;
            }
            if !dims[1..=levels].contains(&1) {
                let splits = even.nested_row_splits();
                ragged.push(RaggedTensor::from_nested_row_splits(&even.flat_values, splits)?);
            }
            ragged.push(even);
        }
        samples.push((dense, ragged));
    }
    Ok(samples)
}

fn filled(x: &RaggedTensor) -> Result<Tensor> {
    x.to_tensor(Tensor::scalar(0).cast(x.dtype())?, Shape::unknown())
}

/// Compares elements, and shapes but for axes that no row of the ragged tensor tells.
fn same(what: &str, ragged: &RaggedTensor, dense: &Tensor) -> Result<()> {
    let found = filled(ragged)?;
    let (a, b) = (found.cast(DType::F64)?, dense.cast(DType::F64)?);
    assert_eq!(a.as_slice::<f64>()?.len(), b.as_slice::<f64>()?.len(), "{what}: {ragged} {dense}");
    if !b.as_slice::<f64>()?.is_empty() {
        assert_eq!(found.shape(), dense.shape(), "{what}");
    }
    for (a, b) in a.as_slice::<f64>()?.iter().zip(b.as_slice::<f64>()?) {
        let alike = a == b || (a - b).abs() < 1e-9 || (a.is_nan() && b.is_nan());
        // What nothing is reduced to is the lowest number for rows, and minus infinity for axes.
        let nothing = a.abs() == f64::MAX && b.is_infinite();
        assert!(alike || nothing, "{what}: {a} is not {b}, in {found} and {dense}");
    }
    Ok(())
}

/// The same expression of a dense tensor, and of every ragged one with the same elements, eagerly and in a trace that
/// knows no size.
macro_rules! laws {
    ($($name:literal: |$x:ident| $e:expr;)*) => {
        for (dense, all) in samples()? {
            $(
                let on_dense = |$x: &Tensor| -> Result<_> { $e };
                let on_ragged = |$x: &RaggedTensor| -> Result<RaggedTensor> { $e };
                if let Ok(want) = on_dense(&dense) {
                    for x in &all {
                        let what = format!("{} of {} as {}", $name, dense.shape(), x.shape());
                        let found = on_ragged(x).unwrap_or_else(|e| panic!("{what}: {e}"));
                        same(&what, &found, &want)?;
                        if ![[2, 3, 4], [3, 0, 2]].map(Shape::from).contains(&dense.shape()) {
                            // Rows of one entry broadcast, which the trace does not know; two samples will do.
                            continue;
                        }
                        let traced = function(on_ragged);
                        let unknown = RaggedTensorSpec::with_ragged_rank(
                            Shape::of_rank(3), x.dtype(), x.ragged_rank() as i64
                        )?;
                        let concrete = traced.concrete(&unknown).unwrap_or_else(|e| panic!("{what}: {e}"));
                        let found = concrete.call::<_, RaggedTensor>((x,)).unwrap_or_else(|e| panic!("{what}, traced: {e}"));
                        same(&format!("{what}, traced"), &found, &want)?;
                    }
                }
            )*
        }
    };
}

#[test]
fn elements() -> Result<()> {
    let column = tensor![[[10.0f64]], [[20.0]], [[30.0]]];
    let row = tensor![1.0f64, 2.0, 3.0, 4.0];
    laws! {
        "neg": |x| ops::neg(x);
        "plus itself": |x| ops::add(x, x);
        "times a scalar": |x| ops::mul(x, 2.0);
        "a column": |x| ops::add(x, &column);
        "a row": |x| ops::sub(&row, x);
        "one number": |x| ops::add(x, tensor!([[[1.0f64]]]));
        "an axis more": |x| ops::add(x, tensor!([[[[1.0f64]]], [[[2.0]]]]));
        "its sums": |x| ops::sub(x, ops::reduce_sum(x, 1, KeepDims)?);
        "its row sums": |x| ops::sub(x, ops::reduce_sum(x, 2, KeepDims)?);
        "its column sums": |x| ops::sub(x, ops::reduce_sum(x, 0, KeepDims)?);
        "clipped": |x| ops::minimum(ops::maximum(x, -1.0)?, 2.0);
        "compared": |x| ops::cast(ops::less(x, 1.0)?, DType::F64);
        "select": |x| ops::select(ops::greater(x, 0.0)?, x, ops::neg(x)?);
        "select a column": |x| ops::select(ops::greater(x, 0.0)?, &column, x);
        "add_n": |x| ops::add_n(&[x, x, x]);
    }
    Ok(())
}

#[test]
fn reductions() -> Result<()> {
    laws! {
        "sum 0": |x| ops::reduce_sum(x, 0, false);
        "sum 1": |x| ops::reduce_sum(x, 1, false);
        "sum 2": |x| ops::reduce_sum(x, 2, KeepDims);
        "sum all": |x| ops::reduce_sum(x, .., KeepDims);
        "sum 0 2": |x| ops::reduce_sum(x, [0, 2], KeepDims);
        "sum 1 2": |x| ops::reduce_sum(x, [1, 2], false);
        "prod": |x| ops::reduce_prod(x, -1, false);
        "max": |x| ops::reduce_max(x, -1, false);
        "max 1": |x| ops::reduce_max(x, 1, KeepDims);
        "min 0": |x| ops::reduce_min(x, 0, KeepDims);
        "mean": |x| ops::reduce_mean(x, -1, KeepDims);
        "mean 0": |x| ops::reduce_mean(x, 0, false);
        "mean 1 2": |x| ops::reduce_mean(x, [1, 2], KeepDims);
        "mean all": |x| ops::reduce_mean(x, .., false);
        "norm": |x| ops::reduce_euclidean_norm(x, 1, false);
        "any": |x| ops::cast(ops::reduce_any(ops::greater(x, 2.0)?, 1, false)?, DType::F64);
        "all": |x| ops::cast(ops::reduce_all(ops::greater(x, 2.0)?, 2, false)?, DType::F64);
        "variance": |x| ops::reduce_variance(x, 2, false);
        "variance 1": |x| ops::reduce_variance(x, 1, KeepDims);
        "std all": |x| ops::reduce_std(x, .., false);
        "logsumexp": |x| ops::reduce_logsumexp(x, 2, false);
        "softmax": |x| ops::softmax(x);
        "log softmax": |x| ops::log_softmax(x);
        "softmax 1": |x| ops::softmax_along(x, 1);
        "softmax 0": |x| ops::softmax_along(x, 0);
    }
    Ok(())
}

#[test]
fn moves() -> Result<()> {
    laws! {
        "expand 0": |x| ops::expand_dims(x, 0);
        "expand 1": |x| ops::expand_dims(x, 1);
        "expand 2": |x| ops::expand_dims(x, 2);
        "expand last": |x| ops::expand_dims(x, -1);
        "reverse 0": |x| ops::reverse(x, [0]);
        "reverse 1 2": |x| ops::reverse(x, [1, 2]);
        "tile 0": |x| ops::tile(x, [2, 1, 1]);
        "tile": |x| ops::tile(x, [1, 2, 3]);
        "tile by none": |x| ops::tile(x, [2, 0, 1]);
        "concat 0": |x| ops::concat(&[x, &ops::neg(x)?], 0);
        "concat 1": |x| ops::concat(&[x, &ops::neg(x)?], 1);
        "concat 2": |x| ops::concat(&[x, &ops::neg(x)?, x], -1);
        "stack 0": |x| ops::stack(&[x, &ops::neg(x)?], 0);
        "stack 1": |x| ops::stack(&[x, &ops::neg(x)?], 1);
        "stack 2": |x| ops::stack(&[x, &ops::neg(x)?], 2);
        "stack 3": |x| ops::stack(&[x, &ops::neg(x)?], 3);
        "sort": |x| ops::sort(x, ..);
        "sort down": |x| ops::sort(x, ops::Descending);
        "gather": |x| ops::gather(x, tensor!([1i64, 0, 1]), 0);
        "gather a matrix": |x| ops::gather(x, tensor!([[1, 0], [0, 0]]), 0);
        "gather a scalar": |x| ops::gather(x, scalar(1i64), 0);
        "gather 1": |x| ops::gather(x, tensor!([1i64, 0, 1]), 1);
        "gather 2": |x| ops::gather(x, tensor!([1i64, 0]), 2);
        "gather_nd": |x| ops::gather_nd(x, tensor!([[1i64, 0], [0, 2]]));
        "gather_nd elements": |x| ops::gather_nd(x, tensor!([[[1i64, 0, 1]], [[0, 0, 0]]]));
    }
    Ok(())
}

#[test]
fn running_sums() -> Result<()> {
    for (dense, all) in samples()? {
        for x in all {
            for axis in 0..3 {
                let want = ops::cumsum(&dense, (axis, ops::Exclusive, ops::Backwards))?;
                same("cumsum", &x.cumsum(axis, true, true)?, &want)?;
                same("cumprod", &x.cumprod(axis, false, false)?, &ops::cumprod(&dense, axis)?)?;
            }
        }
    }
    Ok(())
}

#[test]
fn products() -> Result<()> {
    let weights = tensor![[1.0f64, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]];
    let stack = Tensor::from_vec((0..16).map(f64::from).collect()).reshape([2, 4, 2])?;
    for (dense, all) in samples()? {
        for x in all {
            let what = format!("{} as {}", dense.shape(), x.shape());
            for (flag, op) in [(true, "x yᵀ"), (false, "xᵀ y")] {
                let op_of = ops::MatMul { transpose_a: !flag, transpose_b: flag };
                let turned = |x: &Tensor, turn: bool| {
                    if turn { x.matrix_transpose() } else { Ok(x.clone()) }
                };
                let want = turned(&dense, !flag)?.matmul(turned(&dense, flag)?)?;
                let found = ops::Apply2::<RaggedTensor, _>::apply2(&op_of, &x, &x)?;
                same(&format!("{op} of {what}"), &found, &want)?;
            }
            if let Ok(want) = dense.matmul(&stack)
                && dense.shape().dim(0)?.size() == Some(2)
            {
                same(&format!("with a stack: {what}"), &ops::matmul(&x, &stack)?, &want)?;
            }
            if let Ok(want) = dense.matmul(&weights)
                && x.ragged_rank() == 1
            {
                same(&format!("with a matrix: {what}"), &ops::matmul(&x, &weights)?, &want)?;
            }
        }
    }
    Ok(())
}
