//! Sums of the rows that share an id.

pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;

use crate::define_op;
use crate::types::DTypeSet;

define_op! {
    /// Sums of the rows that have the same id; an id that is not below `num_segments` is
    /// refused.
    ///
    /// TensorFlow: `UnsortedSegmentSum`.
    pub op UnsortedSegmentSum = "UnsortedSegmentSum" {
        inputs: { data: T, segment_ids: Tindices, num_segments: Tnumsegments }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX, Tnumsegments: DTypeSet::INDEX },
        call: unsorted_segment_sum(data, segment_ids, num_segments),
        infer: infer::segment_sum, kernel: kernel::unsorted_segment_sum,
        gradient: gradient::unsorted_segment_sum,
    }
}
