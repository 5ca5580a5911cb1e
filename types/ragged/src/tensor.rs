//! The ragged tensor: what it is made of.

use extype::prelude::*;

use crate::partition::kernels::check_end;
use crate::partition::{RowPartition, known, whole};
use crate::spec::RaggedTensorSpec;

/// A tensor whose rows have different lengths.
///
/// `flat_values` are the values of all rows in order. `partitions` divide them into rows, the outermost first: row `i`
/// holds the entries `splits[i] .. splits[i + 1]` of the level below, and the innermost level holds the rows of
/// `flat_values`. The number of partitions, the ragged rank, is part of the type: a traced function gets a trace for
/// each, and for each number of rows that it knows ([`RaggedTensorSpec`]). Axis 0 counts the outermost rows, the axes
/// `1 ..= ragged_rank` are ragged, those behind are uniform. A tensor without partitions is a plain one (what is left
/// when all ragged axes are reduced): see [`into_tensor`](Self::into_tensor).
///
/// TensorFlow: `tf.RaggedTensor`.
///
/// ```
/// use extype::prelude::*;
/// use extype_ragged::RaggedTensor;
///
/// let r = RaggedTensor::from_row_splits([1.0f32, 4.0, 9.0], [0i64, 2, 2, 3])?;
/// assert_eq!(ops::sqrt(&r)?.to_string(), "[[1.0, 2.0], [], [3.0]]");
/// assert_eq!((&r + &r).to_string(), "[[2.0, 8.0], [], [18.0]]");
/// assert_eq!(r.shape(), shape![3, ?]);
/// assert_eq!(
///     r.type_spec().to_string(),
///     "RaggedTensorSpec(shape=[3, ?], dtype=float32, ragged_rank=1, row_splits_dtype=int64)"
/// );
/// # Ok::<(), Error>(())
/// ```
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(
    name = "ragged.RaggedTensor",
    spec = RaggedTensorSpec,
    structure = none,
    validate
)]
pub struct RaggedTensor {
    /// The values of all rows: rank 1 or more if there are partitions, any dtype.
    pub flat_values: Tensor,
    /// The partitions, outermost first, all of one dtype.
    pub partitions: Vec<RowPartition>,
}

impl Validate for RaggedTensor {
    /// Partitions that are symbols of a trace are checked for dtype and number only.
    fn validate(&self) -> Result<()> {
        let Some(first) = self.partitions.first() else { return Ok(()) };
        let flat = self.flat_values.shape().with_rank_at_least(1);
        let values = flat.map_err(|e| e.prefixed("field `flat_values`"))?.dim(0)?.size();
        for (level, rows) in self.partitions.iter().enumerate() {
            let at = |e: Error| e.prefixed(format_args!("field `partitions[{level}]`"));
            if rows.dtype() != first.dtype() {
                return Err(at(Error::invalid(format!(
                    "its rows are told by {}, those of `partitions[0]` by {}; give \
                     `with_row_splits_dtype` one of both",
                    rows.dtype(),
                    first.dtype()
                ))));
            }
            rows.check().map_err(at)?;
            let below = match self.partitions.get(level + 1) {
                Some(inner) => inner.static_nrows(),
                None => values,
            };
            if let (Some(n), Some(end)) = (rows.static_nrows(), rows.end())
                && let Some(below) = below.and_then(|n| i64::try_from(n).ok())
            {
                check_end(n, end, below).map_err(at)?;
            }
        }
        Ok(())
    }
}

impl RaggedTensor {
    /// The values of all rows in order.
    pub fn flat_values(&self) -> &Tensor {
        &self.flat_values
    }

    /// The number of ragged axes.
    pub fn ragged_rank(&self) -> usize {
        self.partitions.len()
    }

    /// The dtype of the values.
    pub fn dtype(&self) -> DType {
        self.flat_values.dtype()
    }

    /// The dtype of the partitions: int32 or int64.
    pub fn row_splits_dtype(&self) -> DType {
        self.partitions.first().map_or(DType::I64, RowPartition::dtype)
    }

    /// What is known of the shape, also while tracing: sizes of ragged axes are known if they are uniform.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::RaggedTensor;
    /// let pairs = RaggedTensor::from_row_lengths([[1, 2], [3, 4], [5, 6]], [1, 2])?;
    /// assert_eq!(pairs.shape(), shape![2, ?, 2]);
    /// let even = RaggedTensor::from_uniform_row_length(pairs, 2, None)?;
    /// assert_eq!(even.shape(), shape![1, 2, ?, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn shape(&self) -> Shape {
        let flat = self.flat_values.shape();
        let Some(first) = self.partitions.first() else { return flat };
        let Some(dims) = flat.dims() else { return flat };
        let ragged = self.partitions.iter().map(|rows| Dim::from(rows.uniform_row_length()));
        let outer = std::iter::once(Dim::from(first.static_nrows())).chain(ragged);
        outer.chain(dims.iter().skip(1).copied()).collect()
    }

    /// The number of axes, ragged and uniform; unknown if that of `flat_values` is.
    pub fn rank(&self) -> Option<usize> {
        Some(self.flat_values.rank()? + self.ragged_rank())
    }

    /// Where the rows of a level begin, and the last one ends: `[rows + 1]`. Level 0 is the outermost.
    ///
    /// # Errors
    /// `InvalidArgument` if there is no such level.
    #[track_caller]
    pub fn row_splits(&self, level: usize) -> Result<&Tensor> {
        let rows = self.partitions.get(level).ok_or_else(|| {
            let n = self.ragged_rank();
            Error::invalid(format!("there is no level {level}: the tensor has {n} ragged axes"))
        })?;
        Ok(rows.splits())
    }

    /// The splits of all levels, the outermost first.
    pub fn nested_row_splits(&self) -> Vec<Tensor> {
        self.partitions.iter().map(|rows| rows.splits().clone()).collect()
    }

    /// Other values in the same rows: their first axis has the same size, the others may differ.
    ///
    /// TensorFlow: `RaggedTensor.with_flat_values`.
    ///
    /// # Errors
    /// `InvalidArgument` naming the row, if there are more or fewer values than the rows have.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1, 2], vec![], vec![3]])?;
    /// assert_eq!(r.with_flat_values([[1, 1], [2, 2], [3, 3]])?.to_string(), "[[[1, 1], [2, 2]], [], [[3, 3]]]");
    /// assert!(r.with_flat_values([1, 2]).is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn with_flat_values(&self, flat_values: impl TensorLike) -> Result<Self> {
        Self::new(flat_values, self.partitions.clone())
    }

    /// What the outermost rows hold: a level less.
    ///
    /// TensorFlow: `RaggedTensor.values`.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![vec![1, 2], vec![]], vec![vec![3]]])?;
    /// assert_eq!(r.values().to_string(), "[[1, 2], [], [3]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[must_use]
    pub fn values(&self) -> Self {
        let partitions = self.partitions.get(1..).unwrap_or_default().to_vec();
        Self { flat_values: self.flat_values.clone(), partitions }
    }

    /// The tensor that this is, if no ragged axis is left.
    ///
    /// # Errors
    /// `InvalidArgument` if there are ragged axes: `to_tensor` fills them.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1, 2], vec![], vec![3]])?;
    /// assert_eq!(r.reduce_sum(1, false)?.into_tensor()?.as_slice::<i32>()?, &[3, 0, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn into_tensor(self) -> Result<Tensor> {
        match self.ragged_rank() {
            0 => Ok(self.flat_values),
            n => {
                Err(Error::invalid(format!("{n} ragged axes are left; fill them with `to_tensor`")))
            }
        }
    }

    /// The number of outermost rows: a scalar of the partitions' dtype.
    ///
    /// TensorFlow: `RaggedTensor.nrows`.
    ///
    /// # Errors
    /// `InvalidArgument` for a scalar.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1, 2], vec![], vec![3]])?;
    /// assert_eq!(r.nrows()?.item::<i64>()?, 3);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn nrows(&self) -> Result<Tensor> {
        match self.partitions.first() {
            Some(rows) => rows.nrows(),
            None => size_of(&self.flat_values, 0),
        }
    }

    /// The lengths of the rows along an axis, 1 or more: `[rows]` for axis 1, and for each axis behind a level more. For
    /// a uniform axis each row has the same.
    ///
    /// TensorFlow: `RaggedTensor.row_lengths`.
    ///
    /// # Errors
    /// `InvalidArgument` if there is no such axis.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![vec![1, 2], vec![]], vec![vec![3]]])?;
    /// assert_eq!(r.row_lengths(1)?.to_string(), "[2, 1]");
    /// assert_eq!(r.row_lengths(2)?.to_string(), "[[2, 0], [1]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn row_lengths(&self, axis: i64) -> Result<Self> {
        let axis = self.axis(axis)?;
        match (axis, self.partitions.split_first()) {
            (0, _) => {
                let n = self.nrows()?;
                Ok(Self { flat_values: n, partitions: Vec::new() })
            }
            (1, Some((rows, _))) => {
                Ok(Self { flat_values: rows.lengths()?, partitions: Vec::new() })
            }
            (_, Some((rows, _))) => {
                Ok(self.values().row_lengths(axis as i64 - 1)?.in_rows(rows.clone()))
            }
            (_, None) => {
                let outer = ops::shape_of(&self.flat_values)?.slice([0], [axis as i64])?;
                let length = size_of(&self.flat_values, axis)?;
                Ok(Self { flat_values: ops::fill(&outer, &length)?, partitions: Vec::new() })
            }
        }
    }

    /// The lengths of the rows at each level, the outermost first.
    ///
    /// TensorFlow: `RaggedTensor.nested_row_lengths`.
    ///
    /// # Errors
    /// None that is foreseen.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![vec![1, 2], vec![]], vec![vec![3]]])?;
    /// assert_eq!(r.nested_row_lengths()?[1].as_slice::<i64>()?, &[2, 0, 1]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn nested_row_lengths(&self) -> Result<Vec<Tensor>> {
        self.partitions.iter().map(RowPartition::lengths).collect()
    }

    /// The outermost row of each entry of [`values`](Self::values): `[entries]`.
    ///
    /// TensorFlow: `RaggedTensor.value_rowids`.
    ///
    /// # Errors
    /// `InvalidArgument` if there is no ragged axis.
    #[track_caller]
    pub fn value_rowids(&self) -> Result<Tensor> {
        self.outermost()?.value_rowids()
    }

    /// Where each outermost row begins: `[rows]`.
    ///
    /// TensorFlow: `RaggedTensor.row_starts`.
    ///
    /// # Errors
    /// `InvalidArgument` if there is no ragged axis.
    #[track_caller]
    pub fn row_starts(&self) -> Result<Tensor> {
        self.outermost()?.starts()
    }

    /// Where each outermost row ends: `[rows]`.
    ///
    /// TensorFlow: `RaggedTensor.row_limits`.
    ///
    /// # Errors
    /// `InvalidArgument` if there is no ragged axis.
    #[track_caller]
    pub fn row_limits(&self) -> Result<Tensor> {
        self.outermost()?.limits()
    }

    /// The shape of the smallest dense tensor that has room for all rows: `[rank]`, of the partitions' dtype.
    ///
    /// TensorFlow: `RaggedTensor.bounding_shape`.
    ///
    /// # Errors
    /// None that is foreseen.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![vec![1, 2], vec![]], vec![vec![3]]])?;
    /// assert_eq!(r.bounding_shape()?.as_slice::<i64>()?, &[2, 2, 2]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn bounding_shape(&self) -> Result<Tensor> {
        let dtype = self.row_splits_dtype();
        let flat = ops::shape_of(&self.flat_values)?.cast(dtype)?;
        let Some(first) = self.partitions.first() else { return Ok(flat) };
        let mut sizes = vec![first.nrows()?.reshape([1])?];
        for rows in &self.partitions {
            sizes.push(rows.longest()?.reshape([1])?);
        }
        sizes.push(flat.slice([1], [-1])?);
        ops::concat(&sizes.iter().collect::<Vec<_>>(), 0)
    }

    /// The same rows, told by int32 or int64.
    ///
    /// TensorFlow: `RaggedTensor.with_row_splits_dtype`.
    ///
    /// # Errors
    /// `InvalidArgument` for another dtype, and if there are more values than int32 counts.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1, 2], vec![]])?.with_row_splits_dtype(DType::I32)?;
    /// assert_eq!(r.row_splits(0)?.as_slice::<i32>()?, &[0, 2, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn with_row_splits_dtype(&self, dtype: DType) -> Result<Self> {
        let partitions = self.partitions.iter().map(|rows| rows.with_dtype(dtype));
        Ok(Self {
            flat_values: self.flat_values.clone(),
            partitions: partitions.collect::<Result<_>>()?,
        })
    }

    /// The sum of each row of a tensor with one ragged axis: `[rows, …]`, 0 for empty rows. Also
    /// `ops::reduce_sum(&r, 1, false)?.into_tensor()`.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is not numeric, and for several ragged axes.
    #[track_caller]
    pub fn row_sum(&self) -> Result<Tensor> {
        match self.ragged_rank() {
            1 => ops::reduce_sum(self, 1, false)?.into_tensor(),
            n => Err(Error::invalid(format!(
                "`row_sum` is for one ragged axis, not for {n}; see `reduce_sum`"
            ))),
        }
    }

    /// An axis, counted from the front.
    ///
    /// # Errors
    /// `InvalidArgument` if there is no such axis, or it counts from an end that is not known.
    pub(crate) fn axis(&self, axis: i64) -> Result<usize> {
        let rank = self.rank();
        let unknown = || Error::invalid(format!("axis {axis} of a tensor of unknown rank"));
        let at = match axis < 0 {
            true => axis + rank.ok_or_else(unknown)? as i64,
            false => axis,
        };
        let inside = usize::try_from(at).ok().filter(|at| rank.is_none_or(|rank| *at < rank));
        inside.ok_or_else(|| {
            Error::invalid(format!(
                "axis {axis} is out of range for rank {}, which counts ragged axes too",
                rank.unwrap_or_default()
            ))
        })
    }

    /// The outermost partition.
    ///
    /// # Errors
    /// `InvalidArgument` if there is none.
    pub(crate) fn outermost(&self) -> Result<&RowPartition> {
        let none = || Error::invalid("there are no rows: the tensor has no ragged axis");
        self.partitions.first().ok_or_else(none)
    }

    /// These entries in rows: a level more.
    pub(crate) fn in_rows(self, rows: RowPartition) -> Self {
        let partitions = std::iter::once(rows).chain(self.partitions).collect();
        Self { flat_values: self.flat_values, partitions }
    }

    /// As many values in the rows of this tensor.
    pub(crate) fn with_values(&self, flat_values: Tensor) -> Self {
        Self { flat_values, partitions: self.partitions.clone() }
    }
}

impl RowPartition {
    /// The number of entries, if it is known.
    pub(crate) fn end(&self) -> Option<i64> {
        known(&self.splits().value().ok().and_then(|_| self.nvals().ok())?)
    }

    /// The length of the longest row: a scalar.
    pub(crate) fn longest(&self) -> Result<Tensor> {
        match self.uniform_row_length() {
            Some(n) => whole(n as i64, self.dtype()),
            // Of no rows the maximum is the lowest number.
            None => self.lengths()?.reduce_max(.., false)?.maximum(0),
        }
    }
}

/// The size of an axis as an int64 scalar, which is known while tracing if the axis is.
pub(crate) fn size_of(x: &Tensor, axis: usize) -> Result<Tensor> {
    match x.shape().dim(axis as i64).ok().and_then(Dim::size) {
        Some(n) => Ok(Tensor::scalar(n as i64)),
        None => ops::shape_of(x)?.cast(DType::I64)?.gather(axis as i64, 0),
    }
}

/// The product of the first sizes of a tensor's shape: an int64 scalar, known while tracing if these are.
pub(crate) fn product(x: &Tensor, axes: usize) -> Result<Tensor> {
    let known = x.shape().dims().and_then(|dims| {
        dims.iter().take(axes).try_fold(1i64, |n, d| n.checked_mul(i64::try_from(d.size()?).ok()?))
    });
    match known {
        Some(n) => Ok(Tensor::scalar(n)),
        None => {
            ops::shape_of(x)?.cast(DType::I64)?.slice([0], [axes as i64])?.reduce_prod(.., false)
        }
    }
}

/// The first axes merged.
pub(crate) fn merged(x: &Tensor, axes: usize) -> Result<Tensor> {
    if axes == 1 {
        return Ok(x.clone());
    }
    let behind = ops::shape_of(x)?.cast(DType::I64)?.slice([axes as i64], [-1])?;
    x.reshape(&ops::concat(&[&product(x, axes)?.reshape([1])?, &behind], 0)?)
}
