//! Types of results: sums of the rows that share an id.

use crate::ir::{InferContext, Types};
use crate::ops::rules::infer::one;
use crate::types::{Dim, Result, Shape};

pub(in crate::ops) fn segment_sum(c: &InferContext<'_>) -> Result<Types> {
    c.shape(2).with_rank(0)?;
    let n = c.integers(2).and_then(|v| usize::try_from(*v.first()?).ok());
    let tail = match (c.shape(0).rank(), c.shape(1).rank()) {
        (Some(_), Some(ids)) => c.shape(0).slice(Some(ids as i64), None),
        _ => Shape::unknown(),
    };
    one(c.input(0).dtype, [Dim::from(n)].into_iter().collect::<Shape>().concatenate(&tail))
}
