//! Ops without an operand of the front, and effects.

use crate::ops::*;
use crate::tensor::{Tensor, call_site};
use crate::types::Result;

/// [`Range`]: `start, start + delta, …` up to and without `limit`, all scalars of one dtype.
///
/// # Errors
/// `InvalidArgument` for a step of zero or one that leads away from the limit.
#[track_caller]
pub fn range(start: &Tensor, limit: &Tensor, delta: &Tensor) -> Result<Tensor> {
    let _site = call_site();
    Range {}.run(&[start, limit, delta])
}

/// [`UnsortedSegmentSum`]: sums of the rows that have the same id.
///
/// # Errors
/// `InvalidArgument` for an id that is not below `num_segments`.
#[track_caller]
pub fn unsorted_segment_sum(data: &Tensor, ids: &Tensor, num_segments: &Tensor) -> Result<Tensor> {
    let _site = call_site();
    UnsortedSegmentSum {}.run(&[data, ids, num_segments])
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
