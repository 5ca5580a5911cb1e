//! Reductions over axes.

pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
mod nan;
pub(in crate::ops) mod short;
mod statistics;

use extype_kernels::table::reduction as r;
pub use nan::*;
pub use short::*;
pub use statistics::*;

use crate::define_op;
use crate::types::DTypeSet;

define_op! {
    /// Methods: reductions over axes.
    methods of ReductionMethods;

    /// The sum over axes; integers wrap, of nothing zero.
    ///
    /// TensorFlow: `Sum`. Of any shape; the result is without the axes, or keeps them with size 1
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

    /// The mean over axes; of nothing NaN; integers are cut towards zero, of no integers it is zero.
    ///
    /// TensorFlow: `Mean`. Of any shape; the result is without the axes, or keeps them with size 1
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

    /// The product over axes; integers wrap, of nothing one.
    ///
    /// TensorFlow: `Prod`. Of any shape; the result is without the axes, or keeps them with size 1
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

    /// The square root of the sum of squares over axes; of nothing zero.
    ///
    /// TensorFlow: `EuclideanNorm`. Of any shape; the result is without the axes, or keeps them
    /// with size 1 (`KeepDims`).
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

    /// The largest element over axes; NaN if one is; of nothing the lowest value.
    ///
    /// TensorFlow: `Max`. Of any shape; the result is without the axes, or keeps them with size 1
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

    /// The smallest element over axes; NaN if one is; of nothing the highest value.
    ///
    /// TensorFlow: `Min`. Of any shape; the result is without the axes, or keeps them with size 1
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

    /// True where every element over the axes is; of nothing true.
    ///
    /// TensorFlow: `All`. Of any shape; the result is without the axes, or keeps them with size 1
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

    /// True where some element over the axes is; of nothing false.
    ///
    /// TensorFlow: `Any`. Of any shape; the result is without the axes, or keeps them with size 1
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
