//! A sparse tensor as a value, and functions of it.

use crate::ops;
use crate::ops::args::Integers;
use crate::ops::methods::*;
use crate::ops::{
    Op as _, SparseCrossV2, SparseReduceMax, SparseReduceSum, SparseReorder, SparseReshape,
    SparseTensorDenseMatMul, SparseToDense,
};
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{DType, Result, bail, normalize_axis};

/// A tensor of which only some elements are stored: their indices, themselves, and the sizes of the whole.
///
/// TensorFlow: `tf.sparse.SparseTensor`. The ops of sparse tensors take the three tensors one by one; the methods here
/// are made of them, so gradients reach the values and traces record them.
///
/// ```
/// use extype::prelude::*;
/// let x = ops::CooTensor::from_dense(&tensor![[0, 5], [7, 0]])?;
/// assert_eq!(x.values.as_slice::<i32>()?, &[5, 7]);
/// assert_eq!(x.transpose([1, 0])?.to_dense()?.as_slice::<i32>()?, &[0, 7, 5, 0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CooTensor {
    /// The index of each value: int64 `[n, rank]`, in ascending order as a rule.
    pub indices: Tensor,
    /// The values: `[n]`.
    pub values: Tensor,
    /// The sizes of the dense tensor: int64 `[rank]`.
    pub dense_shape: Tensor,
}

impl CooTensor {
    /// The elements of a dense tensor that are not zero.
    ///
    /// TensorFlow: `tf.sparse.from_dense`.
    ///
    /// # Errors
    /// None that depends on the elements.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = ops::CooTensor::from_dense(&tensor![0.0f32, 2.0])?;
    /// assert_eq!(x.indices.as_slice::<i64>()?, &[1]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn from_dense(x: &Tensor) -> Result<Self> {
        let _site = call_site!();
        let indices = x.not_equal(&x.zeros_like()?)?.where_indices()?;
        let values = x.gather_nd(&indices)?;
        Ok(Self { indices, values, dense_shape: ops::shape_of(x)?.cast(DType::I64)? })
    }

    /// All combinations of the values that several matrices have in a row, as text joined by a separator.
    ///
    /// TensorFlow: `tf.sparse.cross`. Matrices of int64 or strings with as many rows.
    ///
    /// # Errors
    /// `InvalidArgument` for other shapes and dtypes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let of = |x: &Tensor| ops::CooTensor::from_dense(x);
    /// let (a, b) = (of(&tensor![[1i64], [2]])?, of(&tensor![[7i64, 8], [0, 9]])?);
    /// let y = ops::CooTensor::cross(&[&a, &b], "_X_")?;
    /// assert_eq!(y.values.to_strings()?, ["1_X_7", "1_X_8", "2_X_9"]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn cross(columns: &[&CooTensor], separator: &str) -> Result<Self> {
        let _site = call_site!();
        let separator = Tensor::from_strings(&[separator], &[])?;
        let op = SparseCrossV2 { n: columns.len() as i64 };
        let all = columns.iter().map(|column| &column.indices);
        let all = all.chain(columns.iter().map(|column| &column.values));
        let all = all.chain(columns.iter().map(|column| &column.dense_shape));
        let inputs: Vec<&Tensor> = all.chain([&separator]).collect();
        let (indices, values, dense_shape) = op.run_as(&inputs)?;
        Ok(Self { indices, values, dense_shape })
    }

    /// The dense tensor, zero where there is no value. See [`SparseToDense`] for other defaults.
    ///
    /// TensorFlow: `tf.sparse.to_dense`.
    ///
    /// # Errors
    /// `InvalidArgument` for indices that are out of range or do not ascend.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[0, 5], [7, 0]];
    /// let y = ops::CooTensor::from_dense(&x)?.to_dense()?;
    /// assert_eq!(y.as_slice::<i32>()?, &[0, 5, 7, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn to_dense(&self) -> Result<Tensor> {
        let _site = call_site!();
        let zero = ops::zeros(Vec::<i64>::new(), self.values.dtype())?;
        let op = SparseToDense { validate_indices: true };
        op.run(&[&self.indices, &self.dense_shape, &self.values, &zero])
    }

    /// The same with the indices in ascending order.
    ///
    /// TensorFlow: `tf.sparse.reorder`.
    ///
    /// # Errors
    /// `InvalidArgument` if the three tensors are not those of one sparse tensor.
    #[track_caller]
    pub fn reorder(&self) -> Result<Self> {
        let _site = call_site!();
        let inputs = [&self.indices, &self.values, &self.dense_shape];
        let (indices, values): (Tensor, Tensor) = SparseReorder {}.run_as(&inputs)?;
        Ok(Self { indices, values, ..self.clone() })
    }

    /// The axes in the order of a permutation.
    ///
    /// TensorFlow: `tf.sparse.transpose`.
    ///
    /// # Errors
    /// `OutOfRange` for an axis that is not there.
    #[track_caller]
    pub fn transpose(&self, perm: impl Into<Integers>) -> Result<Self> {
        let _site = call_site!();
        let perm = perm.into().to_tensor()?;
        let indices = self.indices.gather(&perm, 1)?;
        let dense_shape = self.dense_shape.gather(&perm, 0)?;
        Self { indices, dense_shape, values: self.values.clone() }.reorder()
    }

    /// The same values in a tensor of other sizes, one of which may be -1.
    ///
    /// TensorFlow: `tf.sparse.reshape`.
    ///
    /// # Errors
    /// `InvalidArgument` for sizes with another number of places.
    #[track_caller]
    pub fn reshape(&self, sizes: impl Into<Integers>) -> Result<Self> {
        let _site = call_site!();
        let sizes = sizes.into().to_tensor()?.cast(DType::I64)?;
        let inputs = [&self.indices, &self.dense_shape, &sizes];
        let (indices, dense_shape): (Tensor, Tensor) = SparseReshape {}.run_as(&inputs)?;
        Ok(Self { indices, dense_shape, values: self.values.clone() })
    }

    /// A new axis of size 1 before `axis`; negative axes count from the end of the result.
    ///
    /// TensorFlow: `tf.sparse.expand_dims`.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range.
    #[track_caller]
    pub fn expand_dims(&self, axis: i64) -> Result<Self> {
        let _site = call_site!();
        let rank = ops::size(&self.dense_shape)?;
        if let Some(rank) = self.dense_shape.shape().dim(0)?.size() {
            normalize_axis(axis, rank + 1)?;
        }
        let at = if axis < 0 { ops::add(&rank, axis + 1)? } else { Tensor::scalar(axis) };
        // The new axis is put behind the others, and then takes its place.
        let new = rank.reshape([1])?;
        let (before, behind) = (ops::range(0i64, &at, 1i64)?, ops::range(&at, &rank, 1i64)?);
        let order = ops::concat(&[&before, &new, &behind], 0)?;
        let zeros = self.indices.reduce_sum(1, true)?.zeros_like()?;
        let one = Tensor::from_vec(vec![1i64]);
        Ok(Self {
            indices: ops::concat(&[&self.indices, &zeros], 1)?.gather(&order, 1)?,
            dense_shape: ops::concat(&[&self.dense_shape, &one], 0)?.gather(&order, 0)?,
            values: self.values.clone(),
        })
    }

    /// The same in a tensor of other sizes, none of which is smaller; without sizes, in the smallest one.
    ///
    /// TensorFlow: `tf.sparse.reset_shape`.
    ///
    /// # Errors
    /// `InvalidArgument` for sizes that are smaller.
    #[track_caller]
    pub fn reset_shape(&self, sizes: Option<Integers>) -> Result<Self> {
        let _site = call_site!();
        let dense_shape = match sizes {
            Some(sizes) => {
                let sizes = sizes.to_tensor()?.cast(DType::I64)?;
                if let (Tensor::Value(old), Tensor::Value(new)) = (&self.dense_shape, &sizes) {
                    let (old, new) = (old.as_slice::<i64>()?, new.as_slice::<i64>()?);
                    if old.len() != new.len() || old.iter().zip(new).any(|(old, new)| old > new) {
                        bail!("sizes {new:?} for {old:?}; as many and none smaller are wanted");
                    }
                }
                sizes
            }
            None => {
                let largest = self.indices.reduce_max(0, false)?;
                // Without values the largest index is the lowest integer.
                ops::add(&ops::maximum(&largest, -1i64)?, 1i64)?
            }
        };
        Ok(Self { dense_shape, ..self.clone() })
    }

    /// The values where `keep` is true: bool `[n]`.
    ///
    /// TensorFlow: `tf.sparse.retain`.
    ///
    /// # Errors
    /// `InvalidArgument` for another number of bools.
    #[track_caller]
    pub fn retain(&self, keep: &Tensor) -> Result<Self> {
        let _site = call_site!();
        let at = keep.where_indices()?.reshape([-1])?;
        let (indices, values) = (self.indices.gather(&at, 0)?, self.values.gather(&at, 0)?);
        if !keep.shape().is_compatible_with(&self.values.shape()) {
            bail!("{} for values {}", keep.shape(), self.values.shape());
        }
        Ok(Self { indices, values, ..self.clone() })
    }

    fn reduced(&self, axes: impl Into<Integers>) -> Result<[Tensor; 4]> {
        let axes = axes.into().to_tensor()?.cast(DType::I32)?;
        Ok([self.indices.clone(), self.values.clone(), self.dense_shape.clone(), axes])
    }

    /// The sums over axes, dense.
    ///
    /// TensorFlow: `tf.sparse.reduce_sum`.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range.
    #[track_caller]
    pub fn reduce_sum(&self, axes: impl Into<Integers>, keep_dims: bool) -> Result<Tensor> {
        let _site = call_site!();
        SparseReduceSum { keep_dims }.run(&self.reduced(axes)?.each_ref())
    }

    /// The greatest values over axes, dense; zero where there is no value.
    ///
    /// TensorFlow: `tf.sparse.reduce_max`.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range.
    #[track_caller]
    pub fn reduce_max(&self, axes: impl Into<Integers>, keep_dims: bool) -> Result<Tensor> {
        let _site = call_site!();
        SparseReduceMax { keep_dims }.run(&self.reduced(axes)?.each_ref())
    }

    /// The product with a dense matrix.
    ///
    /// TensorFlow: `tf.sparse.sparse_dense_matmul`.
    ///
    /// # Errors
    /// `InvalidArgument` for operands that are no matrices or do not fit.
    #[track_caller]
    pub fn matmul(&self, dense: impl TensorLike) -> Result<Tensor> {
        let _site = call_site!();
        let op = SparseTensorDenseMatMul { adjoint_a: false, adjoint_b: false };
        op.run(&[&self.indices, &self.values, &self.dense_shape, &*dense.lend()?])
    }

    /// True at each value of each row: each value, an integer below `vocab_size`, replaces the last index.
    ///
    /// TensorFlow: `tf.sparse.to_indicator`. A dense bool tensor `[…, vocab_size]`.
    ///
    /// # Errors
    /// `InvalidArgument` for values that are no integers or out of range.
    #[track_caller]
    pub fn to_indicator(&self, vocab_size: i64) -> Result<Tensor> {
        let _site = call_site!();
        let last = ops::sub(ops::size(&self.dense_shape)?, 1i64)?.reshape([1])?;
        let all = Tensor::from_vec(vec![-1i64]);
        let front = self.indices.slice([0, 0], &ops::concat(&[&all, &last], 0)?)?;
        let ids = self.values.cast(DType::I64)?.expand_dims(1)?;
        let sizes = self.dense_shape.slice([0], &last)?;
        let indicator = Self {
            indices: ops::concat(&[&front, &ids], 1)?,
            values: self.values.ones_like()?.cast(DType::Bool)?,
            dense_shape: ops::concat(&[&sizes, &Tensor::from_vec(vec![vocab_size])], 0)?,
        };
        let dense = indicator.reorder()?;
        let no = Tensor::scalar(false);
        let op = SparseToDense { validate_indices: false };
        op.run(&[&dense.indices, &dense.dense_shape, &dense.values, &no])
    }
}
