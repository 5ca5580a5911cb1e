//! Running reductions and places of extrema as NumPy has them: along an axis, or over all elements as
//! one row.

use crate::ops::methods::ScanMethods;
use crate::ops::options::{Along, Running, functions};
use crate::ops::*;
use crate::tensor::Tensor;
use crate::types::Result;

/// A tensor and its axis; without one, all elements as one row.
pub(in crate::ops) fn row_or_axis(x: &Tensor, axis: Option<i64>) -> Result<(Tensor, i64)> {
    Ok(match axis {
        Some(axis) => (x.clone(), axis),
        None => (x.reshape([-1])?, 0),
    })
}

functions! {
    /// The running sums: along an axis, or of all elements as one row (`..`).
    ///
    /// NumPy: `cumsum`; TensorFlow: `Cumsum`. Numbers. Options: an axis, `Exclusive` to leave the
    /// element itself out, `Backwards` to begin at the end.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range, and for dtypes that are no numbers.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2], [3, 4]];
    /// assert_eq!(x.cumsum(..)?.as_slice::<i32>()?, &[1, 3, 6, 10]);
    /// assert_eq!(x.cumsum((1, Exclusive))?.as_slice::<i32>()?, &[0, 1, 0, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn cumsum(x => o: Running) -> Tensor {
        let (x, axis) = row_or_axis(x, o.axis)?;
        ScanMethods::cumsum(&x, axis, o.exclusive, o.backwards)
    }

    /// The running products: along an axis, or of all elements as one row (`..`).
    ///
    /// NumPy: `cumprod`; TensorFlow: `Cumprod`. Numbers. Options as of [`cumsum()`]. The gradient of a zero
    /// is zero, as TensorFlow's.
    ///
    /// # Errors
    /// As [`cumsum()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].cumprod(0)?.as_slice::<i32>()?, &[1, 2, 3, 8]);
    /// # Ok::<(), Error>(())
    /// ```
    fn cumprod(x => o: Running) -> Tensor {
        let (x, axis) = row_or_axis(x, o.axis)?;
        ScanMethods::cumprod(&x, axis, o.exclusive, o.backwards)
    }

    /// The place of the largest element, int64: along an axis, or among all elements as one row
    /// (`..`). The first of equals; NaN is passed over, as in TensorFlow, where NumPy takes it.
    ///
    /// NumPy: `argmax`; TensorFlow: `ArgMax`.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range or empty, and for dtypes without order.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1.0f32, 3.0], [5.0, 2.0]];
    /// assert_eq!(x.argmax(..)?.item::<i64>()?, 2);
    /// assert_eq!(x.argmax(1)?.as_slice::<i64>()?, &[1, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn argmax(x => o: Along) -> Tensor {
        let (x, axis) = row_or_axis(x, o.axis)?;
        ScanMethods::argmax(&x, axis)
    }

    /// The place of the smallest element, int64: along an axis, or among all elements as one row
    /// (`..`). The first of equals; NaN is passed over, as in TensorFlow, where NumPy takes it.
    ///
    /// NumPy: `argmin`; TensorFlow: `ArgMin`.
    ///
    /// # Errors
    /// As [`argmax()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1.0f32, 3.0], [5.0, 2.0]].argmin(..)?.item::<i64>()?, 0);
    /// # Ok::<(), Error>(())
    /// ```
    fn argmin(x => o: Along) -> Tensor {
        let (x, axis) = row_or_axis(x, o.axis)?;
        ScanMethods::argmin(&x, axis)
    }
}
