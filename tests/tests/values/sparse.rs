//! What the recorded answers of sparse tensors don't show.

use extype::ops::{
    CSRSparseMatrixToDense, DenseToCSRSparseMatrix, DenseToDenseSetOperation, SetOperation,
    SparseConcat, SparseSlice, SparseSplit,
};
use extype::prelude::*;

/// `[[0, 1, 0], [2, 0, 3]]`
fn example() -> ops::CooTensor {
    ops::CooTensor {
        indices: tensor![[0i64, 1], [1, 0], [1, 2]],
        values: tensor![1.0, 2.0, 3.0],
        dense_shape: tensor![2i64, 3],
    }
}

#[track_caller]
fn same(x: Result<Tensor>, y: Result<Tensor>) {
    let (x, y) = (x.unwrap(), y.unwrap());
    assert!(x.array_equal(&y).unwrap().item::<bool>().unwrap(), "{x:?} for {y:?}");
}

#[test]
fn methods_do_to_sparse_tensors_what_they_do_to_dense_ones() {
    let x = example();
    let dense = x.to_dense().unwrap();
    same(x.transpose([1, 0]).unwrap().to_dense(), dense.transpose([1, 0]));
    same(x.reshape([3, -1]).unwrap().to_dense(), dense.reshape([3, 2]));
    for axis in [0, 1, 2, -1, -3] {
        same(x.expand_dims(axis).unwrap().to_dense(), dense.expand_dims(axis));
    }
    assert!(x.expand_dims(4).is_err());
    same(x.reduce_sum([1], false), dense.reduce_sum(1, false));
    let other = tensor![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    same(x.matmul(&other), dense.matmul(&other));
    let kept = x.retain(&tensor![true, false, true]).unwrap();
    assert_eq!(
        kept.to_dense().unwrap().as_slice::<f64>().unwrap(),
        &[0.0, 1.0, 0.0, 0.0, 0.0, 3.0]
    );
    assert_eq!(kept.reset_shape(None).unwrap().dense_shape.as_slice::<i64>().unwrap(), &[2, 3]);
    assert!(x.reset_shape(Some([1, 3].into())).is_err());
}

#[test]
fn gradients_reach_values_joined_and_split() {
    let x = example();
    let slope = grad(|values: &Tensor| {
        let inputs = [&x.indices, &x.indices, values, values, &x.dense_shape, &x.dense_shape];
        let joined: (Tensor, Tensor, Tensor) = SparseConcat { concat_dim: 1 }.run_as(&inputs)?;
        ops::mul(&joined.1, tensor![1.0, 10.0, 2.0, 3.0, 20.0, 30.0])?.reduce_sum(.., false)
    });
    // In the rows of the joined matrix the two copies of a value follow each other.
    assert_eq!(slope(&x.values).unwrap().as_slice::<f64>().unwrap(), &[11.0, 22.0, 33.0]);
    let slope = grad(|values: &Tensor| {
        let inputs = [&scalar(1i64), &x.indices, values, &x.dense_shape];
        let parts: Vec<Tensor> = SparseSplit { num_split: 2 }.run_as(&inputs)?;
        parts[2].square()?.reduce_sum(.., false)
    });
    assert_eq!(slope(&x.values).unwrap().as_slice::<f64>().unwrap(), &[2.0, 4.0, 0.0]);
}

#[test]
fn values_at_one_index_keep_their_gradients() {
    let (indices, sizes) = (tensor![[1i64], [1]], tensor![3i64]);
    let slope = grad(|values: &Tensor| {
        let inputs = [&indices, values, &sizes, &tensor![1i64], &tensor![1i64]];
        let cut: (Tensor, Tensor, Tensor) = SparseSlice {}.run_as(&inputs)?;
        ops::mul(&cut.1, tensor![5.0, 7.0])?.reduce_sum(.., false)
    });
    assert_eq!(slope(&tensor![1.0, 2.0]).unwrap().as_slice::<f64>().unwrap(), &[5.0, 7.0]);
}

#[test]
fn hostile_sizes_are_errors() {
    let (indices, values) = (tensor![[0i64, 0]], tensor![1.0f32]);
    let huge = tensor![i64::MAX, i64::MAX];
    let x = ops::CooTensor { indices: indices.clone(), values, dense_shape: huge.clone() };
    assert!(x.to_dense().is_err());
    assert!(x.reshape([-1]).is_err());
    assert!(x.reduce_sum([0], true).is_err());
    let negative = ops::CooTensor { dense_shape: tensor![-1i64, 2], ..x.clone() };
    assert_eq!(negative.to_dense().unwrap_err().kind(), ErrorKind::InvalidArgument);
    let op = SparseSlice {};
    let inputs = [&indices, &x.values, &tensor![-2i64, 1], &huge, &huge];
    assert!(op.run_as::<(Tensor, Tensor, Tensor)>(&inputs).is_ok());
}

#[test]
fn sets_need_rows_of_the_same_sizes() {
    let op =
        DenseToDenseSetOperation { set_operation: SetOperation::Union, validate_indices: true };
    let (a, b) = (tensor![[1, 2]], tensor![[1], [2]]);
    assert!(op.run_as::<(Tensor, Tensor, Tensor)>(&[&a, &b]).is_err());
    let y: (Tensor, Tensor, Tensor) = op.run_as(&[&a, &tensor![[2, 0]]]).unwrap();
    assert_eq!(y.1.as_slice::<i32>().unwrap(), &[0, 1, 2]);
}

#[test]
fn a_sparse_matrix_is_of_its_dtype() {
    let dense = tensor![[0.0f32, 2.0], [3.0, 0.0]];
    let places = tensor![[0i64, 1], [1, 0]];
    let x = DenseToCSRSparseMatrix {}.run(&[&dense, &places]).unwrap();
    same(CSRSparseMatrixToDense { dtype: DType::F32 }.run(&[&x]), Ok(dense));
    let e = CSRSparseMatrixToDense { dtype: DType::F64 }.run(&[&x]).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::InvalidArgument);
}

/// The crosses of two sparse columns whose matrices have so many rows.
fn crosses(rows: i64, attrs: &ops::SparseCross) -> Result<Vec<Tensor>> {
    let (at, sizes) = (tensor![[1i64, 0], [1, 1], [4, 0]], tensor![rows, 2]);
    let other = tensor![[0i64, 0], [4, 0], [4, 1]];
    let (x, y) = (tensor!["a", "b", "c"], tensor!["x", "y", "z"]);
    let operands = [&at, &other, &x, &y, &sizes, &sizes];
    attrs.run_as(&operands)
}

fn plain() -> ops::SparseCross {
    ops::SparseCross {
        n: 2,
        hashed_output: false,
        num_buckets: 0,
        hash_key: 0,
        out_type: DType::String,
        internal_type: DType::String,
    }
}

/// Rows without crosses take no memory.
#[test]
fn crosses_of_matrices_with_more_rows_than_there_is_memory() -> Result<()> {
    for rows in [5, i64::MAX] {
        let found = crosses(rows, &plain())?;
        assert_eq!(found[0].as_slice::<i64>()?, &[4, 0, 4, 1]);
        assert_eq!(found[1].to_strings()?, ["c_X_y", "c_X_z"]);
        assert_eq!(found[2].as_slice::<i64>()?, &[rows, 2]);
    }
    Ok(())
}

#[test]
fn crosses_check_their_attributes() {
    for (attrs, what) in [
        (ops::SparseCross { num_buckets: -3, ..plain() }, "`num_buckets` = -3"),
        (
            ops::SparseCross { internal_type: DType::F32, ..plain() },
            "`internal_type` is int64 or string",
        ),
    ] {
        let e = crosses(5, &attrs).unwrap_err();
        assert!(e.kind() == ErrorKind::InvalidArgument && e.to_string().contains(what), "{e}");
    }
}
