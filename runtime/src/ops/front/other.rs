//! Ops without an operand of the front, and effects.

use super::front;
use crate::ops::*;
use crate::tensor::{Tensor, call_site};
use crate::types::Result;

front! {
    functions {
        /// `start, start + delta, …` up to and without `limit`, all scalars of one dtype. A step
        /// of zero, or one that leads away from the limit, is refused.
        ///
        /// ```
        /// use extype::prelude::*;
        /// assert_eq!(ops::range(0, 6, 2)?.as_slice::<i32>()?, &[0, 2, 4]);
        /// # Ok::<(), Error>(())
        /// ```
        range(start, limit, delta) => Range {};
        /// Sums of the rows that have the same id; an id that is not below `num_segments` is
        /// refused.
        unsorted_segment_sum(data, segment_ids, num_segments) => UnsortedSegmentSum {};
    }
}

/// [`Print`]: writes a text with tensors in its `{}` places, in program order, to `stdout`,
/// `stderr` or `file://PATH`; in a traced function at each call.
///
/// # Errors
/// `Internal` if the stream can't be written to.
#[track_caller]
pub fn print(template: &str, tensors: &[&Tensor], stream: &str) -> Result<()> {
    let _site = call_site();
    let format =
        StringFormat { template: template.to_owned(), placeholder: "{}".to_owned(), summarize: 3 };
    let text = format.run(tensors)?;
    let op = Print { output_stream: stream.to_owned(), end: "\n".to_owned() };
    crate::tensor::execute(op.def(), op.attrs(), &[&text]).map(|_| ())
}
