//! Reductions and products.

use extype::prelude::*;

use crate::SparseTensor;

#[dispatch]
impl SparseTensor {
    /// The product with a dense matrix. Gradients reach the values and the matrix.
    ///
    /// TensorFlow: `tf.sparse.sparse_dense_matmul`.
    #[overrides(matmul)]
    fn matmul(x: &Self, y: &Tensor, transpose_a: bool, transpose_b: bool) -> Result<Tensor> {
        let x = if transpose_a { ops::transpose(x, [1, 0])? } else { x.clone() };
        let y = if transpose_b { y.transpose([1, 0])? } else { y.clone() };
        x.shape().with_rank(2).map_err(|e| e.prefixed("the left operand"))?;
        x.coo()?.matmul(&y)
    }

    /// The product of a dense matrix and a sparse one.
    #[overrides(matmul)]
    fn dense_matmul(x: &Tensor, y: &Self, transpose_a: bool, transpose_b: bool) -> Result<Tensor> {
        // x · y is the transpose of yᵀ · xᵀ.
        Self::matmul(y, x, !transpose_b, !transpose_a)?.transpose([1, 0])
    }

    /// The sum over axes, dense.
    ///
    /// TensorFlow: `tf.sparse.reduce_sum`.
    #[overrides(reduce_sum)]
    fn reduce_sum(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Tensor> {
        x.coo()?.reduce_sum(x.axes(axes)?, keep_dims)
    }

    /// The greatest stored value over axes, dense; zero where there is none. Zeros that are not stored do not count.
    ///
    /// TensorFlow: `tf.sparse.reduce_max`.
    #[overrides(reduce_max)]
    fn reduce_max(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Tensor> {
        x.coo()?.reduce_max(x.axes(axes)?, keep_dims)
    }
}

impl SparseTensor {
    /// The sum over axes as a sparse tensor of the sums of stored values.
    ///
    /// TensorFlow: `tf.sparse.reduce_sum(output_is_sparse=True)`. No gradient passes.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range.
    ///
    /// ```
    /// use extype_sparse::SparseTensor;
    /// let x = SparseTensor::from_dense([[1, 2], [0, 0], [3, 0]])?;
    /// let sums = x.sum_sparse(1, false)?;
    /// assert_eq!(sums.indices.as_slice::<i64>()?, &[0, 2]);
    /// assert_eq!(sums.values.as_slice::<i32>()?, &[3, 3]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn sum_sparse(&self, axes: impl Into<Axes>, keep_dims: bool) -> Result<Self> {
        self.reduced(&ops::SparseReduceSumSparse { keep_dims }, &axes.into())
    }

    /// As [`sum_sparse`](Self::sum_sparse), the greatest stored values.
    ///
    /// TensorFlow: `tf.sparse.reduce_max(output_is_sparse=True)`.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range.
    #[track_caller]
    pub fn max_sparse(&self, axes: impl Into<Axes>, keep_dims: bool) -> Result<Self> {
        self.reduced(&ops::SparseReduceMaxSparse { keep_dims }, &axes.into())
    }

    fn reduced(&self, op: &impl Op, axes: &Axes) -> Result<Self> {
        let (a, axes) = (self.coo()?, self.axes(axes)?.to_tensor()?.cast(DType::I32)?);
        let (indices, values, sizes): (Tensor, Tensor, Tensor) =
            op.run_as(&[&a.indices, &a.values, &a.dense_shape, &axes])?;
        Ok(Self::trusted(indices, values, sizes, &Shape::unknown()))
    }

    /// The axes of a reduction one by one.
    fn axes(&self, axes: &Axes) -> Result<ops::Integers> {
        match axes {
            Axes::List(axes) => Ok(axes.clone()),
            Axes::All => match self.shape().rank() {
                Some(rank) => Ok((0..rank as i64).collect::<Vec<_>>().into()),
                None => {
                    Ok(ops::range(0i64, ops::size(&self.dense_shape)?.cast(DType::I64)?, 1i64)?
                        .into())
                }
            },
        }
    }
}
