//! Parts by their sizes, mirrored images, slices chosen by a mask.

use crate::compounds;
use crate::ops::args::AxisLike;
use crate::ops::checks::check;
use crate::ops::methods::*;
use crate::ops::protocol::{Apply1, Operand};
use crate::ops::{SplitSizes, concat, equal, shape_of, where_indices};
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, Result, bail};

/// Splits an axis into parts of the given sizes (op [`SplitSizes`]); one -1 stands for the rest. Of
/// rank 1 at least, and of any dtype but resource.
///
/// # Errors
/// `InvalidArgument` if the sizes do not add up to the size of the axis.
///
/// ```
/// use extype::prelude::*;
/// let parts = ops::split_sizes(&tensor![1, 2, 3, 4], [1, -1], 0)?;
/// assert_eq!(parts[1].as_slice::<i32>()?, &[2, 3, 4]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn split_sizes<X: Operand, const N: usize>(
    x: X,
    sizes: [i64; N],
    axis: impl AxisLike,
) -> Result<<X::Value as Apply1<SplitSizes>>::Output>
where
    X::Value: Apply1<SplitSizes>,
{
    let _site = call_site!();
    let op = SplitSizes { num_split: N as i64, sizes: sizes.into(), axis: axis.into() };
    X::Value::apply1(&op, &*x.operand()?)
}

compounds! {
    /// Methods: mirrored images, slices chosen by a mask.
    methods of MaskMethods;

    /// Exchanges left and right in an image `[height, width, channels]`, or in a batch of them.
    /// TensorFlow: `tf.image.flip_left_right`. Of any dtype but resource and variant; the result has
    /// the same shape.
    ///
    /// # Errors
    /// `InvalidArgument` for a rank other than 3 and 4.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let image = tensor![[[1], [2]], [[3], [4]]];
    /// assert_eq!(ops::flip_left_right(&image)?.as_slice::<i32>()?, &[2, 1, 4, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn flip_left_right(image) -> Tensor {
        image_axis(image)?.reverse([-2])
    }

    /// Turns an image `[height, width, channels]`, or a batch of them, upside down. TensorFlow:
    /// `tf.image.flip_up_down`. Of any dtype but resource and variant; the result has the same shape.
    ///
    /// # Errors
    /// `InvalidArgument` for a rank other than 3 and 4.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let image = tensor![[[1], [2]], [[3], [4]]];
    /// assert_eq!(ops::flip_up_down(&image)?.as_slice::<i32>()?, &[3, 4, 1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn flip_up_down(image) -> Tensor {
        image_axis(image)?.reverse([-3])
    }

    /// Keeps the slices along axes `axis..` where a mask is true; the axes of the mask become one.
    /// TensorFlow: `tf.boolean_mask`. Of any dtype but resource.
    ///
    /// # Errors
    /// `InvalidArgument` for a scalar mask, one of a dtype other than bool, or another shape than
    /// the axes have.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2], [3, 4], [5, 6]];
    /// let kept = x.boolean_mask([true, false, true], 0)?;
    /// assert_eq!(kept.as_slice::<i32>()?, &[1, 2, 5, 6]);
    /// # Ok::<(), Error>(())
    /// ```
    fn boolean_mask(x, mask; axis: i64) -> Tensor {
        if mask.dtype() != DType::Bool {
            bail!("the mask is {}, not bool; compare or cast it", mask.dtype());
        }
        let (Some(rank), Some(masked)) = (x.rank(), mask.rank()) else {
            bail!("the ranks of {} and {} must be known", x.shape(), mask.shape());
        };
        if masked == 0 {
            bail!("the mask is a scalar; for one condition use `select`");
        }
        let axis = crate::types::normalize_axis(axis, rank)?;
        let end = axis + masked;
        let axes = x.shape().slice(Some(axis as i64), Some(end as i64));
        if end > rank || !axes.is_compatible_with(&mask.shape()) {
            bail!("a mask of shape {} for axes {axis}.. of shape {}", mask.shape(), x.shape());
        }
        if !axes.is_fully_defined() || !mask.shape().is_fully_defined() {
            let (own, given) = (shape_of(x)?.index(axis..end)?, shape_of(mask)?);
            let alike = equal(&own, &given)?.reduce_all(.., false)?;
            check(&alike, "a mask of another shape than its axes:", &[&given, &own])?;
        }
        let rows = where_indices(mask.reshape([-1])?)?.squeeze([-1])?;
        if masked == 1 {
            return x.gather(&rows, axis);
        }
        let sizes = shape_of(x)?;
        let (before, after) = (sizes.index(..axis)?, sizes.index(end..)?);
        let flat = concat(&[before, Tensor::from_vec(vec![-1i64]), after], 0)?;
        x.reshape(&flat)?.gather(&rows, axis)
    }
}

fn image_axis(image: &Tensor) -> Result<&Tensor> {
    match image.rank() {
        None | Some(3 | 4) => Ok(image),
        Some(rank) => bail!(
            "an image has 3 axes and a batch of images 4, not {rank}; the shape is {}",
            image.shape()
        ),
    }
}
