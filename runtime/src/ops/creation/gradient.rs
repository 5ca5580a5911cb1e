//! Gradients: tensors of one value.

use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients};
use crate::types::Result;

pub(in crate::ops) fn fill(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok([None, Some(g.dy()?.reduce_sum(.., false)?)].into_iter().collect())
}
