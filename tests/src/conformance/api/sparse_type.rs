//! Functions of sparse tensors, by the type of them.
//!
//! A sparse tensor is three tensors: the values, then the indices and the sizes.

use extype::prelude::*;
use extype_sparse::SparseTensor;

use super::{Params, Row, one, row};

/// The rows.
pub(super) const ROWS: &[Row] = &[
    row("tf.sparse.from_dense", |_, x| flat(SparseTensor::from_dense(&x[0]))),
    row("tf.sparse.to_dense", |p, x| {
        let x = of(x)?;
        one(match p.json("default_value").as_f64() {
            Some(default) => x.to_dense_with(Tensor::scalar(default).cast(x.dtype())?),
            None => x.to_dense(),
        })
    }),
    row("tf.sparse.add", |_, x| match x {
        [_, _, _, dense] => one(ops::add(&of(x)?, dense)),
        _ => flat(ops::add(&of(x)?, &of(&x[3..])?)),
    }),
    row("tf.sparse.maximum", |_, x| flat(ops::maximum(&of(x)?, &of(&x[3..])?))),
    row("tf.sparse.minimum", |_, x| flat(ops::minimum(&of(x)?, &of(&x[3..])?))),
    row("tf.sparse.transpose", |p, x| {
        let perm = match p.integers("perm") {
            perm if perm.is_empty() => {
                let last = ops::sub(ops::size(&x[2])?, 1i64)?;
                ops::Integers::from(ops::range(last, -1i64, -1i64)?)
            }
            perm => ops::Integers::from(perm),
        };
        flat(ops::transpose(&of(x)?, perm))
    }),
    row("tf.sparse.reshape", |p, x| flat(ops::reshape(&of(x)?, p.integers("shape")))),
    row("tf.sparse.expand_dims", |p, x| flat(ops::expand_dims(&of(x)?, p.int("axis", -1)))),
    row("tf.sparse.reset_shape", |p, x| {
        let sizes = p.integers("new_shape");
        flat(of(x)?.reset_shape((!sizes.is_empty()).then(|| ops::Integers::from(sizes))))
    }),
    row("tf.sparse.retain", |_, x| flat(of(x)?.retain(&x[3]))),
    row("tf.sparse.mask", |_, x| flat(of(x)?.retain(&x[0].greater(0)?))),
    row("tf.sparse.map_values", |_, x| flat(ops::square(&of(x)?))),
    row("tf.sparse.softmax", |_, x| flat(ops::softmax(&of(x)?))),
    row("tf.math.multiply/sparse_dense", |_, x| flat(ops::mul(&of(x)?, &x[3]))),
    row("tf.sparse.reduce_sum", |p, x| reduced(p, &of(x)?, false)),
    row("tf.sparse.reduce_max", |p, x| reduced(p, &of(x)?, true)),
    row("tf.sparse.sparse_dense_matmul", |_, x| one(ops::matmul(&of(x)?, &x[3]))),
    row("tf.sparse.to_indicator", |p, x| one(of(x)?.to_indicator(p.int("vocab_size", 0)))),
    row("tf.sparse.eye", |p, _| {
        flat(SparseTensor::eye(p.int("num_rows", 0) as usize, p.dtype("dtype", DType::F32)))
    }),
];

/// The first sparse tensor.
fn of(x: &[Tensor]) -> Result<SparseTensor> {
    SparseTensor::new(&x[1], &x[0], &x[2])
}

fn flat(x: Result<SparseTensor>) -> Result<Vec<Tensor>> {
    let x = x?;
    Ok(vec![x.values, x.indices, x.dense_shape])
}

fn reduced(p: &Params, x: &SparseTensor, max: bool) -> Result<Vec<Tensor>> {
    let keep = p.flag("keepdims");
    let axes = match p.json("axis").as_i64() {
        Some(axis) => vec![axis],
        None => p.integers("axis"),
    };
    // No axes are all of them.
    let axes = if axes.is_empty() { Axes::All } else { Axes::from(axes) };
    match (p.flag("output_is_sparse"), max) {
        (true, true) => flat(x.max_sparse(axes, keep)),
        (true, false) => flat(x.sum_sparse(axes, keep)),
        (false, true) => one(ops::reduce_max(x, axes, keep)),
        (false, false) => one(ops::reduce_sum(x, axes, keep)),
    }
}
