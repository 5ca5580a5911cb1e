//! Gradients: sums of the rows that share an id.

use crate::array::Array;
use crate::ops;
use crate::ops::gradient::{Gradient, InputGradients, first};
use crate::ops::methods::*;
use crate::ops::movement::gradient::size_vector;
use crate::tensor::Tensor;
use crate::types::{Result, err};

pub(in crate::ops) fn unsorted_segment_sum(g: &Gradient<'_>) -> Result<InputGradients> {
    let (ids, dy) = (g.x(1), g.dy()?);
    // Rows with a negative id were dropped: they gather any row and are zeroed.
    let zero = ids.zeros_like()?;
    let kept = ids.greater_equal(&zero)?;
    let rows = dy.gather(&ids.maximum(&zero)?, 0)?;
    let extra = rows.rank().zip(ids.rank()).map(|(r, i)| r - i);
    let extra = extra.ok_or_else(|| err!(Unimplemented, "the rank is unknown"))?;
    let ones = Tensor::Value(Array::from_i64s(&vec![1; extra]));
    let mask = kept.reshape(&ops::concat(&[size_vector(&kept)?, ones], 0)?)?;
    Ok(first(g, ops::select(&mask, &rows, &rows.zeros_like()?)?))
}
