//! Reductions.

use super::front;
use crate::ops::*;
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, Result};

/// Rows of reductions, which have the same arguments: the axes (`..` for all, an axis, a list) and
/// whether they are kept with size 1.
macro_rules! reductions {
    (
        $(#[doc = $about:literal])* methods of $methods:ident { $($name:ident => $op:ident;)* }
        along one axis { $($other:tt)* }
    ) => {
        front! {
            $(#[doc = $about])*
            methods of $methods {
                $(
                    /// Over `axes` (`..` for all, an axis, a list), kept with size 1 if `keep_dims`.
                    $name(x; axes: impl Into<Axes>, keep_dims: impl KeepDimsArg) => $op {
                        axes: axes.into(),
                        keep_dims: keep_dims.keep_dims(),
                        function: Default::default(),
                    };
                )*
                $($other)*
            }
        }
    };
}

reductions! {
    /// Reductions as methods of extension types: `masked.reduce_mean(0, false)?`.
    methods of Reducing {
        reduce_sum => ReduceSum;
        reduce_prod => ReduceProd;
        reduce_euclidean_norm => ReduceEuclideanNorm;
        reduce_mean => ReduceMean;
        reduce_max => ReduceMax;
        reduce_min => ReduceMin;
        reduce_all => ReduceAll;
        reduce_any => ReduceAny;
    }
    along one axis {
        /// The place of the largest element along an axis, int64: the first of equals, NaN passed
        /// over. An empty axis is refused.
        ///
        /// ```
        /// use extype::prelude::*;
        /// let x = tensor![[1.0f32, 3.0], [5.0, 2.0]];
        /// assert_eq!(x.argmax(1)?.as_slice::<i64>()?, &[1, 0]);
        /// # Ok::<(), Error>(())
        /// ```
        argmax(x; axis: impl Into<Axis>) => ArgMax {
            output_type: DType::I64,
            dimension: axis.into(),
        };
        /// The place of the smallest element along an axis, int64: the first of equals, NaN passed
        /// over. An empty axis is refused.
        argmin(x; axis: impl Into<Axis>) => ArgMin {
            output_type: DType::I64,
            dimension: axis.into(),
        };
        /// Running sums along an axis: without the element itself if `exclusive`, from the end if
        /// `reverse`.
        ///
        /// ```
        /// use extype::prelude::*;
        /// let x = tensor![1, 2, 3];
        /// assert_eq!(x.cumsum(0, false, false)?.as_slice::<i32>()?, &[1, 3, 6]);
        /// assert_eq!(x.cumsum(0, true, true)?.as_slice::<i32>()?, &[5, 3, 0]);
        /// # Ok::<(), Error>(())
        /// ```
        cumsum(x; axis: impl Into<Axis>, exclusive: bool, reverse: bool) => Cumsum {
            exclusive,
            reverse,
            axis: axis.into(),
        };
        /// Running products along an axis: without the element itself if `exclusive`, from the end
        /// if `reverse`.
        cumprod(x; axis: impl Into<Axis>, exclusive: bool, reverse: bool) => Cumprod {
            exclusive,
            reverse,
            axis: axis.into(),
        };
        /// Running logarithms of sums of exponentials along an axis: without the element itself if
        /// `exclusive`, from the end if `reverse`; of nothing negative infinity.
        cumulative_logsumexp(x; axis: impl Into<Axis>, exclusive: bool, reverse: bool) => CumulativeLogsumexp {
            exclusive,
            reverse,
            axis: axis.into(),
        };
    }
}
