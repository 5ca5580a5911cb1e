//! Gradients: sums of the rows that share an id.

use crate::array::Array;
use crate::ops;
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, first};
use crate::ops::{Op, Rank};
use crate::tensor::Tensor;
use crate::types::{DType, Result};

pub(in crate::ops) fn unsorted_segment_sum(g: &Gradient<'_>) -> Result<InputGradients> {
    let (ids, dy) = (g.x(1), g.dy()?);
    // Rows with a negative id were dropped: they gather a row of zeros behind the others.
    let rows = dy.pad(&one_row_behind(dy)?)?;
    let behind = g.x(2).cast(ids.dtype())?;
    let places = ops::select(ids.less(&ids.zeros_like()?)?, &behind, ids)?;
    Ok(first(g, rows.gather(&places, 0)?))
}

/// The paddings that put a row of zeros behind the others.
fn one_row_behind(x: &Tensor) -> Result<Tensor> {
    let Some(rank) = x.rank() else {
        let axes = ops::range(0i32, Rank {}.run(&[x])?, 1i32)?;
        let after = axes.equal(0)?.cast(DType::I64)?;
        return ops::stack(&[&after.zeros_like()?, &after], 1);
    };
    let mut paddings = vec![0; 2 * rank];
    paddings[1] = 1;
    Ok(Tensor::Value(Array::from_i64s(&paddings).reshape([rank, 2])?))
}
