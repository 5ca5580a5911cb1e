//! To dense tensors and back.

use extype::control::Join;
use extype::ops::Op;
use extype::prelude::*;

use crate::{CellsOfEntries, DenseCells, RaggedTensor, RowPartition};

impl RaggedTensor {
    /// A dense tensor with every row filled to the longest of its axis: `[rows, longest, …]`.
    /// `padding` is a scalar of the values' dtype.
    ///
    /// TensorFlow: `RaggedTensor.to_tensor`.
    ///
    /// # Errors
    /// `InvalidArgument` if the padding is no scalar of the dtype; `ResourceExhausted` if the
    /// result does not fit memory.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1, 2], vec![], vec![3]])?;
    /// assert_eq!(r.to_dense(-1)?.as_slice::<i32>()?, &[1, 2, -1, -1, 3, -1]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn to_dense(&self, padding: impl TensorLike) -> Result<Tensor> {
        let padding = padding.to_tensor()?;
        if padding.dtype() != self.flat_values.dtype() {
            return Err(Error::invalid(format!(
                "the padding is {}, the values are {}",
                padding.dtype(),
                self.flat_values.dtype()
            )));
        }
        let mut dense = self.flat_values.clone();
        for rows in self.partitions.iter().rev() {
            // One more entry, of padding alone, is what empty cells show.
            let sizes = ops::shape_of(&dense)?.slice([1], [-1])?;
            let one = Tensor::from_vec(vec![1i64]);
            let filler = ops::fill(&ops::concat(&[&one, &sizes], 0)?, &padding)?;
            let cells = DenseCells {}.run(&[rows.splits(), &rows.longest()?])?;
            dense = ops::concat(&[&dense, &filler], 0)?.gather(&cells, 0)?;
        }
        Ok(dense)
    }

    /// The rows of a dense tensor `[rows, width, …]`, all of one length, as one ragged axis.
    ///
    /// TensorFlow: `RaggedTensor.from_tensor`.
    ///
    /// # Errors
    /// `InvalidArgument` if the rank is below 2 or unknown.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_tensor([[1, 2], [3, 4]])?;
    /// assert_eq!((r.ragged_rank(), r.to_string().as_str()), (1, "[[1, 2], [3, 4]]"));
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_tensor(dense: impl TensorLike) -> Result<Self> {
        let dense = dense.to_tensor()?;
        let shape = dense.shape().with_rank_at_least(2)?;
        // Rows without entries don't tell their number.
        let known = |axis| shape.dim(axis).ok().and_then(Dim::size).map(|n| n as i64);
        let sizes = ops::shape_of(&dense)?;
        let size = |axis: i64| match known(axis) {
            Some(n) => Ok(Tensor::scalar(n)),
            None => sizes.gather(axis, 0),
        };
        let (rows, width) = (size(0)?, size(1)?);
        let ends = ops::range(0i64, &ops::add(&rows, 1)?, 1i64)?;
        let entries = ops::mul(&rows, &width)?.reshape([1i64])?;
        let flat = dense.reshape(&ops::concat(&[&entries, &sizes.slice([2], [-1])?], 0)?)?;
        Self::from_row_splits(flat, ops::mul(&ends, &width)?)
    }

    /// The first entries of each row of a dense tensor `[rows, width, …]`: as many as `lengths`, int32
    /// or int64 `[rows]`, says.
    ///
    /// TensorFlow: `RaggedTensor.from_tensor(tensor, lengths=…)`.
    ///
    /// # Errors
    /// `InvalidArgument` naming the row, if a length is negative or larger than the width.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_dense_rows([[1, 2], [3, 4], [5, 6]], [2i64, 0, 1])?;
    /// assert_eq!(r.to_string(), "[[1, 2], [], [5]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_dense_rows(dense: impl TensorLike, lengths: impl TensorLike) -> Result<Self> {
        let dense = dense.to_tensor()?;
        dense.shape().with_rank_at_least(2)?;
        let sizes = ops::shape_of(&dense)?;
        let width = sizes.slice([1], [1])?.reshape([0i64; 0])?;
        let rows = RowPartition::from_lengths(lengths.to_tensor()?.cast(DType::I64)?)?;
        if let (Some(n), Some(given)) = (dense.shape().dim(0)?.size(), rows.static_nrows())
            && n != given
        {
            return Err(Error::invalid(format!("{given} lengths are given for {n} rows")));
        }
        let cells = CellsOfEntries {}.run(&[rows.splits(), &width])?;
        let inner = sizes.slice([2], [-1])?;
        let flat = dense.reshape(&ops::concat(&[&Tensor::from_vec(vec![-1i64]), &inner], 0)?)?;
        Self::from_row_partition(flat.gather(&cells, 0)?, rows)
    }

    /// The rows of a dense tensor `[rows, width, …]` without the padding at their ends: trailing
    /// entries in which every element equals `padding`.
    ///
    /// TensorFlow: `RaggedTensor.from_tensor(tensor, padding=…)`.
    ///
    /// # Errors
    /// `InvalidArgument` if the rank is below 2 or the padding of another dtype.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_padded([[1, 0, 2, 0], [0, 0, 0, 0]], 0)?;
    /// assert_eq!(r.to_string(), "[[1, 0, 2], []]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_padded(dense: impl TensorLike, padding: impl TensorLike) -> Result<Self> {
        let dense = dense.to_tensor()?;
        dense.shape().with_rank_at_least(2)?;
        let rank =
            dense.rank().ok_or_else(|| Error::invalid("the rank of the tensor is unknown"))?;
        let inner: Vec<i64> = (2..rank as i64).collect();
        let kept = dense.not_equal(&padding.to_tensor()?)?.reduce_any(inner, false)?;
        let width = ops::shape_of(&kept)?.slice([1], [1])?.reshape([0i64; 0])?;
        let ends = ops::range(Tensor::scalar(1i64), &ops::add(&width, 1)?, Tensor::scalar(1i64))?;
        let ends = ops::mul(&kept.cast(DType::I64)?, &ends)?;
        // Of rows without any cell the maximum is the lowest number.
        let lengths = ends.reduce_max(1, false)?.maximum(0)?;
        Self::from_dense_rows(dense, lengths)
    }
}

/// A conditional with a ragged and a dense arm is ragged: the rows of the dense one are rows of one length, and
/// there is one ragged axis.
impl Join<Tensor> for RaggedTensor {
    type Joined = Self;

    fn join_self(self) -> Result<Self> {
        Ok(self)
    }

    fn join_other(dense: Tensor) -> Result<Self> {
        Self::from_tensor(dense)
    }
}
extype::join_both_ways!(RaggedTensor, Tensor);
