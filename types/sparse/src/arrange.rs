//! Ops that move values to other indices.

use extype::ops::{CooTensor, Integers};
use extype::prelude::*;

use crate::SparseTensor;

#[dispatch]
impl SparseTensor {
    /// Along an axis of which the sizes may differ.
    #[overrides(concat)]
    fn concat(xs: &[&Self], axis: Axis) -> Result<Self> {
        let parts = xs.iter().map(|x| x.coo()).collect::<Result<Vec<_>>>()?;
        let inputs: Vec<&Tensor> = parts
            .iter()
            .map(|x| &x.indices)
            .chain(parts.iter().map(|x| &x.values))
            .chain(parts.iter().map(|x| &x.dense_shape))
            .collect();
        let op = ops::SparseConcat { concat_dim: axis.0 };
        let (indices, values, sizes): (Tensor, Tensor, Tensor) = op.run_as(&inputs)?;
        let shape = joined(xs, axis.0).unwrap_or(Shape::unknown());
        Ok(Self::trusted(indices, values, sizes, &shape))
    }

    /// The box that begins at `begin`; a size of -1 takes all that is left.
    #[overrides(slice)]
    fn slice(x: &Self, begin: &Integers, size: &Integers) -> Result<Self> {
        let a = x.coo()?;
        let (begin, size) =
            (begin.to_tensor()?.cast(DType::I64)?, size.to_tensor()?.cast(DType::I64)?);
        let left = ops::sub(&a.dense_shape, &begin)?;
        let size = ops::select(&size.equal(-1i64)?, &left, &size)?;
        let inputs = [&a.indices, &a.values, &a.dense_shape, &begin, &size];
        let (indices, values, sizes): (Tensor, Tensor, Tensor) =
            ops::SparseSlice {}.run_as(&inputs)?;
        Ok(Self::trusted(indices, values, sizes, &x.of_rank()))
    }

    /// As many places in other sizes, one of which may be -1.
    #[overrides(reshape)]
    fn reshape(x: &Self, shape: &Integers) -> Result<Self> {
        let known = shape.known().map(|sizes| {
            sizes.iter().map(|n| Dim::from(usize::try_from(*n).ok())).collect::<Shape>()
        });
        Ok(Self::of(x.coo()?.reshape(shape.clone())?, &known.unwrap_or(Shape::unknown())))
    }

    /// The axes in another order.
    #[overrides(transpose)]
    fn transpose(x: &Self, perm: &Integers) -> Result<Self> {
        let (Some(order), Some(dims)) = (perm.known(), x.shape().dims()) else {
            return Ok(Self::of(x.coo()?.transpose(perm.clone())?, &x.of_rank()));
        };
        let rank = dims.len() as i64;
        let order: Vec<i64> = order.iter().map(|i| if *i < 0 { i + rank } else { *i }).collect();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..rank) {
            return Err(Error::invalid(format!("{order:?} is no order of {rank} axes")));
        }
        let known: Shape = order.iter().map(|i| dims[*i as usize]).collect();
        Ok(Self::of(x.coo()?.transpose(order)?, &known))
    }

    /// A new axis of size 1.
    #[overrides(expand_dims)]
    fn expand_dims(x: &Self, axis: Axis) -> Result<Self> {
        let known = x.shape().rank().and_then(|rank| {
            let at = if axis.0 < 0 { axis.0 + rank as i64 + 1 } else { axis.0 };
            Some(x.shape().insert(usize::try_from(at).ok().filter(|at| *at <= rank)?, Dim::from(1)))
        });
        Ok(Self::of(x.coo()?.expand_dims(axis.0)?, &known.unwrap_or(Shape::unknown())))
    }
}

/// The shape of sparse tensors joined along an axis, as far as it is known.
fn joined(xs: &[&SparseTensor], axis: i64) -> Option<Shape> {
    let mut dims = xs.first()?.shape().dims()?.to_vec();
    let axis = usize::try_from(if axis < 0 { axis + dims.len() as i64 } else { axis }).ok()?;
    let sizes = xs.iter().map(|x| x.shape().dims()?.get(axis)?.size());
    *dims.get_mut(axis)? = Dim::from(sizes.sum::<Option<usize>>());
    Some(dims.into_iter().collect())
}

impl SparseTensor {
    /// The values in the order of their indices.
    ///
    /// TensorFlow: `tf.sparse.reorder`.
    ///
    /// # Errors
    /// None of its own.
    ///
    /// ```
    /// use extype_sparse::SparseTensor;
    /// let x = SparseTensor::new([[2i64], [0]], [5, 7], [3i64])?;
    /// assert_eq!(x.reorder()?.values.as_slice::<i32>()?, &[7, 5]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn reorder(&self) -> Result<Self> {
        let CooTensor { indices, values, .. } = self.coo()?.reorder()?;
        Ok(Self { indices, values, ..self.clone() })
    }

    /// The values where `keep`, bool `[n]`, is true.
    ///
    /// TensorFlow: `tf.sparse.retain`.
    ///
    /// # Errors
    /// `InvalidArgument` for another number of bools.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_sparse::SparseTensor;
    /// let x = SparseTensor::from_dense([1, -2, 3])?;
    /// assert_eq!(x.retain(&x.values.greater(0)?)?.to_dense()?.as_slice::<i32>()?, &[1, 0, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn retain(&self, keep: &Tensor) -> Result<Self> {
        let CooTensor { indices, values, .. } = self.coo()?.retain(keep)?;
        Ok(Self { indices, values, ..self.clone() })
    }

    /// A default at the first place of each row without values, and which rows these are: bool `[rows]`. For matrices.
    ///
    /// TensorFlow: `tf.sparse.fill_empty_rows`.
    ///
    /// # Errors
    /// `InvalidArgument` for another rank, and a default that is no scalar of the dtype.
    ///
    /// ```
    /// use extype_sparse::SparseTensor;
    /// let x = SparseTensor::from_dense([[0, 1], [0, 0]])?;
    /// let (filled, empty) = x.fill_empty_rows(9)?;
    /// assert_eq!(filled.to_dense()?.as_slice::<i32>()?, &[0, 1, 9, 0]);
    /// assert_eq!(empty.as_slice::<bool>()?, &[false, true]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn fill_empty_rows(&self, default: impl TensorLike) -> Result<(Self, Tensor)> {
        let (a, default) = (self.coo()?, default.to_tensor()?);
        let inputs = [&a.indices, &a.values, &a.dense_shape, &default];
        let results: Vec<Tensor> = ops::SparseFillEmptyRows {}.run_as(&inputs)?;
        let [indices, values, empty, _] = <[Tensor; 4]>::try_from(results)
            .map_err(|_| Error::internal("the op has four results"))?;
        Ok((Self { indices, values, ..self.clone() }, empty))
    }

    /// The same values in a tensor of other sizes, none of which is smaller; `..` takes the smallest that hold them.
    ///
    /// TensorFlow: `tf.sparse.reset_shape`.
    ///
    /// # Errors
    /// `InvalidArgument` for sizes that are smaller, or another number of them.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_sparse::SparseTensor;
    /// let x = SparseTensor::new([[2i64]], [5], [9i64])?;
    /// assert_eq!(x.reset_shape(None)?.shape(), &shape![3]);
    /// assert_eq!(x.reset_shape(Some([20].into()))?.shape(), &shape![20]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn reset_shape(&self, sizes: Option<Integers>) -> Result<Self> {
        Ok(Self::of(self.coo()?.reset_shape(sizes)?, &self.of_rank()))
    }

    /// True at each value of each row: each value, an integer below `vocab_size`, replaces the last index. A dense bool
    /// tensor `[…, vocab_size]`.
    ///
    /// TensorFlow: `tf.sparse.to_indicator`.
    ///
    /// # Errors
    /// `InvalidArgument` for values that are no integers or out of range.
    ///
    /// ```
    /// use extype_sparse::SparseTensor;
    /// let x = SparseTensor::new([[0i64, 0], [0, 1]], [2i64, 0], [1i64, 2])?;
    /// assert_eq!(x.to_indicator(3)?.as_slice::<bool>()?, &[true, false, true]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn to_indicator(&self, vocab_size: i64) -> Result<Tensor> {
        self.coo()?.to_indicator(vocab_size)
    }

    /// A shape of the same rank.
    fn of_rank(&self) -> Shape {
        self.shape().rank().map_or(Shape::unknown(), Shape::of_rank)
    }
}
