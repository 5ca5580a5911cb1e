//! Tensors of one value.

use crate::ops::Fill;
use crate::ops::args::IntegersLike;
use crate::ops::protocol::{Apply1, Operand};
use crate::tensor::call_site;
use crate::types::Result;

/// Repeats a scalar to a shape (op [`Fill`]). Of any dtype but resource.
///
/// # Errors
/// `InvalidArgument` if the value is no scalar or a size is negative.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::fill([2, 2], &scalar(0.5f32))?.shape(), shape![2, 2]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn fill<X: Operand>(
    dims: impl IntegersLike,
    value: X,
) -> Result<<X::Value as Apply1<Fill>>::Output>
where
    X::Value: Apply1<Fill>,
{
    let _site = call_site!();
    X::Value::apply1(&Fill { dims: dims.into() }, &*value.operand()?)
}
