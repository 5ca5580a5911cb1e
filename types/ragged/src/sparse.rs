//! To the parts of sparse tensors and back.

use extype::ops::{Op, RaggedTensorToSparse};
use extype::prelude::*;

use crate::{ColumnsInRows, RaggedTensor, RowPartition};

impl RaggedTensor {
    /// The indices of all values, int64 `[n, rank]`, the values, and the shape of the smallest tensor that has room for
    /// all rows, int64 `[rank]`: the parts of a sparse tensor.
    ///
    /// TensorFlow: `RaggedTensor.to_sparse`.
    ///
    /// # Errors
    /// `InvalidArgument` if there is no ragged axis.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1, 2], vec![], vec![3]])?;
    /// let [indices, values, shape] = r.to_sparse()?;
    /// assert_eq!(indices.as_slice::<i64>()?, &[0, 0, 0, 1, 2, 0]);
    /// assert_eq!(values.as_slice::<i32>()?, &[1, 2, 3]);
    /// assert_eq!(shape.as_slice::<i64>()?, &[3, 2]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn to_sparse(&self) -> Result<[Tensor; 3]> {
        self.outermost()?;
        let splits = self.partitions.iter().map(RowPartition::splits);
        let inputs: Vec<&Tensor> = splits.chain([&self.flat_values]).collect();
        let (indices, values, shape) = RaggedTensorToSparse {}.run_as(&inputs)?;
        Ok([indices, values, shape])
    }

    /// From the values, indices and shape of a sparse matrix, whose rows are filled from the left without holes.
    ///
    /// TensorFlow: `RaggedTensor.from_sparse`.
    ///
    /// # Errors
    /// `InvalidArgument` for another rank, and naming the row for indices that are out of order or leave a hole.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::RaggedTensor;
    /// let (indices, shape) = (tensor![[0i64, 0], [0, 1], [2, 0]], tensor![3i64, 4]);
    /// let r = RaggedTensor::from_sparse([1, 2, 3], &indices, &shape)?;
    /// assert_eq!(r.to_string(), "[[1, 2], [], [3]]");
    /// let e = RaggedTensor::from_sparse([1], tensor![[2i64, 1]], shape).unwrap_err();
    /// assert!(e.message().contains("row 2: a value is in column 1"), "{e}");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn from_sparse(
        values: impl TensorLike,
        indices: impl TensorLike,
        dense_shape: impl TensorLike,
    ) -> Result<Self> {
        let (indices, sizes) = (indices.to_tensor()?, dense_shape.to_tensor()?);
        indices.shape().merge(&shape![?, 2]).map_err(|e| e.prefixed("the indices of a matrix"))?;
        let [rows, columns] = [0, 1].map(|i| indices.index((.., i)));
        let rows = RowPartition::from_value_rowids(rows?, Some(&sizes.index(0)?))?;
        let splits = ColumnsInRows {}.run(&[rows.splits(), &columns?])?;
        Self::from_row_splits(values, splits)
    }
}
