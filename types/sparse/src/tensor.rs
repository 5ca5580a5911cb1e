//! The sparse tensor: what it is made of and from.

use std::fmt;

use extype::array::Element;
use extype::ops::CooTensor;
use extype::prelude::*;

use crate::SparseTensorSpec;

/// A tensor of which only some elements are stored: their indices, themselves, and the sizes of the whole.
///
/// Elements that are not stored are zero. Indices ascend as a rule, row by row, and are told once: ops that need this
/// sort the values first ([`reorder`](Self::reorder)).
///
/// TensorFlow: `tf.sparse.SparseTensor`.
///
/// ```
/// use extype::prelude::*;
/// use extype_sparse::SparseTensor;
/// let x = SparseTensor::new([[0i64, 1], [2, 0]], [5.0f32, 7.0], [3i64, 2])?;
/// assert_eq!(x.type_spec().to_string(), "SparseTensorSpec(shape=[3, 2], dtype=float32)");
/// assert_eq!(x.to_string(), "[3, 2] float32, 2 stored\n(0, 1) 5.0\n(2, 0) 7.0");
/// assert_eq!(ops::transpose(&x, [1, 0])?.to_dense()?.as_slice::<f32>()?, &[0., 0., 7., 5., 0., 0.]);
/// # Ok::<(), Error>(())
/// ```
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(
    name = "sparse.SparseTensor",
    spec = SparseTensorSpec,
    structure = none,
    constructor = none,
    validate
)]
pub struct SparseTensor {
    /// The index of each value: int64 `[n, rank]`.
    pub indices: Tensor,
    /// The values: `[n]`.
    pub values: Tensor,
    /// The sizes of the dense tensor: int64 `[rank]`.
    pub dense_shape: Tensor,
    /// What is known of the sizes.
    pub(crate) shape: Shape,
}

impl Validate for SparseTensor {
    /// Each value has a place within the tensor. What a trace does not know yet passes.
    fn validate(&self) -> Result<()> {
        let Self { indices, values, dense_shape, .. } = self;
        extype::ensure_dtype!(indices, i64).map_err(|e| e.prefixed("`indices`"))?;
        extype::ensure_dtype!(dense_shape, i64).map_err(|e| e.prefixed("`dense_shape`"))?;
        let at = indices.shape().with_rank(2).map_err(|e| e.prefixed("`indices`"))?;
        let n = values.shape().with_rank(1).map_err(|e| e.prefixed("`values`"))?.dim(0)?;
        let sizes = dense_shape.shape().with_rank(1).map_err(|e| e.prefixed("`dense_shape`"))?;
        let (places, rank) = (at.dim(0)?, at.dim(1)?);
        if !places.is_compatible_with(n) {
            return Err(Error::invalid(format!("{places} indices, but {n} values")));
        }
        if !rank.is_compatible_with(sizes.dim(0)?) {
            let sizes = sizes.dim(0)?;
            return Err(Error::invalid(format!("indices of rank {rank}, but {sizes} sizes")));
        }
        let Ok(sizes) = dense_shape.as_slice::<i64>() else { return Ok(()) };
        if let Some(axis) = sizes.iter().position(|size| *size < 0) {
            let size = sizes[axis];
            return Err(Error::invalid(format!(
                "axis {axis} of `dense_shape` has the size {size}"
            )));
        }
        let Ok(indices) = indices.as_slice::<i64>() else { return Ok(()) };
        if sizes.is_empty() {
            return Ok(());
        }
        let outside = |at: &&[i64]| at.iter().zip(sizes).any(|(i, size)| *i < 0 || i >= size);
        match indices.chunks_exact(sizes.len()).enumerate().find(|(_, at)| outside(at)) {
            Some((i, at)) => Err(Error::invalid(format!(
                "value {i} is at {at:?}, outside of a tensor of {sizes:?}"
            ))),
            None => Ok(()),
        }
    }
}

impl SparseTensor {
    /// Values at their indices: int64 `[n, rank]`, `[n]` and int64 `[rank]`.
    ///
    /// # Errors
    /// `InvalidArgument` for other shapes and dtypes, negative sizes, and an index outside of the tensor; it names the
    /// value.
    ///
    /// ```
    /// use extype_sparse::SparseTensor;
    /// let e = SparseTensor::new([[0i64, 3]], [1.0f32], [2i64, 3]).unwrap_err();
    /// assert!(e.message().contains("value 0 is at [0, 3], outside of a tensor of [2, 3]"));
    /// ```
    #[track_caller]
    pub fn new(
        indices: impl TensorLike,
        values: impl TensorLike,
        dense_shape: impl TensorLike,
    ) -> Result<Self> {
        let (indices, values) = (indices.to_tensor()?, values.to_tensor()?);
        let made = Self::trusted(indices, values, dense_shape.to_tensor()?, &Shape::unknown());
        made.validate()?;
        Ok(made)
    }

    /// Without checks; `shape` is what is known of the sizes, besides what they tell themselves.
    pub(crate) fn trusted(
        indices: Tensor,
        values: Tensor,
        dense_shape: Tensor,
        shape: &Shape,
    ) -> Self {
        let told = ops::Integers::from(&dense_shape).known().and_then(|sizes| {
            let sizes = sizes.iter().map(|n| usize::try_from(*n).ok().map(Dim::from));
            sizes.collect::<Option<Shape>>()
        });
        let shape = told.unwrap_or_else(|| {
            // At least the rank.
            let rank = dense_shape.shape().dim(0).ok().and_then(Dim::size);
            rank.map_or(Shape::unknown(), Shape::of_rank).merge(shape).unwrap_or(Shape::unknown())
        });
        Self { indices, values, dense_shape, shape }
    }

    /// The elements of a dense tensor that are not zero.
    ///
    /// TensorFlow: `tf.sparse.from_dense`.
    ///
    /// # Errors
    /// None that depends on the elements.
    ///
    /// ```
    /// use extype_sparse::SparseTensor;
    /// let x = SparseTensor::from_dense([[0, 5], [7, 0]])?;
    /// assert_eq!(x.indices.as_slice::<i64>()?, &[0, 1, 1, 0]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_dense(dense: impl TensorLike) -> Result<Self> {
        let dense = dense.to_tensor()?;
        Ok(Self::of(CooTensor::from_dense(&dense)?, &dense.shape()))
    }

    /// The matrix with ones on the diagonal.
    ///
    /// TensorFlow: `tf.sparse.eye`.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype without a one.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_sparse::SparseTensor;
    /// assert_eq!(SparseTensor::eye(2, f32)?.to_dense()?.as_slice::<f32>()?, &[1.0, 0.0, 0.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn eye(size: usize, dtype: impl Into<DType>) -> Result<Self> {
        let n = i64::try_from(size).map_err(|_| Error::invalid(format!("{size} rows")))?;
        let at = ops::range(0i64, n, 1i64)?;
        let indices = ops::stack(&[&at, &at], 1)?;
        Self::new(indices, ops::ones([n], dtype.into())?, [n, n])
    }

    /// The dense tensor, zero (false, an empty string) where nothing is stored.
    ///
    /// TensorFlow: `tf.sparse.to_dense`.
    ///
    /// # Errors
    /// `InvalidArgument` for an index that is told twice; `ResourceExhausted` if the result does not fit memory.
    ///
    /// ```
    /// use extype_sparse::SparseTensor;
    /// let x = SparseTensor::new([[2i64]], [5], [4i64])?;
    /// assert_eq!(x.to_dense()?.as_slice::<i32>()?, &[0, 0, 5, 0]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn to_dense(&self) -> Result<Tensor> {
        match self.dtype() {
            DType::String => self.to_dense_with(Tensor::from_strings(&[""], &[])?),
            dtype => self.to_dense_with(ops::zeros((), dtype)?),
        }
    }

    /// The dense tensor with this scalar where nothing is stored.
    ///
    /// # Errors
    /// As [`to_dense`](Self::to_dense), and for a default of another dtype.
    ///
    /// ```
    /// use extype_sparse::SparseTensor;
    /// let x = SparseTensor::new([[2i64]], [5], [4i64])?;
    /// assert_eq!(x.to_dense_with(-1)?.as_slice::<i32>()?, &[-1, -1, 5, -1]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn to_dense_with(&self, default: impl TensorLike) -> Result<Tensor> {
        let CooTensor { indices, values, dense_shape } = self.reorder()?.coo()?;
        let op = ops::SparseToDense { validate_indices: true };
        let dense = op.run(&[&indices, &dense_shape, &values, &default.to_tensor()?])?;
        // In a trace sizes may be known that are not in `dense_shape`.
        dense.ensure_shape(self.shape.clone())
    }

    /// What is known of the sizes: all of them outside of traces.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The dtype of the values.
    pub fn dtype(&self) -> DType {
        self.values.dtype()
    }

    /// The number of stored values: an int64 scalar.
    ///
    /// # Errors
    /// None of its own.
    pub fn nnz(&self) -> Result<Tensor> {
        ops::size(&self.values)?.cast(DType::I64)
    }

    /// The stored values of each row of a matrix, with their columns, in order.
    ///
    /// # Errors
    /// `InvalidArgument` for another rank or element type, and while tracing; `ResourceExhausted` for more rows than fit
    /// memory.
    ///
    /// ```
    /// use extype_sparse::SparseTensor;
    /// let x = SparseTensor::new([[0i64, 1], [2, 0]], [5.0f32, 7.0], [3i64, 2])?;
    /// assert_eq!(x.rows::<f32>()?, [vec![(1, 5.0)], vec![], vec![(0, 7.0)]]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn rows<T: Element>(&self) -> Result<Vec<Vec<(usize, T)>>> {
        self.shape.with_rank(2).map_err(|e| e.prefixed("rows"))?;
        let sorted = self.reorder()?;
        let (values, places) = (sorted.values.as_slice::<T>()?, sorted.indices.as_slice::<i64>()?);
        let n = usize::try_from(self.dense_shape.as_slice::<i64>()?[0]).unwrap_or(0);
        let mut rows = Vec::new();
        rows.try_reserve_exact(n).map_err(|_| {
            Error::new(ErrorKind::ResourceExhausted, format!("no memory for {n} rows"))
        })?;
        rows.resize_with(n, Vec::new);
        for (at, value) in places.chunks_exact(2).zip(values) {
            // Indices were checked.
            if let Some(row) = rows.get_mut(at[0] as usize) {
                row.push((at[1] as usize, *value));
            }
        }
        Ok(rows)
    }

    /// The tensors, for ops on them. Sizes that a trace knows are constants.
    pub(crate) fn coo(&self) -> Result<CooTensor> {
        let (indices, values) = (self.indices.clone(), self.values.clone());
        Ok(CooTensor { indices, values, dense_shape: self.sizes()? })
    }

    /// A result of ops; `shape` is what is known of its sizes.
    pub(crate) fn of(coo: CooTensor, shape: &Shape) -> Self {
        Self::trusted(coo.indices, coo.values, coo.dense_shape, shape)
    }

    /// The sizes, as a constant if they are known.
    pub(crate) fn sizes(&self) -> Result<Tensor> {
        match ops::Integers::of_shape(&self.shape) {
            Some(sizes) => sizes.to_tensor(),
            None => Ok(self.dense_shape.clone()),
        }
    }

    /// Other values at the same indices.
    ///
    /// TensorFlow: `tf.SparseTensor.with_values`.
    ///
    /// # Errors
    /// `InvalidArgument` if there are not as many.
    ///
    /// ```
    /// use extype_sparse::SparseTensor;
    /// let x = SparseTensor::new([[2i64]], [5], [4i64])?;
    /// assert_eq!(x.with_values([1.5f32])?.to_dense()?.as_slice::<f32>()?, &[0.0, 0.0, 1.5, 0.0]);
    /// assert!(x.with_values([1, 2]).is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn with_values(&self, values: impl TensorLike) -> Result<Self> {
        let values = values.to_tensor()?;
        self.values
            .shape()
            .assert_compatible(&values.shape())
            .map_err(|e| e.prefixed("`values`"))?;
        Ok(Self { values, ..self.clone() })
    }
}

impl fmt::Display for SparseTensor {
    /// The shape, and one stored value a line; of many the first ones.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 20;
        let (shape, dtype) = (&self.shape, self.dtype());
        let (Ok(values), Ok(places)) = (self.values.value(), self.indices.as_slice::<i64>()) else {
            return write!(f, "{shape} {dtype}, sparse");
        };
        let (n, rank) = (values.len(), self.indices.shape().dim(1).ok().and_then(Dim::size));
        write!(f, "{shape} {dtype}, {n} stored")?;
        for i in 0..n.min(SHOWN) {
            let rank = rank.unwrap_or(0);
            let at = places[i * rank..(i + 1) * rank].iter().map(ToString::to_string);
            let one = values.view(i, []).map_err(|_| fmt::Error)?;
            write!(f, "\n({}) {one}", at.collect::<Vec<_>>().join(", "))?;
        }
        if n > SHOWN { write!(f, "\n…") } else { Ok(()) }
    }
}
