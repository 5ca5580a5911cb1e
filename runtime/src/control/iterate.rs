//! What `for` loops on tensors go over.

use crate::ops;
use crate::ops::methods::*;
use crate::tensor::Tensor;
use crate::types::{Result, err};

/// A type that `for x in &value` goes over in a `#[tf_function]`, as a loop of the graph: tensors go over their first axis.
///
/// The body is traced once, for an item at an index that is not known. So the items have one type, and sizes that differ
/// are unknown. The loop keeps a clone of the value; it does not see what the body makes of the variable.
///
/// TensorFlow: a `for` of AutoGraph over a tensor, or over a ragged one.
///
/// ```
/// use extype::control::Iterate;
/// use extype::prelude::*;
///
/// /// Points in a plane.
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Points {
///     x: Tensor,
///     y: Tensor,
/// }
///
/// impl Iterate for Points {
///     type Item = (Tensor, Tensor);
///
///     fn count(&self) -> Result<Tensor> {
///         self.x.count()
///     }
///
///     fn at(&self, i: &Tensor) -> Result<(Tensor, Tensor)> {
///         Ok((self.x.at(i)?, self.y.at(i)?))
///     }
/// }
///
/// #[tf_function]
/// fn farthest(points: &Points) -> Result<Tensor> {
///     let mut best = scalar(0.0f32);
///     for (x, y) in points {
///         let distance = &x * &x + &y * &y;
///         if distance > best {
///             best = distance;
///         }
///     }
///     Ok(best)
/// }
/// let points = Points::new([3.0f32, 1.0], [4.0f32, 1.0])?;
/// assert_eq!(farthest(&points)?.item::<f32>()?, 25.0);
/// # Ok::<(), Error>(())
/// ```
pub trait Iterate {
    /// What the loop variable is.
    type Item;

    /// The number of items: a scalar, int32 or int64. It is asked for once, before the loop.
    ///
    /// # Errors
    /// `InvalidArgument` for a value that has no items.
    fn count(&self) -> Result<Tensor>;

    /// The item at an index, a scalar of the dtype of the count, which is less than the count.
    ///
    /// # Errors
    /// What its computation fails with.
    fn at(&self, i: &Tensor) -> Result<Self::Item>;
}

/// The first axis.
impl Iterate for Tensor {
    type Item = Tensor;

    #[track_caller]
    fn count(&self) -> Result<Tensor> {
        if self.rank() == Some(0) {
            return Err(err!(
                "a scalar has no first axis to go over; write a range, as in `for i in 0..n`"
            ));
        }
        ops::shape_of(self)?.gather(0i64, 0)
    }

    #[track_caller]
    fn at(&self, i: &Tensor) -> Result<Tensor> {
        self.gather(i, 0)
    }
}
