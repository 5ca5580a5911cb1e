//! Gradients that are zero except for some slices.

use crate::ops;
use crate::ops::methods::*;
use crate::ops::{Integers, IntegersLike};
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, Dim, Result, Shape, bail};

/// A tensor that is zero except for some slices along its first axis. It is the gradient of a
/// tensor that [`gather`](ops::gather) read from, such as a table of embeddings. Slices with the
/// same index add up.
///
/// TensorFlow: `tf.IndexedSlices`.
///
/// ```
/// use extype::prelude::*;
/// let table = Variable::new(tensor![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]])?;
/// let tape = GradientTape::new();
/// let (_, g) = tape.value_and_gradient(&table, || table.read()?.gather(&tensor![2, 0, 2], 0))?;
/// let slices = g.slices_of(&table)?.unwrap();
/// assert_eq!(slices.indices().as_slice::<i32>()?, &[2, 0, 2]);
/// assert_eq!(slices.to_dense()?.as_slice::<f32>()?, &[1.0, 1.0, 0.0, 0.0, 2.0, 2.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct IndexedSlices {
    values: Tensor,
    indices: Tensor,
    dense_shape: Tensor,
}

impl IndexedSlices {
    /// Slices `values` of shape `[n, …]` at `n` `indices` (int32 or int64) of a tensor of shape
    /// `dense_shape`. The shape is a vector of int64, or of int32 if it is given as such a tensor.
    ///
    /// # Errors
    /// `InvalidArgument` for shapes or dtypes that don't fit.
    ///
    /// ```
    /// use extype::gradient::IndexedSlices;
    /// use extype::prelude::*;
    /// let rows = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    /// let slices = IndexedSlices::new(&rows, &tensor![2, 0], [3, 2])?;
    /// assert_eq!(slices.to_dense()?.as_slice::<f32>()?, &[3.0, 4.0, 0.0, 0.0, 1.0, 2.0]);
    /// assert!(IndexedSlices::new(&rows, &tensor![2], [3, 2]).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(values: &Tensor, indices: &Tensor, dense_shape: impl IntegersLike) -> Result<Self> {
        let dense_shape = dense_shape.into().to_tensor()?;
        if !matches!(indices.dtype(), DType::I32 | DType::I64)
            || indices.rank().is_some_and(|r| r != 1)
        {
            bail!(
                "the indices of slices are a vector of int32 or int64, not {}",
                indices.tensor_type()
            );
        }
        if values.rank() == Some(0) {
            bail!("slices lie along a first axis; a scalar of {} has none", values.dtype());
        }
        if let (Some(rank), Some(n)) = (values.rank(), dense_shape.shape().num_elements())
            && rank != n
        {
            bail!("slices of shape {} for a tensor of rank {n}", values.shape());
        }
        let sizes = Integers::Tensor(dense_shape.clone()).known();
        if let (Some(of_values), Some(sizes)) = (values.shape().sizes(), sizes)
            && of_values[1..].iter().zip(&sizes[1..]).any(|(a, b)| i64::try_from(*a) != Ok(*b))
        {
            bail!("slices of shape {} for a tensor of shape {sizes:?}", values.shape());
        }
        let (count, given) = (values.shape().slice(None, Some(1)), indices.shape());
        if !count.is_compatible_with(&given) {
            bail!("slices of shape {} at indices of shape {given}", values.shape());
        }
        Ok(Self { values: values.clone(), indices: indices.clone(), dense_shape })
    }

    /// The slices.
    ///
    /// ```
    /// use extype::gradient::IndexedSlices;
    /// use extype::prelude::*;
    /// let slices = IndexedSlices::new(&tensor![[1.0f32, 2.0]], &tensor![4], [1000, 2])?;
    /// assert_eq!(slices.values().as_slice::<f32>()?, &[1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn values(&self) -> &Tensor {
        &self.values
    }

    /// The indices of the slices along the first axis.
    ///
    /// ```
    /// use extype::gradient::IndexedSlices;
    /// use extype::prelude::*;
    /// let slices = IndexedSlices::new(&tensor![[1.0f32, 2.0]], &tensor![4], [1000, 2])?;
    /// assert_eq!(slices.indices().as_slice::<i32>()?, &[4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn indices(&self) -> &Tensor {
        &self.indices
    }

    /// The sizes of the whole tensor, a vector of int64 (of int32 if it was given as such a tensor).
    ///
    /// ```
    /// use extype::gradient::IndexedSlices;
    /// use extype::prelude::*;
    /// let slices = IndexedSlices::new(&tensor![[1.0f32, 2.0]], &tensor![4], [1000, 2])?;
    /// assert_eq!(slices.dense_shape().as_slice::<i64>()?, &[1000, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn dense_shape(&self) -> &Tensor {
        &self.dense_shape
    }

    /// The element type.
    ///
    /// ```
    /// use extype::gradient::IndexedSlices;
    /// use extype::prelude::*;
    /// assert_eq!(IndexedSlices::new(&tensor![1.0f64], &tensor![4], [10])?.dtype(), f64);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn dtype(&self) -> DType {
        self.values.dtype()
    }

    /// Maps the values and keeps the indices; the new values have the same shape.
    ///
    /// # Errors
    /// What `f` fails with; `InvalidArgument` if it returns another shape.
    ///
    /// ```
    /// use extype::gradient::IndexedSlices;
    /// use extype::prelude::*;
    /// let slices = IndexedSlices::new(&tensor![2.0f32, -8.0], &tensor![0, 2], [3])?;
    /// let clipped = slices.map_values(|values| values.clip(-1.0, 1.0))?;
    /// assert_eq!(clipped.to_dense()?.as_slice::<f32>()?, &[1.0, 0.0, -1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn map_values(&self, f: impl FnOnce(&Tensor) -> Result<Tensor>) -> Result<Self> {
        let values = f(&self.values)?;
        if !values.shape().is_compatible_with(&self.values.shape()) {
            bail!("slices of {} were mapped to {}", self.values.shape(), values.shape());
        }
        Ok(Self { values, ..self.clone() })
    }

    /// The whole tensor.
    ///
    /// # Errors
    /// `InvalidArgument` for an index past the end; `ResourceExhausted` if there is no memory for it.
    ///
    /// ```
    /// use extype::gradient::IndexedSlices;
    /// use extype::prelude::*;
    /// let slices = IndexedSlices::new(&tensor![1.0f32, 2.0, 4.0], &tensor![3, 0, 3], [4])?;
    /// assert_eq!(slices.to_dense()?.as_slice::<f32>()?, &[2.0, 0.0, 0.0, 5.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn to_dense(&self) -> Result<Tensor> {
        let _site = call_site!();
        let count = self.dense_shape.gather(&Tensor::scalar(0i64), 0)?;
        ops::unsorted_segment_sum(&self.values, &self.indices, &count)
    }

    /// Adds up the slices of each index, so that each index occurs once. Updates that are not
    /// linear need this.
    ///
    /// # Errors
    /// What the ops fail with.
    ///
    /// ```
    /// use extype::gradient::IndexedSlices;
    /// use extype::prelude::*;
    /// let slices = IndexedSlices::new(&tensor![1.0f32, 2.0, 4.0], &tensor![3, 0, 3], [4])?.combined()?;
    /// assert_eq!(slices.indices().as_slice::<i32>()?, &[3, 0]);
    /// assert_eq!(slices.values().as_slice::<f32>()?, &[5.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn combined(&self) -> Result<Self> {
        let _site = call_site!();
        let (places, which) = ops::unique(&self.indices)?;
        let count = ops::size(&places)?;
        let values = ops::unsorted_segment_sum(&self.values, &which, &count)?;
        Ok(Self { values, indices: places, dense_shape: self.dense_shape.clone() })
    }

    /// The sum of several.
    pub(crate) fn sum(parts: &[IndexedSlices]) -> Result<Self> {
        if let [only] = parts {
            return Ok(only.clone());
        }
        let wide = parts.iter().any(|p| p.indices.dtype() == DType::I64);
        let index = |p: &IndexedSlices| match wide {
            true => p.indices.cast(DType::I64),
            false => Ok(p.indices.clone()),
        };
        let indices = parts.iter().map(index).collect::<Result<Vec<_>>>()?;
        let values: Vec<&Tensor> = parts.iter().map(Self::values).collect();
        Ok(Self {
            values: ops::concat(&values, 0)?,
            indices: ops::concat(&indices.iter().collect::<Vec<_>>(), 0)?,
            dense_shape: parts[0].dense_shape.clone(),
        })
    }

    /// The tensors that represent the slices in calls of functions.
    pub(crate) fn into_parts(self) -> [Tensor; 3] {
        [self.values, self.indices, self.dense_shape]
    }

    /// The slices from the tensors of [`into_parts`](Self::into_parts).
    pub(crate) fn from_parts([values, indices, dense_shape]: [Tensor; 3]) -> Self {
        Self { values, indices, dense_shape }
    }
}

/// A gradient as rules return it.
#[derive(Clone, Debug)]
pub enum InputGradient {
    /// A whole tensor.
    Dense(Tensor),
    /// The slices that are not zero.
    Slices(IndexedSlices),
}

impl InputGradient {
    /// The gradient as a whole tensor.
    ///
    /// # Errors
    /// As [`IndexedSlices::to_dense`].
    ///
    /// ```
    /// use extype::gradient::{IndexedSlices, InputGradient};
    /// use extype::prelude::*;
    /// let slices = IndexedSlices::new(&tensor![1.0f32], &tensor![1], [3])?;
    /// let (whole, part) = (InputGradient::from(tensor![1.0f32, 2.0]), InputGradient::from(slices));
    /// assert_eq!(whole.to_dense()?.as_slice::<f32>()?, &[1.0, 2.0]);
    /// assert_eq!(part.to_dense()?.as_slice::<f32>()?, &[0.0, 1.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_dense(&self) -> Result<Tensor> {
        match self {
            InputGradient::Dense(g) => Ok(g.clone()),
            InputGradient::Slices(slices) => slices.to_dense(),
        }
    }

    pub(crate) fn dtype(&self) -> DType {
        match self {
            InputGradient::Dense(g) => g.dtype(),
            InputGradient::Slices(slices) => slices.dtype(),
        }
    }

    /// The shape of the whole tensor, as far as it is known.
    pub(crate) fn shape(&self) -> Shape {
        match self {
            InputGradient::Dense(g) => g.shape(),
            InputGradient::Slices(slices) => {
                let sizes = Integers::Tensor(slices.dense_shape.clone()).known();
                sizes.map_or_else(Shape::unknown, |sizes| {
                    sizes
                        .iter()
                        .map(|n| usize::try_from(*n).map_or(Dim::UNKNOWN, Dim::from))
                        .collect()
                })
            }
        }
    }

    pub(crate) fn into_dense(self) -> Result<Tensor> {
        match self {
            InputGradient::Dense(g) => Ok(g),
            InputGradient::Slices(slices) => slices.to_dense(),
        }
    }
}

impl From<Tensor> for InputGradient {
    fn from(g: Tensor) -> Self {
        InputGradient::Dense(g)
    }
}

impl From<IndexedSlices> for InputGradient {
    fn from(slices: IndexedSlices) -> Self {
        InputGradient::Slices(slices)
    }
}
