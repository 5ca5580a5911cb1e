//! Types of results: tensors made of numbers, grids and masks.

use smallvec::SmallVec;

use crate::array::Dims;
use crate::ir::{InferContext, Types};
use crate::ops::creation::kernel::range_len;
use crate::ops::rules::infer::{asked_shape, one};
use crate::types::{Dim, Result};

pub(in crate::ops) fn range(c: &InferContext<'_>) -> Result<Types> {
    for i in 0..3 {
        c.shape(i).with_rank(0)?;
    }
    let values: Option<Dims> = (0..3).map(|i| (c.constant)(i).map(|_| 0)).collect();
    let n = match values {
        Some(_) => {
            let arrays: SmallVec<[_; 3]> = (0..3).filter_map(|i| (c.constant)(i)).collect();
            Some(range_len(&arrays[0], &arrays[1], &arrays[2])?)
        }
        None => None,
    };
    one(c.input(0).dtype, [Dim::from(n)].into_iter().collect())
}

pub(in crate::ops) fn fill(c: &InferContext<'_>) -> Result<Types> {
    c.shape(1).with_rank(0)?;
    one(c.input(1).dtype, asked_shape(c, 0)?)
}
