//! Functions of sparse tensors, sets and segments.
//!
//! A sparse tensor is three tensors: the values, then the indices and the sizes.

use extype::ops::methods::*;
use extype::ops::{self, Combiner, CooTensor, SetOperation};
use extype::prelude::Op as _;
use extype::{DType, Result, Tensor};

use super::{Params, Row, one, row};

/// The rows.
pub(super) const ROWS: &[Row] = &[
    row("tf.math.unsorted_segment_mean", |p, x| {
        one(ops::unsorted_segment_mean(&x[0], &x[1], p.int("num_segments", 0)))
    }),
    row("tf.math.unsorted_segment_sqrt_n", |p, x| {
        one(ops::unsorted_segment_sqrt_n(&x[0], &x[1], p.int("num_segments", 0)))
    }),
    row("tf.sparse.bincount", bincount),
    row("tf.sparse.cross", |_, x| {
        let columns: Vec<CooTensor> = x.chunks(3).map(of).collect();
        flat(CooTensor::cross(&columns.iter().collect::<Vec<_>>(), "_X_"))
    }),
    row("tf.ragged.cross", |_, x| crossed(x, false, 0)),
    row("tf.ragged.cross_hashed", |p, x| crossed(x, true, p.int("num_buckets", 0))),
    row("tf.nn.embedding_lookup_sparse", |p, x| {
        let weights = (x.len() > 4).then(|| of(&x[4..]));
        one(ops::embedding_lookup_sparse(&x[0], &of(&x[1..]), weights.as_ref(), combiner(p)))
    }),
    row("tf.nn.safe_embedding_lookup_sparse", |p, x| {
        let weights = (x.len() > 4).then(|| of(&x[4..]));
        let default = p.json("default_id").as_i64();
        let ids = of(&x[1..]);
        one(ops::safe_embedding_lookup_sparse(&x[0], &ids, weights.as_ref(), combiner(p), default))
    }),
    row("tf.sets.intersection", |_, x| sets(x, SetOperation::Intersection)),
    row("tf.sets.union", |_, x| sets(x, SetOperation::Union)),
    row("tf.sets.difference", |_, x| sets(x, SetOperation::AMinusB)),
    row("tf.sets.size", |_, x| one(ops::SetSize { validate_indices: true }.run(&parts(&of(x))))),
];

/// The first sparse tensor.
fn of(x: &[Tensor]) -> CooTensor {
    CooTensor { values: x[0].clone(), indices: x[1].clone(), dense_shape: x[2].clone() }
}

fn parts(x: &CooTensor) -> [&Tensor; 3] {
    [&x.indices, &x.values, &x.dense_shape]
}

fn flat(x: Result<CooTensor>) -> Result<Vec<Tensor>> {
    let CooTensor { values, indices, dense_shape } = x?;
    Ok(vec![values, indices, dense_shape])
}

/// The results of an op: indices, values, sizes.
fn listed((indices, values, dense_shape): (Tensor, Tensor, Tensor)) -> Result<Vec<Tensor>> {
    flat(Ok(CooTensor { indices, values, dense_shape }))
}

fn bincount(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    if let [values, indices, sizes] = x {
        let op = ops::SparseCountSparseOutput {
            minlength: p.int("minlength", -1),
            maxlength: p.int("maxlength", -1),
            binary_output: p.flag("binary_output"),
        };
        let (indices, sizes) = match p.int("axis", 0) {
            0 => (numbers(values)?, ops::size(values)?.reshape([1])?),
            _ => (indices.clone(), sizes.clone()),
        };
        let none = Tensor::from_vec(Vec::<i64>::new());
        return listed(op.run_as(&[&indices, values, &sizes, &none])?);
    }
    let x = if p.int("axis", 0) == 0 { x[0].reshape([-1])? } else { x[0].clone() };
    let op = ops::DenseCountSparseOutput {
        minlength: p.int("minlength", -1),
        maxlength: p.int("maxlength", -1),
        binary_output: p.flag("binary_output"),
    };
    let none = Tensor::from_vec(Vec::<i32>::new());
    listed(op.run_as(&[&x, &none])?)
}

/// The crosses of ragged columns, each of which is its values and where its rows begin.
fn crossed(x: &[Tensor], hashed_output: bool, num_buckets: i64) -> Result<Vec<Tensor>> {
    let values = x.iter().step_by(2).map(|x| match x.dtype() {
        DType::I32 => x.cast(DType::I64),
        _ => Ok(x.clone()),
    });
    let values = values.collect::<Result<Vec<_>>>()?;
    let inputs: Vec<&Tensor> = values.iter().chain(x.iter().skip(1).step_by(2)).collect();
    let op = ops::RaggedCross {
        input_order: "R".repeat(x.len() / 2),
        hashed_output,
        num_buckets,
        hash_key: 956_888_297_470,
        out_values_type: if hashed_output { DType::I64 } else { DType::String },
        out_row_splits_type: DType::I64,
    };
    let (values, splits) = op.run_as(&inputs)?;
    Ok(vec![values, splits])
}

/// The indices of all elements of a vector.
fn numbers(values: &Tensor) -> Result<Tensor> {
    ops::range(0i64, ops::size(values)?, 1i64)?.expand_dims(1)
}

fn combiner(p: &Params) -> Combiner {
    match p.json("combiner").as_str() {
        Some("sum") => Combiner::Sum,
        Some("sqrtn") => Combiner::SqrtN,
        _ => Combiner::Mean,
    }
}

fn sets(x: &[Tensor], set_operation: SetOperation) -> Result<Vec<Tensor>> {
    let (a, b) = (of(x), of(&x[3..]));
    let op = ops::SparseToSparseSetOperation { set_operation, validate_indices: true };
    let [indices, values, sizes] = parts(&a);
    listed(op.run_as(&[indices, values, sizes, &b.indices, &b.values, &b.dense_shape])?)
}

/// The programs of matrices in compressed rows.
pub(in crate::conformance) const PROGRAMS: &[Row] = &[
    row("program.csr_dense", |_, x| one(dense(&csr(&x[0])?, x))),
    row("program.csr_nnz", |_, x| one(ops::SparseMatrixNNZ {}.run(&[&csr(&x[0])?]))),
    row("program.csr_sparse", |_, x| {
        let op = ops::CSRSparseMatrixToSparseTensor { dtype: x[0].dtype() };
        op.run_as(&[&csr(&x[0])?])
    }),
    row("program.csr_components", |p, x| {
        let op = ops::CSRSparseMatrixComponents { dtype: x[0].dtype() };
        op.run_as(&[&csr(&x[0])?, &Tensor::scalar(p.int("index", 0) as i32)])
    }),
    row("program.csr_cholesky", |_, x| {
        let op = ops::SparseMatrixSparseCholesky { dtype: x[0].dtype() };
        one(dense(&op.run(&[&csr(&x[0])?, &x[1]])?, x))
    }),
    row("program.csr_matmul", csr_matmul),
    row("program.csr_matmul_flags", csr_matmul),
    row("program.csr_sparse_matmul", |_, x| {
        let op = ops::SparseMatrixSparseMatMul {
            dtype: x[0].dtype(),
            transpose_a: false,
            transpose_b: false,
            adjoint_a: false,
            adjoint_b: false,
        };
        one(dense(&op.run(&[&csr(&x[0])?, &csr(&x[1])?])?, x))
    }),
    row("program.csr_transpose", |p, x| {
        let op = ops::SparseMatrixTranspose { dtype: x[0].dtype(), conjugate: p.flag("conjugate") };
        one(dense(&op.run(&[&csr(&x[0])?])?, x))
    }),
];

/// The sparse matrix of the elements that are not zero.
fn csr(x: &Tensor) -> Result<Tensor> {
    let places = x.not_equal(&x.zeros_like()?)?.where_indices()?;
    ops::DenseToCSRSparseMatrix {}.run(&[x, &places])
}

fn dense(x: &Tensor, inputs: &[Tensor]) -> Result<Tensor> {
    ops::CSRSparseMatrixToDense { dtype: inputs[0].dtype() }.run(&[x])
}

fn csr_matmul(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    let op = ops::SparseMatrixMatMul {
        transpose_a: p.flag("transpose_a"),
        transpose_b: p.flag("transpose_b"),
        adjoint_a: p.flag("adjoint_a"),
        adjoint_b: p.flag("adjoint_b"),
        transpose_output: p.flag("transpose_output"),
        conjugate_output: p.flag("conjugate_output"),
    };
    one(op.run(&[&csr(&x[0])?, &x[1]]))
}
