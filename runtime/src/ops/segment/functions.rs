//! Functions of segments that are made of several ops.

use crate::ops;
use crate::ops::methods::*;
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::Result;

/// The sums of segments, and how many rows each has, in one dtype and one shape; 1 for a segment without rows.
fn sums_and_counts(data: &Tensor, ids: &Tensor, n: &Tensor) -> Result<(Tensor, Tensor)> {
    let sum = ops::unsorted_segment_sum(data, ids, n)?;
    let counts = ops::unsorted_segment_sum(&data.ones_like()?, ids, n)?;
    let counts = ops::maximum(&counts, &counts.ones_like()?)?;
    Ok((sum, counts))
}

/// The means of the rows with one id; zero for an id without rows. Rows with a negative id are left out.
///
/// TensorFlow: `tf.math.unsorted_segment_mean`. The ids have the first axes of the data; the result is
/// `[num_segments, …]` with the other axes. Of real numbers.
///
/// # Errors
/// `InvalidArgument` for an id that is not below `num_segments`.
///
/// ```
/// use extype::prelude::*;
/// let y = ops::unsorted_segment_mean(&tensor![1.0f32, 2.0, 3.0], &tensor![1, 0, 1], &scalar(3))?;
/// assert_eq!(y.as_slice::<f32>()?, &[2.0, 2.0, 0.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn unsorted_segment_mean(
    data: impl TensorLike,
    segment_ids: impl TensorLike,
    num_segments: impl TensorLike,
) -> Result<Tensor> {
    let _site = call_site!();
    let (data, ids, n) = (data.lend()?, segment_ids.lend()?, num_segments.lend()?);
    let (sum, counts) = sums_and_counts(&data, &ids, &n)?;
    ops::div(&sum, &counts)
}

/// The sums of the rows with one id, divided by the square root of their number.
///
/// TensorFlow: `tf.math.unsorted_segment_sqrt_n`. Everything else is as for [`unsorted_segment_mean`]; of floats.
///
/// # Errors
/// As [`unsorted_segment_mean`].
///
/// ```
/// use extype::prelude::*;
/// let ids = tensor![1, 1, 1, 1];
/// let y = ops::unsorted_segment_sqrt_n(&tensor![1.0f32, 2.0, 3.0, 4.0], &ids, &scalar(2))?;
/// assert_eq!(y.as_slice::<f32>()?, &[0.0, 5.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn unsorted_segment_sqrt_n(
    data: impl TensorLike,
    segment_ids: impl TensorLike,
    num_segments: impl TensorLike,
) -> Result<Tensor> {
    let _site = call_site!();
    let (data, ids, n) = (data.lend()?, segment_ids.lend()?, num_segments.lend()?);
    let (sum, counts) = sums_and_counts(&data, &ids, &n)?;
    ops::div(&sum, &counts.sqrt()?)
}
