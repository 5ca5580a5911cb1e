//! Ops that move elements.

use super::front;
use crate::ops::*;
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, Result};

front! {
    /// Movement of elements as methods of extension types: `masked.reshape([2, 3])?`.
    methods of Shaping {
        /// The same elements under another shape; one size may be -1.
        reshape(x; shape: impl Into<Integers>) => Reshape { shape: shape.into() };
        /// The axes in the order of a permutation.
        transpose(x; perm: impl Into<Integers>) => Transpose { perm: perm.into() };
        /// Repeated along axes of size 1 and new leading axes, to a shape.
        broadcast_to(x; shape: impl Into<Integers>) => BroadcastTo { shape: shape.into() };
        /// A new axis of size 1 before `axis`.
        expand_dims(x; axis: impl Into<Axis>) => ExpandDims { axis: axis.into() };
        /// Without the given axes of size 1; without all such axes for an empty list.
        squeeze(x; squeeze_dims: impl Into<Vec<i64>>) => Squeeze { squeeze_dims: squeeze_dims.into() };
        /// The block of `size` elements from `begin` along each axis; size -1 means to the end.
        slice(x; begin: impl Into<Integers>, size: impl Into<Integers>) => Slice { begin: begin.into(), size: size.into() };
        /// Slices of `params` along `axis` at the indices; `OutOfRange` for an index out of range.
        gather(params, indices; axis: impl Into<Axis>) => Gather { batch_dims: 0, axis: axis.into() };
        /// Zeros before and after along each axis: one pair an axis.
        pad(x; paddings: impl Into<Pairs>) => Pad { paddings: paddings.into() };
    }
}

front! {
    functions {
        /// Values one after the other along `axis`.
        ///
        /// ```
        /// use extype::prelude::*;
        /// let (a, b) = (tensor![1, 2], tensor![3,]);
        /// assert_eq!(ops::concat(&[&a, &b], 0)?.as_slice::<i32>()?, &[1, 2, 3]);
        /// # Ok::<(), Error>(())
        /// ```
        concat([values]; axis: impl Into<Axis>) => Concat { axis: axis.into() };
        /// Values of one shape along a new axis.
        stack([values]; axis: i64) => Stack { axis };
        /// The sizes as an int64 vector, also where they are unknown in a trace.
        shape_of(x) => ShapeOf { out_type: DType::I64 };
        /// The number of elements as an int64 scalar.
        size(x) => Size { out_type: DType::I64 };
    }
}

/// Calls [`Fill`]: a scalar repeated to a shape.
///
/// # Errors
/// `InvalidArgument` if the value is no scalar or a size is negative.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::fill([2, 2], &tensor!(0.5f32))?.shape(), shape![2, 2]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn fill<X: Operand>(
    dims: impl Into<Integers>,
    value: X,
) -> Result<<X::Value as Apply1<Fill>>::Output>
where
    X::Value: Apply1<Fill>,
{
    let _site = call_site();
    X::Value::apply1(&Fill { dims: dims.into() }, &*value.operand()?)
}
