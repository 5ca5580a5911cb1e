//! Boxed values: tensors of which stacks are made, for types whose tensors differ in size.

use crate::ops::methods::*;
use crate::ops::{self, BoxRows, Op, UnboxRows, whole_numbers};
use crate::spec::TensorSpec;
use crate::tensor::Tensor;
use crate::types::{DType, Dim, Result, bail};

/// One tensor of several values in boxes: box `i` holds `sizes[i]` rows of `values`, those of box 0 first.
///
/// Rows are the slices along the first axis. `sizes` is int64; its shape is that of an array of boxes: `[]` for
/// one value, `[n]` for a stack of `n`, `[m, n]` for a stack of `m` stacks of `n`.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::Boxes;
/// let a = Boxes::one(tensor![1i64, 2])?;
/// let b = Boxes::one(tensor![3i64])?;
/// let both = Boxes::stack(&[a, b])?;
/// assert_eq!(both.values.as_slice::<i64>()?, &[1, 2, 3]);
/// assert_eq!(both.sizes.as_slice::<i64>()?, &[2, 1]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Boxes {
    /// The rows of all boxes.
    pub values: Tensor,
    /// How many rows each box holds.
    pub sizes: Tensor,
}

impl Boxes {
    /// One box, of rank 0, with all rows of a tensor.
    ///
    /// # Errors
    /// `InvalidArgument` for a scalar.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Boxes;
    /// assert_eq!(Boxes::one(tensor![[1.0f32], [2.0]])?.sizes.item::<i64>()?, 2);
    /// assert!(Boxes::one(scalar(1.0f32)).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn one(values: Tensor) -> Result<Self> {
        if values.rank() == Some(0) {
            bail!("a scalar is no part of a stack; give it an axis");
        }
        Ok(Self { sizes: first_size(&values)?, values })
    }

    /// The rank of the array of boxes: 0 for one value, 1 for a stack.
    ///
    /// # Errors
    /// `InvalidArgument` if it is not known while tracing.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Boxes;
    /// let stack = Boxes { values: tensor![1i64, 2, 3], sizes: tensor![2i64, 1] };
    /// assert_eq!(stack.rank()?, 1);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn rank(&self) -> Result<usize> {
        match self.sizes.rank() {
            Some(rank) => Ok(rank),
            None => bail!("the rank of an array of boxes must be known"),
        }
    }

    /// The number of boxes, or of arrays of them, along the first axis, and as an int64 scalar.
    pub(crate) fn count(&self) -> Result<(Dim, Tensor)> {
        Ok((self.sizes.shape().dim(0)?, first_size(&self.sizes)?))
    }

    /// Arrays of boxes, all of one shape, stacked along a new first axis.
    ///
    /// # Errors
    /// `InvalidArgument` for none, or for rows of differing shape or dtype.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Boxes;
    /// let one = Boxes::one(tensor![1i64, 2])?;
    /// assert_eq!(Boxes::stack(&[one.clone(), one])?.sizes.as_slice::<i64>()?, &[2, 2]);
    /// assert!(Boxes::stack(&[]).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn stack(all: &[Self]) -> Result<Self> {
        Self::joined(all, |sizes| ops::stack(sizes, 0))
    }

    /// Arrays of boxes joined along their first axis.
    ///
    /// # Errors
    /// As [`stack`](Self::stack), and for arrays of rank 0.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Boxes;
    /// let two = Boxes { values: tensor![1i64, 2, 3], sizes: tensor![2i64, 1] };
    /// assert_eq!(Boxes::concat(&[two.clone(), two])?.sizes.as_slice::<i64>()?, &[2, 1, 2, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn concat(all: &[Self]) -> Result<Self> {
        Self::joined(all, |sizes| ops::concat(sizes, 0))
    }

    fn joined(all: &[Self], join: impl FnOnce(&[&Tensor]) -> Result<Tensor>) -> Result<Self> {
        let sizes = join(&all.iter().map(|b| &b.sizes).collect::<Vec<_>>())?;
        let values = ops::concat(&all.iter().map(|b| &b.values).collect::<Vec<_>>(), 0)?;
        Ok(Self { values, sizes })
    }

    /// The boxes as variants, one each: a tensor of the shape of `sizes`, which ops stack, reshape and join.
    ///
    /// # Errors
    /// `InvalidArgument` if the sizes are not those of the values.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Boxes;
    /// let boxes = Boxes { values: tensor![1i64, 2, 3], sizes: tensor![2i64, 1] };
    /// let variants = boxes.to_variants()?;
    /// assert_eq!(variants.type_spec(), TensorSpec::new([2], DType::Variant));
    /// let back = Boxes::from_variants(&variants, &TensorSpec::of::<i64>(shape![?]))?;
    /// assert_eq!(back.values.as_slice::<i64>()?, &[1, 2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_variants(&self) -> Result<Tensor> {
        BoxRows {}.run(&[&self.values, &whole_numbers(&self.sizes, DType::I64)?])
    }

    /// The boxes in variants; each holds a tensor of the type `rows`.
    ///
    /// # Errors
    /// `InvalidArgument` if a variant holds something else.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Boxes;
    /// let variant = Boxes::one(tensor![1i64, 2])?.to_variants()?;
    /// let boxes = Boxes::from_variants(&variant, &TensorSpec::of::<i64>(shape![?]))?;
    /// assert_eq!(boxes.sizes.item::<i64>()?, 2);
    /// assert!(Boxes::from_variants(&variant, &TensorSpec::of::<f32>(shape![?])).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_variants(variants: &Tensor, rows: &TensorSpec) -> Result<Self> {
        let op = UnboxRows { dtype: rows.dtype, shape: rows.shape.clone() };
        let (values, sizes): (Tensor, Tensor) = op.run_as(&[variants])?;
        Ok(Self { values, sizes })
    }
}

/// Array `i` of several along the first axis of an array of boxes.
pub(crate) struct BoxReader {
    boxes: Boxes,
    /// The first row of each, and how many rows it has: int64 vectors.
    begins: Tensor,
    rows: Tensor,
}

impl BoxReader {
    pub(crate) fn new(boxes: Boxes) -> Result<Self> {
        let rows = match boxes.rank()? {
            0 => bail!("one value is no stack"),
            1 => boxes.sizes.clone(),
            rank => boxes.sizes.reduce_sum((1..rank as i64).collect::<Vec<_>>(), false)?,
        };
        let begins = ops::sub(&rows.cumsum(0)?, &rows)?;
        Ok(Self { boxes, begins, rows })
    }

    pub(crate) fn at(&self, i: &Tensor) -> Result<Boxes> {
        let values = &self.boxes.values;
        let Some(inner) = values.rank().and_then(|rank| rank.checked_sub(1)) else {
            bail!("the rank of what is in boxes must be known");
        };
        let row = i.reshape([1i64])?;
        let behind = |first: Tensor, rest: i64| {
            ops::concat(&[&first, &Tensor::from_vec(vec![rest; inner])], 0)
        };
        let begin = behind(self.begins.gather(&row, 0)?, 0)?;
        let size = behind(self.rows.gather(&row, 0)?, -1)?;
        Ok(Boxes { values: values.slice(begin, size)?, sizes: self.boxes.sizes.gather(i, 0)? })
    }
}

/// The size of the first axis as an int64 scalar, which is known while tracing if the axis is.
pub(crate) fn first_size(t: &Tensor) -> Result<Tensor> {
    match t.shape().dims().and_then(|dims| dims.first()?.size()) {
        Some(n) => Ok(Tensor::scalar(i64::try_from(n).unwrap_or(i64::MAX))),
        None => ops::shape_of(t)?.gather(0, 0),
    }
}
