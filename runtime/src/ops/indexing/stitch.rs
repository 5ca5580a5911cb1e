//! Rows of several tensors merged.

use crate::ops::DynamicStitch;
use crate::ops::protocol::Op;
use crate::tensor::{Tensor, call_site};
use crate::types::{Result, bail};

/// Merges the rows of several tensors at their int32 indices (op [`DynamicStitch`]). Of several rows
/// for one index the last wins. Indices have any shape, their data the same shape with further axes.
/// The result has one axis for all indices, then those further axes. All data has one dtype, not
/// resource or variant.
///
/// # Errors
/// `InvalidArgument` for lists of differing lengths, a negative index, and shapes that do not fit.
///
/// ```
/// use extype::prelude::*;
/// let ids = [&tensor![0, 2], &tensor![1]];
/// let y = ops::dynamic_stitch(&ids, &[&tensor![1.0f32, 3.0], &tensor![2.0f32]])?;
/// assert_eq!(y.as_slice::<f32>()?, &[1.0, 2.0, 3.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn dynamic_stitch(indices: &[&Tensor], data: &[&Tensor]) -> Result<Tensor> {
    let _site = call_site!();
    if indices.len() != data.len() {
        bail!("DynamicStitch: {} tensors of indices for {} of data", indices.len(), data.len());
    }
    DynamicStitch {}.run(&[indices, data].concat())
}
