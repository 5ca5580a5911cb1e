//! Running reductions as in NumPy: along an axis, or over all elements as one row.

use crate::compounds;
use crate::ops::args::Index;
use crate::ops::methods::*;
use crate::ops::options::{Along, Running, Sets};
use crate::ops::{concat, length_of, maximum, minimum, rank_of};
use crate::tensor::Tensor;
use crate::types::{DType, Result, normalize_axis};

/// Bools as int64, so that they are counted.
fn counting(x: &Tensor) -> Result<Tensor> {
    if x.dtype() == DType::Bool { x.cast(DType::I64) } else { Ok(x.clone()) }
}

/// The running extremum along an axis: `of` combines each element with all before it. Each step
/// combines twice as many.
fn extrema(
    x: &Tensor,
    options: Along,
    of: fn(&Tensor, &Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    let (mut x, axis) = row_or_axis(x, options.axis)?;
    let rank = rank_of(&x)?;
    let axis = normalize_axis(axis, rank)?;
    let (n, mut step) = (length_of(&x, axis as i64)? as i64, 1);
    while step < n {
        let part = |from: i64, until: i64| {
            let mut at = vec![Index::from(..); rank];
            at[axis] = (from..until).into();
            x.index(&at[..])
        };
        let late = of(&part(step, n)?, &part(0, n - step)?)?;
        x = concat(&[part(0, step)?, late], axis)?;
        step *= 2;
    }
    Ok(x)
}

/// A tensor and its axis; without one, all elements as one row.
pub(in crate::ops) fn row_or_axis(x: &Tensor, axis: Option<i64>) -> Result<(Tensor, i64)> {
    Ok(match axis {
        Some(axis) => (x.clone(), axis),
        None => (x.reshape([-1])?, 0),
    })
}

compounds! {
    /// Methods: running sums, products and extremes.
    methods of RunningMethods;

    /// The running sums: along an axis, or of all elements as one row (`..`).
    ///
    /// NumPy: `cumsum`, `cumulative_sum`; TensorFlow: `Cumsum`. Numbers; bools become int64. Options: an axis,
    /// `ops::Exclusive` to leave the element itself out, `Backwards` to begin at the end.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range, and for dtypes that are no numbers.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2], [3, 4]];
    /// assert_eq!(x.cumsum(..)?.as_slice::<i32>()?, &[1, 3, 6, 10]);
    /// assert_eq!(x.cumsum((1, ops::Exclusive))?.as_slice::<i32>()?, &[0, 1, 0, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn cumsum(x => options: impl Sets<Running> as Running) -> Tensor {
        let (x, axis) = row_or_axis(x, options.axis)?;
        super::cumsum(&counting(&x)?, axis, options.exclusive, options.backwards)
    }

    /// The running products: along an axis, or of all elements as one row (`..`).
    ///
    /// NumPy: `cumprod`, `cumulative_prod`; TensorFlow: `Cumprod`. Numbers; bools become int64. Options as of
    /// [`cumsum()`]. The gradient of a zero is zero, as TensorFlow's.
    ///
    /// # Errors
    /// As [`cumsum()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].cumprod(0)?.as_slice::<i32>()?, &[1, 2, 3, 8]);
    /// # Ok::<(), Error>(())
    /// ```
    fn cumprod(x => options: impl Sets<Running> as Running) -> Tensor {
        let (x, axis) = row_or_axis(x, options.axis)?;
        super::cumprod(&counting(&x)?, axis, options.exclusive, options.backwards)
    }

    /// The running maximum: along an axis, or of all elements as one row (`..`). From the first NaN
    /// on the result is NaN.
    ///
    /// NumPy's `maximum.accumulate`. Real numbers; the result has the same shape. Gradients reach the
    /// elements that are the largest.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range, for dtypes without order, and for a size that is
    /// unknown while tracing.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 3, 2, 5].cummax(..)?.as_slice::<i32>()?, &[1, 3, 3, 5]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "maximum_accumulate")]
    fn cummax(x => options: impl Sets<Along> as Along) -> Tensor {
        extrema(x, options, |x, y| maximum(x, y))
    }

    /// The running minimum: along an axis, or of all elements as one row (`..`). From the first NaN on
    /// the result is NaN.
    ///
    /// NumPy's `minimum.accumulate`. As [`cummax`].
    ///
    /// # Errors
    /// As [`cummax`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![4, 3, 5, 1].cummin(..)?.as_slice::<i32>()?, &[4, 3, 3, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "minimum_accumulate")]
    fn cummin(x => options: impl Sets<Along> as Along) -> Tensor {
        extrema(x, options, |x, y| minimum(x, y))
    }
}
