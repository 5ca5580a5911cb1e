//! Along one axis: running reductions, and the places of the largest and smallest elements.

use crate::define_op;
use crate::ops::Axis;
use crate::ops::infer::scan as infer;
use crate::ops::kernel::scan;
use crate::types::{DType, DTypeSet};

define_op! {
    /// The place of the largest element along an axis, the first of equals; NaN is passed over.
    ///
    /// TensorFlow: `ArgMax`.
    pub op ArgMax = "ArgMax" {
        inputs: { input: T, dimension: Tidx }, outputs: { output: output_type },
        types: { T: DTypeSet::REAL.or(DTypeSet::BOOL), Tidx: DTypeSet::INDEX },
        attrs: { output_type: DType = DType::I64 }, host: { dimension: Axis },
        arity: 1, effect: Pure, infer: infer::search, kernel: scan::arg_max,
    }
}

define_op! {
    /// The place of the smallest element along an axis, the first of equals; NaN is passed over.
    ///
    /// TensorFlow: `ArgMin`.
    pub op ArgMin = "ArgMin" {
        inputs: { input: T, dimension: Tidx }, outputs: { output: output_type },
        types: { T: DTypeSet::REAL.or(DTypeSet::BOOL), Tidx: DTypeSet::INDEX },
        attrs: { output_type: DType = DType::I64 }, host: { dimension: Axis },
        arity: 1, effect: Pure, infer: infer::search, kernel: scan::arg_min,
    }
}

define_op! {
    /// Running sums along an axis: without the element itself if `exclusive`, from the end if
    /// `reverse`.
    ///
    /// TensorFlow: `Cumsum`.
    pub op Cumsum = "Cumsum" {
        inputs: { x: T, axis: Tidx }, outputs: { out: T },
        types: { T: DTypeSet::NUMERIC, Tidx: DTypeSet::INDEX },
        attrs: { exclusive: bool = false, reverse: bool = false }, host: { axis: Axis },
        arity: 1, effect: Pure, infer: infer::scan, kernel: scan::cumsum,
    }
}

define_op! {
    /// Running products along an axis: without the element itself if `exclusive`, from the end if
    /// `reverse`.
    ///
    /// TensorFlow: `Cumprod`.
    pub op Cumprod = "Cumprod" {
        inputs: { x: T, axis: Tidx }, outputs: { out: T },
        types: { T: DTypeSet::NUMERIC, Tidx: DTypeSet::INDEX },
        attrs: { exclusive: bool = false, reverse: bool = false }, host: { axis: Axis },
        arity: 1, effect: Pure, infer: infer::scan, kernel: scan::cumprod,
    }
}

define_op! {
    /// Running logarithms of sums of exponentials along an axis; of nothing negative infinity.
    ///
    /// TensorFlow: `CumulativeLogsumexp`.
    pub op CumulativeLogsumexp = "CumulativeLogsumexp" {
        inputs: { x: T, axis: Tidx }, outputs: { out: T },
        types: { T: DTypeSet::FLOAT, Tidx: DTypeSet::INDEX },
        attrs: { exclusive: bool = false, reverse: bool = false }, host: { axis: Axis },
        arity: 1, effect: Pure, infer: infer::scan, kernel: scan::cumulative_logsumexp,
    }
}

define_op! {
    /// For each row whether the prediction of its target class is among the `k` largest; false
    /// where a prediction is not finite or the class out of range.
    ///
    /// TensorFlow: `InTopKV2`.
    pub op InTopK = "InTopKV2" {
        inputs: { predictions: {F32}, targets: T, k: T }, outputs: { precision: {Bool} },
        types: { T: DTypeSet::INDEX }, attrs: {}, host: {},
        arity: 3, effect: Pure, infer: infer::in_top_k, kernel: scan::in_top_k,
    }
}
