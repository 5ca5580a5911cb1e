//! Sums of the rows that share an id.

pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;

use crate::define_op;
use crate::types::DTypeSet;

define_op! {
    /// Sums the rows that have the same id; an id that is not below `num_segments` is refused.
    ///
    /// TensorFlow: `UnsortedSegmentSum`; JAX: `jax.ops.segment_sum`. The ids have the first axes of
    /// the data; the result is `[num_segments, …]` with the other axes. A segment without rows is
    /// zero, rows with a negative id are left out.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let sums = ops::unsorted_segment_sum(&tensor![1, 2, 3], &tensor![0, 1, 0], &scalar(2))?;
    /// assert_eq!(sums.as_slice::<i32>()?, &[4, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op UnsortedSegmentSum = "UnsortedSegmentSum" {
        inputs: { data: T, segment_ids: Tindices, num_segments: Tnumsegments }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX, Tnumsegments: DTypeSet::INDEX },
        call: unsorted_segment_sum(data, segment_ids, num_segments),
        infer: infer::segment_sum, kernel: kernel::unsorted_segment_sum,
        gradient: gradient::unsorted_segment_sum,
    }
}
