//! To dense tensors and back.

use extype::control::Join;
use extype::ops::{Lent, Op, RaggedTensorToTensor};
use extype::prelude::*;
use extype::types::DTypeSet;

use crate::ops::count_to;
use crate::partition::{known, whole};
use crate::tensor::{merged, product, size_of};
use crate::{CutRows, RaggedTensor, RowPartition};

/// Which entries of dense rows [`RaggedTensor::from_tensor`] takes.
#[derive(Clone, Debug)]
pub enum Trim {
    /// All: rows of one length.
    Nothing,
    /// The first ones, as many as these lengths say, int32 or int64 `[rows]`. Lengths are cut to the width.
    Lengths(Tensor),
    /// As many as the lengths of each level say, the outermost first.
    NestedLengths(Vec<Tensor>),
    /// All but this padding at the ends of rows: a value of the shape of one entry, or one that broadcasts to it.
    Padding(Tensor),
}

impl RaggedTensor {
    /// A dense tensor with every row filled to the longest of its axis: `[rows, longest, …]`, or cut and filled to a
    /// shape, of which unknown sizes are as large as needed. `default` has the shape of one value, or broadcasts to it;
    /// a number takes the dtype of the values.
    ///
    /// TensorFlow: `RaggedTensor.to_tensor`.
    ///
    /// # Errors
    /// `InvalidArgument` for a default of another dtype and for a shape of another rank; `ResourceExhausted` if the
    /// result does not fit memory.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1, 2], vec![], vec![3]])?;
    /// assert_eq!(r.to_tensor(-1, Shape::unknown())?.as_slice::<i32>()?, &[1, 2, -1, -1, 3, -1]);
    /// assert_eq!(r.to_tensor(0, shape![?, 1])?.as_slice::<i32>()?, &[1, 0, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn to_tensor(&self, default: impl TensorLike, shape: impl Into<Shape>) -> Result<Tensor> {
        let (default, shape) = (self.filler(&default)?, shape.into());
        let Some(first) = self.partitions.first() else {
            return self.flat_values.ensure_shape(shape);
        };
        let sizes = match shape.dims() {
            Some(dims) => Tensor::from_vec(dims.iter().map(|d| d.to_i64()).collect::<Vec<_>>()),
            None => Tensor::scalar(-1i64),
        };
        let row_partition_types = vec!["ROW_SPLITS".to_owned(); self.ragged_rank()];
        let fixed = [&sizes, &self.flat_values, &default];
        let splits = self.partitions.iter().map(RowPartition::splits);
        let inputs: Vec<&Tensor> = fixed.into_iter().chain(splits).collect();
        let dense = RaggedTensorToTensor { row_partition_types }.run(&inputs)?;
        // Sizes that nothing is cut or filled to.
        let known = match shape.dims() {
            Some(_) => shape,
            None => {
                let rows = std::iter::once(Dim::from(first.static_nrows()));
                let own = self.shape();
                match own.dims() {
                    Some(dims) => rows.chain(dims.iter().skip(1).copied()).collect(),
                    None => own,
                }
            }
        };
        match known.is_fully_defined() && !dense.shape().is_fully_defined() {
            true => dense.ensure_shape(known),
            false => Ok(dense),
        }
    }

    /// What empty cells are filled with, in the dtype of the values.
    fn filler(&self, default: &impl TensorLike) -> Result<Tensor> {
        let dtype = self.dtype();
        let given = default.lend()?;
        let fits = match (&given, given.dtype()) {
            (_, own) if own == dtype => return Ok(Tensor::clone(&given)),
            (Lent::Owned(_), DType::I32 | DType::I64) => DTypeSet::NUMERIC.contains(dtype),
            (Lent::Owned(_), DType::F32 | DType::F64) => DTypeSet::INEXACT.contains(dtype),
            _ => false,
        };
        if !fits {
            let own = given.dtype();
            return Err(Error::invalid(format!("the default is {own}, the values are {dtype}")));
        }
        given.cast(dtype)
    }

    /// The rows of a dense tensor `[rows, width, …]` with so many ragged axes: all entries, or those that `trim` leaves.
    ///
    /// TensorFlow: `RaggedTensor.from_tensor`.
    ///
    /// # Errors
    /// `InvalidArgument` if there are not more axes than ragged ones, for another number of lengths than of rows, and
    /// for a padding of another dtype.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::{RaggedTensor, Trim};
    /// let x = tensor![[1, 0, 2, 0], [0, 0, 0, 0]];
    /// let text = |trim| Ok::<_, Error>(RaggedTensor::from_tensor(&x, trim, 1)?.to_string());
    /// assert_eq!(text(Trim::Nothing)?, "[[1, 0, 2, 0], [0, 0, 0, 0]]");
    /// assert_eq!(text(Trim::Lengths(tensor![1, 2]))?, "[[1], [0, 0]]");
    /// assert_eq!(text(Trim::Padding(scalar(0)))?, "[[1, 0, 2], []]");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn from_tensor(dense: impl TensorLike, trim: Trim, ragged_rank: usize) -> Result<Self> {
        let dense = dense.to_tensor()?;
        if ragged_rank == 0 {
            return Err(Error::invalid("rows have one ragged axis at least; see `from_dense`"));
        }
        dense.shape().with_rank_at_least(ragged_rank + 1)?;
        let lengths = match trim {
            Trim::NestedLengths(levels) if levels.len() != ragged_rank => {
                let n = levels.len();
                return Err(Error::invalid(format!(
                    "lengths of {n} levels are given for {ragged_rank} ragged axes"
                )));
            }
            Trim::NestedLengths(levels) => levels,
            other => {
                let outer = (1..ragged_rank).map(|axis| even(&dense, axis));
                let mut partitions = outer.collect::<Result<Vec<_>>>()?;
                let rows = merged(&dense, ragged_rank)?;
                let (flat_values, inner) = match other {
                    Trim::Lengths(lengths) => first_entries(&rows, &lengths)?,
                    Trim::Padding(padding) => first_entries(&rows, &unpadded(&rows, &padding)?)?,
                    _ => (merged(&rows, 2)?, even(&rows, 1)?),
                };
                partitions.push(inner);
                return Self::new(flat_values, partitions);
            }
        };
        let int64 = lengths.iter().map(|n| RowPartition::from_lengths(n.cast(DType::I64)?));
        let partitions = int64.collect::<Result<Vec<_>>>()?;
        let mut flat_values = dense;
        for (level, rows) in partitions.iter().enumerate() {
            flat_values =
                cut(&flat_values, rows).map_err(|e| e.prefixed(format_args!("level {level}")))?;
        }
        Self::new(flat_values, partitions)
    }
}

/// The rows along an axis of a dense tensor, as many as the axes before it have cells.
fn even(dense: &Tensor, axis: usize) -> Result<RowPartition> {
    let (rows, length) = (product(dense, axis)?, size_of(dense, axis)?);
    let count = match known(&rows) {
        Some(n) => Tensor::scalar(n.saturating_add(1)),
        None => ops::add(&rows, 1)?,
    };
    let ends = ops::range(0i64, &count, 1i64)?;
    let uniform = dense.shape().dim(axis as i64)?.size();
    Ok(RowPartition::trusted(ops::mul(&ends, &length)?).with_uniform(uniform))
}

/// The first entries of each row of `[rows, width, …]`, cut to the width, and their partition.
fn first_entries(rows: &Tensor, lengths: &Tensor) -> Result<(Tensor, RowPartition)> {
    let width = size_of(rows, 1)?;
    let lengths = lengths.cast(DType::I64)?.minimum(&width)?.maximum(0)?;
    let kept = RowPartition::from_lengths(&lengths)?;
    Ok((cut(rows, &kept)?, kept))
}

/// The first entries of the rows of a dense tensor `[rows, width, …]`, as many as these rows have.
pub(crate) fn cut(dense: &Tensor, rows: &RowPartition) -> Result<Tensor> {
    let [n, width] = [0, 1].map(|axis| size_of(dense, axis)?.cast(rows.dtype()));
    let n = n?;
    // What is kept of each row, and what is left out, in turn.
    let parts = RowPartition::trusted(CutRows {}.run(&[rows.splits(), &n, &width?])?);
    let all = RaggedTensor::plain(merged(dense, 2)?).in_rows(parts);
    Ok(all.gathered(&ops::mul(count_to(&n)?, 2)?)?.flat_values)
}

/// How long each row of `[rows, width, …]` is without the padding at its end.
fn unpadded(rows: &Tensor, padding: &Tensor) -> Result<Tensor> {
    let rank = rows.rank().ok_or_else(|| Error::invalid("the rank of the tensor is unknown"))?;
    let inner: Vec<i64> = (2..rank as i64).collect();
    let kept = rows.not_equal(padding)?;
    let kept = if inner.is_empty() { kept } else { kept.reduce_any(inner, false)? };
    let ends = ops::range(1i64, &ops::add(&size_of(rows, 1)?, 1)?, 1i64)?;
    // Of rows without any cell the maximum is the lowest number.
    ops::mul(&kept.cast(DType::I64)?, &ends)?.reduce_max(1, false)?.maximum(&whole(0, DType::I64)?)
}

/// A conditional with a ragged and a dense arm is ragged: the rows of the dense one are rows of one length, and
/// there is one ragged axis.
impl Join<Tensor> for RaggedTensor {
    type Joined = Self;

    fn join_self(self) -> Result<Self> {
        Ok(self)
    }

    fn join_other(dense: Tensor) -> Result<Self> {
        Self::from_tensor(dense, Trim::Nothing, 1)
    }
}
extype::join_both_ways!(RaggedTensor, Tensor);
