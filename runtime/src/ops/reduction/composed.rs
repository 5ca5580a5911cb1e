//! Functions made of several reductions: counts of zeros, ranges, logarithms of sums.

use crate::compounds;
use crate::ops::args::{Axes, AxesLike, KeepDims, KeepDimsArg};
use crate::ops::methods::*;
use crate::ops::options::{Over, Sets};
use crate::ops::{add, select, sub};
use crate::tensor::Tensor;
use crate::types::{DType, bail};

compounds! {
    /// Methods: counts of nonzero elements, ranges.
    methods of StatisticsMethods;

    /// Counts the elements over axes that are not zero, int64.
    ///
    /// NumPy: `count_nonzero`; TensorFlow: `tf.math.count_nonzero`. Numbers, bools or strings of any
    /// shape. Options: axes (`..` for all), `KeepDims`.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range or given twice.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let n = tensor![[0.0f32, 1.0], [2.0, 3.0]].count_nonzero(1)?;
    /// assert_eq!(n.as_slice::<i64>()?, &[1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn count_nonzero(x => options: impl Sets<Over> as Over) -> Tensor {
        let is_counted = match x.dtype() {
            DType::Bool => x.clone(),
            DType::String => x.not_equal(&Tensor::from_strings(&[""], &[])?)?,
            _ => x.not_equal(&x.zeros_like()?)?,
        };
        is_counted.cast(DType::I64)?.reduce_sum(options.axes, options.keep_dims)
    }

    /// Subtracts the smallest element from the largest, over axes.
    ///
    /// NumPy: `ptp`. Integers or real floats. Options: axes (`..` for all), `KeepDims`.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that has no order, for no elements, and for wrong axes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 5], [3, 4]].ptp(1)?.as_slice::<i32>()?, &[4, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "peak_to_peak")]
    fn ptp(x => options: impl Sets<Over> as Over) -> Tensor {
        if let (Some(sizes), Ok(axes)) = (x.shape().sizes(), options.axes.of(x))
            && axes.iter().any(|axis| sizes[*axis] == 0)
        {
            bail!("of no elements none is the largest; the shape is {}", x.shape());
        }
        sub(x.reduce_max(&options.axes, options.keep_dims)?, x.reduce_min(&options.axes, options.keep_dims)?)
    }
}

compounds! {
    /// The fraction of elements that are zero, a float32 scalar.
    ///
    /// TensorFlow: `tf.math.zero_fraction`. Numbers, bools or strings of any shape.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that has no zero.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::zero_fraction(&tensor![0, 1, 0, 2])?.item::<f32>()?, 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    fn zero_fraction(x) -> Tensor {
        x.equal(&x.zeros_like()?)?.cast(DType::F32)?.reduce_mean(.., false)
    }

    /// The logarithm of the sum of exponentials over `axes`, safe against overflow.
    ///
    /// TensorFlow: `tf.math.reduce_logsumexp`. Floats of any shape; the result drops the axes, or keeps
    /// them with size 1.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is no float, and for wrong axes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::reduce_logsumexp(&tensor![1000.0f64, 1000.0], .., false)?;
    /// assert!((y.item::<f64>()? - 1000.0 - 2f64.ln()).abs() < 1e-9);
    /// # Ok::<(), Error>(())
    /// ```
    fn reduce_logsumexp(x; axes: impl AxesLike as Axes, keep_dims: impl KeepDimsArg as bool) -> Tensor {
        let largest = x.reduce_max(&axes, KeepDims)?;
        let shift = select(largest.is_finite()?, &largest, 0.0)?.stop_gradient()?;
        let sum = sub(x, &shift)?.exp()?.reduce_sum(&axes, keep_dims)?;
        // Drops the axes, which have size 1 by now, from the shift.
        let shift = if keep_dims { shift } else { shift.reduce_max(&axes, false)? };
        add(sum.log()?, shift)
    }
}
