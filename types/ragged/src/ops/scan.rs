//! Running sums and products.

use extype::ops::{Cumprod, Cumsum, Op};
use extype::prelude::*;

use crate::{RaggedTensor, Trim};

/// Along a ragged axis rows are filled up with a number that changes no result, so that an infinity in one row is none
/// in the next.
fn along(
    x: &RaggedTensor,
    axis: Axis,
    neutral: i64,
    run: impl Fn(&Tensor, Axis) -> Result<Tensor>,
) -> Result<RaggedTensor> {
    let (axis, levels) = (x.axis(axis.0)?, x.ragged_rank());
    if axis > levels || levels == 0 {
        return x.map_flat_values(|flat| run(flat, Axis((axis - levels) as i64)));
    }
    let dense = x.to_tensor(Tensor::scalar(neutral).cast(x.dtype())?, Shape::unknown())?;
    let lengths = Trim::NestedLengths(x.nested_row_lengths()?);
    let found = RaggedTensor::from_tensor(run(&dense, Axis(axis as i64))?, lengths, levels)?;
    Ok(x.with_values(found.flat_values))
}

#[dispatch]
impl RaggedTensor {
    #[overrides(Cumsum)]
    fn running_sum(x: &Self, op: &Cumsum) -> Result<Self> {
        along(x, op.axis, 0, |x, axis| Cumsum { axis, ..op.clone() }.run(&[x]))
    }

    #[overrides(Cumprod)]
    fn running_product(x: &Self, op: &Cumprod) -> Result<Self> {
        along(x, op.axis, 1, |x, axis| Cumprod { axis, ..op.clone() }.run(&[x]))
    }
}

impl RaggedTensor {
    /// The running sums along any axis: without the element itself if `exclusive`, from the end if `reverse`.
    ///
    /// TensorFlow: `tf.cumsum`. Numbers; the result has the same rows.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range and for values that are no numbers.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1, 2, 3], vec![], vec![4]])?;
    /// assert_eq!(r.cumsum(1, false, false)?.to_string(), "[[1, 3, 6], [], [4]]");
    /// assert_eq!(r.cumsum(0, false, false)?.to_string(), "[[1, 2, 3], [], [5]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn cumsum(&self, axis: i64, exclusive: bool, reverse: bool) -> Result<Self> {
        Self::running_sum(self, &Cumsum { axis: Axis(axis), exclusive, reverse })
    }

    /// The running products, as [`cumsum`](Self::cumsum) has sums.
    ///
    /// TensorFlow: `tf.math.cumprod`.
    ///
    /// # Errors
    /// As [`cumsum`](Self::cumsum).
    #[track_caller]
    pub fn cumprod(&self, axis: i64, exclusive: bool, reverse: bool) -> Result<Self> {
        Self::running_product(self, &Cumprod { axis: Axis(axis), exclusive, reverse })
    }
}
