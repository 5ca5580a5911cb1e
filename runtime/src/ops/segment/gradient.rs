//! Gradients: sums of the rows that share an id.

use crate::array::Array;
use crate::ops;
use crate::ops::gradient::{Gradient, InputGradients, first};
use crate::ops::methods::*;
use crate::tensor::Tensor;
use crate::types::{Result, err};

pub(in crate::ops) fn unsorted_segment_sum(g: &Gradient<'_>) -> Result<InputGradients> {
    let (ids, dy) = (g.x(1), g.dy()?);
    let rank = dy.rank().ok_or_else(|| err!(Unimplemented, "the rank is unknown"))?;
    // Rows with a negative id were dropped: they gather a row of zeros behind the others.
    let mut paddings = vec![0; 2 * rank];
    paddings[1] = 1;
    let rows = dy.pad(Tensor::Value(Array::from_i64s(&paddings).reshape([rank, 2])?))?;
    let behind = g.x(2).cast(ids.dtype())?;
    let places = ops::select(ids.less(&ids.zeros_like()?)?, &behind, ids)?;
    Ok(first(g, rows.gather(&places, 0)?))
}
