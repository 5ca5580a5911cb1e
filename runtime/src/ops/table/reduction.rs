//! Reductions.

use crate::define_op;
use crate::ops::infer;
use crate::ops::kernel::reduce as r;
use crate::types::DTypeSet;

define_op! {
    /// The sum over axes; integers wrap, of nothing zero.
    ///
    /// TensorFlow: `Sum`.
    pub reduction ReduceSum = SumFn("Sum") {
        inputs: { input: T, reduction_indices: Tidx }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tidx: DTypeSet::INDEX }, attrs: {},
        infer: infer::reduction, kernel: r::sum,
    }
}

define_op! {
    /// The mean over axes; of nothing NaN, integers are cut towards zero.
    ///
    /// TensorFlow: `Mean`.
    pub reduction ReduceMean = MeanFn("Mean") {
        inputs: { input: T, reduction_indices: Tidx }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tidx: DTypeSet::INDEX }, attrs: {},
        infer: infer::reduction, kernel: r::mean,
    }
}

define_op! {
    /// The product over axes; integers wrap, of nothing one.
    ///
    /// TensorFlow: `Prod`.
    pub reduction ReduceProd = ProdFn("Prod") {
        inputs: { input: T, reduction_indices: Tidx }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tidx: DTypeSet::INDEX }, attrs: {},
        infer: infer::reduction, kernel: r::prod,
    }
}

define_op! {
    /// The square root of the sum of squares over axes; of nothing zero.
    ///
    /// TensorFlow: `EuclideanNorm`.
    pub reduction ReduceEuclideanNorm = EuclideanNormFn("EuclideanNorm") {
        inputs: { input: T, reduction_indices: Tidx }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT, Tidx: DTypeSet::INDEX }, attrs: {},
        infer: infer::reduction, kernel: r::euclidean_norm,
    }
}

define_op! {
    /// The largest element over axes; NaN if one is; of nothing the lowest value.
    ///
    /// TensorFlow: `Max`.
    pub reduction ReduceMax = MaxFn("Max") {
        inputs: { input: T, reduction_indices: Tidx }, outputs: { output: T },
        types: { T: DTypeSet::REAL, Tidx: DTypeSet::INDEX }, attrs: {},
        infer: infer::reduction, kernel: r::max,
    }
}

define_op! {
    /// The smallest element over axes; NaN if one is; of nothing the highest value.
    ///
    /// TensorFlow: `Min`.
    pub reduction ReduceMin = MinFn("Min") {
        inputs: { input: T, reduction_indices: Tidx }, outputs: { output: T },
        types: { T: DTypeSet::REAL, Tidx: DTypeSet::INDEX }, attrs: {},
        infer: infer::reduction, kernel: r::min,
    }
}

define_op! {
    /// True where every element over the axes is; of nothing true.
    ///
    /// TensorFlow: `All`.
    pub reduction ReduceAll = AllFn("All") {
        inputs: { input: {Bool}, reduction_indices: Tidx }, outputs: { output: {Bool} },
        types: { Tidx: DTypeSet::INDEX }, attrs: {},
        infer: infer::reduction, kernel: r::all,
    }
}

define_op! {
    /// True where some element over the axes is; of nothing false.
    ///
    /// TensorFlow: `Any`.
    pub reduction ReduceAny = AnyFn("Any") {
        inputs: { input: {Bool}, reduction_indices: Tidx }, outputs: { output: {Bool} },
        types: { Tidx: DTypeSet::INDEX }, attrs: {},
        infer: infer::reduction, kernel: r::any,
    }
}
