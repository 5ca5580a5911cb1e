//! Reductions over axes.

mod composed;
pub(in crate::ops) mod gradient;
mod nan;
mod norms;
mod short_names;
mod variance;

pub use composed::*;
use extype_kernels::table::reduction as r;
pub use nan::*;
pub use norms::*;
pub use short_names::*;
pub use variance::*;

use crate::define_op;
use crate::types::DTypeSet;

define_op! {
    /// Methods: reductions over axes.
    methods of ReductionMethods;

    /// The sum over axes; integers wrap. The sum of no elements is zero.
    ///
    /// TensorFlow: `Sum`. Input of any shape; the result drops the axes, or keeps them with size 1
    /// (`KeepDims`).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].reduce_sum(0, false)?.as_slice::<i32>()?, &[4, 6]);
    /// # Ok::<(), Error>(())
    /// ```
    pub reduction ReduceSum = "Sum" {
        types: { T: DTypeSet::NUMERIC },
        call: method reduce_sum,
        kernel: Reduce(&r::SUM),
        gradient: gradient::reduce_sum,
    }

    /// The mean over axes; integers are truncated towards zero. The mean of no elements is NaN, or zero
    /// for integers.
    ///
    /// TensorFlow: `Mean`. Input of any shape; the result drops the axes, or keeps them with size 1
    /// (`KeepDims`).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, 2.0, 6.0].reduce_mean(.., false)?.item::<f32>()?, 3.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub reduction ReduceMean = "Mean" {
        types: { T: DTypeSet::NUMERIC },
        call: method reduce_mean,
        kernel: Reduce(&r::MEAN),
        gradient: gradient::reduce_mean,
    }

    /// The product over axes; integers wrap. The product of no elements is one.
    ///
    /// TensorFlow: `Prod`. Input of any shape; the result drops the axes, or keeps them with size 1
    /// (`KeepDims`).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].reduce_prod(1, false)?.as_slice::<i32>()?, &[2, 12]);
    /// # Ok::<(), Error>(())
    /// ```
    pub reduction ReduceProd = "Prod" {
        types: { T: DTypeSet::NUMERIC },
        call: method reduce_prod,
        kernel: Reduce(&r::PROD),
        gradient: gradient::reduce_prod,
    }

    /// The square root of the sum of squares over axes; zero for no elements.
    ///
    /// TensorFlow: `EuclideanNorm`. Input of any shape; the result drops the axes, or keeps them with
    /// size 1 (`KeepDims`).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![3.0f32, 4.0].reduce_euclidean_norm(.., false)?.item::<f32>()?, 5.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub reduction ReduceEuclideanNorm = "EuclideanNorm" {
        types: { T: DTypeSet::FLOAT },
        call: method reduce_euclidean_norm,
        kernel: Reduce(&r::EUCLIDEAN_NORM),
        gradient: gradient::reduce_euclidean_norm,
    }

    /// The largest element over axes; NaN if any element is NaN; the lowest value of the dtype for no
    /// elements.
    ///
    /// TensorFlow: `Max`. Input of any shape; the result drops the axes, or keeps them with size 1
    /// (`KeepDims`).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![[1, 5], [3, 4]].reduce_max(1, KeepDims)?;
    /// assert_eq!(y.shape(), shape![2, 1]);
    /// assert_eq!(y.as_slice::<i32>()?, &[5, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub reduction ReduceMax = "Max" {
        types: { T: DTypeSet::REAL },
        call: method reduce_max,
        kernel: Reduce(&r::MAX),
        gradient: gradient::extremum,
    }

    /// The smallest element over axes; NaN if any element is NaN; the highest value of the dtype for no
    /// elements.
    ///
    /// TensorFlow: `Min`. Input of any shape; the result drops the axes, or keeps them with size 1
    /// (`KeepDims`).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 5], [3, 4]].reduce_min(-1, false)?.as_slice::<i32>()?, &[1, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub reduction ReduceMin = "Min" {
        types: { T: DTypeSet::REAL },
        call: method reduce_min,
        kernel: Reduce(&r::MIN),
        gradient: gradient::extremum,
    }

    /// Returns true where all elements over the axes are true; true for no elements.
    ///
    /// TensorFlow: `All`. Input of any shape; the result drops the axes, or keeps them with size 1
    /// (`KeepDims`).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[true, true], [true, false]];
    /// assert_eq!(x.reduce_all(1, false)?.as_slice::<bool>()?, &[true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    pub reduction ReduceAll = "All" {
        inputs: { input: {Bool}, reduction_indices: Tidx }, outputs: { output: {Bool} },
        call: method reduce_all,
        kernel: Reduce(&r::ALL),
        gradient: none,
    }

    /// Returns true where any element over the axes is true; false for no elements.
    ///
    /// TensorFlow: `Any`. Input of any shape; the result drops the axes, or keeps them with size 1
    /// (`KeepDims`).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[false, false], [true, false]];
    /// assert_eq!(x.reduce_any(1, false)?.as_slice::<bool>()?, &[false, true]);
    /// # Ok::<(), Error>(())
    /// ```
    pub reduction ReduceAny = "Any" {
        inputs: { input: {Bool}, reduction_indices: Tidx }, outputs: { output: {Bool} },
        call: method reduce_any,
        kernel: Reduce(&r::ANY),
        gradient: none,
    }
}
