//! Reductions over axes.

pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
mod statistics;

use extype_kernels::table::reduction as r;
pub use statistics::*;

use crate::define_op;
use crate::types::DTypeSet;

define_op! {
    /// Methods: reductions over axes.
    methods of ReductionMethods;

    /// The sum over axes; integers wrap, of nothing zero.
    ///
    /// TensorFlow: `Sum`.
    pub reduction ReduceSum = "Sum" {
        types: { T: DTypeSet::NUMERIC },
        call: method reduce_sum,
        kernel: Reduce(&r::SUM),
        gradient: gradient::reduce_sum,
    }

    /// The mean over axes; of nothing NaN, integers are cut towards zero.
    ///
    /// TensorFlow: `Mean`.
    pub reduction ReduceMean = "Mean" {
        types: { T: DTypeSet::NUMERIC },
        call: method reduce_mean,
        kernel: Reduce(&r::MEAN),
        gradient: gradient::reduce_mean,
    }

    /// The product over axes; integers wrap, of nothing one.
    ///
    /// TensorFlow: `Prod`.
    pub reduction ReduceProd = "Prod" {
        types: { T: DTypeSet::NUMERIC },
        call: method reduce_prod,
        kernel: Reduce(&r::PROD),
        gradient: gradient::reduce_prod,
    }

    /// The square root of the sum of squares over axes; of nothing zero.
    ///
    /// TensorFlow: `EuclideanNorm`.
    pub reduction ReduceEuclideanNorm = "EuclideanNorm" {
        types: { T: DTypeSet::FLOAT },
        call: method reduce_euclidean_norm,
        kernel: Reduce(&r::EUCLIDEAN_NORM),
        gradient: gradient::reduce_euclidean_norm,
    }

    /// The largest element over axes; NaN if one is; of nothing the lowest value.
    ///
    /// TensorFlow: `Max`.
    pub reduction ReduceMax = "Max" {
        types: { T: DTypeSet::REAL },
        call: method reduce_max,
        kernel: Reduce(&r::MAX),
        gradient: gradient::extremum,
    }

    /// The smallest element over axes; NaN if one is; of nothing the highest value.
    ///
    /// TensorFlow: `Min`.
    pub reduction ReduceMin = "Min" {
        types: { T: DTypeSet::REAL },
        call: method reduce_min,
        kernel: Reduce(&r::MIN),
        gradient: gradient::extremum,
    }

    /// True where every element over the axes is; of nothing true.
    ///
    /// TensorFlow: `All`.
    pub reduction ReduceAll = "All" {
        inputs: { input: {Bool}, reduction_indices: Tidx }, outputs: { output: {Bool} },
        call: method reduce_all,
        kernel: Reduce(&r::ALL),
        gradient: none,
    }

    /// True where some element over the axes is; of nothing false.
    ///
    /// TensorFlow: `Any`.
    pub reduction ReduceAny = "Any" {
        inputs: { input: {Bool}, reduction_indices: Tidx }, outputs: { output: {Bool} },
        call: method reduce_any,
        kernel: Reduce(&r::ANY),
        gradient: none,
    }
}
